"""Deals as they are given to a command: as words, in files, on standard input."""

import os
import sys
from collections.abc import Iterator

from beggar.errors import DealError, quoted
from beggar.position import Position

__all__ = ["check_given", "complain", "given"]


def check_given(words: list[str] | None) -> None:
    """Raise if no deal is named and nobody writes any to standard input.

    Raises
    ------
    DealError
        If so.
    """
    if not words and (sys.stdin is None or sys.stdin.isatty()):
        raise DealError("nothing to play: expected deals, files, or deals on standard input")


def complain(where: str, message: str) -> int:
    """Say in one line what is wrong, and return the exit status for it."""
    sys.stdout.flush()
    print(f"beggar: {where}{message}", file=sys.stderr)
    return 2


def given(words: list[str]) -> Iterator[tuple[str | Exception, str]]:
    """Yield each deal with where it stands, or what is wrong with that place."""
    for word in words:
        if word.strip() == "-" and sys.stdin is None:
            yield DealError("standard input is closed: expected deals on it"), ""
        elif word.strip() == "-":
            yield from _lines(sys.stdin.fileno(), "standard input")
        elif os.path.exists(word) and _unreadable(word):
            yield from _lines(word, word if word.isprintable() else repr(word))
        else:
            error = _unreadable(word)
            yield (error, "") if error else (word, "")


def _unreadable(word: str) -> DealError | None:
    """Say why a word is no deal, if it is none."""
    try:
        Position.parse(word)
    except DealError as error:
        return DealError(f"{error} (there is no file of that name either)")
    return None


def _lines(source: str | int, name: str) -> Iterator[tuple[str | Exception, str]]:
    try:
        with (
            open(source, encoding="utf-8-sig", errors="replace", closefd=False)
            if isinstance(source, int)
            else open(source, encoding="utf-8-sig", errors="replace") as lines
        ):
            for number, line in enumerate(lines, 1):
                text = line.partition("#")[0].strip()
                if text:
                    yield text, f"{name}, line {number}: "
    except OSError as error:
        yield DealError(f"cannot read {quoted(name)}: {error.strerror}"), ""
