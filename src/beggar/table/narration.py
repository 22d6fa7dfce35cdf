"""Events told in words: what happens at the table, and in the long form why.

This module imports `events`, `game`, `position`, `rules`, `phrases` and `words`.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from beggar.cards import Card
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
from beggar.game import Game
from beggar.outcome import Count, Termination
from beggar.position import Position
from beggar.rules import Rules
from beggar.table import phrases as p
from beggar.table.phrases import Message, Phrase, Seat
from beggar.table.words import Words

__all__ = ["Form", "Teller", "is_italian", "narrate"]

#: ``"short"``: one line a card. ``"long"``: whole sentences, with the reasons.
Form = Literal["short", "long"]


def narrate(
    game: Game,
    language: str | None = None,
    names: Sequence[str] | None = None,
    form: Form = "short",
) -> Iterator[str]:
    """Play a game on from where it stands and tell it, a line for each card.

    Parameters
    ----------
    game : Game
    language, names
        As for `beggar.table.words.Words`.
    form : {"short", "long"}

    Raises
    ------
    BeggarError
        If there is no such language.

    Examples
    --------
    >>> from beggar.game import Game
    >>> for line in narrate(Game("K♥/4♣ Q♠ 8♦"), "en", ["Ana", "Boris"]):
    ...     print(line)
    Ana turns K♥: Boris owes 3
    Boris pays 4♣: 2 to go
    Boris turns Q♠, which stops the payment: Ana is out; Boris takes the 3 cards unpaid \
