"""Hunts: what they find, that they come to the same however they are cut, and their stores."""

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from beggar import BeggarError, Deal, Game, Rules, cycle_of, play
from beggar.enumeration import enumerate_deals
from beggar.outcome import Termination
from beggar.search.exhaustive import Exhaustive, total_of
from beggar.search.export import columns_of, rows_of, written
from beggar.search.finds import FoundCycle, FoundDeal, FoundGame, Unit
from beggar.search.infinite import Infinite
from beggar.search.longest import Longest, extend
from beggar.search.store import MOST_GAMES, VERSION, Store
from beggar.search.work import Hunt, Stopped, run, threads

CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"

TABLES = {
    "units": "seed, number, tried, told",
    "cycles": "*",
    "finds": "*",
    "deals": "*",
    "games": "*",
}


def dump(path: Path | str) -> dict[str, list[Any]]:
    """Return all that a store holds but how long it took."""
    with Store.read(str(path)) as store:
        return {
            table: sorted(store.connection.execute(f"SELECT {columns} FROM {table}"), key=repr)
            for table, columns in TABLES.items()
        }


def hunted(hunt: Hunt, path: Path, units: int | None, workers: int = 2, seed: int = 7) -> Store:
    """Do units of a hunt and return its store, open to read."""
    if path.exists():
        store = Store.open(str(path))
    else:
        store = Store.create(str(path), hunt.kind, hunt.params, seed)
    with store, threads(workers) as (executor, in_flight):
        run(hunt, store, executor, in_flight, units=units)
    return Store.read(str(path))


# -- What is found ------------------------------------------------------------------------


def test_another_loop_is_found_around_casellas(tmp_path: Path) -> None:
    with hunted(Infinite("french-52", [CASELLA]), tmp_path / "a.db", 24) as store:
        whole = list(store.cycles(whole=True))
        by_deals = {len(list(store.deals(cycle.name))) for cycle in whole}
        assert {30, 34} <= by_deals
        assert store.kept().deals >= 64
        for cycle in whole:
            assert cycle.deck == "36:4:4:4:4"
            ring = cycle_of(cycle.name)
            assert (ring.name, tuple(ring.period)) == (cycle.name, cycle.period)
            assert ring.basin().size == cycle.states
        for name, deal in store.deals():
            end = play(Deal.parse(deal.deal))
            assert end.termination is Termination.LOOP
            assert end.cycle is not None
            assert tuple(end.cycle.transient) == (deal.cards, deal.tricks)
            assert cycle_of(deal.deal).name == name


def test_loops_grow_from_nothing(tmp_path: Path) -> None:
    hunt = Infinite("camicia-20")
    with hunted(hunt, tmp_path / "a.db", len(hunt.tiny) + 48) as store:
        found = list(store.cycles())
        assert all(len(cycle.name.replace("/", "")) == cycle.size for cycle in found)
        assert max(cycle.size for cycle in found) == 20
        # The only cycle that deals of ten and ten lead into, with all of them.
        with_deals = [cycle for cycle in store.cycles(whole=True) if list(store.deals(cycle.name))]
        exact = enumerate_deals("camicia-20")
        (cycle,) = exact.cycles
        assert [found.name for found in with_deals] == [cycle.name]
        ranks = [deal.rank for _, deal in store.deals(cycle.name)]
        assert ranks == [deal.rank for deal in cycle.deals]


def test_long_games_and_longer_ones(tmp_path: Path) -> None:
    with hunted(Longest(), tmp_path / "a.db", 1) as store:
        games = list(store.games())
        assert [game.tricks for game in games] == sorted(
            (game.tricks for game in games), reverse=True
        )
        assert {game.how for game in games} == {"drawn", "extended"}
        for game in games:
            end = play(Deal.parse(game.deal))
            assert (end.cards, end.tricks) == (game.cards, game.tricks)
            assert Deal.parse(game.deal).sizes == (26, 26)
        drawn = max(game.tricks for game in games if game.how == "drawn")
        assert drawn > 300
        assert games[0].tricks >= drawn


