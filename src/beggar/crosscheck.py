"""The core against the reference, the lanes against the core: random games, and shrinking.

A case is drawn from a seed and its number alone, so any can be drawn again.
This module imports `cards`, `deals`, `position`, `rules`, `events`, `outcome`
and `game`.
"""

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final, NamedTuple

from beggar.cards import CARDS, Card
from beggar.deals import Deal
from beggar.errors import BeggarError, RulesError
from beggar.events import Event, Turned, by_card
from beggar.game import Game, play
from beggar.outcome import Outcome, Termination
from beggar.position import Position
from beggar.rules import FIELDS, Rules

__all__ = [
    "Case",
    "Parting",
    "compare",
    "compare_lanes",
    "differing",
    "draw",
    "draw_for_lanes",
    "shrink",
]


class Case(NamedTuple):
    """One game for both engines."""

    deal: Deal
    rules: Rules
    seed: int

    def command(self) -> str:
        """Return the shell command that plays this case by both engines again."""
        settings = "".join(f" --set '{setting}'" for setting in self.rules.as_settings())
        shuffles = f" --seed {self.seed}" if _needs_seed(self.rules) else ""
        return f"beggar verify --deal '{self.deal}'{settings}{shuffles}"


def _needs_seed(rules: Rules) -> bool:
    return rules.shuffle_pile or rules.on_cycle == "shuffle"


# Cards by what they do, so that every tribute, both sorts of joker and cards that
# only their label tells apart come up.
_SORTS: Final[tuple[tuple[Card, ...], ...]] = (
    tuple(card for card in CARDS if card.tribute is None),
    tuple(card for card in CARDS if card.tribute is not None),
)


def draw(seed: int, number: int) -> Case:
    """Draw a random case: small decks and uneven hands on purpose.

    Parameters
    ----------
    seed : int
        The seed of the series.
    number : int
        Which case of it, from 0.

    Examples
    --------
    >>> draw(1, 2) == draw(1, 2)
    True
    """
    rng = random.Random(f"{seed}/{number}")
    if rng.random() < 0.05:
        return _draw_loop(rng)
    deal = _draw_deal(rng)
    rules = _draw_rules(rng, deal.players)
    try:
        rules.check_hands(deal.hands)
    except RulesError:
        # Letters that these tributes leave in doubt: the usual tributes instead.
        rules = rules.replace(tributes=Rules().tributes)
    return Case(deal, rules, rng.getrandbits(64))


def _draw_loop(rng: random.Random) -> Case:
    """Draw games of two equal hands until one never ends: few do."""
    rules = Rules(
        lead=rng.choice(("winner", "loser")),
        until_penalty=rng.random() < 0.5,
        budget_tricks=2000,
    )
    deal = Deal(["-", "-"])
    for _ in range(100):
        size = rng.randint(3, 8)
        deal = Deal(["".join(rng.choices("---JQ", k=size)) for _ in range(2)])
        if play(deal, rules).termination is Termination.LOOP:
            break
    rules = rules.replace(
        on_cycle=rng.choice(("draw", "most_cards", "shuffle")),
        limit_tricks=rng.randint(1, 100) if rng.random() < 0.2 else None,
    )
    return Case(deal, rules, rng.getrandbits(64))


def _draw_deal(rng: random.Random) -> Deal:
    players = rng.choice((2, 2, 2, 3, 3, 4, 5, 6))
    size = 52 if rng.random() < 0.02 else rng.randint(players, 6 + 4 * players)
    sort = rng.choice(_SORTS)
    penal = [card for card in sort if card.rank in "JQKA*" or card.tribute]
    plain = [card for card in sort if card not in penal]
    share = rng.choice((0.1, 0.25, 0.4, 0.8))
    if rng.random() < 0.5:
        # Few faces, so that cards are alike and loops are common.
        penal, plain = rng.choices(penal, k=3), rng.choices(plain, k=2)
    cards = [rng.choice(penal if rng.random() < share else plain) for _ in range(size)]
    leader = rng.randrange(players) if rng.random() < 0.2 else 0
    if rng.random() < 0.5:
        return Deal.from_deck(cards, players, dealer=(leader - 1) % players)
    cuts = sorted(rng.sample(range(1, size), players - 1))
    edges = zip([0, *cuts], [*cuts, size], strict=True)
    return Deal([cards[start:end] for start, end in edges], leader)


