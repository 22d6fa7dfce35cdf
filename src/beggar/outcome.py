"""How a game ended: plain records, the same from every engine.

This module imports nothing of the package.
"""

import enum
from typing import NamedTuple

__all__ = ["Count", "Cycle", "Outcome", "Termination"]


class Termination(enum.StrEnum):
    """Why a game is over."""

    #: One player is left.
    WON = "won"
    #: A state came again: the game never ends.
    LOOP = "loop"
    #: A limit of the rules was reached; most cards won.
    LIMIT = "limit"
    #: The budget of tricks was spent: neither a loop nor a draw.
    UNDECIDED = "undecided"


class Count(NamedTuple):
    """A stretch of play: how many cards were turned, how many tricks taken."""

    cards: int
    tricks: int


class Cycle(NamedTuple):
    """A game that never ends, exactly.

    Attributes
    ----------
    transient : Count
        From the start of the game to the first state of the cycle.
    period : Count
        Once round the cycle.
    period_up_to_seats : Count or None
        The same, if states alike but for a swap of the two seats counted as
        one: the period or half of it. None with three players or more.

    Examples
    --------
    >>> import beggar
    >>> beggar.play("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA").cycle.period
    Count(cards=440, tricks=62)
    """

    transient: Count
    period: Count
    period_up_to_seats: Count | None


class Outcome(NamedTuple):
    """How a game ended.

    Attributes
    ----------
    termination : Termination
    winner : int or None
        The winner's seat, from 0; None where nobody won.
    cards : int
        Every physical turn of a card. For a loop: transient and period.
    tricks : int
        Every collecting of the pile, the last player's included. For a loop:
        transient and period.
    last_by_default : bool or None
        Whether the final collecting was not paid for, the others having run
        out; who does not count that one subtracts it. None where no player was
        left alone.
    hands : tuple of int
        The number of cards in each hand.
    out : tuple of int
        The seats that went out, in order.
    cycle : Cycle or None
        For a loop, its transient and period.

    Examples
    --------
    >>> import beggar
    >>> outcome = beggar.play("K--/--")
    >>> outcome.termination.value, outcome.winner, outcome.last_by_default
    ('won', 0, True)
    """

    termination: Termination
    winner: int | None
    cards: int
    tricks: int
    last_by_default: bool | None
    hands: tuple[int, ...]
    out: tuple[int, ...]
    cycle: Cycle | None
