"""What deal i of seed s is: the same whatever plays it, on any machine.

Deals come in blocks of 16,384. A block has a bit generator of its own, NumPy's SFC64
seeded by the seed and the block's number, and its deals are drawn from it one after
another. So a deal depends on seed and number alone, and blocks can be dealt anywhere.

Where only the kinds of the cards matter, and they are few, the kinds are dealt
(`lanes/dealing.h`); otherwise the cards are shuffled. This module imports `cards`,
`deals`, `rules`, `errors` and the lanes; NumPy when it is imported.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.random import SFC64, SeedSequence
from numpy.typing import NDArray

from beggar import _lanes
from beggar.cards import CARDS, NUMERAL, Card, deck
from beggar.deals import Deal, labels_of
from beggar.rules import Rules

__all__ = ["BLOCK", "Pack", "generator_of"]

#: How many deals have a bit generator together.
BLOCK: Final = 16_384


def generator_of(seed: int, block: int) -> SFC64:
    """Return the bit generator of a block of deals of a seed."""
    return SFC64(SeedSequence(seed, spawn_key=(block,)))


class Pack:
    """The deck that some rules deal to some players, and how it is dealt.

    Parameters
    ----------
    rules : Rules
        Their deck, jokers, tributes and what they tell cards apart by.
    players : int
        2 to 6.

    Attributes
    ----------
    sizes : tuple of int
        How many cards each hand gets.
    faces : tuple of Card or None
        Where kinds are dealt: the numeral, and the penalty card of each code.
    dealer : beggar._lanes.Dealer or None
        Where kinds are dealt: what deals them.
    labels : numpy.ndarray of uint8
        The labels of `faces`, or of every card of the deck.

    Examples
    --------
    >>> pack = Pack(Rules(), 2)
    >>> pack.deal(1, 0) == pack.deal(1, 0), pack.deal(1, 10**12).sizes
    (True, (26, 26))
    >>> Pack(Rules(jokers=1), 3).sizes
    (18, 18, 17)
    """

    def __init__(self, rules: Rules, players: int) -> None:
        cards = deck(rules.deck, rules.jokers)
        self.sizes = tuple(len(cards[seat::players]) for seat in range(players))
        self.faces: tuple[Card, ...] | None = None
        self.dealer: _lanes.Dealer | None = None
        penal = [card.rank for card in cards if rules.tribute(card)]
        ranks = list(dict.fromkeys(sorted(penal, key="JQKA".find)))
        if (
            players == 2
            and rules.cycle_identity == "kind"
            and len(ranks) <= 4
            and len(penal) <= _lanes.MOST_PENALTIES
            and len(cards) <= _lanes.MOST_CARDS
        ):
            ranks_of_codes = (ranks + ranks[:1] * 4 + ["-"] * 4)[:4]
            self.faces = (NUMERAL, *(Card.of(rank) for rank in ranks_of_codes))
            counts = [penal.count(rank) for rank in ranks] + [0] * (4 - len(ranks))
            self.dealer = _lanes.Dealer(len(cards), self.sizes[0], counts)
        kinds = self.faces if self.faces is not None else cards
        self.labels = np.frombuffer(labels_of(kinds), dtype=np.uint8)

    def rows(self, seed: int, block: int, skip: int, games: int) -> NDArray[np.uint8]:
        """Deal a part of a block, for the core: one row of labels a game.

        Parameters
        ----------
        seed, block : int
        skip : int
            How many deals of the block to pass over.
        games : int
            How many to deal then.

        Returns
        -------
        numpy.ndarray of uint8, shape (games, cards)
            The hands one after another, each from its top card.
        """
        generator = generator_of(seed, block)
        if self.dealer is None:
            return _lanes.shuffled(generator, self.labels, skip, games)
        arena = _lanes.Arena(games)
        arena.deal(self.dealer, generator, skip, games)
        return self.labels[arena.dealt(0, games, sum(self.sizes), self.sizes[0])]

    def deal(self, seed: int, number: int) -> Deal:
        """Return deal *number* of a seed."""
        block, skip = divmod(number, BLOCK)
        return self.deal_of(self.rows(seed, block, skip, 1)[0])

    @classmethod
    @lru_cache(maxsize=16)
    def of(cls, rules: Rules, players: int) -> "Pack":
        """Return the pack of some rules: the tables of its dealer take a while to make."""
        return cls(rules, players)

    @staticmethod
    def of_sizes(sizes: tuple[int, ...]) -> Callable[[NDArray[np.uint8]], Deal]:
        """Return what makes a deal of a row of labels, for hands of some sizes."""
        edges = np.cumsum((0, *sizes)).tolist()

        def deal(row: NDArray[np.uint8]) -> Deal:
            cards = [CARDS[label] for label in row.tolist()]
            return Deal([cards[a:b] for a, b in pairwise(edges)])

        return deal

    def deal_of(self, row: NDArray[np.uint8]) -> Deal:
        """Return the deal of a row of labels."""
        return self.of_sizes(self.sizes)(row)
