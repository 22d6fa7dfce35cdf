"""The lanes give what the core gives, and deal what they should."""

import os
from collections import Counter

import numpy as np
import pytest

import beggar
from beggar import Deal, Rules, _lanes
from beggar.batches import CUT_OFF
from beggar.crosscheck import compare_lanes
from beggar.pack import BLOCK, Pack, generator_of
from beggar.simulation import kernels_here, simulate

KERNELS = kernels_here()[:-1]
QUICK = os.environ.get("BEGGAR_TEST_PROFILE") == "quick"


@pytest.fixture(params=KERNELS, ids=KERNELS)
def kernel(request: pytest.FixtureRequest) -> str:
    """Run the test with each kernel of this machine."""
    name: str = request.param
    return name


def arrangements(counts: tuple[int, ...]) -> np.ndarray:
    """Return every order of a deck of so many cards of tribute 0, 1, 2 and so on."""
    orders: set[tuple[int, ...]] = {()}
    for tribute, count in enumerate(counts):
        for _ in range(count):
            orders = {
                (*order[:at], tribute, *order[at:])
                for order in orders
                for at in range(len(order) + 1)
            }
    return np.array(sorted(orders), dtype=np.int64)


@pytest.mark.parametrize(
    ("counts", "deals", "longest"), [((2, 2, 2, 2), 2520, 15), ((4, 2, 2, 2), 18_900, 32)]
)
def test_every_deal_of_a_small_deck(
    kernel: str, counts: tuple[int, ...], deals: int, longest: int
) -> None:
    every = arrangements(counts)
    assert len(every) == deals
    summary = simulate(deals=every, kernel=kernel, keep="games")
    core = simulate(deals=every, kernel="core", keep="games")
    assert summary.longest is not None
    assert summary.longest.cards == longest
    assert summary._replace(kept=None) == core._replace(kept=None)
    assert summary.kept is not None
    assert (summary.kept == core.kept).all()


@pytest.mark.parametrize(
    "deal",
    [
        "J/-",  # a hand emptied exactly by paying
        "J-/--K",
        "-/-",
        "--/-",
        "A/K",
        "AKQJ/JQKA",
        "-" * 62 + "/J",
        "J/" + "-" * 62,
        "-" * 31 + "/" + "-" * 32,
        "A" * 16 + "/" + "A" * 16,
        "--J-/K-J-",
        "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---",
    ],
)
def test_edges(deal: str) -> None:
    assert compare_lanes(Rules(), [Deal.parse(deal)] * 20) is None


def test_long_games_are_handed_to_the_core(kernel: str) -> None:
    # A long game is finished in the core, and so is one that never ends: the lanes call
    # nothing endless.
    loop = Deal.parse("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")
    arena = _lanes.Arena(10)
    rows = np.array([[1 + "JQKA".index(c) if c != "-" else 0 for c in str(loop) if c != "/"]])
    arena.load(np.repeat(rows, 10, axis=0).astype(np.uint8), 26)
    arena.play(kernel, 10, (1, 2, 3, 4), CUT_OFF)
    assert (arena.ends >> np.uint64(58) == 1).all()
    summary = simulate(deals=[loop] * 5, kernel=kernel)
    assert (summary.looped, summary.won) == (5, 0)
    assert summary.loops[0].period == (440, 62)


def test_a_cut_off_leaves_only_longer_games_unfinished(kernel: str) -> None:
    pack = Pack(Rules(), 2)
    assert pack.dealer is not None
    arena = _lanes.Arena(20_000)
    arena.deal(pack.dealer, generator_of(1, 0), 0, 20_000)
    arena.play(kernel, 20_000, (1, 2, 3, 4), 10**6)
    whole = arena.ends.copy()
    arena.play(kernel, 20_000, (1, 2, 3, 4), 50)
    unfinished = arena.ends >> np.uint64(58) == 1
    tricks = whole >> np.uint64(32) & np.uint64(0xFFFFFF)
    assert (tricks[unfinished] > 50).all()
    assert (arena.ends[~unfinished] == whole[~unfinished]).all()


# -- Dealing ----------------------------------------------------------------------------------