def _draw_rules(rng: random.Random, players: int) -> Rules:
    def maybe(chance: float) -> bool:
        return rng.random() < chance

    fields: dict[str, Any] = {
        "players": rng.choice((None, players)),
        "elimination": rng.choice(("on_turn", "on_empty")),
        "unpaid_tribute": rng.choice(("lapses", "passes_on", "collects")),
        "joker": rng.choice(("super", "beggar", "grab")),
        "lead": "loser" if maybe(0.3) else "winner",
        "pickup": "reversed" if maybe(0.3) else "kept",
        "until_penalty": maybe(0.3),
        "shuffle_pile": maybe(0.1),
        "face_up": maybe(0.1),
        "cycle_identity": rng.choice(("kind", "card")),
        "on_cycle": rng.choice(("draw", "draw", "most_cards", "shuffle")),
        "limit_cards": rng.randint(1, 400) if maybe(0.1) else None,
        "limit_tricks": rng.randint(1, 100) if maybe(0.1) else None,
        "budget_tricks": int(3000 ** rng.random()),
    }
    if maybe(0.2):
        ranks = rng.sample("23456789TJQKA", rng.randint(0, 6))
        fields["tributes"] = {rank: min(15, 1 + int(rng.expovariate(0.4))) for rank in ranks}
    if maybe(0.5):
        # The plain rules, where the core has a way of its own.
        for name in ("lead", "pickup", "until_penalty", "shuffle_pile", "joker"):
            del fields[name]
    if maybe(0.1):
        fields["limit_cards"] = fields["limit_cards"] or 300
        fields["on_cycle"] = "ignore"
    return Rules(**fields)


def compare(case: Case, game: Callable[..., Game] = Game) -> str | None:
    """Play a case by both engines and say where they first differ.

    Compared are every event with its type, the position now and then and at the end,
    the outcome, the core's play without events, a copy of the game half way, and a game
    resumed from the text of its position (unless it loops: the counts of a loop depend on
    where the watch for it began).

    Parameters
    ----------
    case : Case
    game : callable
        What makes a game, for tests of this function: `beggar.game.Game`.

    Returns
    -------
    str or None
        The first difference in words; None if there is none.

    Examples
    --------
    >>> compare(Case(Deal.parse("--J-/K-J-"), Rules(), 0)) is None
    True
    """
    deal, rules, seed = case
    try:
        reference = game(deal, rules, engine="reference", seed=seed)
        core = game(deal, rules, engine="core", seed=seed)
    except BeggarError as error:
        # Both engines share what refuses a game: that is not a difference.
        return None if _refused(case, game) else f"only one engine refuses: {error}"
    halfway = None
    number = 0
    for number, expected in enumerate(reference):
        found = core.step()
        if type(found) is not type(expected) or found != expected:
            return f"event {number}: core {found!r}, reference {expected!r}"
        if number % 23 == 0 and core.position != reference.position:
            return f"after event {number}: core {core.position}, reference {reference.position}"
        if number == 40:
            halfway = copy.copy(core)
    extra = core.step()
    if extra is not None:
        return f"event {number + 1}: core {extra!r}, reference none"
    if core.outcome != reference.outcome:
        return f"outcome: core {core.outcome!r}, reference {reference.outcome!r}"
    if core.position != reference.position:
        return f"position: core {core.position}, reference {reference.position}"
    straight = game(deal, rules, engine="core", seed=seed)
    if straight.play() != core.outcome:
        return f"outcome: core without events {straight.outcome!r}, with {core.outcome!r}"
    if straight.position != core.position:
        return f"position: core without events {straight.position}, with {core.position}"
    if halfway is not None and halfway.outcome is None:
        resumed = game(Position.parse(str(halfway.position)), rules, seed=seed)
        if _comparable(resumed.play(), rules) != _comparable(core.outcome, rules):
            return f"outcome: resumed at {halfway.position}, {resumed.outcome!r}"
    if halfway is not None and halfway.play() != core.outcome:
        return f"outcome: core from a copy {halfway.outcome!r}, with events {core.outcome!r}"
    return None


def _comparable(outcome: Outcome | None, rules: Rules) -> object:
    """Return what of an outcome does not depend on where the watch for loops began."""
    if outcome is None or not rules.watches_loops:
        return outcome
    if rules.on_cycle == "shuffle":
        # Which pile is shuffled depends on what the watch has seen.
        return None
    return outcome if outcome.termination is Termination.WON else None


def _refused(case: Case, game: Callable[..., Game]) -> bool:
    refusals = 0
    for engine in ("core", "reference"):
        try:
            game(case.deal, case.rules, engine=engine, seed=case.seed)
        except BeggarError:
            refusals += 1
    return refusals == 2


def draw_for_lanes(seed: int, number: int, deals: int = 500) -> tuple[Rules, list[Deal]]:
    """Draw plain two-player deals and what their cards demand, for the lanes.

    Decks of one size each, from 2 cards to 63, uneven hands, hands of nothing but penalty
    cards or numerals, and up to four tributes from 1 to 15.
    """
    rng = random.Random(f"lanes/{seed}/{number}")
    ranks = rng.sample("JQKA", rng.randint(1, 4))
    tributes = {rank: 1 + int(rng.expovariate(0.6)) % 15 for rank in ranks}
    rules = Rules(tributes=tributes)
    numeral = "-"
    drawn = []
    # All of one size and split, so that a kernel plays them side by side.
    size = rng.randint(2, 12) if rng.random() < 0.3 else rng.randint(2, 63)
    first = size // 2 if rng.random() < 0.5 and size > 3 else rng.randint(1, size - 1)
    for _ in range(deals):
        hands = []
        for cards in (first, size - first):
            share = rng.choice((0.0, 0.1, 0.3, 0.3, 0.5, 1.0))
            hand = [rng.choice(ranks) if rng.random() < share else numeral for _ in range(cards)]
            hands.append(hand)
        while sum(card != numeral for hand in hands for card in hand) > 32:
            hand = max(hands, key=lambda hand: sum(card != numeral for card in hand))
            hand[hand.index(next(card for card in hand if card != numeral))] = numeral
        drawn.append(Deal(["".join(hand) for hand in hands]))
    return rules, drawn


