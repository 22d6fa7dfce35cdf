"""``beggar verify``: the core against the reference, and the lanes against the core."""

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from beggar.cli.options import Preset, Seed, Set, count_of, rules_of, seed_of
from beggar.crosscheck import (
    Case,
    compare,
    compare_lanes,
    draw,
    draw_for_lanes,
    shrink,
)
from beggar.deals import Deal
from beggar.errors import BeggarError
from beggar.rules import Rules

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar verify

beggar verify -n 1000000 --seed 7

beggar verify --deal --J-/K-J- --set lead=loser
"""


# So many games by both engines to each batch of deals for the lanes.
_GAMES_A_BATCH = 1000


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("verify", epilog=_EXAMPLES)(verify)


def verify(
    games: Annotated[
        str, typer.Option("-n", metavar="N", help="How many games, as in 5000, 10k or 1M.")
    ] = "10k",
    seed_text: Seed = None,
    deal: Annotated[
        str | None,
        typer.Option("--deal", metavar="DEAL", help="Only this deal.", show_default=False),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
) -> int:
    """Play random deals by random rules with both engines, and compare every event.

    Plain deals go to every kernel of the lanes too, and every end is compared. A
    disagreement is shrunk and printed as the command that replays it; exit status 1.
    """
    number = count_of(games, "-n")
    seed = seed_of(seed_text)
    if deal is not None:
        case = Case(Deal.parse(deal), rules_of(preset, settings), seed or 0)
        found = compare(case) or _lanes_differ(case)
        print(found or "Both engines agree.")
        return 1 if found else 0
    if preset != "classic" or settings:
        raise BeggarError("--rules and --set go with --deal: random games have random rules")
    from beggar.simulation import kernels_here

    seed = seed or 0
    done = in_lanes = 0
    try:
        for done in _watched(number):
            case = draw(seed, done)
            found = compare(case)
            if found:
                return _report(case, found, done)
            if done % _GAMES_A_BATCH == 0:
                rules, deals = draw_for_lanes(seed, done)
                found = compare_lanes(rules, deals)
                if found:
                    return _report_lanes(rules, deals, found)
                in_lanes += len(deals)
    except KeyboardInterrupt:
        print(f"beggar: interrupted: both engines agree on {done:,} games", file=sys.stderr)
        return 130
    kernels = ", ".join(kernels_here()[:-1])
    print(f"Both engines agree on {number:,} games (seed {seed}).")
    print(f"The lanes ({kernels}) agree with the core on {in_lanes:,} games.")
    return 0


def _watched(number: int) -> Iterable[int]:
    """Count to *number*, with a progress bar where somebody watches."""
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    if not console.is_terminal:
        return range(number)
    return track(range(number), description="games", console=console, transient=True)


def _lanes_differ(case: Case) -> str | None:
    """Say where a kernel differs on one deal, if the lanes play such rules at all."""
    from beggar.simulation import kernel_for

    plain = case.deal.players == 2 and case.rules.on_cycle != "shuffle"
    if not plain or kernel_for(case.rules, 2) == "core":
        return None
    return compare_lanes(case.rules, [case.deal])


def _report_lanes(rules: Rules, deals: list[Deal], found: str) -> int:
    """Print what differs in a batch of deals, as small as it can be made."""
    print(f"lanes: {found}")
    alone = [Case(deal, rules, 0) for deal in deals if compare_lanes(rules, [deal])]
    if alone:
        small = shrink(alone[0], _lanes_differ)
        print(f"shrunk:   {_lanes_differ(small)}")
        print(f"replay:   {small.command()}")
    else:
        print("no deal of the batch differs alone: it takes the others beside it")
    return 1


def _report(case: Case, found: str, number: int) -> int:
    print(f"game {number:,}: {found}")
    small = shrink(case)
    print(f"shrunk:   {compare(small)}")
    print(f"replay:   {small.command()}")
    return 1
