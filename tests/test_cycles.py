"""Loops: states a trick on and a trick back, names, basins, and the published ones."""

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

import pytest
from hypothesis import assume, given

from beggar import BeggarError, Card, Deal, Game, Rules, _states, play
from beggar.cycles import cycle_of, predecessors, run_up
from beggar.outcome import Count, Termination
from beggar.space import Space
from strategies import deals, rules

CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
CAMICIA = "00302020303100000310/00100200002000000010"

State = tuple[bytes, bytes]

FLAGS = {
    bits: Rules(
        elimination="on_empty" if on_empty else "on_turn",
        lead="loser" if loser else "winner",
        pickup="reversed" if reversed_ else "kept",
        until_penalty=bool(until),
    )
    for bits, (until, reversed_, loser, on_empty) in enumerate(product((0, 1), repeat=4))
}


def states(cards: list[int]) -> Iterator[State]:
    """Yield every arrangement of some cards in every split."""
    for row in sorted(set(permutations(cards))):
        for first in range(1, len(row)):
            yield bytes(row[:first]), bytes(row[first:])


def deal_of(state: State) -> Deal:
    return Deal([[Card.tributed(tribute) for tribute in hand] for hand in state])


def played(state: State, rules: Rules, engine: str) -> tuple[State, int, bool] | None:
    """Play one trick by an engine: the state after it, or None if the game is over."""
    game = Game(deal_of(state), rules, engine=engine)
    while True:
        events = game.turn_card()
        if game.outcome is not None and game.outcome.termination is Termination.WON:
            return None
        at = game.position
        if not at.pile and events:
            hands = [bytes(int(str(card)) for card in hand) for hand in at.hands]
            after = (hands[at.turn], hands[1 - at.turn])
            return after, at.cards, at.turn == 1


@pytest.mark.parametrize("bits", FLAGS)
@pytest.mark.parametrize(
    "cards", [[0, 0, 0, 1, 2], [0, 0, 0, 0, 1, 1], [0, 0, 1, 2, 3], [0, 4, 1, 1]]
)
def test_brute_force_finds_no_other_predecessor(bits: int, cards: list[int]) -> None:
    brute(cards, bits, "reference")


@pytest.mark.parametrize("cards", [[0] * 6 + [1, 2, 3], [0] * 5 + [1, 1, 2], [0] * 7 + [1, 4]])
def test_brute_force_over_larger_decks(cards: list[int]) -> None:
    for bits in (0, 1, 2, 12):
        brute(cards, bits, "core")


def brute(cards: list[int], bits: int, engine: str) -> None:
    """Play a trick from every state, and go a trick back from every one."""
    before = defaultdict(set)
    there = list(states(cards))
    for state in there:
        after = played(state, FLAGS[bits], engine)
        told = _states.trick(*state, bits)
        assert (told is None) == (after is None)
        if after is not None and told is not None:
            assert ((told[0], told[1]), told[2], told[3]) == after
            before[after[0]].add((*state, *after[1:]))
    for state in there:
        found = _states.tricks_before(*state, bits)
        assert len(set(found)) == len(found)
        assert set(found) == before[state]


@given(deals(max_cards=20, players=2), rules())
def test_predecessors_replay(deal: Deal, rules: Rules) -> None:
    rules = rules.replace(
        shuffle_pile=False,
        on_cycle="draw",
        joker="super",
        cycle_identity="kind",
        limit_cards=None,
        limit_tricks=None,
    )
    cards = [card for hand in deal.hands for card in hand]
    assume(not any(card.is_joker for card in cards))
    bits = next(
        bits
        for bits, flags in FLAGS.items()
        if (flags.elimination, flags.lead, flags.pickup, flags.until_penalty)
        == (rules.elimination, rules.lead, rules.pickup, rules.until_penalty)
    )
    deal = Deal(deal.hands)
    for state in predecessors(deal, rules):
        hands = [bytes(rules.tribute(card) for card in hand) for hand in state.hands]
        after = _states.trick(hands[0], hands[1], bits)
        assert after is not None
        wanted = tuple(bytes(rules.tribute(card) for card in hand) for hand in deal.hands)
        assert after[:2] == wanted


def test_casella() -> None:
    ring = cycle_of(CASELLA)
    assert ring.period == ring.period_up_to_seats == Count(440, 62)
    assert len(ring.states) == 62
    assert sum(ring.cards) == 440
    basin = ring.basin()
    assert basin.whole
    assert basin.size == 2670
    found = basin.deals((26, 26))
    assert len(found) == 30
    space = Space.of("french-52")
    for one in found:
        assert space.unrank(one.rank) == one.deal
        end = play(one.deal)
        assert end.cycle is not None
        assert end.cycle.period == Count(440, 62)
        assert end.cycle.transient == one.run_up
        assert cycle_of(one.deal).name == ring.name
    assert Deal.parse(CASELLA) in [one.deal for one in found]


