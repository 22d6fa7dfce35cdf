"""Hands as text: kind notation, tribute notation and card notation, both ways.

What cannot be read for certain is refused. The text of several hands is read
as a whole, since one letter anywhere can settle what its digits mean. This
module imports `cards` and `errors`.

Kind notation ``--K/QJ-``
    ``-`` a numeral, ``J Q K A`` the penalty cards, ``*`` a joker; 2 to 9, T and
    10 are numerals as well.
Tribute notation ``001/3000``
    ``0`` a numeral, ``1`` to ``5`` a card of that tribute.
Card notation ``Kh Ts 10♣ K♥ Joker``
    A rank and a suit, with spaces or without; a suit may be missing.

Digits alone can be ambiguous (is ``2`` a numeral or a tribute of two?). A text
may begin with ``kind:``, ``tribute:`` or ``card:`` to say which it is.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from beggar.cards import JOKER, NUMERAL, RANKS, SUITS, Card
from beggar.errors import DealError, quoted

__all__ = ["NOTATIONS", "read_hands", "write_hands"]

#: The notations by name, as in the prefix of a text.
NOTATIONS: Final = ("kind", "tribute", "card")

_KIND: Final = {
    "-": NUMERAL,
    "*": JOKER,
    **{r: Card.of(r) for r in RANKS},
    **{r.lower(): Card.of(r) for r in "JQKAT"},
}
_TRIBUTE: Final = {str(t): Card.tributed(t) for t in range(6)}
_SUIT_LETTERS: Final = {
    **{s: s for s in SUITS},
    **{s.upper(): s for s in SUITS},
    **dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)),
}
_TOKEN: Final = re.compile(
    r"(?P<joker>joker|\*)|(?P<numeral>-)|"
    rf"(?P<rank>10|[{RANKS}])(?P<suit>[{SUITS}♣♦♥♠♧♢♡♤]?)\ufe0f?",
    re.IGNORECASE | re.ASCII,
)
_EXPECTED: Final = {
    "kind": "- J Q K A or * (2 to 9, T and 10 are numerals)",
    "tribute": "0 to 5",
    "card": "a card such as Kh, 10♣ or Joker",
    "": "cards as in --K/QJ-, 0030/0021 or Kh Ts/10♣ K♥",
}


def read_hands(text: str) -> list[tuple[Card, ...]]:
    """Read hands of cards, top card first, joined by ``/``.

    Parameters
    ----------
    text : str
        The hands in one of the notations. Hands may be empty here.

    Returns
    -------
    list of tuple of Card
        One for each hand: one more than there are slashes.

    Raises
    ------
    DealError
        If it cannot be read for certain: the message quotes the place and says
        what was expected there.

    Examples
    --------
    >>> read_hands("K-/7")
    [(Card('K'), Card('-')), (Card('7'),)]
    >>> read_hands("23/45")
    Traceback (most recent call last):
        ...
    beggar.errors.DealError: ambiguous digits in '23/45': expected kind:23/45 if they \
