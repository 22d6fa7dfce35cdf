"""The installed command, as a person or a pipe uses it."""

import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(command: str) -> Run:
    """Run the command to its end and return what it printed."""

    def call(
        *words: str, text: str = "", cwd: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [command, *words],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            env={
                **os.environ,
                "LANG": "C.UTF-8",
                "COLUMNS": "100",
                "PYTHONUTF8": "1",
                **environment,
            },
            timeout=120,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done

    return call


def refused(done: subprocess.CompletedProcess[str], said: str) -> None:
    """Check that the command gave one clear line and exit status 2."""
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert re.search(said, done.stderr), done.stderr


# -- check ----------------------------------------------------------------------------------


def test_check_for_people(run: Run) -> None:
    done = run("check", "--J/---J", "--J-/K-J-")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "      end  winner      cards    tricks  deal",
        "      won  seat 0         22         5  --J/---J",
        "     loop       -         16         4  --J-/K-J-",
        "           enters its cycle after 0 cards and 0 tricks; once round it is 16 cards and "
        "4 tricks, 8 cards and 2 tricks up to swapping seats",
    ]


def test_check_json_of_a_win(run: Run) -> None:
    row = json.loads(run("check", "--json", "K-/-/J--", "--set", "players=3").stdout)
    assert row.pop("rules")["players"] == 3
    assert row == {
        "deal": "K-/-/J--",
        "termination": "won",
        "winner": 2,
        "cards": 4,
        "tricks": 1,
        "last_by_default": False,
        "transient": None,
        "period": None,
        "period_up_to_seats": None,
        "hands": [0, 0, 6],
        "out": [1, 0],
    }


def test_check_json_of_a_loop(run: Run) -> None:
    deal = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"
    row = json.loads(run("check", deal, "--json").stdout)
    assert (row["termination"], row["winner"], row["cards"], row["tricks"]) == (
        "loop",
        None,
        474,
        66,
    )
    assert row["transient"] == {"cards": 34, "tricks": 4}
    assert row["period"] == row["period_up_to_seats"] == {"cards": 440, "tricks": 62}
    assert row["last_by_default"] is None
    assert row["rules"]["tributes"] == {"A": 4, "K": 3, "Q": 2, "J": 1}


def test_check_takes_rules_and_engines(run: Run) -> None:
    deal = "---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q"
    for engine in ("core", "reference"):
        done = run("check", deal, "--rules", "knockout", "--engine", engine, "--json")
        assert json.loads(done.stdout)["cards"] == 5789
    row = json.loads(run("check", deal, "-s", "pickup=reversed", "--json").stdout)
    assert (row["cards"], row["tricks"]) == (248, 34)


def test_check_reads_files_and_a_stream_and_goes_on_after_bad_lines(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "deals.txt"
    file.write_text("\ufeff--J/---J  # the first\n\n# nothing\n--x/-\nK/Q\n", encoding="utf-8")
    done = run("check", str(file), "22/33", "-", "--json", text="--J-/K-J-\n-\n")
    assert done.returncode == 2
    ends = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["deal"] for row in ends] == ["--J/---J", "K/Q", "--J-/K-J-"]
    said = done.stderr.splitlines()
    assert len(said) == 3
    assert re.fullmatch(r"beggar: .*deals\.txt, line 4: cannot read 'x' at column 3.*", said[0])
    assert "ambiguous digits in '22/33'" in said[1]
    assert said[2].startswith("beggar: standard input, line 2: 1 hand in '-'")


def test_check_reads_standard_input_when_nothing_is_named(run: Run) -> None:
    assert "seat 0" in run("check", text="--J/---J\n").stdout


