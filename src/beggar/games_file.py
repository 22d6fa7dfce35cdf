"""Every game of a simulation, written to a file as they are played.

CSV needs nothing; Parquet needs pyarrow (the extra ``parquet``). This module imports
`errors`, `summary` and `tally`; NumPy when it is imported.
"""

import csv
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from numpy.typing import NDArray

from beggar.errors import BeggarError, quoted
from beggar.tally import ENDS

__all__ = ["GamesFile"]

_COLUMNS = ("number", "end", "winner", "cards", "tricks", "by_default")


class GamesFile:
    """A file of games, one row each: number, end, winner, cards, tricks, by_default.

    Parameters
    ----------
    path : str
        Ends in ``.csv`` or ``.parquet``; an existing file is replaced.

    Raises
    ------
    BeggarError
        If the path ends otherwise, or pyarrow is wanted and missing.
    OSError
        If the file cannot be written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.rows = 0
        self.broken = False
        kind = Path(path).suffix.lower()
        if kind not in (".csv", ".parquet"):
            raise BeggarError(f"cannot write {quoted(path)}: expected a name in .csv or .parquet")
        if kind == ".csv":
            self.text = open(path, "w", newline="", encoding="utf-8")  # noqa: SIM115
            self.csv = csv.writer(self.text)
            self.csv.writerow(_COLUMNS)
        else:
            self._open_parquet()
        self.kind = kind

    def _open_parquet(self) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise BeggarError(
                f"writing {quoted(self.path)} needs pyarrow: "
                f"expected it from pip install 'beggar-my-neighbour[parquet]'"
            ) from None
        self.schema = pa.schema(
            [
                ("number", pa.uint64()),
                ("end", pa.string()),
                ("winner", pa.int8()),
                ("cards", pa.uint32()),
                ("tricks", pa.uint32()),
                ("by_default", pa.bool_()),
            ]
        )
        self.parquet = pq.ParquetWriter(self.path, self.schema)

    def add(self, games: NDArray[Any]) -> None:
        """Write the next games: records as `beggar.Summary.kept` has them.

        Raises
        ------
        OSError
            If they cannot be written, as on a full disk.
        """
        self.broken = True
        numbers = range(self.rows, self.rows + len(games))
        ends = [str(end) for end in ENDS]
        if self.kind == ".csv":
            self.csv.writerows(
                (number, ends[end], "" if winner < 0 else winner, cards, tricks, int(by_default))
                for number, (cards, tricks, winner, by_default, end) in zip(
                    numbers, games.tolist(), strict=True
                )
            )
            self.text.flush()
        else:
            import pyarrow as pa

            winner = pa.array(games["winner"], mask=games["winner"] < 0)
            self.parquet.write_table(
                pa.table(
                    [
                        pa.array(numbers, pa.uint64()),
                        pa.DictionaryArray.from_arrays(pa.array(games["end"]), ends).cast("string"),
                        winner,
                        *(pa.array(games[name]) for name in ("cards", "tricks", "by_default")),
                    ],
                    schema=self.schema,
                )
            )
        self.rows += len(games)
        self.broken = False

    def close(self) -> None:
        """Finish the file; one that could not be written is left as it is."""
        try:
            if self.kind == ".csv":
                self.text.close()
            else:
                self.parquet.close()
        except OSError:
            if not self.broken:
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