def compare_lanes(rules: Rules, deals: Sequence[Deal]) -> str | None:
    """Play deals with every kernel of this machine and say where the core first differs.

    Parameters
    ----------
    rules : Rules
        Plain ones, which the lanes play.
    deals : sequence of Deal
        Of two players and at most 63 cards.

    Returns
    -------
    str or None
        The first difference in words; None if there is none.

    Examples
    --------
    >>> compare_lanes(Rules(), [Deal.parse("--J/---J"), Deal.parse("J/-")]) is None
    True
    """
    from beggar.simulation import kernels_here, simulate

    expected = [play(deal, rules) for deal in deals]
    for deal, end in list(zip(deals, expected, strict=True))[:20]:
        if play(deal, rules, engine="reference") != end:
            return f"core on {deal} by {rules}: {end}, but not the reference"
    for kernel in kernels_here():
        kept = simulate(deals=deals, rules=rules, kernel=kernel, keep="games").kept
        assert kept is not None
        for deal, end, game in zip(deals, expected, kept.tolist(), strict=True):
            winner = -1 if end.winner is None else end.winner
            told = (end.cards, end.tricks, winner, bool(end.last_by_default))
            if game[:4] != told or list(Termination)[game[4]] != end.termination:
                return f"{kernel} on {deal} by {rules}: {game}, core {end}"
    return None


def shrink(case: Case, differs: Callable[[Case], object] = compare) -> Case:
    """Return a smaller case that still differs.

    Parameters
    ----------
    case : Case
        One that differs.
    differs : callable
        Tells whether a case does, by what is true of its result.
    """
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(case):
            if differs(candidate):
                case, smaller = candidate, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    deal, rules, seed = case
    for name in rules.changes():
        try:
            yield Case(deal, rules.replace(**{name: getattr(Rules(), name)}), seed)
        except BeggarError:
            continue
    hands = deal.hands
    fewer = rules.replace(players=None)
    for seat in range(len(hands)):
        if len(hands) > 2:
            yield Case(_deal(hands[:seat] + hands[seat + 1 :], deal.leader), fewer, seed)
    if deal.leader:
        yield Case(Deal(hands), rules, seed)
    for seat, hand in enumerate(hands):
        for size in (len(hand) // 2, 2, 1):
            for start in range(0, len(hand), max(size, 1)):
                kept = hand[:start] + hand[start + size :]
                if kept and size:
                    yield Case(
                        _deal((*hands[:seat], kept, *hands[seat + 1 :]), deal.leader), rules, seed
                    )


def _deal(hands: tuple[tuple[Card, ...], ...], leader: int) -> Deal:
    return Deal(hands, min(leader, len(hands) - 1))


class Parting(NamedTuple):
    """Where the games of one deal part under two sets of rules.

    Attributes
    ----------
    before : Position
        The last position that both games come to.
    first, second : list of Event
        What follows by the first and by the second rules: the next card and all
        that follows from it; empty where that game is over.
    because : list of str
        The fields of the rules that part the games here by themselves; all that
        differ, if none does.
    """

    before: Position
    first: list[Event]
    second: list[Event]
    because: list[str]


def differing(deal: Deal | Position, rules: Rules, second: Rules, seed: int = 0) -> Parting | None:
    """Find where the games of one deal first part under two sets of rules.

    Parameters
    ----------
    deal : Deal or Position
    rules, second : Rules
        The two sets of rules.
    seed : int
        What shuffles depend on.

    Returns
    -------
    Parting or None
        None if both games are the same to the end.

    Examples
    --------
    >>> differing(Deal.parse("--J/---J"), Rules(), Rules(elimination="on_empty")).because
    ['elimination']
    """
    parted = _parting(deal, rules, second, seed)
    if parted is None:
        return None
    fields = [
        field.name for field in FIELDS if getattr(rules, field.name) != getattr(second, field.name)
    ]
    because = []
    for name in fields:
        try:
            alone = _parting(deal, rules, rules.replace(**{name: getattr(second, name)}), seed)
        except BeggarError:
            continue
        if alone is not None and alone.before == parted.before:
            because.append(name)
    return parted._replace(because=because or fields)


def _parting(deal: Deal | Position, one: Rules, two: Rules, seed: int) -> Parting | None:
    nothing: list[Event] = []
    turns = (by_card(Game(deal, rules, seed=seed)) for rules in (one, two))
    for card, (events, others) in enumerate(zip_longest(*turns, fillvalue=nothing)):
        if events != others or list(map(type, events)) != list(map(type, others)):
            before = Game(deal, one, seed=seed)
            while card:
                card -= isinstance(before.step(), Turned)
            return Parting(before.position, events, others, [])
    return None
