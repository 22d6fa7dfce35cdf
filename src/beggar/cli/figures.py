"""Figures of many games, for people: a table of cards and tricks, and bars."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beggar.summary import Distribution, Summary

__all__ = ["figures", "histogram"]


def figures(summary: "Summary") -> None:
    """Print mean, quantiles and extremes of cards and tricks."""
    columns = (("cards", summary.cards), ("tricks", summary.tricks))
    rows: list[tuple[str, Any]] = [
        ("mean", _mean),
        ("standard deviation", lambda d: f"{d.std:,.2f}"),
        ("shortest", lambda d: f"{d.min:,}"),
        ("half: at most", lambda d: f"{d.quantile(0.5):,}"),
        ("95 in 100: at most", lambda d: f"{d.quantile(0.95):,}"),
        ("99 in 100: at most", lambda d: f"{d.quantile(0.99):,}"),
        ("999 in 1000", lambda d: f"{d.quantile(0.999):,}"),
        ("longest", lambda d: f"{d.max:,}"),
    ]
    print(f"{'':20}" + "".join(f"{name:>20}" for name, _ in columns))
    for title, figure in rows:
        print(f"{title:20}" + "".join(f"{figure(dist):>20}" for _, dist in columns))


def _mean(values: "Distribution") -> str:
    error = f" ± {values.standard_error:.3f}" if values.total > 1 else ""
    return f"{values.mean:,.3f}{error}"


def histogram(cards: "Distribution", bars: int = 16, width: int = 50) -> None:
    """Print how many games there are of so many cards, the few longest together."""
    last = cards.quantile(0.995)
    first = cards.min
    assert last is not None
    assert first is not None
    step = max(1, -(-(last + 1 - first) // bars))
    first -= first % step
    counts = [int(cards.counts[at : at + step].sum()) for at in range(first, last + 1, step)]
    rest = int(cards.counts[first + len(counts) * step :].sum())
    most = max(*counts, rest, 1)
    print("games by cards turned")
    for bar, count in enumerate([*counts, rest]):
        low, high = first + bar * step, first + (bar + 1) * step - 1
        name = f"{low:,}-{high:,}" if bar < len(counts) else f"over {low - 1:,}"
        mark = "█" * round(width * count / most) or ("▏" if count else "")
        print(f"{name:>14} {count:>13,} {mark}".rstrip())
