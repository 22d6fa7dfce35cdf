"""Loops: the cycle a game ends in, its canonical name, and every state that leads into it.

A state here is the table at the start of a trick, the leader's hand first, whoever that is: with
two players the seats make no difference to what comes next. So a cycle's states are counted up to
seats; the period with seats told apart is that, or twice that where a round swaps the seats.

A cycle's name is its least state, as tributes: the one whose dealt sequence comes first in the
order of `beggar.space`, and of equals the one with the shorter first hand. It is the same from
whatever deal or state one came, and is itself a deal of the cycle.

Basins are for two players and games that the states' rules cover (see `covered`); names and
periods are for all. This module imports `deals`, `game`, `outcome`, `rules`, `space` and the
compiled states.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from beggar import _states
from beggar.cards import Card
from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.game import Game
from beggar.outcome import Count, Cycle, Outcome, Termination
from beggar.position import Position
from beggar.rules import Rules
from beggar.space import Space

__all__ = [
    "MOST_STATES",
    "Balanced",
    "Basin",
    "Ring",
    "RunUp",
    "as_json",
    "covered",
    "cycle_of",
    "name_of",
    "predecessors",
    "run_up",
]

#: The most states of a basin, unless more are asked for.
MOST_STATES: Final = 1_000_000

_ON_EMPTY, _LOSER_LEADS, _REVERSED, _UNTIL_PENALTY = 1, 2, 4, 8


class Balanced(NamedTuple):
    """A deal that leads to a cycle or a position: hands of the sizes asked for, seat 0 leads.

    Attributes
    ----------
    deal : Deal
    rank : int
        Its number in its space.
    run_up : Count
        What comes before the cycle is entered, or the position reached.
    """

    deal: Deal
    rank: int
    run_up: Count


class Ring(NamedTuple):
    """A cycle, whoever enters it.

    Attributes
    ----------
    name : str
        Its canonical name.
    period : Count
        Once round, seats told apart.
    period_up_to_seats : Count or None
        Once round, seats not told apart; None with three players or more.
    states : tuple of Deal
        The state at the start of each trick, in order, the named one first; the leader's hand
        first. Of three players or more, those of the seats that are out are left off.
    cards : tuple of int
        The cards of the trick from each state.
    rules : Rules
    """

    name: str
    period: Count
    period_up_to_seats: Count | None
    states: tuple[Deal, ...]
    cards: tuple[int, ...]
    rules: Rules

    def basin(self, most: int = MOST_STATES) -> "Basin":
        """Return all states that lead into the cycle, its own included.

        Parameters
        ----------
        most : int
            The most states to find: a larger basin is not `Basin.whole`.

        Raises
        ------
        BeggarError
            If the rules are not `covered`.

        Examples
        --------
        >>> basin = cycle_of("--J-/K-J-").basin()
        >>> basin.size, [str(one.deal) for one in basin.deals((4, 4))]
        (18, ['--J-/J--K', '--J-/K-J-', 'J-K-/---J', 'K-J-/-J--'])
        """
        return Basin(self, most)


def covered(deal: Deal, rules: Rules) -> str:
    """Say what is in the way of a basin, if anything: an empty text if nothing is.

    Examples
    --------
    >>> covered(Deal.parse("J/-/-"), Rules())
    '3 players: expected 2'
    """
    cards = [card for hand in deal.hands for card in hand]
    if deal.players != 2:
        return f"{deal.players} players: expected 2"
    if len(cards) > _states.MOST_CARDS:
        return f"{len(cards)} cards: expected {_states.MOST_CARDS} at most"
    if rules.shuffle_pile or rules.on_cycle == "shuffle":
        return "piles that are shuffled: expected none"
    if rules.cycle_identity == "card":
        return "cards told apart: expected cycle_identity=kind"
    jokers = [card for card in cards if card.is_joker]
    if jokers and rules.joker != "super":
        return f"joker={rules.joker}: expected super"
    if jokers and any(rules.tribute(card) == 5 and not card.is_joker for card in cards):
        return "jokers beside cards that also demand 5: expected one sort"
    return ""


def _bits(rules: Rules) -> int:
    return (
        _ON_EMPTY * (rules.elimination == "on_empty")
        | _LOSER_LEADS * (rules.lead == "loser")
        | _REVERSED * (rules.pickup == "reversed")
        | _UNTIL_PENALTY * rules.until_penalty
    )


def _tributes(hand: Sequence[Card], rules: Rules) -> bytes:
    return bytes(rules.tribute(card) for card in hand)


def _led(deal: Deal) -> tuple[tuple[Card, ...], ...]:
    """Return the hands of a deal, the leader's first."""
    return deal.hands[deal.leader :] + deal.hands[: deal.leader]


class _Faces:
    """The cards by their tribute, to write states in the notation of a deal."""

    def __init__(self, deal: Deal, rules: Rules) -> None:
        space = Space.of_deal(Deal(deal.hands), rules)
        self.of = {rules.tribute(face): face for face in space.faces}

    def deal(self, *hands: bytes) -> Deal:
        return Deal([[self.of[tribute] for tribute in hand] for hand in hands])