def test_check_goes_on_from_a_position(run: Run) -> None:
    row = json.loads(run("check", "--/QJ pile=-K turn=1 due=3 claimant=0", "--json").stdout)
    assert (row["termination"], row["winner"]) == ("won", 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "--x/K"), r"beggar: cannot read 'x' at column 3 \(hand 1\) of '--x/K'"),
        (("check", "22/33"), "ambiguous digits in '22/33'"),
        (("check", "K-//-"), r"hand 2 of 'K-//-' is empty"),
        (("check", "----"), "1 hand in '----': expected 2 to 6"),
        (("check", "-/-/-/-/-/-/-"), "7 hands in"),
        (("check", "K/Q pile=J due=2 claimant=1"), "2 due after 0 paid .* expected due=1"),
        (("check", "no-such-file.txt"), r"no file of that name either"),
        (("check", "/"), "cannot read '/'"),
        (("check", "K/Q", "--rules", "house"), "unknown preset 'house': expected classic"),
        (("check", "K/Q", "--set", "colour=red"), "unknown field 'colour'"),
        (("check", "K/Q", "--set", "lead=me"), "lead: 'me' is not a value: expected winner"),
        (("check", "K/Q", "--set", "lead"), "cannot read --set 'lead': expected field=value"),
        (("check", "K/Q", "--set", "lead=loser", "--set", "lead=loser"), "lead is set twice"),
        (("check", "K/Q", "--engine", "steam"), "unknown engine 'steam'"),
        (("check", "K/Q", "--seed", "x"), "--seed: 'x' is not a seed"),
        (("check", "K/Q", "--rules", "shuffled"), "shuffle_pile needs a seed"),
        (("check", "K/Q", "--set", "players=3"), "for 3 players, but there are 2 hands"),
        (("check", "K/Q", "--rules", "camicia"), r"'K' \(hand 1, card 1\) is a numeral"),
        (("check", "K/Q", "--frob"), "no such option: --frob"),
        (("frob",), "no such command 'frob'"),
        (("play", "K"), "1 hand in 'K'"),
        (("play", "--tempo", "fast"), "--tempo: 'fast' is not a pace"),
        (("play", "--seed", "-1"), "--seed: '-1' is not a seed"),
        (("compare", "K/Q"), "both sets of rules are the same"),
        (("compare",), "missing argument 'DEAL'"),
        (("verify", "-n", "0"), "-n: '0' is not a count"),
        (("verify", "-n", "1.5"), "-n: '1.5' is not a count"),
        (("verify", "--set", "lead=loser"), "go with --deal"),
        (("rules", "house"), "unknown preset 'house'"),
    ],
)
def test_bad_input_is_one_clear_line(run: Run, words: tuple[str, ...], said: str) -> None:
    refused(run(*words), said)


