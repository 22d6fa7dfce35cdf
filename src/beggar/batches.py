"""Playing games by the thousand: blocks that are dealt, and deals that are given.

A unit is what one thread plays at a time; it comes to a tally. This module imports
`cards`, `deals`, `rules`, `game`, `pack`, `tally`, and the engines; NumPy when it is
imported.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beggar import _core, _lanes
from beggar.cards import CARDS, Card
from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.game import Game, checked
from beggar.pack import BLOCK, Pack, generator_of
from beggar.rules import Rules
from beggar.summary import Summary
from beggar.tally import ENDS, GAME, Job, Tally, Total

__all__ = ["CUT_OFF", "play_unit", "shuffle_seed", "stream_of_deals"]

#: Tricks after which the lanes hand a game to the core: the longest known has 1,164.
CUT_OFF: Final = 5000
_UNFINISHED: Final = np.uint64(1 << 58)


def shuffle_seed(seed: int, number: int) -> int:
    """Return the seed of the shuffles within game *number* of a simulation.

    So that ``Game(summary.deal(number), rules, seed=shuffle_seed(seed, number))`` is
    the game that was played.
    """
    return (seed * 0x9E3779B97F4A7C15 + number) % 2**64


def play_unit(job: Job, start: int, stop: int) -> Tally:
    """Play the deals from *start* to before *stop*, which is the work of one thread."""
    tally = Tally(job)
    pack = job.pack
    assert pack is not None
    play = _play_in_core if job.kernel == "core" else _play_in_lanes
    for first in range(start - start % BLOCK, stop, BLOCK):
        skip = max(start - first, 0)
        play(tally, pack, first, skip, min(stop - first, BLOCK) - skip)
    return tally


# An arena for each thread, since laying one out takes a while.
_here = threading.local()


def arena_of(games: int) -> _lanes.Arena:
    arena: _lanes.Arena | None = getattr(_here, "arena", None)
    if arena is None or arena.size < games:
        arena = _here.arena = _lanes.Arena(max(games, BLOCK))
    return arena


def _tributes_of(pack: Pack, rules: Rules) -> list[int]:
    assert pack.faces is not None
    return [rules.tribute(face) or 1 for face in pack.faces[1:]]


def _play_in_lanes(tally: Tally, pack: Pack, block: int, skip: int, games: int) -> None:
    """Deal a part of the block that begins with deal *block*, and play it in the lanes."""
    job = tally.job
    assert pack.dealer is not None
    arena = arena_of(games)
    arena.deal(pack.dealer, generator_of(job.seed, block // BLOCK), skip, games)
    run_lanes(tally, arena, _tributes_of(pack, job.rules), games, block + skip, pack.deal)


def run_lanes(
    tally: Tally,
    arena: _lanes.Arena,
    tributes: list[int],
    games: int,
    first: int,
    deal_of: Callable[[int, int], Deal],
) -> None:
    """Play what is dealt in an arena, games numbered from *first* on, and count it."""
    job = tally.job
    arena.play(job.kernel, games, tributes, CUT_OFF)
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
            if tally.beats(cards):
                deal = str(deal_of(job.seed, first + at))
                tally.sample(first + at, cards, end >> 32 & 0xFFFFFF, end >> 56 & 1, deal)
    if job.keep:
        tally.kept.append(_records_of(ends))
    if unfinished:
        for at in np.flatnonzero(ends & _UNFINISHED).tolist():
            decide(tally, first + at, deal_of(job.seed, first + at), at, games)


def _records_of(ends: NDArray[np.uint64]) -> NDArray[Any]:
    records = np.zeros(ends.size, dtype=GAME)
    records["cards"] = ends & np.uint64(0xFFFFFFFF)
    records["tricks"] = ends >> np.uint64(32) & np.uint64(0xFFFFFF)
    records["winner"] = ends >> np.uint64(56) & np.uint64(1)
    records["by_default"] = ends >> np.uint64(57) & np.uint64(1)
    return records


def decide(tally: Tally, number: int, deal: Deal, at: int, games: int) -> None:
    """Let the core decide one game, the *at*-th of the last *games*, whatever it takes."""
    job = tally.job
    game = Game(deal, job.rules, seed=shuffle_seed(job.seed, number))
    outcome = game.play()
    tally.outcome(number, deal, outcome)
    if job.keep:
        tally.kept[-1][at] = (
            outcome.cards,
            outcome.tricks,
            -1 if outcome.winner is None else outcome.winner,
            bool(outcome.last_by_default),
            ENDS.index(outcome.termination),
        )


def _play_in_core(tally: Tally, pack: Pack, block: int, skip: int, games: int) -> None:
    """Deal a part of the block that begins with deal *block*, and play it in the core."""
    job = tally.job
    rows = pack.rows(job.seed, block // BLOCK, skip, games)
    run_core(tally, rows, pack.sizes, block + skip, pack.deal_of)


def run_core(
    tally: Tally,
    rows: NDArray[np.uint8],
    sizes: tuple[int, ...],
    first: int,
    deal_of: Callable[[NDArray[np.uint8]], Deal],
) -> None:
    """Play rows of labels in the core, games numbered from *first* on, and count them."""
    job = tally.job
    games = len(rows)
    numbers = np.arange(first, first + games, dtype=np.uint64)
    seeds = numbers + np.uint64(shuffle_seed(job.seed, 0))
    records = np.zeros(games, dtype=GAME)
    cards, tricks = np.zeros(games, np.uint32), np.zeros(games, np.uint32)
    winner, by_default = np.zeros(games, np.int8), np.zeros(games, np.uint8)
    _core.play_many(
        checked((), job.rules.replace(players=None), job.seed),
        rows, sizes, seeds, cards, tricks, winner, by_default,
    )  # fmt: skip
    won = winner >= 0
    tally.games += games
    tally.ends[0] += int(won.sum())
    tally.by_default += int(by_default[won].sum())
    tally.wins += np.bincount(winner[won], minlength=job.players)
    if won.any():
        counted = cards[won]
        tally.room(int(counted.max()), int(tricks[won].max()))
        for name, values in (("cards", counted), ("tricks", tricks[won])):
            counts = getattr(tally, name)
            counts += np.bincount(values, minlength=counts.size)
        places = np.flatnonzero(won)
        for at in (places[counted.argmax()], places[counted.argmin()]):
            if tally.beats(int(cards[at])):
                tally.sample(
                    first + int(at), int(cards[at]), int(tricks[at]), int(winner[at]),
                    str(deal_of(rows[at])),
                )  # fmt: skip
    if job.keep:
        records["cards"], records["tricks"] = cards, tricks
        records["winner"], records["by_default"] = winner, by_default
        tally.kept.append(records)
    for at in np.flatnonzero(~won).tolist():
        decide(tally, first + at, deal_of(rows[at]), at, games)


# -- Deals that are given -----------------------------------------------------------------


def stream_of_deals(
    deals: "Iterable[Deal] | NDArray[Any]",
    n: int | None,
    job_for: Callable[[int], Job],
) -> Iterator[Summary]:
    """Play deals that are given, some thousands at a time; the first tells how many play."""
    if isinstance(deals, np.ndarray):
        deals = _deals_of_rows(deals)
    given = iter(deals)
    total: Total | None = None
    number = 0
    while n is None or number < n:
        some = list(islice(given, min(BLOCK, BLOCK if n is None else n - number)))
        if not some:
            return
        for place, deal in enumerate(some, number):
            if type(deal) is not Deal:
                raise BeggarError(f"deal {place}: {quoted(deal)} is not a Deal: expected one")
        if total is None:
            job = job_for(some[0].players)
            total = Total(job)
        total.add(_play_given(total.job, some, number))
        number += len(some)
        yield total.summary()


def _deals_of_rows(rows: NDArray[Any]) -> Iterator[Deal]:
    """Yield the deals of rows of tributes, half of each a hand."""
    if rows.ndim != 2 or rows.dtype.kind not in "iu" or rows.shape[1] < 2:
        raise BeggarError(
            f"deals: an array of shape {rows.shape} of {rows.dtype}: expected rows of whole numbers"
        )
    half = (rows.shape[1] + 1) // 2
    for number, row in enumerate(rows):
        if row.min() < 0 or row.max() > 5:
            raise BeggarError(f"deals: row {number} goes beyond 0 to 5: expected tributes")
        cards = [Card.tributed(tribute) for tribute in row.tolist()]
        yield Deal([cards[:half], cards[half:]])


def _play_given(job: Job, deals: list[Deal], first: int) -> Tally:
    """Play deals that are given; one after another, since all may differ in size."""
    tally = Tally(job)
    at = 0
    while at < len(deals):
        # As many of one size as there are together.
        sizes, leader = deals[at].sizes, deals[at].leader
        together = at
        while together < len(deals) and (deals[together].sizes, deals[together].leader) == (
            sizes, leader,
        ):  # fmt: skip
            together += 1
        some = deals[at:together]
        if len(sizes) != job.players:
            raise BeggarError(
                f"deal {first + at} has {len(sizes)} hands: expected {job.players}, as the first"
            )
        _play_alike(tally, some, first + at)
        at = together
    return tally


def _play_alike(tally: Tally, deals: list[Deal], first: int) -> None:
    """Play deals of the same sizes."""
    job = tally.job
    for deal in deals:
        job.rules.check_hands(deal.hands)
    sizes = deals[0].sizes
    if deals[0].leader == 0:
        rows = np.frombuffer(b"".join(b"".join(deal.labels) for deal in deals), dtype=np.uint8)
        rows = rows.reshape(len(deals), sum(sizes))
        tributes = np.array([job.rules.tribute(card) for card in CARDS], dtype=np.uint8)
        jokers = np.array([card.is_joker for card in CARDS])
        demanded = tributes[rows]
        kinds = np.unique(demanded[demanded > 0]).tolist()
        plain = job.kernel != "core" and len(sizes) == 2 and sum(sizes) <= _lanes.MOST_CARDS
        plain &= len(kinds) <= 4
        plain &= bool((demanded > 0).sum(axis=1).max() <= _lanes.MOST_PENALTIES)
        plain &= job.rules.joker == "super" or not jokers[rows].any()
        if plain:
            codes = np.zeros(16, dtype=np.uint8)
            codes[kinds] = np.arange(1, len(kinds) + 1)
            arena = arena_of(len(deals))
            arena.load(np.ascontiguousarray(codes[demanded]), sizes[0])
            four = [*kinds, 1, 1, 1, 1][:4]
            run_lanes(
                tally, arena, four, len(deals), first, lambda _, number: deals[number - first]
            )
            return
        run_core(tally, rows, sizes, first, Pack.of_sizes(sizes))
        return
    # Another seat leads: the core, one by one.
    if job.keep:
        tally.kept.append(np.zeros(len(deals), dtype=GAME))
    for at, deal in enumerate(deals):
        tally.games += 1
        decide(tally, first + at, deal, at, len(deals))
