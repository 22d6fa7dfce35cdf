"""Every field of the rules, on small deals made by hand, with the reason for each figure.

All run with both engines. Where two readings differ, both are shown on one deal.
"""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

from beggar import Card, Count, Deal, Game, Outcome, Position, Rules, RulesError, Termination
from beggar.events import (
    ClaimLapsed,
    Event,
    LimitReached,
    LoopFound,
    Out,
    Over,
    Shuffled,
    TributeDemanded,
    TributePaid,
    TrickTaken,
    Turned,
)

MakeGame = Callable[..., Game]


def end(game: Game) -> tuple[int | None, int, int, bool | None]:
    """Play on; return winner, cards, tricks and whether the last trick was by default."""
    outcome = game.play()
    return outcome.winner, outcome.cards, outcome.tricks, outcome.last_by_default


def only(kind: type[Any], events: Iterable[Event]) -> list[Any]:
    return [event for event in events if type(event) is kind]


# -- The worked example ------------------------------------------------------------------


def test_worked_example(game: MakeGame) -> None:
    # Ana turns a king. Boris pays 4♣, then turns Q♠ and stops: his third card is never
    # paid. Ana owes 2: 8♦ and 9♦, numerals. Boris takes K 4 Q 8 9 and leads.
    table = game("K♥ 8♦ 9♦ 2♦/4♣ Q♠ 7♣")
    events: list[Event] = []
    while not only(TrickTaken, events):
        event = table.step()
        assert event is not None
        events.append(event)
    king, four, queen = Card.of("K", "h"), Card.of("4", "c"), Card.of("Q", "s")
    eight, nine = Card.of("8", "d"), Card.of("9", "d")
    assert events == [
        Turned(0, king, 1, 1),
        TributeDemanded(claimant=0, payer=1, due=3, chain=1),
        Turned(1, four, 2, 1),
        Turned(1, queen, 3, 2),
        TributeDemanded(claimant=1, payer=0, due=2, chain=2),
        Turned(0, eight, 4, 2),
        Turned(0, nine, 5, 2),
        TributePaid(claimant=1, payer=0),
        TrickTaken(seat=1, cards=5, tricks=1, by_default=False),
    ]
    position = table.position
    assert position.hands[1] == (Card.of("7", "c"), king, four, queen, eight, nine)
    assert position.turn == 1


def test_what_a_player_sees(game: MakeGame) -> None:
    table = game("K-/--", Rules())
    for _ in range(2):
        table.step()
    view = table.view(1)
    assert view.hands == (None, None)
    assert view.sizes == (1, 2)
    assert (view.turn, view.due, view.claimant, view.chain, view.penalties) == (1, 3, 0, 1, 1)
    assert view.pile == (Card.of("K"),)


# -- elimination ---------------------------------------------------------------------------


def test_a_last_penalty_card_can_still_win_on_turn_but_not_on_empty(game: MakeGame) -> None:
    # on_turn: seat 0's jack is its last card; seat 1 pays one numeral and seat 0 takes
    # both; seat 0 leads the jack again, seat 1 pays its last card and is out.
    assert end(game("J/--", Rules(elimination="on_turn"))) == (0, 4, 2, False)
    # on_empty: seat 0 is out with the jack, and the last player takes it.
    assert end(game("J/--", Rules(elimination="on_empty"))) == (1, 1, 1, True)


def test_a_last_numeral(game: MakeGame) -> None:
    # on_turn: seat 0 is out when it must turn again, after seat 1's numeral.
    assert end(game("-/-K", Rules(elimination="on_turn"))) == (1, 2, 1, True)
    # on_empty: at once.
    assert end(game("-/-K", Rules(elimination="on_empty"))) == (1, 1, 1, True)


@pytest.mark.parametrize("elimination", ["on_turn", "on_empty"])
def test_a_trick_that_the_last_card_completes_is_collected_first(
    game: MakeGame, elimination: str
) -> None:
    assert end(game("J-/-", Rules().replace(elimination=elimination))) == (0, 2, 1, False)


@pytest.mark.parametrize("elimination", ["on_turn", "on_empty"])
def test_a_payer_who_runs_out_leaves_the_pile_to_the_other(
    game: MakeGame, elimination: str
) -> None:
    # Three are owed and two are there: the final collecting was not paid for.
    assert end(game("K-/--", Rules().replace(elimination=elimination))) == (0, 3, 1, True)


