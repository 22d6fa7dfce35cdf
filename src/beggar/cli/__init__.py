"""The command `beggar`: one small module a command.

What is wrong with the input ends in one line on standard error and exit
status 2, and never in a traceback.
"""

import os
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import beggar
from beggar.cli import (
    bench,
    check,
    compare,
    enumeration,
    hunt,
    loops,
    match,
    play,
    plot,
    records,
    replay,
    rules,
    simulate,
    verify,
)
from beggar.errors import BeggarError

__all__ = ["app", "main"]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"beggar {beggar.__version__}")
        raise typer.Exit


def _options(
    _: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_version, is_eager=True),
    ] = False,
) -> None:
    pass


app = typer.Typer(
    callback=_options,
    name="beggar",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help=(
        "Beggar-My-Neighbour, by every rule that tables differ on.\n\n"
        "A deal is its hands from the top card, joined by '/': --K/QJ- (kinds), "
        "0030/0021 (tributes) or 'Kh 7s/10♣ K♥' (cards)."
    ),
)
for module in (
    *(simulate, enumeration, loops, hunt, check, play, replay, plot, match),
    *(compare, records, verify, bench, rules),
):
    module.register(app)

# The base of what the command line parser itself refuses.
_Refused: type[Exception] = next(
    base
    for base in typer.BadParameter.__mro__
    if base.__name__ == "ClickException" and issubclass(base, Exception)
)

# A deal may begin with '-', a numeral, which the parser would take for an option.
_DEAL_LIKE = re.compile(r"-(?=.)([^=/]*/|[-JQKATjqkat*0-9]*$)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status.

    Parameters
    ----------
    arguments : sequence of str, optional
        What was typed after ``beggar``; the process's own without it.
    """
    typed = list(sys.argv[1:] if arguments is None else arguments)
    shielded = [f" {word}" if word != "--" and _DEAL_LIKE.match(word) else word for word in typed]
    if sys.stderr is None:
        # Nobody is told, but nothing else may be written to in its place.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        return _complain("the output is closed: expected somewhere to write")
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # Card signs are no reason to fail on a terminal that lacks them.
            stream.reconfigure(errors="replace")
    try:
        # Not the parser's own main: that ends the process in ways of its own.
        command = typer.main.get_command(app)
        with command.make_context("beggar", shielded) as context:
            status = command.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except typer.Exit as done:
        sys.stdout.flush()
        return done.exit_code
    except _Refused as refused:
        message = " ".join(refused.format_message().split())  # type: ignore[attr-defined]
        if not message:
            return 2
        return _complain(message[0].lower() + message[1:])
    except BeggarError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # Whoever read has gone; let nothing try to write the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _complain("the output was closed before the end")
    except OSError as error:
        return _complain(f"{error.strerror or error}: {error.filename or 'output'}")
    except (KeyboardInterrupt, typer.Abort):
        sys.stdout.flush()
        print("beggar: interrupted", file=sys.stderr)
        return 130


def _complain(message: str) -> int:
    print(f"beggar: {message}", file=sys.stderr)
    return 2