are numerals, tribute:23/45 if they are tributes
    """
    body = text.strip()
    notation = ""
    head, colon, rest = body.partition(":")
    if colon and head.strip().lower() in NOTATIONS:
        notation, body = head.strip().lower(), rest.strip()
    notation = notation or _notation_of(body)
    if notation == "card":
        return _read_cards(body)
    hands = body.split("/")
    table = _TRIBUTE if notation == "tribute" else _KIND
    try:
        if notation == "kind" and "1" in body:
            hands = [hand.replace("10", "T") for hand in hands]
        return [tuple([table[sign] for sign in "".join(hand.split())]) for hand in hands]
    except KeyError:
        raise _unreadable(body, notation) from None


def _notation_of(body: str) -> str:
    """Tell which notation a text without a prefix is in."""
    signs = set(body)
    signs.discard("/")
    if signs <= _KIND_LETTERS:
        return "kind"
    digits = {sign for sign in signs if not sign.isspace()}
    if digits <= _DIGITS:
        if "0" in body.replace("10", "") or re.search("1(?!0)", body):
            return "tribute"
        if digits:
            raise DealError(
                f"ambiguous digits in {quoted(body)}: expected kind:{_short(body)} if they are "
                f"numerals, tribute:{_short(body)} if they are tributes"
            )
        return "kind"
    if digits <= _KIND_SIGNS:
        return "kind"
    return "card"


_KIND_LETTERS: Final = frozenset("-JQKA*")
_DIGITS: Final = frozenset("012345")
_KIND_SIGNS: Final = frozenset({*_KIND, *"10"})


def _short(body: str) -> str:
    return body if len(body) <= 20 else body[:17] + "..."


def _read_cards(body: str) -> list[tuple[Card, ...]]:
    hands: list[tuple[Card, ...]] = []
    at = 0
    hand: list[Card] = []
    while at < len(body):
        found = _TOKEN.match(body, at)
        if found:
            at = found.end()
            if found["joker"]:
                hand.append(JOKER)
            elif found["numeral"]:
                hand.append(NUMERAL)
            else:
                suit = _SUIT_LETTERS[found["suit"]] if found["suit"] else None
                hand.append(Card.of(found["rank"].upper(), suit))
        elif body[at] == "/":
            hands.append(tuple(hand))
            hand = []
            at += 1
        elif body[at].isspace():
            at += 1
        else:
            raise _unreadable_at(body, at, "")
    hands.append(tuple(hand))
    return hands


def _unreadable(body: str, notation: str) -> DealError:
    """Find the sign that no card begins with, and say so."""
    tens = notation == "kind"
    table = _TRIBUTE if notation == "tribute" else _KIND
    for at, sign in enumerate(body):
        ten = tens and (body[at : at + 2] == "10" or body[max(at - 1, 0) : at + 1] == "10")
        if not (sign in table or sign == "/" or sign.isspace() or ten):
            return _unreadable_at(body, at, notation)
    raise AssertionError(f"{body!r} can be read")


def _unreadable_at(body: str, at: int, notation: str) -> DealError:
    hand = body.count("/", 0, at) + 1
    return DealError(
        f"cannot read {quoted(body[at])} at column {at + 1} (hand {hand}) of "
        f"{quoted(body, at)}: expected {_EXPECTED[notation]}"
    )


def write_hands(hands: Iterable[Sequence[Card]], notation: str | None = None) -> str:
    """Write hands of cards so that `read_hands` reads the same cards again.

    Parameters
    ----------
    hands : iterable of sequence of Card
        The hands, top card first.
    notation : {None, "kind", "tribute", "card"}
        The shortest one that keeps every card without it. Kind notation drops
        suits and writes ``-`` for number cards; tribute notation (by the
        default tributes) drops all but the tribute.

    Raises
    ------
    DealError
        If *notation* is not one, or cannot say what a card is.

    Examples
    --------
    >>> write_hands(read_hands("K♥ 10♣ / Joker 2"))
    'KhTc/*2'
    >>> write_hands(read_hands("K♥ 10♣ / Joker 2"), "kind")
    'K-/*-'
    """
    laid = [tuple(hand) for hand in hands]
    if notation is None:
        return _write_exactly(laid)
    if notation not in NOTATIONS:
        raise DealError(f"unknown notation {quoted(notation)}: expected {', '.join(NOTATIONS)}")
    if notation == "card":
        return "/".join(" ".join(card.pretty for card in hand) for hand in laid)
    signs = "-JQKA*" if notation == "kind" else "012345"
    return "/".join("".join(signs[_default_tribute(card)] for card in hand) for hand in laid)


def _default_tribute(card: Card) -> int:
    if card.tribute is not None:
        return card.tribute
    return "-JQKA*".find(card.rank) if card.rank in "JQKA*" else 0


def _write_exactly(hands: list[tuple[Card, ...]]) -> str:
    cards = {card for hand in hands for card in hand}
    tributed = sum(card.tribute is not None for card in cards)
    if tributed and tributed < len(cards):
        raise DealError(
            "cards known by their tribute cannot be written beside cards known by their rank: "
            "expected all of one sort"
        )
    text = "/".join("".join(card.text for card in hand) for hand in hands)
    try:
        if _notation_of(text) == ("tribute" if tributed else "card"):
            return text
        if not tributed and not any(card.suit for card in cards):
            return text
    except DealError:
        pass
    return f"{'tribute' if tributed else 'kind'}:{text}"
