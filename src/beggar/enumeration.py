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
from beggar.cards import CARDS
from beggar.cycles import name_of
from beggar.deals import Deal, labels_of
from beggar.errors import BeggarError, RulesError
from beggar.outcome import Count
from beggar.rules import Rules
from beggar.simulation import kernel_for_cards, threads_of
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
# Cards of all deals that the core plays at a time.
_CARDS: Final = 1_000_000
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
            faces = [CARDS[_whole(label)] for label in told["space"]["labels"]]
            space = Space(told["space"]["counts"], told["space"]["sizes"], faces)
            summary = Summary.from_json({**told, "seed": None, "loops": []})
            cycles = tuple(
                FoundCycle(
                    str(cycle["name"]),
                    _count(cycle["period"]),
                    cycle["period_up_to_seats"] and _count(cycle["period_up_to_seats"]),
                    tuple(
                        Endless(_whole(deal["rank"]), _count(deal["transient"]))
                        for deal in cycle["deals"]
                    ),
                )
                for cycle in told["cycles"]
            )
            ranges = _joined([(_whole(start), _whole(stop)) for start, stop in told["ranges"]])
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise BeggarError(f"this is no enumeration: {error!r}") from None
        made = cls(space, ranges, summary, cycles)
        wrong = made._contradiction()
        if wrong:
            raise BeggarError(f"this is no enumeration: {wrong}")
        return made

    def _contradiction(self) -> str:
        """Say what of an enumeration contradicts the rest, if anything."""
        summary = self.summary
        ranks = [deal.rank for cycle in self.cycles for deal in cycle.deals]
        games = sum(stop - start for start, stop in self.ranges)
        if any(not 0 <= start < stop <= self.space.count for start, stop in self.ranges):
            return "its ranges go beyond its space"
        if games != summary.games:
            return "its ranges are not those of its games"
        ends = (summary.won, summary.looped, summary.limited, summary.undecided)
        if min(ends) < 0 or sum(ends) != games:
            return "its games do not add up"
        if not summary.cards.total == summary.tricks.total == summary.won:
            return "its histograms are not those of its games"
        if len(summary.wins) != len(self.space.sizes) or any(
            type(won) is not int or won < 0 for won in summary.wins
        ):
            return "its wins are not those of its games"
        if len(ranks) != summary.looped or len(set(ranks)) != len(ranks):
            return "its endless deals are not those of its games"
        if any(not any(start <= rank < stop for start, stop in self.ranges) for rank in ranks):
            return "an endless deal is not in its ranges"
        for sample in (summary.longest, summary.shortest):
            if sample is not None:
                numbers = (sample.number, sample.cards, sample.tricks)
                if any(type(number) is not int or number < 0 for number in numbers):
                    return "its longest or shortest game is none"
        return ""


def _whole(number: object) -> int:
    if type(number) is not int or number < 0:
        raise ValueError(f"{number!r} is no whole number from 0")
    return number


def _count(told: Any) -> Count:
    return Count(_whole(told["cards"]), _whole(told["tricks"]))


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
    by_name: dict[str, FoundCycle] = {}
    for cycle in cycles:
        deals[cycle.name] += cycle.deals
        known = by_name.setdefault(cycle.name, cycle)
        if (known.period, known.period_up_to_seats) != (cycle.period, cycle.period_up_to_seats):
            raise BeggarError(f"the cycle {cycle.name} has two periods: expected one")
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
        raise RulesError(
            f"{players} hands, but the rules are for {rules.players} players: expected the same "
            f"(--hands)"
        )
    if rules.shuffle_pile or rules.on_cycle == "shuffle":
        raise RulesError("a game with shuffles is not one of its deal alone: expected none")
    threads = threads_of(threads)
    rules.check_hands(space.unrank(0).hands)
    chosen = kernel_for_cards(rules, space.faces, space.counts, players, kernel)
    job = Job(rules, players, 0, False, chosen, None, Stop())
    most = _UNIT[chosen == "core"]
    if chosen == "core":
        # Of large decks fewer deals at a time, for the sake of memory.
        most = max(1, min(most, _CARDS // space.cards))
    return _run(job, space, span.start, _units(job, space, span, most), threads, executor)


def _units(job: Job, space: Space, span: range, most: int) -> Iterator[tuple[Job, Space, int, int]]:
    """Yield units that grow, so that something is soon known where games are long."""
    start, size = span.start, max(1, most // 64)
    while start < span.stop:
        stop = min(start + size, span.stop)
        yield job, space, start, stop
        start, size = stop, min(2 * size, most)


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


def play_range(job: Job, space: Space, start: int, end: int) -> tuple[Tally, list[FoundCycle]]:
    """Play the deals from one rank to before another: the work of one thread."""
    tally = Tally(job)
    tally.seed = None
    # Every loop is kept: which there are is what is asked.
    tally.most_loops = end - start
    at = start
    if job.kernel == "core":
        row = np.array(space.arrangement(start), dtype=np.uint8)
        labels = np.frombuffer(labels_of(space.faces), dtype=np.uint8)
        rows = _lanes.arranged(row, end - start)
        run_core(tally, labels[rows], space.sizes, range(start, end))
    else:
        codes = _codes(space, job.rules)
        stepper = _stepper(space, codes)
        stepper.set(codes[space.arrangement(start)])
        arena = arena_of(_ARENA)
        tributes = [job.rules.tribute(face) for face in space.faces]
        demanded = ([tribute for tribute in tributes if tribute] + [1, 1, 1, 1])[:4]
        while at < end:
            tally.check()
            games = arena.step(stepper, min(_ARENA, end - at))
            first = at

            def deal(place: int, first: int = first) -> Deal:
                return space.unrank(first + place)

            run_lanes(tally, arena, demanded, range(at, at + games), deal, CUT_OFF)
            at += games
    loops, tally.loops = tally.loops, []
    found: dict[str, FoundCycle] = {}
    deals: dict[str, list[Endless]] = {}
    stop = None if job.stop is None else job.stop.flag
    for loop in loops:
        tally.check()
        name, period, short = name_of(space.unrank(loop.number), job.rules, stop)
        found.setdefault(name, FoundCycle(name, period, short, ()))
        deals.setdefault(name, []).append(Endless(loop.number, loop.transient))
    return tally, [cycle._replace(deals=tuple(deals[name])) for name, cycle in found.items()]


# A stepper for each thread, since listing its tails takes a while.
_here = threading.local()


def _stepper(space: Space, codes: NDArray[np.uint8]) -> _lanes.Stepper:
    """Return this thread's stepper through a space."""
    key = (space, codes.tobytes())
    known: tuple[object, _lanes.Stepper] | None = getattr(_here, "stepper", None)
    if known is None or known[0] != key:
        counts = np.bincount(codes, weights=space.counts, minlength=5)
        made = _lanes.Stepper(space.cards, space.sizes[0], [int(count) for count in counts[1:]])
        known = _here.stepper = (key, made)
    return known[1]


def _codes(space: Space, rules: Rules) -> NDArray[np.uint8]:
    """Return the code of each kind of a space in the lanes, plus one; numerals are 0.

    `kernel_for_cards` has seen to it that only the first kind can be numerals.
    """
    numerals = rules.tribute(space.faces[0]) == 0
    return np.arange(len(space.faces), dtype=np.uint8) + np.uint8(not numerals)
