"""A picture of a loop: the cycle as a ring, and the trees of states that lead into it.

This module imports `cycles`; matplotlib and NumPy when a picture is drawn.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from beggar.cycles import Basin

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["basin_figure", "layout"]


def layout(next_: NDArray[Any], depth: NDArray[Any]) -> NDArray[np.float64]:
    """Place the states of a basin: the cycle on a ring, each tree outwards in its own sector.

    Parameters
    ----------
    next_, depth : numpy.ndarray of int, shape (n,)
        As a `Basin` has them: the state after each, and its distance from the cycle. Farther
        states come later.

    Returns
    -------
    numpy.ndarray of float, shape (n, 2)

    Examples
    --------
    >>> places = layout(np.array([1, 0, 0]), np.array([0, 0, 1]))
    >>> np.round(np.hypot(*places.T), 2).tolist()
    [1.0, 1.0, 1.35]
    """
    n = len(depth)
    ring = int((depth == 0).sum())
    # How many leaves a state's tree has is how wide its sector is.
    leaves = np.zeros(n)
    for state in range(n - 1, -1, -1):
        leaves[state] = max(leaves[state], 1)
        if depth[state]:
            leaves[next_[state]] += leaves[state]
    width = np.empty(n)
    start = np.empty(n)
    width[:ring] = 2 * np.pi * leaves[:ring] / leaves[:ring].sum()
    start[:ring] = np.concatenate([[0.0], width[:ring].cumsum()[:-1]])
    taken = start.copy()
    for state in range(ring, n):
        root = next_[state]
        width[state] = width[root] * leaves[state] / leaves[root]
        start[state] = taken[root]
        taken[root] += width[state]
        taken[state] = start[state]
    angle = start + width / 2
    radius = 1 + 0.35 * depth
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle)])


def basin_figure(basin: Basin, sizes: Sequence[int]) -> "Figure":
    """Draw a basin; the deals of hands of some sizes are marked.

    Parameters
    ----------
    basin : Basin
    sizes : sequence of int
        The hands of a deal.

    Examples
    --------
    >>> from beggar.cycles import cycle_of
    >>> figure = basin_figure(cycle_of("--J-/K-J-").basin(), (4, 4))
    >>> figure.axes[0].get_title()
    '2 states round, 18 lead there, 4 of them deals of 4+4'
    """
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 9), layout="constrained")
    axes = figure.subplots()
    places = layout(basin.next, basin.depth)
    round_ = basin.depth == 0
    known = basin.next >= 0
    lines = np.stack([places[known], places[basin.next[known]]], axis=1)
    on_ring = round_[known]
    axes.add_collection(LineCollection(lines[~on_ring], colors="#8a8a8a", linewidths=0.6))
    axes.add_collection(LineCollection(lines[on_ring], colors="#b5472f", linewidths=2))
    size = max(2.0, 30.0 - basin.size / 100)
    axes.scatter(
        places[~round_, 0],
        places[~round_, 1],
        s=size,
        color="#35679a",
        label="leads there",
        zorder=2,
    )
    axes.scatter(
        places[round_, 0],
        places[round_, 1],
        s=2 * size,
        color="#b5472f",
        label="the cycle",
        zorder=3,
    )
    first, second = sizes
    total = basin.state(0).sizes
    dealt = (basin.first == first) & (sum(total) == first + second)
    if dealt.any():
        axes.scatter(
            places[dealt, 0],
            places[dealt, 1],
            s=4 * size,
            facecolors="none",
            edgecolors="#111111",
            label="a deal",
            zorder=4,
        )
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.legend(loc="upper right")
    more = "" if basin.whole else " and more"
    axes.set_title(
        f"{int(round_.sum()):,} states round, {basin.size:,}{more} lead there, "
        f"{int(dealt.sum()):,} of them deals of {first}+{second}"
    )
    return figure
