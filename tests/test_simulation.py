"""Many games: the published figures, the same whatever plays, sums, and bad input."""

import gc
import json
import os
import signal
import threading
import time
from itertools import islice
from typing import Any

import numpy as np
import pytest

import beggar
from beggar import BeggarError, Card, Deal, Game, Rules, Summary
from beggar.crosscheck import draw
from beggar.simulation import GAME, kernel_for, kernels_here, shuffle_seed, simulate, stream

QUICK = os.environ.get("BEGGAR_TEST_PROFILE") == "quick"
# The figures are of 5 million deals; the tolerances below are four standard errors of
# as many deals as are played here, and as many again for the figures' own.
MANY = 300_000 if QUICK else 5_000_000


def four(deviation: float) -> float:
    return 4 * deviation * float(np.sqrt(1 / MANY + 1 / 5_000_000))


def test_figures_of_random_deals() -> None:
    summary = simulate(MANY, seed=20)
    assert summary.games == MANY
    assert summary.won + summary.looped == MANY
    assert abs(summary.cards.mean - 254.61) < four(206)
    assert abs(summary.tricks.mean - 35.24) < four(28.8)
    assert abs(summary.wins[0] / MANY - 0.4977) < four(0.5)
    assert abs(summary.cards.survival(1000) - 48_453 / 5_000_000) < four(0.098)
    # The share beyond a quantile is the quantile's own, to the same four errors.
    for share, cards in ((0.5, 192), (0.95, 665), (0.99, 994), (0.999, 1461)):
        deviation = float(np.sqrt(share * (1 - share)))
        beyond = summary.cards.survival(cards)
        before = summary.cards.survival(cards - 1)
        assert beyond - four(deviation) < 1 - share < before + four(deviation)


@pytest.mark.parametrize(
    ("rules", "cards", "tricks", "first", "deviations"),
    [
        (Rules.preset("camicia"), 190.81, 30.62, 0.4974, (156, 25.4)),
        (Rules(deck="french-26"), 63.31, 9.28, 0.4951, (50, 7)),
    ],
)
def test_figures_of_other_decks(
    rules: Rules, cards: float, tricks: float, first: float, deviations: tuple[float, float]
) -> None:
    summary = simulate(MANY, seed=21, rules=rules)
    assert abs(summary.cards.mean - cards) < four(deviations[0]) + 0.005
    assert abs(summary.tricks.mean - tricks) < four(deviations[1]) + 0.005
    assert abs(summary.wins[0] / MANY - first) < four(0.5) + 0.00005


def test_the_same_whatever_plays() -> None:
    first = simulate(60_000, seed=4, keep="games")
    for options in (
        *({"kernel": kernel, "threads": 1} for kernel in kernels_here()),
        {"threads": 3},
    ):
        other = simulate(60_000, seed=4, keep="games", **options)  # type: ignore[arg-type]
        assert other._replace(kept=None) == first._replace(kept=None)
        assert other.kept is not None
        assert first.kept is not None
        assert (other.kept == first.kept).all()


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(elimination="on_empty"),
        Rules(lead="loser", until_penalty=True, budget_tricks=3000),
        Rules(players=3, unpaid_tribute="collects"),
        # Who holds a joker that grabs never loses it, so two of them play for ever.
        Rules(players=6, jokers=2, joker="grab", budget_tricks=500),
        Rules(jokers=1),
        Rules(shuffle_pile=True),
        Rules(cycle_identity="card", deck="french-26"),
        Rules(limit_cards=100),
        Rules(deck="camicia-20", tributes={"A": 1, "2": 2, "3": 3}),
    ],
    ids=str,
)
def test_every_game_is_what_the_game_says(rules: Rules) -> None:
    summary = simulate(300, seed=6, rules=rules, keep="games")
    assert summary.kept is not None
    assert summary.kept.dtype == GAME
    ends: list[str] = []
    for number in range(0, 300, 7):
        deal = summary.deal(number)
        game = Game(deal, rules, seed=shuffle_seed(6, number))
        outcome = game.play()
        cards, tricks, winner, by_default, _ = summary.kept[number].tolist()
        assert (cards, tricks) == (outcome.cards, outcome.tricks)
        assert winner == (-1 if outcome.winner is None else outcome.winner)
        assert by_default == bool(outcome.last_by_default)
        ends.append(outcome.termination)
    assert summary.games == 300
    assert summary.won + summary.looped + summary.limited + summary.undecided == 300
    for sample in (summary.longest, summary.shortest):
        if sample is not None:
            assert str(summary.deal(sample.number)) == sample.deal
            end = beggar.play(Deal.parse(sample.deal), rules, seed=shuffle_seed(6, sample.number))
            assert (end.cards, end.tricks, end.winner) == sample[3:]


def test_the_longest_and_the_shortest_are_the_first_of_equals() -> None:
    summary = simulate(50_000, seed=1, rules=Rules(deck="camicia-20"), keep="games")
    assert summary.kept is not None
    assert summary.longest is not None
    assert summary.shortest is not None
    assert summary.longest.number == int(summary.kept["cards"].argmax())
    assert summary.shortest.number == int(summary.kept["cards"].argmin())


