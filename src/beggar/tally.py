"""Counting what games came to, as they are played.

This module imports `deals`, `game`, `outcome`, `pack`, `rules` and `summary`; NumPy when
it is imported.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from beggar.deals import Deal
from beggar.game import Game
from beggar.outcome import Outcome, Termination
from beggar.pack import Pack
from beggar.rules import Rules
from beggar.summary import MOST_LOOPS, Distribution, Loop, Sample, Summary, best, place

__all__ = ["ENDS", "GAME", "Job", "Stop", "Tally", "Total"]

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

#: How a game can end, by the number that a kept game has for it.
ENDS: Final = (Termination.WON, Termination.LOOP, Termination.LIMIT, Termination.UNDECIDED)


class Job(NamedTuple):
    """What every unit of one simulation has in common."""

    rules: Rules
    players: int
    seed: int
    keep: bool
    kernel: str
    #: What is dealt; None for deals that are given.
    pack: Pack | None = None
    #: Told when nobody wants the rest any more.
    stop: "Stop | None" = None


class Stop:
    """Tells threads that what they play is wanted no more, in the middle of a game too."""

    def __init__(self) -> None:
        self.told = False
        #: What compiled code looks at.
        self.flag = bytearray(1)
        self._playing: set[Game] = set()

    def play(self, game: Game) -> Outcome:
        """Play a game to the end, unless told to stop before."""
        self._playing.add(game)
        try:
            self.check()
            return game.play()
        finally:
            self._playing.discard(game)

    def check(self) -> None:
        """Raise KeyboardInterrupt if told to stop."""
        if self.told:
            raise KeyboardInterrupt

    def tell(self) -> None:
        """Tell all to stop."""
        self.told = True
        self.flag[0] = 1
        for game in list(self._playing):
            game.stop()


class Tally:
    """What some games came to, as arrays that are counted into."""

    def __init__(self, job: Job) -> None:
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
        self.most_loops = MOST_LOOPS
        self.kept: list[NDArray[Any]] = []
        # Deals that were given have no seed, but their shuffles have.
        self.seed = None if job.pack is None else job.seed

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
        sample = Sample(self.seed, number, deal, cards, tricks, winner)
        self.longest = best((self.longest, sample), -1)
        self.shortest = best((self.shortest, sample), 1)

    def check(self) -> None:
        """Raise KeyboardInterrupt if nobody wants the rest any more."""
        if self.job.stop is not None:
            self.job.stop.check()

    def beats(self, cards: int, number: int) -> bool:
        """Tell whether a game of so many cards, or the first of equals, would be remembered."""
        longest, shortest = self.longest, self.shortest
        return (
            longest is None
            or shortest is None
            or (-cards, number) < (-longest.cards, longest.number)
            or (cards, number) < (shortest.cards, shortest.number)
        )

    def outcome(self, number: int, deal: Deal, outcome: Outcome) -> None:
        """Count one game that the core has decided."""
        self.ends[ENDS.index(outcome.termination)] += 1
        if outcome.winner is not None:
            self.wins[outcome.winner] += 1
        if outcome.termination is Termination.WON:
            self.room(outcome.cards, outcome.tricks)
            self.cards[outcome.cards] += 1
            self.tricks[outcome.tricks] += 1
            self.by_default += bool(outcome.last_by_default)
            if self.beats(outcome.cards, number):
                self.sample(number, outcome.cards, outcome.tricks, outcome.winner, str(deal))
        elif outcome.cycle is not None and len(self.loops) < self.most_loops:
            cycle = outcome.cycle
            self.loops.append(Loop(self.seed, number, str(deal), cycle.transient, cycle.period))


class Total(Tally):
    """The tallies of the units so far."""

    def add(self, other: Tally) -> None:
        """Add the next unit's."""
        self.games += other.games
        self.ends = [a + b for a, b in zip(self.ends, other.ends, strict=True)]
        self.by_default += other.by_default
        self.wins += other.wins
        self.room(other.cards.size, other.tricks.size)
        self.cards[: other.cards.size] += other.cards
        self.tricks[: other.tricks.size] += other.tricks
        self.longest = best((self.longest, other.longest), -1)
        self.shortest = best((self.shortest, other.shortest), 1)
        self.loops = sorted([*self.loops, *other.loops], key=place)[:MOST_LOOPS]
        self.kept += other.kept

    def summary(self) -> Summary:
        """Return what is known so far, and hand over the games kept since the last time."""
        job = self.job
        kept, self.kept = self.kept, []
        won, looped, limited, undecided = self.ends
        return Summary(
            games=self.games,
            players=job.players,
            rules=job.rules,
            seed=self.seed,
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
            kept=np.concatenate(kept) if kept else None,
        )
