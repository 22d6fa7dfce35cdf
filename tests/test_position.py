"""Positions as text and back, resuming from any of them, and those that cannot be."""

from collections.abc import Callable
from typing import Any

import pytest

from beggar import Deal, DealError, Game, Position, PositionError, Rules
from beggar.events import TrickTaken


def test_a_deal_is_a_position() -> None:
    position = Position.parse("--K/QJ-")
    assert position == Position.start(Deal.parse("--K/QJ-"))
    assert str(position) == "--K/QJ-"


def test_fields() -> None:
    position = Position.parse(
        "-/QJ/ pile=--K turn=1 due=3 claimant=0 out=2 cards=9 tricks=1 penalties=2"
    )
    assert (position.turn, position.due, position.claimant, position.chain) == (1, 3, 0, 1)
    assert (position.out, position.waiting) == ((2,), ())
    assert (position.cards, position.tricks, position.penalties) == (9, 1, 2)
    assert eval(repr(position), {"Position": Position}) == position


def test_the_pile_can_settle_what_digits_mean() -> None:
    assert str(Position.parse("23/45 pile=J turn=1 due=1 claimant=0").hands[0][0]) == "2"
    with pytest.raises(DealError, match="ambiguous digits"):
        Position.parse("23/45 turn=1")


def test_order_of_fields_and_space_do_not_matter() -> None:
    one = Position.parse("2h 7s / K♥ Q turn=1 cards=2 pile=3c4c")
    assert one == Position.parse("pile=3c4c cards=2 2h7s/KhQ turn=1")


@pytest.mark.parametrize("number", range(0, 60, 3))
def test_resuming_ends_the_same(engine: str, number: int) -> None:
    rules = Rules(players=3, unpaid_tribute="passes_on", shuffle_pile=True)
    game = Game("--K-*/Q--J--/-A--J", rules, seed=4)
    for _ in range(number):
        game.step()
    resumed = Game(str(game.position), rules, engine=engine, seed=4)
    assert resumed.position == game.position
    assert resumed.play() == game.play()


def test_resuming_a_begging_joker(engine: str) -> None:
    rules = Rules(joker="beggar")
    game = Game("*-/-JA*Q-", rules)
    game.step()
    game.step()
    game.step()
    assert "due=4*" in str(game.position)
    assert Game(str(game.position), rules, engine=engine).play() == game.play()


def test_a_loop_from_a_position_on_it(engine: str) -> None:
    # From a trick of the cycle on there is no transient; the counts go on from the position's.
    game = Game("--J-/K-J-")
    while not isinstance(game.step(), TrickTaken):
        pass
    cycle = Game(str(game.position), engine=engine).play().cycle
    assert cycle is not None
    assert cycle.transient == (5, 1)
    assert cycle.period == (16, 4)


def test_limits_and_budget_hold_for_a_position_that_has_passed_them(engine: str) -> None:
    for rules in (Rules(limit_tricks=3), Rules(limit_cards=10), Rules(budget_tricks=2)):
        outcome = Game("--J-/K-J- cards=10 tricks=3", rules, engine=engine).play()
        assert outcome.termination in ("limit", "undecided")
        assert (outcome.cards, outcome.tricks) == (10, 3)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("K/Q colour=2", "unknown field 'colour=2'"),
        ("K/Q turn=1 turn=0", "turn stands twice"),
        ("K/Q turn=x", "turn='x' .* expected a seat"),
        ("K/Q cards=-1", "cards='-1' .* expected a whole number"),
        ("K/Q cards=1.5", "cards='1.5'"),
        ("K/Q cards=99999999999999999999", "expected a whole number"),
        ("K/Q turn=2", "there is no seat 2: expected 0 to 1"),
        ("K/Q/ turn=0 out=5", "there is no seat 5"),
        ("K/ pile=- turn=0", "hand 2 is empty: expected seat 1 under out= or waiting="),
        ("K/Q pile=- out=1", "seat 1 holds cards"),
        ("K//- pile=- out=1 waiting=1", "a seat stands twice"),
        ("/K turn=0 out=0", "seat 0 has no card to turn"),
        ("K/ pile=- out=1", "one player is left: expected no pile"),
        ("K/Q/ waiting=2", "there is no pile"),
        ("K/Q pile=J due=1", "a claimant and what is due go together"),
        ("K/Q pile=J claimant=1", "a claimant and what is due go together"),
        ("K/Q pile=J due=1 claimant=0", "the claimant cannot be the payer"),
        ("K/Q/ pile=J due=1 claimant=2 out=2", "the claimant cannot be the payer, nor be out"),
        ("K/Q pile=J due=1 claimant=1 chain=2", "a chain of 2 in a pile of 1"),
        ("K/Q chain=1", "nothing is due: expected no chain"),
        ("K/Q pile=---- turn=1 cards=1", "1 cards turned with 4 on the pile"),
        ("K/Q cards=5 tricks=6", "5 cards turned .* 6 tricks"),
        ("K/Q cards=5 penalties=6", "6 penalty cards"),
        ("K/Q default=7", "default='7' .* expected 0 or 1"),
        ("K", "1 hand in 'K'"),
        ("K turn=0", "1 hand in 'K'"),
        ("K/x turn=0", "cannot read 'x'"),
    ],
)
def test_positions_that_cannot_be(text: str, said: str) -> None:
    with pytest.raises(DealError, match=said) as refusal:
        Position.parse(text)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "rules", "said"),
    [
        ("K/Q pile=-- due=1 claimant=1", Rules(), "nobody can claim"),
        ("K/Q pile=K- due=3 claimant=1", Rules(), "3 due after 1 paid .*: expected due=2"),
        ("K/Q pile=A due=15 claimant=1", Rules(), "expected due=4"),
        ("K/Q/ pile=- waiting=2", Rules(elimination="on_empty"), "expected no waiting="),
        ("K/Q pile=* due=5* claimant=1", Rules(), "no joker begs with joker=super"),
        ("K/Q pile=* due=4* claimant=1", Rules(joker="beggar"), "due to a joker"),
        ("K/Q pile=* due=5 claimant=1", Rules(joker="grab"), "nothing is owed to a joker"),
        ("K/Q pile=-J due=1 claimant=1 chain=2", Rules(), "a chain of 2"),
        ("K/Q pile=-J", Rules(), "a penalty card on the pile is claimed"),
    ],
)
def test_positions_that_cannot_be_by_these_rules(
    engine: str, text: str, rules: Rules, said: str
) -> None:
    with pytest.raises(PositionError, match=said):
        Game(text, rules, engine=engine)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"cards": -5}, "cards is '-5': expected a whole number"),
        ({"tricks": 2**64}, "tricks is '1844"),
        ({"turn": 1.0}, "turn is '1.0'"),
        ({"begging": "x"}, "begging and by_default: expected True or False"),
        ({"hands": ("--", "KK")}, "'--' is no hand or pile"),
        ({"waiting": ("1",)}, r"waiting\[0\] is '1'"),
    ],
)
def test_positions_made_wrongly_by_a_program(
    engine: str, fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(PositionError, match=said):
        Game(Position.parse("K/Q")._replace(**fields), engine=engine)


def test_refused_alike_by_both_engines(game: Callable[..., Game]) -> None:
    with pytest.raises(DealError, match="cannot read 'x'"):
        game("x/-")
