"""One game, any rules, fast: the compiled core."""

from collections.abc import Iterator
from typing import final

import numpy as np
from numpy.typing import NDArray

from beggar.events import Event
from beggar.outcome import Outcome
from beggar.position import Position
from beggar.rules import Rules

@final
class Spec:
    def __new__(cls, rules: Rules) -> Spec: ...

@final
class Table:
    def __new__(
        cls,
        spec: Spec,
        hands: tuple[bytes, ...],
        leader: int = 0,
        seed: int = 0,
        position: Position | None = None,
        pile: bytes = b"",
    ) -> Table: ...
    @property
    def outcome(self) -> Outcome | None: ...
    @property
    def position(self) -> Position: ...
    def step(self) -> Event | None: ...
    def next_card(self) -> list[Event]: ...
    def stop(self) -> None: ...
    def play(self) -> Outcome: ...
    def __iter__(self) -> Iterator[Event]: ...
    def __next__(self) -> Event: ...
    def __copy__(self) -> Table: ...

def play(spec: Spec, hands: tuple[bytes, ...], leader: int, seed: int) -> Outcome: ...
def play_many(
    spec: Spec,
    decks: NDArray[np.uint8],
    sizes: tuple[int, ...],
    seeds: NDArray[np.uint64],
    cards: NDArray[np.uint32],
    tricks: NDArray[np.uint32],
    winner: NDArray[np.int8],
    by_default: NDArray[np.uint8],
) -> None: ...
