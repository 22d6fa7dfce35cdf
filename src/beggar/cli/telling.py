"""Events told in English, one line a card."""

from collections.abc import Iterable

from beggar.events import (
    ClaimLapsed,
    Event,
    LimitReached,
    LoopFound,
    Out,
    Over,
    Shuffled,
    TributeDemanded,
    TributePaid,
    TrickTaken,
    Turned,
)
from beggar.outcome import Termination

__all__ = ["Teller", "cards", "tricks"]


def cards(number: int) -> str:
    """Return ``'1 card'``, ``'2 cards'`` and so on."""
    return f"{number:,} card{'s' * (number != 1)}"


def tricks(number: int) -> str:
    """Return ``'1 trick'``, ``'2 tricks'`` and so on."""
    return f"{number:,} trick{'s' * (number != 1)}"


class Teller:
    """Tells events as they come; it remembers what is owed.

    Parameters
    ----------
    due : int
        What is owed before the first event.

    Examples
    --------
    >>> from beggar.events import by_card
    >>> from beggar.game import Game
    >>> teller = Teller()
    >>> for events in by_card(Game("K♥/4♣ Q♠ 8♦")):
    ...     print(teller.tell(events))
    seat 0 turns K♥: seat 1 owes 3
    seat 1 pays 4♣: 2 to go
    seat 1 turns Q♠, which stops the payment: seat 0 is out; seat 1 takes the 3 cards unpaid \
(trick 1); seat 1 wins
    """

    def __init__(self, due: int = 0) -> None:
        self.due = due

    def tell(self, events: Iterable[Event]) -> str:
        """Return one line for a card and what follows from it."""
        together = list(events)
        turned = ""
        if together and isinstance(together[0], Turned):
            turned = self._turned(together[0], together[1:])
        told = [self._told(event) for event in together if not isinstance(event, Turned)]
        if turned and self.due and not told:
            told = [f"{self.due} to go"]
        return ": ".join(filter(None, (turned, "; ".join(told))))

    def _turned(self, event: Turned, follows: Iterable[Event]) -> str:
        if not self.due:
            return f"seat {event.seat} turns {event.card.pretty}"
        if any(_claims(event.seat, other) for other in follows):
            return f"seat {event.seat} turns {event.card.pretty}, which stops the payment"
        self.due -= 1
        return f"seat {event.seat} pays {event.card.pretty}"

    def _told(self, event: Event) -> str:
        match event:
            case TributeDemanded(_, payer, due, _):
                self.due = due
                return f"seat {payer} owes {due}"
            case TributePaid():
                return "paid"
            case ClaimLapsed(claimant, unpaid):
                self.due = 0
                return f"the claim of seat {claimant} lapses with {unpaid} unpaid"
            case TrickTaken(seat, number, trick, by_default):
                self.due = 0
                unpaid_ = " unpaid" if by_default else ""
                return f"seat {seat} takes the {cards(number)}{unpaid_} (trick {trick:,})"
            case Shuffled(seat, number):
                return f"seat {seat} shuffles {cards(number)}"
            case Out(seat):
                return f"seat {seat} is out"
            case LoopFound(transient, period):
                return (
                    f"this is how it was after {cards(transient.cards)} and "
                    f"{tricks(transient.tricks)}: {cards(period.cards)} and "
                    f"{tricks(period.tricks)} once round"
                )
            case LimitReached(limit):
                return f"{limit} is reached"
            case Over(termination, winner):
                return _end(termination, winner)
            case Turned():
                raise AssertionError("a card begins what is told together")


def _claims(seat: int, event: Event) -> bool:
    """Tell whether an event says that *seat*, which was paying, claims now."""
    match event:
        case TributeDemanded(claimant) | ClaimLapsed(claimant):
            return claimant == seat
        case TrickTaken(taker):
            return taker == seat
        case _:
            return False


def _end(termination: Termination, winner: int | None) -> str:
    wins = "nobody wins" if winner is None else f"seat {winner} wins"
    return {
        Termination.WON: wins,
        Termination.LOOP: f"the game never ends; {wins}",
        Termination.LIMIT: wins,
        Termination.UNDECIDED: "the budget is spent; undecided",
    }[termination]
