"""What can be said of a game: messages in English, each a key of the catalogs.

A message is a pattern with named fields; a `Phrase` is a message with its fields filled in, and
belongs to no language yet: `beggar.table.words` puts it into one, and so does the replay page.
Card names are given so that a language can keep its articles right: all patterns that name a
card have it as an object ("turns {card}", "for {owed}", "by {by}"), and in languages with
cases that is the accusative. A card in a field of `KNOWN` has been seen before: where no suit
is told, it is "the king" there and "a king" elsewhere.

This module imports `cards`.
"""

from typing import Final, NamedTuple

from beggar.cards import Card

__all__ = [
    "ITALIAN_LETTERS",
    "ITALIAN_SUITS",
    "KNOWN",
    "Field",
    "Message",
    "Phrase",
    "Seat",
    "card_message",
    "message",
    "message_in",
    "messages",
    "messages_in",
    "nth",
]


class Seat(NamedTuple):
    """A seat whose player is to be named."""

    number: int


class Message(NamedTuple):
    """A pattern in English, and the one for many if what is said depends on a ``{count}``.

    The context tells apart what other languages say in several ways.
    """

    text: str
    many: str | None = None
    context: str | None = None

    def of(self, **fields: "Field") -> "Phrase":
        """Return the phrase with these fields."""
        return Phrase(self, fields)


class Phrase(NamedTuple):
    """A message and what stands in its fields.

    Attributes
    ----------
    message : Message
    fields : dict
        For each field by name: a `Seat`, a `Card`, a whole number, another phrase, or what
        is in words already. The field ``count`` chooses between one and many.

    Examples
    --------
    >>> TURNS.of(player=Seat(0), card=Card.of("K", "h")).fields["card"]
    Card('Kh')
    """

    message: Message
    fields: "dict[str, Field]"


Field = Seat | Card | int | str | Phrase


def message(text: str) -> Message:
    """Return the message of a pattern; the catalogs' extractor knows it by this call."""
    return Message(text)


def messages(one: str, many: str) -> Message:
    """Return the message of two patterns, for a ``{count}`` of one and of many."""
    return Message(one, many)


def message_in(context: str, text: str) -> Message:
    """Return the message of a pattern, as it is said in a context."""
    return Message(text, None, context)


def messages_in(context: str, one: str, many: str) -> Message:
    """Return the message of two patterns, as they are said in a context."""
    return Message(one, many, context)


# -- Short: a line a card ---------------------------------------------------------------------

SEAT: Final = message("seat {number}")
CARDS: Final = messages("{count} card", "{count} cards")
TRICKS: Final = messages("{count} trick", "{count} tricks")

# "After 1 card and 3 tricks": in languages with cases, another one.
AFTER_CARDS: Final = messages_in("after", "{count} card", "{count} cards")
AFTER_TRICKS: Final = messages_in("after", "{count} trick", "{count} tricks")

TURNS: Final = message("{player} turns {card}")
PAYS: Final = message("{player} pays {card}")
STOPS: Final = message("{player} turns {card}, which stops the payment")
OWES: Final = message("{player} owes {number}")
TO_GO: Final = message("{number} to go")
PAID: Final = message("paid")
LAPSES: Final = messages(
    "the claim of {player} lapses with {count} unpaid",
    "the claim of {player} lapses with {count} cards unpaid",
)
TAKES: Final = messages(
    "{player} takes the {count} card (trick {trick})",
    "{player} takes the {count} cards (trick {trick})",
)
TAKES_UNPAID: Final = messages(
    "{player} takes the {count} card unpaid (trick {trick})",
    "{player} takes the {count} cards unpaid (trick {trick})",
)
SHUFFLES: Final = messages("{player} shuffles {count} card", "{player} shuffles {count} cards")
IS_OUT: Final = message("{player} is out")
LOOPS: Final = message(
    "this is how it was after {cards} and {tricks}: {round_cards} and {round_tricks} once round"
)
CARD_LIMIT: Final = message("the limit of cards is reached")
TRICK_LIMIT: Final = message("the limit of tricks is reached")
TIME_LIMIT: Final = message("the limit of time is reached")
WINS: Final = message("{player} wins")
NOBODY_WINS: Final = message("nobody wins")
ENDLESS: Final = message("the game never ends; {who}")
UNDECIDED: Final = message("the budget is spent; undecided")