def tables(text: str) -> list[tuple[str, str]]:
    """Return the states at the start of each trick of a game, the leader's hand first."""
    game = Game(text)
    states = []
    while game.turn_card():
        at = game.position
        if not at.pile:
            hands = ["".join(str(Rules().tribute(card)) for card in hand) for hand in at.hands]
            states.append((hands[at.turn], hands[1 - at.turn]))
    return states


def test_extended_games_come_to_the_same_table() -> None:
    deal = "--Q--------JK--QQ---K-QJ--/-K---J---A--AA---AJ------K"
    assert play(deal).tricks == 537
    found = extend(Deal.parse(deal), 537)
    assert [(game.tricks, game.cards) for game in found] == [(551, 3905), (540, 3818)]
    drawn = tables(deal)
    for game in found:
        states = tables(game.deal)
        (meet, *_) = [place for place, state in enumerate(states) if state in drawn]
        # From there on they are one game, to which the extended one came later.
        there = drawn.index(states[meet])
        assert states[meet:] == drawn[there:]
        assert meet > there
    # To the longest game known nobody has found a longer way.
    assert extend(Deal.parse("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"), 1164) == []


def test_an_exhaustive_hunt_is_an_enumeration(tmp_path: Path) -> None:
    hunt = Exhaustive("camicia-20", unit=300_000)
    with hunted(hunt, tmp_path / "a.db", None) as store:
        assert store.kept().units == hunt.total == 12
        assert total_of(store) == enumerate_deals("camicia-20")


def test_shares_of_a_space_add_up(tmp_path: Path) -> None:
    rules = Rules(elimination="on_empty")
    parts = ((0, 1000), (1000, 2000), (2000, 3500))
    whole = Exhaustive("8:2:2:2", [7, 7], rules, unit=500)
    merged = Store.create(str(tmp_path / "all.db"), whole.kind, whole.params, 0)
    for number, (start, stop) in enumerate(parts):
        share = Exhaustive("8:2:2:2", [7, 7], rules, start, stop, 500)
        hunted(share, tmp_path / f"{number}.db", None, seed=0).close()
        merged.close()
        merged = Store.open(str(tmp_path / "all.db"))
        with Store.read(str(tmp_path / f"{number}.db")) as store:
            assert merged.merge(store) > 0
            assert merged.merge(store) == 0
    merged.close()
    with Store.read(str(tmp_path / "all.db")) as store:
        total = total_of(store)
        assert total == enumerate_deals(whole.space, 0, 3500, rules=rules)


# -- However it is done ---------------------------------------------------------------------


@pytest.fixture(params=["infinite", "longest", "exhaustive"])
def hunts(request: pytest.FixtureRequest) -> Iterator[tuple[Any, int]]:
    """Give a way to make a hunt, and how many of its units to do."""
    if request.param == "infinite":
        first = len(Infinite("10:2:2:2").tiny)
        yield (lambda: Infinite("10:2:2:2")), first + 36
    elif request.param == "longest":
        yield (lambda: Longest("14:2:2:2")), 3
    else:
        yield (lambda: Exhaustive("8:2:2:2", unit=1000)), 40


