"""Children of states: of the deck, within their hands, and laid out as any deal is."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from beggar import _lanes
from beggar.pack import generator_of

BATCH = 512


def parents_of(deck: list[int], seed: int, many: int = 20) -> list[tuple[bytes, bytes]]:
    rng = random.Random(seed)
    states: list[tuple[bytes, bytes]] = []
    while len(states) < many:
        cards = [code for code, count in enumerate(deck) for _ in range(rng.randint(0, count))]
        if len(cards) < 2:
            cards = [code for code, count in enumerate(deck) for _ in range(count)]
        rng.shuffle(cards)
        first = rng.randint(1, len(cards) - 1)
        states.append((bytes(cards[:first]), bytes(cards[first:])))
    return states


decks = st.tuples(st.integers(1, 40), *(st.integers(0, 5) for _ in range(4))).filter(
    lambda deck: 2 <= sum(deck) <= 63
)


@given(decks, st.integers(0, 999))
def test_children_are_states_of_the_deck(deck: tuple[int, ...], seed: int) -> None:
    states = parents_of(list(deck), seed)
    arena = _lanes.Arena(BATCH)
    arena.breed(_lanes.Parents(states, deck), generator_of(seed, 0), (128, 128, 128, 64, 64), BATCH)
    least = min(len(leader + other) for leader, other in states)
    for place in range(BATCH):
        leader, other = arena.hands(place)
        assert leader
        assert other
        child = leader + other
        assert least <= len(child) <= sum(deck)
        assert all(child.count(code) <= deck[code] for code in range(5))


def test_children_are_played_as_loaded_deals_are() -> None:
    deck = [36, 4, 4, 4, 4]
    states = [state for state in parents_of(deck, 1, 400) if len(state[0] + state[1]) > 30]
    arena, other = _lanes.Arena(BATCH), _lanes.Arena(1)
    arena.breed(_lanes.Parents(states, deck), generator_of(5, 0), (64, 128, 96, 64, 64), BATCH)
    arena.play("portable", BATCH, (1, 2, 3, 4), 3000)
    for place in range(0, BATCH, 7):
        hands = arena.hands(place)
        row = np.frombuffer(b"".join(hands), dtype=np.uint8).reshape(1, -1)
        other.load(row.copy(), len(hands[0]))
        assert other.hands(0) == hands
        other.play("portable", 1, (1, 2, 3, 4), 3000)
        assert other.ends[0] == arena.ends[place]


def test_what_is_lacking_is_put_in() -> None:
    arena = _lanes.Arena(BATCH)
    parents = _lanes.Parents([(b"\0\1", b"\0")], [4, 2, 0, 0, 1])
    arena.breed(parents, generator_of(1, 0), (0, 255, 0, 0, 0), BATCH)
    children = [b"".join(arena.hands(place)) for place in range(BATCH)]
    # Always one, and of each that is lacking.
    assert {len(child) for child in children} == {4}
    assert {bytes(sorted(child)) for child in children} == {b"\0\0\0\1", b"\0\0\1\1", b"\0\0\1\4"}


def test_a_whole_deck_is_always_changed() -> None:
    arena = _lanes.Arena(BATCH)
    state = (b"\0\1\0\2", b"\3\0\0\4")
    arena.breed(
        _lanes.Parents([state], [4, 1, 1, 1, 1]), generator_of(1, 0), (0, 0, 0, 0, 0), BATCH
    )
    for place in range(BATCH):
        leader, other = arena.hands(place)
        assert len(leader) == 4
        changed = sum(a != b for a, b in zip(leader + other, state[0] + state[1], strict=True))
        assert changed == 2


@pytest.mark.parametrize(
    ("states", "deck"),
    [
        ([], [4, 1, 0, 0, 0]),
        ([(b"\0\1", b"\2")], [4, 1, 0, 0, 0]),
        ([(b"", b"\0")], [4, 1, 0, 0, 0]),
        ([(b"\0", b"\0")], [60, 4, 0, 0, 0]),
        ([(b"\0", b"\7")], [6, 4, 0, 0, 0]),
    ],
)
def test_what_is_refused(states: list[tuple[bytes, bytes]], deck: list[int]) -> None:
    with pytest.raises(ValueError, match="of a deck of"):
        _lanes.Parents(states, deck)
