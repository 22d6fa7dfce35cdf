"""States at the start of a trick, one trick on and one trick back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_CARDS: int

def trick(leader: bytes, other: bytes, rules: int) -> tuple[bytes, bytes, int, bool] | None: ...
def tricks_before(
    leader: bytes, other: bytes, rules: int
) -> list[tuple[bytes, bytes, int, bool]]: ...
def least(
    leader: bytes, other: bytes, rules: int, stop: bytearray | None = None
) -> tuple[bytes, bytes, int, int, int, int] | None: ...
def cycle(
    leader: bytes, other: bytes, rules: int
) -> tuple[list[tuple[bytes, bytes, int]], int, int] | None: ...

class Tree:
    def __new__(
        cls, roots: Sequence[tuple[bytes, bytes]], rules: int, most: int, ring: bool
    ) -> Tree: ...
    @property
    def whole(self) -> bool: ...
    @property
    def size(self) -> int: ...
    def state(self, n: int) -> tuple[bytes, bytes]: ...
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.int32],
        NDArray[np.uint8],
        NDArray[np.int32],
    ]: ...
