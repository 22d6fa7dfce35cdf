"""The languages: phrases put into words, from catalogs.

The catalogs are ``locale/*/LC_MESSAGES/beggar.po``, compiled when the package is built; English
is what the messages themselves are in. Babel reads them and knows how a language writes numbers.

This module imports `cards`, `errors` and `phrases`.
"""

import functools
import string
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from babel import Locale, default_locale, negotiate_locale
from babel.numbers import format_decimal
from babel.support import NullTranslations, Translations

from beggar.cards import SUIT_SIGNS, Card
from beggar.errors import BeggarError, quoted
from beggar.table.phrases import KNOWN, SEAT, Field, Message, Phrase, Seat, card_message

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
        try:
            here = default_locale("LC_MESSAGES")
        except ValueError:
            here = None
        return negotiate_locale([here or "en"], LANGUAGES) or "en"
    found = negotiate_locale([wanted.strip().replace("-", "_")], LANGUAGES)
    if found is None:
        raise BeggarError(f"unknown language {quoted(wanted)}: expected {', '.join(LANGUAGES)}")
    return found.lower()


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
        if message.many is None:
            return self._catalog.ugettext(message.text)
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
        return sign(card, self.italian)

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


def sign(card: Card, italian: bool = False) -> str:
    """Return a card as people write it; the Italian suits, which have no signs, as letters.

    Examples
    --------
    >>> sign(Card.of("T", "c")), sign(Card.of("K", "c"), italian=True)
    ('10♣', 'Kc')
    """
    return card.text if italian and card.suit in SUIT_SIGNS else card.pretty


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
