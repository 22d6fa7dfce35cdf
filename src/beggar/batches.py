"""Playing games by the thousand: blocks that are dealt, and deals that are given.

A unit is what one thread plays at a time; it comes to a tally. This module imports
`cards`, `deals`, `rules`, `game`, `pack`, `tally`, and the engines; NumPy when it is
imported.
"""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beggar import _core, _lanes
from beggar.cards import CARDS, Card
from beggar.deals import MAX_CARDS, Deal
from beggar.errors import BeggarError, RulesError, quoted
from beggar.game import Game, checked
from beggar.pack import BLOCK, Pack, generator_of
from beggar.summary import Summary
from beggar.tally import ENDS, GAME, Job, Tally, Total

__all__ = [
    "CUT_OFF",
    "arena_of",
    "play_unit",
    "run_core",
    "run_lanes",
    "shuffle_seed",
    "stream_of_deals",
]

#: Tricks after which the lanes hand a game to the core: the longest known has 1,164.
CUT_OFF: Final = 5000
_UNFINISHED: Final = np.uint64(1 << 58)
# Games that the core plays between two looks at whether they are wanted any more.
_CORE_SLICE: Final = 512


def shuffle_seed(seed: int, number: int) -> int:
    """Return the seed of the shuffles within game *number* of a simulation.

    So that ``Game(summary.deal(number), rules, seed=shuffle_seed(seed, number))`` is
    the game that was played.
    """
    return (seed * 0x9E3779B97F4A7C15 + number) % 2**64


def play_unit(job: Job, start: int, stop: int) -> Tally:
    """Play the deals from *start* to before *stop*, which is the work of one thread."""
    tally = Tally(job)
    for first in range(start - start % BLOCK, stop, BLOCK):
        skip = max(start - first, 0)
        games = min(stop - first, BLOCK) - skip
        if job.kernel == "core":
            _deal_to_core(tally, first, skip, games)
        else:
            _deal_to_lanes(tally, first, skip, games)
    return tally


# An arena for each thread, since laying one out takes a while.
_here = threading.local()


def arena_of(games: int) -> _lanes.Arena:
    """Return this thread's arena, with room for so many games."""
    arena: _lanes.Arena | None = getattr(_here, "arena", None)
    if arena is None or arena.size < games:
        arena = _here.arena = _lanes.Arena(max(games, BLOCK))
    return arena


