"""A deck's deals as a numbered set: how many there are, which is which, ranges, draws.

A deal is a number: its rank among all deals of the same kinds of cards to hands of the same
sizes, from 0, in the lexicographic order of the dealt sequence (hand 0, then hand 1 and so on,
each from its top card on), where a numeral comes before a card of tribute 1, that before one of
2, and so on. Numbers are Python's own and so of any size.

This module imports `cards`, `deals`, `rules` and `errors`; NumPy only for random draws.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import factorial, prod
from typing import TYPE_CHECKING, Any, Final, Self

from beggar.cards import DECKS, JOKER, NUMERAL, Card, deck
from beggar.deals import MAX_CARDS, MAX_PLAYERS, MIN_PLAYERS, Deal
from beggar.errors import BeggarError, quoted
from beggar.rules import PRESETS, Rules

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Space"]


class Space:
    """All deals of some kinds of cards to hands of some sizes.

    Parameters
    ----------
    counts : sequence of int
        How many cards there are of each tribute: numerals, then those of 1, of 2 and so on up
        to 5 (jokers).
    sizes : sequence of int, optional
        How many cards each hand gets, 2 to 6 hands; two hands without it, the first one card
        larger where they cannot be equal.
    faces : sequence of Card, optional
        What the cards of each count are called; by their tributes without it.
    rules : Rules, optional
        By what deals are read: which cards are of which kind.

    Attributes
    ----------
    counts, sizes : tuple of int
    faces : tuple of Card
    count : int
        How many deals there are.

    Raises
    ------
    BeggarError
        If counts or sizes are none, or do not add up to the same.

    Examples
    --------
    >>> space = Space([14, 2, 2, 2])
    >>> space.count, space.sizes
    (3488400, (10, 10))
    >>> str(space.unrank(1_234_567))
    '0010300100/0020200300'
    >>> space.rank(space.unrank(1_234_567))
    1234567
    """

    __slots__ = ("_rules", "count", "counts", "faces", "sizes")

    def __init__(
        self,
        counts: Sequence[int],
        sizes: Sequence[int] | None = None,
        faces: Sequence[Card] | None = None,
        rules: Rules | None = None,
    ) -> None:
        self.counts = tuple(counts)
        cards = _sum_of(self.counts, "counts")
        if faces is None:
            if not 1 <= len(self.counts) <= 6:
                raise BeggarError(
                    f"counts: {len(self.counts)} of them: expected 1 to 6, for tributes 0 to 5"
                )
            faces = [Card.tributed(tribute) for tribute in range(len(self.counts))]
        if not 2 <= cards <= MAX_CARDS:
            raise BeggarError(f"counts: {cards} cards: expected 2 to {MAX_CARDS:,}")
        if sizes is None:
            sizes = [cards - cards // 2, cards // 2]
        self.sizes = tuple(sizes)
        if _sum_of(self.sizes, "sizes") != cards:
            raise BeggarError(
                f"sizes: hands of {'+'.join(map(str, self.sizes))} = {sum(self.sizes)} cards: "
                f"expected {cards}, as the counts"
            )
        if not MIN_PLAYERS <= len(self.sizes) <= MAX_PLAYERS or 0 in self.sizes:
            raise BeggarError(
                f"sizes: {quoted('+'.join(map(str, self.sizes)))}: expected {MIN_PLAYERS} to "
                f"{MAX_PLAYERS} hands of one card or more"
            )
        self.faces = tuple(faces)
        if len(self.faces) != len(self.counts):
            raise BeggarError(f"{len(self.faces)} faces for {len(self.counts)} counts")
        self._rules = Rules() if rules is None else rules
        self.count: int = factorial(cards) // prod(map(factorial, self.counts))
        if self.count.bit_length() > _MOST_BITS:
            raise BeggarError(f"{cards} cards can be dealt in more than 10**4000 ways: too many")

    @classmethod
    def of(cls, name: str, sizes: Sequence[int] | None = None, rules: Rules | None = None) -> Self:
        """Return the space of a deck by name, or by its counts as text.

        Parameters
        ----------
        name : str
            One of `beggar.cards.DECKS`, or counts such as ``"14:2:2:2"``: numerals, then cards
            of tribute 1, of 2 and so on.
        sizes : sequence of int, optional
            As for the class; else a named deck is dealt to as many as the rules say.
        rules : Rules, optional
            What demands what, and how many jokers there are. The Italian decks have Camicia's
            tributes unless the rules have some of their own.

        Raises
        ------
        BeggarError
            If there is no such deck, or as for the class.

        Examples
        --------
        >>> Space.of("french-52").count
        653534134886878245000
        >>> Space.of("french-26").unrank(0)
        Deal.parse('-------------/-----JJQQKKAA')
        >>> Space.of("3:1:1", [3, 2]).count
        20
        """
        rules = Rules() if rules is None else rules
        text = name.strip()
        if text not in DECKS:
            if not re.fullmatch(r"[0-9]{1,5}(:[0-9]{1,5})*", text):
                raise BeggarError(
                    f"no deck {quoted(name)}: expected {', '.join(DECKS)}, or counts of cards by "
                    f"tribute such as 14:2:2:2"
                )
            if rules.jokers:
                raise BeggarError(
                    f"jokers={rules.jokers} with {quoted(text)}: expected them among the counts, "
                    f"as cards of tribute 5"
                )
            return cls([int(count) for count in text.split(":")], sizes)
        if text.startswith("camicia") and rules.tributes == Rules().tributes:
            rules = rules.replace(tributes=PRESETS["camicia"].tributes)
        cards = deck(text, rules.jokers)
        if sizes is None:
            players = rules.players or 2
            sizes = [len(cards[seat::players]) for seat in range(players)]
        return cls.of_cards(cards, sizes, rules)

    @classmethod
    def of_cards(
        cls, cards: Sequence[Card], sizes: Sequence[int], rules: Rules | None = None
    ) -> Self:
        """Return the space of some cards, those alike that demand the same.

        Examples
        --------
        >>> space = Space.of_cards(deck("french-26"), [13, 13])
        >>> space.counts, space.faces
        ((18, 2, 2, 2, 2), (Card('-'), Card('J'), Card('Q'), Card('K'), Card('A')))
        """
        rules = Rules() if rules is None else rules
        alike: dict[tuple[int, bool], list[Card]] = {}
        for card in cards:
            alike.setdefault((rules.tribute(card), card.is_joker), []).append(card)
        kinds = sorted(alike)
        return cls([len(alike[kind]) for kind in kinds], sizes, _faces(alike, kinds), rules)

    @classmethod
    def of_deal(cls, deal: Deal, rules: Rules | None = None) -> Self:
        """Return the space that a deal is one of.

        Examples
        --------
        >>> Space.of_deal(Deal.parse("--K/QJ")).rank(Deal.parse("--K/QJ"))
        5
        """
        return cls.of_cards([card for hand in deal.hands for card in hand], deal.sizes, rules)

    @property
    def cards(self) -> int:
        """How many cards there are."""
        return sum(self.counts)

    def unrank(self, rank: int) -> Deal:
        """Return the deal of a rank.

        Raises
        ------
        BeggarError
            If there is no such rank.
        """
        row = self.arrangement(rank)
        dealt = [self.faces[symbol] for symbol in row]
        edges = [sum(self.sizes[:seat]) for seat in range(len(self.sizes) + 1)]
        return Deal([dealt[start:end] for start, end in pairwise(edges)])

    def arrangement(self, rank: int) -> list[int]:
        """Return the dealt sequence of a rank, each card as its place among the counts.

        Examples
        --------
        >>> Space([2, 1, 1]).arrangement(5)
        [0, 2, 1, 0]
        """
        if type(rank) is not int or not 0 <= rank < self.count:
            raise BeggarError(f"no deal {quoted(rank)}: expected 0 to {self.count - 1:,}")
        left, ways = list(self.counts), self.count
        row = []
        for cards in range(self.cards, 0, -1):
            symbol = 0
            # The arrangements of the rest that begin with a symbol.
            while rank >= (begun := ways * left[symbol] // cards):
                rank -= begun
                symbol += 1
            row.append(symbol)
            left[symbol] -= 1
            ways = begun
        return row

    def rank(self, deal: Deal | str) -> int:
        """Return the rank of a deal; its cards may be written in any notation.

        Raises
        ------
        BeggarError
            If it is no deal of this space.

        Examples
        --------
        >>> camicia = Space.of("camicia-40")
        >>> camicia.rank("0000000203100000010020230203000100300010")
        10250747427146
        """
        deal = Deal.parse(deal) if isinstance(deal, str) else deal
        row = self._row(deal)
        left, ways, rank = list(self.counts), self.count, 0
        for symbol, cards in zip(row, range(self.cards, 0, -1), strict=True):
            rank += sum(ways * many // cards for many in left[:symbol])
            ways = ways * left[symbol] // cards
            left[symbol] -= 1
        return rank

    def _kind(self, card: Card) -> tuple[int, bool]:
        return self._rules.tribute(card), card.is_joker

    def _row(self, deal: Deal) -> list[int]:
        of_kind = {self._kind(face): symbol for symbol, face in enumerate(self.faces)}
        if deal.leader:
            raise BeggarError(f"{quoted(deal)}: seat {deal.leader} leads: expected seat 0")
        row = []
        for hand in deal.hands:
            for card in hand:
                symbol = of_kind.get(self._kind(card))
                if symbol is None:
                    raise BeggarError(f"{quoted(card)} in {quoted(deal)}: expected cards of {self}")
                row.append(symbol)
        counts = tuple(row.count(symbol) for symbol in range(len(self.counts)))
        if counts != self.counts or deal.sizes != self.sizes:
            raise BeggarError(f"{quoted(deal)} is no deal of {self}")
        return row

    def span(self, start: int = 0, stop: int | None = None) -> range:
        """Return the ranks from *start* to before *stop*, checked.

        Raises
        ------
        BeggarError
            If they go beyond the space, or backwards.

        Examples
        --------
        >>> Space([2, 1, 1]).span(3)
        range(3, 12)
        >>> Space([2, 1, 1]).span(5, 13)
        Traceback (most recent call last):
            ...
        beggar.errors.BeggarError: the range 5:13 goes beyond 0:12
        """
        stop = self.count if stop is None else stop
        if not 0 <= start <= self.count or not 0 <= stop <= self.count:
            raise BeggarError(f"the range {start}:{stop} goes beyond 0:{self.count}")
        if start >= stop:
            raise BeggarError(f"the range {start}:{stop} is empty or goes backwards")
        return range(start, stop)

    def deals(self, start: int = 0, stop: int | None = None) -> Iterator[Deal]:
        """Yield the deals of a range, in order, as `unrank` would give them one by one.

        Examples
        --------
        >>> [str(deal) for deal in Space([2, 1, 1]).deals(9)]
        ['20/01', '20/10', '21/00']
        """
        for rank in self.span(start, stop):
            yield self.unrank(rank)

    def random(self, rng: "np.random.Generator | int | None" = None) -> Deal:
        """Return a deal drawn uniformly.

        Parameters
        ----------
        rng : numpy.random.Generator or int, optional
            As for `Deal.random`.

        Examples
        --------
        >>> Space([2, 1, 1]).random(1).sizes
        (2, 2)
        """
        import numpy as np

        generator = np.random.default_rng(rng)
        bits = self.count.bit_length()
        size = -(-bits // 8)
        while True:
            drawn = int.from_bytes(generator.bytes(size), "little") >> 8 * size - bits
            if drawn < self.count:
                return self.unrank(drawn)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Space):
            return NotImplemented
        return (self.counts, self.sizes, self.faces) == (other.counts, other.sizes, other.faces)

    def __hash__(self) -> int:
        return hash((self.counts, self.sizes, self.faces))

    def __str__(self) -> str:
        counted = ", ".join(
            f"{many} {face}" for face, many in zip(self.faces, self.counts, strict=True)
        )
        return f"{counted} in hands of {'+'.join(map(str, self.sizes))}"

    def __repr__(self) -> str:
        return f"<Space of {self.count:,} deals: {self}>"

    def as_json(self) -> dict[str, Any]:
        """Return the space as JSON knows it."""
        return {
            "counts": list(self.counts),
            "sizes": list(self.sizes),
            "faces": [str(face) for face in self.faces],
            "labels": [face.label for face in self.faces],
            "deals": self.count,
        }


def _sum_of(numbers: tuple[int, ...], name: str) -> int:
    for number in numbers:
        if type(number) is not int or number < 0:
            raise BeggarError(f"{name}: {quoted(number)}: expected whole numbers from 0")
    return sum(numbers)


# Numbers of more than some 4,300 digits are not written by Python.
_MOST_BITS: Final = 13_300

# Kind letters that are read as what they are called.
_LETTERS: Final = "JQKA"


def _faces(alike: dict[tuple[int, bool], list[Card]], kinds: list[tuple[int, bool]]) -> list[Card]:
    """Name kinds: by letters where all have one, else by tribute, else by a card of them."""
    named = []
    for tribute, joker in kinds:
        ranks = {card.rank for card in alike[tribute, joker]}
        if joker:
            named.append(JOKER)
        elif not tribute:
            named.append(NUMERAL)
        elif len(ranks) == 1 and ranks <= set(_LETTERS):
            named.append(Card.of(ranks.pop()))
        else:
            break
    if len(named) == len(kinds) and not any(
        card.tribute is not None for cards in alike.values() for card in cards
    ):
        return named
    if all(tribute <= 5 and joker == (tribute == 5) for tribute, joker in kinds):
        return [Card.tributed(tribute) for tribute, _ in kinds]
    return [alike[kind][0] if kind[0] else NUMERAL for kind in kinds]
