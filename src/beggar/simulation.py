"""Many games: dealt, played on every core of the machine, and summed up.

Plain games of two players go to the lanes, all others to the core; the figures are the
same. Work is cut into units that one thread plays at a time, and units are summed up in
order, so that what is known at any moment covers the deals from the first one on. This
module imports all but the cross-check and the command; NumPy when it is imported.
"""

import logging
import os
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beggar import _core, _lanes
from beggar.cards import CARDS, Card
from beggar.deals import Deal
from beggar.errors import BeggarError, RulesError, quoted
from beggar.game import Game, _checked
from beggar.outcome import Outcome, Termination
from beggar.pack import BLOCK, Pack, generator_of
from beggar.rules import Rules, whole
from beggar.summary import MOST_LOOPS, Distribution, Loop, Sample, Summary, _best, _place

__all__ = ["GAME", "KERNELS", "kernel_for", "shuffle_seed", "simulate", "stream"]

#: Every kernel there may be, the core last: it plays what the others cannot.
KERNELS: Final = ("portable", "avx2", "avx512", "core")

#: One kept game, see `Summary.kept`.
GAME: Final = np.dtype(
    [
        ("cards", np.uint32),
        ("tricks", np.uint32),
        ("winner", np.int8),
        ("by_default", np.bool_),
        ("end", np.uint8),
    ]
)

# Tricks after which the lanes hand a game to the core: the longest known has 1,164.
_CUT_OFF: Final = 5000
# Blocks that a thread plays at a time: some fifteen milliseconds in the lanes.
_BLOCKS_A_UNIT: Final = 8
_ENDS: Final = (Termination.WON, Termination.LOOP, Termination.LIMIT, Termination.UNDECIDED)
_UNFINISHED: Final = np.uint64(1 << 58)
_log = logging.getLogger("beggar")


def simulate(
    n: int | None = None,
    *,
    players: int | None = None,
    rules: Rules | None = None,
    seed: int | None = None,
    threads: int | None = None,
    keep: str | None = None,
    kernel: str | None = None,
    deals: "Iterable[Deal] | NDArray[Any] | None" = None,
    progress: Callable[[Summary], object] | None = None,
) -> Summary:
    """Play many games and sum them up.

    Parameters
    ----------
    n : int, optional
        How many games, 1 or more; with *deals*, the most of them to play.
    players : int, optional
        2 to 6; else what the rules say, else 2.
    rules : Rules, optional
        The classic ones without it; they also name the deck.
    seed : int, optional
        Deal i of a seed is always the same, on any machine, by any kernel and any
        number of threads; 0 to 2**64 - 1. Without it a new one is drawn, and told in
        the summary.
    threads : int, optional
        How many threads play; as many as there are processors without it.
    keep : {None, "games"}
        Whether to keep a record of every game (13 bytes each): `Summary.kept`.
    kernel : str, optional
        One of `KERNELS`; else what the environment variable BEGGAR_KERNEL says, else
        the best of this machine. Games that a kernel cannot play go to the core.
    deals : iterable of Deal, or array_like of int, optional
        Deals to play instead of dealing: streamed if they come one by one. An array
        has one row a game of what each card demands, 0 to 5, the first half of a row
        being hand 0, top card first.
    progress : callable, optional
        Called now and then with the summary so far.

    Returns
    -------
    Summary

    Raises
    ------
    BeggarError
        If a value is not one of its parameter's; DealError, RulesError as for `Game`.

    Examples
    --------
    >>> summary = simulate(20_000, seed=1)
    >>> summary.games, summary.won, summary.cards.total
    (20000, 20000, 20000)
    >>> round(summary.cards.mean), summary.cards.quantile(0.5)
    (255, 192)
    >>> summary == simulate(20_000, seed=1, threads=1, kernel="portable")
    True
    """
    done = None
    for done in stream(
        n,
        players=players,
        rules=rules,
        seed=seed,
        threads=threads,
        keep=keep,
        kernel=kernel,
        deals=deals,
    ):
        if progress is not None:
            progress(done)
    if done is None:
        raise BeggarError("no deals were given: expected one or more")
    return done