@pytest.mark.parametrize(
    ("deal", "period", "states", "deals"),
    [
        # Found around Casella's by hunting.
        ("-----------------KQ--K-J--/Q-K---Q-KAQJ--A----AAJ--J-", (440, 62), 2670, 34),
        ("--------A----K-J----------/KAAJ----Q-Q-K---Q-KAQJ--J-", (440, 62), 2520, 28),
        ("0000000000000000032010/203000203421004030010040400010", (418, 58), 2434, 0),
    ],
)
def test_loops_around_casellas(deal: str, period: tuple[int, int], states: int, deals: int) -> None:
    ring = cycle_of(deal)
    assert ring.period == period
    basin = ring.basin()
    assert (basin.size, len(basin.deals((26, 26)))) == (states, deals)
    assert ring.name != cycle_of(CASELLA).name


def test_camicia() -> None:
    ring = cycle_of(CAMICIA)
    assert (ring.period, ring.period_up_to_seats) == (Count(546, 84), Count(273, 42))
    found = ring.basin().deals((20, 20))
    assert len(found) == 90
    assert {cycle_of(one.deal).name for one in found} == {ring.name}


def test_the_name_is_the_same_from_everywhere() -> None:
    ring = cycle_of("--J-/K-J-")
    basin = ring.basin()
    for number in range(basin.size):
        state = basin.state(number)
        assert cycle_of(state).name == ring.name
        # The other seat may lead, and the cards may be written in other ways.
        turned = Deal(state.hands[::-1], leader=1)
        assert cycle_of(turned).name == ring.name
        assert cycle_of(Deal.parse(state.text("tribute"))).name == ring.name
    assert cycle_of(ring.name).name == ring.name


@pytest.mark.parametrize("bits", FLAGS)
def test_a_basin_is_all_that_leads_there(bits: int) -> None:
    """Against following every state of a small deck to its end."""
    cards = [0, 0, 0, 0, 1, 1, 3]
    by_cycle: dict[str, set[tuple[str, str]]] = defaultdict(set)
    flags = FLAGS[bits]
    for state in states(cards):
        deal = deal_of(state)
        if play(deal, flags).termination is Termination.LOOP:
            by_cycle[cycle_of(deal, flags).name].add(tuple(str(deal).split("/")))  # type: ignore[arg-type]
    for name, members in by_cycle.items():
        basin = cycle_of(name, flags).basin()
        found = [tuple(str(basin.state(number)).split("/")) for number in range(basin.size)]
        assert len(set(found)) == len(found)
        assert set(found) == members


@given(deals(max_cards=14), rules())
def test_cycles_under_any_rules(deal: Deal, rules: Rules) -> None:
    rules = rules.replace(shuffle_pile=False, on_cycle="draw", limit_cards=None, limit_tricks=None)
    end = play(deal, rules)
    if end.cycle is None:
        with pytest.raises(BeggarError, match="has no loop: "):
            cycle_of(deal, rules)
        return
    ring = cycle_of(deal, rules)
    assert ring.period == end.cycle.period
    assert ring.period_up_to_seats == end.cycle.period_up_to_seats
    short = ring.period_up_to_seats or ring.period
    assert (sum(ring.cards), len(ring.cards)) == short
    assert len(ring.states) == len(ring.cards)


def test_run_up_of_a_finite_game() -> None:
    back = run_up("--J-/K--J-")
    assert back.whole
    assert back.deepest == 8
    for number in range(back.size):
        state, count = back.state(number), back.run_up(number)
        # Played on so many tricks, it comes to the position.
        leader, other = (bytes(map(Rules().tribute, hand)) for hand in state.hands)
        cards = 0
        for _ in range(count.tricks):
            after = _states.trick(leader, other, 0)
            assert after is not None
            leader, other, turned, _ = after
            cards += turned
        assert (leader, other) == (bytes([0, 0, 1, 0]), bytes([3, 0, 0, 1, 0]))
        assert cards == count.cards


