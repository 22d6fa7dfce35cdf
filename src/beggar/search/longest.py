"""Longest games: random deals by the million, then back from the best of them.

A unit deals and plays its own part of the deals of a seed. The longest games it meets are then
extended backwards: from a state some tricks into the game, all states that lead to it are found,
and those among them that are deals begin games which come to that state as well, most of them
sooner, a few later than the game that was drawn did.

This module imports `cycles`, `game`, `pack`, `simulation`, `space`, `decks`, `finds`, `store`, the
lanes and the compiled states; NumPy when it is imported.
"""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from beggar import _lanes, _states
from beggar.cards import Card
from beggar.cycles import run_up
from beggar.deals import Deal
from beggar.errors import BeggarError
from beggar.game import play
from beggar.pack import generator_of
from beggar.rules import Rules
from beggar.search.decks import HuntedDeck
from beggar.search.finds import FoundGame, Unit
from beggar.search.store import Store
from beggar.simulation import kernels_here
from beggar.space import Space

__all__ = ["Longest", "draw", "extend"]

# How it is done, by number: a store begun in another way is not gone on with.
_WAY: Final = 1
# Games of a batch, and batches of a unit: some half a second's work.
_BATCH: Final = 16_384
_BATCHES: Final = 200
# The longest games of a unit that are extended, and told.
_EXTENDED: Final = 3
_TOLD: Final = 10
# How many tricks into a game one goes back from, and how many states at most.
_DEPTHS: Final = (4, 12, 24, 48)
_STATES: Final = 20_000
_CUT_OFF: Final = 5000
_UNFINISHED: Final = np.uint64(1 << 58)


class Longest:
    """A hunt for long games of a deck.

    Parameters
    ----------
    deck : str
        As `beggar.space.Space.of` reads it: two hands, at most 63 cards and four tributes.
    extend : bool
        Whether the best games are extended backwards.
    """

    kind = "longest"

    def __init__(self, deck: str = "french-52", extend: bool = True) -> None:
        self.deck = HuntedDeck(deck)
        self.extend = extend

    @property
    def params(self) -> dict[str, Any]:
        """What makes this hunt another than others."""
        return {
            **self.deck.params,
            "games": _BATCH * _BATCHES,
            "extend": self.extend,
            "way": _WAY,
        }

    @classmethod
    def of(cls, params: dict[str, Any]) -> "Longest":
        """Return the hunt that has these `params`."""
        made = cls(params["deck"], params["extend"])
        if made.params != params:
            raise BeggarError("this hunt was begun by another version: expected its own")
        return made

    def drop(self) -> None:
        """Do nothing: units take no second."""

    @property
    def total(self) -> None:
        """How many units there are: no end of them."""

    @property
    def what(self) -> str:
        """What a unit tries."""
        return "games"

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the units, in order."""
        number = 0
        while True:
            yield number
            number += 1

    def generation(self, number: int) -> int:
        """Return the first unit that a unit waits for none before: none waits for any."""
        return 0

    def work(self, store: Store, number: int) -> tuple[Any, ...]:
        """Return a function and its arguments that do a unit, anywhere."""
        return (
            draw, store.seed, number, self.deck.space.counts, self.deck.tributes,
            self.deck.space.sizes, self.extend,
        )  # fmt: skip


def draw(
    seed: int,
    number: int,
    counts: tuple[int, ...],
    tributes: list[int],
    sizes: tuple[int, ...],
    extended: bool,
) -> Unit:
    """Deal and play the games of a unit, and extend the best."""
    arena = _lanes.Arena(_BATCH)
    dealer = _lanes.Dealer(sum(counts), sizes[0], [*counts[1:], 0, 0, 0, 0][:4])
    demanded = ([tribute for tribute in tributes if tribute] + [1, 1, 1, 1])[:4]
    generator = generator_of(seed, number)
    best: dict[tuple[bytes, ...], tuple[int, int]] = {}
    for _ in range(_BATCHES):
        arena.deal(dealer, generator, 0, _BATCH)
        arena.play(kernels_here()[-2], _BATCH, demanded, _CUT_OFF)
        ends = arena.ends
        lengths = (ends >> np.uint64(32)).astype(np.int64) & 0xFFFFFF
        # A kernel may leave a game of more tricks than this unfinished: it never ends, as far as
        # anybody knows, and is for the other hunt.
        lengths[((ends & _UNFINISHED) != 0) | (lengths > _CUT_OFF)] = 0
        least = max(1, int(np.partition(lengths, -_TOLD)[-_TOLD]))
        if len(best) == _TOLD:
            least = max(least, min(best.values())[0])
        for place in np.flatnonzero(lengths >= least).tolist():
            best[arena.hands(place)] = int(lengths[place]), int(ends[place]) & 0xFFFFFFFF
        ordered = sorted(best.items(), key=lambda game: ((-game[1][0], -game[1][1]), game[0]))
        best = dict(ordered[:_TOLD])
    games = []
    for hands, (tricks, cards) in best.items():
        deal = _deal(*(bytes(tributes[code] for code in hand) for hand in hands))
        rank = Space.of_deal(deal).rank(deal)
        games.append(FoundGame(deal.text("tribute"), rank, cards, tricks, "drawn"))
    if extended:
        for game in games[:_EXTENDED]:
            games += extend(Deal.parse(game.deal), game.tricks)
    return Unit(_BATCH * _BATCHES, games=tuple(games))


def _deal(*hands: bytes) -> Deal:
    return Deal([[Card.tributed(tribute) for tribute in hand] for hand in hands])


def extend(deal: Deal, tricks: int) -> list[FoundGame]:
    """Go back from states of a game to other deals that lead to them, longer ones alone.

    Parameters
    ----------
    deal : Deal
        Seat 0 leads.
    tricks : int
        How long its game is.

    Returns
    -------
    list of FoundGame
        The longest first.
    """
    rules = Rules()
    leader, other = (bytes(rules.tribute(card) for card in hand) for hand in deal.hands)
    found: dict[str, FoundGame] = {}
    space = Space.of_deal(deal)
    for trick in range(1, min(max(_DEPTHS), tricks - 1) + 1):
        after = _states.trick(leader, other, 0)
        if after is None:
            break
        leader, other, *_ = after
        if trick not in _DEPTHS:
            continue
        back = run_up(_deal(leader, other), rules, _STATES)
        for one in back.deals(deal.sizes):
            if one.run_up.tricks <= trick:
                continue
            end = play(one.deal)
            text = one.deal.text("tribute")
            found[text] = FoundGame(text, space.rank(one.deal), end.cards, end.tricks, "extended")
    return sorted(found.values(), key=lambda game: (-game.tricks, -game.cards, game.deal))[:_TOLD]