def chi_square(seen: Counter[tuple[int, ...]], kinds: int, total: int) -> float:
    expected = total / kinds
    return sum((seen[kind] - expected) ** 2 / expected for kind in seen) + expected * (
        kinds - len(seen)
    )


@pytest.mark.parametrize(
    ("cards", "first", "counts", "kinds"),
    [
        (5, 2, (1, 1, 0, 0), 20),
        (6, 3, (2, 1, 1, 0), 180),
        (7, 1, (1, 1, 1, 1), 840),
        (4, 2, (2, 1, 1, 0), 12),
        (30, 15, (1, 0, 0, 1), 870),
    ],
)
def test_dealing_is_uniform(cards: int, first: int, counts: tuple[int, ...], kinds: int) -> None:
    dealer = _lanes.Dealer(cards, first, counts)
    total = 200 * kinds
    arena = _lanes.Arena(total)
    arena.deal(dealer, generator_of(5, 0), 0, total)
    rows = arena.dealt(0, total, cards, first)
    seen = Counter(map(tuple, rows.tolist()))
    assert len(seen) == kinds
    for row in list(seen)[:50]:
        assert [row.count(code + 1) for code in range(4)] == list(counts)
    # The mean of chi square is kinds - 1, its variance twice that; five deviations.
    assert abs(chi_square(seen, kinds, total) - (kinds - 1)) < 5 * np.sqrt(2 * (kinds - 1))


def test_shuffling_is_uniform() -> None:
    rows = _lanes.shuffled(generator_of(5, 1), np.arange(4, dtype=np.uint8), 0, 24_000)
    seen = Counter(map(tuple, rows.tolist()))
    assert len(seen) == 24
    assert abs(chi_square(seen, 24, 24_000) - 23) < 5 * np.sqrt(46)


def test_both_ways_of_dealing_kinds_have_the_same_places() -> None:
    # 17 penalty cards are shuffled card by card, 16 are drawn: the means of where they
    # lie are the same, to five standard errors.
    for counts in ((4, 4, 4, 5), (4, 4, 4, 4)):
        dealer = _lanes.Dealer(52, 26, counts)
        arena = _lanes.Arena(40_000)
        arena.deal(dealer, generator_of(8, 0), 0, 40_000)
        rows = arena.dealt(0, 40_000, 52, 26)
        for code, count in enumerate(counts, 1):
            share = (rows == code).mean(axis=0)
            p = count / 52
            assert (abs(share - p) < 5 * np.sqrt(p * (1 - p) / 40_000)).all()


def test_a_deal_depends_on_seed_and_number_alone() -> None:
    pack = Pack(Rules(), 2)
    assert pack.dealer is not None
    arena = _lanes.Arena(BLOCK)
    arena.deal(pack.dealer, generator_of(3, 2), 0, BLOCK)
    rows = pack.labels[arena.dealt(0, BLOCK, 52, 26)]
    for number in (0, 1, 777, BLOCK - 1):
        assert pack.deal(3, 2 * BLOCK + number) == pack.deal_of(rows[number])
    assert pack.deal(3, 0) != pack.deal(4, 0)
    # The same on every machine: numbers of NumPy's SFC64, whose stream is fixed.
    assert str(pack.deal(1, 0)) == str(Pack(Rules(elimination="on_empty"), 2).deal(1, 0))


def test_arenas_and_dealers_refuse_what_cannot_be() -> None:
    with pytest.raises(ValueError, match="no deck of 64 cards"):
        _lanes.Dealer(64, 32, (4, 4, 4, 4))
    with pytest.raises(ValueError, match="no deck of 10 cards"):
        _lanes.Dealer(10, 10, (1, 0, 0, 0))
    arena = _lanes.Arena(4)
    with pytest.raises(ValueError, match="5 games in an arena of 4"):
        arena.play("portable", 5, (1, 2, 3, 4), 10)
    with pytest.raises(ValueError, match="no kernel 'steam' here"):
        arena.play("steam", 1, (1, 2, 3, 4), 10)


def test_the_kernels_are_compiled_here() -> None:
    assert KERNELS[0] == "portable"
    assert beggar._core is not None
    assert set(KERNELS) <= {"portable", "avx2", "avx512"}
