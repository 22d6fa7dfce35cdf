"""What can be wrong with what a caller gives: each error is one clear line.

Imports nothing, so that every other module can raise these.
"""

__all__ = ["BeggarError", "DealError", "PositionError", "RulesError", "quoted"]


class BeggarError(ValueError):
    """Base of every error that the package raises for bad input."""


class DealError(BeggarError):
    """A deal, or the text of one, that cannot be played."""


class PositionError(DealError):
    """A position that cannot arise under the rules it is to be played by."""


class RulesError(BeggarError):
    """An unknown field or preset, a wrong value, or fields that contradict."""


def quoted(text: object, at: int | None = None, width: int = 60) -> str:
    """Quote *text* for a message, cut to *width* characters round column *at*.

    Parameters
    ----------
    text : object
        What was given; its ``str`` is quoted, with control characters escaped.
    at : int, optional
        The 0-based column to keep in sight. The start is kept without it.
    width : int
        The most characters to show, 8 or more.

    Returns
    -------
    str
        The quoted text, with ``...`` where something was cut.

    Examples
    --------
    >>> quoted("--K")
    "'--K'"
    >>> quoted("-" * 50 + "x" + "-" * 50, at=50, width=9)
    "'...----x----...'"
    """
    whole = str(text)
    if len(whole) <= width:
        return repr(whole)
    start = min(max((at or 0) - width // 2, 0), len(whole) - width)
    before = "..." if start else ""
    after = "..." if start + width < len(whole) else ""
    return repr(before + whole[start : start + width] + after)