def test_unreadable_file(run: Run, tmp_path: Path) -> None:
    refused(run("check", str(tmp_path)), f"cannot read '.*{tmp_path.name}': ")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_file_without_permission(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deals.txt"
    file.write_text("K/Q\n", encoding="utf-8")
    file.chmod(0)
    refused(run("check", str(file)), "cannot read '.*deals.txt': ")


@pytest.mark.parametrize(
    ("closed", "status", "said"),
    [
        ("<&-", 2, "nothing to play: expected deals"),
        (">&-", 2, "the output is closed"),
        ("2>&-", 2, ""),
    ],
)
@pytest.mark.skipif(os.name == "nt", reason="no such shell there")
def test_closed_streams(command: str, closed: str, status: int, said: str) -> None:
    deal = "'x/-'" if closed == "2>&-" else "K/Q" if closed == ">&-" else ""
    done = subprocess.run(
        ["sh", "-c", f"'{command}' check {deal} {closed}"],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (status, "")
    assert said in done.stderr


def test_odd_letters_do_not_end_a_stream(run: Run) -> None:
    done = run("check", "--json", text="K/Q\nKſ/Qh\nK/Q\n\x00\nK/Q\r\n")
    assert done.returncode == 2
    assert len(done.stdout.splitlines()) == 3
    assert len(done.stderr.splitlines()) == 2


def test_version(run: Run) -> None:
    assert re.fullmatch(r"beggar \d+\.\d+\.\d+\n", run("--version").stdout)


def test_closed_output(command: str, tmp_path: Path) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text("--J/---J\n" * 20_000, encoding="utf-8")
    with subprocess.Popen(
        [command, "check", str(deals), "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline())["cards"] == 22
        process.stdout.close()
        assert process.stderr.read() == "beggar: the output was closed before the end\n"
        assert process.wait() == 2


# -- play -----------------------------------------------------------------------------------


def test_play_tells_the_worked_example(run: Run) -> None:
    done = run("play", "K♥ 8♦ 9♦/4♣ Q♠ 7♣")
    assert done.stdout.splitlines() == [
        "     1  Ana turns K♥: Boris owes 3",
        "     2  Boris pays 4♣: 2 to go",
        "     3  Boris turns Q♠, which stops the payment: Ana owes 2",
        "     4  Ana pays 8♦: 1 to go",
        "     5  Ana pays 9♦: paid; Boris takes the 5 cards (trick 1); Ana is out; Boris wins",
        "5 cards, 1 trick.",
    ]


def test_play_events(run: Run) -> None:
    lines = run("play", "J-/-", "--events").stdout.splitlines()
    assert [json.loads(line)["event"] for line in lines] == [
        "Turned",
        "TributeDemanded",
        "Turned",
        "TributePaid",
        "TrickTaken",
        "Out",
        "Over",
    ]
    assert json.loads(lines[0]) == {
        "event": "Turned",
        "seat": 0,
        "card": "J",
        "cards": 1,
        "penalties": 1,
    }


def test_play_deals_what_the_rules_say(run: Run) -> None:
    words = ("play", "--seed", "4", "--rules", "camicia", "--set", "players=3")
    first = run(*words)
    assert first.stdout == run(*words).stdout
    assert re.match(r"seed 4: (\S+ ){13}\S+/(\S+ ){12}\S+/(\S+ ){12}\S+\n", first.stdout)
    assert "Joker" in run("play", "--seed", "4", "--rules", "super-jokers").stdout
    # Without a seed the one that was drawn is told, and gives the same game again.
    drawn = run("play")
    seed = re.match(r"seed (\d+):", drawn.stdout)
    assert seed is not None
    assert run("play", "--seed", seed[1]).stdout == drawn.stdout


def test_play_at_a_tempo(run: Run) -> None:
    start = time.monotonic()
    run("play", "K-/--", "--tempo", "0.2")
    assert time.monotonic() - start > 0.6


# -- compare, records, verify, rules ----------------------------------------------------------


def test_compare(run: Run) -> None:
    done = run("compare", "--J/---J", "--rules", "knockout")
    assert done.stdout.splitlines()[:5] == [
        "classic  won: seat 0 wins, 22 cards, 5 tricks  (the defaults)",
        "  given  won: seat 1 wins, 5 cards, 1 trick  (elimination=on_empty)",
        "They part at card 5, in trick 1, from J/-J pile=---- cards=4",
        "classic  seat 0 turns J: seat 1 owes 1",
        "  given  seat 0 turns J: seat 0 is out; seat 1 takes the 5 cards unpaid (trick 1); "
        "seat 1 wins",
    ]
    assert done.stdout.splitlines()[5].startswith("because of elimination, on_turn or on_empty: ")


def test_compare_json_and_agreement(run: Run) -> None:
    words = ("compare", "K-/-/J--", "--against-set", "unpaid_tribute=collects", "--json")
    row = json.loads(run(*words).stdout)
    assert row["parted"]["card"] == 2
    assert row["parted"]["because"] == ["unpaid_tribute"]
    assert (row["first"]["cards"], row["second"]["cards"]) == (4, 7)
    same = run("compare", "K/Q", "--set", "unpaid_tribute=collects")
    assert "Both games are the same, card for card." in same.stdout


def test_records(run: Run) -> None:
    done = run("records")
    assert done.returncode == 0
    assert done.stdout.endswith("15 of 15 published games come out as published.\n")
    assert re.search(r"Nessler +2022 +won +8,344 / 1,164 +8,344 / 1,164 +ok", done.stdout)
    rows = [json.loads(line) for line in run("records", "--json").stdout.splitlines()]
    assert all(row["agrees"] for row in rows)
    assert rows[0]["found"]["cards"] == rows[0]["cards"] == 4791


def test_verify(run: Run) -> None:
    done = run("verify", "-n", "300", "--seed", "3")
    assert done.returncode == 0
    assert done.stdout.startswith("Both engines agree on 300 games (seed 3).\nThe lanes (portable")
    assert done.stdout.endswith(") agree with the core on 500 games.\n")
    one = run("verify", "--deal", "--J-/K-J-", "--set", "on_cycle=shuffle", "--seed", "2")
    assert one.stdout == "Both engines agree.\n"


def test_rules(run: Run) -> None:
    shown = run("rules").stdout
    assert "knockout" in shown
    assert "unpaid_tribute" in shown
    assert "* tributes        A1 3:3 2:2\n" in run("rules", "camicia").stdout
    row = json.loads(run("rules", "classic", "--set", "lead=loser", "--json").stdout)
    assert row["lead"] == "loser"
    assert set(json.loads(run("rules", "--json").stdout)) >= {"classic", "old-style", "taxes"}


# -- simulate and bench ------------------------------------------------------------------------


def test_simulate_for_people(run: Run) -> None:
    done = run("simulate", "-n", "20k", "--seed", "1", "--threads", "1")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert re.match(r"20,000 games of 2 players, seed 1, in \d+\.\d\d seconds: ", lines[0])
    assert re.match(r"won by: seat 0 0\.\d{4}, seat 1 0\.\d{4}", lines[1])
    assert any(re.match(r"mean +25\d\.\d{3} ± \d\.\d{3} +3\d\.\d{3}", line) for line in lines)
    assert any("█" in line for line in lines)
    assert any(
        re.match(r"longest: [\d,]+ cards, \d+ tricks, deal [\d,]+: ", line) for line in lines
    )


def test_simulate_json(run: Run) -> None:
    row = json.loads(run("simulate", "-n", "2_000", "--seed", "7", "--json").stdout)
    assert (row["games"], row["seed"], row["players"]) == (2000, 7, 2)
    assert sum(row["wins"]) == row["won"] == 2000
    assert 200 < row["cards"]["mean"] < 300
    assert set(row["tricks"]["quantiles"]) == {"0.5", "0.9", "0.95", "0.99", "0.999"}
    other = run("simulate", "-n", "2k", "--seed", "7", "--json", "--kernel", "core")
    assert json.loads(other.stdout)["cards"] == row["cards"]
    assert (
        json.loads(run("check", row["longest"]["deal"], "--json").stdout)["cards"]
        == (row["longest"]["cards"])
    )


def test_simulate_three_players_and_loops(run: Run) -> None:
    row = json.loads(run("simulate", "-n", "500", "--set", "players=3", "--json").stdout)
    assert len(row["wins"]) == 3
    words = (
        "simulate",
        "-n",
        "1M",
        "--rules",
        "camicia",
        "--set",
        "deck=camicia-20",
        "--seed",
        "3",
    )
    done = run(*words)
    assert re.search(r"^\d+ never end$", done.stdout, re.MULTILINE)
    assert re.search(r"^never ends: period [\d,]+ cards", done.stdout, re.MULTILINE)


def test_simulate_writes_games_and_pictures(run: Run, tmp_path: Path) -> None:
    games, parquet, picture = tmp_path / "g.csv", tmp_path / "g.parquet", tmp_path / "g.png"
    run("simulate", "-n", "300k", "--seed", "2", "--out", str(games), "--plot", str(picture))
    lines = games.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "number,end,winner,cards,tricks,by_default"
    assert len(lines) == 300_001
    assert lines[-1].startswith("299999,won,")
    assert picture.read_bytes().startswith(b"\x89PNG")
    run("simulate", "-n", "300k", "--seed", "2", "--out", str(parquet))
    pq = pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(parquet)
    assert table.num_rows == 300_000
    last = table.slice(299_999).to_pylist()[0]
    told = f"{last['number']},{last['end']},{last['winner']},{last['cards']},{last['tricks']},"
    assert lines[-1].startswith(told)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("-n", "0"), "-n: '0' is not a count"),
        (("-n", "-5"), "-n: '-5' is not a count"),
        (("-n", "1.5"), r"-n: '1\.5' is not a count"),
        (("-n", "10", "--kernel", "steam"), "kernel: 'steam' is not a kernel of this machine"),
        (("-n", "10", "--threads", "none"), "--threads: 'none' is not a count"),
        (("-n", "10", "--out", "games.xls"), "cannot write 'games.xls': expected a name in .csv"),
        (("-n", "10", "--out", "/no/such/games.csv"), "No such file or directory"),
        (("-n", "10", "--plot", "games.bmp"), "'games.bmp' is no picture: expected one of .png"),
        (("-n", "10", "--plot", "/no/such/games.png"), "there is no such folder"),
        (("-n", "10", "--seed", "-1"), "--seed: '-1' is not a seed"),
    ],
)
def test_simulate_bad_input(run: Run, words: tuple[str, ...], said: str) -> None:
    refused(run("simulate", *words), said)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_simulate_on_a_full_disk_keeps_what_it_knows(
    run: Run, command: str, tmp_path: Path
) -> None:
    full = tmp_path / "full.csv"
    full.symlink_to("/dev/full")
    done = run("simulate", "-n", "2M", "--seed", "2", "--out", str(full))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert re.search(r"cannot write|No space left on device", done.stderr)
    # A limit in the middle: whole games are kept, counted and named.
    games = tmp_path / "limited.csv"
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 400; '{command}' simulate -n 200k --seed 1 --out {games}"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    held = re.search(r"limited\.csv' holds the first ([\d,]+) games", done.stderr)
    assert held, done.stderr
    lines = games.read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + int(held[1].replace(",", "")) > 1000
    assert "games of 2 players" in done.stdout


def test_a_refusal_leaves_an_old_file_alone(run: Run, tmp_path: Path) -> None:
    old = tmp_path / "old.csv"
    old.write_text("precious\n", encoding="utf-8")
    refused(run("simulate", "-n", "10", "--kernel", "steam", "--out", str(old)), "not a kernel")
    assert old.read_text(encoding="utf-8") == "precious\n"


def test_a_picture_that_cannot_be_written_loses_no_figures(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "d.png"
    folder.mkdir()
    refused(run("simulate", "-n", "10", "--plot", str(folder)), "it is a folder")
    full = tmp_path / "full.png"
    full.symlink_to("/dev/full")
    done = run("simulate", "-n", "1000", "--seed", "1", "--plot", str(full))
    refused(done, "cannot write '.*full.png': No space left")
    assert "1,000 games of 2 players" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_simulate_interrupted_says_what_it_covers(command: str) -> None:
    with subprocess.Popen(
        [command, "simulate", "-n", "100G", "--seed", "5", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(2.0)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=20)
    assert process.returncode == 130
    covered = json.loads(out)["games"]
    assert covered > 0
    assert error == (
        f"beggar: interrupted; the figures cover deals 0 to {covered - 1:,} of "
        f"100,000,000,000 (seed 5)\n"
    )


def test_bench(run: Run) -> None:
    row = json.loads(run("bench", "--seconds", "0.05", "--json").stdout)
    kernels = {one["kernel"] for one in row["games_per_second"]}
    assert kernels >= {"portable", "core"}
    assert all(one["rate"] > 0 for one in row["games_per_second"])
    assert "games a second" in run("bench", "--seconds", "0.05").stdout
    refused(run("bench", "--seconds", "soon"), "--seconds: 'soon' is not a time")


# -- help, colour, interruption ---------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "simulate",
        "enumerate",
        "loops",
        "check",
        "play",
        "replay",
        "plot",
        "match",
        "compare",
        "records",
        "verify",
        "bench",
        "rules",
    ],
)
def test_help_has_examples_that_run(run: Run, name: str, tmp_path: Path) -> None:
    shown = run(name, "--help").stdout
    examples = re.findall(rf"^ *(beggar {name}.*?) *$", shown, re.MULTILINE)
    assert examples
    for example in examples:
        if not re.search(
            r"[<>|]|deals\.txt|-n 1000000|-n 100M|--tempo|--plot|--replay|--add", example
        ):
            words = re.findall(r"'([^']*)'|(\S+)", example)
            done = run(*[quoted or plain for quoted, plain in words][1:], text="K/Q", cwd=tmp_path)
            assert done.returncode == 0, (example, done.stderr)


def test_without_arguments_it_says_how_to_use_it(run: Run) -> None:
    assert "Usage: beggar" in run().stdout + run().stderr


def test_no_colour_in_a_pipe_or_when_it_is_not_wanted(run: Run) -> None:
    for environment in ({}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}):
        done = run("check", "--J-/K-J-", **environment)
        assert "\x1b[3" not in done.stdout


@pytest.mark.parametrize("engine", ["core", "reference"])
@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_ctrl_c_is_obeyed_at_once(command: str, engine: str) -> None:
    settings = ("until_penalty=yes", "lead=loser", "pickup=reversed", "budget_tricks=none")
    words = [word for setting in settings for word in ("--set", setting)]
    deals = ["--J/---J", "00100200/0030000/01000/0000/301"]
    with subprocess.Popen(
        [command, "check", *deals, "--engine", engine, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        time.sleep(1.5)
        assert process.poll() is None
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=10)
        # A tenth of a second for the engine, the rest for the interpreter to end.
        assert time.monotonic() - sent < 1.0
    assert process.returncode == 130
    assert error == "beggar: interrupted\n"
    # What was done is not lost.
    assert "--J/---J" in out
