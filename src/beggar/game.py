"""One game: the thin face over the two engines.

This module imports `deals`, `position`, `rules`, `events`, `outcome`, and the
engines: the compiled core, and the reference when it is asked for.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, NoReturn, Protocol

from beggar import _core
from beggar.cards import Card
from beggar.deals import Deal, labels_of
from beggar.errors import DealError, RulesError, quoted
from beggar.events import Event
from beggar.outcome import Outcome
from beggar.position import Position
from beggar.rules import Rules, whole

__all__ = ["ENGINES", "Game", "View", "play"]

#: The engines by name: the compiled core, and the plain-Python oracle.
ENGINES: Final = ("core", "reference")

_CLASSIC: Final = Rules()


class Engine(Protocol):
    """What an engine's table can do."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""

    @property
    def position(self) -> Position:
        """The table as it stands."""

    def step(self) -> Event | None:
        """Return the next event; None when over."""

    def next_card(self) -> list[Event]:
        """Return the events of one card; none when over."""

    def stop(self) -> None:
        """End a `play` that goes on in another thread."""

    def play(self) -> Outcome:
        """Play to the end."""

    def __iter__(self) -> Iterator[Event]: ...


class View(NamedTuple):
    """What a player sees of the table.

    Attributes
    ----------
    seat : int
        Who looks.
    hands : tuple of (tuple of Card or None)
        Every seat's hand from its top, if hands are public (`Rules.face_up`);
        else None for each, one's own too: hands lie face down.
    sizes : tuple of int
        How many cards each seat holds.
    pile : tuple of Card
        The cards in the centre, in the order they were turned.
    turn, due, claimant, chain, out, cards, tricks, penalties
        As in `Position`.
    """

    seat: int
    hands: tuple[tuple[Card, ...] | None, ...]
    sizes: tuple[int, ...]
    pile: tuple[Card, ...]
    turn: int
    due: int
    claimant: int | None
    chain: int
    out: tuple[int, ...]
    cards: int
    tricks: int
    penalties: int


