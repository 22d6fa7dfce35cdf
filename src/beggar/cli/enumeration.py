"""``beggar enumerate``: every deal of a deck, or of a range of its ranks."""

import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from beggar.cli.options import Preset, Set, count_of, rules_of
from beggar.errors import BeggarError, quoted
from beggar.rules import Rules

if TYPE_CHECKING:
    from beggar.enumeration import Enumeration

__all__ = ["read_range", "read_sizes", "register", "show"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar enumerate camicia-20

beggar enumerate 14:2:2:2 --set elimination=on_empty --json

beggar enumerate 6:1:1 --hands 5+3

beggar enumerate french-26 --range 0:10M --json > first.json

beggar enumerate --add first.json second.json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("enumerate", epilog=_EXAMPLES)(enumerate_)


def enumerate_(
    deck: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK",
            help="A deck by name, or counts of cards by tribute: 14:2:2:2 is 14 numerals and two "
            "each of 1, 2 and 3. With --add: files.",
            show_default=False,
        ),
    ] = None,
    range_: Annotated[
        str | None,
        typer.Option(
            "--range",
            metavar="A:B",
            help="From rank A to before B, as in 0:1M; either may be left off.",
            show_default="all",
        ),
    ] = None,
    hands: Annotated[
        str | None,
        typer.Option(
            "--hands",
            metavar="N+N",
            help="How many cards each hand gets, as in 13+7.",
            show_default="equal",
        ),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="N", help="How many threads.", show_default="all"),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option("--kernel", metavar="NAME", help="What plays.", show_default="the best"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    add: Annotated[
        bool, typer.Option("--add", help="Add up the JSON of several ranges instead.")
    ] = False,
) -> int:
    """Play every deal of a deck: how long they are, who wins, and all that never end."""
    if add:
        beside = (range_, hands, threads, kernel, settings)
        if any(option is not None for option in beside) or preset != "classic":
            raise BeggarError("--add: expected files alone, and --json")
        if not deck:
            raise BeggarError("--add: expected the JSON files of ranges")
        show(_added(deck), None, as_json)
        return 0
    if not deck:
        raise BeggarError("no deck: expected a name such as camicia-20, or counts such as 14:2:2:2")
    if len(deck) > 1:
        raise BeggarError(f"{quoted(' '.join(deck))} are {len(deck)} decks: expected one")
    from beggar.enumeration import stream_ranges
    from beggar.space import Space

    rules = rules_of(preset, settings)
    space = Space.of(deck[0], read_sizes(hands), rules)
    span = space.span(*read_range(range_))
    started = time.monotonic()
    done, trouble = _watch(
        stream_ranges(
            space,
            span.start,
            span.stop,
            rules=rules,
            threads=None if threads is None else count_of(threads, "--threads"),
            kernel=kernel,
        ),
        span.stop - span.start,
        as_json,
    )
    if done is not None:
        show(done, time.monotonic() - started, as_json)
    sys.stdout.flush()
    if trouble:
        stop = span.start if done is None else done.ranges[-1][1]
        rest = f"go on with --range {stop}:{span.stop}"
        print(f"beggar: interrupted at rank {stop:,}; {rest}", file=sys.stderr)
        return 130
    return 0


def read_sizes(text: str | None) -> list[int] | None:
    """Return the sizes of hands that ``--hands`` tells, if it does."""
    if text is None:
        return None
    word = text.strip()
    if not re.fullmatch(r"[0-9]{1,5}([+/][0-9]{1,5})+", word):
        raise BeggarError(f"--hands: {quoted(word)}: expected sizes of hands such as 13+7")
    return [int(size) for size in re.split(r"[+/]", word)]


def read_range(text: str | None) -> tuple[int, int | None]:
    """Return the ranks that ``--range`` tells; all without it."""
    if text is None:
        return 0, None
    start, colon, stop = text.strip().partition(":")
    if not colon:
        raise BeggarError(f"--range: {quoted(text.strip())}: expected A:B, as in 0:1000000")
    return _rank(start, text) or 0, _rank(stop, text)


def _rank(text: str, whole: str) -> int | None:
    word = text.strip().replace("_", "").replace(",", "")
    factor = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(word[-1:].lower(), 1)
    digits = word[:-1] if factor > 1 else word
    if not word:
        return None
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 100):
        raise BeggarError(f"--range: {quoted(text)} in {quoted(whole.strip())} is not a rank")
    return int(digits) * factor


def _added(paths: list[str]) -> "Enumeration":
    from beggar.enumeration import Enumeration

    total = None
    for path in paths:
        name = path.strip()
        try:
            text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
            part = Enumeration.from_json(json.loads(text))
            total = part if total is None else total + part
        except OSError as error:
            raise BeggarError(f"cannot read {quoted(name)}: {error.strerror or error}") from None
        except UnicodeDecodeError:
            raise BeggarError(f"{quoted(name)} is not text: expected JSON") from None
        except json.JSONDecodeError as error:
            raise BeggarError(
                f"{quoted(name)}, line {error.lineno}: {error.msg}: expected the JSON of a range"
            ) from None
        except BeggarError as error:
            raise BeggarError(f"{quoted(name)}: {error}") from None
        except (RecursionError, ValueError):
            raise BeggarError(f"{quoted(name)} is not the JSON of a range") from None
    assert total is not None
    return total


def _watch(
    so_far: "Iterator[Enumeration]", number: int, quiet: bool
) -> "tuple[Enumeration | None, bool]":
    """Follow an enumeration to its end; tell whether it was interrupted."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = None
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.fields[shown]}"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet or not console.is_terminal,
    ) as bar:
        # A share: ranks may be larger than a float tells apart.
        task = bar.add_task("", total=1.0, rate="", shown="")
        start = time.monotonic()
        try:
            for step in so_far:
                done = step
                games = step.summary.games
                rate = games / max(time.monotonic() - start, 1e-9)
                bar.update(
                    task,
                    completed=games / number,
                    shown=f"{games:,} of {number:,} deals, {step.endless:,} never end",
                    rate=f"{rate:,.0f} a second",
                )
        except KeyboardInterrupt:
            return done, True
    return done, False


def show(done: "Enumeration", seconds: float | None, as_json: bool) -> None:
    """Print what an enumeration came to."""
    if as_json:
        told = done.as_json()
        if seconds is not None:
            told["seconds"] = seconds
        print(json.dumps(told))
        return
    from beggar.cli.figures import figures, histogram

    summary, space = done.summary, done.space
    what = "all" if done.complete else ", ".join(f"{a:,}:{b:,}" for a, b in done.ranges) + " of"
    took = "" if seconds is None else f", in {seconds:.2f} seconds"
    print(f"{what} {space.count:,} deals of {space}{took}")
    settings = ", ".join(summary.rules.as_settings())
    if summary.rules != Rules():
        print(f"rules: {settings}")
    print("won by: " + ", ".join(f"seat {n} {won:,}" for n, won in enumerate(summary.wins)))
    if summary.undecided:
        print(f"{summary.undecided:,} undecided within the budget")
    if summary.limited:
        print(f"{summary.limited:,} stopped by a limit")
    if summary.won:
        print()
        figures(summary)
        print()
        histogram(summary.cards)
    for sample, word in ((summary.longest, "longest"), (summary.shortest, "shortest")):
        if sample is not None:
            print(
                f"{word}: {sample.cards:,} cards, {sample.tricks:,} tricks, "
                f"rank {sample.number:,}: {sample.deal}"
            )
    cycles = f"{len(done.cycles):,} cycle{'s' * (len(done.cycles) != 1)}"
    print(f"never end: {done.endless:,} deals, in {cycles}")
    for cycle in done.cycles[:20]:
        short = cycle.period_up_to_seats
        up_to = (
            f" ({short.cards:,} and {short.tricks:,} up to seats)"
            if short and short != cycle.period
            else ""
        )
        print(
            f"  {len(cycle.deals):,} deals: {cycle.period.cards:,} cards, "
            f"{cycle.period.tricks:,} tricks once round{up_to}, from rank "
            f"{cycle.deals[0].rank:,}; cycle {cycle.name}"
        )
    if len(done.cycles) > 20:
        print(f"  and {len(done.cycles) - 20:,} cycles more (--json has all)")
