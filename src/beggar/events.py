"""What can happen at the table, as typed records.

A game is a stream of these, in the order given here for one card: the card is
turned; a demand is made, paid or lapses; a trick is taken; seats go out; the
game is over. Both engines make the same stream. This module imports `cards`
and `outcome`.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from beggar.cards import Card
from beggar.outcome import Count, Termination

__all__ = [
    "ClaimLapsed",
    "Event",
    "LimitReached",
    "LoopFound",
    "Out",
    "Over",
    "Shuffled",
    "TributeDemanded",
    "TributePaid",
    "TrickTaken",
    "Turned",
    "as_json",
    "by_card",
]


class Turned(NamedTuple):
    """A card was turned onto the pile.

    Attributes
    ----------
    seat : int
        Who turned it.
    card : Card
    cards : int
        Cards turned in the game so far, this one included.
    penalties : int
        Penalty cards seen in the game so far, this one included.
    """

    seat: int
    card: Card
    cards: int
    penalties: int


class TributeDemanded(NamedTuple):
    """A tribute is owed, for a new penalty card or passed on from a payer who is out.

    Attributes
    ----------
    claimant : int
        Who takes the pile if it is paid.
    payer : int
        Who owes it.
    due : int
        How many cards.
    chain : int
        Penalty cards turned in answer to one another, the one owed to included.
    """

    claimant: int
    payer: int
    due: int
    chain: int


class TributePaid(NamedTuple):
    """The last card owed was paid; *claimant* wins the trick."""

    claimant: int
    payer: int


class ClaimLapsed(NamedTuple):
    """The claim and the *unpaid* rest of the tribute are void; ordinary play goes on."""

    claimant: int
    unpaid: int


class TrickTaken(NamedTuple):
    """The pile was collected.

    Attributes
    ----------
    seat : int
        Who took it.
    cards : int
        How many cards the pile held.
    tricks : int
        Tricks taken in the game so far, this one included.
    by_default : bool
        True when it was not paid for, the others having run out.
    """

    seat: int
    cards: int
    tricks: int
    by_default: bool


class Shuffled(NamedTuple):
    """*seat* shuffled the pile of so many *cards* that goes under its hand."""

    seat: int
    cards: int


class Out(NamedTuple):
    """*seat* is out of the game."""

    seat: int


class LoopFound(NamedTuple):
    """The state at the start of this trick was met before.

    Attributes
    ----------
    transient : Count
        From the start of the game to the first meeting.
    period : Count
        From there to here.
    """

    transient: Count
    period: Count


class LimitReached(NamedTuple):
    """A limit of the rules, named by its field, ends the game."""

    limit: str


class Over(NamedTuple):
    """The game is over."""

    termination: Termination
    winner: int | None


Event = (
    Turned
    | TributeDemanded
    | TributePaid
    | ClaimLapsed
    | TrickTaken
    | Shuffled
    | Out
    | LoopFound
    | LimitReached
    | Over
)


def as_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON knows it: its name, then its fields.

    Examples
    --------
    >>> as_json(TributePaid(claimant=1, payer=0))
    {'event': 'TributePaid', 'claimant': 1, 'payer': 0}
    """
    fields = event._asdict()
    for name, value in fields.items():
        if isinstance(value, Card):
            fields[name] = str(value)
        elif isinstance(value, Count):
            fields[name] = value._asdict()
    return {"event": type(event).__name__, **fields}


def by_card(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Yield events in lists: a card turned, and all that follows from it.

    The first list has no `Turned` if the events begin with none.

    Examples
    --------
    >>> from beggar.game import Game
    >>> [len(events) for events in by_card(Game("J-/-"))]
    [2, 5]
    """
    together: list[Event] = []
    for event in events:
        if isinstance(event, Turned) and together:
            yield together
            together = []
        together.append(event)
    if together:
        yield together