class Game:
    """One game, from a deal or a position, under some rules.

    Iterating over it yields what happens (see `beggar.events`); so does `step`,
    one event at a time; `play` plays to the end. All three go on from where the
    game stands.

    Parameters
    ----------
    deal : Deal, Position or str
        Where to begin; text is read as a position is.
    rules : Rules, optional
        The classic ones without it.
    engine : {"core", "reference"}
        Which engine plays: the compiled one, or the oracle in plain Python.
    seed : int, optional
        What shuffles depend on, 0 to 2**64 - 1; needed where the rules shuffle.

    Raises
    ------
    DealError
        If text cannot be read, or the position cannot be.
    RulesError
        If the rules do not fit the deal, or a seed is missing.

    Examples
    --------
    >>> game = Game("-K/QJ", Rules(limit_cards=100))
    >>> game.step()
    Turned(seat=0, card=Card('-'), cards=1, penalties=0)
    >>> game.position
    Position.parse('K/QJ pile=- turn=1 cards=1')
    >>> [type(event).__name__ for event in game][-3:]
    ['Out', 'TrickTaken', 'Over']
    >>> game.outcome.winner, game.outcome.cards
    (1, 4)
    """

    __slots__ = ("_table", "engine", "rules", "seed")

    rules: Rules
    engine: str
    seed: int | None
    _table: Engine

    def __init__(
        self,
        deal: "Deal | Position | str",
        rules: Rules | None = None,
        *,
        engine: str = "core",
        seed: int | None = None,
    ) -> None:
        self.rules = _CLASSIC if rules is None else rules
        self.engine = engine
        seed = whole(seed)  # type: ignore[assignment]
        self.seed = seed
        self._table = _table_for(deal, self.rules, engine, seed)

    def __iter__(self) -> Iterator[Event]:
        return iter(self._table)

    def step(self) -> Event | None:
        """Return the next event, or None when the game is over.

        The table moves a card at a time: the first event of a card turns it,
        and `position` then already shows all that follows from it.

        Examples
        --------
        >>> Game("K/--").step()
        Turned(seat=0, card=Card('K'), cards=1, penalties=1)
        """
        return self._table.step()

    def turn_card(self) -> list[Event]:
        """Turn a card and return all that happens: its event, and those that follow from it.

        Events that wait, because `step` was in the middle of a card, come first and alone.

        Returns
        -------
        list of Event
            Empty when the game is over. A game begun where a limit or a loop ends it has no
            `Turned` in its only list.

        Examples
        --------
        >>> game = Game("J-/-")
        >>> [type(event).__name__ for event in game.turn_card()]
        ['Turned', 'TributeDemanded']
        >>> len(game.turn_card()), game.turn_card()
        (5, [])
        """
        return self._table.next_card()

    def play(self) -> Outcome:
        """Play to the end and return how it ended.

        Notes
        -----
        Ctrl-C is obeyed within a tenth of a second. A game of the core can go on after
        it; one of the reference may be left in the middle of a card.

        Examples
        --------
        >>> game = Game("K/--")
        >>> game.play().winner, game.step()
        (0, None)
        """
        return self._table.play()

    def stop(self) -> None:
        """Make a `play` that goes on in another thread end, there, as Ctrl-C would."""
        self._table.stop()

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None while it goes on."""
        return self._table.outcome

    @property
    def position(self) -> Position:
        """The table as it stands; its text begins a game that goes on the same.

        What the counts of a loop are depends on where the watch for it began: in a game
        begun from a position, there.
        """
        return self._table.position

    def view(self, seat: int) -> View:
        """Return what the player at *seat* sees.

        Raises
        ------
        DealError
            If there is no such seat.

        Examples
        --------
        >>> game = Game("--K/QJ-")
        >>> game.view(0).hands, game.view(0).sizes
        ((None, None), (3, 3))
        >>> Game("K/Q", Rules(face_up=True)).view(0).hands
        ((Card('K'),), (Card('Q'),))
        """
        at = self.position
        if seat not in range(len(at.hands)):
            raise DealError(f"no seat {quoted(seat)}: expected 0 to {len(at.hands) - 1}")
        return View(
            seat=seat,
            hands=at.hands if self.rules.face_up else (None,) * len(at.hands),
            sizes=tuple(map(len, at.hands)),
            pile=at.pile,
            turn=at.turn,
            due=at.due,
            claimant=at.claimant,
            chain=at.chain,
            out=at.out,
            cards=at.cards,
            tricks=at.tricks,
            penalties=at.penalties,
        )

    def __copy__(self) -> "Game":
        import copy

        twin = object.__new__(Game)
        twin.rules, twin.engine, twin.seed = self.rules, self.engine, self.seed
        twin._table = copy.copy(self._table)
        return twin

    def __deepcopy__(self, memo: object) -> "Game":
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError("games cannot be pickled: keep str(game.position) instead")

    def __repr__(self) -> str:
        return f"<Game {str(self.position)!r} by {self.rules!r}, engine={self.engine!r}>"


def play(
    deal: "Deal | Position | str",
    rules: Rules | None = None,
    *,
    engine: str = "core",
    seed: int | None = None,
) -> Outcome:
    """Play one game to the end: the one-liner.

    Parameters
    ----------
    deal, rules, engine, seed
        As for `Game`.

    Returns
    -------
    Outcome

    Raises
    ------
    DealError, RulesError
        As for `Game`.

    Examples
    --------
    >>> outcome = play("--J/---J")
    >>> outcome.winner, outcome.cards, outcome.tricks
    (0, 22, 5)
    >>> play("--J-/K-J-").cycle
    Cycle(transient=Count(cards=0, tricks=0), period=Count(cards=16, tricks=4), \
period_up_to_seats=Count(cards=8, tricks=2))
    """
    if rules is None:
        rules = _CLASSIC
    if engine == "core" and type(deal) is Deal:
        spec = checked(deal.hands, rules, seed)
        return _core.play(spec, deal.labels, deal.leader, seed or 0)
    return _table_for(deal, rules, engine, seed).play()


def _table_for(
    deal: "Deal | Position | str", rules: Rules, engine: str, seed: int | None
) -> Engine:
    if engine not in ENGINES:
        raise RulesError(f"unknown engine {quoted(engine)}: expected {' or '.join(ENGINES)}")
    if isinstance(deal, str):
        deal = Position.parse(deal)
    elif not isinstance(deal, (Deal, Position)):
        raise DealError(f"{quoted(deal)} is no deal: expected a Deal, a Position or text")
    spec = checked(deal.hands, rules, seed)
    if isinstance(deal, Deal):
        if engine == "core":
            return _core.Table(spec, deal.labels, deal.leader, seed or 0)
        deal = Position.start(deal)
    deal.check(rules)
    if engine == "reference":
        from beggar import reference

        return reference.Table(deal, rules, seed)
    hands = tuple(map(labels_of, deal.hands))
    return _core.Table(spec, hands, deal.turn, seed or 0, deal, labels_of(deal.pile))


def checked(hands: Sequence[Sequence[Card]], rules: Rules, seed: int | None) -> "_core.Spec":
    """Check what rules ask of hands and seed; return what the core makes of the rules."""
    spec: _core.Spec
    try:
        spec, needs_seed, needs_look = rules.__dict__["_core"]
    except (AttributeError, KeyError):
        if not isinstance(rules, Rules):
            raise RulesError(
                f"{quoted(rules)} are no rules: expected Rules, such as Rules.preset('classic')"
            ) from None
        # Kept with the rules, so that all this is done once.
        spec = _core.Spec(rules)
        needs_seed = rules.shuffle_pile or rules.on_cycle == "shuffle"
        needs_look = rules.players is not None or rules._tributes.name_number_cards
        rules.__dict__["_core"] = (spec, needs_seed, needs_look)
    if needs_look:
        rules.check_hands(hands)
    if seed is None:
        if needs_seed:
            field = "shuffle_pile" if rules.shuffle_pile else "on_cycle='shuffle'"
            raise RulesError(f"{field} needs a seed: expected one (seed=, --seed), 0 to 2**64 - 1")
    elif type(seed) is not int or not 0 <= seed < 2**64:
        raise RulesError(f"seed: {quoted(seed)} is not a value: expected 0 to 2**64 - 1")
    return spec
