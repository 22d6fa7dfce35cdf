"""``beggar replay``: a page that shows a game in a browser."""

import sys
from typing import Annotated

import typer

from beggar.cli.files import check_target, write_whole
from beggar.cli.options import (
    DealOption,
    GivenDeal,
    Language,
    Names,
    Preset,
    Seed,
    Set,
    names_for,
    rules_of,
    seed_of,
    start_of,
)
from beggar.errors import BeggarError, quoted
from beggar.table.words import choose

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar replay -o game.html

beggar replay --J/---J -o game.html --names Ana,Boris --lang es

beggar replay '---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA' -o loop.html
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay", epilog=_EXAMPLES)(replay)


def replay(
    deal: GivenDeal = None,
    deal_option: DealOption = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out", "-o", metavar="FILE", help="The page to write: FILE.html, or '-' to print it."
        ),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    names_text: Names = None,
    language: Language = None,
) -> int:
    """Write a page that shows a game: one file, for any browser, without a network."""
    if out is None:
        raise BeggarError("no file to write: expected --out FILE.html")
    check_target(out)
    rules = rules_of(preset, settings)
    language = choose(language)
    start, seed, shuffled = start_of(deal, deal_option, rules, seed_of(seed_text))
    names = names_for(names_text, len(start.hands))

    from beggar.table.replay import page

    made = page(start, rules, seed=seed, names=names, language=language)
    if out == "-":
        print(made)
        return 0
    try:
        write_whole(out, made)
    except OSError as error:
        raise BeggarError(f"cannot write {quoted(out)}: {error.strerror or error}") from None
    told = f"seed {seed}, " if shuffled else ""
    print(f"{out}: {told}{len(made.encode()) / 1000:,.0f} kB", file=sys.stderr)
    return 0