def test_on_empty_voids_the_claim_of_who_is_out_with_it(game: MakeGame) -> None:
    # Seat 0's king is its last card: it is out, nothing is due, seat 1 plays an ordinary
    # card. Seat 2's jack is answered by seat 1's last card, so seat 2 wins.
    events = list(game("K/--/J-", Rules(elimination="on_empty")))
    assert events[:5] == [
        Turned(0, Card.of("K"), 1, 1),
        Out(0),
        ClaimLapsed(claimant=0, unpaid=3),
        Turned(1, Card.of("-"), 2, 1),
        Turned(2, Card.of("J"), 3, 2),
    ]
    assert events[-1] == Over(Termination.WON, 2)


def test_a_claimant_with_an_empty_hand_waits(game: MakeGame) -> None:
    # Seat 0 has no card left while seat 1 pays, and is not out for it.
    table = game("Q/---/-")
    for _ in range(3):
        table.step()
    assert table.position.waiting == (0,)
    assert only(Out, table)[0] != Out(0)


def test_who_is_passed_over_without_a_card_is_out(game: MakeGame) -> None:
    # Seat 0 turns its only card; after seat 2's it would be its turn, and it has none.
    events = list(game("-/--/--"))
    assert events.index(Out(0)) == events.index(Turned(2, Card.of("-"), 3, 0)) + 1


def test_an_old_claimant_without_cards_is_out_when_it_would_owe(game: MakeGame) -> None:
    # Seat 1 answers seat 0's last card with a king: seat 0 owes three and has none.
    assert end(game("J/K-")) == (1, 2, 1, True)


def test_every_empty_hand_is_out_when_the_trick_is_collected(game: MakeGame) -> None:
    # Seat 0's numeral and seat 2's payment are their last cards; seat 1 takes the pile.
    outcome = game("-/J--/-").play()
    assert outcome == Outcome(Termination.WON, 1, 3, 1, False, (0, 5, 0), (2, 0), None)


def test_when_nobody_holds_a_card_the_last_to_have_turned_one_is_left(game: MakeGame) -> None:
    assert end(game("-/-")) == (1, 2, 1, True)
    # Seat 1's king is its last card, seat 2 cannot pay it all and is out, the claim lapses:
    # seats 0 and 1 are in without a card, and seat 1 turned one last.
    assert game("-/K/-").play().out == (2, 0)
    assert end(game("-/K/-")) == (1, 3, 1, True)


# -- unpaid_tribute --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reading", "ends"),
    [
        # Seat 1 pays one of three and is out; seats 2 and 0 then turn numerals in turn;
        # seat 2's is the last of all, so it takes the nine cards.
        ("lapses", (2, 9, 1, True)),
        # Seat 2 owes the other two and pays; seat 0 takes four, and five more cards are
        # turned until seat 2 has none.
        ("passes_on", (0, 9, 2, True)),
        # Seat 0 takes the king and the one numeral and leads; both turn three numerals, then
        # its king demands three of seat 2, which pays its last card and is out.
        ("collects", (0, 10, 2, True)),
    ],
)
def test_unpaid_tribute(game: MakeGame, reading: str, ends: tuple[Any, ...]) -> None:
    assert end(game("K---/-/----", Rules().replace(unpaid_tribute=reading))) == ends


def test_passed_on_tribute_is_demanded_of_the_next_seat(game: MakeGame) -> None:
    events = list(game("K-/-/----", Rules(unpaid_tribute="passes_on")))
    assert only(TributeDemanded, events)[:2] == [
        TributeDemanded(claimant=0, payer=1, due=3, chain=1),
        TributeDemanded(claimant=0, payer=2, due=2, chain=1),
    ]


def test_passed_on_to_nobody_the_claimant_takes_the_pile(game: MakeGame) -> None:
    assert end(game("A-/-/-", Rules(unpaid_tribute="passes_on"))) == (0, 3, 1, True)


@pytest.mark.parametrize("reading", ["lapses", "passes_on", "collects"])
@pytest.mark.parametrize("elimination", ["on_turn", "on_empty"])
def test_with_two_players_all_readings_come_to_the_same(
    game: MakeGame, reading: str, elimination: str
) -> None:
    rules = Rules().replace(unpaid_tribute=reading, elimination=elimination)
    assert end(game("A--Q-/-J-", rules)) == end(
        game("A--Q-/-J-", rules.replace(unpaid_tribute="lapses"))
    )


