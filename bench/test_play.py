"""Play to the end, events and notation; the reference beside the core, on the same deals.

    pytest bench --benchmark-json=run.json
    python bench/compare.py run.json

Each benchmark checks its results: the cards of the same deals as the other engine
counts them, or the figures that were published.
"""

from collections.abc import Callable

import pytest

from beggar import Deal, Game, Rules, play

Measure = Callable[[Callable[[], int], int], None]

# What the first 40 of the deals come to; the core's 2,000 are checked against them too.
FEW = 40
RECORD = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"


def cards(deals: list[Deal], engine: str, rules: Rules | None = None) -> int:
    return sum(play(deal, rules, engine=engine).cards for deal in deals)


def events(deals: list[Deal], engine: str) -> int:
    number = 0
    for deal in deals:
        for _ in Game(deal, engine=engine):
            number += 1
    return number


@pytest.mark.benchmark(group="play (cards)")
@pytest.mark.parametrize(("engine", "number"), [("core", 2000), ("reference", FEW)])
def test_play(measure: Measure, deals: list[Deal], engine: str, number: int) -> None:
    assert cards(deals[:FEW], "core") == cards(deals[:FEW], "reference")
    measure(lambda: cards(deals[:number], engine), cards(deals[:number], "core"))


@pytest.mark.benchmark(group="play (cards)")
def test_play_old_style(measure: Measure, deals: list[Deal]) -> None:
    # Rules that the fast path does not know.
    rules = Rules.preset("old-style")
    assert cards(deals[:FEW], "core", rules) == cards(deals[:FEW], "reference", rules)
    measure(lambda: cards(deals[:500], "core", rules), cards(deals[:500], "core", rules))


@pytest.mark.benchmark(group="events")
@pytest.mark.parametrize(("engine", "number"), [("core", 500), ("reference", FEW)])
def test_events(measure: Measure, deals: list[Deal], engine: str, number: int) -> None:
    assert events(deals[:FEW], "core") == events(deals[:FEW], "reference")
    measure(lambda: events(deals[:number], engine), events(deals[:number], "core"))


@pytest.mark.benchmark(group="the record game")
def test_record_with_parsing(measure: Measure) -> None:
    measure(lambda: play(Deal.parse(RECORD)).cards, 8344)


@pytest.mark.benchmark(group="notation (deals)")
@pytest.mark.parametrize("notation", ["kind", "card"])
def test_parse(measure: Measure, deals: list[Deal], notation: str) -> None:
    texts = [deal.text(notation) for deal in deals[:500]]
    assert [Deal.parse(text).text("kind") for text in texts] == [
        d.text("kind") for d in deals[:500]
    ]
    measure(lambda: len([Deal.parse(text) for text in texts]), 500)


@pytest.mark.benchmark(group="notation (deals)")
def test_write(measure: Measure, deals: list[Deal]) -> None:
    assert [Deal.parse(str(deal)) for deal in deals[:500]] == deals[:500]
    measure(lambda: len([str(deal) for deal in deals[:500]]), 500)
