"""Where units run, and the loop that sees to it that each is done once and kept.

Units run in any `concurrent.futures.Executor`: threads here, or a Dask cluster's. Only the
process of the hunt writes to the store. This module imports `simulation`, `store`
and `finds`; Dask only for a cluster.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Final, NamedTuple, Protocol

from beggar.errors import BeggarError, quoted
from beggar.search.finds import Unit
from beggar.search.store import Store
from beggar.simulation import threads_of

__all__ = ["Hunt", "Progress", "Stopped", "cluster", "run", "threads"]

# How often a unit is tried again whose worker was lost, or died.
_TRIES: Final = 5


class Hunt(Protocol):
    """What is hunted: it says what the units are."""

    kind: str

    @property
    def params(self) -> dict[str, Any]:
        """What makes this hunt another than others, its seed aside."""

    @property
    def total(self) -> int | None:
        """How many units there are; None if there is no end of them."""

    @property
    def what(self) -> str:
        """What a unit tries, in the plural."""

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the units, in the order in which they may be begun."""

    def generation(self, number: int) -> int:
        """Return the first unit of a unit's generation: it waits for all units before that."""

    def work(self, store: Store, number: int) -> tuple[Any, ...]:
        """Return a function and its arguments that do a unit, anywhere."""

    def drop(self) -> None:
        """Make the units that run in this process end soon, undone, where they are long."""


class Progress(NamedTuple):
    """How a run goes.

    Attributes
    ----------
    units : int
        Units done in this run.
    tried : int
        Games or candidates in them.
    new_cycles : int
        Cycles found that were not known.
    seconds : float
        Since the run began.
    """

    units: int
    tried: int
    new_cycles: int
    seconds: float


class Stopped:
    """Tells a run to begin no more units."""

    def __init__(self) -> None:
        self.told = False

    def tell(self, *_: object) -> None:
        """Tell it; can be a signal's handler."""
        self.told = True


@contextmanager
def threads(number: int | None = None) -> Iterator[tuple[Executor, int]]:
    """Give an executor of threads, and how many units to have in flight."""
    number = threads_of(number)
    with ThreadPoolExecutor(number) as pool:
        yield pool, number + 1


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """Give the executor of a Dask cluster, and how many units to have in flight.

    Raises
    ------
    BeggarError
        If Dask is not installed, or there is no scheduler at the address.
    """
    try:
        import distributed
    except ImportError:
        raise BeggarError(
            "a cluster needs Dask: expected it from pip install 'beggar-my-neighbour[dask]'"
        ) from None
    try:
        make: Any = distributed.Client
        client = make(address, timeout="10s")
        client.wait_for_workers(1, timeout=60)
    except (OSError, ValueError, TimeoutError) as error:
        raise BeggarError(
            f"no scheduler with workers at {quoted(address)}: expected one such as "
            f"tcp://host:8786 ({error})"
        ) from None
    with client:
        workers = sum(client.nthreads().values())
        # A unit whose worker is lost is run again by the scheduler.
        yield client.get_executor(pure=False, retries=_TRIES), 2 * workers


def run(
    hunt: Hunt,
    store: Store,
    executor: Executor,
    in_flight: int,
    *,
    units: int | None = None,
    seconds: float | None = None,
    stopped: Stopped | None = None,
    tell: Callable[[Progress], object] | None = None,
) -> Progress:
    """Do units until there are none left, or enough are done, and keep each in the store.

    Parameters
    ----------
    hunt : Hunt
    store : Store
    executor : concurrent.futures.Executor
    in_flight : int
        The most units that are begun and not yet kept.
    units : int, optional
        The most units to do.
    seconds : float, optional
        After so long none is begun any more.
    stopped : Stopped, optional
        Told when none is to be begun any more.
    tell : callable, optional
        Called with the progress now and then.

    Returns
    -------
    Progress

    Raises
    ------
    BeggarError
        If the store cannot be written, or a unit cannot be done.
    """
    begun = time.monotonic()
    stopped = stopped or Stopped()
    done = store.done()
    left = _left(hunt, done, stopped)
    waiting = next(left, None)
    running: dict[Future[Unit], tuple[int, float]] = {}
    lost: dict[int, int] = {}
    progress = Progress(0, 0, 0, 0.0)
    submitted = 0

    def may_begin(number: int) -> bool:
        """Tell whether all units that a unit waits for are kept."""
        since = hunt.generation(number)
        return all(other >= since for other, _ in running.values())

    def submit(number: int) -> None:
        function, *arguments = hunt.work(store, number)
        running[executor.submit(function, *arguments)] = (number, time.monotonic())

    try:
        while True:
            if stopped.told:
                hunt.drop()
                # What has not begun is not begun.
                for future in [future for future in running if future.cancel()]:
                    del running[future]
            over = stopped.told or (seconds is not None and time.monotonic() - begun >= seconds)
            while (
                waiting is not None
                and not over
                and len(running) < in_flight
                and (units is None or submitted < units)
                and may_begin(waiting)
            ):
                submit(waiting)
                submitted += 1
                waiting = next(left, None)
            if not running:
                return progress
            for future in wait(running, 0.1, FIRST_COMPLETED).done:
                number, since = running.pop(future)
                try:
                    unit = future.result()
                except BeggarError:
                    raise
                except KeyboardInterrupt:
                    # Dropped.
                    if not stopped.told:
                        raise
                    continue
                except Exception as error:
                    # A worker that died, or was killed, is no fault of the unit's.
                    lost[number] = lost.get(number, 0) + 1
                    if not _lost(error):
                        raise
                    if lost[number] > _TRIES:
                        raise BeggarError(
                            f"unit {number} was lost {lost[number]} times: expected workers that "
                            f"live ({type(error).__name__})"
                        ) from None
                    submit(number)
                    continue
                took = time.monotonic() - since
                new = store.add(number, unit, took, hunt.generation(number))
                progress = Progress(
                    progress.units + 1,
                    progress.tried + unit.tried,
                    progress.new_cycles + new,
                    time.monotonic() - begun,
                )
            if tell is not None:
                tell(progress._replace(seconds=time.monotonic() - begun))
    finally:
        if running:
            hunt.drop()
        for future in running:
            future.cancel()


def _left(hunt: Hunt, done: set[int], stopped: Stopped) -> Iterator[int]:
    """Yield the numbers of the units that are not done."""
    for number in hunt.numbers():
        if stopped.told:
            return
        if number not in done:
            yield number


def _lost(error: Exception) -> bool:
    """Tell whether an error says that a worker was lost, and not that the work was wrong."""
    names = {kind.__name__ for kind in type(error).__mro__}
    return bool(names & {"KilledWorker", "CommClosedError", "BrokenExecutor", "CancelledError"})