def test_loops_are_found_with_their_deals() -> None:
    rules = Rules.preset("camicia").replace(deck="camicia-20")
    summary = simulate(2_000_000, seed=3, rules=rules)
    # 16 of 3,488,400 deals never end: about nine here.
    assert 1 <= summary.looped == len(summary.loops) <= 30
    for loop in summary.loops:
        outcome = beggar.play(Deal.parse(loop.deal), rules)
        assert outcome.cycle is not None
        assert (outcome.cycle.transient, outcome.cycle.period) == (loop.transient, loop.period)
        assert str(summary.deal(loop.number)) == loop.deal
    assert [loop.number for loop in summary.loops] == sorted(loop.number for loop in summary.loops)


def test_sums_are_exact() -> None:
    deals = [beggar.Deal.random(seed) for seed in range(60)]
    whole = simulate(deals=deals, keep="games")
    parts = [simulate(deals=deals[:25], keep="games"), simulate(deals=deals[25:], keep="games")]
    total = parts[0] + parts[1]
    assert total.games == 60
    assert total.cards == whole.cards
    assert total.tricks == whole.tricks
    assert total.wins == whole.wins
    assert total.longest is not None
    assert whole.longest is not None
    assert total.longest.deal == whole.longest.deal
    assert total.kept is not None
    assert (total.kept == whole.kept).all()
    with pytest.raises(BeggarError, match="different rules or players"):
        whole + simulate(10, rules=Rules(lead="loser"))
    assert sum(parts) == total
    two = simulate(100, seed=1) + simulate(100, seed=2)
    assert two.seed is None
    with pytest.raises(BeggarError, match="those of one seed"):
        two.deal(3)


def test_json_round_trips() -> None:
    for rules in (Rules(), Rules.preset("camicia").replace(deck="camicia-20")):
        summary = simulate(200_000, seed=3, rules=rules)
        told = json.loads(json.dumps(summary.as_json()))
        assert Summary.from_json(told) == summary
        assert told["cards"]["mean"] == summary.cards.mean
    for wrong in ({"games": 3}, {**told, "games": "x"}):
        with pytest.raises(BeggarError, match="no summary"):
            Summary.from_json(wrong)
    with pytest.raises(BeggarError, match="a histogram: expected whole numbers"):
        Summary.from_json({**told, "cards": {"histogram": [1.5]}})


def test_distribution() -> None:
    values = np.array([3, 3, 4, 7, 7, 7, 12])
    cards = beggar.summary.Distribution(np.bincount(values))
    assert cards.total == 7
    assert cards.mean == pytest.approx(values.mean())
    assert cards.moment(3) == pytest.approx((values**3).mean())
    assert cards.std == pytest.approx(values.std(ddof=1))
    assert cards.standard_error == pytest.approx(values.std(ddof=1) / np.sqrt(7))
    assert (cards.min, cards.max, cards.mode) == (3, 12, 7)
    for q in (0, 0.1, 0.5, 0.9, 1):
        assert cards.quantile(q) == np.quantile(values, q, method="inverted_cdf")
    assert cards.survival(7) == pytest.approx(1 / 7)
    assert cards.survival(2.5) == 1
    with pytest.raises(BeggarError, match=r"quantile: '1\.5'"):
        cards.quantile(1.5)
    nothing = beggar.summary.Distribution([])
    assert (nothing.total, nothing.min, nothing.quantile(0.5)) == (0, None, None)


def test_deals_that_are_given() -> None:
    mixed = ["--J/---J", "K/Q", "--J-/K-J-", "K-/Q turn=1", "0012/3000", "*-/K-", "A" * 40 + "/-"]
    deals = [Deal.parse(text) for text in mixed]
    for kernel in kernels_here():
        summary = simulate(deals=iter(deals), kernel=kernel, keep="games")
        assert summary.games == 7
        assert summary.seed is None
        assert summary.kept is not None
        for deal, game in zip(deals, summary.kept, strict=True):
            assert game["cards"] == beggar.play(deal).cards
    assert simulate(3, deals=iter(deals)).games == 3
    endless = (deals[0] for _ in iter(int, 1))
    assert simulate(40_000, deals=endless).cards.mean == 22


@pytest.mark.parametrize("number", range(40))
def test_every_kernel_gives_what_the_core_gives_by_any_rules(number: int) -> None:
    # A field that the lanes do not know must send the game to the core.
    case = draw(31, number)
    rules = case.rules.replace(players=None, jokers=number % 3, budget_tricks=300)
    if rules.tributes == Rules().tributes and number % 2:
        rules = rules.replace(tributes={"A": 4, "K": 2})
    ends = {
        kernel: simulate(40, players=2, seed=number, rules=rules, kernel=kernel, keep="games")
        for kernel in kernels_here()
    }
    for kernel, summary in ends.items():
        assert summary == ends["core"], kernel


