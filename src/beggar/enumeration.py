"""Every deal of a space, or of a range of it: what they come to, and all that never end.

A deal's number here is its rank (`beggar.space`). Work is cut into ranges that one thread
plays at a time; the results of ranges add up exactly, whatever they are. This module imports
`batches`, `cycles`, `space`, `summary` and `tally`; NumPy when it is imported.
"""

import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from itertools import islice
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from beggar import _lanes
from beggar.batches import arena_of, run_core, run_lanes
from beggar.cards import Card
from beggar.cycles import name_of
from beggar.deals import Deal, labels_of
from beggar.errors import BeggarError, RulesError
from beggar.outcome import Count
from beggar.rules import Rules
from beggar.simulation import count_of, kernel_for_cards, processors
from beggar.space import Space
from beggar.summary import Summary
from beggar.tally import Job, Stop, Tally, Total

__all__ = ["Endless", "Enumeration", "FoundCycle", "enumerate_deals", "play_range", "stream_ranges"]

#: Tricks after which the lanes hand a game to the core. Few finite games of small decks are
#: longer, and every endless one costs so many.
CUT_OFF: Final = 1000

# Deals that a thread plays at a time, in the lanes and in the core: some ten milliseconds'
# work each. An arena holds so many.
_UNIT: Final = (131_072, 8192)
_ARENA: Final = 16_384
# Seconds between two sums.
_PAUSE: Final = 0.2


class Endless(NamedTuple):
    """A deal that never ends.

    Attributes
    ----------
    rank : int
    transient : Count
        What comes before its cycle.
    """

    rank: int
    transient: Count


class FoundCycle(NamedTuple):
    """A cycle, and the deals of the enumerated ranges that lead into it.

    Attributes
    ----------
    name : str
        Its canonical name, see `beggar.cycles`.
    period : Count
        Once round, seats told apart.
    period_up_to_seats : Count or None
    deals : tuple of Endless
        By rank.
    """

    name: str
    period: Count
    period_up_to_seats: Count | None
    deals: tuple[Endless, ...]


class Enumeration(NamedTuple):
    """What every deal of some ranges of a space comes to.

    Sums are exact: ``a + b`` is the enumeration of the ranges of both, which must not overlap.

    Attributes
    ----------
    space : Space
    ranges : tuple of (int, int)
        What was enumerated: from a rank to before another, in order; none touch.
    summary : Summary
        All but the loops; the numbers of its games are ranks.
    cycles : tuple of FoundCycle
        Every cycle that a deal leads into, those of most deals first.
    """

    space: Space
    ranges: tuple[tuple[int, int], ...]
    summary: Summary
    cycles: tuple[FoundCycle, ...]

    @property
    def complete(self) -> bool:
        """Whether this is the whole space."""
        return self.ranges == ((0, self.space.count),)

    @property
    def endless(self) -> int:
        """How many deals never end."""
        return sum(len(cycle.deals) for cycle in self.cycles)

    def __add__(self, other: object) -> Self:
        if not isinstance(other, Enumeration):
            return NotImplemented
        if self.space != other.space:
            raise BeggarError(f"enumerations of {self.space} and of {other.space} cannot be added")
        return self._replace(
            ranges=_joined([*self.ranges, *other.ranges]),
            summary=self.summary + other.summary,
            cycles=_merged([*self.cycles, *other.cycles]),
        )

    def as_json(self) -> dict[str, Any]:
        """Return all of it, as JSON knows it."""
        told = self.summary.as_json()
        for name in ("seed", "loops"):
            del told[name]
        return {
            "space": self.space.as_json(),
            "ranges": [list(span) for span in self.ranges],
            "complete": self.complete,
            **told,
            "endless": self.endless,
            "cycles": [
                {
                    "name": cycle.name,
                    "period": cycle.period._asdict(),
                    "period_up_to_seats": cycle.period_up_to_seats
                    and cycle.period_up_to_seats._asdict(),
                    "deals": [
                        {
                            "rank": deal.rank,
                            "deal": str(self.space.unrank(deal.rank)),
                            "transient": deal.transient._asdict(),
                        }
                        for deal in cycle.deals
                    ],
                }
                for cycle in self.cycles
            ],
        }

    @classmethod
    def from_json(cls, told: Any) -> "Enumeration":
        """Return the enumeration that `as_json` told.

        Raises
        ------
        BeggarError
            If it did not.
        """
        try:
            from beggar.notation import read_hands

            space = Space(
                told["space"]["counts"],
                told["space"]["sizes"],
                [read_hands(face)[0][0] for face in told["space"]["faces"]]
                if not _tributed(told["space"]["faces"])
                else [Card.tributed(int(face)) for face in told["space"]["faces"]],
            )
            summary = Summary.from_json({**told, "seed": None, "loops": []})
            cycles = tuple(
                FoundCycle(
                    cycle["name"],
                    Count(**cycle["period"]),
                    cycle["period_up_to_seats"] and Count(**cycle["period_up_to_seats"]),
                    tuple(
                        Endless(deal["rank"], Count(**deal["transient"])) for deal in cycle["deals"]
                    ),
                )
                for cycle in told["cycles"]
            )
            ranges = _joined([(start, stop) for start, stop in told["ranges"]])
            made = cls(space, ranges, summary, cycles)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise BeggarError(f"this is no enumeration: {error!r}") from None
        if sum(stop - start for start, stop in ranges) != summary.games:
            raise BeggarError("this is no enumeration: its ranges are not those of its games")
        return made