def cycle_of(deal: Deal | str, rules: Rules | None = None) -> Ring:
    """Return the cycle that a deal ends in.

    Parameters
    ----------
    deal : Deal or str
    rules : Rules, optional
        The classic ones without them.

    Raises
    ------
    BeggarError
        If the game ends, or is not decided within the budget; the message says how.

    Examples
    --------
    >>> ring = cycle_of("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")
    >>> ring.period, ring.period_up_to_seats
    (Count(cards=440, tricks=62), Count(cards=440, tricks=62))
    >>> ring.name
    '0000000000000000032010/203000203421000000004034410010'
    >>> cycle_of(ring.name).name == ring.name
    True
    """
    rules = Rules() if rules is None else rules
    deal = Deal.parse(deal) if isinstance(deal, str) else deal
    outcome = Game(deal, rules).play()
    if outcome.cycle is None:
        raise BeggarError(_how_it_ends(deal, outcome))
    if covered(deal, rules):
        return _walked(deal, rules, outcome.cycle)
    leader, other = (_tributes(hand, rules) for hand in _led(deal))
    found = _states.cycle(leader, other, _bits(rules))
    assert found is not None
    states, swaps, least = found
    states = states[least:] + states[:least]
    faces = _Faces(deal, rules)
    cards = tuple(trick for *_, trick in states)
    once = Count(sum(cards), len(cards))
    return Ring(
        name=_name(*states[0][:2]),
        period=Count(2 * once.cards, 2 * once.tricks) if swaps % 2 else once,
        period_up_to_seats=once,
        states=tuple(faces.deal(*hands) for *hands, _ in states),
        cards=cards,
        rules=rules,
    )


def name_of(
    deal: Deal, rules: Rules, stop: bytearray | None = None
) -> tuple[str, Count, Count | None]:
    """Return the name and periods of the cycle of a deal that is known never to end.

    As of `cycle_of`, but without the states: much faster. Where the first byte of *stop* becomes
    other than 0 meanwhile, that is a KeyboardInterrupt.

    Examples
    --------
    >>> name_of(Deal.parse("--J-/K-J-"), Rules())
    ('0010/3010', Count(cards=16, tricks=4), Count(cards=8, tricks=2))
    """
    if covered(deal, rules):
        ring = cycle_of(deal, rules)
        return ring.name, ring.period, ring.period_up_to_seats
    leader, other = (_tributes(hand, rules) for hand in _led(deal))
    found = _states.least(leader, other, _bits(rules), stop)
    assert found is not None
    leader, other, tricks, cards, swaps, _ = found
    once, twice = Count(cards, tricks), Count(2 * cards, 2 * tricks)
    return _name(leader, other), twice if swaps % 2 else once, once


def _name(*hands: bytes) -> str:
    return "/".join("".join(f"{tribute:x}" for tribute in hand) for hand in hands)


def _how_it_ends(deal: Deal, outcome: Outcome) -> str:
    told = f"{_many(outcome.cards, 'card')} and {_many(outcome.tricks, 'trick')}"
    if outcome.termination is Termination.WON:
        how = f"it ends after {told}, won by seat {outcome.winner}"
    elif outcome.termination is Termination.LIMIT:
        how = f"a limit of the rules ends it after {told}"
    else:
        how = f"it is undecided after {told}, the budget"
    return f"{quoted(deal)} has no loop: {how}; expected a deal that never ends"


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _walked(deal: Deal, rules: Rules, cycle: Cycle) -> Ring:
    """Find a cycle by playing: for rules and players that the states do not cover."""
    game = Game(deal, rules)
    starts = [game.position]
    while game.turn_card():
        at = game.position
        if not at.pile and at.tricks > starts[-1].tricks:
            starts.append(at)
    round_ = starts[cycle.transient.tricks :][: _tricks_round(cycle)]
    nexts = starts[cycle.transient.tricks + 1 :][: len(round_)]
    names = [_position_name(at, rules) for at in round_]
    least = min(range(len(names)), key=lambda n: _order(names[n]))
    turned = [after.cards - at.cards for at, after in zip(round_, nexts, strict=True)]
    order = [*range(least, len(names)), *range(least)]
    return Ring(
        name=names[least],
        period=cycle.period,
        period_up_to_seats=cycle.period_up_to_seats,
        states=tuple(Deal(_position_hands(round_[n])) for n in order),
        cards=tuple(turned[n] for n in order),
        rules=rules,
    )


def _order(name: str) -> tuple[object, ...]:
    """Return what names are ordered by: their sequence of cards, then the sizes of their hands."""
    hands = name.split("/")
    return "".join(hands), tuple(map(len, hands))


def _tricks_round(cycle: Cycle) -> int:
    return (cycle.period_up_to_seats or cycle.period).tricks


def _position_hands(at: Position) -> list[tuple[Card, ...]]:
    hands = at.hands[at.turn :] + at.hands[: at.turn]
    return [hand for hand in hands if hand]


def _position_name(at: Position, rules: Rules) -> str:
    hands = _position_hands(at)
    if rules.cycle_identity == "card":
        return "/".join("".join(map(str, hand)) for hand in hands)
    # A joker that is not like any penalty card is told from one.
    return "/".join(
        "".join("*" if card.is_joker else f"{rules.tribute(card):x}" for card in hand)
        for hand in hands
    )