def stream(
    n: int | None = None,
    *,
    players: int | None = None,
    rules: Rules | None = None,
    seed: int | None = None,
    threads: int | None = None,
    keep: str | None = None,
    kernel: str | None = None,
    deals: "Iterable[Deal] | NDArray[Any] | None" = None,
    executor: Executor | None = None,
) -> Iterator[Summary]:
    """Play many games and yield the summary so far, now and then, at last the whole.

    Parameters and errors are those of `simulate`; each summary covers the games from
    the first one on. *executor* runs the work, if it is not to be threads.
    """
    rules = Rules() if rules is None else rules
    if deals is None or n is not None:
        n = _count("n", n)
    threads = os.cpu_count() or 1 if threads is None else _count("threads", threads)
    if keep not in (None, "games"):
        raise BeggarError(f"keep: {quoted(keep)} is not a value: expected None or 'games'")
    if seed is None:
        seed = np.random.SeedSequence().generate_state(1, np.uint64).item()
    seed = whole(seed)  # type: ignore[assignment]
    assert seed is not None
    _checked((), rules.replace(players=None), seed)
    if deals is not None:
        yield from _stream_of_deals(deals, n, rules, seed, keep, kernel)
        return
    players = _players(players, rules)
    job = _Job(rules, players, seed, keep == "games", kernel_for(rules, players, kernel))
    assert n is not None
    units = (
        (job, start, min(start + _BLOCKS_A_UNIT * BLOCK, n))
        for start in range(0, n, _BLOCKS_A_UNIT * BLOCK)
    )
    total = _Total(job)
    pool = ThreadPoolExecutor(threads) if executor is None else executor
    try:
        # As many units in flight as keep every thread busy, and no more.
        running: deque[Future[_Tally]] = deque(
            pool.submit(_play_unit, *unit) for unit in islice(units, 2 * threads)
        )
        while running:
            total.add(running.popleft().result())
            for unit in islice(units, 1):
                running.append(pool.submit(_play_unit, *unit))
            yield total.summary()
    finally:
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)


def shuffle_seed(seed: int, number: int) -> int:
    """Return the seed of the shuffles within game *number* of a simulation.

    So that ``Game(summary.deal(number), rules, seed=shuffle_seed(seed, number))`` is
    the game that was played.
    """
    return (seed * 0x9E3779B97F4A7C15 + number) % 2**64


def kernel_for(rules: Rules, players: int, kernel: str | None = None) -> str:
    """Return the kernel that plays some rules.

    Raises
    ------
    BeggarError
        If the kernel asked for, by *kernel* or BEGGAR_KERNEL, is not one of this
        machine's.
    """
    here = (*_lanes.kernels(), "core")
    asked = kernel if kernel is not None else os.environ.get("BEGGAR_KERNEL") or None
    if asked is not None and asked not in here:
        where = "kernel" if kernel is not None else "BEGGAR_KERNEL"
        raise BeggarError(
            f"{where}: {quoted(asked)} is not a kernel of this machine: expected {', '.join(here)}"
        )
    wanted = here[-2] if asked is None else asked
    if wanted != "core":
        reason = _beyond_lanes(rules, players)
        if reason:
            _log_once(f"kernel {wanted} does not play {reason}: the core does")
            return "core"
    return wanted


def _beyond_lanes(rules: Rules, players: int) -> str:
    """Say what of these rules the lanes do not play, if anything."""
    defaults = Rules()
    plain = ("elimination", "shuffle_pile", "lead", "pickup", "until_penalty")
    for name in plain:
        if getattr(rules, name) != getattr(defaults, name):
            return f"{name}={getattr(rules, name)}"
    if rules.has_limit:
        return "limits"
    if rules.budget_tricks is not None and rules.budget_tricks <= 2 * _CUT_OFF:
        return f"a budget of {rules.budget_tricks} tricks"
    if Pack(rules, players).dealer is None:
        return f"this deck ({players} players, {rules.deck}, {rules.jokers} jokers)"
    return ""


_logged: set[str] = set()


def _log_once(message: str) -> None:
    if message not in _logged:
        _logged.add(message)
        _log.debug(message)


class _Job(NamedTuple):
    """What every unit of one simulation has in common."""

    rules: Rules
    players: int
    seed: int
    keep: bool
    kernel: str


