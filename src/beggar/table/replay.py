"""The replay page: one HTML file that shows a game, and needs nothing else.

The engine plays the game here, once; the page only moves the cards it is told to move. It holds
the words of all languages, so that whoever opens it can choose.

This module imports `cards`, `game`, `position`, `rules` and the tellers beside it.
"""

import html
import json
from collections.abc import Sequence
from importlib import resources
from typing import Any, Final

from beggar.cards import Card
from beggar.deals import Deal
from beggar.errors import BeggarError
from beggar.events import LoopFound, Out, Shuffled, TrickTaken, Turned
from beggar.game import Game
from beggar.position import Position
from beggar.rules import Rules
from beggar.table.narration import Teller, is_italian
from beggar.table.phrases import (
    AFTER_CARDS,
    AFTER_TRICKS,
    CARDS,
    SEAT,
    TRICKS,
    Field,
    Message,
    Phrase,
    Seat,
    message,
    messages,
)
from beggar.table.words import LANGUAGES, Words, choose

__all__ = ["MOST_CARDS", "page"]

#: The longest game that a page is made of, in cards turned.
MOST_CARDS: Final = 100_000

# What the page itself says, by the name its script uses.
_SAYINGS: Final = {
    "title": message("Beggar-My-Neighbour"),
    "play": message("Play"),
    "pause": message("Pause"),
    "back": message("One card back"),
    "forward": message("One card on"),
    "trick_back": message("To the trick before"),
    "trick_forward": message("To the next trick"),
    "start": message("To the start"),
    "end": message("To the end"),
    "speed": message("Cards a second"),
    "language": message("Language"),
    "go_to_trick": message("Go to trick"),
    "card": message("Card"),
    "at": message("card {card} of {cards}, trick {trick} of {tricks}"),
    "hand": messages("{count} card", "{count} cards"),
    "penalties": messages("{count} penalty card", "{count} penalty cards"),
    "out": message("out"),
    "turns": message("turns next"),
    "claims": message("claimant"),
    "due": message("due: {number}"),
    "chain": message("chain: {number}"),
    "pile": message("Pile"),
    "begin": message("The cards are dealt; {player} leads."),
    "stands": message("The game stands here; {player} is to play."),
    "stands_owing": message("The game stands here; {player} owes {number}."),
    "chart": message("Cards in hand, trick by trick: press where to go"),
    "controls": message("Controls"),
    "table": message("Table"),
    "loop": message("loop"),
    "loop_note": message(
        "This game never ends: it enters its loop after {cards} and {tricks}; once round it is "
        "{round_cards} and {round_tricks}."
    ),
    "round": message("round {number} of the loop"),
    "keys": message(
        "Keys: space plays and pauses, arrows go a card back and on, with Shift a trick, Home and "
        "End to the start and the end, + and - change the speed."
    ),
}


