"""What the store and the executor of a hunt cost, against what a unit takes to play."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from beggar.search.finds import FoundGame, Unit
from beggar.search.longest import Longest, draw
from beggar.search.store import Store
from beggar.search.work import run, threads

Measure = Callable[[Callable[[], int], int], None]

UNITS = 20


def nothing(number: int) -> Unit:
    """Do a unit without playing: what is left is what keeping it costs."""
    games = (FoundGame(f"{number}-{n}", n, n, 300 + n, "drawn") for n in range(30))
    return Unit(1, games=tuple(games))


class Idle(Longest):
    """A hunt whose units play nothing."""

    def numbers(self) -> Iterator[int]:
        return iter(range(UNITS))

    def work(self, store: Store, number: int) -> tuple[Any, ...]:
        return nothing, number


@pytest.mark.benchmark(group="hunt (units)")
def test_keep_units(measure: Measure, tmp_path: Path) -> None:
    hunt = Idle()
    times = 0

    def keep() -> int:
        nonlocal times
        times += 1
        with (
            Store.create(str(tmp_path / f"{times}.db"), "longest", {}, 1) as store,
            threads(1) as (executor, in_flight),
        ):
            done = run(hunt, store, executor, in_flight)
            assert store.kept().units == UNITS
        return done.units

    measure(keep, UNITS)


@pytest.mark.benchmark(group="hunt (units)")
def test_play_unit(measure: Measure) -> None:
    hunt = Longest(extend=False)
    deck = hunt.deck.space.counts, hunt.deck.tributes, hunt.deck.space.sizes

    def play() -> int:
        unit = draw(1, 0, *deck, False)
        assert len(unit.games) == 10
        return 1

    measure(play, 1)
