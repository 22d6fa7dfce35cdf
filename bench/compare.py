"""Compare saved benchmark runs, and fail where one falls short.

    python bench/compare.py RUN.json
    python bench/compare.py BEFORE.json AFTER.json --beyond 1.3

With one run, its ratios are held against bench/targets.txt. With two, each benchmark of the
second is held against the first, both in units of the same run's reference play, so that
runs of different machines, or of one that is busier today, can be compared.

Runs are saved with ``pytest bench --benchmark-json=RUN.json``. Exit status 1 tells that
something fell short, 2 that a file cannot be read.
"""

import argparse
import json
import sys
from pathlib import Path

YARDSTICK = "test_play[reference-40]"


def rates(path: Path) -> dict[str, float]:
    """Return what each benchmark of a run did in a second, by its median."""
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
        return {
            b["name"]: b["extra_info"]["done"] / b["stats"]["median"] for b in run["benchmarks"]
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.stderr.write(f"compare: cannot read {str(path)!r} as a benchmark run: {error}\n")
        raise SystemExit(2) from None


def against_targets(run: dict[str, float]) -> bool:
    """Print a run's ratios and tell whether all reach their targets."""
    good = True
    text = Path(__file__).with_name("targets.txt").read_text(encoding="utf-8")
    for line in filter(None, (line.partition("#")[0].strip() for line in text.splitlines())):
        one, other, least = (part.strip() for part in line.split("|"))
        missing = [name for name in (one, other) if name not in run]
        if missing and missing[0] in ("test_simulate[avx2]", "test_simulate[avx512]"):
            print(f"{'':8}  no kernel here for {missing[0]}")
            continue
        if missing:
            sys.stderr.write(f"compare: the run lacks {missing[0]!r}\n")
            raise SystemExit(2)
        ratio = run[one] / run[other]
        good &= ratio >= float(least)
        verdict = "ok" if ratio >= float(least) else "FALLS SHORT"
        print(f"{ratio:8.2f}  at least {least:>4}  {one} / {other}  {verdict}")
    return good


def against_before(before: dict[str, float], after: dict[str, float], beyond: float) -> bool:
    """Print how each benchmark changed and tell whether none is slower than allowed."""
    good = True
    for name in sorted(before.keys() & after.keys() - {YARDSTICK}):
        slower = (before[name] / before[YARDSTICK]) / (after[name] / after[YARDSTICK])
        good &= slower <= beyond
        verdict = "ok" if slower <= beyond else "FALLS SHORT"
        print(f"{1 / slower:8.2f} times as fast as before  {name}  {verdict}")
    return good


def main() -> int:
    """Run the script."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN.json")
    parser.add_argument(
        "--beyond", type=float, default=1.3, help="how many times slower is too slow (1.3)"
    )
    told = parser.parse_args()
    if len(told.runs) > 2:
        parser.error("expected one run or two")
    runs = [rates(path) for path in told.runs]
    for name, rate in sorted(runs[-1].items()):
        print(f"{rate:14,.0f} a second  {name}")
    good = against_targets(runs[-1])
    if len(runs) == 2:
        good &= against_before(runs[0], runs[1], told.beyond)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