def test_a_cap_stops_and_keeps() -> None:
    ring = cycle_of(CASELLA)
    basin = ring.basin(1000)
    assert not basin.whole
    assert basin.size == 1000
    whole = ring.basin()
    assert [basin.state(n) for n in range(0, 1000, 100)] == [
        whole.state(n) for n in range(0, 1000, 100)
    ]
    assert ring.basin(2670).whole
    assert not ring.basin(2669).whole


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: cycle_of("K/Q"), "'K/Q' has no loop: it ends after 2 cards and 1 trick, won by"),
        (
            lambda: cycle_of("--J-/K-J-", Rules(limit_cards=3)),
            "a limit of the rules ends it after",
        ),
        (
            lambda: cycle_of(CASELLA, Rules(budget_tricks=20)),
            "it is undecided after 152 cards and 20 tricks, the budget",
        ),
        (lambda: run_up("J/-/-"), "no basins for 3 players: expected 2"),
        (lambda: run_up("-" * 40 + "/" + "-" * 40), "no basins for 80 cards: expected 63"),
        (lambda: predecessors("J/-", Rules(cycle_identity="card")), "cards told apart"),
        (lambda: run_up("J/*", Rules(joker="grab")), "joker=grab: expected super"),
        (lambda: run_up("J/-", Rules(shuffle_pile=True)), "piles that are shuffled"),
        (lambda: cycle_of("--J-/K-J-").basin(0), "most: '0' is not a count"),
    ],
)
def test_what_is_refused(make: object, said: str) -> None:
    with pytest.raises(BeggarError) as caught:
        make()  # type: ignore[operator]
    assert said in str(caught.value)


def run(command: str, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, "loops", *words],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_command(command: str) -> None:
    done = run(command, "--J-/K-J-", "--basin", "--states")
    assert done.stdout.splitlines() == [
        "--J-/K-J-",
        "  enters its cycle after 0 cards and 0 tricks",
        "  once round: 16 cards and 4 tricks, 8 cards and 2 tricks up to seats",
        "  cycle: 0010/3010",
        "    --J-/K-J-  5 cards",
        "    --K-J-/J-  3 cards",
        "  basin: 18 states, up to 2 tricks away, among them 4 deals of 4+4 cards",
        "    farthest: J--/-J--K  5 cards and 2 tricks before",
        "     36  --J-/J--K  after 3 cards and 1 trick",
        "     40  --J-/K-J-  after 0 cards and 0 tricks",
        "    130  J-K-/---J  after 8 cards and 2 tricks",
        "    159  K-J-/-J--  after 4 cards and 1 trick",
    ]


def test_a_stream_goes_on_after_a_finite_deal(command: str) -> None:
    done = run(command, "--json", "-", text="K/Q\n--J-/K-J-\nK-X/Q\n")
    assert done.returncode == 2
    assert json.loads(done.stdout)["cycle"] == "0010/3010"
    lines = done.stderr.splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(
        "beggar: standard input, line 1: 'K/Q' has no loop: it ends after 2 cards and 1 trick"
    )
    assert "line 3" in lines[1]


def test_a_basin_larger_than_the_cap(command: str) -> None:
    done = run(command, CASELLA, "--basin", "--most", "500", "--json")
    assert done.returncode == 2
    told = json.loads(done.stdout)["basin"]
    assert (told["states"], told["whole"]) == (500, False)
    assert "more than 500 states lead there" in done.stderr


def test_the_command_of_a_finite_position(command: str) -> None:
    told = json.loads(run(command, "--J-/K--J-", "--run-up", "--json").stdout)
    assert told["run_up"]["states"] == 55
    assert "cycle" not in told


def test_a_loop_without_a_basin_is_told(command: str) -> None:
    words = ("*-/J-/-A", "--set", "joker=grab", "--set", "pickup=reversed")
    done = run(command, *words, "--set", "unpaid_tribute=collects", "--basin")
    assert done.returncode == 2
    assert "  cycle: " in done.stdout
    assert "no basins for " in done.stderr
    done = run(command, "K/Q", "--run-up", "--basin")
    assert done.returncode == 2
    assert "'K/Q' has no loop" in done.stderr


def test_names_tell_jokers_from_other_fives() -> None:
    from beggar.enumeration import enumerate_deals

    rules = Rules(joker="grab", pickup="reversed", tributes={"A": 5, "K": 3})
    cards = [Card.of("A")] * 6 + [Card.of("*")] * 2
    done = enumerate_deals(Space.of_cards(cards, [7, 1], rules), rules=rules)
    for cycle in done.cycles:
        for deal in cycle.deals:
            end = play(done.space.unrank(deal.rank), rules)
            assert end.cycle is not None
            assert end.cycle.period == cycle.period


def test_the_ring_is_drawn(command: str, tmp_path: Path) -> None:
    path = tmp_path / "basin.svg"
    assert run(command, CASELLA, "--plot", str(path)).returncode == 0
    assert path.stat().st_size > 50_000
    done = run(command, CASELLA, "--plot", str(tmp_path / "basin.txt"))
    assert done.returncode == 2
    assert "is no picture" in done.stderr


def test_the_layout_of_a_basin_keeps_states_apart() -> None:
    import numpy as np

    from beggar.ring import layout

    basin = cycle_of(CASELLA).basin()
    places = layout(basin.next, basin.depth)
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(9), axis=0)) == basin.size
    # Trees stay outside the ring.
    assert (np.hypot(*places.T) >= 0.99).all()
