"""Beggar-My-Neighbour: a fast engine, a readable one, and every rule tables differ on.

>>> import beggar
>>> outcome = beggar.play(beggar.Deal.parse("--K/QJ-"))
>>> outcome.winner, outcome.cards, outcome.tricks
(1, 5, 1)
"""

from typing import TYPE_CHECKING

from beggar.cards import Card
from beggar.deals import Deal
from beggar.errors import BeggarError, DealError, PositionError, RulesError
from beggar.game import Game, View, play
from beggar.outcome import Count, Cycle, Outcome, Termination
from beggar.position import Position
from beggar.rules import Rules

if TYPE_CHECKING:
    from beggar.cycles import cycle_of
    from beggar.enumeration import enumerate_deals
    from beggar.simulation import simulate
    from beggar.space import Space
    from beggar.summary import Summary

__all__ = [
    "BeggarError",
    "Card",
    "Count",
    "Cycle",
    "Deal",
    "DealError",
    "Game",
    "Outcome",
    "Position",
    "PositionError",
    "Rules",
    "RulesError",
    "Space",
    "Summary",
    "Termination",
    "View",
    "__version__",
    "cycle_of",
    "enumerate_deals",
    "play",
    "simulate",
]

__version__ = "0.1.0"

_MODULES = (
    *("crosscheck", "cycles", "enumeration", "events", "plot", "records", "reference"),
    *("search", "simulation", "space", "table"),
)
# What would load NumPy, and so is loaded when it is named.
_LATE = {
    "Space": "space",
    "Summary": "summary",
    "cycle_of": "cycles",
    "enumerate_deals": "enumeration",
    "simulate": "simulation",
}


def __getattr__(name: str) -> object:
    """Import the modules that few need when they are named."""
    if name in _MODULES:
        import importlib

        return importlib.import_module(f"beggar.{name}")
    if name in _LATE:
        import importlib

        return getattr(importlib.import_module(f"beggar.{_LATE[name]}"), name)
    raise AttributeError(f"module 'beggar' has no attribute {name!r}")
