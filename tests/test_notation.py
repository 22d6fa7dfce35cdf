"""Deals as text and back, and what cannot be read for certain."""

import copy
import pickle
from typing import cast

import numpy as np
import pytest
from hypothesis import given

from beggar import Card, Deal, DealError, Rules
from beggar.cards import CARDS, RANKS, deck
from beggar.notation import read_hands, write_hands
from strategies import deals


def faces(text: str) -> str:
    """Return the cards of a text in card notation, however it was written."""
    return "/".join(" ".join(map(str, hand)) for hand in read_hands(text))


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("--K/QJ-", "- - K/Q J -"),
        ("-2T10*/k7a", "- 2 T T */K 7 A"),
        ("0030/0021", "0 0 3 0/0 0 2 1"),
        ("12/34", "1 2/3 4"),
        ("101/5", "1 0 1/5"),
        ("kind:23/45", "2 3/4 5"),
        ("tribute:23/45", "2 3/4 5"),
        ("kind: 10/2", "T/2"),
        ("tribute:10/2", "1 0/2"),
        ("Kh Ts 10♣ K♥ Joker", "Kh Ts Tc Kh *"),
        ("KhTs10♣K♥Joker/2♠️", "Kh Ts Tc Kh */2s"),
        (" K Q / 7♦ J joker ", "K Q/7d J *"),
        ("kH2S/*-", "Kh 2s/* -"),
        ("7b As/Qc Kd", "7b As/Qc Kd"),
        ("6/-", "6/-"),
    ],
)
def test_read(text: str, cards: str) -> None:
    assert faces(text) == cards


def test_kind_and_tribute_of_the_same_digits_are_different_cards() -> None:
    assert read_hands("kind:2/3") != read_hands("tribute:2/3")
    assert Rules().tribute(read_hands("kind:2/3")[0][0]) == 0
    assert Rules().tribute(read_hands("tribute:2/3")[0][0]) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("--x/K-", r"cannot read 'x' at column 3 \(hand 1\) of '--x/K-': expected"),
        ("--K/Q?-", r"cannot read '\?' at column 6 \(hand 2\)"),
        ("0030/0091", r"cannot read '9'|cannot read '0'"),
        ("tribute:0030/0091", r"cannot read '9' at column 8 \(hand 2\) of '0030/0091': expected 0"),
        ("kind:01/10", r"cannot read '0' at column 1"),
        ("card:Kx/2h", r"cannot read 'x' at column 2"),
        ("23/45", "ambiguous digits in '23/45': expected kind:23/45 .* tribute:23/45"),
        ("10/22", "ambiguous digits"),
        ("2 3/3 2", "ambiguous digits"),
        ("—K/Q-", "cannot read '—' at column 1"),
        ("K1/--", r"cannot read '1' at column 2"),
        ("", "1 hand in '': expected 2 to 6"),
        ("-KQ", "1 hand in '-KQ': expected 2 to 6"),
        ("-/-/-/-/-/-/-", "7 hands in '-/-/-/-/-/-/-': expected 2 to 6"),
        ("K-//--", "hand 2 of 'K-//--' is empty"),
        ("/K", "hand 1 of '/K' is empty"),
        ("K/- turn=2", "no seat '2' to lead: expected 0 to 1"),
        ("K/- turn=x", "cannot read 'turn=x'"),
        ("K/- due=2", "cannot read 'due=2'"),
        ("-" * 40_000 + "/" + "-" * 40_000, "80,000 cards are too many: expected 65,535"),
    ],
)
def test_refused(text: str, said: str) -> None:
    with pytest.raises(DealError, match=said) as refusal:
        Deal.parse(text)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 400


def test_a_long_text_is_quoted_round_the_place() -> None:
    with pytest.raises(DealError, match=r"column 1001 .* of '\.\.\.-+x-+\.\.\.'"):
        Deal.parse("-" * 1000 + "x" + "-" * 1000 + "/-")


@given(deals())
def test_text_round_trips(deal: Deal) -> None:
    assert Deal.parse(str(deal)) == deal
    assert eval(repr(deal), {"Deal": Deal}) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert copy.deepcopy(deal) == deal
    assert hash(Deal.parse(str(deal))) == hash(deal)


@given(deals())
def test_other_notations_keep_what_they_can(deal: Deal) -> None:
    rules = Rules()
    tributes = [[rules.tribute(card) for card in hand] for hand in deal.hands]
    for notation in ("kind", "tribute"):
        read = read_hands(f"{notation}:{write_hands(deal.hands, notation)}")
        assert [[rules.tribute(card) for card in hand] for hand in read] == tributes


