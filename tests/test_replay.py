"""The replay page: what it holds is the engine's game; how it looks is tested in a browser."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beggar import BeggarError, Deal, Game, Rules
from beggar.events import LoopFound
from beggar.table.narration import is_italian, narrate
from beggar.table.replay import page
from beggar.table.words import Words
from strategies import deals, rules

RECORD = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"
CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"


def held(made: str) -> Any:
    found = re.search(r'<script type="application/json" id="game">(.*?)</script>', made, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@given(deals(max_cards=16), rules(), st.integers(0, 99))
def test_moving_the_cards_as_told_is_the_game(deal: Deal, rules: Rules, seed: int) -> None:
    data = held(page(deal, rules, seed=seed))
    hands = [list(hand) for hand in data["hands"]]
    pile: list[int] = list(data["pile"])
    game = Game(deal, rules, seed=seed)
    words = data["languages"]["it"]
    spoken = Words("it", italian=is_italian(game.position, rules))
    trick = 0
    for number, step in enumerate(data["steps"], 1):
        game.turn_card()
        turner, turn, due, claimant, chain, taker, told, *rest = step
        assert told
        if turner >= 0:
            pile.append(hands[turner].pop(0))
        if taker >= 0:
            under = rest[1] if len(rest) > 1 else pile[::-1] if data["reversed"] else pile
            assert sorted(under) == sorted(pile)
            hands[taker] += under
            pile = []
            trick += 1
            assert data["tricks"][trick] == [number, *map(len, hands)]
        at = game.position
        signs = [[words["cards"][card][2] for card in hand] for hand in hands]
        assert signs == [[spoken.sign(card) for card in hand] for hand in at.hands]
        assert (turn, due, chain) == (at.turn, at.due, at.chain)
        assert claimant == (-1 if at.claimant is None else at.claimant)
    assert game.outcome is not None
    assert game.turn_card() == []
    assert len(data["tricks"]) == trick + 1


@given(deals(max_cards=16), rules())
def test_the_loop_is_where_the_engine_says(deal: Deal, rules: Rules) -> None:
    data = held(page(deal, rules, seed=0))
    game = Game(deal, rules, seed=0)
    found = [event for event in game if isinstance(event, LoopFound)]
    if game.outcome is None or game.outcome.cycle is None:
        # Broken by a shuffle.
        found = []
    assert (data["loop"] is None) == (not found)
    if found:
        (loop,) = found
        assert len(data["steps"]) - data["loop"]["from"] == loop.period.cards
        assert data["loop"]["round_tricks"] == loop.period.tricks


def test_what_is_said_is_what_is_narrated() -> None:
    """The page's script puts phrases together as here; the words are those of the teller."""
    data = held(page("K♥ 8♦ 9♦/4♣ Q♠ 7♣", names=["Ana", "Boris"]))

    def fill(patterns: list[str], fields: dict[str, Any], language: str) -> str:
        pattern = patterns[-1 if fields.get("count", 1) != 1 else 0]
        return re.sub(r"\{(\w+)\}", lambda name: word(fields[name[1]], name[1], language), pattern)

    def word(field: Any, name: str, language: str) -> str:
        words = data["languages"][language]
        if isinstance(field, int):
            return str(field)
        if isinstance(field, list):
            return fill(words["messages"][field[0]], field[1], language)
        if field[0] == "s":
            return str(data["names"][int(field[1:])])
        return str(words["cards"][int(field[1:])][name in ("owed", "by")])

    for language in data["languages"]:
        game = Game("K♥ 8♦ 9♦/4♣ Q♠ 7♣")
        lines = [
            " ".join(word(data["phrases"][number], "", language) for number in step[6])
            for step in data["steps"]
        ]
        assert lines == list(narrate(game, language, ["Ana", "Boris"], "long"))


def test_the_record_fits() -> None:
    made = page(RECORD)
    assert len(made.encode()) < 1_000_000
    data = held(made)
    assert len(data["steps"]) == 8344
    assert len(data["tricks"]) == 1165