def test_threads_and_cuts_change_nothing(hunts: tuple[Any, int], tmp_path: Path) -> None:
    make, units = hunts
    hunted(make(), tmp_path / "one.db", units, workers=1).close()
    hunted(make(), tmp_path / "two.db", units // 3, workers=3).close()
    # Gone on with by what the store says.
    with Store.read(str(tmp_path / "two.db")) as store:
        again = type(make()).of(store.params)
    hunted(again, tmp_path / "two.db", units - units // 3, workers=2).close()
    assert dump(tmp_path / "one.db") == dump(tmp_path / "two.db")


def test_another_seed_is_another_hunt(tmp_path: Path) -> None:
    for seed in (1, 2):
        hunted(Longest("14:2:2:2"), tmp_path / f"{seed}.db", 2, seed=seed).close()
    one, two = dump(tmp_path / "1.db"), dump(tmp_path / "2.db")
    assert one["games"] != two["games"]
    with Store.open(str(tmp_path / "1.db")) as store, Store.read(str(tmp_path / "2.db")) as other:
        assert store.merge(other) == 2
        assert store.kept().units == 4
    games = dump(tmp_path / "1.db")["games"]
    assert {row[0] for row in games} == {row[0] for row in one["games"] + two["games"]}


def test_it_stops_when_told(tmp_path: Path) -> None:
    hunt = Longest("14:2:2:2")
    stopped = Stopped()
    with (
        Store.create(str(tmp_path / "a.db"), hunt.kind, hunt.params, 1) as store,
        threads(2) as (executor, in_flight),
    ):
        done = run(hunt, store, executor, in_flight, stopped=stopped, tell=lambda _: stopped.tell())
        assert 0 <= done.units <= 4
        assert store.kept().units == done.units


# -- The store ------------------------------------------------------------------------------


def cycle(name: str, *deals: FoundDeal) -> FoundCycle:
    return FoundCycle(name, "5:2:0:1", 8, (16, 4), (8, 2), 0, 18, deals)


def test_what_is_kept(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with Store.create(path, "infinite", {"a": 1}, 5) as store:
        deal = FoundDeal("0010/3010", 2**80, 0, 0)
        assert store.add(0, Unit(10, (cycle("x", deal),)), 0.5) == 1
        # Found again in the same generation, and in a later one.
        assert store.add(1, Unit(10, (cycle("x"), cycle("y"))), 0.5) == 1
        assert store.add(2, Unit(10, (cycle("x"),)), 0.5, since=2) == 0
        assert [found.name for found in store.news(0, 2)] == ["x", "y"]
        assert [found.name for found in store.news(2, 9)] == []
        assert list(store.deals()) == [("x", deal)]
        kept = store.kept()
        assert (kept.units, kept.tried, kept.cycles, kept.deals) == (3, 30, 2, 1)
        with pytest.raises(BeggarError, match="UNIQUE"):
            store.add(2, Unit(10), 0.5)
        assert store.done() == {0, 1, 2}
    with Store.read(path) as store:
        assert (store.kind, store.params, store.seed) == ("infinite", {"a": 1}, 5)


def test_the_longest_are_kept_and_no_more(tmp_path: Path) -> None:
    with Store.create(str(tmp_path / "a.db"), "longest", {}, 5) as store:
        games = [FoundGame(f"{n}", n, 7 * n, n, "drawn") for n in range(MOST_GAMES + 50)]
        store.add(0, Unit(1, games=tuple(games[:600])), 0.1)
        store.add(1, Unit(1, games=tuple(games[500:])), 0.1)
        assert [game.tricks for game in store.games()] == list(range(MOST_GAMES + 49, 49, -1))


def test_a_unit_that_cannot_be_written_is_not_there(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with Store.create(path, "longest", {}, 5) as store:
        store.add(0, Unit(1), 0.1)
        (pages,) = store.connection.execute("PRAGMA page_count").fetchone()
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        games = tuple(FoundGame("x" * 500 + str(n), n, n, n, "drawn") for n in range(500))
        with pytest.raises(BeggarError, match=r"cannot use '.*': database or disk is full"):
            store.add(1, Unit(1, games=games), 0.1)
        assert store.done() == {0}
        assert list(store.games()) == []
    with Store.open(path) as store:
        assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        store.add(1, Unit(1, games=games), 0.1)


def test_one_at_a_time(tmp_path: Path) -> None:
    path = str(tmp_path / "a.db")
    with Store.create(path, "longest", {}, 5):
        with pytest.raises(BeggarError, match="another process hunts into"):
            Store.open(path)
        with Store.read(path) as store:
            assert store.kept().units == 0
    Store.open(path).close()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a.db"]


def test_other_peoples_files_are_left_alone(tmp_path: Path) -> None:
    for name in ("uv.lock", "uv.new", ".uv.beggar-lock"):
        (tmp_path / name).write_text("mine")
    Store.create(str(tmp_path / "uv"), "longest", {}, 5).close()
    assert (tmp_path / "uv.lock").read_text() == (tmp_path / "uv.new").read_text() == "mine"


def test_a_range_is_remembered(tmp_path: Path) -> None:
    with Store.create(str(tmp_path / "a.db"), "exhaustive", {}, 0, "0:100") as store:
        assert store.span == "0:100"


def test_merging_in_any_order_is_the_same(tmp_path: Path) -> None:
    for name, how in (("a", "drawn"), ("b", "extended")):
        with Store.create(str(tmp_path / name), "longest", {}, ord(name)) as store:
            store.add(0, Unit(1, games=(FoundGame("x", 1, 7, 2, how),)), 0.0)
    for name, order in (("ab", "ab"), ("ba", "ba")):
        with Store.create(str(tmp_path / name), "longest", {}, 1) as store:
            for other in order:
                with Store.read(str(tmp_path / other)) as found:
                    store.merge(found)
    assert dump(tmp_path / "ab") == dump(tmp_path / "ba")


def test_what_is_no_store(tmp_path: Path) -> None:
    text, other, newer = (tmp_path / name for name in ("a.txt", "b.db", "c.db"))
    text.write_text("not a database at all, but long enough to be read as a header" * 3)
    with sqlite3.connect(other) as made:
        made.execute("CREATE TABLE hunt (key TEXT, value TEXT)")
    made.close()
    Store.create(str(newer), "longest", {}, 5).close()
    with sqlite3.connect(newer) as made:
        made.execute(f"PRAGMA user_version = {VERSION + 1}")
    made.close()
    for path, said in (
        (text, "is not the store of a hunt"),
        (other, "is not the store of a hunt"),
        (newer, rf"is the store of a newer version \({VERSION + 1}\): expected {VERSION}"),
        (tmp_path / "none", "no hunt '.*none': expected the file of one"),
        (tmp_path, "no hunt"),
    ):
        before = path.read_bytes() if path.is_file() else b""
        for way in (Store.open, Store.read):
            with pytest.raises(BeggarError, match=said):
                way(str(path))
        assert not path.is_file() or path.read_bytes() == before
    with pytest.raises(BeggarError, match="is there already"):
        Store.create(str(text), "longest", {}, 5)
    with pytest.raises(BeggarError, match="no such folder"):
        Store.create(str(tmp_path / "no" / "a.db"), "longest", {}, 5)


def test_another_hunt_is_refused(tmp_path: Path) -> None:
    with Store.create(str(tmp_path / "a.db"), "longest", {"deck": "36:4"}, 5) as store:
        store.check_same("longest", {"deck": "36:4"}, None)
        for kind, params, seed, said in (
            ("infinite", {"deck": "36:4"}, 5, "is the store of a hunt longest: expected infinite"),
            ("longest", {"deck": "28:4"}, 5, "another hunt: its deck is"),
            ("longest", {"deck": "36:4", "more": 1}, 5, "another hunt: its more is 'null'"),
            ("longest", {"deck": "36:4"}, 6, "its seed is 5, not 6"),
        ):
            with pytest.raises(BeggarError, match=said):
                store.check_same(kind, params, seed)


# -- The command ------------------------------------------------------------------------------


def command_run(command: str, *words: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [command, "hunt", *words], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert "Traceback" not in done.stderr
    return done


def test_the_command_hunts_and_goes_on(command: str, tmp_path: Path) -> None:
    db = str(tmp_path / "a.db")
    done = command_run(
        command, "exhaustive", "8:2:2:2", "--unit", "1000", "--db", db, "--units", "3"
    )
    assert done.returncode == 0, done.stderr
    assert "3 units in" in done.stderr
    done = command_run(command, "exhaustive", "--db", db)
    assert done.returncode == 0, done.stderr
    assert ", 3 before; " in done.stderr
    count = enumerate_deals("8:2:2:2").summary.games
    assert done.stdout.splitlines()[0].startswith(f"all {count:,} deals of 8 0, 2 1, 2 2, 2 3")
    status = json.loads(command_run(command, "status", db, "--json").stdout)
    assert (status["kind"], status["params"]["deck"]) == ("exhaustive", "8:2:2:2")
    for ending in ("csv", "json", "parquet"):
        out = tmp_path / f"out.{ending}"
        done = command_run(command, "export", db, "-o", str(out))
        assert done.returncode == 0, done.stderr
        assert out.stat().st_size > 100
    rows = json.loads((tmp_path / "out.json").read_text())
    exact = enumerate_deals("8:2:2:2")
    assert sorted(row["rank"] for row in rows) == sorted(
        deal.rank for cycle in exact.cycles for deal in cycle.deals
    )


def test_the_command_finds_deals_that_check_confirms(command: str, tmp_path: Path) -> None:
    db = str(tmp_path / "a.db")
    words = ("infinite", "--from", CASELLA, "--db", db, "--seed", "1", "--units", "20")
    done = command_run(command, *words)
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith("     440")]
    assert len(lines) == 2
    for line in lines:
        checked = subprocess.run(
            [command, "check", "--json", line[-1]], capture_output=True, text=True, check=True
        )
        told = json.loads(checked.stdout)
        assert told["period"] == {"cards": int(line[0]), "tricks": int(line[1])}
    assert command_run(command, "infinite", "--db", db, "--units", "1").returncode == 0
    other = command_run(command, "infinite", "camicia-40", "--db", db)
    assert other.returncode == 2
    assert "is not of the deck 28:4:4:4" in other.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("infinite",), "no store: expected --db FILE"),
        (("infinite", "--db", "a.db", "--from", "K/Q"), "'K/Q' has no loop"),
        (("infinite", "--db", "a.db", "--from", "0005/10"), "is not of the deck 36:4:4:4:4"),
        (("infinite", "tarot", "--db", "a.db"), "no deck 'tarot'"),
        (("infinite", "60:4", "--db", "a.db"), "expected 63 cards at most"),
        (("longest", "--db", "a.db", "--seconds", "0"), "--seconds: '0'"),
        (("longest", "--db", "a.db", "--units", "x"), "--units: 'x' is not a count"),
        (("longest", "--db", "a.db", "--threads", "1", "--scheduler", "x"), "expected one of them"),
        (("longest", "--db", "/nowhere/a.db"), "there is no such folder"),
        (("exhaustive", "--db", "a.db"), "no deck: expected a name"),
        (("exhaustive", "5:2", "--range", "9:3", "--db", "a.db"), "goes backwards"),
        (("exhaustive", "5:2", "--set", "shuffle_pile=yes", "--db", "a.db"), "shuffles"),
        (("exhaustive", "5:2", "--range", "3:9", "--db", "a.db"), "cuts a unit of 20,000,000"),
        (("exhaustive", "--unit", "7", "--db", "a.db"), "no deck: expected"),
        (("infinite", "1:1", "--db", "a.db"), "expected four cards or more"),
        (("longest", "--threads", "5000", "--db", "a.db"), "threads: 5,000 are too many"),
        (("status", "a.db"), "no hunt 'a.db'"),
        (("export", "a.db"), "no file to write"),
        (("export", "a.db", "-o", "x.txt"), "expected a name that ends in .csv"),
        (("merge", "b.db", "a.db"), "no hunt 'a.db'"),
    ],
)
def test_the_command_refuses(
    command: str, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = subprocess.run(
        [command, "hunt", *words], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert said in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_rows(tmp_path: Path) -> None:
    with hunted(Longest("14:2:2:2"), tmp_path / "a.db", 1) as store:
        rows = list(rows_of(store))
        text = written(".csv", columns_of("longest"), rows)
        assert text.splitlines()[0] == "deal,rank,cards,tricks,how"
        assert len(text.splitlines()) == len(rows) + 1