# -- tributes and jokers -----------------------------------------------------------------------


def test_tributes(game: MakeGame) -> None:
    # Sevens demand two: paid, and once more led when seat 1 has one numeral left less.
    sevens = Rules(tributes={"7": 2})
    assert end(game("7-/---", sevens)) == (0, 6, 2, True)
    # Without a tribute it is a numeral, and seat 0 has turned its two cards first.
    assert end(game("7-/---")) == (1, 4, 1, True)


def test_tributes_beyond_five(game: MakeGame) -> None:
    events = list(game("7-/------------------", Rules(tributes={"7": 15})))
    assert only(TributeDemanded, events)[0].due == 15
    assert only(TrickTaken, events)[0].cards == 16


def test_camicia(game: MakeGame) -> None:
    # Aces demand 1, twos 2, threes 3, and court cards nothing.
    demands = only(TributeDemanded, game("3c Kd 2c/2d Ad 4c Qc 5c", Rules.preset("camicia")))
    assert [event.due for event in demands[:3]] == [3, 2, 2]


def test_letters_are_refused_where_they_may_be_meant_for_tributes(game: MakeGame) -> None:
    with pytest.raises(RulesError, match=r"'K' \(hand 1, card 2\) is a numeral where"):
        game("-K/Q-", Rules.preset("camicia"))


def test_super_joker_demands_five_and_can_be_countered(game: MakeGame) -> None:
    demands = only(TributeDemanded, game("*----/-J---", Rules(joker="super")))
    assert demands[:2] == [
        TributeDemanded(claimant=0, payer=1, due=5, chain=1),
        TributeDemanded(claimant=1, payer=0, due=1, chain=2),
    ]


def test_beggar_joker_is_paid_whatever_the_cards_are(game: MakeGame) -> None:
    events = list(game("*-/-JA*Q-", Rules(joker="beggar")))
    paid = events.index(TributePaid(claimant=0, payer=1))
    assert [event.card.rank for event in only(Turned, events[:paid])] == list("*-JA*Q")
    assert events[paid + 1] == TrickTaken(seat=0, cards=6, tricks=1, by_default=False)
    # The five are seen, though they demand nothing.
    assert only(Turned, events[:paid])[-1].penalties == 5


def test_beggar_joker_unpaid(game: MakeGame) -> None:
    # Four of five: the payer is out.
    assert end(game("*-/KKKK", Rules(joker="beggar"))) == (0, 5, 1, True)


@pytest.mark.parametrize("elimination", ["on_turn", "on_empty"])
def test_grab_takes_the_pile_at_once_also_while_paying(game: MakeGame, elimination: str) -> None:
    events = list(game("-*-/K---", Rules(joker="grab").replace(elimination=elimination)))
    assert events[3:6] == [
        Turned(0, Card.of("*"), 3, 2),
        TrickTaken(seat=0, cards=3, tricks=1, by_default=False),
        Turned(0, Card.of("-"), 4, 2),
    ]


def test_grab_with_the_last_card_keeps_its_player_in(game: MakeGame) -> None:
    # Also under on_empty: the trick that the card completes is collected first.
    events = list(game("*/--", Rules(joker="grab", elimination="on_empty")))
    assert events[:2] == [
        Turned(0, Card.of("*"), 1, 1),
        TrickTaken(seat=0, cards=1, tricks=1, by_default=False),
    ]


def test_a_card_of_tribute_five_is_a_joker(game: MakeGame) -> None:
    events = list(game("50/00", Rules(joker="grab")))
    assert isinstance(events[1], TrickTaken)


# -- lead, pickup, until_penalty ---------------------------------------------------------------


def leaders(game: Game) -> list[int]:
    """Return who turned the first card of each trick."""
    events = list(game)
    turned = [event for event in events if isinstance(event, (Turned, TrickTaken))]
    return [
        event.seat
        for before, event in zip([None, *turned], turned, strict=False)
        if isinstance(event, Turned) and not isinstance(before, Turned)
    ]


def test_lead(game: MakeGame) -> None:
    assert leaders(game("J--/---", Rules(lead="winner")))[:2] == [0, 0]
    assert leaders(game("J--/---", Rules(lead="loser")))[:2] == [0, 1]


