"""Every deal of a deck: published figures, every kernel, ranges that add up."""

import json
import subprocess
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from beggar import BeggarError, Rules, play
from beggar.enumeration import Enumeration, enumerate_deals
from beggar.outcome import Count, Termination
from beggar.simulation import kernels_here
from beggar.space import Space


@pytest.mark.parametrize("kernel", [name for name in kernels_here() if name != "core"])
def test_all_of_camicia_20(kernel: str) -> None:
    done = enumerate_deals("camicia-20", kernel=kernel)
    summary = done.summary
    assert done.complete
    assert summary.games == 3_488_400
    assert done.endless == summary.looped == 16
    assert summary.won == 3_488_400 - 16
    assert round(summary.cards.mean, 6) == 47.764699
    assert round(summary.tricks.mean, 6) == 8.200411
    assert summary.longest is not None
    assert (summary.longest.cards, summary.longest.tricks) == (517, 83)
    assert summary.cards.mode == 18
    assert summary.cards.counts[18] == 251_783
    assert summary.wins[0] == 1_722_372


def test_on_empty_by_the_core() -> None:
    done = enumerate_deals("camicia-20", rules=Rules(elimination="on_empty"))
    assert done.summary.cards.mode is not None
    assert done.summary.cards.counts[done.summary.cards.mode] == 323_481


@pytest.mark.parametrize(
    ("deck", "rules"),
    [
        ("5:2:0:1", Rules()),
        ("4:1:1:1:1", Rules()),
        ("4:1:1:1:1", Rules(elimination="on_empty")),
        ("4:1:1:1:1", Rules(lead="loser", pickup="reversed")),
        ("3:1:1:0:1:1", Rules()),
        ("4:1:1:1", Rules(cycle_identity="card", limit_tricks=5)),
        ("2:4", Rules(until_penalty=True)),
    ],
)
@pytest.mark.parametrize("split", [None, (3, 5), (7, 1)])
def test_against_playing_one_by_one(deck: str, rules: Rules, split: tuple[int, int] | None) -> None:
    cards = sum(map(int, deck.split(":")))
    sizes = None if split is None else (split[0], cards - split[0])
    if sizes and sizes[1] < 1:
        pytest.skip("no such hands")
    space = Space.of(deck, sizes)
    done = enumerate_deals(space, rules=rules, threads=1)
    outcomes = [play(deal, rules) for deal in space.deals()]
    won = [end for end in outcomes if end.termination is Termination.WON]
    assert done.summary.games == len(outcomes)
    assert done.summary.won == len(won)
    counts = np.bincount([end.cards for end in won])
    assert done.summary.cards.counts.tolist() == counts.tolist()
    wins = [sum(end.winner == seat for end in outcomes) for seat in range(2)]
    assert list(done.summary.wins) == wins
    loops = {
        rank: end.cycle for rank, end in enumerate(outcomes) if end.termination is Termination.LOOP
    }
    found = {
        deal.rank: (cycle.period, deal.transient) for cycle in done.cycles for deal in cycle.deals
    }
    assert set(found) == set(loops)
    for rank, cycle in loops.items():
        assert cycle is not None
        assert found[rank] == (cycle.period, cycle.transient)


@pytest.mark.parametrize(
    "tributes", [{"2": 7}, {"2": 7, "A": 1}, {"2": 7, "A": 1, "3": 2}, {"K": 15, "7": 3}]
)
def test_tributes_that_no_notation_has(tributes: dict[str, int]) -> None:
    # Played by the lanes and by the core, and in ranges that add up.
    rules = Rules(tributes=tributes)
    space = Space.of("camicia-20", rules=rules)
    whole = enumerate_deals(space, 0, min(space.count, 30_000), rules=rules)
    assert whole == enumerate_deals(space, 0, min(space.count, 30_000), rules=rules, kernel="core")
    parts = [enumerate_deals(space, *part, rules=rules) for part in ((0, 77), (77, 190))]
    assert parts[0] + parts[1] == enumerate_deals(space, 0, 190, rules=rules)
    assert Enumeration.from_json(json.loads(json.dumps(whole.as_json()))) == whole


@pytest.mark.parametrize(
    "change",
    [
        {"ranges": [["0", 21]]},
        {"ranges": [[0, None]]},
        {"ranges": [[0, 22]], "games": 22},
        {"wins": ["x", 1]},
        {"won": 20},
        {"cycles": [{"name": "x"}]},
        {"longest": {**enumerate_deals("5:2").as_json()["longest"], "cards": "x"}},
        {"space": {**enumerate_deals("5:2").as_json()["space"], "labels": [1]}},
        {"cards": {"histogram": []}},
    ],
)
def test_what_contradicts_itself(change: dict[str, object]) -> None:
    told = enumerate_deals("5:2").as_json()
    assert Enumeration.from_json(told).complete
    with pytest.raises(BeggarError, match="this is no enumeration|a histogram"):
        Enumeration.from_json({**told, **change})


def test_three_players() -> None:
    space = Space.of("5:1:1:1", [3, 3, 2])
    done = enumerate_deals(space, rules=Rules(unpaid_tribute="passes_on"))
    assert done.summary.games == space.count == 336
    assert sum(done.summary.wins) == done.summary.won
    assert done.summary.players == 3