def page(
    start: "Deal | Position | str",
    rules: Rules | None = None,
    *,
    seed: int | None = None,
    names: Sequence[str] | None = None,
    language: str | None = None,
) -> str:
    """Play a game and return the page that shows it.

    Parameters
    ----------
    start : Deal, Position or str
        Where the game begins.
    rules : Rules, optional
        The classic ones without them.
    seed : int, optional
        As for `beggar.Game`.
    names : sequence of str, optional
        The players by seat; their seats' numbers without it.
    language : str, optional
        The language that the page opens in, as for `beggar.table.words.choose`.

    Returns
    -------
    str
        HTML, whole.

    Raises
    ------
    BeggarError
        If the game is longer than `MOST_CARDS`, the language is unknown, or as for
        `beggar.Game`.

    Examples
    --------
    >>> page("--K/QJ-", names=["Ana", "Boris"], language="it")[:15]
    '<!doctype html>'
    """
    language = choose(language)
    data = _data(Game(start, rules, seed=seed), names)
    data["language"] = language
    words = Words(language)
    filled = {
        "language": language,
        "title": html.escape(words.say(_SAYINGS["title"].of())),
        "style": _part("page.css"),
        "script": _part("page.js"),
        # So that nothing in a name can end the element that holds it.
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    made = _part("page.html")
    for name, value in filled.items():
        made = made.replace(f"%{name}%", value, 1)
    return made


def _part(name: str) -> str:
    return (resources.files(__package__) / "page" / name).read_text(encoding="utf-8")


def _data(game: Game, names: Sequence[str] | None) -> dict[str, Any]:
    """Play a game and return all that its page shows."""
    start = game.position
    italian = is_italian(start, game.rules)
    told = _Told()
    steps: list[list[Any]] = []
    tricks: list[list[int]] = [[0, *map(len, start.hands)]]
    loop: dict[str, Any] | None = None
    teller = Teller(start, game.rules, "long")
    while events := game.turn_card():
        at = game.position
        phrases = [told.number(phrase) for phrase in teller.tell(events, at.turn)]
        turner, taker, size, shuffled = -1, -1, 0, False
        out: list[int] = []
        for event in events:
            match event:
                case Turned(seat):
                    turner = seat
                case TrickTaken(seat, cards):
                    taker, size = seat, cards
                case Shuffled():
                    shuffled = True
                case Out(seat):
                    out.append(seat)
                case LoopFound(transient, period):
                    loop = {
                        "from": len(steps) + (turner >= 0) - period.cards,
                        "cards": transient.cards,
                        "tricks": transient.tricks,
                        "round_cards": period.cards,
                        "round_tricks": period.tricks,
                    }
        step: list[Any] = [turner, at.turn, at.due, _seat(at.claimant), at.chain, taker, phrases]
        if shuffled:
            under = at.hands[taker][len(at.hands[taker]) - size :]
            step += [out, [told.card(card) for card in under]]
        elif out:
            step.append(out)
        steps.append(step)
        if taker >= 0:
            tricks.append([len(steps), *map(len, at.hands)])
        if len(steps) > MOST_CARDS:
            raise BeggarError(
                f"the game is longer than {MOST_CARDS:,} cards: expected one that a page can hold"
            )
    if game.outcome is None or game.outcome.cycle is None:
        # A loop that was broken by a shuffle is none.
        loop = None
    hands = [[told.card(card) for card in hand] for hand in start.hands]
    pile = [told.card(card) for card in start.pile]
    return {
        "names": list(names) if names is not None else None,
        "seats": len(start.hands),
        "hands": hands,
        "pile": pile,
        "first": [start.turn, start.due, _seat(start.claimant), start.chain, list(start.out)],
        "before": [start.cards, start.tricks],
        "steps": steps,
        "tricks": tricks,
        "loop": loop,
        "reversed": game.rules.pickup == "reversed",
        "faces": [
            {
                "red": not italian and card.suit in ("d", "h"),
                "tribute": game.rules.tribute(card),
            }
            for card in told.cards
        ],
        **told.as_json(italian),
    }


def _seat(seat: int | None) -> int:
    return -1 if seat is None else seat


class _Told:
    """What is said on a page: each phrase, message and card once, known by its number."""

    def __init__(self) -> None:
        self.phrases: dict[str, int] = {}
        self.messages: dict[Message, int] = {}
        self.cards: dict[Card, int] = {}

    def number(self, phrase: Phrase) -> int:
        key = json.dumps(self._packed(phrase))
        return self.phrases.setdefault(key, len(self.phrases))

    def card(self, card: Card) -> int:
        return self.cards.setdefault(card, len(self.cards))

    def _packed(self, phrase: Phrase) -> list[Any]:
        number = self.messages.setdefault(phrase.message, len(self.messages))
        return [number, {name: self._field(field) for name, field in phrase.fields.items()}]

    def _field(self, field: Field) -> object:
        match field:
            case Seat(number):
                return f"s{number}"
            case Card():
                return f"c{self.card(field)}"
            case Phrase():
                return self._packed(field)
            case int():
                return field
            case str():
                return f"t{field}"

    def as_json(self, italian: bool) -> dict[str, Any]:
        """Return the phrases, and what they and the page are made of in every language."""
        languages = {}
        for language in LANGUAGES:
            words = Words(language, italian=italian, long=True)
            languages[language] = {
                "name": _NAMES[language],
                "messages": [_patterns(words, known) for known in self.messages],
                "cards": [
                    [words.card(card), words.card(card, known=True), words.sign(card)]
                    for card in self.cards
                ],
                "sayings": {name: _patterns(words, saying) for name, saying in _SAYINGS.items()},
                "seat": words.pattern(SEAT),
                "counts": [_patterns(words, made) for made in _COUNTS],
            }
        return {
            "phrases": [json.loads(key) for key in self.phrases],
            "languages": languages,
        }


# How cards and tricks are counted, alone and after "after".
_COUNTS: Final = (CARDS, TRICKS, AFTER_CARDS, AFTER_TRICKS)

# Each language by its own name.
_NAMES: Final = {"en": "English", "es": "Español", "de": "Deutsch", "it": "Italiano"}


def _patterns(words: Words, known: Message) -> list[str]:
    if known.many is None:
        return [words.pattern(known)]
    return [words.pattern(known, 1), words.pattern(known, 2)]