def test_loser_without_a_card_leaves_the_lead_to_the_next_who_has_one(game: MakeGame) -> None:
    assert leaders(game("J--/-/---", Rules(lead="loser")))[:2] == [0, 2]
    # After a grab nobody has paid: the seat after the joker's player leads.
    assert leaders(game("*--/-/---", Rules(lead="loser", joker="grab")))[:2] == [0, 1]


@pytest.mark.parametrize(("pickup", "hand"), [("kept", "-QJ-"), ("reversed", "--JQ")])
def test_pickup(game: MakeGame, pickup: str, hand: str) -> None:
    # Seat 0's queen is stopped by seat 1's jack; seat 0 pays one; seat 1 takes Q J -.
    table = game("Q--/J-", Rules().replace(pickup=pickup))
    while (event := table.step()) is not None and not isinstance(event, TrickTaken):
        pass
    assert table.position.hands[1] == Deal.parse(f"{hand}/-").hands[0]


def test_until_penalty(game: MakeGame) -> None:
    # Seat 0 goes on until its jack shows, then seat 1 pays one.
    events = list(game("--J/---", Rules(until_penalty=True)))
    assert [event.seat for event in only(Turned, events)[:4]] == [0, 0, 0, 1]
    # Without penalty cards the first player turns all its cards and is out.
    numerals = "-" * 26
    assert end(game(f"{numerals}/{numerals}", Rules.preset("old-style"))) == (1, 26, 1, True)


# -- shuffles, loops, limits, the budget -------------------------------------------------------


LOOP = "--J-/K-J-"


def test_shuffle_pile(game: MakeGame) -> None:
    rules = Rules.preset("shuffled")
    with pytest.raises(RulesError, match="shuffle_pile needs a seed"):
        game(LOOP, rules)
    deal = Deal.random(1)
    same = [game(deal, rules, seed=5).play() for _ in range(2)]
    assert same[0] == same[1]
    ends = {game(deal, rules, seed=seed).play().cards for seed in range(20)}
    assert len(ends) > 3
    shuffled = only(Shuffled, game(LOOP, rules, seed=1))
    assert len(shuffled) == len(only(TrickTaken, game(LOOP, rules, seed=1)))


def test_a_shuffle_moves_the_cards_of_the_pile_and_no_others(game: MakeGame) -> None:
    orders = set()
    for seed in range(40):
        table = game("K♥ 2♣ 3♣/4♣ 5♣ 6♣ 7♣", Rules.preset("shuffled"), seed=seed)
        while not isinstance(table.step(), TrickTaken):
            pass
        hand = table.position.hands[0]
        assert [str(card) for card in hand[:2]] == ["2c", "3c"]
        assert {str(card) for card in hand[2:]} == {"Kh", "4c", "5c", "6c"}
        orders.add(hand[2:])
    # 24 orders, 40 draws: fewer than ten would be a wonder.
    assert len(orders) >= 10


def test_face_up(game: MakeGame) -> None:
    assert game("K-/Q", Rules.preset("face-up")).view(1).hands == Deal.parse("K-/Q").hands


def test_cycle_identity(game: MakeGame) -> None:
    # Two numerals that change places make the loop by card twice as long, or more.
    by_kind = game("2c3cJ4c/K5cJ6c").play().cycle
    by_card = game("2c3cJ4c/K5cJ6c", Rules(cycle_identity="card")).play().cycle
    assert by_kind is not None
    assert by_card is not None
    assert by_card.period.tricks % by_kind.period.tricks == 0
    assert by_card.period.tricks > by_kind.period.tricks


def test_on_cycle_draw_and_most_cards(game: MakeGame) -> None:
    drawn = game(LOOP, Rules(on_cycle="draw")).play()
    assert (drawn.termination, drawn.winner) == ("loop", None)
    # Equal hands where the loop closes: nobody has most.
    assert game(LOOP, Rules(on_cycle="most_cards")).play().winner is None
    casella = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
    uneven = game(casella, Rules(on_cycle="most_cards")).play()
    assert uneven.hands[0] > uneven.hands[1]
    assert uneven.winner == 0


def test_on_cycle_shuffle_goes_on(game: MakeGame) -> None:
    rules = Rules(on_cycle="shuffle")
    with pytest.raises(RulesError, match="on_cycle='shuffle' needs a seed"):
        game(LOOP, rules)
    events = list(game(LOOP, rules, seed=3))
    closes = events.index(LoopFound(Count(0, 0), Count(16, 4)))
    # The pile of the trick that closes the loop, and no other, is shuffled.
    taken = events[closes - 1]
    assert isinstance(taken, TrickTaken)
    assert events[closes + 1] == Shuffled(taken.seat, taken.cards)
    assert len(only(Shuffled, events)) == len(only(LoopFound, events))
    assert isinstance(events[closes + 2], Turned)


