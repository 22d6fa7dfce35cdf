"""Every game of a simulation, written to a file as they are played.

CSV needs nothing; Parquet needs pyarrow (the extra ``parquet``). This module imports
`errors`, `summary` and `tally`; NumPy when it is imported.
"""

import contextlib
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from beggar.errors import BeggarError, quoted
from beggar.tally import ENDS

__all__ = ["GamesFile"]

# Games written at a time.
_BATCH: Final = 10_000
_COLUMNS: Final = ("number", "end", "winner", "cards", "tricks", "by_default")


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
        kind = Path(path).suffix.lower()
        if kind not in (".csv", ".parquet"):
            raise BeggarError(f"cannot write {quoted(path)}: expected a name in .csv or .parquet")
        self.is_csv = kind == ".csv"
        if self.is_csv:
            # Unbuffered, so that nothing is left to be written when it is too late to tell.
            self.binary = open(path, "wb", buffering=0)  # noqa: SIM115
            self._write(",".join(_COLUMNS) + "\n")
        else:
            self._open_parquet()

    def _write(self, text: str) -> None:
        """Write whole lines, or nothing."""
        good = self.binary.tell()
        try:
            left = memoryview(text.encode())
            while left:
                left = left[self.binary.write(left) or 0 :]
        except BaseException:
            # What is half written goes, so that the file holds whole games alone.
            with contextlib.suppress(OSError):
                self.binary.seek(good)
                self.binary.truncate()
            raise

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

        What has been written stays, and `rows` says how much that is.

        Raises
        ------
        OSError
            If they cannot be written, as on a full disk.
        """
        for start in range(0, len(games), _BATCH):
            part = games[start : start + _BATCH]
            if self.is_csv:
                self._write(self._lines(part))
            else:
                self._write_table(part)
            self.rows += len(part)

    def _lines(self, games: NDArray[Any]) -> str:
        ends = [str(end) for end in ENDS]
        return "".join(
            f"{number},{ends[end]},{'' if winner < 0 else winner},{cards},{tricks},{by_default:d}\n"
            for number, (cards, tricks, winner, by_default, end) in enumerate(
                games.tolist(), self.rows
            )
        )

    def _write_table(self, games: NDArray[Any]) -> None:
        import pyarrow as pa

        ends = pa.DictionaryArray.from_arrays(pa.array(games["end"]), [str(end) for end in ENDS])
        columns = [
            pa.array(np.arange(self.rows, self.rows + len(games), dtype=np.uint64)),
            ends.cast("string"),
            pa.array(games["winner"], mask=games["winner"] < 0),
            *(pa.array(games[name]) for name in ("cards", "tricks", "by_default")),
        ]
        self.parquet.write_table(pa.table(columns, schema=self.schema))

    def close(self) -> None:
        """Finish the file; a Parquet file cannot be read before.

        Raises
        ------
        OSError
            If it cannot be finished.
        """
        if self.is_csv:
            self.binary.close()
        else:
            self.parquet.close()
