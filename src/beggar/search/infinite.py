"""Games that never end: around known ones, and from nothing, by the loop factory.

Loops of tiny decks are found exhaustively; that is the first generation, unless known ones are
given. Then loops are bred from loops: into a random state of a known cycle or of what leads into
it, some of the cards are put that the deck still lacks, some are swapped or moved, and the lanes
play what comes of it. What is still going after some hundred tricks is decided exactly, and every
new cycle, by its canonical name, may be a parent in the next generation.

Now and then small decks are dealt at random instead: among those of ten to twenty cards one deal in
some thousands never ends, and their loops are of many families.

Loops with nearly all cards in one hand are plentiful, and no deal leads into them. So a cycle is
worth the more, the fewer cards it lacks and the less its hands differ where they differ least (its
lean); of equals the newest come first. So much for half of the units; the others draw their parents
from everywhere, of any number of cards, any composition and any period, lest one family of loops
takes all. Around cycles of the whole deck the same finds others, by swaps, moves and other cuts
alone.

A cycle of the whole deck is followed back to all that leads into it, and so to the deals.

This module imports `cycles`, `pack`, `simulation`, `decks`, `finds`, `store`, the lanes and the
compiled states; NumPy when it is imported.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from beggar import _lanes, _states
from beggar.cards import Card
from beggar.cycles import MOST_STATES, cycle_of
from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.pack import generator_of
from beggar.rules import Rules
from beggar.search.decks import HuntedDeck, deck_name
from beggar.search.finds import FoundCycle, FoundDeal, Unit
from beggar.search.store import Store
from beggar.simulation import kernels_here

__all__ = ["Infinite", "breed", "tiny"]

# How it is done, by number: a store begun in another way is not gone on with.
_WAY: Final = 1
# Candidates of a batch, and batches of a unit: some quarter of a second's work.
_BATCH: Final = 16_384
_BATCHES: Final = 40
# Units of a generation: enough for the threads of a machine, few enough that what is found is
# soon bred from.
_GENERATION: Final = 16
# Tricks after which a candidate is decided by its states instead.
_CUT_OFF: Final = 400
_UNFINISHED: Final = np.uint64(1 << 58)
# Cards of the tiny decks, and the most penalty cards of one.
_TINY: Final = range(4, 9)
_TINY_PENALTIES: Final = 4
# Parents of one composition that a generation may have, and of these of one period; and those
# of one unit.
_OF_A_DECK: Final = 12
_OF_A_PERIOD: Final = 3
_PARENTS: Final = 16
# Periods of one composition of which a cycle is remembered.
_PERIODS: Final = 60
# Parents of one order, and how much its first are preferred: places are drawn as a number from 0
# to 1 to this power.
_POOL: Final = 240
_PREFERENCE: Final = 2
# New cycles of a unit that are kept: of one composition, and in all.
_NEW_OF_A_DECK: Final = 3
_NEW_OF_THE_WHOLE: Final = 12
_MOST_NEW: Final = 60
# States that lead into a parent's cycle, and how many of these are bred from, and as many again
# of the cycle's own.
_STATES: Final = 400
_BRED_FROM: Final = 128
# One unit of so many sows; the cards of what is sown, and what share of them are penalty cards.
_SOWN: Final = 8
_SOWN_CARDS: Final = (9, 22)
_SOWN_PENALTIES: Final = (0.3, 0.6)
# How often children have more cards put in, none swapped, more swapped, one moved, another cut:
# in turns, some change little and others more.
_HABITS: Final = (
    (64, 200, 96, 16, 8),
    (128, 128, 128, 64, 26),
    (32, 64, 160, 96, 64),
    (192, 160, 96, 32, 16),
)


class Infinite:
    """A hunt for cycles of a deck.

    Parameters
    ----------
    deck : str
        As `beggar.space.Space.of` reads it: two hands, at most 63 cards and four tributes.
    known : sequence of str
        Deals that never end, of that deck, to hunt around; from nothing without them.
    """

    kind = "infinite"

    def __init__(self, deck: str = "french-52", known: Sequence[str] = ()) -> None:
        self.deck = HuntedDeck(deck)
        self.roots = tuple(sorted({self._root(deal) for deal in known}))
        self.tiny = () if self.roots else tuple(self._tiny_decks())
        if not self.roots and not self.tiny:
            raise BeggarError(
                f"{quoted(deck)}: expected four cards or more, two of them penalty cards"
            )
        self.pool_of = -1
        self.orders: list[list[str]] = [[]]
        self.whole: frozenset[str] = frozenset()
        self.read_to = 0
        self.by_size: dict[int, list[list[str]]] = {}
        self.by_deck: dict[str, _OfDeck] = {}

    def _root(self, text: str) -> str:
        deal = Deal.parse(text)
        counts = self._counts(deal)
        if any(many > most for many, most in zip(counts, self.deck.codes, strict=True)):
            raise BeggarError(f"{quoted(text)} is not of the deck {self.deck.name}")
        return cycle_of(deal).name

    def _counts(self, deal: Deal) -> list[int]:
        rules = Rules()
        held = [rules.tribute(card) for hand in deal.hands for card in hand]
        counts = [held.count(tribute) for tribute in self.deck.tributes]
        if sum(counts) != len(held):
            raise BeggarError(f"{quoted(deal)} is not of the deck {self.deck.name}")
        return counts + [0] * (5 - len(counts))

    def _tiny_decks(self) -> Iterator[tuple[int, ...]]:
        """Yield the decks that the first generation plays through, as counts."""
        numerals, *penal = self.deck.space.counts
        for many in product(range(numerals + 1), *(range(min(most, 4) + 1) for most in penal)):
            if sum(many) in _TINY and 2 <= sum(many[1:]) <= _TINY_PENALTIES:
                yield many

    @property
    def params(self) -> dict[str, Any]:
        """What makes this hunt another than others."""
        return {
            **self.deck.params,
            "from": list(self.roots),
            "candidates": _BATCH * _BATCHES,
            "generation": _GENERATION,
            "way": _WAY,
        }

    @classmethod
    def of(cls, params: dict[str, Any]) -> "Infinite":
        """Return the hunt that has these `params`."""
        made = cls(params["deck"], params["from"])
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
        return "candidates"

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the units, in the order in which they may be begun."""
        number = 0
        while True:
            yield number
            number += 1

    def generation(self, number: int) -> int:
        """Return the first unit of a unit's generation: it waits for all units before that."""
        first = len(self.tiny) or 1
        if number < first:
            return 0
        return number - (number - first) % _GENERATION

    def work(self, store: Store, number: int) -> tuple[Any, ...]:
        """Return a function and its arguments that do a unit, anywhere."""
        since = self.generation(number)
        if since == 0:
            if self.tiny:
                return (
                    tiny,
                    self.tiny[number],
                    self.deck.tributes,
                    self.deck.name,
                    self.deck.space.sizes,
                )
            return known, self.roots, self.deck.tributes, self.deck.name, self.deck.space.sizes
        if self.pool_of != since:
            self._choose_pool(store, since)
        if not self.orders[0]:
            raise BeggarError(
                f"no loop of a tiny deck was found within {self.deck.name}: expected --from DEAL"
            )
        if not self.roots and number % _SOWN == 0:
            return (
                sow, store.seed, number, self.deck.codes, self.deck.tributes, self.deck.name,
                self.deck.space.sizes,
            )  # fmt: skip
        rng = np.random.Generator(generator_of(store.seed, number))
        if number % 2:
            parents = [self._any(rng) for _ in range(_PARENTS)]
        else:
            order = self.orders[number // 2 % len(self.orders)]
            # The first of an order more often than the last.
            places = (len(order) * rng.random(_PARENTS) ** _PREFERENCE).astype(int).tolist()
            parents = [order[place] for place in places]
        parents = list(dict.fromkeys(parents))
        return (
            breed, store.seed, number, parents, self.whole, self.deck.codes,
            self.deck.tributes, self.deck.name, self.deck.space.sizes,
        )  # fmt: skip

    def _choose_pool(self, store: Store, since: int) -> None:
        """Choose the parents of a generation among the cycles that those before it found."""
        if since < self.read_to:
            self.read_to, self.by_deck, whole = 0, {}, set()
        else:
            whole = set(self.whole)
        for cycle in store.news(self.read_to, since):
            if cycle.states is not None:
                whole.add(cycle.name)
            of_deck = self.by_deck.setdefault(cycle.deck, _OfDeck([], [], {}))
            # The newest of each period, and of the periods those found last.
            of_deck.of_period.pop(cycle.short, None)
            of_deck.of_period[cycle.short] = cycle.name
            if len(of_deck.of_period) > _PERIODS:
                del of_deck.of_period[next(iter(of_deck.of_period))]
            of_deck.newest.insert(0, cycle)
            del of_deck.newest[_OF_A_DECK:]
            of_deck.evenest.insert(0, cycle)
            # Stable: of equals the newest comes first.
            of_deck.evenest.sort(key=lambda cycle: cycle.lean)
            of_deck.evenest[:] = _varied(of_deck.evenest)
        self.read_to = self.pool_of = since
        self.whole = frozenset(whole)
        decks = [self.by_deck[deck] for deck in sorted(self.by_deck)]
        newest = [cycle for of_deck in decks for cycle in of_deck.newest]
        newest.sort(key=lambda cycle: -cycle.size)
        evenest = [cycle for of_deck in decks for cycle in of_deck.evenest]
        evenest.sort(key=lambda cycle: cycle.lean / 2 - cycle.size)
        self.orders = [[cycle.name for cycle in order[:_POOL]] for order in (newest, evenest)]
        self.by_size = {}
        for of_deck in decks:
            names = list(of_deck.of_period.values())
            self.by_size.setdefault(of_deck.newest[0].size, []).append(names)

    def _any(self, rng: np.random.Generator) -> str:
        """Draw a parent: any number of cards, then any composition of so many, then any period."""
        drawn: Any = self.by_size[sorted(self.by_size)[rng.integers(len(self.by_size))]]
        names = drawn[rng.integers(len(drawn))]
        return str(names[rng.integers(len(names))])


class _OfDeck(NamedTuple):
    """The parents there may be of one composition of cards."""

    newest: list[FoundCycle]
    evenest: list[FoundCycle]
    of_period: dict[tuple[int, int], str]


def _varied(cycles: Sequence[FoundCycle]) -> list[FoundCycle]:
    """Return the first cycles, but of each period only a few."""
    taken: list[FoundCycle] = []
    periods: dict[tuple[int, int], int] = {}
    for cycle in cycles:
        of_period = periods[cycle.short] = periods.get(cycle.short, 0) + 1
        if of_period <= _OF_A_PERIOD:
            taken.append(cycle)
            if len(taken) == _OF_A_DECK:
                break
    return taken


def tiny(counts: Sequence[int], tributes: Sequence[int], whole: str, sizes: Sequence[int]) -> Unit:
    """Play every state of a tiny deck, in every cut: a unit of the first generation."""
    arena = _lanes.Arena(_BATCH)
    codes = [*counts, 0, 0, 0, 0][:5]
    cards = sum(counts)
    found: dict[str, FoundCycle] = {}
    tried = 0
    for first in range(1, cards):
        stepper = _lanes.Stepper(cards, first, codes[1:])
        while games := arena.step(stepper, _BATCH):
            tried += games
            _look(arena, games, tributes, found)
    return _unit(tried, found, tributes, whole, sizes)


def known(roots: Sequence[str], tributes: Sequence[int], whole: str, sizes: Sequence[int]) -> Unit:
    """Return the cycles that are given: the only unit of the first generation then."""
    found: dict[str, FoundCycle] = {}
    for root in roots:
        _note([bytes(int(card, 16) for card in hand) for hand in root.split("/")], found)
    return _unit(len(roots), found, tributes, whole, sizes)


def sow(
    seed: int,
    number: int,
    deck: Sequence[int],
    tributes: Sequence[int],
    whole: str,
    sizes: Sequence[int],
) -> Unit:
    """Deal small decks at random, which bring in loops of other families."""
    generator = generator_of(seed, number)
    rng = np.random.Generator(generator)
    arena = _lanes.Arena(_BATCH)
    found: dict[str, FoundCycle] = {}
    penal = [code for code in range(1, 5) for _ in range(deck[code])]
    tried = 0
    for _ in range(_BATCHES):
        cards = int(rng.integers(*_SOWN_CARDS))
        many = min(round(cards * rng.uniform(*_SOWN_PENALTIES)), len(penal))
        drawn = rng.permutation(penal)[:many].tolist()
        if cards - many > deck[0]:
            continue
        first = int(rng.integers(1, cards))
        dealer = _lanes.Dealer(cards, first, [drawn.count(code) for code in range(1, 5)])
        arena.deal(dealer, generator, 0, _BATCH)
        tried += _BATCH
        _look(arena, _BATCH, tributes, found)
    return _unit(tried, found, tributes, whole, sizes)


def breed(
    seed: int,
    number: int,
    parents: Sequence[str],
    done: frozenset[str],
    deck: Sequence[int],
    tributes: Sequence[int],
    whole: str,
    sizes: Sequence[int],
) -> Unit:
    """Breed from cycles: a unit of a later generation.

    *done* are cycles of the whole deck that are known already.
    """
    # Tributes to codes, all hands at once.
    codes = bytes(tributes.index(n) if n in tributes else 0 for n in range(256))
    generator = generator_of(seed, number)
    rng = np.random.Generator(generator)
    rings: list[tuple[bytes, bytes]] = []
    basins: list[tuple[bytes, bytes]] = []
    for name in parents:
        hands = [bytes(int(card, 16) for card in hand) for hand in name.split("/")]
        cycle = _states.cycle(hands[0], hands[1], 0)
        assert cycle is not None
        ring = [(leader, other) for leader, other, _ in cycle[0]]
        tree = _states.Tree(ring, 0, len(ring) + _STATES, True)
        # The ring's own states come first in a tree.
        for states, size in ((rings, len(ring)), (basins, tree.size)):
            for place in rng.permutation(size)[:_BRED_FROM].tolist():
                leader, other = tree.state(place)
                states.append((leader.translate(codes), other.translate(codes)))
    drawn = _lanes.Parents(rings, deck), _lanes.Parents(basins, deck)
    arena = _lanes.Arena(_BATCH)
    found: dict[str, FoundCycle] = {}
    for batch in range(_BATCHES):
        habits = _HABITS[batch // 2 % len(_HABITS)]
        arena.breed(drawn[batch % 2], generator, habits, _BATCH)
        _look(arena, _BATCH, tributes, found)
    for name in parents:
        found.pop(name, None)
    return _unit(_BATCH * _BATCHES, found, tributes, whole, sizes, done)


def _look(
    arena: _lanes.Arena, games: int, tributes: Sequence[int], found: dict[str, FoundCycle]
) -> None:
    """Play what is in an arena, and note the cycles of what never ends."""
    demanded = ([tribute for tribute in tributes if tribute] + [1, 1, 1, 1])[:4]
    arena.play(kernels_here()[-2], games, demanded, _CUT_OFF)
    for place in np.flatnonzero(arena.ends[:games] & _UNFINISHED).tolist():
        hands = [bytes(tributes[code] for code in hand) for hand in arena.hands(place)]
        _note(hands, found)


def _note(hands: Sequence[bytes], found: dict[str, FoundCycle]) -> None:
    """Note the cycle of two hands; a game that is long but ends is none."""
    told = _states.least(hands[0], hands[1], 0)
    if told is not None:
        leader, other, tricks, cards, swaps, lean = told
        name = f"{_hex(leader)}/{_hex(other)}"
        if name not in found:
            twice = 1 + swaps % 2
            period = (twice * cards, twice * tricks)
            found[name] = FoundCycle(name, "", 0, period, (cards, tricks), lean)


def _hex(hand: bytes) -> str:
    return "".join(f"{card:x}" for card in hand)


def _unit(
    tried: int,
    found: dict[str, FoundCycle],
    tributes: Sequence[int],
    whole: str,
    sizes: Sequence[int],
    done: frozenset[str] = frozenset(),
) -> Unit:
    """Sum up a unit: say what the cycles are of, and find what leads into those of whole decks.

    Of each composition the most even are kept.
    """
    kept = []
    of_deck: dict[str, int] = {}
    for name, cycle in sorted(found.items(), key=lambda item: (item[1].lean, item[0])):
        if name in done:
            continue
        held = [int(card, 16) for card in name.replace("/", "")]
        deck = deck_name([held.count(tribute) for tribute in tributes], tributes)
        of_deck[deck] = of_deck.get(deck, 0) + 1
        if of_deck[deck] <= (_NEW_OF_THE_WHOLE if deck == whole else _NEW_OF_A_DECK):
            kept.append(cycle._replace(deck=deck, size=len(held)))
    kept.sort(key=lambda cycle: (cycle.lean / 2 - cycle.size, cycle.name))
    return Unit(
        tried,
        tuple(
            _with_basin(cycle, sizes) if cycle.deck == whole else cycle
            for cycle in kept[:_MOST_NEW]
        ),
    )


def _with_basin(cycle: FoundCycle, sizes: Sequence[int]) -> FoundCycle:
    leader, other = cycle.name.split("/")
    deal = Deal([[Card.tributed(int(card, 16)) for card in hand] for hand in (leader, other)])
    basin = cycle_of(deal).basin(MOST_STATES)
    return cycle._replace(
        # What is not the whole of it is not told as that.
        states=basin.size if basin.whole else -1,
        deals=tuple(
            FoundDeal(one.deal.text("tribute"), one.rank, *one.run_up) for one in basin.deals(sizes)
        ),
    )
