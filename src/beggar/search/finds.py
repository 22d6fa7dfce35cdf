"""What a unit of a hunt comes to: plain records that travel and are kept.

This module imports nothing of the package.
"""

from typing import Any, NamedTuple

__all__ = ["FoundCycle", "FoundDeal", "FoundGame", "Unit"]


class FoundDeal(NamedTuple):
    """A deal that leads into a cycle: what comes before it."""

    deal: str
    rank: int
    cards: int
    tricks: int


class FoundCycle(NamedTuple):
    """A cycle.

    Attributes
    ----------
    name : str
        See `beggar.cycles`.
    deck : str
        How many cards there are of each tribute, as in ``36:4:4:4:4``.
    size : int
        How many cards.
    period, short : tuple of int
        Cards and tricks once round: with seats told apart, and up to seats.
    lean : int
        By how many cards the hands differ, in the state in which they do least.
    states : int or None
        How many states lead into it, if that was found out: of whole decks alone.
    deals : tuple of FoundDeal
        The deals that lead into it, likewise.
    """

    name: str
    deck: str
    size: int
    period: tuple[int, int]
    short: tuple[int, int]
    lean: int
    states: int | None = None
    deals: tuple[FoundDeal, ...] = ()

    @property
    def numerals(self) -> int:
        """How many of its cards are numerals."""
        return int(self.deck.partition(":")[0])


class FoundGame(NamedTuple):
    """A long game, and whether it was drawn or found by going back from one."""

    deal: str
    rank: int
    cards: int
    tricks: int
    how: str


class Unit(NamedTuple):
    """What one unit came to.

    Attributes
    ----------
    tried : int
        How many games or candidates were played.
    cycles : tuple of FoundCycle
    games : tuple of FoundGame
    told : dict or None
        What else there is to keep, as JSON knows it.
    """

    tried: int
    cycles: tuple[FoundCycle, ...] = ()
    games: tuple[FoundGame, ...] = ()
    told: dict[str, Any] | None = None
