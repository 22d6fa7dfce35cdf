"""The languages: phrases put into words, from catalogs.

The catalogs are ``locale/*/LC_MESSAGES/beggar.po``, compiled when the package is built; English
is what the messages themselves are in. Babel reads them and knows how a language writes numbers.

This module imports `cards`, `errors` and `phrases`.
"""

import functools
import os
import string
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from babel import Locale, negotiate_locale
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

from beggar.cards import Card
from beggar.errors import BeggarError, quoted
from beggar.table.phrases import (
    ITALIAN_LETTERS,
    ITALIAN_SUITS,
    KNOWN,
    SEAT,
    Field,
    Message,
    Phrase,
    Seat,
    card_message,
)

__all__ = ["LANGUAGES", "LOCALE", "Words", "choose"]

#: The languages there are, by code.
LANGUAGES: Final = ("en", "es", "de", "it")

#: Where the catalogs are.
LOCALE: Final = Path(__file__).parent / "locale"


def choose(wanted: str | None = None) -> str:
    """Return the code of the language to speak.

    Parameters
    ----------
    wanted : str, optional
        A code such as ``"es"``, ``"de_AT"`` or ``"it-IT"``. Without it the locale of the
        environment decides (``LANGUAGE``, ``LC_ALL``, ``LC_MESSAGES``, ``LANG``), and if that
        is none of ours, it is English.

    Raises
    ------
    BeggarError
        If the language wanted is none of `LANGUAGES`.

    Examples
    --------
    >>> choose("de_AT")
    'de'
    >>> choose("fr")
    Traceback (most recent call last):
        ...
    beggar.errors.BeggarError: unknown language 'fr': expected en, es, de, it
    """
    if wanted is None:
        return negotiate_locale(list(_of_environment()), LANGUAGES) or "en"
    found = negotiate_locale([wanted.strip().replace("-", "_")], LANGUAGES)
    if found is None:
        raise BeggarError(f"unknown language {quoted(wanted)}: expected {', '.join(LANGUAGES)}")
    return found.lower()


def _of_environment() -> Iterator[str]:
    """Yield the languages of the environment, the best first, as gettext looks for them.

    Not as Babel does, which also reads LC_CTYPE: Python itself sets that where a locale is
    not installed.
    """
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            here = os.environ[name].partition(".")[0].partition("@")[0]
            if here not in ("C", "POSIX"):
                yield from filter(None, os.environ.get("LANGUAGE", "").split(":"))
            yield here
            return
    yield from filter(None, os.environ.get("LANGUAGE", "").split(":"))


class Words:
    """One language, for the players of one table.

    Parameters
    ----------
    language : str, optional
        As for `choose`.
    names : sequence of str, optional
        The players' names by seat; "seat 0" and so on, in that language, without them.
    italian : bool
        Whether the cards are an Italian deck's: coppe, denari, spade and bastoni.
    long : bool
        Whether cards are called by their names, not by their signs.

    Examples
    --------
    >>> from beggar.table.phrases import TURNS
    >>> phrase = TURNS.of(player=Seat(0), card=Card.of("Q", "s"))
    >>> Words("es", ["Ana", "Boris"], long=True).say(phrase)
    'Ana descubre la reina de picas'
    >>> Words("de").say(phrase)
    'Platz 0 deckt Q♠ auf'
    """

    def __init__(
        self,
        language: str | None = None,
        names: Sequence[str] | None = None,
        *,
        italian: bool = False,
        long: bool = False,
    ) -> None:
        self.language = choose(language)
        self.names = None if names is None else tuple(names)
        self.italian = italian
        self.long = long
        self._catalog = catalog(self.language)
        self._locale = Locale(self.language)

    def pattern(self, message: Message, count: int = 1) -> str:
        """Return the pattern of a message in this language, for a count."""
        if message.many is None and message.context is not None:
            return str(self._catalog.upgettext(message.context, message.text))
        if message.many is None:
            return self._catalog.ugettext(message.text)
        if message.context is not None:
            found = self._catalog.unpgettext(message.context, message.text, message.many, count)
            return str(found)
        return self._catalog.ungettext(message.text, message.many, count)

    def say(self, phrase: Phrase) -> str:
        """Put a phrase into words."""
        count = phrase.fields.get("count", 1)
        assert isinstance(count, int)
        pattern = self.pattern(phrase.message, count)
        words = {name: self._word(field, name in KNOWN) for name, field in phrase.fields.items()}
        return pattern.format(**words)

    def number(self, number: int) -> str:
        """Write a whole number as the language does."""
        return format_decimal(number, locale=self._locale)

    def name(self, seat: int) -> str:
        """Return the name of the player at a seat."""
        if self.names is None:
            return self.say(SEAT.of(number=seat))
        return self.names[seat]

    def card(self, card: Card, known: bool = False) -> str:
        """Return a card by its name, which may have been seen before, or by its sign."""
        if self.long:
            return self.say(card_message(card, self.italian, known))
        return self.sign(card)

    def sign(self, card: Card) -> str:
        """Return a card as people write it.

        An Italian deck's has no signs in print: its rank and suit are letters of the language.

        Examples
        --------
        >>> Words("it", italian=True).sign(Card.of("Q", "d")), Words("it").sign(Card.of("Q", "d"))
        ('Cd', 'Q♦')
        """
        if not self.italian or card.suit not in ITALIAN_SUITS:
            return card.pretty
        rank = ITALIAN_LETTERS.get(card.rank)
        return (self.pattern(rank) if rank else card.rank) + self.pattern(ITALIAN_SUITS[card.suit])

    def _word(self, field: Field, known: bool) -> str:
        match field:
            case Seat(number):
                return self.name(number)
            case Card():
                return self.card(field, known)
            case Phrase():
                return self.say(field)
            case int():
                return self.number(field)
            case str():
                return field


@functools.cache
def catalog(language: str) -> NullTranslations:
    """Return the catalog of a language, one of `LANGUAGES`."""
    if language == "en":
        return NullTranslations()
    found = Translations.load(LOCALE, [language], "beggar")
    if not isinstance(found, Translations):
        raise BeggarError(
            f"the catalog of {quoted(language)} is not compiled: expected it from the build"
        )
    return found


def fields_of(pattern: str) -> set[str]:
    """Return the names of a pattern's fields.

    Examples
    --------
    >>> sorted(fields_of("{player} turns {card}"))
    ['card', 'player']
    """
    return {name for _, name, _, _ in string.Formatter().parse(pattern) if name}
