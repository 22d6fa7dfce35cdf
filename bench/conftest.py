"""What the benchmarks share: the deals, and how a rate is noted."""

from collections.abc import Callable

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from beggar import Deal


@pytest.fixture(scope="session")
def deals() -> list[Deal]:
    """Return 2,000 random deals of 52 cards, always the same."""
    rng = np.random.default_rng(1999)
    return [Deal.random(rng) for _ in range(2000)]


@pytest.fixture
def measure(benchmark: BenchmarkFixture) -> Callable[[Callable[[], int], int], None]:
    """Time a call that returns how much it did, and check that it did as much as it should."""

    def run(call: Callable[[], int], expected: int) -> None:
        done = benchmark(call)
        assert done == expected
        benchmark.extra_info["done"] = done

    return run