def test_it_is_one_file_that_asks_for_nothing() -> None:
    made = page(CASELLA, language="de")
    assert '<html lang="de">' in made
    assert not re.search(r"https?://(?!www\.w3\.org)", made)
    assert not re.search(r"\b(src|href)=|@import|url\(|fetch\(|XMLHttp", made)
    assert "%data%" not in made


def test_names_cannot_break_out() -> None:
    evil = "</script><script>alert(1)</script>"
    made = page("K/Q", names=[evil, "%script%"])
    assert evil not in made
    assert made.count("</script>") == 2
    assert held(made)["names"][0] == evil


def test_too_long_for_a_page() -> None:
    rules = Rules(until_penalty=True, lead="loser", pickup="reversed")
    with pytest.raises(BeggarError, match="longer than 100,000 cards"):
        page("00100200/0030000/01000/0000/301", rules)


@pytest.mark.skipif(os.name == "nt", reason="no pipes by name there")
def test_what_is_there_is_not_replaced(command: str, tmp_path: Path) -> None:
    # Links are followed, pipes are written to, and other files beside are left alone.
    real, link, other = tmp_path / "real.html", tmp_path / "link.html", tmp_path / "real.html.part"
    real.write_text("old")
    real.chmod(0o640)
    other.write_text("mine")
    link.symlink_to(real)
    assert run(command, "K/Q", "-o", str(link)).returncode == 0
    assert link.is_symlink()
    assert real.read_text(encoding="utf-8").startswith("<!doctype")
    assert real.stat().st_mode & 0o777 == 0o640
    assert other.read_text() == "mine"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        assert run(command, "K/Q", "-o", str(pipe)).returncode == 0
        assert reader.stdout is not None
        assert reader.stdout.read().startswith(b"<!doctype")
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("link.html", "pipe", "real.html", "real.html.part")
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write all")
def test_a_read_only_file_is_left_alone(command: str, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    path.write_text("old")
    path.chmod(0o444)
    done = run(command, "K/Q", "-o", str(path))
    assert done.returncode == 2
    assert "it is read-only" in done.stderr
    assert path.read_text() == "old"


def run(command: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, "replay", *words], capture_output=True, text=True, encoding="utf-8", check=False
    )


def test_the_command(command: str, tmp_path: Path) -> None:
    path = tmp_path / "game.html"
    done = run(command, RECORD, "-o", str(path), "--lang", "es", "--names", "Ada,Blas")
    assert done.returncode == 0, done.stderr
    assert held(path.read_text(encoding="utf-8"))["names"] == ["Ada", "Blas"]
    assert run(command, "K/Q", "-o", "-").stdout.startswith("<!doctype html>")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("K/Q",), "no file to write"),
        (("K/Q", "-o", "/nowhere/g.html"), "cannot write '/nowhere/g.html': there is no such"),
        (("K/Q", "-o", ""), "cannot write '': expected a file's name"),
        (("K/Q", "-o", "/"), "cannot write '/': it is a folder"),
        (("K/Q", "-o", "g.html", "--lang", "xx"), "unknown language 'xx'"),
        (("KX/Q", "-o", "g.html"), "'KX/Q'"),
        (("K/Q", "-o", "g.html", "--names", "a,A"), "'A' stands twice"),
    ],
)
def test_what_is_refused(command: str, words: tuple[str, ...], said: str) -> None:
    done = run(command, *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_disk_is_told(command: str) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run(
            [command, "replay", "K/Q", "-o", "-"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert "No space left" in done.stderr


def test_plot_of_a_game(command: str, tmp_path: Path) -> None:
    for name in ("game.png", "game.svg"):
        path = tmp_path / name
        done = subprocess.run(
            [command, "plot", CASELLA, "-o", str(path)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert path.stat().st_size > 10_000
    done = subprocess.run(
        [command, "plot", CASELLA, "-o", "game.txt"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "'game.txt' is no picture" in done.stderr