def _tributed(faces: list[str]) -> bool:
    return all(face in "012345" for face in faces)


def _joined(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return ranges in order, those that touch as one.

    Raises
    ------
    BeggarError
        If any overlap.
    """
    joined: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if joined and start < joined[-1][1]:
            raise BeggarError(
                f"the ranges {joined[-1][0]}:{joined[-1][1]} and {start}:{stop} overlap"
            )
        if joined and start == joined[-1][1]:
            start = joined.pop()[0]
        joined.append((start, stop))
    return tuple(joined)


def _merged(cycles: Iterable[FoundCycle]) -> tuple[FoundCycle, ...]:
    """Return cycles of one name as one, those of most deals first."""
    cycles = list(cycles)
    deals: dict[str, list[Endless]] = {cycle.name: [] for cycle in cycles}
    for cycle in cycles:
        deals[cycle.name] += cycle.deals
    by_name = {cycle.name: cycle for cycle in cycles}
    merged = [cycle._replace(deals=tuple(sorted(deals[name]))) for name, cycle in by_name.items()]
    return tuple(sorted(merged, key=lambda cycle: (-len(cycle.deals), cycle.name)))


def enumerate_deals(
    space: Space | str,
    start: int = 0,
    stop: int | None = None,
    *,
    rules: Rules | None = None,
    threads: int | None = None,
    kernel: str | None = None,
) -> Enumeration:
    """Play every deal of a space, or of a range of it.

    Parameters
    ----------
    space : Space or str
        A space, or a deck as `Space.of` reads it.
    start, stop : int
        From this rank to before that one; the whole space without them.
    rules : Rules, optional
        The classic ones without them. Cards that are known by their tribute demand it.
    threads : int, optional
        How many threads play; as many as there are processors without it.
    kernel : str, optional
        As for `beggar.simulate`.

    Returns
    -------
    Enumeration

    Raises
    ------
    BeggarError
        If there is no such space or range, or as for `beggar.simulate`.

    Examples
    --------
    >>> done = enumerate_deals("5:2:0:1")
    >>> done.summary.games, done.endless, done.summary.longest.cards
    (168, 4, 26)
    >>> done.cycles[0].period, [deal.rank for deal in done.cycles[0].deals]
    (Count(cards=16, tricks=4), [36, 40, 130, 159])
    >>> enumerate_deals("5:2:0:1", 0, 100) + enumerate_deals("5:2:0:1", 100) == done
    True
    """
    done = None
    for part in stream_ranges(space, start, stop, rules=rules, threads=threads, kernel=kernel):
        done = part
    assert done is not None
    return done


def stream_ranges(
    space: Space | str,
    start: int = 0,
    stop: int | None = None,
    *,
    rules: Rules | None = None,
    threads: int | None = None,
    kernel: str | None = None,
    executor: Executor | None = None,
) -> Iterator[Enumeration]:
    """Play every deal of a range and yield what is known so far, at last the whole.

    Parameters and errors are those of `enumerate_deals`; what is wrong is said at once.
    """
    rules = Rules() if rules is None else rules
    space = Space.of(space, rules=rules) if isinstance(space, str) else space
    span = space.span(start, stop)
    players = len(space.sizes)
    if rules.players not in (None, players):
        raise RulesError(f"{players} hands, but the rules are for {rules.players} players")
    if rules.shuffle_pile or rules.on_cycle == "shuffle":
        raise RulesError("a game with shuffles is not one of its deal alone: expected none")
    threads = processors() if threads is None else count_of("threads", threads)
    rules.check_hands(space.unrank(0).hands)
    chosen = kernel_for_cards(rules, space.faces, space.counts, players, kernel)
    job = Job(rules, players, 0, False, chosen, None, Stop())
    size = _UNIT[chosen == "core"]
    units = (
        (job, space, at, min(at + size, span.stop)) for at in range(span.start, span.stop, size)
    )
    return _run(job, space, span.start, units, threads, executor)


def _run(
    job: Job,
    space: Space,
    start: int,
    units: Iterator[tuple[Job, Space, int, int]],
    threads: int,
    executor: Executor | None,
) -> Iterator[Enumeration]:
    total = Total(job)
    found: list[FoundCycle] = []
    told = time.monotonic()
    with nullcontext(executor) if executor else ThreadPoolExecutor(threads) as pool:
        assert pool is not None
        running: deque[Future[tuple[Tally, list[FoundCycle]]]] = deque(
            pool.submit(play_range, *unit) for unit in islice(units, 2 * threads)
        )
        try:
            while running:
                tally, cycles = running.popleft().result()
                total.add(tally)
                found += cycles
                for unit in islice(units, 1):
                    running.append(pool.submit(play_range, *unit))
                # To sum up takes a while where many deals never end.
                if not running or time.monotonic() - told > _PAUSE:
                    told = time.monotonic()
                    found = list(_merged(found))
                    spans = ((start, start + total.games),)
                    yield Enumeration(space, spans, total.summary(), tuple(found))
        finally:
            assert job.stop is not None
            job.stop.tell()
            for future in running:
                future.cancel()


def play_range(job: Job, space: Space, start: int, stop: int) -> tuple[Tally, list[FoundCycle]]:
    """Play the deals from one rank to before another: the work of one thread."""
    tally = Tally(job)
    tally.seed = None
    # Every loop is kept: which there are is what is asked.
    tally.most_loops = stop - start
    at = start
    if job.kernel == "core":
        row = np.array(space.arrangement(start), dtype=np.uint8)
        labels = np.frombuffer(labels_of(space.faces), dtype=np.uint8)
        rows = _lanes.arranged(row, stop - start)
        run_core(tally, labels[rows], space.sizes, range(start, stop))
    else:
        stepper = _stepper(space)
        stepper.set(np.array(_codes(space)[space.arrangement(start)], dtype=np.uint8))
        arena = arena_of(_ARENA)
        tributes = [job.rules.tribute(face) for face in space.faces]
        demanded = ([tribute for tribute in tributes if tribute] + [1, 1, 1, 1])[:4]
        while at < stop:
            tally.check()
            games = arena.step(stepper, min(_ARENA, stop - at))
            first = at

            def deal(place: int, first: int = first) -> Deal:
                return space.unrank(first + place)

            run_lanes(tally, arena, demanded, range(at, at + games), deal, CUT_OFF)
            at += games
    loops, tally.loops = tally.loops, []
    found: dict[str, FoundCycle] = {}
    deals: dict[str, list[Endless]] = {}
    for loop in loops:
        name, period, short = name_of(Deal.parse(loop.deal), job.rules)
        found.setdefault(name, FoundCycle(name, period, short, ()))
        deals.setdefault(name, []).append(Endless(loop.number, loop.transient))
    return tally, [cycle._replace(deals=tuple(deals[name])) for name, cycle in found.items()]


# A stepper for each thread, since listing its tails takes a while.
_here = threading.local()


def _stepper(space: Space) -> _lanes.Stepper:
    """Return this thread's stepper through a space."""
    known: tuple[Space, _lanes.Stepper] | None = getattr(_here, "stepper", None)
    if known is None or known[0] != space:
        counts = np.bincount(_codes(space), weights=space.counts, minlength=5)
        made = _lanes.Stepper(space.cards, space.sizes[0], [int(count) for count in counts[1:]])
        known = _here.stepper = (space, made)
    return known[1]


def _codes(space: Space) -> NDArray[np.uint8]:
    """Return the code of each kind of a space in the lanes, plus one; numerals are 0.

    `kernel_for_cards` has seen to it that only the first kind can be numerals.
    """
    first = space.faces[0]
    numerals = first.tribute == 0 or (first.rank == "-" and first.tribute is None)
    return np.arange(len(space.faces), dtype=np.uint8) + np.uint8(not numerals)
