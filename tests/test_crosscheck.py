"""The cross-check finds what differs, and shrinks it."""

from typing import Any

import pytest

from beggar import Deal, Game, Outcome, Rules
from beggar.crosscheck import Case, compare, differing, draw, shrink
from beggar.events import Event, Turned


def test_random_cases_agree() -> None:
    assert [compare(draw(5, number)) for number in range(500)] == [None] * 500


def test_random_cases_are_of_every_sort() -> None:
    cases = [draw(0, number) for number in range(2000)]
    ends: dict[str, int] = {}
    for deal, rules, seed in cases:
        end = Game(deal, rules, seed=seed).play().termination
        ends[end] = ends.get(end, 0) + 1
    assert all(ends[end] > 10 for end in ("won", "loop", "limit", "undecided"))
    assert {case.deal.players for case in cases} == {2, 3, 4, 5, 6}
    for field in ("elimination", "unpaid_tribute", "joker", "lead", "pickup", "on_cycle"):
        assert len({getattr(case.rules, field) for case in cases}) >= 2
    assert draw(0, 3) != draw(1, 3)


class Faulty(Game):
    """A core that miscounts once three kings were seen, for the cross-check to find."""

    def step(self) -> Event | None:
        event = super().step()
        if self.engine == "core" and isinstance(event, Turned) and event.penalties == 3:
            return event._replace(cards=event.cards + 1)
        return event


class FaultyEnd(Game):
    """A core that forgets the last trick when it plays without events."""

    def play(self) -> Outcome:
        outcome = super().play()
        return outcome._replace(tricks=outcome.tricks - 1)


def test_a_faulty_event_is_found_and_shrunk() -> None:
    def differs(case: Case) -> str | None:
        return compare(case, Faulty)

    case = Case(Deal.parse("-K--Q-J-/--A-J--K/-Q--A---"), Rules(lead="loser", face_up=True), 1)
    found = differs(case)
    assert found is not None
    assert "core Turned" in found
    small = shrink(case, differs)
    assert differs(small)
    assert small.rules == Rules()
    # Three penalty cards must be turned: no deal of fewer cards can differ.
    assert sum(small.deal.sizes) == 3
    assert small.command() == f"beggar verify --deal '{small.deal}'"


def test_a_faulty_end_is_found() -> None:
    found = compare(Case(Deal.parse("--J/---J"), Rules(), 1), FaultyEnd)
    assert found is not None
    assert found.startswith("outcome: core without events")


def test_what_both_refuse_is_no_difference() -> None:
    assert compare(Case(Deal.parse("-K/Q-"), Rules.preset("camicia"), 1)) is None


def test_the_command_tells_all_that_matters() -> None:
    case = Case(Deal.parse("K-/-"), Rules(on_cycle="shuffle", tributes={"A": 1}), 9)
    assert case.command() == (
        "beggar verify --deal 'K-/-' --set 'tributes=A1' --set 'on_cycle=shuffle' --seed 9"
    )


@pytest.mark.parametrize(
    ("deal", "second", "before", "because"),
    [
        ("--J/---J", {"elimination": "on_empty"}, "J/-J pile=---- cards=4", ["elimination"]),
        (
            "K-/-/J--",
            {"unpaid_tribute": "collects", "lead": "loser"},
            "-/-/J-- pile=K turn=1 due=3 claimant=0 cards=1 penalties=1",
            ["unpaid_tribute"],
        ),
        ("--J-/K-J-", {"until_penalty": True}, "-J-/K-J- pile=- turn=1 cards=1", None),
    ],
)
def test_where_two_sets_of_rules_part(
    deal: str, second: dict[str, Any], before: str, because: list[str] | None
) -> None:
    parted = differing(Deal.parse(deal), Rules(), Rules(**second))
    assert parted is not None
    if because is not None:
        assert str(parted.before) == before
        assert parted.because == because
    assert parted.first != parted.second


def test_rules_that_come_to_the_same() -> None:
    assert differing(Deal.parse("K/Q"), Rules(), Rules(unpaid_tribute="collects")) is None
