"""``beggar loops``: the cycles of games that never end, and all that lead into them."""

import json
from typing import Annotated, Any

import typer

from beggar.cli.counted import cards, tricks
from beggar.cli.given import check_given, complain, given
from beggar.cli.options import Preset, Set, count_of, rules_of
from beggar.cycles import MOST_STATES, Balanced, Basin, RunUp, cycle_of, run_up
from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.game import play
from beggar.outcome import Count, Outcome
from beggar.rules import Rules

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar loops --J-/K-J-

beggar loops ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA --basin

beggar loops 00302020303100000310/00100200002000000010 --basin --plot basin.png

beggar loops --J-/K-J- --states --json

beggar loops K--J----/--Q----- --run-up

beggar loops deals.txt
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("loops", epilog=_EXAMPLES)(loops)


def loops(
    deals: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[DEAL|FILE]...",
            help="Deals that never end, files of them (one a line, '#' begins a comment), "
            "or - for standard input, which is read when nothing is named.",
            show_default=False,
        ),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    states: Annotated[
        bool, typer.Option("--states", help="List the cycle's states, the leader's hand first.")
    ] = False,
    basin: Annotated[
        bool,
        typer.Option("--basin", help="Find all states that lead into the cycle, and their deals."),
    ] = False,
    backwards: Annotated[
        bool,
        typer.Option(
            "--run-up", help="Find all states that lead to this very one, of finite games too."
        ),
    ] = False,
    most: Annotated[
        str | None,
        typer.Option(
            "--most", metavar="N", help="The most states to find.", show_default=f"{MOST_STATES:,}"
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw one basin (.png, .svg, .pdf)."),
    ] = None,
    as_lines: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
) -> int:
    """Find the exact loop of deals that never end: transient, period, canonical name, basin."""
    rules = rules_of(preset, settings)
    check_given(deals)
    limit = MOST_STATES if most is None else count_of(most, "--most")
    if plot is not None:
        from beggar.plot import check_path

        check_path(plot)
    status = 0
    drawn = False
    for text, where in given(deals or ["-"]):
        if isinstance(text, Exception):
            status = complain(where, str(text))
            continue
        try:
            if drawn:
                raise BeggarError(f"{quoted(plot)} shows one basin: expected one deal")
            deal = Deal.parse(text)
            found = _Found(deal, rules, limit, basin or plot is not None, backwards)
            print(json.dumps(found.as_json(states)) if as_lines else found.text(states))
            for trouble in found.troubles:
                status = complain(where, trouble)
            for back in found.backs:
                if not back.whole:
                    status = complain(
                        where,
                        f"{quoted(deal)}: more than {limit:,} states lead there, and the rest is "
                        f"left out: expected --most of more",
                    )
            if plot is not None and found.basin is not None:
                from beggar.plot import save
                from beggar.ring import basin_figure

                save(basin_figure(found.basin, deal.sizes), plot)
                drawn = True
        except BeggarError as error:
            status = complain(where, str(error))
    return status


class _Found:
    """What is known of one deal."""

    def __init__(self, deal: Deal, rules: Rules, most: int, basin: bool, backwards: bool) -> None:
        self.deal, self.rules = deal, rules
        self.outcome: Outcome = play(deal, rules)
        self.run_up: RunUp | None = run_up(deal, rules, most) if backwards else None
        # A finite game has a run-up and no loop, unless that is asked for, too.
        finite = backwards and not basin and self.outcome.cycle is None
        self.ring = None if finite else cycle_of(deal, rules)
        self.basin: Basin | None = None
        #: What could not be found, though the rest could.
        self.troubles: list[str] = []
        if basin and self.ring is not None:
            try:
                self.basin = self.ring.basin(most)
            except BeggarError as error:
                self.troubles.append(f"{quoted(deal)}: {error}")

    @property
    def backs(self) -> "list[Basin | RunUp]":
        """What was found by going back."""
        return [back for back in (self.run_up, self.basin) if back is not None]

    def as_json(self, states: bool) -> dict[str, Any]:
        cycle = self.outcome.cycle
        told: dict[str, Any] = {"deal": str(self.deal), "rules": self.rules.as_json()}
        if self.ring is not None and cycle is not None:
            up_to = self.ring.period_up_to_seats
            told |= {
                "cycle": self.ring.name,
                "transient": cycle.transient._asdict(),
                "period": cycle.period._asdict(),
                "period_up_to_seats": up_to and up_to._asdict(),
            }
            if states:
                told["states"] = [str(state) for state in self.ring.states]
        if self.basin is not None:
            told["basin"] = self._back_json(self.basin)
        if self.run_up is not None:
            told["run_up"] = self._back_json(self.run_up)
        return told

    def _back_json(self, back: "Basin | RunUp") -> dict[str, Any]:
        farthest = int(back.depth.argmax())
        return {
            "states": back.size,
            "whole": back.whole,
            "deepest": back.deepest,
            "farthest": {
                "state": str(back.state(farthest)),
                **back.run_up(farthest)._asdict(),
            },
            "deals": [
                {"rank": one.rank, "deal": str(one.deal), "transient": one.run_up._asdict()}
                for one in back.deals(self.deal.sizes)
            ],
        }

    def text(self, states: bool) -> str:
        lines = [str(self.deal)]
        cycle = self.outcome.cycle
        if self.ring is not None and cycle is not None:
            up_to = self.ring.period_up_to_seats
            swap = "" if up_to in (None, cycle.period) else f", {_counted(up_to)} up to seats"
            lines += [
                f"  enters its cycle after {_counted(cycle.transient)}",
                f"  once round: {_counted(cycle.period)}{swap}",
                f"  cycle: {self.ring.name}",
            ]
            if states:
                lines += [
                    f"    {state}  {cards(turned)}"
                    for state, turned in zip(self.ring.states, self.ring.cards, strict=True)
                ]
        if self.basin is not None:
            lines += self._back_text(self.basin, "basin")
        if self.run_up is not None:
            lines += self._back_text(self.run_up, "run-up")
        return "\n".join(lines)

    def _back_text(self, back: "Basin | RunUp", name: str) -> list[str]:
        more = "" if back.whole else ", and more"
        found: list[Balanced] = back.deals(self.deal.sizes)
        hands = "+".join(map(str, self.deal.sizes))
        lines = [
            f"  {name}: {back.size:,} state{'s' * (back.size != 1)}{more}, up to "
            f"{tricks(back.deepest)} away, among them {len(found):,} "
            f"deal{'s' * (len(found) != 1)} of {hands} cards"
        ]
        farthest = int(back.depth.argmax())
        lines.append(
            f"    farthest: {back.state(farthest)}  {_counted(back.run_up(farthest))} before"
        )
        width = max((len(f"{one.rank:,}") for one in found), default=0)
        lines += [
            f"    {one.rank:>{width},}  {one.deal}  after {_counted(one.run_up)}" for one in found
        ]
        return lines


def _counted(count: Count | None) -> str:
    assert count is not None
    return f"{cards(count.cards)} and {tricks(count.tricks)}"
