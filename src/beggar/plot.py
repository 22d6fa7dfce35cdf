"""Pictures, by matplotlib (the extra ``plot``): what many games come to, and one game.

This module imports `cards`, `deals`, `events`, `game`, `outcome`, `position`, `rules` and
`summary`; matplotlib when a picture is drawn.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from beggar.cards import Card
from beggar.deals import Deal
from beggar.errors import BeggarError, quoted
from beggar.events import TrickTaken
from beggar.game import Game, play
from beggar.outcome import Outcome
from beggar.position import Position
from beggar.rules import Rules
from beggar.summary import Summary

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = [
    "check_path",
    "game_figure",
    "hand_sizes",
    "penalties_held",
    "save",
    "summary_figure",
]

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


def hand_sizes(
    deal: "Deal | Position", rules: Rules | None = None, seed: int | None = None
) -> np.ndarray:
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
    return _by_trick(Game(deal, rules, seed=seed), len)


def penalties_held(
    deal: "Deal | Position", rules: Rules | None = None, seed: int | None = None
) -> np.ndarray:
    """Return how many penalty cards each seat holds at the start and after each trick.

    Returns
    -------
    numpy.ndarray of int, shape (tricks + 1, players)
        For a loop, up to where it closes.

    Examples
    --------
    >>> penalties_held(Deal.parse("J-/--")).tolist()
    [[1, 0], [1, 0], [1, 0]]
    """
    game = Game(deal, rules, seed=seed)
    tribute = game.rules.tribute
    return _by_trick(game, lambda hand: sum(tribute(card) > 0 for card in hand))


def _by_trick(game: Game, count: Callable[[Sequence[Card]], int]) -> np.ndarray:
    """Count something of each hand at the start of a game and after each trick."""
    counts = [[count(hand) for hand in game.position.hands]]
    while events := game.turn_card():
        if any(isinstance(event, TrickTaken) for event in events):
            counts.append([count(hand) for hand in game.position.hands])
    return np.array(counts)


def game_figure(
    deal: "Deal | Position",
    rules: Rules | None = None,
    seed: int | None = None,
    names: Sequence[str] | None = None,
) -> "Figure":
    """Draw one game: the hands by trick, and the penalty cards in them; a loop is shaded.

    Parameters
    ----------
    deal : Deal or Position
    rules : Rules, optional
        The classic ones without them.
    seed : int, optional
        As for `beggar.Game`.
    names : sequence of str, optional
        The players by seat.

    Examples
    --------
    >>> figure = game_figure(Deal.parse("--J-/K-J-"))
    >>> figure.axes[0].get_title()
    'never ends: once round 16 cards, 4 tricks'
    """
    from matplotlib.figure import Figure

    outcome = play(deal, rules, seed=seed)
    figure = Figure(figsize=(9, 6), layout="constrained")
    upper, lower = figure.subplots(2, sharex=True)
    for axes, counts, what in (
        (upper, hand_sizes(deal, rules, seed), "cards in hand"),
        (lower, penalties_held(deal, rules, seed), "penalty cards held"),
    ):
        for seat in range(counts.shape[1]):
            label = names[seat] if names else f"seat {seat}"
            axes.step(np.arange(len(counts)), counts[:, seat], where="post", label=label, lw=1)
        axes.set_ylabel(what)
        axes.grid(alpha=0.3)
        axes.yaxis.get_major_locator().set_params(integer=True)
        if outcome.cycle is not None:
            last = len(counts) - 1
            begins = last - outcome.cycle.period.tricks
            axes.axvspan(begins, last, alpha=0.15, color="#b5472f", label="loop")
    upper.legend()
    lower.set_xlabel("tricks")
    upper.set_title(_title(outcome))
    return figure


def _title(outcome: Outcome) -> str:
    if outcome.cycle is not None:
        period = outcome.cycle.period
        return f"never ends: once round {period.cards:,} cards, {period.tricks:,} tricks"
    return f"{outcome.cards:,} cards, {outcome.tricks:,} tricks"


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
