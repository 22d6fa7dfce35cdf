"""A deal: the hands a game starts from, and how cards are dealt round a table.

This module imports `cards`, `notation` and `errors`; NumPy only for a random
deal.
"""

import re
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from beggar.cards import Card, deck
from beggar.errors import DealError, quoted
from beggar.notation import read_hands, write_hands

if TYPE_CHECKING:
    import numpy as np

__all__ = ["MAX_CARDS", "MAX_PLAYERS", "MIN_PLAYERS", "Deal"]

MIN_PLAYERS: Final = 2
MAX_PLAYERS: Final = 6
#: The most cards of all hands together.
MAX_CARDS: Final = 65_535


class Deal:
    """The hands of 2 to 6 players before the first card is turned. Immutable.

    Parameters
    ----------
    hands : iterable of (str or iterable of Card)
        One for each seat, clockwise; each from its top card on, at least one
        card; 65,535 cards at most in all. A hand may be text (see
        `beggar.notation`).
    leader : int
        The seat that turns the first card, from 0.

    Attributes
    ----------
    hands : tuple of tuple of Card
    leader : int
    labels : tuple of bytes
        The labels of each hand's cards: what the compiled core reads.

    Raises
    ------
    DealError
        If there are too few or too many hands or cards, or a hand is empty.

    Examples
    --------
    >>> deal = Deal.parse("--K/QJ-")
    >>> deal
    Deal.parse('--K/QJ-')
    >>> deal == Deal(["--K", "QJ-"])
    True
    >>> deal.sizes
    (3, 3)
    """

    __slots__ = ("hands", "labels", "leader")

    hands: tuple[tuple[Card, ...], ...]
    leader: int
    labels: tuple[bytes, ...]

    def __init__(self, hands: Iterable[str | Iterable[Card]], leader: int = 0) -> None:
        read = tuple([_hand(hand) for hand in hands])
        check_table(read)
        for seat, hand in enumerate(read):
            if not hand:
                raise DealError(
                    f"hand {seat + 1} of {quoted(write_hands(read))} is empty: "
                    f"expected at least one card in every hand"
                )
        if type(leader) is not int or not 0 <= leader < len(read):
            raise DealError(f"no seat {quoted(leader)} to lead: expected 0 to {len(read) - 1}")
        object.__setattr__(self, "hands", read)
        object.__setattr__(self, "leader", leader)
        object.__setattr__(self, "labels", tuple(map(labels_of, read)))

    @classmethod
    def parse(cls, text: str) -> "Deal":
        """Read a deal from text: hands from their tops, joined by ``/``.

        Parameters
        ----------
        text : str
            Kind notation, tribute notation or card notation, see
            `beggar.notation`; ``turn=N`` may follow where seat 0 does not lead.
            A whole deck of 52 or 40 cards without a slash is two equal hands,
            the way the long games of Camicia are published.

        Raises
        ------
        DealError
            If it cannot be read for certain.

        Examples
        --------
        >>> Deal.parse("2h 7s K / Qd J 3c turn=1").leader
        1
        """
        leader = 0
        body = text
        if "=" in text:
            body, _, field = text.rstrip().rpartition(" ")
            name, _, value = field.partition("=")
            if name != "turn" or not re.fullmatch("[0-9]{1,4}", value):
                raise DealError(
                    f"cannot read {quoted(field)} in {quoted(text)}: expected turn=SEAT "
                    f"(other fields belong to a position)"
                )
            leader = int(value)
        return cls(halved(read_hands(body)), leader)

    @classmethod
    def from_deck(
        cls, cards: Iterable[Card], players: int = 2, *, dealer: int | None = None
    ) -> "Deal":
        """Deal a deck round the table until it is gone.

        One card at a time, clockwise, from the dealer's left; the last card
        dealt to a seat is the top of its hand. The dealer's left leads. So some
        seats may hold one card more.

        Parameters
        ----------
        cards : iterable of Card
            The deck, first card to be dealt first.
        players : int
            2 to 6.
        dealer : int, optional
            The dealer's seat; the last one without it, so that seat 0 leads.

        Raises
        ------
        DealError
            If there are fewer cards than players, or no such dealer.

        Examples
        --------
        >>> Deal.from_deck(read_hands("A234567")[0], 3)
        Deal.parse('74A/52/63')
        """
        _check_players(players)
        if dealer is None:
            dealer = players - 1
        if type(dealer) is not int or not 0 <= dealer < players:
            raise DealError(f"no seat {quoted(dealer)} to deal: expected 0 to {players - 1}")
        dealt = tuple(cards)
        first = (dealer + 1) % players
        hands = [dealt[(seat - first) % players :: players][::-1] for seat in range(players)]
        return cls(hands, first)

    @classmethod
    def random(
        cls,
        rng: "np.random.Generator | int | None" = None,
        *,
        players: int = 2,
        cards: str | Iterable[Card] = "french-52",
        jokers: int = 0,
    ) -> "Deal":
        """Shuffle a deck and deal it round the table; seat 0 leads.

        Parameters
        ----------
        rng : numpy.random.Generator or int, optional
            Where the shuffle comes from; an int seeds a new generator. Without
            it every call gives another deal.
        players : int
            2 to 6.
        cards : str or iterable of Card
            A deck's name (`beggar.cards.DECKS`) or its cards.
        jokers : int
            How many jokers to put into a deck given by name.

        Raises
        ------
        DealError
            If there is no such deck or number of players.

        Examples
        --------
        >>> Deal.random(1).sizes, Deal.random(1, players=3, jokers=1).sizes
        ((26, 26), (18, 18, 17))
        >>> Deal.random(7) == Deal.random(7)
        True
        """
        import numpy as np

        try:
            generator = np.random.default_rng(rng)
        except (TypeError, ValueError) as error:
            raise DealError(
                f"rng: {quoted(rng)} is no seed ({error}): expected a generator or a number from 0"
            ) from None
        pack = deck(cards, jokers) if isinstance(cards, str) else tuple(cards)
        shuffled = [pack[place] for place in generator.permutation(len(pack))]
        return cls.from_deck(shuffled, players)

    @property
    def players(self) -> int:
        """How many hands there are."""
        return len(self.hands)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of cards in each hand."""
        return tuple(map(len, self.hands))

    def text(self, notation: str | None = None) -> str:
        """Return the deal as text; ``str(deal)`` is ``deal.text()``.

        Parameters
        ----------
        notation : {None, "kind", "tribute", "card"}
            See `beggar.notation.write_hands`.

        Examples
        --------
        >>> Deal.parse("2h 7s K/Q J 10♦").text("kind")
        '--K/QJ-'
        """
        turn = f" turn={self.leader}" if self.leader else ""
        return write_hands(self.hands, notation) + turn

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Deal.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return self.hands == other.hands and self.leader == other.leader

    def __hash__(self) -> int:
        return hash((self.hands, self.leader))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"deals cannot be changed (attribute {name!r})")

    def __reduce__(self) -> tuple[Any, ...]:
        return Deal, (self.hands, self.leader)


def _hand(hand: str | Iterable[Card]) -> tuple[Card, ...]:
    if isinstance(hand, str):
        read = read_hands(hand)
        if len(read) != 1:
            raise DealError(f"{quoted(hand)} is more than one hand: expected no '/'")
        return read[0]
    try:
        cards = tuple(hand)
    except TypeError:
        raise DealError(f"{quoted(hand)} is not a hand: expected cards or text") from None
    for card in cards:
        if type(card) is not Card:
            raise DealError(f"{quoted(card)} is not a card: expected a Card or text")
    return cards


def _check_players(players: object) -> None:
    if type(players) is not int or not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise DealError(
            f"{quoted(players)} players cannot play: expected {MIN_PLAYERS} to {MAX_PLAYERS}"
        )


# How many cards of tribute 0 to 5 a whole deck has: French, and Camicia's.
_WHOLE_DECKS: Final = ([36, 4, 4, 4, 4, 0], [28, 4, 4, 4, 0, 0])


def halved(hands: list[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
    """Split a single hand that is a whole deck into two; leave all else as it is."""
    if len(hands) == 1 and len(hands[0]) in map(sum, _WHOLE_DECKS):
        (dealt,) = hands
        text = write_hands(hands, "tribute")
        if [text.count(digit) for digit in "012345"] in _WHOLE_DECKS:
            return [dealt[: len(dealt) // 2], dealt[len(dealt) // 2 :]]
    return hands


_label: Final = attrgetter("label")


def labels_of(cards: Iterable[Card]) -> bytes:
    """Return the labels of cards, one byte each: what the compiled core reads."""
    return bytes(map(_label, cards))


def check_table(hands: Sequence[Sequence[Card]], pile: Sequence[Card] = ()) -> None:
    """Raise if hands and pile are too few, too many or of two sorts of cards.

    Raises
    ------
    DealError
        If so; the message says how many there are and what was expected.
    """
    if not MIN_PLAYERS <= len(hands) <= MAX_PLAYERS:
        shown = quoted("/".join("".join(map(str, hand)) for hand in hands))
        raise DealError(
            f"{len(hands)} hand{'s' * (len(hands) != 1)} in {shown}: "
            f"expected {MIN_PLAYERS} to {MAX_PLAYERS}, joined by '/'"
        )
    total = sum(map(len, hands)) + len(pile)
    if total > MAX_CARDS:
        raise DealError(f"{total:,} cards are too many: expected {MAX_CARDS:,} at most")
    tributed = {card.tribute is not None for hand in (*hands, pile) for card in hand}
    if len(tributed) > 1:
        raise DealError(
            "cards known by their tribute beside cards known by their rank: expected one sort"
        )
