"""``beggar plot``: a picture of one game."""

import sys
from typing import Annotated

import typer

from beggar.cli.options import Names, Preset, Seed, Set, names_for, rules_of, seed_of
from beggar.deals import Deal
from beggar.errors import BeggarError

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar plot '---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---' -o longest.png

beggar plot --J-/K-J- -o loop.svg --names Ana,Boris
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("plot", epilog=_EXAMPLES)(plot)


def plot(
    deal: Annotated[str, typer.Argument(metavar="DEAL", help="The deal.")],
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
    dealt = Deal.parse(deal)
    names = names_for(names_text, dealt.players)

    from beggar.plot import check_path, game_figure, save

    check_path(out)
    save(game_figure(dealt, rules, seed_of(seed_text), names), out)
    print(out, file=sys.stderr)
    return 0
