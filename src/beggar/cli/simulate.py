"""``beggar simulate``: how the game behaves over many deals."""

import json
import secrets
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from beggar.cli.figures import figures, histogram
from beggar.cli.options import Preset, Seed, Set, count_of, rules_of, seed_of

if TYPE_CHECKING:
    from beggar.games_file import GamesFile
    from beggar.summary import Summary

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar simulate

beggar simulate -n 100M --seed 1 --threads 2

beggar simulate -n 200k --rules camicia --json

beggar simulate -n 20k --set players=3 --set unpaid_tribute=passes_on

beggar simulate -n 1M --plot games.png --out games.csv
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("simulate", epilog=_EXAMPLES)(simulate)


def simulate(
    games: Annotated[
        str, typer.Option("-n", metavar="N", help="How many games, as in 5000, 10k or 100M.")
    ] = "1M",
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    threads: Annotated[
        str | None,
        typer.Option("--threads", metavar="N", help="How many threads.", show_default="all"),
    ] = None,
    kernel: Annotated[
        str | None,
        typer.Option("--kernel", metavar="NAME", help="What plays.", show_default="the best"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Draw it (.png, .svg, .pdf).")
    ] = None,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="Write every game (.csv, .parquet)."),
    ] = None,
) -> int:
    """Deal and play many games, and say how long they are, who wins, and which never end."""
    rules = rules_of(preset, settings)
    number = count_of(games, "-n")
    seed = seed_of(seed_text)
    if plot is not None:
        from beggar import plot as pictures

        pictures.check_path(plot)
    from beggar.simulation import stream

    seed = secrets.randbits(32) if seed is None else seed
    so_far = stream(
        number,
        rules=rules,
        seed=seed,
        threads=None if threads is None else count_of(threads, "--threads"),
        kernel=kernel,
        keep="games" if out else None,
    )
    file = None
    if out is not None:
        from beggar.games_file import GamesFile

        file = GamesFile(out)
    start = time.monotonic()
    summary, trouble = _watch(so_far, number, file, quiet=as_json)
    seconds = time.monotonic() - start
    troubles = [trouble] if trouble else []
    if file is not None:
        try:
            file.close()
        except OSError as error:
            troubles.append(f"cannot finish {file.path!r}: {error.strerror or error}")
        if troubles:
            troubles.append(f"{file.path!r} holds the first {file.rows:,} games")
    if plot is not None and summary is not None:
        # Before anything is printed, lest a closed pipe loses it.
        try:
            pictures.save(pictures.summary_figure(summary), plot)
        except OSError as error:
            troubles.append(f"cannot write {plot!r}: {error.strerror or error}")
        except KeyboardInterrupt:
            troubles.append("interrupted while drawing")
    if summary is None:
        troubles.append("nothing was played to the end of a unit")
    elif as_json:
        print(json.dumps({**summary.as_json(), "seconds": seconds}))
    else:
        _print(summary, seconds)
    if summary is not None and summary.games < number:
        troubles.append(
            f"the figures cover deals 0 to {summary.games - 1:,} of {number:,} (seed {seed})"
        )
    if troubles:
        sys.stdout.flush()
        print(f"beggar: {'; '.join(troubles)}", file=sys.stderr)
        return 130 if troubles[0].startswith("interrupted") else 2
    return 0


def _watch(
    so_far: "Iterator[Summary]", number: int, file: "GamesFile | None", quiet: bool
) -> "tuple[Summary | None, str]":
    """Follow a simulation to its end, or to what stops it, and say what that was."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    summary = None
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.completed:,} of {task.total:,} games"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=quiet or not console.is_terminal,
    ) as bar:
        task = bar.add_task("", total=number, rate="")
        start = time.monotonic()
        try:
            for step in so_far:
                # The games since the last step are written at once: nothing piles up.
                summary = step._replace(kept=None)
                if file is not None and step.kept is not None:
                    file.add(step.kept)
                rate = summary.games / max(time.monotonic() - start, 1e-9)
                bar.update(task, completed=summary.games, rate=f"{rate:,.0f} a second")
        except KeyboardInterrupt:
            return summary, "interrupted"
        except OSError as error:
            if file is None:
                raise
            return summary, f"cannot write {file.path!r}: {error.strerror or error}"
    return summary, ""


def _print(summary: "Summary", seconds: float) -> None:
    rate = summary.games / seconds if seconds else 0
    print(
        f"{summary.games:,} games of {summary.players} players, seed {summary.seed}, "
        f"in {seconds:.2f} seconds: {rate:,.0f} a second"
    )
    shares = (f"seat {seat} {wins / summary.games:.4f}" for seat, wins in enumerate(summary.wins))
    print(f"won by: {', '.join(shares)}")
    others = (
        (summary.looped, "never end"),
        (summary.limited, "stopped by a limit"),
        (summary.undecided, "undecided within the budget"),
    )
    for many, words in others:
        if many:
            print(f"{many:,} {words}")
    if summary.won:
        print()
        figures(summary)
        print()
        histogram(summary.cards)
    if summary.rules.shuffle_pile or summary.rules.on_cycle == "shuffle":
        print("(shuffles: check a deal with --seed from beggar.simulation.shuffle_seed)")
    for sample, word in ((summary.longest, "longest"), (summary.shortest, "shortest")):
        if sample is not None:
            print(
                f"{word}: {sample.cards:,} cards, {sample.tricks:,} tricks, "
                f"deal {sample.number:,}: {sample.deal}"
            )
    for loop in summary.loops[:10]:
        print(
            f"never ends: period {loop.period.cards:,} cards, {loop.period.tricks:,} tricks, "
            f"deal {loop.number:,}: {loop.deal}"
        )
