"""What a hunt found, as rows: for spreadsheets, scripts and data frames.

This module imports `store` and `exhaustive`; PyArrow only for Parquet.
"""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from beggar.errors import BeggarError, quoted
from beggar.search.exhaustive import total_of
from beggar.search.store import Store

__all__ = ["columns_of", "rows_of", "write_parquet", "written"]

_ENDLESS: Final = (
    *("deal", "rank", "transient_cards", "transient_tricks"),
    *("period_cards", "period_tricks", "cycle"),
)
_COLUMNS: Final = {
    "infinite": _ENDLESS,
    "exhaustive": _ENDLESS,
    "longest": ("deal", "rank", "cards", "tricks", "how"),
}


def columns_of(kind: str) -> tuple[str, ...]:
    """Return the names of the columns of a kind of hunt."""
    return _COLUMNS[kind]


def rows_of(store: Store) -> Iterator[tuple[Any, ...]]:
    """Yield a row for each deal that never ends, or each of the longest."""
    if store.kind == "longest":
        for game in store.games():
            yield tuple(game)
        return
    if store.kind == "infinite":
        periods = {cycle.name: cycle.period for cycle in store.cycles(whole=True)}
        for name, deal in store.deals():
            yield (*deal, *periods[name], name)
        return
    total = total_of(store)
    for cycle in total.cycles if total is not None else ():
        assert total is not None
        for one in cycle.deals:
            deal_ = str(total.space.unrank(one.rank))
            yield deal_, one.rank, *one.transient, *cycle.period, cycle.name


def written(ending: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    r"""Return rows as CSV, with a line of names, or as a JSON array of objects.

    Examples
    --------
    >>> written(".json", ["deal", "rank"], [("1/0", 1)])
    '[{"deal": "1/0", "rank": 1}]\n'
    """
    if ending == ".json":
        return json.dumps([dict(zip(columns, row, strict=True)) for row in rows]) + "\n"
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def write_parquet(path: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Write rows as Parquet; ranks, which may be of any size, as text.

    Raises
    ------
    BeggarError
        If PyArrow is not installed, or the file cannot be written.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise BeggarError(
            "Parquet needs PyArrow: expected it from pip install 'beggar-my-neighbour[parquet]'"
        ) from None
    table = pa.table(
        {
            name: pa.array([str(row[at]) if name == "rank" else row[at] for row in rows])
            for at, name in enumerate(columns)
        }
    )
    try:
        pq.write_table(table, path)
    except OSError as error:
        raise BeggarError(f"cannot write {quoted(path)}: {error.strerror or error}") from None
