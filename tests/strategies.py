"""Hypothesis strategies for deals and rules: small, uneven, of every sort."""

from typing import Any

from hypothesis import strategies as st

from beggar.cards import CARDS, RANKS, Card
from beggar.deals import Deal
from beggar.rules import Rules

TRIBUTED = tuple(card for card in CARDS if card.tribute is not None)
RANKED = tuple(card for card in CARDS if card.tribute is None)
KINDS = tuple(Card.of(rank) for rank in "---JQKA*")


@st.composite
def deals(draw: st.DrawFn, max_cards: int = 24, players: int = 6) -> Deal:
    """Draw deals of 2 to *players* hands."""
    sort = draw(st.sampled_from((TRIBUTED, RANKED, KINDS)))
    seats = draw(st.integers(2, players))
    hand = st.lists(st.sampled_from(sort), min_size=1, max_size=max_cards // seats)
    hands = [draw(hand) for _ in range(seats)]
    return Deal(hands, draw(st.integers(0, seats - 1)))


def tributes() -> st.SearchStrategy[dict[str, int]]:
    """Draw what each rank demands."""
    return st.dictionaries(st.sampled_from(RANKS), st.integers(1, 15), max_size=6)


@st.composite
def rules(draw: st.DrawFn) -> Rules:
    """Draw rules; every field but the clock's."""
    fields: dict[str, Any] = {
        "elimination": draw(st.sampled_from(("on_turn", "on_empty"))),
        "unpaid_tribute": draw(st.sampled_from(("lapses", "passes_on", "collects"))),
        "joker": draw(st.sampled_from(("super", "beggar", "grab"))),
        "lead": draw(st.sampled_from(("winner", "loser"))),
        "pickup": draw(st.sampled_from(("kept", "reversed"))),
        "until_penalty": draw(st.booleans()),
        "shuffle_pile": draw(st.booleans()),
        "face_up": draw(st.booleans()),
        "cycle_identity": draw(st.sampled_from(("kind", "card"))),
        "on_cycle": draw(st.sampled_from(("draw", "most_cards", "shuffle"))),
        "limit_cards": draw(st.none() | st.integers(1, 300)),
        "limit_tricks": draw(st.none() | st.integers(1, 60)),
        "budget_tricks": draw(st.integers(1, 400)),
    }
    # Suitless court cards cannot be read where number cards demand tribute.
    of = draw(tributes())
    if not any(rank in "23456789T" for rank in of) or set("JQKA") <= set(of):
        fields["tributes"] = of
    return Rules(**fields)