def test_on_cycle_ignore_needs_a_limit(game: MakeGame) -> None:
    with pytest.raises(RulesError, match="needs a limit"):
        Rules(on_cycle="ignore")
    outcome = game(LOOP, Rules(on_cycle="ignore", limit_cards=100)).play()
    assert (outcome.termination, outcome.cards, outcome.tricks) == ("limit", 101, 25)


@pytest.mark.parametrize(
    ("limit", "reached", "cards", "tricks"),
    [
        # Tricks of 5, 3, 5 and 3 cards come round again.
        ({"limit_cards": 1}, "limit_cards", 5, 1),
        ({"limit_tricks": 3}, "limit_tricks", 13, 3),
    ],
)
def test_limits_play_out_the_pile(
    game: MakeGame, limit: dict[str, int], reached: str, cards: int, tricks: int
) -> None:
    events = list(game(LOOP, Rules().replace(**limit)))
    assert events[-2] == LimitReached(reached)
    outcome = game(LOOP, Rules().replace(**limit)).play()
    assert (outcome.termination, outcome.cards, outcome.tricks) == ("limit", cards, tricks)
    assert outcome.last_by_default is None
    most = max(outcome.hands)
    expected = outcome.hands.index(most) if outcome.hands.count(most) == 1 else None
    assert outcome.winner == expected


def test_limit_seconds(game: MakeGame) -> None:
    outcome = game(LOOP, Rules(on_cycle="ignore", limit_seconds=0.05)).play()
    assert outcome.termination == "limit"


def test_a_loop_that_closes_before_a_limit_is_a_loop(game: MakeGame) -> None:
    assert game(LOOP, Rules(limit_tricks=5)).play().termination == "loop"
    # The game is over with its fourth trick before a fifth could show the loop.
    assert game(LOOP, Rules(limit_tricks=4)).play().termination == "limit"


def test_the_budget_leaves_a_game_undecided(game: MakeGame) -> None:
    assert game(LOOP, Rules(budget_tricks=4)).play().termination == "loop"
    outcome = game(LOOP, Rules(budget_tricks=3)).play()
    assert (outcome.termination, outcome.tricks, outcome.winner) == ("undecided", 3, None)
    # A game that ends within the budget is decided.
    assert game("--J/---J", Rules(budget_tricks=5)).play().termination == "won"
    assert game("--J/---J", Rules(budget_tricks=4)).play().termination == "undecided"


def test_orbits_too_long_to_decide_end_at_the_budget(game: MakeGame) -> None:
    rules = Rules(until_penalty=True, lead="loser", pickup="reversed", budget_tricks=20_000)
    outcome = game("00100200/0030000/01000/0000/301", rules).play()
    assert (outcome.termination, outcome.tricks) == ("undecided", 20_000)


# -- the table and the deal ----------------------------------------------------------------------


def test_another_seat_may_lead(game: MakeGame) -> None:
    table = game(Deal.parse("--/J-/-- turn=1"))
    assert table.step() == Turned(1, Card.of("J"), 1, 1)


def test_six_players(game: MakeGame) -> None:
    outcome = game("K-/-/-/-/-/-J").play()
    assert sum(outcome.hands) == 8
    assert len(outcome.out) == 5


def test_the_most_cards_there_may_be(game: MakeGame) -> None:
    half = "-" * 32_767
    outcome = game(f"{half}/{half}-").play()
    assert (outcome.cards, outcome.tricks, outcome.winner) == (65_534, 1, 1)


def test_the_end_of_a_position_that_is_over(game: MakeGame) -> None:
    for text, by_default in (("K-/ out=1 cards=7 tricks=2", False), ("K-/ out=1 default=1", True)):
        table = game(Position.parse(text))
        assert list(table) == [Over(Termination.WON, 0)]
        assert table.outcome is not None
        assert table.outcome.last_by_default is by_default
        assert table.outcome.out == (1,)


def test_rules_for_another_number_of_players_are_refused(game: MakeGame) -> None:
    with pytest.raises(RulesError, match="for 3 players, but there are 2 hands"):
        game("-/-", Rules(players=3))
