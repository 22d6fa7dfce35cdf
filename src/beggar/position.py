"""A table in the middle of a game, as text that round-trips.

This module imports `cards`, `notation`, `deals`, `rules` and `errors`.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from beggar.cards import Card
from beggar.deals import Deal, check_table, halved
from beggar.errors import DealError, PositionError, quoted
from beggar.notation import read_hands, write_hands
from beggar.rules import Rules

__all__ = ["Position"]


class Position(NamedTuple):
    """Everything that the rest of a game depends on, rules and seed aside.

    As text it is the hands, top card first and joined by ``/``, then only the
    fields that say something: ``K-/QJ pile=-A turn=1 due=3 claimant=0``.

    Attributes
    ----------
    hands : tuple of tuple of Card
        One for each seat, top card first; empty for a seat that is out or
        `waiting`.
    pile : tuple of Card
        The cards in the centre in the order they were turned.
    turn : int
        The seat that turns the next card.
    due : int
        What that seat still owes; 0 in ordinary play.
    claimant : int or None
        Who takes the pile if it is paid; None in ordinary play.
    begging : bool
        Whether the tribute is owed to a joker under ``joker="beggar"``, where
        no card stops the payment (``due=3*`` as text).
    chain : int
        Penalty cards turned in answer to one another so far.
    out : tuple of int
        The seats that are out, in the order they went.
    waiting : tuple of int
        The seats with an empty hand that are still in, in the order they
        turned their last card.
    cards, tricks, penalties : int
        Cards turned, tricks taken and penalty cards seen in the game so far: what
        is counted on from. 0 where it is not told, and then counted from here.
    by_default : bool
        Whether the last trick was not paid for (``default=1`` as text): only
        that tells how a game that is over was won.

    Examples
    --------
    >>> position = Position.parse("--/QJ pile=-K turn=1 due=3 claimant=0 cards=2 penalties=1")
    >>> position.due, position.claimant, position.pile
    (3, 0, (Card('-'), Card('K')))
    >>> Position.parse(str(position)) == position
    True
    """

    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...] = ()
    turn: int = 0
    due: int = 0
    claimant: int | None = None
    begging: bool = False
    chain: int = 0
    out: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    cards: int = 0
    tricks: int = 0
    penalties: int = 0
    by_default: bool = False

    @classmethod
    def start(cls, deal: Deal) -> "Position":
        """Return the position a deal starts from."""
        return cls(deal.hands, turn=deal.leader)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read a position; the text of a deal is its first position.

        Raises
        ------
        DealError
            If the cards cannot be read for certain.
        PositionError
            If a field is unknown, stands twice, has a wrong value, or the
            fields contradict one another whatever the rules.
        """
        if "=" not in text:
            return cls.start(Deal.parse(text))
        words = text.split()
        body = " ".join(word for word in words if "=" not in word)
        told: dict[str, str] = {}
        for word in words:
            name, equals, value = word.partition("=")
            if equals:
                if name not in _READERS and name != "pile":
                    raise PositionError(
                        f"unknown field {quoted(word)} in {quoted(text)}: "
                        f"expected pile, {', '.join(_READERS)}"
                    )
                if name in told:
                    raise PositionError(f"{name} stands twice in {quoted(text)}: expected once")
                told[name] = value
        # The pile is read with the hands: a letter in one can settle digits in the other.
        pile: tuple[Card, ...] = ()
        if "pile" in told:
            *hands, pile = read_hands(f"{body}/{told.pop('pile')}")
        else:
            hands = read_hands(body)
        fields: dict[str, object] = {}
        for name, value in told.items():
            try:
                fields[name] = _READERS[name](value.removesuffix("*") if name == "due" else value)
            except ValueError:
                raise PositionError(
                    f"{name}={quoted(value)} in {quoted(text)}: expected {_EXPECTED[name]}"
                ) from None
        fields["by_default"] = bool(fields.pop("default", 0))
        fields["begging"] = told.get("due", "").endswith("*")
        if "claimant" in fields:
            fields.setdefault("chain", 1)
        position = cls(tuple(halved(hands)), pile, **fields)  # type: ignore[arg-type]
        position.check()
        return position

    def check(self, rules: Rules | None = None) -> None:
        """Raise if no game can come to this position.

        Parameters
        ----------
        rules : Rules, optional
            Without them only what holds under all rules is checked.

        Raises
        ------
        PositionError
            If so: the message says what contradicts what.
        """
        problem = _contradiction(self) or (_contradiction_by(self, rules) if rules else None)
        if problem:
            raise PositionError(
                f"no game can come to {quoted(self._shown(), width=100)}: {problem}"
            )

    def _shown(self) -> str:
        try:
            return str(self)
        except (DealError, AttributeError, TypeError):
            # Filled in by a program with what cannot be written.
            return repr(tuple(self))

    def __str__(self) -> str:
        written = write_hands((*self.hands, self.pile))
        body, _, pile = written.rpartition("/")
        claimed = self.claimant is not None
        fields = (
            ("pile", pile, pile != ""),
            ("turn", self.turn, self.turn != 0),
            ("due", f"{self.due}{'*' * self.begging}", claimed),
            ("claimant", self.claimant, claimed),
            ("chain", self.chain, claimed and self.chain != 1),
            ("out", ",".join(map(str, self.out)), bool(self.out)),
            ("waiting", ",".join(map(str, self.waiting)), bool(self.waiting)),
            ("cards", self.cards, self.cards != 0),
            ("tricks", self.tricks, self.tricks != 0),
            ("penalties", self.penalties, self.penalties != 0),
            ("default", 1, self.by_default),
        )
        told = [f"{name}={value}" for name, value, says in fields if says]
        return " ".join([body, *told])

    def __repr__(self) -> str:
        return f"Position.parse({self._shown()!r})"


