"""``beggar check``: play deals to the end and say how each ended."""

import json
from typing import Annotated, Any, NamedTuple

import typer

from beggar.cli.counted import cards, tricks
from beggar.cli.given import check_given, complain, given
from beggar.cli.options import Engine, Preset, Seed, Set, rules_of, seed_of
from beggar.errors import BeggarError
from beggar.game import play
from beggar.outcome import Count, Outcome, Termination
from beggar.position import Position
from beggar.rules import Rules

__all__ = ["as_json", "register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar check --J/---J

beggar check '2h K♥ 10♣ / Qs J 3d' --rules knockout

beggar check 0030/0021/0100 --set unpaid_tribute=passes_on

beggar check deals.txt --json > ends.jsonl

generate-deals | beggar check --json -
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check", epilog=_EXAMPLES)(check)


def check(
    deals: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DEAL|FILE]...",
            help="Deals or positions, files of them (one a line, '#' begins a comment), "
            "or - for standard input, which is read when nothing is named.",
            show_default=False,
        ),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    engine: Engine = "core",
    as_lines: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line instead of a table.")
    ] = False,
) -> int:
    """Play deals to the end: who wins, how many cards and tricks, or the exact loop."""
    rules = rules_of(preset, settings)
    seed = seed_of(seed_text)
    check_given(deals)
    status = 0
    # One row at a time where somebody may be waiting for it.
    rows = _Rows(as_lines, flush="-" in map(str.strip, deals or ["-"]))
    for text, where in given(deals or ["-"]):
        if isinstance(text, Exception):
            status = complain(where, str(text))
            continue
        try:
            position = Position.parse(text)
            rows.add(position, rules, play(position, rules, engine=engine, seed=seed))
        except BeggarError as error:
            status = complain(where, str(error))
    return status


def as_json(position: Position, rules: Rules, outcome: Outcome) -> dict[str, Any]:
    """Return what ``check --json`` prints of one game.

    Keys that do not apply are None.
    """
    cycle = outcome.cycle

    def count(of: Count | None) -> dict[str, int] | None:
        return of._asdict() if of is not None else None

    return {
        "deal": str(position),
        "rules": rules.as_json(),
        "termination": outcome.termination.value,
        "winner": outcome.winner,
        "cards": outcome.cards,
        "tricks": outcome.tricks,
        "last_by_default": outcome.last_by_default,
        "transient": count(cycle and cycle.transient),
        "period": count(cycle and cycle.period),
        "period_up_to_seats": count(cycle and cycle.period_up_to_seats),
        "hands": list(outcome.hands),
        "out": list(outcome.out),
    }


class _Column(NamedTuple):
    title: str
    width: int


_COLUMNS = (
    _Column("end", 9),
    _Column("winner", 6),
    _Column("cards", 9),
    _Column("tricks", 8),
)


class _Rows:
    """Prints games as they end, so that a stream of any length can be watched."""

    def __init__(self, as_lines: bool, flush: bool) -> None:
        self.as_lines = as_lines
        self.console: Any = None
        self.titled = False
        self.flush = flush

    def add(self, position: Position, rules: Rules, outcome: Outcome) -> None:
        """Print one game."""
        if self.as_lines:
            print(json.dumps(as_json(position, rules, outcome)), flush=self.flush)
            return
        if not self.titled:
            self.titled = True
            titles = "  ".join(f"{c.title:>{c.width}}" for c in _COLUMNS)
            self.line(f"{titles}  deal", "bold")
        winner = "-" if outcome.winner is None else f"seat {outcome.winner}"
        cells = (outcome.termination.value, winner, f"{outcome.cards:,}", f"{outcome.tricks:,}")
        row = "  ".join(f"{cell:>{c.width}}" for cell, c in zip(cells, _COLUMNS, strict=True))
        style = {Termination.LOOP: "magenta", Termination.UNDECIDED: "yellow"}
        self.line(f"{row}  {position}", style.get(outcome.termination, ""))
        if outcome.cycle:
            self.line(f"{'':>11}{_words_of(outcome)}", "magenta")

    def line(self, text: str, style: str) -> None:
        """Print a line, in colour where that is wanted."""
        if self.console is None:
            from rich.console import Console

            self.console = Console(highlight=False, soft_wrap=True)
        if self.console.is_terminal:
            self.console.print(text, style=style, markup=False)
        else:
            print(text, flush=self.flush)


def _words_of(outcome: Outcome) -> str:
    assert outcome.cycle is not None
    transient, period, up_to_seats = outcome.cycle
    words = f"enters its cycle after {_counted(transient)}; once round it is {_counted(period)}"
    if up_to_seats is not None and up_to_seats != period:
        words += f", {_counted(up_to_seats)} up to swapping seats"
    return words


def _counted(count: Count) -> str:
    return f"{cards(count.cards)} and {tricks(count.tricks)}"
