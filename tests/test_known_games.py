"""Published games come out exactly as published, with both engines."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import beggar
from beggar import Count, Game, Rules
from beggar.records import RECORDS


class Known(NamedTuple):
    settings: str
    end: str
    cards: int
    tricks: int
    transient: str
    deal: str


def known_games() -> list[Known]:
    lines = (Path(__file__).parent / "known_games.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" | ") for line in lines if line and not line.startswith("#")]
    return [Known(s, e, int(c), int(t), tr, d) for s, e, c, t, tr, d in rows]


@pytest.mark.parametrize("known", known_games(), ids=lambda k: f"{k.settings}{k.deal[:26]}")
def test_published_game(known: Known, game: Callable[..., Game]) -> None:
    told = dict([known.settings.split("=")]) if known.settings != "-" else {}
    rules = Rules().set(**told)
    straight = game(known.deal, rules)
    outcome = straight.play()
    assert (outcome.termination, outcome.cards, outcome.tricks) == (
        known.end,
        known.cards,
        known.tricks,
    )
    if known.transient == "-":
        assert outcome.cycle is None
    else:
        cards, tricks = map(int, known.transient.split("/"))
        assert outcome.cycle is not None
        assert outcome.cycle.transient == (cards, tricks)
        assert outcome.cycle.period == (known.cards - cards, known.tricks - tricks)
    told_by_events = game(known.deal, rules)
    for _ in told_by_events:
        pass
    assert told_by_events.outcome == outcome
    assert told_by_events.position == straight.position


def test_the_packaged_records_are_the_published_ones() -> None:
    published = {(k.deal, k.cards, k.tricks) for k in known_games() if k.settings == "-"}
    assert {(r.deal, r.cards, r.tricks) for r in RECORDS} <= published
    assert len(RECORDS) == 15


def test_a_deck_without_a_slash_is_two_equal_hands(engine: str) -> None:
    outcome = beggar.play("0130023302200030010000000010000000000021", engine=engine)
    assert (outcome.cards, outcome.tricks) == (4663, 757)


def test_casellas_loop_has_no_shorter_period_up_to_seats(engine: str) -> None:
    deal = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
    cycle = beggar.play(deal, engine=engine).cycle
    assert cycle is not None
    assert cycle.period == cycle.period_up_to_seats == Count(440, 62)


def test_means_of_random_deals() -> None:
    # 20,000 deals: the standard error is 1.4 cards (standard deviation 200) and 0.19 tricks.
    rng = np.random.default_rng(2024)
    deals = [beggar.Deal.random(rng) for _ in range(20_000)]
    ends = [beggar.play(deal) for deal in deals]
    cards = np.array([end.cards for end in ends])
    assert abs(cards.mean() - 254.6) < 5.6
    assert abs(np.mean([end.tricks for end in ends]) - 35.24) < 0.8
    # On the same deals, stopping at an empty hand saves 1.1 cards on average (254.6 and
    # 253.5); the standard error of the difference is below 0.1.
    knockout = [beggar.play(deal, Rules.preset("knockout")).cards for deal in deals]
    assert abs((cards - knockout).mean() - 1.1) < 0.35
