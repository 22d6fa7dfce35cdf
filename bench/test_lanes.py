"""Dealing and playing by kernel and threads, and dealing apart from playing.

The same deals for all: each benchmark checks that it counts the cards that the core does.
"""

from collections.abc import Callable

import pytest

from beggar import Rules, _lanes
from beggar.pack import BLOCK, Pack, generator_of
from beggar.simulation import kernels_here, simulate

Measure = Callable[[Callable[[], int], int], None]

FEW = BLOCK
MANY = 32 * BLOCK


def games(number: int, kernel: str, threads: int = 1) -> int:
    summary = simulate(number, seed=1999, kernel=kernel, threads=threads)
    # A check of its own: eight standard errors of the fewest games that are played here.
    assert 241 < summary.cards.mean < 268
    return summary.games


@pytest.mark.benchmark(group="deal and play (games)")
@pytest.mark.parametrize("kernel", kernels_here())
def test_simulate(measure: Measure, kernel: str) -> None:
    number = FEW if kernel == "core" else 4 * FEW
    same = simulate(FEW, seed=1999, kernel="core", threads=1)
    assert simulate(FEW, seed=1999, kernel=kernel, threads=1) == same
    measure(lambda: games(number, kernel), number)


@pytest.mark.benchmark(group="threads (games)")
@pytest.mark.parametrize("threads", [1, 2])
def test_threads(measure: Measure, threads: int) -> None:
    measure(lambda: games(MANY, kernels_here()[-2], threads), MANY)


@pytest.mark.benchmark(group="deal only (games)")
def test_deal(measure: Measure) -> None:
    pack = Pack(Rules(), 2)
    assert pack.dealer is not None
    arena = _lanes.Arena(BLOCK)
    generator = generator_of(1, 0)

    def deal() -> int:
        assert pack.dealer is not None
        arena.deal(pack.dealer, generator, 0, BLOCK)
        return BLOCK

    measure(deal, BLOCK)
    assert (arena.dealt(0, BLOCK, 52, 26) > 0).sum() == 16 * BLOCK


@pytest.mark.benchmark(group="play only (games)")
@pytest.mark.parametrize("kernel", kernels_here()[:-1])
def test_play_dealt(measure: Measure, kernel: str) -> None:
    pack = Pack(Rules(), 2)
    assert pack.dealer is not None
    arena = _lanes.Arena(BLOCK)
    arena.deal(pack.dealer, generator_of(1, 0), 0, BLOCK)
    arena.play("portable", BLOCK, (1, 2, 3, 4), 5000)
    expected = arena.ends.copy()

    def play() -> int:
        arena.play(kernel, BLOCK, (1, 2, 3, 4), 5000)
        return BLOCK

    measure(play, BLOCK)
    assert (arena.ends == expected).all()
