"""``beggar bench``: how fast this machine plays."""

import json
import time
from typing import Annotated, Any

import typer

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar bench

beggar bench --seconds 0.2 --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("bench", epilog=_EXAMPLES)(bench)


def bench(
    seconds: Annotated[
        str, typer.Option("--seconds", metavar="S", help="How long to time each row.")
    ] = "1",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Time dealing and playing 52 cards, by kernel and number of threads."""
    import os
    import platform

    import numpy as np

    import beggar
    from beggar.errors import BeggarError, quoted
    from beggar.simulation import kernels_here

    try:
        budget = float(seconds)
    except ValueError:
        budget = -1.0
    if not 0 < budget <= 3600:
        raise BeggarError(
            f"--seconds: {quoted(seconds)} is not a time: expected more than 0, 3600 at most"
        )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cores = cores or 1
    rows = [
        (kernel, threads, _rate(kernel, threads, budget))
        for kernel in kernels_here()
        for threads in sorted({1, cores})
    ]
    told: dict[str, Any] = {
        "beggar": beggar.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.machine(),
        "processors": cores,
        "games_per_second": [
            {"kernel": kernel, "threads": threads, "rate": rate} for kernel, threads, rate in rows
        ],
    }
    if as_json:
        print(json.dumps(told))
        return 0
    print(
        f"beggar {told['beggar']}, Python {told['python']}, NumPy {told['numpy']}, "
        f"{told['machine']}, {cores} processors"
    )
    print(f"{'kernel':>10}  {'threads':>7}  {'games a second':>15}")
    for kernel, threads, rate in rows:
        print(f"{kernel:>10}  {threads:>7}  {rate:>15,.0f}")
    return 0


def _rate(kernel: str, threads: int, seconds: float) -> float:
    """Return the games a second of the best of some runs, which share the time."""
    from beggar.simulation import simulate

    games = 16_384 * threads
    best = 0.0
    end = time.monotonic() + seconds
    while not best or time.monotonic() < end:
        start = time.perf_counter()
        simulate(games, seed=1, threads=threads, kernel=kernel)
        took = time.perf_counter() - start
        best = max(best, games / took)
        if took < seconds / 8:
            games *= 2
    return best
