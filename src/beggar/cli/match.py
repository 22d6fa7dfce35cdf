"""``beggar match``: rounds between named players until one has won enough."""

import json
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from beggar.cli.options import Language, Preset, Seed, Set, count_of, names_for, rules_of, seed_of
from beggar.errors import BeggarError, quoted
from beggar.outcome import Termination
from beggar.table.match import Draw, Match, Round
from beggar.table.phrases import AFTER_CARDS, AFTER_TRICKS, Seat, message, messages
from beggar.table.words import Words, choose

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar match

beggar match Ana Boris --best-of 5 --seed 7

beggar match Ana Boris Carla --first-to 2 --rules camicia --lang it

beggar match Ana Boris --seed 7 --json > match.json

beggar match --replay match.json
"""

_DRAWS = message("{player} draws {card}")
_TIED = message("they are equally high and draw again")
_DEALS_FIRST = message("{player} deals first")
_ROUND = message("Round {number}: {dealer} deals, {cutter} cuts {cut}, {leader} leads.")
_WON = message("{player} wins the round after {cards} and {tricks}: {score}.")
_DRAWN = message("Nobody wins the round after {cards} and {tricks}: {score}.")
_UNDECIDED = message("The round is undecided after {cards} and {tricks}: {score}.")
_OUT = message("Out: {player}.")
_MATCH_WON = messages(
    "{player} wins the match with {count} round won.",
    "{player} wins the match with {count} rounds won.",
)
_NOBODY = message("Nobody wins the match: so many rounds were played without a winner.")
_STOOD = message("{player} {number}")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("match", epilog=_EXAMPLES)(match)


def match(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="2 to 6 players, clockwise; Ana and Boris without them.",
            show_default=False,
        ),
    ] = None,
    best_of: Annotated[
        str | None,
        typer.Option(
            "--best-of", metavar="N", help="Best of an odd N: 3 if not told.", show_default=False
        ),
    ] = None,
    first_to: Annotated[
        str | None,
        typer.Option(
            "--first-to", metavar="N", help="Whoever first wins N rounds.", show_default=False
        ),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    language: Language = None,
    as_line: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    replay: Annotated[
        str | None,
        typer.Option(
            "--replay",
            metavar="FILE",
            help="Play a match again from the JSON of it, and check every round.",
            show_default=False,
        ),
    ] = None,
) -> int:
    """Play a match: draw for the deal, then shuffle, cut, deal and play round by round."""
    language = choose(language)
    if replay is not None:
        if names or best_of or first_to or seed_text or settings or preset != "classic":
            raise BeggarError("--replay: expected no names, numbers, rules or seed beside it")
        played = _read(replay)
    else:
        rules = rules_of(preset, settings)
        given = names or list(names_for(None, rules.players or 2))
        seed = seed_of(seed_text)
        seed = secrets.randbits(32) if seed is None else seed
        if best_of is not None and first_to is not None:
            raise BeggarError("--best-of and --first-to: expected one of them")
        played = Match(
            given,
            rules,
            best_of=None if best_of is None else count_of(best_of, "--best-of"),
            first_to=None if first_to is None else count_of(first_to, "--first-to"),
            seed=seed,
        )
    words = Words(
        language, played.names, italian=played.rules.deck.startswith("camicia"), long=True
    )
    if as_line:
        played.play()
        print(json.dumps(played.as_json()))
        return 0
    print(f"seed {played.seed}")
    for draw in played.draws:
        print(_drawing(draw, words))
    rounds = played.rounds if replay is not None else played
    for part in rounds:
        print(_told(part, words), flush=True)
    if played.winner is None:
        print(words.say(_NOBODY.of()))
    else:
        winner = played.winner
        print(words.say(_MATCH_WON.of(player=Seat(winner), count=played.score[winner])))
    return 0


def _read(path: str) -> Match:
    if not path:
        raise BeggarError("--replay '': expected a file's name")
    try:
        text = Path(path).read_text(encoding="utf-8") if path != "-" else sys.stdin.read()
        return Match.from_json(json.loads(text))
    except UnicodeDecodeError:
        raise BeggarError(f"{quoted(path)} is not text: expected the JSON of a match") from None
    except json.JSONDecodeError as error:
        raise BeggarError(
            f"{quoted(path)}, line {error.lineno}: {error.msg}: expected the JSON of a match"
        ) from None
    except BeggarError as error:
        raise BeggarError(f"{quoted(path)}: {error}") from None
    except (RecursionError, ValueError):
        raise BeggarError(f"{quoted(path)} is not the JSON of a match") from None


def _drawing(draw: Draw, words: Words) -> str:
    drawn = [
        words.say(_DRAWS.of(player=Seat(seat), card=card)) for seat, card in draw.cards.items()
    ]
    if len(draw.highest) > 1:
        return f"{'; '.join(drawn)}: {words.say(_TIED.of())}."
    return f"{'; '.join(drawn)}: {words.say(_DEALS_FIRST.of(player=Seat(draw.highest[0])))}."


def _told(part: Round, words: Words) -> str:
    opening = _ROUND.of(
        number=part.number,
        dealer=Seat(part.dealer),
        cutter=Seat(part.cutter),
        cut=part.cut,
        leader=Seat(part.leader),
    )
    score = ", ".join(
        words.say(_STOOD.of(player=Seat(seat), number=won)) for seat, won in enumerate(part.score)
    )
    counted = {
        "cards": AFTER_CARDS.of(count=part.outcome.cards),
        "tricks": AFTER_TRICKS.of(count=part.outcome.tricks),
    }
    said = [words.say(opening)]
    if len(words.names or ()) > 2:
        said += [words.say(_OUT.of(player=Seat(seat))) for seat in part.outcome.out]
    if part.outcome.termination is Termination.UNDECIDED:
        ending = words.say(_UNDECIDED.of(**counted, score=score))
    elif part.outcome.winner is None:
        ending = words.say(_DRAWN.of(**counted, score=score))
    else:
        ending = words.say(_WON.of(player=Seat(part.outcome.winner), **counted, score=score))
    return " ".join([*said, ending])