@pytest.mark.parametrize("cuts", [(100,), (1, 2, 3), (50_000, 3_000_000), (131_072, 262_144)])
def test_ranges_add_up(cuts: tuple[int, ...]) -> None:
    whole = enumerate_deals("8:2:2:2")
    space = Space.of("8:2:2:2")
    inside = [cut for cut in cuts if cut < space.count]
    edges = [0, *inside, space.count]
    parts = [
        enumerate_deals(space, start, stop, threads=1 + start % 2)
        for start, stop in pairwise(edges)
    ]
    total = parts[-1]
    for part in parts[:-1]:
        total = total + part
    assert total == whole
    assert whole.endless
    again = Enumeration.from_json(json.loads(json.dumps(whole.as_json())))
    assert again == whole


def test_ranges_that_overlap_do_not_add_up() -> None:
    one, two = enumerate_deals("5:2", 0, 10), enumerate_deals("5:2", 9, 15)
    with pytest.raises(BeggarError, match="the ranges 0:10 and 9:15 overlap"):
        _ = one + two
    with pytest.raises(BeggarError, match="cannot be added"):
        _ = one + enumerate_deals("4:3", 10, 15)
    with pytest.raises(BeggarError, match="this is no enumeration"):
        Enumeration.from_json({"space": 1})
    wrong = one.as_json()
    wrong["ranges"] = [[0, 11]]
    with pytest.raises(BeggarError, match="its ranges are not those of its games"):
        Enumeration.from_json(wrong)


def test_cycles_by_name() -> None:
    done = enumerate_deals("camicia-20")
    (cycle,) = done.cycles
    assert (cycle.period, cycle.period_up_to_seats) == (Count(74, 10), Count(37, 5))
    assert len(cycle.deals) == 16
    for deal in cycle.deals:
        end = play(done.space.unrank(deal.rank))
        assert end.cycle is not None
        assert (end.cycle.period, end.cycle.transient) == (cycle.period, deal.transient)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"space": "tarot"}, "no deck 'tarot'"),
        ({"stop": 4000}, "the range 0:4000 goes beyond 0:21"),
        ({"start": 9, "stop": 3}, "goes backwards"),
        ({"rules": Rules(shuffle_pile=True)}, "a game with shuffles"),
        ({"rules": Rules(players=3)}, "2 hands, but the rules are for 3 players"),
        ({"threads": 0}, "threads: '0' is not a count"),
        ({"kernel": "fast"}, "kernel: 'fast' is not a kernel"),
    ],
)
def test_what_is_refused(fields: dict[str, object], said: str) -> None:
    with pytest.raises(BeggarError) as caught:
        enumerate_deals(**{"space": "5:2", **fields})  # type: ignore[arg-type]
    assert said in str(caught.value)


def run(command: str, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, "enumerate", *words],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_command_tells(command: str) -> None:
    done = run(command, "camicia-20")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("all 3,488,400 deals of 14 0, 2 1, 2 2, 2 3 in hands of 10+10, in ")
    assert lines[1] == "won by: seat 0 1,722,372, seat 1 1,766,012"
    assert "longest: 517 cards, 83 tricks, rank 2,320,485: 0301000020/0002000013" in lines
    assert "never end: 16 deals, in 1 cycle" in lines
    assert "74 cards, 10 tricks once round (37 and 5 up to seats)" in lines[-1]


def test_the_command_adds_up_ranges(command: str, tmp_path: Path) -> None:
    folder = tmp_path
    for number, span in enumerate(("0:1k", "1000:")):
        done = run(command, "8:2:2:2", "--range", span, "--json")
        (folder / f"{number}.json").write_text(done.stdout)
    total = run(command, "--add", str(folder / "1.json"), str(folder / "0.json"), "--json")
    whole = json.loads(run(command, "8:2:2:2", "--json").stdout)
    del whole["seconds"]
    assert json.loads(total.stdout) == whole
    twice = run(command, "--add", str(folder / "0.json"), str(folder / "0.json"))
    assert twice.returncode == 2
    assert "the ranges 0:1000 and 0:1000 overlap" in twice.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "no deck: expected a name such as camicia-20"),
        (("tarot",), "no deck 'tarot'"),
        (("5:2", "6:1"), "are 2 decks: expected one"),
        (("5:2", "--range", "5"), "--range: '5': expected A:B"),
        (("5:2", "--range", "a:b"), "--range: 'a' in 'a:b' is not a rank"),
        (("5:2", "--range", "9:3"), "the range 9:3 is empty or goes backwards"),
        (("5:2", "--range", "0:22"), "the range 0:22 goes beyond 0:21"),
        (("5:2", "--hands", "4+4"), "hands of 4+4 = 8 cards: expected 7"),
        (("5:2", "--hands", "x"), "--hands: 'x': expected sizes"),
        (("--add",), "--add: expected the JSON files"),
        (("--add", "x", "--kernel", "core"), "--add: expected files alone"),
        (("10000:10000",), "more than 10**4000 ways"),
        (("5:2", "--set", "jokers=1"), "jokers=1 with '5:2': expected them among the counts"),
        (("5:2", "--set", "players=3"), "2 hands, but the rules are for 3 players"),
        (("5:2", "--threads", "99999"), "threads: 99,999 are too many"),
        (("--add", "/nowhere"), "cannot read '/nowhere'"),
        (("--add", "-"), "'-', line 1"),
    ],
)
def test_the_command_refuses(command: str, words: tuple[str, ...], said: str) -> None:
    done = run(command, *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr
