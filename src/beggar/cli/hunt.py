"""``beggar hunt``: longest and never-ending games, and exhaustive runs, safe to kill."""

import json
import re
import secrets
import shlex
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from beggar.cli.files import check_target, write_whole
from beggar.cli.options import Preset, Seed, Set, count_of, rules_of, seed_of
from beggar.errors import BeggarError, quoted

if TYPE_CHECKING:
    from beggar.search.store import Store
    from beggar.search.work import Hunt, Progress, Stopped

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar hunt infinite --db loops.db --seconds 60

beggar hunt infinite camicia-40 --db camicia.db

beggar hunt infinite --from ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA --db near.db

beggar hunt longest --db long.db --seconds 3600

beggar hunt exhaustive camicia-40 --range 0:100G --db share.db

beggar hunt status loops.db

beggar hunt export loops.db -o deals.csv

beggar hunt merge all.db one.db two.db
"""

Db = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="FILE",
        help="The hunt's store: a new one is made, one that is there gone on with.",
    ),
]
Seconds = Annotated[
    str | None,
    typer.Option("--seconds", metavar="S", help="Begin no unit after so long.", show_default=False),
]
Units = Annotated[
    str | None,
    typer.Option("--units", metavar="N", help="Do so many units.", show_default=False),
]
Threads = Annotated[
    str | None,
    typer.Option("--threads", metavar="N", help="How many threads.", show_default="all"),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Run on the Dask cluster of this scheduler: tcp://host:port.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    hunt = typer.Typer(
        no_args_is_help=True,
        add_completion=False,
        help="Hunt for games; a hunt can be killed at any moment and goes on where it was.",
        epilog=_EXAMPLES,
        rich_markup_mode="rich",
    )
    for function in (infinite, longest, exhaustive, status, export, merge):
        hunt.command(function.__name__, epilog=_EXAMPLES)(function)
    app.add_typer(hunt, name="hunt")


def infinite(
    deck: Annotated[
        str | None,
        typer.Argument(
            metavar="[DECK]",
            help="A deck by name, or counts of cards by tribute.",
            show_default="french-52",
        ),
    ] = None,
    known: Annotated[
        list[str] | None,
        typer.Option(
            "--from",
            metavar="DEAL",
            help="Hunt around this one, which never ends; may be repeated.",
            show_default=False,
        ),
    ] = None,
    db: Db = None,
    seed_text: Seed = None,
    seconds: Seconds = None,
    units: Units = None,
    threads: Threads = None,
    scheduler: Scheduler = None,
) -> int:
    """Hunt for games that never end: around known ones, or from nothing."""
    from beggar.search.infinite import Infinite

    def make(params: dict[str, Any] | None, _: str = "") -> "Hunt":
        if params is not None and deck is None and not known:
            return Infinite.of(params)
        if params is not None and not known:
            return Infinite(deck or "french-52", params["from"])
        return Infinite(deck or "french-52", [text.strip() for text in known or []])

    return _hunt("infinite", make, db, seed_text, seconds, units, threads, scheduler)


def longest(
    deck: Annotated[
        str | None,
        typer.Argument(
            metavar="[DECK]",
            help="A deck by name, or counts of cards by tribute.",
            show_default="french-52",
        ),
    ] = None,
    extend: Annotated[
        bool | None,
        typer.Option(
            "--extend/--no-extend",
            help="Go back from the best games to longer ones.",
            show_default="--extend",
        ),
    ] = None,
    db: Db = None,
    seed_text: Seed = None,
    seconds: Seconds = None,
    units: Units = None,
    threads: Threads = None,
    scheduler: Scheduler = None,
) -> int:
    """Hunt for long games: random deals by the million, and back from the best of them."""
    from beggar.search.longest import Longest

    def make(params: dict[str, Any] | None, _: str = "") -> "Hunt":
        if params is None:
            return Longest(deck or "french-52", True if extend is None else extend)
        known = Longest.of(params)
        return Longest(deck or params["deck"], known.extend if extend is None else extend)

    return _hunt("longest", make, db, seed_text, seconds, units, threads, scheduler)


def exhaustive(
    deck: Annotated[
        str | None,
        typer.Argument(
            metavar="DECK",
            help="A deck by name, or counts of cards by tribute.",
            show_default=False,
        ),
    ] = None,
    range_: Annotated[
        str | None,
        typer.Option("--range", metavar="A:B", help="From rank A to before B.", show_default="all"),
    ] = None,
    hands: Annotated[
        str | None,
        typer.Option(
            "--hands", metavar="N+N", help="How many cards each hand gets.", show_default="equal"
        ),
    ] = None,
    unit: Annotated[
        str | None,
        typer.Option("--unit", metavar="N", help="How many deals a unit has.", show_default="20M"),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    db: Db = None,
    seconds: Seconds = None,
    units: Units = None,
    threads: Threads = None,
    scheduler: Scheduler = None,
) -> int:
    """Play every deal of a deck or a range, in units that survive."""
    from beggar.cli.enumeration import read_range, read_sizes
    from beggar.search.exhaustive import UNIT, Exhaustive

    def make(params: dict[str, Any] | None, span: str = "") -> "Hunt":
        start, stop = read_range(range_ or span or None)
        if deck is None:
            if params is None:
                raise BeggarError("no deck: expected a name such as camicia-20, or counts")
            if hands or unit or settings or preset != "classic":
                raise BeggarError("no deck: expected one beside --hands, --unit, --rules and --set")
            return Exhaustive.of(params, start, stop)
        size = params["unit"] if params is not None and unit is None else UNIT
        size = size if unit is None else count_of(unit, "--unit")
        rules = rules_of(preset, settings)
        return Exhaustive(deck.strip(), read_sizes(hands), rules, start, stop, size)

    return _hunt("exhaustive", make, db, None, seconds, units, threads, scheduler, range_ or "")


def _hunt(
    kind: str,
    make: Any,
    db: str | None,
    seed_text: str | None,
    seconds_text: str | None,
    units_text: str | None,
    threads_text: str | None,
    scheduler: str | None,
    span: str = "",
) -> int:
    from beggar.search.work import Stopped, cluster, run, threads

    if not db:
        raise BeggarError("no store: expected --db FILE, a new one or that of a hunt to go on with")
    seed = seed_of(seed_text)
    seconds = None if seconds_text is None else _seconds(seconds_text)
    units = None if units_text is None else count_of(units_text, "--units")
    number = None if threads_text is None else count_of(threads_text, "--threads")
    if number is not None and scheduler is not None:
        raise BeggarError("--threads and --scheduler: expected one of them")
    stopped = Stopped()
    with _plainly(db):
        hunt, begun = _opened(kind, make, db, seed)
        with _signals(stopped) as told:
            place = cluster(scheduler) if scheduler is not None else threads(number)
            # Only when there is somewhere to run is a new store made.
            with place as (executor, in_flight), begun(span.strip()) as store:
                before = store.kept()
                with _Display(hunt, store, seconds, units) as display:
                    done = run(
                        hunt, store, executor, in_flight,
                        units=units, seconds=seconds, stopped=stopped, tell=display.tell,
                    )  # fmt: skip
                _report(store)
                after = store.kept()
                print(
                    f"{db}: {done.units:,} units in {done.seconds:.1f} seconds"
                    f"{f', {before.units:,} before' if before.units else ''}; "
                    f"{after.tried:,} {hunt.what} in all, seed {store.seed}",
                    file=sys.stderr,
                )
    if told:
        again = f"beggar hunt {kind} --db {shlex.quote(db)}"
        print(f"beggar: stopped; go on with: {again}", file=sys.stderr)
        return 128 + told[0]
    return 0


def _opened(
    kind: str, make: Any, db: str, seed: int | None
) -> "tuple[Hunt, Callable[[str], Store]]":
    """Return the hunt, new or gone on with, and what opens its store."""
    from beggar.search.store import Store

    if Path(db).exists():
        with Store.read(db) as known:
            if known.kind != kind:
                known.check_same(kind, {}, None)
            hunt = make(known.params, known.span)
            known.check_same(kind, hunt.params, seed)
        return hunt, lambda _: Store.open(db)
    hunt = make(None)
    if kind == "exhaustive":
        # Nothing is drawn: shares of a deck are the same hunt.
        seed = 0
    seed = secrets.randbits(32) if seed is None else seed
    return hunt, lambda span: Store.create(db, kind, hunt.params, seed, span)


@contextmanager
def _plainly(db: str) -> Iterator[None]:
    """Say in a line what is wrong with a store that is damaged."""
    try:
        yield
    except (sqlite3.Error, KeyError, json.JSONDecodeError) as error:
        raise BeggarError(f"cannot use {quoted(db)}: {error}") from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise BeggarError(f"--seconds: {quoted(text.strip())}: expected seconds, more than 0")
    return seconds


@contextmanager
def _signals(stopped: "Stopped") -> Iterator[list[int]]:
    """Let Ctrl-C and SIGTERM end a hunt when the running units are done; twice, at once."""
    told: list[int] = []

    def tell(number: int, frame: FrameType | None) -> None:
        if told:
            raise KeyboardInterrupt
        told.append(number)
        stopped.tell()

    kept = {number: signal.signal(number, tell) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield told
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


class _Display:
    """Shows how a hunt goes, on a terminal."""

    def __init__(
        self, hunt: "Hunt", store: "Store", seconds: float | None, units: int | None
    ) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        from beggar.search.exhaustive import Exhaustive

        console = Console(stderr=True)
        self.hunt, self.store, self.seconds = hunt, store, seconds
        left = hunt.total
        if isinstance(hunt, Exhaustive):
            left = hunt.total - sum(number in hunt.span_of_units for number in store.done())
        self.units = units if left is None else min(units or left, left)
        self.bar = Progress(
            TextColumn("{task.fields[told]}"),
            BarColumn(20),
            TimeRemainingColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self.task = self.bar.add_task("", total=1.0, told="")
        self.shown = -1.0

    def __enter__(self) -> "_Display":
        self.bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.bar.stop()

    def tell(self, progress: "Progress") -> None:
        """Show it, not too often."""
        if self.bar.disable or progress.seconds - self.shown < 0.5:
            return
        self.shown = progress.seconds
        shares = [0.0]
        if self.seconds:
            shares.append(progress.seconds / self.seconds)
        if self.units:
            shares.append(progress.units / self.units)
        rate = progress.tried / max(progress.seconds, 1e-9)
        kept = self.store.kept()
        best = ""
        if kept.longest is not None:
            best = f", longest {kept.longest.tricks:,} tricks"
        elif self.hunt.kind == "infinite":
            best = (
                f", {progress.new_cycles:,} new cycles, of the whole deck "
                f"{kept.whole_cycles:,} with {kept.deals:,} deals"
            )
        told = f"{progress.units:,} units, {rate:,.0f} {self.hunt.what} a second{best}"
        self.bar.update(self.task, completed=min(max(shares), 1.0), told=told)


def _report(store: "Store") -> None:
    """Print what a hunt has found."""
    kept = store.kept()
    if store.kind == "exhaustive":
        from beggar.cli.enumeration import show
        from beggar.search.exhaustive import total_of

        total = total_of(store)
        if total is not None:
            show(total, None, False)
        return
    if store.kind == "longest":
        print(f"{kept.tried:,} games, {kept.units:,} units")
        print(f"{'tricks':>8}{'cards':>9}  found     deal")
        for game in store.games(10):
            print(f"{game.tricks:>8,}{game.cards:>9,}  {game.how:<8}  {readable(game.deal)}")
        return
    print(f"{kept.tried:,} candidates, {kept.units:,} units")
    print(
        f"{kept.cycles:,} cycles, {kept.whole_cycles:,} of them of the whole deck, "
        f"{kept.deals:,} deals lead there"
    )
    shown = 0
    for cycle in store.cycles(whole=True):
        deals = [deal for _, deal in store.deals(cycle.name)]
        if not deals:
            continue
        if shown == 20:
            print("  and more: 'beggar hunt export' has all")
            break
        if not shown:
            print(f"{'cards':>8}{'tricks':>8}{'states':>8}{'deals':>7}  the first deal")
        shown += 1
        print(
            f"{cycle.period[0]:>8,}{cycle.period[1]:>8,}{cycle.states or 0:>8,}{len(deals):>7,}"
            f"  {readable(deals[0].deal)}"
        )


def readable(deal: str) -> str:
    """Return a deal in the notation that is usual for it: letters where there are aces.

    Examples
    --------
    >>> readable("0040/0321"), readable("003/021")
    ('--A-/-KQJ', '003/021')
    """
    if "4" not in deal or re.search("[^0-4/]", deal):
        return deal
    return deal.translate(str.maketrans("01234", "-JQKA"))


def status(
    db: Annotated[str, typer.Argument(metavar="FILE", help="The store of a hunt.")],
    as_line: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Say what a hunt has found so far; it may be running meanwhile."""
    from beggar.search.store import Store

    with _plainly(db), Store.read(db) as store:
        if as_line:
            kept = store.kept()
            told = {"kind": store.kind, "seed": store.seed, "params": store.params}
            told |= kept._asdict()
            told["longest"] = kept.longest and kept.longest._asdict()
            print(json.dumps(told))
            return 0
        print(f"{db}: a hunt {store.kind}, seed {store.seed}")
        print("  " + ", ".join(f"{key} {value}" for key, value in store.params.items()))
        _report(store)
    return 0


def export(
    db: Annotated[str, typer.Argument(metavar="FILE", help="The store of a hunt.")],
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="FILE.csv, .json or .parquet; - prints CSV."
        ),
    ] = None,
) -> int:
    """Write every deal that a hunt has found, one row each."""
    from beggar.search.export import columns_of, rows_of, written
    from beggar.search.store import Store

    if not out:
        raise BeggarError("no file to write: expected --out FILE.csv, .json or .parquet")
    ending = ".csv" if out == "-" else Path(out).suffix.lower()
    if ending not in (".csv", ".json", ".parquet"):
        raise BeggarError(f"{quoted(out)}: expected a name that ends in .csv, .json or .parquet")
    check_target(out)
    if out != "-" and Path(out).exists() and Path(out).samefile(db):
        raise BeggarError(f"{quoted(out)} is the store itself: expected another file")
    with _plainly(db), Store.read(db) as store:
        columns, rows = columns_of(store.kind), list(rows_of(store))
    if ending == ".parquet":
        from beggar.search.export import write_parquet

        write_parquet(out, columns, rows)
    elif out == "-":
        sys.stdout.write(written(ending, columns, rows))
        return 0
    else:
        try:
            write_whole(out, written(ending, columns, rows))
        except OSError as error:
            raise BeggarError(f"cannot write {quoted(out)}: {error.strerror or error}") from None
    print(f"{out}: {len(rows):,} deals", file=sys.stderr)
    return 0


def merge(
    db: Annotated[str, typer.Argument(metavar="INTO", help="A store, or the name of a new one.")],
    others: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="Stores of the same hunt.")
    ],
) -> int:
    """Take over what hunts have found that were done apart: other ranges, or other seeds."""
    from beggar.search.store import Store

    with _plainly(db):
        with Store.read(others[0]) as first:
            kind, params, seed = first.kind, first.params, first.seed
        for path in others[1:]:
            with Store.read(path) as other:
                other.check_same(kind, params, seed if kind == "exhaustive" else None)
        store = Store.open(db) if Path(db).exists() else Store.create(db, kind, params, seed)
        with store:
            for path in others:
                with Store.read(path) as other:
                    new = store.merge(other)
                print(f"{path}: {new:,} units were new", file=sys.stderr)
            _report(store)
    return 0