# -- Long: whole sentences, with the reasons --------------------------------------------------

LONG_TURNS: Final = message("{player} turns {card}.")
LONG_CLAIMS: Final = message("{player} turns {card}, a penalty card.")
LONG_STOPS: Final = message(
    "{player} turns {card}, a penalty card, instead of paying: that stops the payment."
)
LONG_CANCELLED: Final = message("The {nth} card of the tribute for {owed} was cancelled by {by}.")
LONG_CANCELLED_MANY: Final = messages(
    "The last card of the tribute for {owed} was cancelled by {by}.",
    "The last {count} cards of the tribute for {owed} were cancelled by {by}.",
)
LONG_STOPPED_LAST: Final = message("It came as the last card owed for {owed}.")
LONG_OWES: Final = messages(
    "{player} owes {count} card of tribute for {owed}.",
    "{player} owes {count} cards of tribute for {owed}.",
)
LONG_OWES_REST: Final = messages(
    "{player} now owes the card still due for {owed}.",
    "{player} now owes the {count} cards still due for {owed}.",
)
LONG_PAYS: Final = messages(
    "{player} pays {card}; {count} card is still owed for {owed}.",
    "{player} pays {card}; {count} cards are still owed for {owed}.",
)
LONG_PAYS_LAST: Final = message("{player} pays {card}, the last card owed for {owed}.")
LONG_PAYS_SHORT: Final = message("{player} pays {card}.")
LONG_PAID: Final = message(
    "The tribute for {owed} is paid in full and no penalty card stopped it, so {player} wins "
    "the pile."
)
LONG_PAID_BEGGING: Final = message(
    "The tribute for {owed} is paid, whatever the cards were, so {player} wins the pile."
)
LONG_GRABS: Final = message("The joker takes the pile at once, so {player} wins it.")
LONG_COLLECTS: Final = message(
    "The rest of the tribute for {owed} cannot be paid, so {player} wins the pile."
)
LONG_LEFT: Final = message("Nobody else is left in the game, so {player} gets the pile unpaid.")
LONG_LAPSES: Final = messages(
    "The card still due for {owed} is never paid: the claim of {player} lapses and play goes on "
    "over the same pile.",
    "The {count} cards still due for {owed} are never paid: the claim of {player} lapses and "
    "play goes on over the same pile.",
)
LONG_KEPT: Final = messages(
    "{player} puts {count} card under the hand; that was trick {trick}.",
    "{player} puts {count} cards under the hand, in the order they were turned; that was trick "
    "{trick}.",
)
LONG_REVERSED: Final = messages(
    "{player} puts {count} card under the hand, upside down; that was trick {trick}.",
    "{player} puts {count} cards under the hand, upside down; that was trick {trick}.",
)
LONG_SHUFFLED: Final = messages(
    "{player} puts {count} card under the hand, shuffled; that was trick {trick}.",
    "{player} puts {count} cards under the hand, shuffled; that was trick {trick}.",
)
LONG_LEADS: Final = message("{player} leads.")
LONG_IS_OUT: Final = message("{player} has no card left and is out.")
LONG_LOOPS: Final = message(
    "The table is as it was after {cards} and {tricks}, so the game never ends: once round the "
    "loop it is {round_cards} and {round_tricks}."
)
LONG_LOOPS_SHUFFLED: Final = message(
    "The table would be as it was after {cards} and {tricks}, and go round for ever: "
    "{round_cards} and {round_tricks} at a time. So the pile is shuffled."
)
LONG_MOST_CARDS: Final = message("Whoever has most cards wins such a game.")
LONG_CARD_LIMIT: Final = message(
    "The limit of cards is reached and the pile has been played out: most cards win."
)
LONG_TRICK_LIMIT: Final = message("The limit of tricks is reached: most cards win.")
LONG_TIME_LIMIT: Final = message(
    "The limit of time is reached and the pile has been played out: most cards win."
)
LONG_WINS: Final = message("{player} wins the game.")
LONG_NOBODY_WINS: Final = message("Nobody wins.")
LONG_UNDECIDED: Final = message("The budget of tricks is spent: the game is undecided.")

# -- Cards -----------------------------------------------------------------------------------