(trick 1); Boris wins
    """
    start = game.position
    words = Words(language, names, italian=is_italian(start, game.rules), long=form == "long")
    teller = Teller(start, game.rules, form)
    while events := game.turn_card():
        yield joined(teller.tell(events, game.position.turn), words)


def joined(told: Sequence[Phrase], words: Words) -> str:
    """Put what was told of one card into one line."""
    said = [words.say(phrase) for phrase in told]
    if words.long:
        # A player's name stays as it was given.
        begin = str.strip if words.names else _capital
        return " ".join(map(begin, said))
    if told and told[0].message in (p.TURNS, p.PAYS, p.STOPS):
        return ": ".join(filter(None, (said[0], "; ".join(said[1:]))))
    return "; ".join(said)


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def is_italian(start: Position, rules: Rules) -> bool:
    """Tell whether the cards are an Italian deck's.

    Examples
    --------
    >>> is_italian(Position.parse("Ab/3c"), Rules())
    True
    """
    suits = {card.suit for cards in (*start.hands, start.pile) for card in cards}
    return "b" in suits or ("h" not in suits and rules.deck.startswith("camicia"))


class Teller:
    """Tells events as they come; it remembers what is owed, and to which card.

    Parameters
    ----------
    start : Position
        Where the events begin.
    rules : Rules, optional
        The rules they are played by; the classic ones without them.
    form : {"short", "long"}
    """

    def __init__(self, start: Position, rules: Rules | None = None, form: Form = "short") -> None:
        self.rules = rules or Rules()
        self.long = form == "long"
        self.due = start.due
        self.begging = start.begging
        self.claimant = start.claimant
        self.owed = self._owed_in(start)
        self.gone: set[int] = set(start.out)
        self.seats = len(start.hands)

    def _owed_in(self, start: Position) -> Card | None:
        """Return the card that the tribute of a position is owed to."""
        for card in reversed(start.pile if start.due else ()):
            if card.is_joker if start.begging else self.rules.tribute(card):
                return card
        return None

    def tell(self, events: Sequence[Event], leader: int = 0) -> list[Phrase]:
        """Say what a card did.

        Parameters
        ----------
        events : sequence of Event
            A card turned, and all that follows from it.
        leader : int
            Who leads next, if a trick is among them; only the long form says so.

        Returns
        -------
        list of Phrase
            Empty if there are no events.
        """
        told: list[Phrase] = []
        turned: Turned | None = None
        for place, event in enumerate(events):
            if isinstance(event, Turned):
                turned = event
                told += self._turned(event, events[place + 1 :])
            else:
                told += self._followed(event, turned, events)
        kinds = {type(event) for event in events}
        if self.long and TrickTaken in kinds and Over not in kinds:
            told.append(p.LONG_LEADS.of(player=Seat(leader)))
        if turned is not None and self.due and len(told) == 1 and not self.long:
            told.append(p.TO_GO.of(number=self.due))
        return told

    # -- The card ----------------------------------------------------------------------------

    def _turned(self, event: Turned, follows: Sequence[Event]) -> list[Phrase]:
        player, card = Seat(event.seat), event.card
        # A penalty card stops the payment also where the game ends with it.
        claims = any(_claims(event.seat, other) for other in follows) or self._new(event)
        if not self.due:
            if self.long and self.rules.tribute(card):
                return [p.LONG_CLAIMS.of(player=player, card=card)]
            return [(p.LONG_TURNS if self.long else p.TURNS).of(player=player, card=card)]
        if claims:
            return self._stopped(player, card)
        self.due -= 1
        if not self.long:
            return [p.PAYS.of(player=player, card=card)]
        if self.owed is None:
            return [p.LONG_PAYS_SHORT.of(player=player, card=card)]
        if self.due:
            return [p.LONG_PAYS.of(player=player, card=card, count=self.due, owed=self.owed)]
        return [p.LONG_PAYS_LAST.of(player=player, card=card, owed=self.owed)]

    def _stopped(self, player: Seat, card: Card) -> list[Phrase]:
        if not self.long:
            return [p.STOPS.of(player=player, card=card)]
        told = [p.LONG_STOPS.of(player=player, card=card)]
        if self.owed is None:
            return told
        # The card that stops the payment lies where one of those due would have lain.
        unpaid = self.due - 1
        if not unpaid:
            return [*told, p.LONG_STOPPED_LAST.of(owed=self.owed)]
        if unpaid == 1:
            nth = p.nth(min(self.rules.tribute(self.owed), 15))
            return [*told, p.LONG_CANCELLED.of(nth=nth, owed=self.owed, by=card)]
        return [*told, p.LONG_CANCELLED_MANY.of(count=unpaid, owed=self.owed, by=card)]

    # -- What follows ------------------------------------------------------------------------

    def _followed(
        self, event: Event, turned: Turned | None, events: Sequence[Event]
    ) -> list[Phrase]:
        match event:
            case TributeDemanded(claimant, payer, due, _):
                return self._demanded(claimant, payer, due, turned)
            case TributePaid(claimant):
                self.due = 0
                if not self.long:
                    return [p.PAID.of()]
                paid = p.LONG_PAID_BEGGING if self.begging else p.LONG_PAID
                return [] if self.owed is None else [paid.of(owed=self.owed, player=Seat(claimant))]
            case ClaimLapsed(claimant, unpaid):
                self.due, self.claimant = 0, None
                player = Seat(claimant)
                if not self.long:
                    return [p.LAPSES.of(player=player, count=unpaid)]
                owed = self.owed if turned is None or not self._new(turned) else turned.card
                assert owed is not None
                return [p.LONG_LAPSES.of(count=unpaid, owed=owed, player=player)]
            case TrickTaken():
                return self._taken(event, turned, events)
            case Shuffled(seat, number):
                # The long form has it where the pile is taken.
                return [] if self.long else [p.SHUFFLES.of(player=Seat(seat), count=number)]
            case Out(seat):
                self.gone.add(seat)
                return [(p.LONG_IS_OUT if self.long else p.IS_OUT).of(player=Seat(seat))]
            case LoopFound(transient, period):
                return [self._loops(events).of(**_after(transient), **_round(period))]
            case LimitReached(limit):
                short, long = _LIMITS[limit]
                return [(long if self.long else short).of()]
            case Over(termination, winner):
                return _end(termination, winner, self.long, self.rules)
            case Turned():
                raise AssertionError("a card begins what is told together")

    def _new(self, turned: Turned) -> bool:
        """Tell whether a card that was turned is one that demands a tribute now."""
        return not self.begging and bool(self.rules.tribute(turned.card))

    def _demanded(self, claimant: int, payer: int, due: int, turned: Turned | None) -> list[Phrase]:
        passed_on = turned is None or turned.seat != claimant or not self.rules.tribute(turned.card)
        self.due, self.claimant = due, claimant
        if not passed_on and turned is not None:
            self.owed = turned.card
            self.begging = turned.card.is_joker and self.rules.joker == "beggar"
        if not self.long or self.owed is None:
            return [p.OWES.of(player=Seat(payer), number=due)]
        owes = p.LONG_OWES_REST if passed_on else p.LONG_OWES
        return [owes.of(player=Seat(payer), count=due, owed=self.owed)]

    def _taken(
        self, event: TrickTaken, turned: Turned | None, events: Sequence[Event]
    ) -> list[Phrase]:
        player, number = Seat(event.seat), event.cards
        still_due, self.due, self.claimant = self.due, 0, None
        if not self.long:
            takes = p.TAKES_UNPAID if event.by_default else p.TAKES
            return [takes.of(player=player, count=number, trick=event.tricks)]
        told: list[Phrase] = []
        if not any(isinstance(other, TributePaid) for other in events):
            if len(self.gone) + 1 >= self.seats:
                told.append(p.LONG_LEFT.of(player=player))
            elif turned is not None and turned.card.is_joker and turned.seat == event.seat:
                told.append(p.LONG_GRABS.of(player=player))
            elif still_due and self.owed is not None:
                told.append(p.LONG_COLLECTS.of(owed=self.owed, player=player))
        under = p.LONG_REVERSED if self.rules.pickup == "reversed" else p.LONG_KEPT
        if any(isinstance(other, Shuffled) for other in events):
            under = p.LONG_SHUFFLED
        told.append(under.of(player=player, count=number, trick=event.tricks))
        return told

    def _loops(self, events: Sequence[Event]) -> Message:
        """Return what to say of a loop: under some rules the game goes on."""
        if any(isinstance(other, Over) for other in events):
            return p.LONG_LOOPS if self.long else p.LOOPS
        return p.LONG_LOOPS_SHUFFLED if self.long else p.LOOPS


_LIMITS = {
    "limit_cards": (p.CARD_LIMIT, p.LONG_CARD_LIMIT),
    "limit_tricks": (p.TRICK_LIMIT, p.LONG_TRICK_LIMIT),
    "limit_seconds": (p.TIME_LIMIT, p.LONG_TIME_LIMIT),
}


def _after(count: Count) -> dict[str, Phrase]:
    return {
        "cards": p.AFTER_CARDS.of(count=count.cards),
        "tricks": p.AFTER_TRICKS.of(count=count.tricks),
    }


def _round(count: Count) -> dict[str, Phrase]:
    return {
        "round_cards": p.CARDS.of(count=count.cards),
        "round_tricks": p.TRICKS.of(count=count.tricks),
    }


def _claims(seat: int, event: Event) -> bool:
    """Tell whether an event says that *seat*, which was paying, claims now."""
    match event:
        case TributeDemanded(claimant) | ClaimLapsed(claimant):
            return claimant == seat
        case TrickTaken(taker):
            return taker == seat
        case _:
            return False


def _end(termination: Termination, winner: int | None, long: bool, rules: Rules) -> list[Phrase]:
    if termination is Termination.UNDECIDED:
        return [(p.LONG_UNDECIDED if long else p.UNDECIDED).of()]
    if winner is None:
        who = (p.LONG_NOBODY_WINS if long else p.NOBODY_WINS).of()
    else:
        who = (p.LONG_WINS if long else p.WINS).of(player=Seat(winner))
    if termination is Termination.LOOP and not long:
        return [p.ENDLESS.of(who=who)]
    if termination is Termination.LOOP and rules.on_cycle == "most_cards":
        return [p.LONG_MOST_CARDS.of(), who]
    return [who]
