"""Pictures, by matplotlib (the extra ``plot``): what many games come to, and one game.

This module imports `deals`, `events`, `game`, `rules` and `summary`; matplotlib when a
picture is drawn.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.events import TrickTaken
from beggar.game import Game
from beggar.rules import Rules
from beggar.summary import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["check_path", "hand_sizes", "save", "summary_figure"]

_ENDINGS = (".png", ".svg", ".pdf")


def check_path(path: str) -> None:
    """Raise if a picture cannot be saved under *path*, before the work is done.

    Raises
    ------
    BeggarError
        If its ending is none that can be drawn, its folder is not there, or
        matplotlib is not installed.
    """
    if Path(path).suffix.lower() not in _ENDINGS:
        raise BeggarError(f"{quoted(path)} is no picture: expected one of {', '.join(_ENDINGS)}")
    if Path(path).is_dir():
        raise BeggarError(f"cannot write {quoted(path)}: it is a folder")
    if not Path(path).absolute().parent.is_dir():
        raise BeggarError(f"cannot write {quoted(path)}: there is no such folder")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise BeggarError(
            "pictures need matplotlib: expected it from pip install 'beggar-my-neighbour[plot]'"
        ) from None


def hand_sizes(deal: Deal, rules: Rules | None = None, seed: int | None = None) -> np.ndarray:
    """Return the hand sizes of a game at the start and after each trick.

    Returns
    -------
    numpy.ndarray of int, shape (tricks + 1, players)
        For a loop, up to where it closes.

    Examples
    --------
    >>> hand_sizes(Deal.parse("J-/--")).tolist()
    [[2, 2], [3, 1], [4, 0]]
    """
    game = Game(deal, rules, seed=seed)
    sizes = [deal.sizes]
    for event in game:
        if isinstance(event, TrickTaken):
            sizes.append(tuple(map(len, game.position.hands)))
    return np.array(sizes)


def summary_figure(summary: Summary) -> "Figure":
    """Draw a summary: cards of a game, survival on a log scale, the longest game's hands."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 10), layout="constrained")
    histogram, survival, longest = figure.subplots(3)
    _draw_histogram(histogram, summary)
    _draw_survival(survival, summary)
    _draw_longest(longest, summary)
    figure.suptitle(f"{summary.games:,} games of {summary.players} players")
    return figure


def _draw_histogram(axes: "Axes", summary: Summary) -> None:
    counts = summary.cards.counts
    most = summary.cards.quantile(0.999)
    if most is not None:
        width = max(1, most // 100)
        edges = np.arange(0, most + width + 1, width)
        axes.hist(np.arange(counts.size), bins=edges.tolist(), weights=counts, color="#35679a")
        axes.axvline(summary.cards.mean, color="#b5472f", label=f"mean {summary.cards.mean:.2f}")
        axes.legend()
    axes.set(xlabel="cards turned in a game", ylabel="games")


def _draw_survival(axes: "Axes", summary: Summary) -> None:
    counts = summary.cards.counts
    if counts.size:
        longer = 1 - counts.cumsum() / counts.sum()
        axes.semilogy(np.arange(counts.size)[longer > 0], longer[longer > 0], color="#35679a")
    axes.set(xlabel="cards", ylabel="share of longer games")
    axes.grid(alpha=0.3)


def _draw_longest(axes: "Axes", summary: Summary) -> None:
    sample = summary.longest
    # A game with shuffles cannot be played again when its deal was given.
    if sample is not None and not (sample.seed is None and summary.rules.shuffle_pile):
        from beggar.simulation import shuffle_seed

        seed = None if sample.seed is None else shuffle_seed(sample.seed, sample.number)
        sizes = hand_sizes(Deal.parse(sample.deal), summary.rules, seed)
        for seat in range(sizes.shape[1]):
            axes.step(np.arange(len(sizes)), sizes[:, seat], where="post", label=f"seat {seat}")
        axes.legend()
        axes.set_title(f"the longest: {sample.cards:,} cards, {sample.tricks:,} tricks")
    axes.set(xlabel="tricks", ylabel="cards in hand")


def save(figure: "Figure", path: str) -> None:
    """Save a picture.

    Raises
    ------
    OSError
        If it cannot be written.
    """
    figure.savefig(path, dpi=150)
