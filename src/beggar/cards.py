"""Ranks, suits, cards and decks.

A card here is a face and nothing more: what it *demands* depends on the rules
(`Rules.tribute`). There is one object for each face, so cards compare by
identity and cost nothing to pass about.

This module imports only `errors`.
"""

from typing import Any, Final

from beggar.errors import DealError, quoted

__all__ = ["CARDS", "DECKS", "JOKER", "NUMERAL", "RANKS", "SUITS", "Card", "deck"]

#: Every rank of a real card, low to high. T is ten.
RANKS: Final = "23456789TJQKA"

#: Every suit: clubs, diamonds, hearts, spades, and the Italian batons. The
#: other Italian suits share a letter: coppe c, denari d, spade s.
SUITS: Final = "cdhsb"

SUIT_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠", "b": "b"}
_SUIT_NAMES: Final = {
    "c": "clubs",
    "d": "diamonds",
    "h": "hearts",
    "s": "spades",
    "b": "batons",
}
_RANK_NAMES: Final = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
    "A": "ace",
}


class Card:
    """One face of a card. Get one with `Card.of`; never construct it.

    Attributes
    ----------
    rank : str
        One of `RANKS`; ``"*"`` for a joker; ``"-"`` for a card of which no rank
        is known: a nameless numeral, or a card known by its tribute alone.
    suit : str or None
        One of `SUITS`, or None where it was not told.
    tribute : int or None
        What the card demands if its notation says so (0 to 5), whatever the
        rules say of ranks; None for every card known by its rank.
    label : int
        Its place in `CARDS`, 0 to 85: two cards are the same card just when
        their labels are equal.

    Examples
    --------
    >>> king = Card.of("K", "h")
    >>> king, str(king), king.pretty, king.name
    (Card('Kh'), 'Kh', 'K♥', 'king of hearts')
    >>> king is Card.of("K", "h")
    True
    >>> Card.tributed(3).name
    'card of tribute 3'
    """

    __slots__ = ("label", "rank", "suit", "text", "tribute")

    rank: str
    suit: str | None
    tribute: int | None
    label: int
    text: str

    def __init__(self, rank: str, suit: str | None, tribute: int | None, label: int) -> None:
        text = rank + (suit or "") if tribute is None else str(tribute)
        for field, value in zip(
            ("rank", "suit", "tribute", "label", "text"),
            (rank, suit, tribute, label, text),
            strict=True,
        ):
            object.__setattr__(self, field, value)

    @staticmethod
    def of(rank: str, suit: str | None = None) -> "Card":
        """Return the card of a rank and, if told, a suit.

        Parameters
        ----------
        rank : str
            One of `RANKS`, ``"10"``, ``"*"`` (joker) or ``"-"`` (numeral).
        suit : str, optional
            One of `SUITS`. Jokers and nameless numerals have none.

        Raises
        ------
        DealError
            If there is no such card.
        """
        try:
            return _BY_FACE["T" if rank == "10" else rank.upper(), suit and suit.lower()]
        except (KeyError, AttributeError):
            raise DealError(
                f"no card {quoted(f'{rank}{suit or str()}')}: expected a rank of {RANKS} with a "
                f"suit of {SUITS} or none, '*' or '-'"
            ) from None

    @staticmethod
    def tributed(tribute: int) -> "Card":
        """Return the card known only by its tribute, as in tribute notation.

        Parameters
        ----------
        tribute : int
            0 (a numeral) to 5. The card of 5 is a joker: no other card of the
            published decks demands five.

        Raises
        ------
        DealError
            If *tribute* is not within 0 to 5.
        """
        if tribute not in range(6):
            raise DealError(f"no card of tribute {quoted(tribute)}: expected 0 to 5")
        return CARDS[1 + tribute]

    @property
    def is_joker(self) -> bool:
        """Whether the rules for jokers apply to the card."""
        return self.rank == "*"

    @property
    def pretty(self) -> str:
        """The card as people write it: ``'K♥'``, ``'10♣'``, ``'Joker'``."""
        if self.tribute is not None or self.rank == "-":
            return self.text
        if self.rank == "*":
            return "Joker"
        return ("10" if self.rank == "T" else self.rank) + SUIT_SIGNS.get(self.suit or "", "")

    @property
    def name(self) -> str:
        """The card in English words."""
        if self.tribute:
            return f"card of tribute {self.tribute}"
        if self.rank == "-":
            return "numeral"
        if self.rank == "*":
            return "joker"
        suit = f" of {_SUIT_NAMES[self.suit]}" if self.suit else ""
        return _RANK_NAMES[self.rank] + suit

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cards cannot be changed (attribute {name!r})")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Card({self.text!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        # One object a face, also after a pickle or a deep copy.
        return _by_label, (self.label,)


def _by_label(label: int) -> Card:
    return CARDS[label]


def _all_cards() -> tuple[Card, ...]:
    faces: list[tuple[str, str | None, int | None]] = [("-", None, None)]
    faces += [("*" if tribute == 5 else "-", None, tribute) for tribute in range(6)]
    faces += [("*", None, None)]
    faces += [(rank, suit, None) for rank in RANKS for suit in (None, *SUITS)]
    return tuple(Card(*face, label) for label, face in enumerate(faces))


#: Every card there is, by label.
CARDS: Final = _all_cards()

_BY_FACE: Final = {(card.rank, card.suit): card for card in CARDS if card.tribute is None}

#: The numeral of which no more is known, ``-`` in kind notation.
NUMERAL: Final = CARDS[0]

#: The joker.
JOKER: Final = _BY_FACE["*", None]

_ITALIAN: Final = "A234567JQK"

#: The decks the package deals, by name: their ranks and suits. Those of 26 and
#: 20 cards are two suits of the whole ones.
DECKS: Final = {
    "french-52": (RANKS, "cdhs"),
    "french-26": (RANKS, "hs"),
    "camicia-40": (_ITALIAN, "cdsb"),
    "camicia-20": (_ITALIAN, "db"),
}


def deck(name: str = "french-52", jokers: int = 0) -> tuple[Card, ...]:
    """Return the cards of a deck, unshuffled.

    Parameters
    ----------
    name : str
        One of `DECKS`.
    jokers : int
        How many jokers to put in, 0 or more.

    Returns
    -------
    tuple of Card
        Suit by suit, low rank to high, jokers last.

    Raises
    ------
    DealError
        If there is no deck of that name, or a negative number of jokers.

    Examples
    --------
    >>> len(deck()), len(deck(jokers=2)), len(deck("camicia-40"))
    (52, 54, 40)
    """
    try:
        ranks, suits = DECKS[name]
    except KeyError:
        raise DealError(f"unknown deck {quoted(name)}: expected {', '.join(DECKS)}") from None
    if type(jokers) is not int or jokers < 0:
        raise DealError(f"{quoted(jokers)} jokers: expected 0 or more")
    return tuple(Card.of(rank, suit) for suit in suits for rank in ranks) + (JOKER,) * jokers
