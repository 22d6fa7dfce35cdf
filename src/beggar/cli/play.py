"""``beggar play``: one game told card by card."""

import json
import secrets
import sys
import time
from typing import Annotated

import typer

from beggar.cli.options import Engine, Preset, Seed, Set, rules_of, seed_of
from beggar.cli.telling import Teller, cards, tricks
from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.events import Turned, as_json, by_card
from beggar.game import Game
from beggar.position import Position

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar play

beggar play --seed 7 --rules camicia --tempo 0.5

beggar play '--K/QJ-' --set elimination=on_empty

beggar play --J/---J --events | head
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("play", epilog=_EXAMPLES)(play)


def play(
    deal: Annotated[
        str | None,
        typer.Argument(
            metavar="[DEAL]",
            help="The deal, or a position; a shuffled deck without it.",
            show_default=False,
        ),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    engine: Engine = "core",
    events: Annotated[
        bool, typer.Option("--events", help="Print each event as a JSON object on its line.")
    ] = False,
    tempo: Annotated[
        str, typer.Option("--tempo", metavar="SECONDS", help="Wait so long for each card.")
    ] = "0",
) -> int:
    """Play one game and tell it in English, card by card."""
    rules = rules_of(preset, settings)
    seed = seed_of(seed_text)
    pace = _pace(tempo)
    if deal is None:
        seed = secrets.randbits(32) if seed is None else seed
        dealt = Deal.random(seed, players=rules.players or 2, cards=rules.deck, jokers=rules.jokers)
        if not events:
            print(f"seed {seed}: {dealt.text('card')}")
        start = Position.start(dealt)
    else:
        start = Position.parse(deal)
    game = Game(start, rules, engine=engine, seed=seed)
    try:
        _tell(game, events, pace)
    except KeyboardInterrupt:
        at = game.position
        sys.stdout.flush()
        rest = "".join(f" --set '{setting}'" for setting in rules.as_settings())
        if engine != "core":
            rest += f" --engine {engine}"
        if seed is not None:
            rest += f" --seed {seed}"
        print(
            f"beggar: interrupted after {cards(at.cards)} and {tricks(at.tricks)}; "
            f"go on with: beggar play '{at}'{rest}",
            file=sys.stderr,
        )
        return 130
    return 0


def _pace(text: str) -> float:
    try:
        pace = float(text)
    except ValueError:
        pace = -1.0
    if not 0 <= pace <= 3600:
        raise BeggarError(
            f"--tempo: {quoted(text.strip())} is not a pace: expected 0 to 3600 seconds"
        )
    return pace


def _tell(game: Game, events: bool, tempo: float) -> None:
    if events:
        for event in game:
            if tempo and isinstance(event, Turned):
                time.sleep(tempo)
            print(json.dumps(as_json(event)), flush=bool(tempo))
        return
    at = game.position
    teller = Teller(at.due)
    number = at.cards
    for together in by_card(game):
        if isinstance(together[0], Turned):
            number = together[0].cards
            if tempo:
                time.sleep(tempo)
        print(f"{number:>6,}  {teller.tell(together)}", flush=bool(tempo))
    outcome = game.outcome
    if outcome is not None:
        print(f"{cards(outcome.cards)}, {tricks(outcome.tricks)}.")