@pytest.mark.parametrize("joker", ["beggar", "grab"])
def test_jokers_that_the_lanes_do_not_know(joker: str) -> None:
    rules = Rules.preset("camicia").replace(jokers=1, joker=joker)
    assert kernel_for(rules, 2) == "core"
    summary = simulate(500, seed=3, rules=rules)
    assert summary.longest is not None
    end = beggar.play(summary.deal(summary.longest.number), rules)
    assert (end.cards, end.tricks) == (summary.longest.cards, summary.longest.tricks)


def test_numpy_numbers() -> None:
    summary = simulate(np.int64(500), players=np.int64(3), seed=np.uint64(1), keep="games")  # type: ignore[arg-type]
    assert summary.kept is not None
    longest: Any = summary.kept["cards"].argmax()
    assert summary.deal(longest) == summary.deal(int(longest))
    assert json.dumps(summary.as_json())


def test_given_rows_are_played_like_given_deals() -> None:
    rows = np.random.default_rng(3).integers(0, 6, (3000, 17))
    deals = [
        Deal([[Card.tributed(int(t)) for t in row[:9]], [Card.tributed(int(t)) for t in row[9:]]])
        for row in rows
    ]
    for rules in (Rules(budget_tricks=500), Rules(lead="loser", budget_tricks=500)):
        of_rows = simulate(deals=rows, rules=rules, keep="games", seed=1)
        assert of_rows == simulate(deals=deals, rules=rules, keep="games", seed=1)
        assert of_rows.kept is not None
        for at in range(0, 3000, 211):
            assert of_rows.kept["cards"][at] == beggar.play(deals[at], rules).cards


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such timer there")
def test_stopping_a_simulation_stops_its_threads() -> None:
    # Games of ten million tricks each: nobody waits for them once nobody wants them.
    rules = Rules(players=2, jokers=2, joker="grab", budget_tricks=None)
    before = threading.active_count()
    start = time.monotonic()
    gc.collect()
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            for _ in stream(100_000, rules=rules, seed=1, threads=2):
                pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert time.monotonic() - start < 3
    assert threading.active_count() == before


def test_a_stream_covers_the_deals_from_the_first_on() -> None:
    steps = list(islice(stream(600_000, seed=9, threads=2), 2))
    assert steps[0].games < steps[1].games < 600_000
    assert steps[1] == simulate(steps[1].games, seed=9)


def test_simulations_in_threads_do_not_mix() -> None:
    results: dict[int, Summary] = {}

    def run(seed: int) -> None:
        results[seed] = simulate(30_000, seed=seed, threads=2)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == {seed: simulate(30_000, seed=seed) for seed in range(4)}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"n": 0}, "n: '0' is not a count: expected a whole number from 1"),
        ({"n": -3}, "n: '-3'"),
        ({"n": 1.5}, r"n: '1\.5'"),
        ({"n": None}, "n: 'None'"),
        ({"n": 10, "threads": 0}, "threads: '0'"),
        ({"n": 10, "kernel": "steam"}, "kernel: 'steam' is not a kernel of this machine"),
        ({"n": 10, "keep": "all"}, "keep: 'all' is not a value"),
        ({"n": 10, "seed": -1}, "seed: '-1' is not a value"),
        ({"n": 10, "players": 7}, "players: '7'"),
        ({"n": 10, "players": 3, "rules": Rules(players=2)}, "3 players, but the rules are for 2"),
        ({"n": 10, "rules": "classic"}, "'classic' are no rules"),
        ({"deals": 5}, "deals: '5' are no deals"),
        ({"deals": []}, "no deals were given"),
        ({"deals": ["K/Q"]}, "deal 0: 'K/Q' is not a Deal"),
        ({"deals": np.zeros((2, 4))}, "expected rows of whole numbers"),
        ({"deals": np.full((2, 4), 9)}, "row 0 goes beyond 0 to 5"),
        ({"deals": [Deal.parse("K/Q"), Deal.parse("K/Q/J")]}, "deal 1 has 3 hands: expected 2"),
    ],
)
def test_bad_input(options: dict[str, Any], said: str) -> None:
    with pytest.raises(BeggarError, match=said):
        simulate(**options)


def test_kernels(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    assert kernel_for(Rules(), 2) == kernels_here()[-2]
    monkeypatch.setenv("BEGGAR_KERNEL", "portable")
    assert kernel_for(Rules(), 2) == "portable"
    assert kernel_for(Rules(), 2, "core") == "core"
    caplog.set_level("DEBUG", "beggar")
    for _ in range(2):
        assert kernel_for(Rules(jokers=2), 2) == "core"
    # Said once, at debug level.
    said = [record.getMessage() for record in caplog.records]
    assert said == [
        "kernel portable does not play this deck (2 players, french-52, 2 jokers): the core does"
    ]
    monkeypatch.setenv("BEGGAR_KERNEL", "steam")
    with pytest.raises(BeggarError, match="BEGGAR_KERNEL: 'steam' is not a kernel"):
        kernel_for(Rules(), 2)


def test_a_small_budget_is_the_cores(recwarn: pytest.WarningsRecorder) -> None:
    rules = Rules(budget_tricks=10)
    summary = simulate(1000, seed=1, rules=rules)
    assert summary.undecided > 500
    assert not recwarn.list
