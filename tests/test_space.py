"""Deals as numbers: counts, ranks and back, ranges, draws, and the lanes' stepping."""

import random
from itertools import islice, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beggar import BeggarError, Card, Deal, Rules, _lanes
from beggar.space import Space

NAMED = [
    ("french-52", 653_534_134_886_878_245_000),
    ("camicia-40", 193_584_473_082_000),
    ("french-26", 3_936_933_000),
    ("camicia-20", 3_488_400),
]


@pytest.mark.parametrize(("name", "count"), NAMED)
def test_published_counts(name: str, count: int) -> None:
    assert Space.of(name).count == count


@pytest.mark.parametrize("name", [name for name, _ in NAMED])
def test_ranks_there_and_back(name: str) -> None:
    space = Space.of(name)
    rng = random.Random(name)
    for rank in (
        0,
        1,
        space.count - 2,
        space.count - 1,
        *(rng.randrange(space.count) for _ in range(300)),
    ):
        assert space.rank(space.unrank(rank)) == rank


def test_a_published_rank() -> None:
    deal = "0000000203100000010020230203000100300010"
    assert Space.of("camicia-40").rank(deal) == 10_250_747_427_146
    assert Space.of("camicia-40").unrank(10_250_747_427_146) == Deal.parse(deal)


counts = st.lists(st.integers(0, 3), min_size=1, max_size=5).filter(lambda c: 2 <= sum(c) <= 7)


@given(counts, st.data())
def test_the_order_is_lexicographic(counts: list[int], data: st.DataObject) -> None:
    cards = sum(counts)
    first = data.draw(st.integers(1, cards - 1))
    space = Space(counts, [first, cards - first])
    row = [symbol for symbol, many in enumerate(counts) for _ in range(many)]
    rows = sorted(set(permutations(row)))
    assert space.count == len(rows)
    assert [tuple(space.arrangement(rank)) for rank in range(len(rows))] == rows
    deals = list(space.deals())
    assert [space.rank(deal) for deal in deals] == list(range(len(rows)))
    assert all(deal.sizes == space.sizes for deal in deals)


@given(counts, st.data())
def test_stepping_is_unranking(counts: list[int], data: st.DataObject) -> None:
    cards, codes = sum(counts), (counts + [0] * 5)[:5]
    first = data.draw(st.integers(1, cards - 1))
    space = Space(counts, [first, cards - first])
    start = data.draw(st.integers(0, space.count - 1))
    slice_ = data.draw(st.integers(1, 40))
    stepper = _lanes.Stepper(cards, first, codes[1:])
    stepper.set(np.array(space.arrangement(start), dtype=np.uint8))
    arena = _lanes.Arena(64)
    dealt: list[list[int]] = []
    while games := arena.step(stepper, slice_):
        dealt += arena.dealt(0, games, cards, first).tolist()
    assert dealt == [space.arrangement(rank) for rank in range(start, space.count)]
    again = _lanes.arranged(np.array(space.arrangement(start), dtype=np.uint8), 10_000)
    assert again.tolist() == dealt


@pytest.mark.parametrize("name", [name for name, _ in NAMED])
def test_stepping_through_large_spaces(name: str) -> None:
    space = Space.of(name)
    codes = [*space.counts[1:], 0][:4]
    stepper = _lanes.Stepper(space.cards, space.sizes[0], codes)
    arena = _lanes.Arena(3000)
    rng = random.Random(1)
    for start in (0, space.count - 3000, *(rng.randrange(space.count - 3000) for _ in range(5))):
        stepper.set(np.array(space.arrangement(start), dtype=np.uint8))
        assert arena.step(stepper, 3000) == 3000
        rows = arena.dealt(0, 3000, space.cards, space.sizes[0])
        for place in (0, 1, 1499, 2999):
            assert rows[place].tolist() == space.arrangement(start + place)
    assert arena.step(stepper, 10) == 10
    stepper.set(np.array(space.arrangement(space.count - 7), dtype=np.uint8))
    assert arena.step(stepper, 3000) == 7
    assert arena.step(stepper, 3000) == 0


def test_spaces_by_name_and_by_counts() -> None:
    assert Space.of("camicia-20") == Space.of("14:2:2:2") == Space([14, 2, 2, 2])
    assert Space.of("french-26").sizes == (13, 13)
    assert Space.of("french-52", rules=Rules(players=3)).sizes == (18, 17, 17)
    assert Space.of("french-52", [30, 22]).count == Space.of("french-52").count
    assert Space.of("french-52", rules=Rules(jokers=2)).counts == (36, 4, 4, 4, 4, 2)
    # What demands what is the rules'.
    odd = Space.of("french-26", rules=Rules(tributes={"A": 2, "7": 2, "K": 1}))
    assert odd.counts == (20, 2, 4)
    assert Space.of("6:0:2").count == comb(8, 2)


def test_deals_in_any_notation() -> None:
    cards = "4d 3d 5d 6d 7d 4b 5b 6b 2d Ad / 7b Ab Jd Qd Kd 2b Jb Qb Kb 3b"
    camicia = Space.of("camicia-20")
    assert camicia.rank(cards) == camicia.rank("0300000021/0100020003")
    french = Space([3, 1, 1], [3, 2], [Card.of(rank) for rank in "-JQ"])
    assert french.rank("2h Qs 3h / J 7") == french.rank("-Q-/J-") == french.rank("020/10")


def test_uniform_draws() -> None:
    space = Space([2, 1, 1])
    rng = np.random.default_rng(5)
    drawn = [space.rank(space.random(rng)) for _ in range(6000)]
    assert np.bincount(drawn, minlength=12).min() > 400
    assert Space.of("french-52").random(3) == Space.of("french-52").random(3)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Space.of("tarot"), "no deck 'tarot': expected french-52"),
        (lambda: Space.of("14:2:x"), "no deck '14:2:x'"),
        (lambda: Space.of("14:-2"), "no deck '14:-2'"),
        (lambda: Space.of(""), "no deck ''"),
        (lambda: Space([1]), "counts: 1 cards: expected 2 to"),
        (lambda: Space([5, -1]), "counts: '-1'"),
        (lambda: Space([1] * 7), "counts: 7 of them: expected 1 to 6"),
        (lambda: Space([6, 1], [3, 3]), "hands of 3+3 = 6 cards: expected 7, as the counts"),
        (lambda: Space([6, 1], [7, 0]), "sizes: '7+0'"),
        (lambda: Space([6, 1], [7]), "sizes: '7'"),
        (lambda: Space([6, 1]).unrank(7), "no deal '7': expected 0 to 6"),
        (lambda: Space([6, 1]).unrank(-1), "no deal '-1'"),
        (lambda: Space([6, 1]).span(0, 8), "the range 0:8 goes beyond 0:7"),
        (lambda: Space([6, 1]).span(5, 3), "the range 5:3 is empty or goes backwards"),
        (lambda: Space([6, 1]).rank("00000/00"), "is no deal of 6 0, 1 1 in hands of 4+3"),
        (lambda: Space([6, 1]).rank("0000/0000001"), "is no deal of"),
        (lambda: Space([6, 1]).rank("0002/000"), "'2' in '0002/000': expected cards of"),
    ],
)
def test_what_is_refused(make: object, said: str) -> None:
    with pytest.raises(BeggarError) as caught:
        make()  # type: ignore[operator]
    assert said in str(caught.value)


def test_ranges_are_lazy() -> None:
    space = Space.of("french-52")
    first = list(islice(space.deals(10**18), 3))
    assert [space.rank(deal) for deal in first] == [10**18, 10**18 + 1, 10**18 + 2]
