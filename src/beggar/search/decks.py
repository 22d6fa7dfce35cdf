"""The deck that is hunted through: one that the lanes play.

This module imports `rules`, `space` and the lanes.
"""

from collections.abc import Sequence
from typing import Any

from beggar import _lanes
from beggar.errors import BeggarError, quoted
from beggar.rules import Rules
from beggar.space import Space

__all__ = ["HuntedDeck", "deck_name"]


class HuntedDeck:
    """A deck for two, of numerals and one to four kinds of penalty cards.

    Parameters
    ----------
    deck : str
        As `beggar.space.Space.of` reads it.

    Attributes
    ----------
    space : Space
    tributes : list of int
        What each kind demands, numerals first.

    Raises
    ------
    BeggarError
        If there is no such deck, or the lanes do not play it.

    Examples
    --------
    >>> HuntedDeck("camicia-40").name, HuntedDeck("camicia-40").codes
    ('28:4:4:4', [28, 4, 4, 4, 0])
    """

    def __init__(self, deck: str) -> None:
        self.space = Space.of(deck)
        rules = Rules()
        self.tributes = [rules.tribute(face) for face in self.space.faces]
        if len(self.space.sizes) != 2 or self.tributes[0] != 0 or not 2 <= len(self.tributes) <= 5:
            raise BeggarError(f"{quoted(deck)}: expected numerals and one to four tributes")
        penal = sum(self.space.counts[1:])
        if self.space.cards > _lanes.MOST_CARDS or penal > _lanes.MOST_PENALTIES:
            raise BeggarError(
                f"{quoted(deck)}: expected {_lanes.MOST_CARDS} cards at most, "
                f"{_lanes.MOST_PENALTIES} of them penal"
            )

    @property
    def codes(self) -> list[int]:
        """How many cards there are of each code plus one; numerals first."""
        return [*self.space.counts, 0, 0, 0, 0][:5]

    @property
    def name(self) -> str:
        """The whole deck, by tribute."""
        return deck_name(self.space.counts, self.tributes)

    @property
    def params(self) -> dict[str, Any]:
        """What a store knows of it."""
        return {"deck": self.name, "hands": list(self.space.sizes)}


def deck_name(counts: Sequence[int], tributes: Sequence[int]) -> str:
    """Return counts by tribute, as `Space.of` reads them.

    Examples
    --------
    >>> deck_name([5, 2, 1], [0, 1, 3])
    '5:2:0:1'
    """
    by_tribute = dict(zip(tributes, counts, strict=True))
    return ":".join(str(by_tribute.get(tribute, 0)) for tribute in range(max(tributes) + 1))
