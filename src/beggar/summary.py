"""What many games come to: exact counts, and what follows from them.

This module imports `errors`, `outcome`, `deals`, `rules` and `pack`; NumPy when it is
imported.
"""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.outcome import Count
from beggar.pack import Pack
from beggar.rules import Rules, Tributes, whole

__all__ = ["MOST_LOOPS", "Distribution", "Loop", "Sample", "Summary", "best", "place"]

#: The most loops of which a summary keeps the deals; it counts them all.
MOST_LOOPS: Final = 1000


class Distribution:
    """How often each value came up: an exact histogram.

    Parameters
    ----------
    counts : array_like of int
        ``counts[v]`` is how often the value v came up.

    Examples
    --------
    >>> cards = Distribution([0, 0, 3, 1])
    >>> cards.total, cards.mean, cards.min, cards.max, cards.quantile(0.5)
    (4, 2.25, 2, 3, 2)
    >>> cards.survival(2), cards.mode
    (0.25, 2)
    """

    __slots__ = ("counts",)

    counts: NDArray[np.int64]

    def __init__(self, counts: Any) -> None:
        given = np.asarray(counts)
        if given.ndim != 1 or (given.size and given.dtype.kind not in "iu") or (given < 0).any():
            raise BeggarError("a histogram: expected whole numbers from 0, one for each value")
        kept = given.astype(np.int64)
        used = np.flatnonzero(kept)
        self.counts = kept[: used[-1] + 1 if used.size else 0]

    @property
    def total(self) -> int:
        """How many values there are."""
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        """The mean; NaN of nothing."""
        return self.moment(1)

    @property
    def std(self) -> float:
        """The standard deviation (of a sample: divided by n - 1); NaN of fewer than two."""
        total = self.total
        if total < 2:
            return float("nan")
        values = np.arange(self.counts.size, dtype=np.float64) - self.mean
        return float(np.sqrt(np.dot(self.counts, values**2) / (total - 1)))

    @property
    def standard_error(self) -> float:
        """The standard error of the mean."""
        return self.std / float(np.sqrt(self.total)) if self.total else float("nan")

    @property
    def min(self) -> int | None:
        """The least value; None of nothing."""
        used = np.flatnonzero(self.counts)
        return int(used[0]) if used.size else None

    @property
    def max(self) -> int | None:
        """The greatest value; None of nothing."""
        return self.counts.size - 1 if self.counts.size else None

    @property
    def mode(self) -> int | None:
        """The value that came up most often, the least of equals; None of nothing."""
        return int(self.counts.argmax()) if self.counts.size else None

    def quantile(self, q: float) -> int | None:
        """Return the least value that a share *q* of all does not exceed.

        Parameters
        ----------
        q : float
            0 to 1.

        Raises
        ------
        BeggarError
            If *q* is not within 0 to 1.
        """
        if not isinstance(q, (int, float)) or not 0 <= q <= 1:
            raise BeggarError(f"quantile: {quoted(q)} is not a share: expected 0 to 1")
        if not self.counts.size:
            return None
        below = self.counts.cumsum()
        return int(np.searchsorted(below, max(1, np.ceil(q * below[-1]))))

    def survival(self, value: float) -> float:
        """Return the share of values greater than *value*."""
        if not self.total or np.isnan(value):
            return float("nan")
        value = min(max(value, -1), self.counts.size)
        return float(self.counts[max(0, int(np.floor(value)) + 1) :].sum() / self.total)

    def moment(self, power: int) -> float:
        """Return the mean of the values raised to *power*; NaN of nothing."""
        if not self.counts.size:
            return float("nan")
        values = np.arange(self.counts.size, dtype=np.float64) ** power
        return float(np.dot(self.counts, values) / self.total)

    def __add__(self, other: "Distribution") -> "Distribution":
        size = max(self.counts.size, other.counts.size)
        counts = np.zeros(size, dtype=np.int64)
        counts[: self.counts.size] += self.counts
        counts[: other.counts.size] += other.counts
        return Distribution(counts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Distribution):
            return NotImplemented
        return np.array_equal(self.counts, other.counts)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Distribution of {self.total:,}: mean {self.mean:.2f}, {self.min} to {self.max}>"

    def as_json(self) -> dict[str, Any]:
        """Return the figures and the histogram, as JSON knows them."""
        shares = (0.5, 0.9, 0.95, 0.99, 0.999)
        return {
            "mean": _finite(self.mean),
            "std": _finite(self.std),
            "standard_error": _finite(self.standard_error),
            "min": self.min,
            "max": self.max,
            "mode": self.mode,
            "quantiles": {f"{share:g}": self.quantile(share) for share in shares},
            "histogram": self.counts.tolist(),
        }


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


class Sample(NamedTuple):
    """One game of many.

    Attributes
    ----------
    seed : int or None
        The seed it was dealt from; None of deals that were given.
    number : int
        Its number, from 0.
    deal : str
    cards, tricks : int
    winner : int or None
        The winner's seat.
    """

    seed: int | None
    number: int
    deal: str
    cards: int
    tricks: int
    winner: int | None


class Loop(NamedTuple):
    """One game of many that never ends."""

    seed: int | None
    number: int
    deal: str
    transient: Count
    period: Count


