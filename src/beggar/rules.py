"""The rules of one table: the variant fields, the presets, and what contradicts.

Every reading of the rule sheets that differs between families, exercises and
papers is a field here; the first value of each is the default. This module
imports `cards`, `deals` and `errors`.
"""

import dataclasses
import re
from collections.abc import Iterator, Mapping, Sequence
from operator import index
from typing import Any, Final, Literal, NamedTuple, Self, get_args

from beggar.cards import DECKS, RANKS, Card
from beggar.deals import MAX_PLAYERS, MIN_PLAYERS
from beggar.errors import RulesError, quoted

__all__ = ["FIELDS", "PRESETS", "Field", "Rules", "Tributes"]

Elimination = Literal["on_turn", "on_empty"]
UnpaidTribute = Literal["lapses", "passes_on", "collects"]
JokerRule = Literal["super", "beggar", "grab"]
Lead = Literal["winner", "loser"]
Pickup = Literal["kept", "reversed"]
CycleIdentity = Literal["kind", "card"]
OnCycle = Literal["draw", "most_cards", "shuffle", "ignore"]

_MOST = 2**63 - 1


class Tributes(Mapping[str, int]):
    """What each rank demands: an immutable, hashable mapping of rank to 1..15.

    Ranks that are not in it are numerals.

    Parameters
    ----------
    tributes : mapping of str to int
        Rank (one of `beggar.cards.RANKS`, or ``"10"``) to tribute, 1 to 15.

    Raises
    ------
    RulesError
        If a rank or a tribute is not one.

    Examples
    --------
    >>> Tributes({"K": 3, "A": 4})
    Tributes('A4 K3')
    >>> Tributes.parse("A1 2:2 3:3")["3"]
    3
    """

    __slots__ = ("_of",)

    def __init__(self, tributes: Mapping[str, int]) -> None:
        of: dict[str, int] = {}
        for given, tribute in tributes.items():
            rank = "T" if given == "10" else given
            if not isinstance(rank, str) or len(rank) != 1 or rank not in RANKS:
                raise RulesError(f"tributes: no rank {quoted(given)}: expected one of {RANKS}")
            if type(tribute) is not int or not 1 <= tribute <= 15:
                raise RulesError(
                    f"tributes: {rank} cannot demand {quoted(tribute)}: expected 1 to 15"
                )
            if rank in of:
                raise RulesError(f"tributes: {rank} stands twice: expected once")
            of[rank] = tribute
        self._of = dict(sorted(of.items(), key=lambda item: -RANKS.index(item[0])))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``"A4 K3 Q2 J1"``, ``"A:4,K:3"``, ``"A4K3"``; ``"none"`` is the empty one."""
        if text.strip().lower() in ("", "none"):
            return cls({})
        of: dict[str, int] = {}
        at = 0
        # A tribute runs on to the next separator; without one, a rank letter ends it.
        for found in re.finditer(r"\s*,?\s*(10|[2-9TJQKA])\s*[:=]?\s*(1[0-5]|[1-9])", text, re.I):
            if found.start() != at:
                break
            at = found.end()
            rank = found[1].upper().replace("10", "T")
            if rank in of:
                raise RulesError(f"tributes: {rank} stands twice in {quoted(text)}")
            of[rank] = int(found[2])
        if text[at:].strip(" ,"):
            raise RulesError(
                f"tributes: cannot read {quoted(text[at:].strip())} in {quoted(text)}: expected "
                f"rank and tribute (1 to 15), such as 'A4 K3 Q2 J1' or 'A:1,2:2,3:3'"
            )
        return cls(of)

    def __getitem__(self, rank: str) -> int:
        return self._of[rank]

    def __iter__(self) -> Iterator[str]:
        return iter(self._of)

    def __len__(self) -> int:
        return len(self._of)

    def __hash__(self) -> int:
        return hash(tuple(self._of.items()))

    def __str__(self) -> str:
        return " ".join(
            f"{rank}{':' if rank.isdigit() else ''}{tribute}" for rank, tribute in self.items()
        )

    def __repr__(self) -> str:
        return f"Tributes({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._of,)

    @property
    def name_number_cards(self) -> bool:
        """Whether a rank of 2 to 10 demands anything, as in Camicia."""
        return any(rank in "23456789T" for rank in self._of)

    def demanded(self, card: Card) -> int:
        """Return what *card* demands: 0 for a numeral, 5 for a joker."""
        if card.tribute is not None:
            return card.tribute
        return 5 if card.is_joker else self._of.get(card.rank, 0)


class Field(NamedTuple):
    """One field of `Rules`, for people: its values and what they mean."""

    name: str
    values: str
    meaning: str


#: Every field of `Rules`, in order, in words.
FIELDS: Final = (
    Field("players", "2..6", "how many play; not told: as many as the deal has hands"),
    Field(
        "elimination",
        "on_turn | on_empty",
        "on_turn: out when a card must be turned and there is none; "
        "on_empty: out the moment the hand is empty",
    ),
    Field(
        "unpaid_tribute",
        "lapses | passes_on | collects",
        "when the payer is out with some still owed. lapses: forfeited, and the claim with it; "
        "passes_on: the next seat owes the rest; collects: the claimant takes the pile",
    ),
    Field("tributes", "rank -> 1..15", "what each rank demands; all other ranks are numerals"),
    Field("deck", " | ".join(DECKS), "the deck that is dealt when no deal is given"),
    Field("jokers", "0 | 1 | 2", "jokers put into that deck, each a penalty card of 5"),
    Field(
        "joker",
        "super | beggar | grab",
        "super: like any penalty card; beggar: five cards are paid whatever they are; "
        "grab: its player takes the pile at once",
    ),
    Field("shuffle_pile", "no | yes", "the pile is shuffled before it goes under (needs a seed)"),
    Field("face_up", "no | yes", "hands are public: a player's view of the table shows them"),
    Field("lead", "winner | loser", "who leads after a trick; the loser is the seat that paid"),
    Field("pickup", "kept | reversed", "the pile goes under in the order turned, or upside down"),
    Field(
        "until_penalty",
        "no | yes",
        "a player goes on turning cards until a penalty card shows, instead of alternating",
    ),
    Field(
        "cycle_identity",
        "kind | card",
        "which states are the same: kind: numerals are alike, so are two kings; "
        "card: every card by its label",
    ),
    Field(
        "on_cycle",
        "draw | most_cards | shuffle | ignore",
        "a state met before: nobody wins; most cards win; the pile that closes the loop is "
        "shuffled and play goes on; nothing (only with a limit)",
    ),
    Field(
        "limit_cards", "none | 1..", "cards after which the pile is played out and most cards win"
    ),
    Field("limit_tricks", "none | 1..", "the same, counted in tricks"),
    Field(
        "limit_seconds",
        "none | seconds",
        "the same, by the clock; to see that the game was no loop may take as long again",
    ),
    Field(
        "budget_tricks",
        "none | 1..",
        "tricks after which the game ends undecided, also where a limit lies beyond",
    ),
)

_YES_NO: Final = {
    **dict.fromkeys(("yes", "true", "on", "1"), True),
    **dict.fromkeys(("no", "false", "off", "0"), False),
}
_CHOICES: Final = {
    "elimination": get_args(Elimination),
    "unpaid_tribute": get_args(UnpaidTribute),
    "deck": tuple(DECKS),
    "joker": get_args(JokerRule),
    "lead": get_args(Lead),
    "pickup": get_args(Pickup),
    "cycle_identity": get_args(CycleIdentity),
    "on_cycle": get_args(OnCycle),
}
_FLAGS: Final = ("shuffle_pile", "face_up", "until_penalty")
_COUNTS: Final = ("limit_cards", "limit_tricks", "budget_tricks")


@dataclasses.dataclass(frozen=True, kw_only=True, repr=False)
class Rules:
    """The rules one game is played by. Frozen; `replace` makes another.

    The defaults are those of the published long games. ``beggar rules`` and `FIELDS`
    describe the same fields.

    Parameters
    ----------
    players : int, optional
        How many play, 2 to 6; without it as many as the deal has hands.
    elimination : {"on_turn", "on_empty"}
        Out when a card must be turned and there is none, or the moment the hand is
        empty (a trick that the same card completes is collected first).
    unpaid_tribute : {"lapses", "passes_on", "collects"}
        When the payer is out with some still owed: the rest and the claim are
        forfeited, the next seat owes the rest, or the claimant takes the pile.
    tributes : mapping of str to int
        What each rank demands, 1 to 15; all others are numerals.
    deck : str
        The deck dealt when no deal is given, one of `beggar.cards.DECKS`.
    jokers : {0, 1, 2}
        Jokers put into that deck, each a penalty card of 5.
    joker : {"super", "beggar", "grab"}
        Like any penalty card; five cards are paid whatever they are; or its player
        takes the pile at once.
    shuffle_pile : bool
        Whether the pile is shuffled before it goes under (needs a seed; loops then
        have no meaning).
    face_up : bool
        Whether hands are public, see `Game.view`.
    lead : {"winner", "loser"}
        Who leads after a trick. The loser is the seat that paid last, or the next one
        holding a card; after a grab, the seat after the joker's player.
    pickup : {"kept", "reversed"}
        The pile goes under in the order turned, or upside down.
    until_penalty : bool
        The older rule: go on turning until a penalty card shows, instead of alternating.
    cycle_identity : {"kind", "card"}
        Which states are the same: cards that do the same are alike, or every card is
        told apart by its label.
    on_cycle : {"draw", "most_cards", "shuffle", "ignore"}
        What a state met before leads to. "shuffle" shuffles the pile that closes the
        loop and watches anew (needs a seed); "ignore" needs a limit.
    limit_cards, limit_tricks : int, optional
        Once reached, the pile is played out and most cards win; equal is a draw. A
        loop that closes with the very trick that reaches the limit is not one yet.
    limit_seconds : float, optional
        The same, by the clock from the first card on.
    budget_tricks : int, optional
        Tricks after which a game that has neither ended nor closed a loop is
        undecided; None lifts it.

    Raises
    ------
    RulesError
        If a value is not one of its field's, or two fields contradict.

    Examples
    --------
    >>> Rules(players=3, unpaid_tribute="passes_on").replace(lead="loser")
    Rules(players=3, unpaid_tribute='passes_on', lead='loser')
    >>> Rules(lead="dealer")
    Traceback (most recent call last):
        ...
    beggar.errors.RulesError: lead: 'dealer' is not a value: expected winner or loser
    """

    players: int | None = None
    elimination: Elimination = "on_turn"
    unpaid_tribute: UnpaidTribute = "lapses"
    tributes: Mapping[str, int] = Tributes({"A": 4, "K": 3, "Q": 2, "J": 1})
    deck: str = "french-52"
    jokers: int = 0
    joker: JokerRule = "super"
    shuffle_pile: bool = False
    face_up: bool = False
    lead: Lead = "winner"
    pickup: Pickup = "kept"
    until_penalty: bool = False
    cycle_identity: CycleIdentity = "kind"
    on_cycle: OnCycle = "draw"
    limit_cards: int | None = None
    limit_tricks: int | None = None
    limit_seconds: float | None = None
    budget_tricks: int | None = 10_000_000

    def __post_init__(self) -> None:
        if not isinstance(self.tributes, Tributes):
            if not isinstance(self.tributes, Mapping):
                raise _not_a_value("tributes", self.tributes, "a mapping of rank to 1..15")
            object.__setattr__(self, "tributes", Tributes(self.tributes))
        for name in ("players", "jokers", *_COUNTS):
            object.__setattr__(self, name, whole(getattr(self, name)))
        for name, values in _CHOICES.items():
            if getattr(self, name) not in values:
                raise _not_a_value(name, getattr(self, name), " or ".join(values))
        for name in _FLAGS:
            if not isinstance(getattr(self, name), bool):
                raise _not_a_value(name, getattr(self, name), "True or False")
        if self.players is not None:
            _check_count("players", self.players, MIN_PLAYERS, MAX_PLAYERS)
        _check_count("jokers", self.jokers, 0, 2)
        for name in _COUNTS:
            if getattr(self, name) is not None:
                _check_count(name, getattr(self, name), 1, _MOST)
        seconds = self.limit_seconds
        if seconds is not None and not (
            type(seconds) in (int, float) and 0 < seconds < float("inf")
        ):
            raise _not_a_value("limit_seconds", seconds, "seconds, more than 0")
        if self.on_cycle == "ignore" and not self.has_limit:
            raise RulesError(
                "on_cycle='ignore' needs a limit, or a game may never end: "
                "expected limit_cards, limit_tricks or limit_seconds as well"
            )

    @property
    def has_limit(self) -> bool:
        """Whether play stops at a number of cards, tricks or seconds."""
        return not (self.limit_cards is self.limit_tricks is self.limit_seconds is None)

    @property
    def watches_loops(self) -> bool:
        """Whether a state met before has a meaning under these rules."""
        return not self.shuffle_pile and self.on_cycle != "ignore"

    @classmethod
    def preset(cls, name: str) -> "Rules":
        """Return the rules of a preset, one of `PRESETS`.

        Raises
        ------
        RulesError
            If there is no preset of that name.

        Examples
        --------
        >>> Rules.preset("knockout")
        Rules(elimination='on_empty')
        """
        try:
            return PRESETS[name.strip().lower().replace("_", "-")]
        except (KeyError, AttributeError):
            raise RulesError(
                f"unknown preset {quoted(name)}: expected {', '.join(PRESETS)}"
            ) from None

    def replace(self, **changes: Any) -> "Rules":
        """Return these rules with some fields changed.

        Raises
        ------
        RulesError
            If a field is unknown, or as for the constructor.
        """
        for name in changes:
            _check_field(name)
        return dataclasses.replace(self, **changes)

    def set(self, **settings: str) -> "Rules":
        """Return these rules with some fields set from text, as ``--set`` does.

        Raises
        ------
        RulesError
            If a field is unknown or its text is not one of its values.

        Examples
        --------
        >>> Rules().set(until_penalty="yes", tributes="A1 2:2 3:3", limit_cards="5_000")
        Rules(tributes=Tributes('A1 3:3 2:2'), until_penalty=True, limit_cards=5000)
        """
        return self.replace(**{name: _value_of(name, text) for name, text in settings.items()})

    def tribute(self, card: Card) -> int:
        """Return what *card* demands under these rules, 0 for a numeral."""
        return self._tributes.demanded(card)

    @property
    def _tributes(self) -> Tributes:
        assert isinstance(self.tributes, Tributes)
        return self.tributes

    def check_hands(self, hands: Sequence[Sequence[Card]]) -> None:
        """Raise if hands cannot be played, or not be read for certain, by these rules.

        Raises
        ------
        RulesError
            If the rules are for another number of players; if the hands name
            kings, queens, jacks or aces by letter where these rules make them
            numerals and give their tributes to number cards instead (as
            Camicia does): the letters may then be meant for the tributes.
        """
        if self.players is not None and self.players != len(hands):
            raise RulesError(
                f"the rules are for {self.players} players, but there are {len(hands)} hands"
            )
        tributes = self._tributes
        if tributes.name_number_cards:
            for seat, hand in enumerate(hands, 1):
                for place, card in enumerate(hand, 1):
                    if card.suit is None and card.rank in "JQKA" and not tributes.demanded(card):
                        raise RulesError(
                            f"{quoted(card)} (hand {seat}, card {place}) is a numeral where the "
                            f"tributes are {tributes}: expected '-' for a numeral, '0' to '5' for "
                            f"tributes, or cards with their suits"
                        )

    def changes(self) -> dict[str, Any]:
        """Return the fields that differ from the defaults, by name."""
        return {
            field.name: getattr(self, field.name)
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default
        }

    def as_json(self) -> dict[str, Any]:
        """Return every field as JSON knows it, by name."""
        return {
            field.name: dict(self.tributes)
            if field.name == "tributes"
            else getattr(self, field.name)
            for field in dataclasses.fields(self)
        }

    def as_settings(self) -> list[str]:
        """Return the fields that differ from the defaults as ``field=value`` texts.

        Examples
        --------
        >>> Rules(lead="loser", tributes={"A": 1}, shuffle_pile=True).as_settings()
        ['tributes=A1', 'shuffle_pile=yes', 'lead=loser']
        """
        return [f"{name}={_text_of(value)}" for name, value in self.changes().items()]

    def __repr__(self) -> str:
        changes = ", ".join(f"{name}={value!r}" for name, value in self.changes().items())
        return f"Rules({changes})"

    def __getstate__(self) -> dict[str, Any]:
        # What the core keeps with the rules does not travel.
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)


def _text_of(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None or value == {} else str(value)


def _not_a_value(name: str, value: object, expected: str) -> RulesError:
    return RulesError(f"{name}: {quoted(value)} is not a value: expected {expected}")


def whole(value: object) -> object:
    """Return a whole number of any kind (NumPy's too) as an int, and all else as it is."""
    if type(value) is int or isinstance(value, bool):
        return value
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        return value


def _check_count(name: str, value: object, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        span = f"{low} to {high}" if high < _MOST else f"a whole number from {low} to 2**63 - 1"
        raise _not_a_value(name, value, span)


def _check_field(name: str) -> None:
    if name not in Rules.__dataclass_fields__:
        raise RulesError(
            f"unknown field {quoted(name)}: expected {', '.join(Rules.__dataclass_fields__)}"
        )


def _value_of(name: str, text: str) -> object:
    """Read the value of a field from text."""
    _check_field(name)
    word = str(text).strip()
    if name == "tributes":
        return Tributes.parse(word)
    if name in _FLAGS:
        try:
            return _YES_NO[word.lower()]
        except KeyError:
            raise _not_a_value(name, text, "yes or no") from None
    if name in _CHOICES:
        return word
    if name not in ("jokers",) and word.lower() == "none":
        return None
    try:
        return float(word) if name == "limit_seconds" else int(word)
    except ValueError:
        values = next(field.values for field in FIELDS if field.name == name)
        raise _not_a_value(name, text, values.replace(" | ", " or ")) from None


def _presets() -> dict[str, Rules]:
    classic = Rules()
    camicia = Rules(tributes=Tributes({"A": 1, "2": 2, "3": 3}), deck="camicia-40")
    return {
        **dict.fromkeys(("classic", "strip-jack-naked", "beat-your-neighbour", "taxes"), classic),
        "super-joker": Rules(jokers=1),
        "super-jokers": Rules(jokers=2),
        "joker-plus-one": Rules(jokers=1, joker="beggar"),
        "shuffled": Rules(shuffle_pile=True),
        "face-up": Rules(face_up=True),
        "knockout": Rules(elimination="on_empty"),
        **dict.fromkeys(("camicia", "cavacamisa", "straccia-camicia", "pelagaletto"), camicia),
        "old-style": Rules(until_penalty=True),
    }


#: The presets by every name they go by.
PRESETS: Final = _presets()
