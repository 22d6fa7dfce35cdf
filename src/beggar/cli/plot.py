"""``beggar plot``: a picture of one game."""

import sys
from typing import Annotated

import typer

from beggar.cli.options import (
    DealOption,
    GivenDeal,
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

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar plot -o game.png

beggar plot '---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---' -o longest.png

beggar plot --J-/K-J- -o loop.svg --names Ana,Boris
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot", epilog=_EXAMPLES)(plot)


def plot(
    deal: GivenDeal = None,
    deal_option: DealOption = None,
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", metavar="FILE", help="The picture: FILE.png, .svg or .pdf."),
    ] = None,
    preset: Preset = "classic",
    settings: Set = None,
    seed_text: Seed = None,
    names_text: Names = None,
) -> int:
    """Draw one game: hands and penalty cards held, trick by trick."""
    if out is None:
        raise BeggarError("no file to write: expected --out FILE.png")
    rules = rules_of(preset, settings)
    start, seed, shuffled = start_of(deal, deal_option, rules, seed_of(seed_text))
    names = names_for(names_text, len(start.hands))

    from beggar.plot import check_path, game_figure, save

    check_path(out)
    try:
        save(game_figure(start, rules, seed, names), out)
    except OSError as error:
        raise BeggarError(f"cannot write {quoted(out)}: {error.strerror or error}") from None
    print(f"{out}: seed {seed}" if shuffled else out, file=sys.stderr)
    return 0