def predecessors(deal: Deal | str, rules: Rules | None = None) -> list[Deal]:
    """Return every state one trick before a state, the leader's hand first.

    Parameters
    ----------
    deal : Deal or str
        The state: who leads it is the deal's leader.
    rules : Rules, optional
        The classic ones without them.

    Raises
    ------
    BeggarError
        If the rules are not `covered`.

    Examples
    --------
    >>> [str(state) for state in predecessors("--J-/K-J-")]
    ['J--/-K-J-', '--K-J-/J-', '-J/--K-J-']
    """
    rules = Rules() if rules is None else rules
    deal = Deal.parse(deal) if isinstance(deal, str) else deal
    _check_covered(deal, rules)
    faces = _Faces(deal, rules)
    leader, other = (_tributes(hand, rules) for hand in _led(deal))
    found = _states.tricks_before(leader, other, _bits(rules))
    return [faces.deal(*hands) for *hands, _, _ in found]


def _check_covered(deal: Deal, rules: Rules) -> None:
    reason = covered(deal, rules)
    if reason:
        raise BeggarError(f"no basins for {reason}")


class _Back:
    """States found by going back from some."""

    def __init__(self, roots: Sequence[Deal], rules: Rules, most: int, ring: bool) -> None:
        if type(most) is not int or not 1 <= most <= 2**40:
            raise BeggarError(f"most: {quoted(most)} is not a count: expected 1 to 2**40 states")
        self.rules = rules
        _check_covered(roots[0], rules)
        self._faces = _Faces(roots[0], rules)
        self._tree = _states.Tree(
            [(_tributes(a, rules), _tributes(b, rules)) for a, b in map(_led, roots)],
            _bits(rules),
            most,
            ring,
        )
        #: The state after each: its place; -1 where none is known.
        self.next, self.depth, self.cards, self.swapped, self.first = self._tree.arrays()

    @property
    def whole(self) -> bool:
        """Whether all states were found, and not only as many as were asked for."""
        return self._tree.whole

    @property
    def size(self) -> int:
        """How many states were found."""
        return self._tree.size

    @property
    def deepest(self) -> int:
        """How many tricks the farthest state is away."""
        return int(self.depth.max())

    def state(self, number: int) -> Deal:
        """Return a state by its number, the leader's hand first."""
        return self._faces.deal(*self._tree.state(number))

    def run_up(self, number: int) -> Count:
        """Return what is turned and taken from a state on until a root is reached."""
        cards, tricks = 0, int(self.depth[number])
        for _ in range(tricks):
            cards += int(self.cards[number])
            number = int(self.next[number])
        return Count(cards, tricks)

    def deals(self, sizes: Sequence[int]) -> list[Balanced]:
        """Return the balanced deals: hands of these sizes, of which the first leads.

        Returns
        -------
        list of Balanced
            By rank.
        """
        first, second = sizes
        found = []
        for number in (self.first == first).nonzero()[0].tolist():
            deal = self.state(number)
            if deal.sizes == (first, second):
                rank = Space.of_deal(deal, self.rules).rank(deal)
                found.append(Balanced(deal, rank, self.run_up(number)))
        return sorted(found, key=lambda one: one.rank)


class Basin(_Back):
    """Every state that leads into a cycle, its own included, seats not told apart.

    Attributes
    ----------
    ring : Ring
    next, depth, cards, swapped, first : numpy.ndarray
        For each state the place of the one after it, its distance from the cycle in tricks,
        the cards of its trick, whether the lead changes seats, and the size of the leader's
        hand. The cycle's own states come first, in order.
    """

    def __init__(self, ring: Ring, most: int = MOST_STATES) -> None:
        self.ring = ring
        super().__init__(ring.states, ring.rules, most, ring=True)


class RunUp(_Back):
    """Every state that leads to a given one, it included."""


def run_up(deal: Deal | str, rules: Rules | None = None, most: int = MOST_STATES) -> RunUp:
    """Return every state that leads to a given one: the ways in which a game can come to it.

    Parameters
    ----------
    deal : Deal or str
        The state.
    rules : Rules, optional
        The classic ones without them.
    most : int
        The most states to find.

    Returns
    -------
    RunUp
        With all that a `Basin` has but the ring.

    Raises
    ------
    BeggarError
        If the rules are not `covered`.

    Examples
    --------
    >>> back = run_up("--J-/K--J-")
    >>> back.size, back.deepest, back.state(int(back.depth.argmax()))
    (55, 8, Deal.parse('J/-----K-J'))
    """
    rules = Rules() if rules is None else rules
    deal = Deal.parse(deal) if isinstance(deal, str) else deal
    return RunUp([deal], rules, most, ring=False)


def as_json(ring: Ring) -> dict[str, Any]:
    """Return a cycle as JSON knows it, without its states."""
    short = ring.period_up_to_seats
    return {
        "name": ring.name,
        "period": ring.period._asdict(),
        "period_up_to_seats": short and short._asdict(),
    }
