"""Many games: dealt, played on every core of the machine, and summed up.

Plain games of two players go to the lanes, all others to the core; the figures are the
same. Work is cut into units that one thread plays at a time, and units are summed up in
order, so that what is known at any moment covers the deals from the first one on. This
module imports all but the cross-check and the command; NumPy when it is imported.
"""

import logging
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beggar import _lanes
from beggar.batches import CUT_OFF, play_unit, shuffle_seed, stream_of_deals
from beggar.cards import Card
from beggar.deals import Deal
from beggar.errors import BeggarError, RulesError, quoted
from beggar.game import checked
from beggar.pack import BLOCK, Pack
from beggar.rules import FIELDS, Rules, whole
from beggar.summary import Summary
from beggar.tally import GAME, Job, Stop, Tally, Total

__all__ = [
    "GAME",
    "KERNELS",
    "count_of",
    "kernel_for",
    "kernel_for_cards",
    "kernels_here",
    "processors",
    "shuffle_seed",
    "simulate",
    "stream",
    "threads_of",
]

#: Every kernel there may be, the core last: it plays what the others cannot.
KERNELS: Final = ("portable", "avx2", "avx512", "core")

# Blocks that a thread plays at a time, in the lanes and in the core: some twenty
# milliseconds' work each.
_BLOCKS_A_UNIT: Final = (8, 1)
_log = logging.getLogger("beggar")
# Fields that the lanes need not know: what they mean shows in the deck, only with more than
# two players, or in games that the lanes leave to the core.
_OF_NO_MATTER: Final = frozenset(
    (
        *("players", "unpaid_tribute", "tributes", "deck", "jokers", "joker", "face_up"),
        *("cycle_identity", "on_cycle", "budget_tricks"),
    )
)


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
    deals : iterable of Deal, or numpy.ndarray of int, optional
        Deals to play instead of dealing, in the calling thread: streamed if they come
        one by one. An array
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
    (255, 194)
    >>> summary == simulate(20_000, seed=1, threads=1, kernel="portable")
    True
    """
    done = None
    kept: list[NDArray[Any]] = []
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
        if done.kept is not None:
            kept.append(done.kept)
        if progress is not None:
            progress(done)
    if done is None:
        raise BeggarError("no deals were given: expected one or more")
    return done._replace(kept=np.concatenate(kept)) if kept else done


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
) -> Iterator[Summary]:
    """Play many games and yield the summary so far, now and then, at last the whole.

    Parameters and errors are those of `simulate`; what is wrong is said at once. Each
    summary covers the games from the first one on, but its `kept` only those since the
    summary before.
    """
    rules = Rules() if rules is None else rules
    if not isinstance(rules, Rules):
        raise RulesError(f"{quoted(rules)} are no rules: expected Rules")
    if deals is None or n is not None:
        n = count_of("n", n)
    threads = threads_of(threads)
    if keep not in (None, "games"):
        raise BeggarError(f"keep: {quoted(keep)} is not a value: expected None or 'games'")
    if seed is None:
        seed = np.random.SeedSequence().generate_state(1, np.uint64).item()
    seed = whole(seed)  # type: ignore[assignment]
    checked((), rules.replace(players=None), seed)
    assert seed is not None
    told = seed

    def job_for(hands: int, dealt: bool = False) -> Job:
        count = players_of(players or hands, rules)
        return Job(
            rules,
            count,
            told,
            keep == "games",
            kernel_for(rules, count, kernel),
            Pack.of(rules, count) if dealt else None,
            Stop(),
        )

    if deals is not None:
        kernel_for(rules, 2, kernel)
        return stream_of_deals(deals, n, job_for)
    assert n is not None
    return _run(job_for(players or rules.players or 2, dealt=True), n, threads)


def _run(job: Job, n: int, threads: int) -> Iterator[Summary]:
    """Play the first *n* deals of a job, units of them in threads, summed up in order."""
    size = BLOCK * _BLOCKS_A_UNIT[job.kernel == "core"]
    units = ((job, start, min(start + size, n)) for start in range(0, n, size))
    total = Total(job)
    with ThreadPoolExecutor(threads) as pool:
        # As many units in flight as keep every thread busy, and no more.
        running: deque[Future[Tally]] = deque(
            pool.submit(play_unit, *unit) for unit in islice(units, 2 * threads)
        )
        try:
            while running:
                total.add(running.popleft().result())
                for unit in islice(units, 1):
                    running.append(pool.submit(play_unit, *unit))
                yield total.summary()
        finally:
            # Also where the caller wants no more, or Ctrl-C came.
            assert job.stop is not None
            job.stop.tell()
            for future in running:
                future.cancel()


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def threads_of(number: int | None) -> int:
    """Return how many threads to run, as many as there are processors if not told.

    Raises
    ------
    BeggarError
        If it is no count, or a thousand and more.
    """
    number = processors() if number is None else count_of("threads", number)
    if number > 999:
        raise BeggarError(f"threads: {number:,} are too many: expected 999 at most")
    return number


def kernels_here() -> tuple[str, ...]:
    """Return the kernels of this machine, the best lanes before the core, which is last."""
    return (*_lanes.kernels(), "core")


def kernel_for(rules: Rules, players: int, kernel: str | None = None) -> str:
    """Return the kernel that plays some rules.

    Raises
    ------
    BeggarError
        If the kernel asked for, by *kernel* or BEGGAR_KERNEL, is not one of this
        machine's.
    """
    return _chosen(kernel, lambda: _beyond_lanes(rules, players))


def kernel_for_cards(
    rules: Rules, faces: Sequence[Card], counts: Sequence[int], players: int, kernel: str | None
) -> str:
    """Return the kernel that plays some cards, of each face so many, stepped through in order.

    Raises
    ------
    BeggarError
        As for `kernel_for`.
    """

    def beyond() -> str:
        tributes = [rules.tribute(face) for face in faces]
        penal = sum(many for many, tribute in zip(counts, tributes, strict=True) if tribute)
        if players != 2 or sum(counts) > _lanes.MOST_CARDS or penal > _lanes.MOST_PENALTIES:
            return f"these cards ({players} players, {sum(counts)} cards, {penal} of them penal)"
        kinds = len(tributes) - (tributes[0] == 0)
        if kinds > 4 or 0 in tributes[1:] or rules.cycle_identity == "card":
            return f"these cards ({kinds} kinds that demand tribute)"
        jokers = any(face.is_joker for face in faces)
        return _rules_beyond_lanes(rules, jokers)

    return _chosen(kernel, beyond)


def _chosen(kernel: str | None, beyond: Callable[[], str]) -> str:
    """Return the kernel to use, unless *beyond* says what the lanes cannot play."""
    here = kernels_here()
    asked = kernel if kernel is not None else os.environ.get("BEGGAR_KERNEL") or None
    if asked is not None and asked not in here:
        where = "kernel" if kernel is not None else "BEGGAR_KERNEL"
        raise BeggarError(
            f"{where}: {quoted(asked)} is not a kernel of this machine: expected {', '.join(here)}"
        )
    wanted = here[-2] if asked is None else asked
    if wanted != "core":
        reason = beyond()
        if reason:
            _log_once(f"kernel {wanted} does not play {reason}: the core does")
            return "core"
    return wanted


def _beyond_lanes(rules: Rules, players: int) -> str:
    """Say what of these rules and their deck the lanes do not play, if anything."""
    reason = _rules_beyond_lanes(rules, rules.jokers > 0)
    if reason:
        return reason
    if Pack.of(rules, players).dealer is None:
        return f"this deck ({players} players, {rules.deck}, {rules.jokers} jokers)"
    return ""


def _rules_beyond_lanes(rules: Rules, jokers: bool) -> str:
    defaults = Rules()
    for field in FIELDS:
        value = getattr(rules, field.name)
        if field.name not in _OF_NO_MATTER and value != getattr(defaults, field.name):
            return f"{field.name}={value}"
    if jokers and rules.joker != "super":
        return f"joker={rules.joker}"
    if rules.budget_tricks is not None and rules.budget_tricks <= 2 * CUT_OFF:
        return f"a budget of {rules.budget_tricks} tricks"
    return ""


_logged: set[str] = set()


def _log_once(message: str) -> None:
    if message not in _logged:
        _logged.add(message)
        _log.debug(message)


def count_of(name: str, value: object) -> int:
    """Return a count, 1 or more.

    Raises
    ------
    BeggarError
        If it is none; *name* says of what.
    """
    number = whole(value)
    if type(number) is not int or number < 1:
        raise BeggarError(f"{name}: {quoted(value)} is not a count: expected a whole number from 1")
    return number


def players_of(players: int, rules: Rules) -> int:
    """Return how many play, if the rules are for as many."""
    told = whole(players)
    Rules(players=told)  # type: ignore[arg-type]
    assert isinstance(told, int)
    if rules.players not in (None, told):
        raise RulesError(
            f"{told} players, but the rules are for {rules.players}: expected the same"
        )
    return told
