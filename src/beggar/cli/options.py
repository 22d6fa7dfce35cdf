"""What several commands take: rules, seeds, engines, and how it is read."""

import secrets
from collections.abc import Iterable
from typing import Annotated

import typer

from beggar.deals import Deal
from beggar.errors import BeggarError, RulesError, quoted
from beggar.game import ENGINES
from beggar.position import Position
from beggar.rules import Rules
from beggar.table.match import check_names, clean_name
from beggar.table.words import LANGUAGES

__all__ = [
    "Against",
    "AgainstSet",
    "DealOption",
    "Engine",
    "GivenDeal",
    "Language",
    "Names",
    "Preset",
    "Seed",
    "Set",
    "count_of",
    "names_for",
    "rules_of",
    "seed_of",
    "start_of",
]

Preset = Annotated[
    str,
    typer.Option("--rules", "-r", metavar="PRESET", help="The rules, by name: see 'beggar rules'."),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", "-s", metavar="FIELD=VALUE", help="Change one field; may be repeated."),
]
Seed = Annotated[
    str | None,
    typer.Option("--seed", metavar="N", help="What shuffles depend on.", show_default=False),
]
Engine = Annotated[
    str,
    typer.Option("--engine", metavar="ENGINE", help=f"Which engine plays: {' or '.join(ENGINES)}."),
]
Against = Annotated[
    str | None,
    typer.Option("--against", metavar="PRESET", help="The second rules.", show_default=False),
]
AgainstSet = Annotated[
    list[str] | None,
    typer.Option("--against-set", metavar="FIELD=VALUE", help="Change a field of the second."),
]
GivenDeal = Annotated[
    str | None,
    typer.Argument(
        metavar="[DEAL]",
        help="The deal, or a position; a shuffled deck without it.",
        show_default=False,
    ),
]
DealOption = Annotated[
    str | None,
    typer.Option("--deal", metavar="DEAL", help="The same.", show_default=False),
]
Names = Annotated[
    str | None,
    typer.Option(
        "--names",
        metavar="NAME,...",
        help="The players by seat, joined by commas: Ana, Boris and so on if not told.",
        show_default=False,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--lang",
        metavar="CODE",
        help=f"The language: {', '.join(LANGUAGES)}; the locale's if not told.",
        show_default=False,
    ),
]

# Who plays if nobody is told: they have the same names in all our languages.
_NAMES = ("Ana", "Boris", "Carla", "Dario", "Elena", "Felix")


def names_for(text: str | None, players: int) -> tuple[str, ...]:
    """Return the names of the players that ``--names`` tells, or others.

    Raises
    ------
    BeggarError
        If there are not as many as players, one is empty, or one stands twice.
    """
    if text is None:
        return _NAMES[:players]
    names = tuple(map(clean_name, text.split(",")))
    check_names(names, "--names")
    if len(names) != players:
        raise BeggarError(
            f"--names: {quoted(text.strip())} are {len(names)} names: expected {players}"
        )
    return names


def start_of(
    deal: str | None, option: str | None, rules: Rules, seed: int | None
) -> tuple[Position, int | None, bool]:
    """Return where a game starts, its seed, and whether the deal was shuffled here.

    Parameters
    ----------
    deal, option : str, optional
        The deal as an argument, and as ``--deal`` tells it; a shuffled deck without both.
    rules : Rules
    seed : int, optional
        Where a shuffle comes from; a new one without it.

    Raises
    ------
    BeggarError
        If two deals are given, or one that cannot be read.
    """
    if deal is not None and option is not None:
        raise BeggarError(f"two deals, {quoted(deal)} and --deal {quoted(option)}: expected one")
    given = deal if option is None else option
    if given is not None:
        return Position.parse(given), seed, False
    seed = secrets.randbits(32) if seed is None else seed
    dealt = Deal.random(seed, players=rules.players or 2, cards=rules.deck, jokers=rules.jokers)
    return Position.start(dealt), seed, True


def rules_of(preset: str, settings: Iterable[str] | None) -> Rules:
    """Return the rules that ``--rules`` and ``--set`` make.

    Raises
    ------
    RulesError
        If the preset or a field is unknown, a value is not one, or a field is
        set twice.
    """
    told: dict[str, str] = {}
    for setting in settings or ():
        name, equals, value = setting.strip().partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            raise RulesError(f"cannot read --set {quoted(setting)}: expected field=value")
        if name in told:
            raise RulesError(f"{name} is set twice: expected once")
        told[name] = value
    return Rules.preset(preset).set(**told)


def seed_of(text: str | None) -> int | None:
    """Return the seed that ``--seed`` tells, if it does.

    Raises
    ------
    BeggarError
        If it is not a whole number from 0 to 2**64 - 1.
    """
    if text is None:
        return None
    word = text.strip()
    if not (word.isascii() and word.isdecimal() and len(word) <= 20 and int(word) < 2**64):
        raise BeggarError(f"--seed: {quoted(word)} is not a seed: expected 0 to 2**64 - 1")
    return int(word)


def count_of(text: str, option: str) -> int:
    """Return a count of games such as ``5000``, ``10k`` or ``2M``.

    Raises
    ------
    BeggarError
        If it is not a whole number of 1 or more.
    """
    word = text.strip().replace("_", "").replace(",", "")
    factor = {"k": 1_000, "m": 1_000_000, "g": 1_000_000_000}.get(word[-1:].lower(), 1)
    digits = word[:-1] if factor > 1 else word
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 18 and int(digits)):
        raise BeggarError(
            f"{option}: {quoted(text.strip())} is not a count: "
            f"expected 1 or more, as in 10000, 10k or 2M"
        )
    return int(digits) * factor
