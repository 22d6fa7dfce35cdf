"""``beggar play``: one game, to watch or to read."""

import json
import sys
import time
from contextlib import nullcontext
from itertools import islice
from typing import Annotated

import typer

from beggar.cli.counted import cards, tricks
from beggar.cli.options import (
    DealOption,
    Engine,
    GivenDeal,
    Language,
    Names,
    Preset,
    Seed,
    Set,
    names_for,
    rules_of,
    seed_of,
    start_of,
)
from beggar.errors import BeggarError, quoted
from beggar.events import Turned, as_json
from beggar.game import Game
from beggar.table.narration import Teller, is_italian, joined
from beggar.table.phrases import CARDS, TRICKS, message
from beggar.table.words import Words, choose

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar play

beggar play --seed 7 --rules camicia --tempo 0.5

beggar play '--K/QJ-' --set elimination=on_empty

beggar play --seed 7 --names Ana,Boris --lang es --long --plain

beggar play --J/---J --events | head
"""

_COUNTED = message("{cards}, {tricks}")
_KEYS = message("Enter: a card · t: to the end of the trick · p: play on · q: stop")

# Escape, and the end of the input.
_STOP = ("q", "\x1b", "\x04", "")

# Seconds a card where somebody watches, if no pace is told.
_WATCHED = 0.5


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play", epilog=_EXAMPLES)(play)


def play(
    deal: GivenDeal = None,
    deal_option: DealOption = None,
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    engine: Engine = "core",
    names_text: Names = None,
    language: Language = None,
    long: Annotated[
        bool, typer.Option("--long", help="Tell in whole sentences, with the reasons.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="A line a card, on a terminal too.")
    ] = False,
    step: Annotated[
        bool, typer.Option("--step", help="Wait for a key before each card (on a terminal).")
    ] = False,
    events: Annotated[
        bool, typer.Option("--events", help="Print each event as a JSON object on its line.")
    ] = False,
    tempo: Annotated[
        str | None,
        typer.Option(
            "--tempo",
            metavar="SECONDS",
            help="Wait so long for each card: on a terminal 0.5 unless told, else 0.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Play one game: a table to watch on a terminal, a line a card elsewhere."""
    rules = rules_of(preset, settings)
    seed = seed_of(seed_text)
    watched = sys.stdout.isatty() and not plain and not events
    if step and not (watched and sys.stdin.isatty()):
        raise BeggarError("--step waits for keys: expected a terminal, without --plain or --events")
    pace = _pace(tempo, _WATCHED if watched and not step else 0.0)
    language = choose(language)
    start, seed, shuffled = start_of(deal, deal_option, rules, seed)
    names = names_for(names_text, len(start.hands))
    game = Game(start, rules, engine=engine, seed=seed)
    italian = is_italian(start, rules)
    words = Words(language, names, italian=italian, long=long)
    if shuffled and not events:
        # As it can be given back, so an Italian deck's in letters.
        signs = (card.text if italian else card.pretty for hand in start.hands for card in hand)
        hands = [" ".join(islice(signs, len(hand))) for hand in start.hands]
        print(f"seed {seed}: {'/'.join(hands)}")
    try:
        if watched:
            _watch(game, words, pace, step)
        else:
            _tell(game, words, pace, events)
    except KeyboardInterrupt:
        return _interrupted(game, words)
    return 0


def _pace(text: str | None, otherwise: float) -> float:
    if text is None:
        return otherwise
    try:
        pace = float(text)
    except ValueError:
        pace = -1.0
    if not 0 <= pace <= 3600:
        raise BeggarError(
            f"--tempo: {quoted(text.strip())} is not a pace: expected 0 to 3600 seconds"
        )
    return pace


def _tell(game: Game, words: Words, pace: float, events: bool) -> None:
    """Print a line a card, or an event."""
    start = game.position
    teller = Teller(start, game.rules, "long" if words.long else "short")
    number = start.cards
    while together := game.turn_card():
        if pace and isinstance(together[0], Turned):
            time.sleep(pace)
        if events:
            for event in together:
                print(json.dumps(as_json(event)), flush=bool(pace))
            continue
        number += isinstance(together[0], Turned)
        leader = game.position.turn if words.long else 0
        line = joined(teller.tell(together, leader), words)
        print(f"{words.number(number):>6}  {line}", flush=bool(pace))
    if not events:
        print(f"{_counted(game, words)}.")


def _counted(game: Game, words: Words) -> str:
    at = game.position
    return words.say(_COUNTED.of(cards=CARDS.of(count=at.cards), tricks=TRICKS.of(count=at.tricks)))


def _watch(game: Game, words: Words, pace: float, step: bool) -> None:
    """Draw the table anew for each card."""
    from rich.live import Live

    from beggar.cli.keys import pressed
    from beggar.table.screen import draw

    # What is told under the table may take its time: it gives the reasons.
    words = Words(words.language, words.names, italian=words.italian, long=True)
    teller = Teller(game.position, game.rules, "long")
    if step:
        print(words.say(_KEYS.of()))
    first = draw(game.position, game.rules, words, "", _counted(game, words))
    with Live(first, auto_refresh=False) as live, pressed() if step else nullcontext(str) as key:
        asked = ""
        drawn, due = 0.0, time.monotonic()
        while game.outcome is None:
            if step and asked != "p" and not (asked == "t" and game.position.pile):
                asked = key()
                if asked in _STOP:
                    raise KeyboardInterrupt
            elif pace:
                due += pace
                time.sleep(max(0.0, due - time.monotonic()))
            caption = joined(teller.tell(game.turn_card(), game.position.turn), words)
            # No terminal shows more tables a second, but the last one is shown.
            now = time.monotonic()
            if now - drawn > 1 / 30 or game.outcome is not None or (step and asked != "p"):
                drawn = now
                shown = draw(game.position, game.rules, words, caption, _counted(game, words))
                live.update(shown, refresh=True)


def _interrupted(game: Game, words: Words) -> int:
    at = game.position
    sys.stdout.flush()
    rest = "".join(f" --set '{setting}'" for setting in game.rules.as_settings())
    if game.engine != "core":
        rest += f" --engine {game.engine}"
    if game.seed is not None:
        rest += f" --seed {game.seed}"
    if words.names != names_for(None, len(at.hands)):
        rest += f" --names '{','.join(words.names or ())}'"
    rest += " --long" if words.long else ""
    print(
        f"beggar: interrupted after {cards(at.cards)} and {tricks(at.tricks)}; "
        f"go on with: beggar play '{at}'{rest}",
        file=sys.stderr,
    )
    return 130