def test_notation_of_people() -> None:
    deal = Deal.parse("KhTc/2sJoker")
    assert deal.text("card") == "K♥ 10♣/2♠ Joker"
    assert Deal.parse(deal.text("card")) == deal
    with pytest.raises(DealError, match="unknown notation 'braille'"):
        deal.text("braille")


def test_cards_are_one_object_each() -> None:
    for card in CARDS:
        assert CARDS[card.label] is card
        assert pickle.loads(pickle.dumps(card)) is card
        assert copy.deepcopy(card) is card
    with pytest.raises(AttributeError, match="cannot be changed"):
        Card.of("K").rank = "Q"
    with pytest.raises(DealError, match="no card 'Kx'"):
        Card.of("K", "x")
    with pytest.raises(DealError, match="no card of tribute '6'"):
        Card.tributed(6)


def test_cards_in_words() -> None:
    assert Card.of("10", "c").name == "ten of clubs"
    assert (Card.of("*").name, Card.of("-").name, Card.of("K").name) == ("joker", "numeral", "king")
    assert Card.tributed(2).pretty == "2"
    assert Card.tributed(0).name == "numeral"


# -- dealing ------------------------------------------------------------------------------------


def test_decks() -> None:
    assert len(set(deck())) == 52
    assert len(deck(jokers=2)) == 54
    assert {card.rank for card in deck("camicia-40")} == set("A234567JQK")
    for name, counts in (("camicia-40", (4, 4, 4)), ("camicia-20", (2, 2, 2))):
        tributes = [Rules.preset("camicia").tribute(card) for card in deck(name)]
        assert tuple(map(tributes.count, (1, 2, 3))) == counts
    tributes = [Rules().tribute(card) for card in deck("french-26")]
    assert tuple(map(tributes.count, (1, 2, 3, 4))) == (2, 2, 2, 2)
    with pytest.raises(DealError, match="unknown deck 'tarot'"):
        deck("tarot")


def test_the_last_card_dealt_is_the_top() -> None:
    cards = read_hands("A23456789T")[0]
    # The dealer is seat 1: seat 2 gets the first card and leads.
    deal = Deal.from_deck(cards, 3, dealer=1)
    assert deal == Deal(["852", "963", "T74A"], leader=2)
    assert [len(hand) for hand in Deal.from_deck(deck(), 5).hands] == [11, 11, 10, 10, 10]


@pytest.mark.parametrize("players", range(2, 7))
def test_a_random_deal_is_the_deck(players: int) -> None:
    rng = np.random.default_rng(players)
    deal = Deal.random(rng, players=players, jokers=1)
    assert sorted(map(str, (c for h in deal.hands for c in h))) == sorted(map(str, deck(jokers=1)))
    assert deal.leader == 0
    assert max(deal.sizes) - min(deal.sizes) <= 1
    assert Deal.random(rng, players=players) != Deal.random(rng, players=players)


def test_random_deals_are_uniform_on_the_ranks_of_the_top_card() -> None:
    rng = np.random.default_rng(7)
    tops = [Deal.random(rng).hands[0][0].rank for _ in range(5200)]
    # 400 expected of each; five standard deviations are 96.
    assert all(abs(tops.count(rank) - 400) < 96 for rank in RANKS)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Deal.from_deck(deck(), 1), "'1' players cannot play: expected 2 to 6"),
        (lambda: Deal.from_deck(deck(), 7), "'7' players cannot play"),
        (lambda: Deal.from_deck(deck()[:2], 3), "hand 3 of .* is empty"),
        (lambda: Deal.from_deck(deck(), 2, dealer=2), "no seat '2' to deal"),
        (lambda: Deal.random(1, cards="uno"), "unknown deck 'uno'"),
        (lambda: Deal(["K-", "Q/J"]), "'Q/J' is more than one hand"),
        (lambda: Deal([cast("list[Card]", ["K"]), "Q"]), "'K' is not a card"),
        (lambda: Deal([[Card.of("K")], [Card.tributed(1)]]), "expected one sort"),
        (lambda: Deal(["-", "-"], leader=-1), "no seat '-1' to lead"),
    ],
)
def test_deals_that_cannot_be(call: object, said: str) -> None:
    assert callable(call)
    with pytest.raises(DealError, match=said):
        call()


def test_deals_are_immutable() -> None:
    with pytest.raises(AttributeError, match="cannot be changed"):
        Deal.parse("K/Q").leader = 1