class Summary(NamedTuple):
    """What many games come to.

    Sums are exact: ``a + b`` is the summary of the games of both.

    Attributes
    ----------
    games : int
        How many games were played.
    players : int
    rules : Rules
    seed : int or None
        The seed of the deals; None of deals that were given, or of a sum over seeds.
    wins : tuple of int
        Games won by each seat.
    won, looped, limited, undecided : int
        Games by how they ended.
    by_default : int
        Games won of which the last collecting was not paid for.
    cards, tricks : Distribution
        Of the games that were won.
    longest, shortest : Sample or None
        Of the games that were won, the first of equals.
    loops : tuple of Loop
        The games that never end, by number; the first thousand of them.
    kept : numpy.ndarray or None
        With ``keep="games"``, one record a game: ``cards``, ``tricks`` (uint32),
        ``winner`` (int8, -1 for nobody), ``by_default`` (bool) and ``end`` (uint8: 0
        won, 1 loop, 2 limit, 3 undecided).
    """

    games: int
    players: int
    rules: Rules
    seed: int | None
    wins: tuple[int, ...]
    won: int
    looped: int
    limited: int
    undecided: int
    by_default: int
    cards: Distribution
    tricks: Distribution
    longest: Sample | None
    shortest: Sample | None
    loops: tuple[Loop, ...]
    kept: NDArray[Any] | None = None

    def deal(self, number: int) -> Deal:
        """Return a deal by its number, played or not.

        Raises
        ------
        BeggarError
            If the number is negative, or the deals are not of one seed.

        Examples
        --------
        >>> import beggar
        >>> summary = beggar.simulate(1000, seed=1)
        >>> summary.deal(summary.longest.number).text() == summary.longest.deal
        True
        """
        if self.seed is None:
            raise BeggarError("deals by number are those of one seed: these are not")
        number = whole(number)  # type: ignore[assignment]
        if type(number) is not int or number < 0:
            raise BeggarError(f"no deal {quoted(number)}: expected a number from 0")
        return Pack.of(self.rules, self.players).deal(self.seed, number)

    def __add__(self, other: object) -> Self:
        if not isinstance(other, Summary):
            return NotImplemented
        if (self.players, self.rules) != (other.players, other.rules):
            raise BeggarError("summaries of different rules or players cannot be added")
        kept = None
        if self.kept is not None and other.kept is not None:
            kept = np.concatenate([self.kept, other.kept])
        return self._replace(
            games=self.games + other.games,
            seed=self.seed if self.seed == other.seed else None,
            wins=tuple(a + b for a, b in zip(self.wins, other.wins, strict=True)),
            won=self.won + other.won,
            looped=self.looped + other.looped,
            limited=self.limited + other.limited,
            undecided=self.undecided + other.undecided,
            by_default=self.by_default + other.by_default,
            cards=self.cards + other.cards,
            tricks=self.tricks + other.tricks,
            longest=best((self.longest, other.longest), -1),
            shortest=best((self.shortest, other.shortest), 1),
            loops=tuple(sorted((*self.loops, *other.loops), key=place)[:MOST_LOOPS]),
            kept=kept,
        )

    def __radd__(self, other: object) -> Self:
        # So that sum() adds summaries.
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Summary):
            return NotImplemented
        if (self.kept is None) != (other.kept is None):
            return False
        same = self.kept is None or np.array_equal(self.kept, np.asarray(other.kept))
        return same and tuple(self[:-1]) == tuple(other[:-1])

    def as_json(self) -> dict[str, Any]:
        """Return everything but the kept games, as JSON knows it."""
        told = self._asdict()
        del told["kept"]
        told["rules"] = self.rules.as_json()
        told["wins"] = list(self.wins)
        told["win_shares"] = [w / self.games if self.games else None for w in self.wins]
        told["cards"] = self.cards.as_json()
        told["tricks"] = self.tricks.as_json()
        for name in ("longest", "shortest"):
            if told[name] is not None:
                told[name] = told[name]._asdict()
        told["loops"] = [
            {
                **loop._asdict(),
                "transient": loop.transient._asdict(),
                "period": loop.period._asdict(),
            }
            for loop in self.loops
        ]
        return told

    @classmethod
    def from_json(cls, told: dict[str, Any]) -> "Summary":
        """Return the summary that `as_json` told.

        Raises
        ------
        BeggarError
            If it did not.
        """
        try:
            rules = Rules(**{**told["rules"], "tributes": Tributes(told["rules"]["tributes"])})
            same = ("games", "players", "seed", "won", "looped", "limited", "undecided")
            for name in same:
                if type(told[name]) is not int and not (name == "seed" and told[name] is None):
                    raise TypeError(f"{name}={told[name]!r}")
            return cls(
                **{name: told[name] for name in (*same, "by_default")},
                rules=rules,
                wins=tuple(told["wins"]),
                cards=Distribution(told["cards"]["histogram"]),
                tricks=Distribution(told["tricks"]["histogram"]),
                longest=Sample(**told["longest"]) if told["longest"] else None,
                shortest=Sample(**told["shortest"]) if told["shortest"] else None,
                loops=tuple(
                    Loop(
                        **{
                            **loop,
                            "transient": Count(**loop["transient"]),
                            "period": Count(**loop["period"]),
                        }
                    )
                    for loop in told["loops"]
                ),
            )
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise BeggarError(f"this is no summary: {error!r}") from None


def place(sample: Sample | Loop) -> tuple[int, int]:
    """Return where a game stands among those of all seeds."""
    return -1 if sample.seed is None else sample.seed, sample.number


def best(samples: Iterable[Sample | None], sign: int) -> Sample | None:
    """Return the longest game (*sign* -1) or the shortest (1), the first of equals."""
    there = [sample for sample in samples if sample is not None]
    return min(there, key=lambda sample: (sign * sample.cards, place(sample)), default=None)