_NTH: Final = (
    message("first"),
    message("second"),
    message("third"),
    message("fourth"),
    message("fifth"),
    message("sixth"),
    message("seventh"),
    message("eighth"),
    message("ninth"),
    message("tenth"),
    message("eleventh"),
    message("twelfth"),
    message("thirteenth"),
    message("fourteenth"),
    message("fifteenth"),
)

_RANKS: Final = {
    "2": message("the two of {suit}"),
    "3": message("the three of {suit}"),
    "4": message("the four of {suit}"),
    "5": message("the five of {suit}"),
    "6": message("the six of {suit}"),
    "7": message("the seven of {suit}"),
    "8": message("the eight of {suit}"),
    "9": message("the nine of {suit}"),
    "T": message("the ten of {suit}"),
    "J": message("the jack of {suit}"),
    "Q": message("the queen of {suit}"),
    "K": message("the king of {suit}"),
    "A": message("the ace of {suit}"),
}
_BARE_RANKS: Final = {
    "2": message("a two"),
    "3": message("a three"),
    "4": message("a four"),
    "5": message("a five"),
    "6": message("a six"),
    "7": message("a seven"),
    "8": message("an eight"),
    "9": message("a nine"),
    "T": message("a ten"),
    "J": message("a jack"),
    "Q": message("a queen"),
    "K": message("a king"),
    "A": message("an ace"),
    "-": message("a numeral"),
    "*": message("a joker"),
}
_KNOWN_RANKS: Final = {
    "2": message("the two"),
    "3": message("the three"),
    "4": message("the four"),
    "5": message("the five"),
    "6": message("the six"),
    "7": message("the seven"),
    "8": message("the eight"),
    "9": message("the nine"),
    "T": message("the ten"),
    "J": message("the jack"),
    "Q": message("the queen"),
    "K": message("the king"),
    "A": message("the ace"),
    "-": message("the numeral"),
    "*": message("the joker"),
}
_SUITS: Final = {
    "c": message("clubs"),
    "d": message("diamonds"),
    "h": message("hearts"),
    "s": message("spades"),
    "b": message("batons"),
}
# The Italian deck has a knight where the French has a queen, and suits of its own.
_ITALIAN_RANKS: Final = {**_RANKS, "Q": message("the knight of {suit}")}
_ITALIAN_SUITS: Final = {
    "c": message("cups"),
    "d": message("coins"),
    "s": message("swords"),
    "b": message("batons"),
}
_TRIBUTED: Final = message("a card of tribute {number}")
_KNOWN_TRIBUTED: Final = message("the card of tribute {number}")

#: The fields of a phrase that hold a card seen before.
KNOWN: Final = frozenset({"owed", "by"})


# An Italian deck's court cards and suits as single letters, for want of signs.
ITALIAN_LETTERS: Final = {
    "J": message_in("letter of the knave", "J"),
    "Q": message_in("letter of the knight", "Q"),
    "K": message_in("letter of the king", "K"),
}
ITALIAN_SUITS: Final = {
    "c": message_in("letter of cups", "c"),
    "d": message_in("letter of coins", "d"),
    "s": message_in("letter of swords", "s"),
    "b": message_in("letter of batons", "b"),
}


def nth(number: int) -> Phrase:
    """Return the ordinal of a card, from 1 to 15.

    Examples
    --------
    >>> nth(3).message.text
    'third'
    """
    return _NTH[number - 1].of()


def card_message(card: Card, italian: bool = False, known: bool = False) -> Phrase:
    """Return the name of a card, as a phrase.

    Parameters
    ----------
    card : Card
    italian : bool
        Whether it belongs to an Italian deck.
    known : bool
        Whether it has been seen before.

    Examples
    --------
    >>> card_message(Card.of("Q", "s")).message.text
    'the queen of {suit}'
    >>> card_message(Card.of("Q", "s"), italian=True).message.text
    'the knight of {suit}'
    """
    if card.tribute:
        return (_KNOWN_TRIBUTED if known else _TRIBUTED).of(number=card.tribute)
    if card.suit is None:
        return (_KNOWN_RANKS if known else _BARE_RANKS)[card.rank].of()
    if italian and card.suit in _ITALIAN_SUITS:
        return _ITALIAN_RANKS[card.rank].of(suit=_ITALIAN_SUITS[card.suit].of())
    return _RANKS[card.rank].of(suit=_SUITS[card.suit].of())
