"""Exhaustive hunts: every deal of a space or a range, in units that can be done anywhere.

This module imports `enumeration`, `rules`, `space`, `simulation`, `tally`, `finds` and `store`.
"""

from collections.abc import Iterator
from typing import Any, Final

from beggar.enumeration import Enumeration, play_range
from beggar.errors import BeggarError, RulesError
from beggar.rules import Rules
from beggar.search.finds import Unit
from beggar.search.store import Store
from beggar.simulation import kernel_for_cards
from beggar.space import Space
from beggar.tally import Job, Stop, Total

__all__ = ["UNIT", "Exhaustive", "play", "total_of"]

#: Deals of a unit, unless told: seconds of work for one thread.
UNIT: Final = 20_000_000


# Told when the units that run in this process are wanted no more.
_dropped: Final = Stop()


class Exhaustive:
    """A hunt through the deals of a deck.

    Units are counted from the first deal of the space, whatever the range, so that hunts
    through different ranges share out the same units.

    Parameters
    ----------
    deck : str
        As `beggar.space.Space.of` reads it.
    sizes : sequence of int, optional
        The hands.
    rules : Rules, optional
        The classic ones without them.
    start, stop : int
        The ranks to go through.
    unit : int
        How many deals a unit has.

    Raises
    ------
    BeggarError
        If there is no such space or range, or the games shuffle.
    """

    kind = "exhaustive"

    def __init__(
        self,
        deck: str,
        sizes: "list[int] | None" = None,
        rules: Rules | None = None,
        start: int = 0,
        stop: int | None = None,
        unit: int = UNIT,
    ) -> None:
        self.rules = Rules() if rules is None else rules
        self.space = Space.of(deck, sizes, self.rules)
        self.span = self.space.span(start, stop)
        self.unit = unit
        for edge in (self.span.start, self.span.stop):
            if edge % unit and edge != self.space.count:
                raise BeggarError(
                    f"the range {self.span.start}:{self.span.stop} cuts a unit of {unit:,} deals: "
                    f"expected ranks that are multiples (--unit)"
                )
        if self.space.count // unit >= 2**62:
            raise BeggarError(
                f"units of {unit:,} deals are too many: expected larger ones (--unit)"
            )
        players = len(self.space.sizes)
        if self.rules.players not in (None, players):
            raise RulesError(f"{players} hands, but the rules are for {self.rules.players} players")
        if self.rules.shuffle_pile or self.rules.on_cycle == "shuffle":
            raise RulesError("a game with shuffles is not one of its deal alone: expected none")
        self.rules.check_hands(self.space.unrank(0).hands)
        self.deck = deck
        _dropped.told = False
        _dropped.flag[0] = 0

    @property
    def params(self) -> dict[str, Any]:
        """What makes this hunt another than others; the range does not."""
        return {
            "deck": self.deck,
            "hands": list(self.space.sizes),
            "rules": self.rules.as_settings(),
            "unit": self.unit,
        }

    @classmethod
    def of(cls, params: dict[str, Any], start: int = 0, stop: int | None = None) -> "Exhaustive":
        """Return the hunt that has these `params`, through a range."""
        rules = Rules().set(**dict(setting.split("=", 1) for setting in params["rules"]))
        return cls(params["deck"], params["hands"], rules, start, stop, params["unit"])

    def drop(self) -> None:
        """Make the units that run in this process end soon, undone."""
        _dropped.tell()

    @property
    def total(self) -> int:
        """How many units there are."""
        return -(-self.span.stop // self.unit) - self.span.start // self.unit

    @property
    def what(self) -> str:
        """What a unit tries."""
        return "deals"

    @property
    def span_of_units(self) -> range:
        """The numbers of the units of the range."""
        return range(self.span.start // self.unit, -(-self.span.stop // self.unit))

    def numbers(self) -> Iterator[int]:
        """Yield the numbers of the units, in order."""
        return iter(self.span_of_units)

    def generation(self, number: int) -> int:
        """Return the first unit that a unit waits for none before: none waits for any."""
        return 0

    def work(self, store: Store, number: int) -> tuple[Any, ...]:
        """Return a function and its arguments that do a unit, anywhere."""
        start = number * self.unit
        return play, self.space, self.rules, start, min(start + self.unit, self.space.count)


def play(space: Space, rules: Rules, start: int, stop: int) -> Unit:
    """Play the deals from one rank to before another."""
    kernel = kernel_for_cards(rules, space.faces, space.counts, len(space.sizes), None)
    job = Job(rules, len(space.sizes), 0, False, kernel, None, _dropped)
    tally, cycles = play_range(job, space, start, stop)
    total = Total(job)
    total.seed = None
    total.add(tally)
    done = Enumeration(space, ((start, stop),), total.summary(), tuple(cycles))
    return Unit(stop - start, told=done.as_json())


def total_of(store: Store) -> Enumeration | None:
    """Add up what the units of an exhaustive hunt came to; None if none is done.

    Raises
    ------
    BeggarError
        If it is the store of another kind of hunt.
    """
    if store.kind != "exhaustive":
        raise BeggarError(f"{store.path!r} is the store of a hunt {store.kind}")
    total: Enumeration | None = None
    # By halves, so that adding up does not grow with the square of their number.
    parts = [Enumeration.from_json(told) for _, told in store.told()]
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        parts = [one + two for one, two in pairs] + parts[len(parts) - len(parts) % 2 :]
    if parts:
        total = parts[0]
    return total
