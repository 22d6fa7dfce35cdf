"""The oracle: the whole game in plain Python, written to be read.

Every paragraph of the rules has one method here, and nothing is done cleverly.
The compiled core plays the same game a hundred times as fast; this is what it
is checked against. Read `Table.turn_card` first: all else follows from it.

    seat     a player's place, from 0, clockwise
    hand     a seat's face-down stack; its left end is the top
    pile     the face-up cards in the centre, in the order they were turned
    due      what the seat to act still owes to the claimant; 0 in ordinary play

Loops are found in the plainest way there is: every state at the start of a
trick is remembered, and a state that comes again closes the loop. That takes
some 300 bytes a trick, which the core's way does not.

This module imports nothing compiled, and of the package only plain records:
`cards`, `rules`, `position`, `events` and `outcome`.
"""

import copy
import time
from collections import deque
from collections.abc import Iterator

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
from beggar.outcome import Count, Cycle, Outcome, Termination
from beggar.position import Position
from beggar.rules import Rules

__all__ = ["Table", "shuffle"]


class Table:
    """One game, played card by card.

    Parameters
    ----------
    position : Position
        Where to begin.
    rules : Rules
    seed : int or None
        What shuffles depend on; only rules that shuffle need one.
    """

    def __init__(self, position: Position, rules: Rules, seed: int | None = None) -> None:
        self.rules = rules
        self.seed = seed
        self.hands = [deque(hand) for hand in position.hands]
        self.pile = list(position.pile)
        self.turn = position.turn
        self.due = position.due
        self.claimant = position.claimant
        self.begging = position.begging
        self.chain = position.chain
        self.out = list(position.out)
        self.waiting = list(position.waiting)
        self.cards = position.cards
        self.tricks = position.tricks
        self.penalties = position.penalties

        # What each card demands, and which cards are the same one in a state.
        in_play = {card for cards in (*self.hands, self.pile) for card in cards}
        self.tribute = {card: rules.tribute(card) for card in in_play}
        self.identity = {card: self.kind(card) for card in in_play}
        if rules.cycle_identity == "card":
            self.identity = {card: card.label for card in in_play}

        self.outcome: Outcome | None = None
        self.last_by_default = position.by_default
        self.deadline: float | None = None
        self.stopped = False
        # Each state met at the start of a trick, with the count at that moment.
        self.met: dict[bytes, Count] = {}
        self.events: deque[Event] = deque()
        if not self.pile:
            self.start_trick()

    # -- The outside: events, the end, the position ------------------------------

    def step(self) -> Event | None:
        """Return the next event, turning a card when there is need; None when over."""
        if not self.events and self.outcome is None:
            self.turn_card()
        return self.events.popleft() if self.events else None

    def next_card(self) -> list[Event]:
        """Return the events of one card, turning one when there is need; none when over."""
        if not self.events and self.outcome is None:
            self.turn_card()
        events = list(self.events)
        self.events.clear()
        return events

    def __iter__(self) -> Iterator[Event]:
        while (event := self.step()) is not None:
            yield event

    def play(self) -> Outcome:
        """Play to the end, dropping the events, and return how it ended."""
        while self.outcome is None:
            if self.stopped:
                self.stopped = False
                raise KeyboardInterrupt
            self.turn_card()
            self.events.clear()
        self.events.clear()
        return self.outcome

    def stop(self) -> None:
        """Make a `play` that goes on in another thread end."""
        self.stopped = True

    @property
    def position(self) -> Position:
        """The table as it stands."""
        return Position(
            tuple(tuple(hand) for hand in self.hands),
            tuple(self.pile),
            self.turn,
            self.due,
            self.claimant,
            self.begging,
            self.chain,
            tuple(self.out),
            tuple(self.waiting),
            self.cards,
            self.tricks,
            self.penalties,
            self.last_by_default,
        )

    def __copy__(self) -> "Table":
        twin = object.__new__(Table)
        twin.__dict__.update(self.__dict__)
        twin.hands = [hand.copy() for hand in self.hands]
        for name in ("pile", "out", "waiting", "met", "events"):
            setattr(twin, name, copy.copy(getattr(self, name)))
        return twin

    # -- Turning a card --------------------------------------------------------

    def turn_card(self) -> None:
        """The seat to act turns its top card, and all happens that follows from it."""
        if self.deadline is None and self.rules.limit_seconds is not None:
            self.deadline = time.monotonic() + self.rules.limit_seconds
        seat = self.turn
        card = self.hands[seat].popleft()
        tribute = self.tribute[card]
        self.pile.append(card)
        self.cards += 1
        if tribute:
            self.penalties += 1
        if not self.hands[seat]:
            self.waiting.append(seat)
        self.events.append(Turned(seat, card, self.cards, self.penalties))

        if tribute and not self.begging:
            self.penalty_card(seat, card, tribute)
        elif self.due:
            self.pay(seat)
        else:
            self.ordinary_numeral(seat)

    def penalty_card(self, seat: int, card: Card, tribute: int) -> None:
        """A penalty card: its turner becomes claimant, whatever was owed before."""
        if card.is_joker and self.rules.joker == "grab":
            self.take_pile(seat, loser=self.clockwise_from(seat)[0])
            return
        self.chain = self.chain + 1 if self.due else 1
        self.claimant, self.due = seat, tribute
        self.begging = card.is_joker and self.rules.joker == "beggar"
        if self.rules.elimination == "on_empty" and not self.hands[seat]:
            if not self.goes_out(seat):
                self.lapse()
                self.next_in_ordinary_play(seat)
        else:
            self.next_payer(seat)

    def pay(self, seat: int) -> None:
        """A card was paid. Was it the last one owed, or the last one held?"""
        assert self.claimant is not None
        self.due -= 1
        if self.due == 0:
            self.events.append(TributePaid(self.claimant, seat))
            self.take_pile(self.claimant, loser=seat)
        elif not self.hands[seat] and not self.goes_out(seat):
            # It owes a card and has none: out, under both readings of elimination.
            self.tribute_unpaid(seat)

    def tribute_unpaid(self, payer: int) -> None:
        """The payer is out with some still owed."""
        assert self.claimant is not None
        if self.rules.unpaid_tribute == "lapses":
            self.lapse()
            self.next_in_ordinary_play(payer)
        elif self.rules.unpaid_tribute == "passes_on":
            self.next_payer(payer)
        else:
            self.take_pile(self.claimant, loser=payer, by_default=True)

    def lapse(self) -> None:
        """The claim and what is due are void."""
        assert self.claimant is not None
        self.events.append(ClaimLapsed(self.claimant, self.due))
        self.claim_is_over()

    def claim_is_over(self) -> None:
        """Nobody claims and nothing is due."""
        self.claimant, self.due, self.begging, self.chain = None, 0, False, 0

    def ordinary_numeral(self, seat: int) -> None:
        """A numeral in ordinary play: the turn passes on, or not (`until_penalty`)."""
        must_go_on = self.rules.until_penalty
        if self.hands[seat]:
            if not must_go_on:
                self.next_in_ordinary_play(seat)
        elif must_go_on or self.rules.elimination == "on_empty":
            if not self.goes_out(seat):
                self.next_in_ordinary_play(seat)
        else:
            self.next_in_ordinary_play(seat)

    # -- Whose turn ----------------------------------------------------------------

    def clockwise_from(self, seat: int) -> list[int]:
        """Every seat once, clockwise, beginning left of *seat* and ending with it."""
        players = len(self.hands)
        return [(seat + step) % players for step in range(1, players + 1)]

    def next_in_ordinary_play(self, seat: int) -> None:
        """The next seat that holds a card turns one; who is passed over is out."""
        if not any(self.hands):
            # Nobody holds a card and nobody claims: the last one still in to have
            # turned a card is the one left.
            left = self.waiting[-1]
            for other in self.clockwise_from(seat):
                if other != left and other not in self.out and self.goes_out(other):
                    return
        for other in self.clockwise_from(seat):
            if self.hands[other]:
                self.turn = other
                return
            if other not in self.out and self.goes_out(other):
                return

    def next_payer(self, seat: int) -> None:
        """The next seat that holds a card, the claimant aside, owes what is due."""
        assert self.claimant is not None
        for other in self.clockwise_from(seat):
            if other == self.claimant or other in self.out:
                continue
            if self.hands[other]:
                self.turn = other
                self.events.append(TributeDemanded(self.claimant, other, self.due, self.chain))
                return
            if self.goes_out(other):
                return

    # -- Going out, and the end -----------------------------------------------------

    def goes_out(self, seat: int) -> bool:
        """*seat* is out. Return whether that ends the game, one player being left."""
        self.out.append(seat)
        if seat in self.waiting:
            self.waiting.remove(seat)
        self.events.append(Out(seat))
        if len(self.out) < len(self.hands) - 1:
            return False
        (left,) = set(range(len(self.hands))) - set(self.out)
        if self.pile:
            # The last player takes the pile, and nobody paid for it.
            self.collect(left, by_default=True)
        self.turn = left
        self.end(Termination.WON, left)
        return True

    def end(self, termination: Termination, winner: int | None, cycle: Cycle | None = None) -> None:
        """The game is over, as the table stands."""
        self.outcome = Outcome(
            termination,
            winner,
            self.cards,
            self.tricks,
            self.last_by_default if termination is Termination.WON else None,
            tuple(map(len, self.hands)),
            tuple(self.out),
            cycle,
        )
        self.events.append(Over(termination, winner))

    def holds_most(self) -> int | None:
        """The seat with the most cards, None if two are equal."""
        sizes = [len(hand) for hand in self.hands]
        most = max(sizes)
        return sizes.index(most) if sizes.count(most) == 1 else None

    # -- Tricks -----------------------------------------------------------------------

    def collect(self, seat: int, by_default: bool) -> list[Card]:
        """*seat* puts the pile under its hand. Return the pile as it went under."""
        pile = self.pile[::-1] if self.rules.pickup == "reversed" else self.pile[:]
        if self.rules.shuffle_pile:
            shuffle(pile, self.seed, self.tricks)
            self.events.append(Shuffled(seat, len(pile)))
        self.hands[seat].extend(pile)
        self.pile.clear()
        if seat in self.waiting:
            self.waiting.remove(seat)
        self.claim_is_over()
        self.tricks += 1
        self.last_by_default = by_default
        self.events.append(TrickTaken(seat, len(pile), self.tricks, by_default))
        return pile

    def take_pile(self, seat: int, loser: int, by_default: bool = False) -> None:
        """A trick is taken; every empty hand is out; somebody leads the next."""
        pile = self.collect(seat, by_default)
        for other in self.clockwise_from(seat):
            if not self.hands[other] and other not in self.out and self.goes_out(other):
                return
        self.turn = seat
        if self.rules.lead == "loser":
            after = [loser, *self.clockwise_from(loser)]
            self.turn = next(other for other in after if self.hands[other])
        self.start_trick(seat, pile)

    def start_trick(self, taker: int | None = None, pile: list[Card] | None = None) -> None:
        """Before a trick: is a limit reached, is the state an old one, is the budget spent?"""
        rules = self.rules
        if len(self.out) == len(self.hands) - 1:
            self.end(Termination.WON, self.turn)
            return
        for name, reached in (
            ("limit_cards", rules.limit_cards is not None and self.cards >= rules.limit_cards),
            ("limit_tricks", rules.limit_tricks is not None and self.tricks >= rules.limit_tricks),
            ("limit_seconds", self.deadline is not None and time.monotonic() >= self.deadline),
        ):
            if reached:
                self.events.append(LimitReached(name))
                self.end(Termination.LIMIT, self.holds_most())
                return
        if rules.watches_loops:
            state = self.state()
            if state in self.met:
                self.loop_closes(state, taker, pile)
            else:
                self.met[state] = Count(self.cards, self.tricks)
        budget = rules.budget_tricks
        if self.outcome is None and budget is not None and self.tricks >= budget:
            self.end(Termination.UNDECIDED, None)

    # -- Loops ------------------------------------------------------------------------

    def state(self, swapped: bool = False) -> bytes:
        """Who leads and every hand in order: all that the rest of the game depends on.

        One byte for who leads, then one for each card, with a 255 before each
        hand. *swapped* is the same with the two seats exchanged.
        """
        hands = [bytes(map(self.identity.__getitem__, hand)) for hand in self.hands]
        leader = self.turn
        if swapped:
            hands, leader = hands[::-1], 1 - leader
        return b"\xff".join([bytes([leader]), *hands])

    def kind(self, card: Card) -> int:
        """What a card does, which is all that matters to play: numerals are alike."""
        return self.tribute[card] + (16 if card.is_joker else 0)

    def loop_closes(self, state: bytes, taker: int | None, pile: list[Card] | None) -> None:
        """The state was met before, so play would go round for ever."""
        transient = self.met[state]
        period = Count(self.cards - transient.cards, self.tricks - transient.tricks)
        self.events.append(LoopFound(transient, period))
        if self.rules.on_cycle == "shuffle":
            assert taker is not None
            assert pile is not None
            hand = self.hands[taker]
            for _ in pile:
                hand.pop()
            shuffle(pile, self.seed, self.tricks - 1)
            hand.extend(pile)
            self.events.append(Shuffled(taker, len(pile)))
            self.met = {self.state(): Count(self.cards, self.tricks)}
            return
        up_to_seats = None
        if len(self.hands) == 2:
            # If the cycle visits the mirror image of this state, it does so half way round.
            half = self.met.get(self.state(swapped=True), transient)
            up_to_seats = Count(half.cards - transient.cards, half.tricks - transient.tricks)
            if up_to_seats.tricks == 0:
                up_to_seats = period
        winner = self.holds_most() if self.rules.on_cycle == "most_cards" else None
        self.end(Termination.LOOP, winner, Cycle(transient, period, up_to_seats))


def shuffle(pile: list[Card], seed: int | None, trick: int) -> None:
    """Shuffle a pile in place; the order depends on seed and trick number alone.

    Fisher-Yates with SplitMix64 (Steele, Lea and Flood, *Fast Splittable
    Pseudorandom Number Generators*, 2014), unbiased by rejection. Seed and
    trick go through its mixer twice to begin with, so neighbours share nothing.
    """
    assert seed is not None
    state = _mixed((_mixed(seed) + trick) % 2**64)
    for last in range(len(pile) - 1, 0, -1):
        choices = last + 1
        while True:
            state = (state + 0x9E3779B97F4A7C15) % 2**64
            drawn = _mixed(state)
            # The highest multiple of `choices` below 2**64: draws from there on are biased.
            if drawn < 2**64 - 2**64 % choices:
                break
        place = drawn % choices
        pile[last], pile[place] = pile[place], pile[last]


def _mixed(word: int) -> int:
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    word = (word ^ word >> 27) * 0x94D049BB133111EB % 2**64
    return word ^ word >> 31