def _seats(text: str) -> tuple[int, ...]:
    return tuple(_whole(seat) for seat in text.split(","))


def _whole(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 18:
        raise ValueError(text)
    return int(text)


_READERS: Final[dict[str, Callable[[str], object]]] = {
    "turn": _whole,
    "due": _whole,
    "claimant": _whole,
    "chain": _whole,
    "out": _seats,
    "waiting": _seats,
    "cards": _whole,
    "tricks": _whole,
    "penalties": _whole,
    "default": lambda text: ("0", "1").index(text),
}
_EXPECTED: Final = {
    **dict.fromkeys(_READERS, "a whole number"),
    **dict.fromkeys(("turn", "claimant"), "a seat, from 0"),
    **dict.fromkeys(("out", "waiting"), "seats joined by commas, from 0"),
    "default": "0 or 1",
    "due": "how many cards are owed (a '*' after it: to a joker that begs)",
}


_MOST: Final = 2**62


def _wrong_sort(position: Position) -> str | None:
    """Say which field is not what its type says: a caller may have filled it in."""
    for hand in (*position.hands, position.pile):
        if not isinstance(hand, tuple) or not all(type(card) is Card for card in hand):
            return f"{quoted(hand)} is no hand or pile: expected a tuple of cards"
    numbers = {
        **{name: getattr(position, name) for name in ("turn", "due", "chain")},
        **{name: getattr(position, name) for name in ("cards", "tricks", "penalties")},
        **({} if position.claimant is None else {"claimant": position.claimant}),
        **{f"out[{at}]": seat for at, seat in enumerate(position.out)},
        **{f"waiting[{at}]": seat for at, seat in enumerate(position.waiting)},
    }
    for name, value in numbers.items():
        if type(value) is not int or not 0 <= value < _MOST:
            return f"{name} is {quoted(value)}: expected a whole number from 0"
    if not (isinstance(position.begging, bool) and isinstance(position.by_default, bool)):
        return "begging and by_default: expected True or False"
    return None


def _contradiction(position: Position) -> str | None:
    """Say what cannot be, whatever the rules."""
    problem = _wrong_sort(position)
    if problem:
        return problem
    hands, pile, turn = position.hands, position.pile, position.turn
    try:
        check_table(hands, pile)
    except DealError as error:
        return str(error)
    seats = range(len(hands))
    gone = (*position.out, *position.waiting)
    for seat in (turn, *gone, *(() if position.claimant is None else (position.claimant,))):
        if seat not in seats:
            return f"there is no seat {seat}: expected 0 to {len(hands) - 1}"
    if len(set(gone)) < len(gone):
        return "a seat stands twice among out and waiting"
    for seat in seats:
        if hands[seat] and seat in gone:
            return f"seat {seat} holds cards: expected an empty hand of who is out or waiting"
        if not hands[seat] and seat not in gone:
            return f"hand {seat + 1} is empty: expected seat {seat} under out= or waiting="
    if not hands[turn]:
        return f"seat {turn} has no card to turn: expected turn= a seat that holds one"
    if len(position.out) == len(hands) - 1 and pile:
        return "one player is left: expected no pile"
    if position.waiting and not pile:
        return "there is no pile: expected empty hands to be out, not waiting"
    if position.cards and position.cards < max(len(pile), position.tricks, position.penalties):
        return (
            f"{position.cards} cards turned with {len(pile)} on the pile, {position.tricks} tricks "
            f"and {position.penalties} penalty cards: expected no fewer than each"
        )
    if (position.claimant is None) != (position.due == 0):
        return "a claimant and what is due go together: expected both or neither"
    if position.claimant is not None:
        if position.claimant == turn or position.claimant in position.out:
            return "the claimant cannot be the payer, nor be out"
        if not 1 <= position.chain <= len(pile):
            return f"a chain of {position.chain} in a pile of {len(pile)}"
    elif position.begging or position.chain:
        return "nothing is due: expected no chain"
    return None


def _contradiction_by(position: Position, rules: Rules) -> str | None:
    """Say what cannot be by these rules."""
    tributes = [rules.tribute(card) for card in position.pile]
    if rules.elimination == "on_empty" and position.waiting:
        return "with elimination=on_empty an empty hand is out at once: expected no waiting="
    if position.begging and rules.joker != "beggar":
        return f"no joker begs with joker={rules.joker}: expected due= without '*'"
    if position.claimant is None:
        if any(tributes) and not position.out:
            return (
                "a penalty card on the pile is claimed unless somebody is out: expected claimant="
            )
        return None
    if position.begging:
        paid = 5 - position.due
        owed_to = position.pile[-1 - paid] if 0 <= paid < len(position.pile) else None
        if owed_to is None or not owed_to.is_joker:
            return f"{position.due} due to a joker: expected one in the pile, {paid} cards ago"
        return None
    return _contradiction_of_due(tributes, position, rules)


def _contradiction_of_due(tributes: Sequence[int], position: Position, rules: Rules) -> str | None:
    paid = next((k for k, tribute in enumerate(reversed(tributes)) if tribute), None)
    if paid is None:
        return "nobody can claim: expected a penalty card in the pile"
    last = position.pile[-1 - paid]
    if last.is_joker and rules.joker != "super":
        return f"nothing is owed to a joker with joker={rules.joker} but to one that begs"
    if paid + position.due != tributes[-1 - paid]:
        return (
            f"{position.due} due after {paid} paid to a card of tribute {tributes[-1 - paid]}: "
            f"expected due={tributes[-1 - paid] - paid}"
        )
    if position.chain > sum(map(bool, tributes)):
        return f"a chain of {position.chain}: expected as many penalty cards in the pile"
    return None
