"""A match: players by name, a dealer, shuffle and cut, rounds until one has won enough.

Rules of match play: the first dealer is found by drawing for the high card (ace high; the tied
players draw again); the player on the dealer's right cuts; cards are dealt one at a time from
the dealer's left, who leads; the deal passes clockwise after every round; a drawn round counts
for nobody and another is played.

Everything comes from one seed: the random bits are those of NumPy's SFC64, which are the same on
every machine and in every version, and what is made of them is below.

This module imports `cards`, `deals`, `game`, `outcome` and `rules`.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from beggar.cards import RANKS, Card, deck
from beggar.deals import MAX_PLAYERS, MIN_PLAYERS, Deal
from beggar.errors import BeggarError, quoted
from beggar.game import play
from beggar.outcome import Outcome
from beggar.rules import Rules

__all__ = ["MOST_ROUNDS", "Draw", "Match", "Round", "check_names", "clean_name"]

#: A match of so many rounds without a winner ends without one: under some rules every round
#: is drawn.
MOST_ROUNDS: Final = 10_000

T = TypeVar("T")


class Draw(NamedTuple):
    """One drawing for the high card.

    Attributes
    ----------
    cards : dict of int to Card
        What each player who drew, by seat, drew.
    highest : tuple of int
        Who drew the highest card: the first dealer, or those who draw again.
    """

    cards: dict[int, Card]
    highest: tuple[int, ...]


class Round(NamedTuple):
    """One round of a match.

    Attributes
    ----------
    number : int
        From 1.
    dealer, cutter, leader : int
        Seats: the dealer's right cuts, the dealer's left leads.
    shuffled : tuple of Card
        The deck before the cut, top first.
    cut : int
        How many cards the cutter lifted off; they went below the others.
    deal : Deal
    seed : int
        What shuffles in the game depend on, where the rules have them.
    outcome : Outcome
    score : tuple of int
        Rounds won by each seat, this one included.
    """

    number: int
    dealer: int
    cutter: int
    leader: int
    shuffled: tuple[Card, ...]
    cut: int
    deal: Deal
    seed: int
    outcome: Outcome
    score: tuple[int, ...]


class Match:
    """A match between named players, played round by round as it is iterated over.

    Parameters
    ----------
    names : sequence of str
        2 to 6 players, clockwise; no name twice.
    rules : Rules, optional
        The classic ones without them. ``rules.deck`` and ``rules.jokers`` are the pack.
    best_of : int, optional
        An odd number N: whoever first wins more than half of N rounds wins the match. Of
        three players or more none may have won as many after N rounds; then play goes on.
    first_to : int, optional
        Whoever first wins so many rounds wins the match. Best of 3 if neither is told.
    seed : int
        What every draw, shuffle and cut depends on, 0 to 2**64 - 1.

    Attributes
    ----------
    names : tuple of str
    rules : Rules
    needed : int
        How many rounds win the match.
    draws : tuple of Draw
        The drawings for the first deal.

    Raises
    ------
    BeggarError
        If there are too few or too many names, one is empty or stands twice, the number is
        even or below 1, or there are fewer cards than players.

    Examples
    --------
    >>> match = Match(["Ana", "Boris"], best_of=3, seed=1)
    >>> [(match.names[part.dealer], part.outcome.cards, part.score) for part in match]
    [('Ana', 218, (1, 0)), ('Boris', 237, (2, 0))]
    >>> match.winner
    0
    """

    def __init__(
        self,
        names: Sequence[str],
        rules: Rules | None = None,
        *,
        best_of: int | None = None,
        first_to: int | None = None,
        seed: int = 0,
    ) -> None:
        self.names = tuple(clean_name(name) for name in names)
        check_names(self.names)
        self.rules = Rules() if rules is None else rules
        if self.rules.limit_seconds is not None:
            raise BeggarError(
                "limit_seconds: a match is the same on every machine: expected no limit of time"
            )
        if self.rules.players not in (None, len(self.names)):
            raise BeggarError(
                f"{len(self.names)} names, but the rules are for {self.rules.players} players"
            )
        if best_of is not None and first_to is not None:
            raise BeggarError("best_of and first_to: expected one of them")
        if first_to is None:
            best_of = 3 if best_of is None else best_of
            if type(best_of) is not int or best_of < 1 or best_of % 2 == 0:
                raise BeggarError(f"best of {quoted(best_of)}: expected an odd number from 1")
            first_to = best_of // 2 + 1
        if type(first_to) is not int or first_to < 1:
            raise BeggarError(f"first to {quoted(first_to)}: expected 1 or more")
        if type(seed) is not int or not 0 <= seed < 2**64:
            raise BeggarError(f"seed: {quoted(seed)} is not a value: expected 0 to 2**64 - 1")
        self.best_of, self.needed, self.seed = best_of, first_to, seed
        self.pack = deck(self.rules.deck, self.rules.jokers)
        if len(self.pack) < len(self.names):
            raise BeggarError(f"{len(self.pack)} cards for {len(self.names)} players")
        self.draws = tuple(self._draws())
        self.rounds: list[Round] = []

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.names)

    @property
    def first_dealer(self) -> int:
        """The seat that deals first."""
        return self.draws[-1].highest[0]

    @property
    def score(self) -> tuple[int, ...]:
        """Rounds won by each seat so far."""
        return self.rounds[-1].score if self.rounds else (0,) * self.players

    @property
    def winner(self) -> int | None:
        """The seat that has won the match; None while nobody has."""
        most = max(self.score)
        return self.score.index(most) if most >= self.needed else None

    def __iter__(self) -> Iterator[Round]:
        """Play on: yield each round when it is over."""
        while self.winner is None and len(self.rounds) < MOST_ROUNDS:
            yield self.play_round()

    def play(self) -> int | None:
        """Play to the end and return the winner's seat, None if there is none.

        Examples
        --------
        >>> Match(["Ana", "Boris", "Carla"], first_to=2, seed=3).play()
        2
        """
        for _ in self:
            pass
        return self.winner

    def play_round(self) -> Round:
        """Shuffle, cut, deal and play one round."""
        number = len(self.rounds) + 1
        dealer = (self.first_dealer + number - 1) % self.players
        bits = _Bits(self.seed, number)
        shuffled = bits.shuffle(self.pack)
        # The cutter lifts some cards and leaves some.
        cut = 1 + bits.below(len(shuffled) - 1)
        seed = bits.word()
        deal = Deal.from_deck(shuffled[cut:] + shuffled[:cut], self.players, dealer=dealer)
        outcome = play(deal, self.rules, seed=seed)
        score = list(self.score)
        if outcome.winner is not None:
            score[outcome.winner] += 1
        played = Round(
            number=number,
            dealer=dealer,
            cutter=(dealer - 1) % self.players,
            leader=deal.leader,
            shuffled=shuffled,
            cut=cut,
            deal=deal,
            seed=seed,
            outcome=outcome,
            score=tuple(score),
        )
        self.rounds.append(played)
        return played

    def _draws(self) -> Iterator[Draw]:
        """Draw for the first deal until one card is the highest."""
        bits = _Bits(self.seed, 0)
        # A joker has no rank to compare.
        pack = tuple(card for card in self.pack if not card.is_joker)
        drawing: Sequence[int] = range(self.players)
        while len(drawing) > 1:
            cards = dict(zip(drawing, bits.shuffle(pack), strict=False))
            best = max(RANKS.index(card.rank) for card in cards.values())
            drawing = [seat for seat, card in cards.items() if RANKS.index(card.rank) == best]
            yield Draw(cards, tuple(drawing))

    def as_json(self) -> dict[str, Any]:
        """Return the match as JSON knows it: all that it takes to play every round again.

        Examples
        --------
        >>> match = Match(["Ana", "Boris"], seed=1)
        >>> match.play(), match.as_json()["score"]
        (0, [2, 0])
        """
        return {
            "names": list(self.names),
            "best_of": self.best_of,
            "first_to": self.needed,
            "seed": self.seed,
            "rules": self.rules.as_json(),
            "draws": [
                {
                    "cards": {str(seat): str(card) for seat, card in draw.cards.items()},
                    "highest": list(draw.highest),
                }
                for draw in self.draws
            ],
            "rounds": [_round_json(played) for played in self.rounds],
            "score": list(self.score),
            "winner": self.winner,
        }

    @classmethod
    def from_json(cls, record: object) -> "Match":
        """Play a recorded match again, and check each round against the record.

        Parameters
        ----------
        record : dict
            What `as_json` returned.

        Raises
        ------
        BeggarError
            If it is no record of a match, or it does not replay to the same.

        Examples
        --------
        >>> match = Match(["Ana", "Boris"], seed=1)
        >>> winner = match.play()
        >>> Match.from_json(match.as_json()).winner == winner
        True
        """
        if not isinstance(record, dict):
            raise BeggarError(f"{quoted(record)} is no record of a match: expected an object")
        try:
            match = cls(
                record["names"],
                Rules(**record["rules"]),
                best_of=record["best_of"],
                first_to=record["first_to"] if record["best_of"] is None else None,
                seed=record["seed"],
            )
            rounds = list(record["rounds"])
        except (KeyError, TypeError, AttributeError):
            raise BeggarError(
                "no record of a match: expected names, rules, best_of, first_to, seed and rounds"
            ) from None
        for number, told in enumerate(rounds, 1):
            if match.winner is not None:
                raise BeggarError(f"round {number} of the record comes after the match was won")
            if told != _round_json(match.play_round()):
                raise BeggarError(f"round {number} of the record does not replay to the same")
        for key, value in match.as_json().items():
            if record.get(key) != value:
                raise BeggarError(f"{key} of the record does not replay to the same")
        return match


def clean_name(name: str) -> str:
    """Return a name without spaces round it, its letters composed.

    Examples
    --------
    >>> clean_name(" Jose\u0301 ") == "Jos\u00e9"
    True
    """
    return unicodedata.normalize("NFC", name.replace("\u00a0", " ")).strip()


def check_names(names: Sequence[str], where: str = "names") -> None:
    """Raise if names cannot be those of the players of one table.

    Raises
    ------
    BeggarError
        If there are too few or too many, or one is empty or stands twice.
    """
    if not MIN_PLAYERS <= len(names) <= MAX_PLAYERS:
        many = f"{len(names)} player{'s' * (len(names) != 1)}"
        raise BeggarError(f"{where}: {many} cannot play: expected {MIN_PLAYERS} to {MAX_PLAYERS}")
    for seat, name in enumerate(names):
        if not name:
            raise BeggarError(f"{where}: player {seat + 1} has an empty name: expected one")
        # What joins letters and pictures is part of names in many languages.
        if not name.replace("\u200c", "").replace("\u200d", "").isprintable():
            raise BeggarError(f"{where}: {quoted(name)} cannot be printed: expected a name")
        if name.casefold() in (other.casefold() for other in names[:seat]):
            raise BeggarError(f"{where}: {quoted(name)} stands twice: expected another name")


def _round_json(played: Round) -> dict[str, Any]:
    outcome = played.outcome
    return {
        "number": played.number,
        "dealer": played.dealer,
        "cutter": played.cutter,
        "leader": played.leader,
        "shuffled": " ".join(map(str, played.shuffled)),
        "cut": played.cut,
        "deal": played.deal.text("card"),
        "seed": played.seed,
        "termination": outcome.termination.value,
        "winner": outcome.winner,
        "cards": outcome.cards,
        "tricks": outcome.tricks,
        "out": list(outcome.out),
        "score": list(played.score),
    }


class _Bits:
    """Random choices out of raw bits: the same on every machine and by every NumPy."""

    def __init__(self, seed: int, stream: int) -> None:
        self._bits = np.random.SFC64(np.random.SeedSequence(seed, spawn_key=(stream,)))

    def word(self) -> int:
        """Return 64 random bits."""
        return int(self._bits.random_raw())

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1, each as likely as the others."""
        most = 2**64 - 2**64 % bound
        while (word := self.word()) >= most:
            pass
        return word % bound

    def shuffle(self, cards: Sequence[T]) -> tuple[T, ...]:
        """Return cards in an order drawn at random (Fisher and Yates)."""
        shuffled = list(cards)
        for place in range(len(shuffled) - 1, 0, -1):
            other = self.below(place + 1)
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
        return tuple(shuffled)
