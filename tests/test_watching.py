"""The table in a terminal, drawn and driven as a person would: on a pseudo-terminal."""

import os
import re
import select
import subprocess
import sys
import time

import pytest
from rich.console import Console

from beggar import Position, Rules
from beggar.rules import PRESETS
from beggar.table.screen import draw
from beggar.table.words import Words

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")

if sys.platform != "win32":
    import pty

DEAL = "K♥ 8♦ 9♦/4♣ Q♠ 7♣"


def drawn(at: str, rules: Rules | None = None, language: str = "en") -> str:
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        console = Console(width=80, file=nowhere, record=True)
        words = Words(language, ["Ana", "Boris", "Carla"])
        console.print(draw(Position.parse(at), rules or Rules(), words, "what was done", "3 cards"))
        return console.export_text()


def test_what_a_table_shows() -> None:
    text = drawn("8♦ 9♦/7♣ pile=K♥4♣Q♠ turn=0 due=2 claimant=1 cards=3 chain=2")
    assert "due: 2 · claimant: Boris · chain: 2" in text
    assert re.search(r"▶ Ana +█+ +2 0 penalty cards still to come", text)
    assert re.search(r"★ Boris +█+ +1 0 penalty cards", text)
    # The newest card first.
    assert "pile (3) Q♠ 4♣ K♥" in text
    assert "what was done" in text


def test_who_is_out_and_who_holds_what() -> None:
    text = drawn("K♥ Q♦ 9♦//7♣ out=1", Rules(players=3))
    assert re.search(r"Ana +█+ +3 2 penalty cards still to come", text)
    assert re.search(r"Boris +0 out", text)
    assert "ordinary play: nothing is owed" in text
    assert "juego normal" in drawn("K♥/7♣", language="es")


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_can_be_drawn(name: str) -> None:
    assert "pile (0)" in drawn("A/7/2", PRESETS[name])


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, command: str, *words: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "90", "LINES": "30"}
        self.process = subprocess.Popen(
            [command, *words], stdin=slave, stdout=slave, stderr=slave, env=environment
        )
        os.close(slave)
        self.seen = ""

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def read(self, until: str | None = None, seconds: float = 20) -> str:
        """Read until a text was seen, or to the end."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and (until is None or until not in self.seen):
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    break
        assert until is None or until in self.seen, self.seen
        return self.seen

    def end(self) -> int:
        self.read()
        os.close(self.master)
        return self.process.wait(timeout=20)


def test_it_plays_at_its_pace(command: str) -> None:
    begun = time.monotonic()
    terminal = Terminal(command, "play", DEAL, "--tempo", "0.2", "--lang", "en")
    assert terminal.end() == 0
    assert time.monotonic() - begun >= 1.0
    assert "Boris wins the game." in terminal.seen
    assert "due: 3 · claimant: Ana · chain: 1" in terminal.seen
    assert "Traceback" not in terminal.seen


def test_step_by_key(command: str) -> None:
    terminal = Terminal(command, "play", DEAL, "--step", "--lang", "en")
    terminal.read("Enter: a card")
    time.sleep(0.3)
    terminal.press("\n")
    terminal.read("Ana turns the king of hearts")
    assert "Boris pays" not in terminal.seen
    terminal.press(" ")
    terminal.read("Boris pays the four of clubs")
    assert "queen of spades" not in terminal.seen
    terminal.press("t")
    terminal.read("Boris wins the game.")
    assert terminal.end() == 0


def test_stopping_says_how_to_go_on(command: str) -> None:
    terminal = Terminal(command, "play", DEAL, "--step", "--lang", "en")
    terminal.read("Enter: a card")
    time.sleep(0.3)
    terminal.press("\n")
    terminal.read("Ana turns the king of hearts")
    terminal.press("q")
    assert terminal.end() == 130
    assert "go on with: beggar play '8d9d/4cQs7c pile=Kh" in re.sub(r"\r?\n", "", terminal.seen)


def test_plain_lines_when_asked(command: str) -> None:
    terminal = Terminal(command, "play", DEAL, "--plain", "--lang", "en")
    assert terminal.end() == 0
    assert "     1  Ana turns K♥: Boris owes 3" in terminal.seen
    assert "█" not in terminal.seen


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--step",), "--step waits for keys: expected a terminal"),
        (("--names", "Ana,Ana"), "--names: 'Ana' stands twice"),
        (("--names", "Ana"), "--names: 1 player cannot play"),
        (("--names", "Ana,Boris,Carla"), "are 3 names: expected 2"),
        (("--lang", "fr"), "unknown language 'fr': expected en, es, de, it"),
        (("--deal", "K/Q"), "two deals"),
        (("--tempo", "-1"), "--tempo: '-1' is not a pace"),
    ],
)
def test_what_is_refused(command: str, words: tuple[str, ...], said: str) -> None:
    done = subprocess.run(
        [command, "play", DEAL, *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


def test_a_deal_by_option_and_a_deck_in_signs(command: str) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [command, "play", *words, "--lang", "en"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        return done.stdout

    assert run("--deal", DEAL) == run(DEAL)
    first, _, rest = run("--seed", "7").partition("\n")
    assert "10♥" in first
    # What is shown can be given back.
    assert run("--deal", first.removeprefix("seed 7: ")) == rest