class _Tally:
    """What some games came to, as arrays that are counted into."""

    def __init__(self, job: _Job) -> None:
        self.job = job
        self.games = 0
        self.ends = [0, 0, 0, 0]
        self.by_default = 0
        self.wins = np.zeros(job.players, dtype=np.int64)
        self.cards = np.zeros(0, dtype=np.int64)
        self.tricks = np.zeros(0, dtype=np.int64)
        self.longest: Sample | None = None
        self.shortest: Sample | None = None
        self.loops: list[Loop] = []
        self.kept: list[NDArray[Any]] = []

    def room(self, cards: int, tricks: int) -> None:
        """Make the histograms long enough."""
        for name, most in (("cards", cards), ("tricks", tricks)):
            counts = getattr(self, name)
            if most >= counts.size:
                longer = np.zeros(most + most // 2 + 64, dtype=np.int64)
                longer[: counts.size] = counts
                setattr(self, name, longer)

    def sample(self, number: int, cards: int, tricks: int, winner: int | None, deal: str) -> None:
        """Remember a game if none was longer, or shorter."""
        sample = Sample(self.job.seed, number, deal, cards, tricks, winner)
        self.longest = _best((self.longest, sample), -1)
        self.shortest = _best((self.shortest, sample), 1)

    def beats(self, cards: int) -> bool:
        """Tell whether a game of so many cards would be remembered."""
        return (
            self.longest is None
            or self.shortest is None
            or cards > self.longest.cards
            or cards < self.shortest.cards
        )

    def outcome(self, number: int, deal: Deal, outcome: Outcome) -> None:
        """Count one game that the core has decided."""
        self.ends[_ENDS.index(outcome.termination)] += 1
        if outcome.winner is not None:
            self.wins[outcome.winner] += 1
        if outcome.termination is Termination.WON:
            self.room(outcome.cards, outcome.tricks)
            self.cards[outcome.cards] += 1
            self.tricks[outcome.tricks] += 1
            self.by_default += bool(outcome.last_by_default)
            if self.beats(outcome.cards):
                self.sample(number, outcome.cards, outcome.tricks, outcome.winner, str(deal))
        elif outcome.cycle is not None and len(self.loops) < MOST_LOOPS:
            cycle = outcome.cycle
            self.loops.append(Loop(self.job.seed, number, str(deal), cycle.transient, cycle.period))


class _Total(_Tally):
    """The tallies of the units so far.

    *given* tells that the deals were given, and so have no seed.
    """

    def __init__(self, job: _Job, given: bool = False) -> None:
        super().__init__(job)
        self.given = given

    def add(self, other: _Tally) -> None:
        """Add the next unit's."""
        self.games += other.games
        self.ends = [a + b for a, b in zip(self.ends, other.ends, strict=True)]
        self.by_default += other.by_default
        self.wins += other.wins
        self.room(other.cards.size, other.tricks.size)
        self.cards[: other.cards.size] += other.cards
        self.tricks[: other.tricks.size] += other.tricks
        self.longest = _best((self.longest, other.longest), -1)
        self.shortest = _best((self.shortest, other.shortest), 1)
        self.loops = sorted([*self.loops, *other.loops], key=_place)[:MOST_LOOPS]
        self.kept += other.kept

    def summary(self) -> Summary:
        """Return what is known so far."""
        job = self.job
        won, looped, limited, undecided = self.ends
        return Summary(
            games=self.games,
            players=job.players,
            rules=job.rules,
            seed=None if self.given else job.seed,
            wins=tuple(self.wins.tolist()),
            won=won,
            looped=looped,
            limited=limited,
            undecided=undecided,
            by_default=self.by_default,
            cards=Distribution(self.cards.copy()),
            tricks=Distribution(self.tricks.copy()),
            longest=self.longest,
            shortest=self.shortest,
            loops=tuple(self.loops),
            kept=np.concatenate(self.kept) if job.keep and self.kept else None,
        )


def _play_unit(job: _Job, start: int, stop: int) -> _Tally:
    """Play the deals from *start* to before *stop*, which is the work of one thread."""
    tally = _Tally(job)
    pack = Pack(job.rules, job.players)
    play = _play_in_core if job.kernel == "core" else _play_in_lanes
    for first in range(start - start % BLOCK, stop, BLOCK):
        skip = max(start - first, 0)
        play(tally, pack, first, skip, min(stop - first, BLOCK) - skip)
    return tally


# An arena for each thread, since laying one out takes a while.
_here = threading.local()


def _arena(games: int) -> _lanes.Arena:
    arena: _lanes.Arena | None = getattr(_here, "arena", None)
    if arena is None or arena.size < games:
        arena = _here.arena = _lanes.Arena(max(games, BLOCK))
    return arena


def _tributes_of(pack: Pack, rules: Rules) -> list[int]:
    assert pack.faces is not None
    return [rules.tribute(face) or 1 for face in pack.faces[1:]]


def _play_in_lanes(tally: _Tally, pack: Pack, block: int, skip: int, games: int) -> None:
    """Deal a part of the block that begins with deal *block*, and play it in the lanes."""
    job = tally.job
    assert pack.dealer is not None
    arena = _arena(games)
    arena.deal(pack.dealer, generator_of(job.seed, block // BLOCK), skip, games)
    _run_lanes(tally, arena, _tributes_of(pack, job.rules), games, block + skip, pack.deal)


def _run_lanes(
    tally: _Tally,
    arena: _lanes.Arena,
    tributes: list[int],
    games: int,
    first: int,
    deal_of: Callable[[int, int], Deal],
) -> None:
    """Play what is dealt in an arena, games numbered from *first* on, and count it."""
    job = tally.job
    arena.play(job.kernel, games, tributes, _CUT_OFF)
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
            _decide(tally, first + at, deal_of(job.seed, first + at), at, games)


def _records_of(ends: NDArray[np.uint64]) -> NDArray[Any]:
    records = np.zeros(ends.size, dtype=GAME)
    records["cards"] = ends & np.uint64(0xFFFFFFFF)
    records["tricks"] = ends >> np.uint64(32) & np.uint64(0xFFFFFF)
    records["winner"] = ends >> np.uint64(56) & np.uint64(1)
    records["by_default"] = ends >> np.uint64(57) & np.uint64(1)
    return records


def _decide(tally: _Tally, number: int, deal: Deal, at: int, games: int) -> None:
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
            _ENDS.index(outcome.termination),
        )


def _play_in_core(tally: _Tally, pack: Pack, block: int, skip: int, games: int) -> None:
    """Deal a part of the block that begins with deal *block*, and play it in the core."""
    job = tally.job
    rows = pack.rows(job.seed, block // BLOCK, skip, games)
    _run_core(tally, rows, pack.sizes, block + skip, pack.deal_of)


def _run_core(
    tally: _Tally,
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
        _checked((), job.rules.replace(players=None), job.seed),
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
        _decide(tally, first + at, deal_of(rows[at]), at, games)


# -- Deals that are given -----------------------------------------------------------------


def _stream_of_deals(
    deals: "Iterable[Deal] | NDArray[Any]",
    n: int | None,
    rules: Rules,
    seed: int,
    keep: str | None,
    kernel: str | None,
) -> Iterator[Summary]:
    """Play deals that are given, some thousands at a time."""
    if isinstance(deals, np.ndarray):
        deals = _deals_of_rows(deals)
    given = iter(deals)
    total: _Total | None = None
    number = 0
    while n is None or number < n:
        some = list(islice(given, min(BLOCK, BLOCK if n is None else n - number)))
        if not some:
            return
        for place, deal in enumerate(some, number):
            if type(deal) is not Deal:
                raise BeggarError(f"deal {place}: {quoted(deal)} is not a Deal: expected one")
        if total is None:
            players = _players(some[0].players, rules)
            # Deals that are given have no seed, but their shuffles have.
            job = _Job(rules, players, seed, keep == "games", kernel_for(rules, players, kernel))
            total = _Total(job, given=True)
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


def _play_given(job: _Job, deals: list[Deal], first: int) -> _Tally:
    """Play deals that are given; one after another, since all may differ in size."""
    tally = _Tally(job)
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


def _play_alike(tally: _Tally, deals: list[Deal], first: int) -> None:
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
        if plain and len(kinds) <= 4 and (demanded > 0).sum(axis=1).max() <= _lanes.MOST_PENALTIES:
            if job.rules.joker == "super" or not jokers[rows].any():
                codes = np.zeros(16, dtype=np.uint8)
                codes[kinds] = np.arange(1, len(kinds) + 1)
                arena = _arena(len(deals))
                arena.load(np.ascontiguousarray(codes[demanded]), sizes[0])
                four = (kinds + [1, 1, 1, 1])[:4]
                _run_lanes(
                    tally, arena, four, len(deals), first, lambda _, number: deals[number - first]
                )
                return
        _run_core(tally, rows, sizes, first, Pack.of_sizes(sizes))
        return
    # Another seat leads: the core, one by one.
    if job.keep:
        tally.kept.append(np.zeros(len(deals), dtype=GAME))
    for at, deal in enumerate(deals):
        tally.games += 1
        _decide(tally, first + at, deal, at, len(deals))


def _count(name: str, value: object) -> int:
    number = whole(value)
    if type(number) is not int or number < 1:
        raise BeggarError(f"{name}: {quoted(value)} is not a count: expected a whole number from 1")
    return number


def _players(players: int | None, rules: Rules) -> int:
    """Return how many play, as told or by the rules."""
    told = players if players is not None else rules.players or 2
    Rules(players=told)
    if rules.players not in (None, told):
        raise RulesError(
            f"{told} players, but the rules are for {rules.players}: expected the same"
        )
    return told