def _deal_to_lanes(tally: Tally, first: int, skip: int, games: int) -> None:
    """Deal a part of the block that begins with deal *first*, and play it in the lanes."""
    job = tally.job
    pack = job.pack
    assert pack is not None
    assert pack.dealer is not None
    assert pack.faces is not None
    arena = arena_of(games)
    arena.deal(pack.dealer, generator_of(job.seed, first // BLOCK), skip, games)
    tributes = [job.rules.tribute(face) or 1 for face in pack.faces[1:]]

    def deal(at: int) -> Deal:
        row = arena.dealt(at, 1, sum(pack.sizes), pack.sizes[0])[0]
        return pack.deal_of(pack.labels[row])

    run_lanes(tally, arena, tributes, range(first + skip, first + skip + games), deal)


def _deal_to_core(tally: Tally, first: int, skip: int, games: int) -> None:
    """Deal a part of the block that begins with deal *first*, and play it in the core."""
    pack = tally.job.pack
    assert pack is not None
    rows = pack.rows(tally.job.seed, first // BLOCK, skip, games)
    run_core(tally, rows, pack.sizes, range(first + skip, first + skip + games))


def run_lanes(
    tally: Tally,
    arena: _lanes.Arena,
    tributes: list[int],
    numbers: Sequence[int],
    deal_of: Callable[[int], Deal],
    cut_off: int = CUT_OFF,
) -> None:
    """Play what is dealt in an arena, and count it.

    *numbers* are those of the games, in order; *deal_of* gives the deal of a place. Games of
    more than *cut_off* tricks go to the core.
    """
    job = tally.job
    games = len(numbers)
    arena.play(job.kernel, games, tributes, cut_off)
    ends = arena.ends[:games]
    most_cards, most_tricks, unfinished = _lanes.extremes(ends)
    tally.room(most_cards, most_tricks)
    won, by_default, longest, shortest = _lanes.tally(ends, tally.cards, tally.tricks, tally.wins)
    tally.games += games
    tally.ends[0] += won
    tally.by_default += by_default
    for at in (longest, shortest):
        if at >= 0:
            end = int(ends[at])
            cards = end & 0xFFFFFFFF
            if tally.beats(cards, numbers[at]):
                deal = str(deal_of(at))
                tally.sample(numbers[at], cards, end >> 32 & 0xFFFFFF, end >> 56 & 1, deal)
    if job.keep:
        records = np.zeros(games, dtype=GAME)
        records["cards"] = ends & np.uint64(0xFFFFFFFF)
        records["tricks"] = ends >> np.uint64(32) & np.uint64(0xFFFFFF)
        records["winner"] = ends >> np.uint64(56) & np.uint64(1)
        records["by_default"] = ends >> np.uint64(57) & np.uint64(1)
        tally.kept.append(records)
    if unfinished:
        for at in np.flatnonzero(ends & _UNFINISHED).tolist():
            _decide(tally, numbers[at], deal_of(at), at)


def run_core(
    tally: Tally, rows: NDArray[np.uint8], sizes: tuple[int, ...], numbers: Sequence[int]
) -> None:
    """Play rows of labels in the core, and count them; *numbers* are those of the games."""
    job = tally.job
    games = len(rows)
    seeds = np.array([shuffle_seed(job.seed, number) for number in numbers], dtype=np.uint64)
    cards, tricks = np.zeros(games, np.uint32), np.zeros(games, np.uint32)
    winner, by_default = np.zeros(games, np.int8), np.zeros(games, np.uint8)
    spec = checked((), job.rules.replace(players=None), job.seed)
    for start in range(0, games, _CORE_SLICE):
        tally.check()
        part = slice(start, start + _CORE_SLICE)
        _core.play_many(
            spec, rows[part], sizes, seeds[part], cards[part], tricks[part], winner[part],
            by_default[part],
        )  # fmt: skip
    won = winner >= 0
    tally.games += games
    tally.ends[0] += int(won.sum())
    tally.by_default += int(by_default[won].sum())
    tally.wins += np.bincount(winner[won], minlength=job.players)
    deal_of = Pack.of_sizes(sizes)
    if won.any():
        counted = cards[won]
        tally.room(int(counted.max()), int(tricks[won].max()))
        for name, values in (("cards", counted), ("tricks", tricks[won])):
            counts = getattr(tally, name)
            counts += np.bincount(values, minlength=counts.size)
        places = np.flatnonzero(won)
        for at in (int(places[counted.argmax()]), int(places[counted.argmin()])):
            if tally.beats(int(cards[at]), numbers[at]):
                deal = str(deal_of(rows[at]))
                tally.sample(numbers[at], int(cards[at]), int(tricks[at]), int(winner[at]), deal)
    if job.keep:
        records = np.zeros(games, dtype=GAME)
        records["cards"], records["tricks"] = cards, tricks
        records["winner"], records["by_default"] = winner, by_default
        tally.kept.append(records)
    for at in np.flatnonzero(~won).tolist():
        _decide(tally, numbers[at], deal_of(rows[at]), at)


def _decide(tally: Tally, number: int, deal: Deal, at: int) -> None:
    """Let the core decide one game, the *at*-th of those counted last, whatever it takes."""
    job = tally.job
    game = Game(deal, job.rules, seed=shuffle_seed(job.seed, number))
    outcome = job.stop.play(game) if job.stop is not None else game.play()
    tally.outcome(number, deal, outcome)
    if job.keep:
        tally.kept[-1][at] = (
            outcome.cards,
            outcome.tricks,
            -1 if outcome.winner is None else outcome.winner,
            bool(outcome.last_by_default),
            ENDS.index(outcome.termination),
        )


# -- Deals that are given -----------------------------------------------------------------


def stream_of_deals(
    deals: "Iterable[Deal] | NDArray[Any]", n: int | None, job_for: Callable[[int], Job]
) -> Iterator[Summary]:
    """Play deals that are given, some thousands at a time; the first tells how many play."""
    total: Total | None = None
    number = 0
    for sizes_of, rows_of in _chunks(deals, n):
        if total is None:
            total = Total(job_for(len(sizes_of[0])))
        total.add(_play_given(total.job, sizes_of, rows_of, number))
        number += len(sizes_of)
        yield total.summary()


#: One deal: its sizes and who leads, and the labels of its cards.
_Sizes = tuple[int, ...]
_Chunk = tuple[list[_Sizes], list[bytes]]


def _chunks(deals: "Iterable[Deal] | NDArray[Any]", n: int | None) -> Iterator[_Chunk]:
    """Yield some thousand deals at a time: the sizes of each, and the labels of its cards."""
    if isinstance(deals, np.ndarray):
        yield from _chunks_of_rows(deals if n is None else deals[:n])
        return
    try:
        given = iter(deals)
    except TypeError:
        raise BeggarError(f"deals: {quoted(deals)} are no deals: expected Deals") from None
    number = 0
    while n is None or number < n:
        some = list(islice(given, BLOCK if n is None else min(BLOCK, n - number)))
        if not some:
            return
        sizes, rows = [], []
        for place, deal in enumerate(some, number):
            if type(deal) is not Deal:
                raise BeggarError(f"deal {place}: {quoted(deal)} is not a Deal: expected one")
            # Seats are counted from who leads, as in a row; a lead of another seat is kept
            # by the leader's place behind the sizes, made negative.
            sizes.append((*deal.sizes, -deal.leader) if deal.leader else deal.sizes)
            rows.append(b"".join(deal.labels))
        yield sizes, rows
        number += len(some)


def _chunks_of_rows(rows: NDArray[Any]) -> Iterator[_Chunk]:
    """Yield the deals of rows of tributes, half of each a hand."""
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or not 2 <= rows.shape[1] <= MAX_CARDS:
        raise BeggarError(
            f"deals: an array of shape {rows.shape} of {rows.dtype}: expected rows of whole numbers"
        )
    beyond = ((rows < 0) | (rows > 5)).any(axis=1)
    if beyond.any():
        raise BeggarError(
            f"deals: row {int(beyond.argmax())} goes beyond 0 to 5: expected tributes"
        )
    half = (rows.shape[1] + 1) // 2
    labels = (rows + Card.tributed(0).label).astype(np.uint8)
    for start in range(0, len(rows), BLOCK):
        part = labels[start : start + BLOCK]
        yield [(half, rows.shape[1] - half)] * len(part), [row.tobytes() for row in part]


def _play_given(job: Job, sizes_of: list[_Sizes], rows_of: list[bytes], first: int) -> Tally:
    """Play deals that are given, those of the same sizes together."""
    tally = Tally(job)
    alike: dict[_Sizes, list[int]] = {}
    for at, sizes in enumerate(sizes_of):
        alike.setdefault(sizes, []).append(at)
    for sizes, places in alike.items():
        leader = -sizes[-1] if sizes[-1] < 0 else 0
        hands = sizes[:-1] if leader else sizes
        if len(hands) != job.players:
            raise BeggarError(
                f"deal {first + places[0]} has {len(hands)} hands: "
                f"expected {job.players}, as the first or the rules"
            )
        labels = np.frombuffer(b"".join(rows_of[at] for at in places), dtype=np.uint8)
        rows = labels.reshape(len(places), sum(hands))
        numbers = [first + at for at in places]
        _check_letters(job, rows, hands)
        if leader:
            _play_led(tally, rows, hands, leader, numbers)
        elif not _play_plain(tally, rows, hands, numbers):
            run_core(tally, rows, hands, numbers)
    if job.keep:
        # Back into the order in which they were given.
        ordered = np.zeros(len(sizes_of), dtype=GAME)
        ordered[[at for places in alike.values() for at in places]] = np.concatenate(tally.kept)
        tally.kept = [ordered]
    return tally


def _check_letters(job: Job, rows: NDArray[np.uint8], sizes: _Sizes) -> None:
    """Refuse what the rules cannot read for certain: the first deal that is so says it."""
    for label in np.unique(rows).tolist():
        try:
            job.rules.check_hands([[CARDS[label]]] * len(sizes))
        except RulesError:
            place = int((rows == label).any(axis=1).argmax())
            job.rules.check_hands(Pack.of_sizes(sizes)(rows[place]).hands)


def _play_plain(tally: Tally, rows: NDArray[np.uint8], sizes: _Sizes, numbers: list[int]) -> bool:
    """Play deals of the same sizes in the lanes, and tell whether these could."""
    job = tally.job
    if job.kernel == "core" or len(sizes) != 2 or sum(sizes) > _lanes.MOST_CARDS:
        return False
    tributes = np.array([job.rules.tribute(card) for card in CARDS], dtype=np.uint8)
    jokers = np.array([card.is_joker for card in CARDS])
    demanded = tributes[rows]
    kinds = np.unique(demanded[demanded > 0]).tolist()
    if len(kinds) > 4 or (demanded > 0).sum(axis=1).max() > _lanes.MOST_PENALTIES:
        return False
    if job.rules.joker != "super" and jokers[rows].any():
        return False
    codes = np.zeros(16, dtype=np.uint8)
    codes[kinds] = np.arange(1, len(kinds) + 1)
    arena = arena_of(len(rows))
    arena.load(np.ascontiguousarray(codes[demanded]), sizes[0])
    deal_of = Pack.of_sizes(sizes)
    run_lanes(tally, arena, [*kinds, 1, 1, 1, 1][:4], numbers, lambda at: deal_of(rows[at]))
    return True


def _play_led(
    tally: Tally, rows: NDArray[np.uint8], sizes: _Sizes, leader: int, numbers: list[int]
) -> None:
    """Play deals that another seat than 0 leads, one by one."""
    deal_of = Pack.of_sizes(sizes)
    tally.games += len(rows)
    if tally.job.keep:
        tally.kept.append(np.zeros(len(rows), dtype=GAME))
    for at, row in enumerate(rows):
        _decide(tally, numbers[at], Deal(deal_of(row).hands, leader), at)
