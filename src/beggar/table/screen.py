"""A table in the terminal, drawn with rich: hands as bars, the pile, and what is owed.

This module imports `cards`, `position`, `rules`, `phrases` and `words`.
"""

from collections.abc import Sequence
from typing import Final

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from beggar.cards import Card
from beggar.position import Position
from beggar.rules import Rules
from beggar.table.phrases import Seat, message, messages
from beggar.table.words import Words

__all__ = ["draw"]

_TITLE: Final = message("Beggar-My-Neighbour")
_COUNTED: Final = message("{cards}, {tricks}")
_HOLDS: Final = messages(
    "{count} penalty card still to come", "{count} penalty cards still to come"
)
_PILE: Final = message("pile ({number})")
_ORDINARY: Final = message("ordinary play: nothing is owed")
_OWED: Final = message("due: {number} · claimant: {player} · chain: {chain}")
_OUT: Final = message("out")

_BAR: Final = 24
_RED: Final = "dh"


def draw(
    at: Position, rules: Rules, words: Words, caption: str = "", counted: str = ""
) -> RenderableType:
    """Draw the table as it stands.

    Parameters
    ----------
    at : Position
    rules : Rules
    words : Words
        The language, the players' names, and the deck.
    caption : str
        What the last card did, in words.
    counted : str
        How many cards and tricks it has been.

    Examples
    --------
    >>> import io
    >>> from rich.console import Console
    >>> console = Console(width=60, file=io.StringIO())
    >>> at = Position.parse("8♦ 9♦/7♣ pile=K♥4♣Q♠ turn=0 due=2 claimant=1 cards=3 chain=2")
    >>> console.print(draw(at, Rules(), Words("en", ["Ana", "Boris"])))
    >>> "due: 2 · claimant: Boris · chain: 2" in console.file.getvalue()
    True
    """
    whole = sum(map(len, at.hands)) + len(at.pile)
    seats = Table.grid(padding=(0, 1))
    seats.add_column()
    seats.add_column(overflow="ellipsis", no_wrap=True, min_width=6, max_width=20)
    seats.add_column(width=_BAR)
    seats.add_column(justify="right")
    seats.add_column(style="dim")
    for seat, hand in enumerate(at.hands):
        seats.add_row(*_seat(at, rules, words, seat, hand, whole))
    over = sum(bool(hand) for hand in at.hands) < 2 and not at.pile
    owed = "" if over else words.say(_ORDINARY.of())
    if at.due and at.claimant is not None:
        owed = words.say(_OWED.of(number=at.due, player=Seat(at.claimant), chain=at.chain))
    pile = Table.grid(padding=(0, 1))
    pile.add_column(no_wrap=True, style="dim")
    pile.add_column(no_wrap=True)
    pile.add_row(words.say(_PILE.of(number=len(at.pile))), _pile(at.pile, rules, words))
    # Of fixed height, so that the table stands still.
    told = Table.grid()
    told.add_column(overflow="fold")
    told.add_row(Text(caption))
    return Panel(
        Group(seats, Text(), pile, Text(owed, style="bold" if at.due else "dim"), Text(), told),
        title=words.say(_TITLE.of()),
        subtitle=counted,
        height=len(at.hands) + 12,
    )


def _seat(
    at: Position, rules: Rules, words: Words, seat: int, hand: Sequence[Card], whole: int
) -> tuple[Text | str, ...]:
    penalties = sum(rules.tribute(card) > 0 for card in hand)
    gone = seat in at.out
    length = round(_BAR * len(hand) / whole) if whole else 0
    bar = Text("█" * max(length, bool(hand)), style="green" if seat == at.turn else "blue")
    playing = seat == at.turn and not gone and len(hand) < whole
    mark = "★" if seat == at.claimant else "▶" if playing else ""
    holds = words.say(_OUT.of()) if gone else words.say(_HOLDS.of(count=penalties))
    return (
        mark,
        Text(words.name(seat), style="dim strike" if gone else "bold"),
        bar,
        words.number(len(hand)),
        holds,
    )


def _pile(pile: Sequence[Card], rules: Rules, words: Words) -> Text:
    """Return the last cards of the pile, the newest at the left, where it is not cut off."""
    drawn = Text(overflow="ellipsis", no_wrap=True)
    for card in reversed(pile[-60:]):
        style = "red" if card.suit and card.suit in _RED and not words.italian else ""
        drawn.append(words.sign(card), style + (" bold underline" * bool(rules.tribute(card))))
        drawn.append(" ")
    return drawn
