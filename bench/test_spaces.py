"""Stepping through the deals of a deck, playing them, and going back from a cycle."""

from collections.abc import Callable

import numpy as np
import pytest

from beggar import _lanes
from beggar.cycles import cycle_of
from beggar.simulation import kernels_here
from beggar.space import Space

Measure = Callable[[Callable[[], int], int], None]

GAMES = 16_384
CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"


def middle(space: Space) -> tuple[_lanes.Stepper, np.ndarray]:
    """Return a stepper, and an arrangement in the middle of a space."""
    codes = [*space.counts[1:], 0][:4]
    stepper = _lanes.Stepper(space.cards, space.sizes[0], codes)
    return stepper, np.array(space.arrangement(space.count // 2), dtype=np.uint8)


@pytest.mark.benchmark(group="step through deals (deals)")
@pytest.mark.parametrize("deck", ["camicia-20", "french-26"])
def test_step(measure: Measure, deck: str) -> None:
    space = Space.of(deck)
    stepper, begin = middle(space)
    arena = _lanes.Arena(GAMES)

    def step() -> int:
        stepper.set(begin)
        return arena.step(stepper, GAMES)

    measure(step, GAMES)
    dealt = arena.dealt(GAMES - 1, 1, space.cards, space.sizes[0])[0]
    assert dealt.tolist() == space.arrangement(space.count // 2 + GAMES - 1)


@pytest.mark.benchmark(group="play all deals (games)")
@pytest.mark.parametrize("deck", ["camicia-20", "french-26"])
def test_play_stepped(measure: Measure, deck: str) -> None:
    space = Space.of(deck)
    stepper, begin = middle(space)
    arena = _lanes.Arena(GAMES)
    stepper.set(begin)
    arena.step(stepper, GAMES)
    arena.play("portable", GAMES, (1, 2, 3, 4), 1000)
    expected = arena.ends.copy()

    def play() -> int:
        arena.play(kernels_here()[-2], GAMES, (1, 2, 3, 4), 1000)
        return GAMES

    measure(play, GAMES)
    assert (arena.ends == expected).all()


@pytest.mark.benchmark(group="basins (states)")
def test_basin(measure: Measure) -> None:
    ring = cycle_of(CASELLA)

    def basin() -> int:
        return ring.basin().size

    measure(basin, 2670)
    assert basin() == 2670
