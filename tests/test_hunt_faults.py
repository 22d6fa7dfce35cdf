"""Hunts that are killed, whose workers die, and whose disk fills: they come to the same."""

import os
import random
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from beggar.search.exhaustive import Exhaustive
from beggar.search.longest import Longest
from beggar.search.store import Store
from beggar.search.work import cluster, run, threads
from test_hunt import CASELLA, dump

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")

QUICK = os.environ.get("BEGGAR_TEST_PROFILE") == "quick"


def units_done(db: Path) -> int:
    if not db.exists():
        return 0
    with Store.read(str(db)) as store:
        return store.kept().units


def test_killed_at_any_moment_it_comes_to_the_same(command: str, tmp_path: Path) -> None:
    kills, stop = (6, "10M") if QUICK else (50, "60M")
    words = ["hunt", "exhaustive", "french-26", "--range", f"0:{stop}", "--unit", "50k", "--db"]
    calm, killed = tmp_path / "calm.db", tmp_path / "killed.db"
    subprocess.run([command, *words, str(calm)], check=True, capture_output=True)
    rng = random.Random(50)
    died = 0
    for _ in range(kills):
        with subprocess.Popen(
            [command, *words, str(killed)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            time.sleep(rng.uniform(0.0, 0.8))
            process.send_signal(signal.SIGKILL)
            died += process.wait() == -signal.SIGKILL
    assert died >= kills // 2
    subprocess.run([command, *words, str(killed)], check=True, capture_output=True)
    assert dump(killed) == dump(calm)


def test_a_hunt_that_learns_comes_to_the_same_when_killed(command: str, tmp_path: Path) -> None:
    units = 20 if QUICK else 60
    words = ["hunt", "infinite", "--from", CASELLA, "--seed", "3", "--db"]
    calm, killed = tmp_path / "calm.db", tmp_path / "killed.db"
    subprocess.run(
        [command, *words, str(calm), "--units", str(units)], check=True, capture_output=True
    )
    rng = random.Random(8)
    while (left := units - units_done(killed)) > 0:
        with subprocess.Popen(
            [command, *words, str(killed), "--units", str(left)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                process.wait(rng.uniform(0.4, 3.0))
            except subprocess.TimeoutExpired:
                process.kill()
    assert dump(killed) == dump(calm)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("kind", ["longest", "exhaustive"])
def test_told_to_stop_it_ends_cleanly(
    command: str, tmp_path: Path, number: signal.Signals, kind: str
) -> None:
    db = tmp_path / "a.db"
    deck = "camicia-40" if kind == "exhaustive" else "french-52"
    with subprocess.Popen(
        [command, "hunt", kind, deck, "--db", str(db)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not db.exists():
            time.sleep(0.05)
        time.sleep(1.5)
        process.send_signal(number)
        sent = time.monotonic()
        out, error = process.communicate(timeout=30)
    # A unit of the longest is finished, one of an exhaustive hunt is dropped.
    assert time.monotonic() - sent < 10
    assert process.returncode == 128 + number
    assert error.splitlines()[-1] == f"beggar: stopped; go on with: beggar hunt {kind} --db {db}"
    assert "Traceback" not in error
    assert kind == "exhaustive" or "games, " in out
    assert not list(tmp_path.glob(".*lock"))


def test_what_a_hunt_left_behind_does_not_get_into_another(command: str, tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    with subprocess.Popen(
        [command, "hunt", "longest", "14:2:2:2", "--db", str(db)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while units_done(db) < 2:
            time.sleep(0.1)
        process.kill()
    assert Path(f"{db}-wal").stat().st_size > 0
    db.unlink()
    words = ["hunt", "exhaustive", "8:2:2:2", "--unit", "1000", "--units", "2", "--db", str(db)]
    done = subprocess.run([command, *words], capture_output=True, text=True, check=True)
    assert "before" not in done.stderr
    assert units_done(db) == 2


def test_a_huge_space_is_begun_at_once(command: str, tmp_path: Path) -> None:
    words = ["hunt", "exhaustive", "french-52", "--unit", "1000", "--units", "2", "--db"]
    done = subprocess.run(
        [command, *words, str(tmp_path / "a.db")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "2 units in" in done.stderr


def test_a_second_process_is_refused(command: str, tmp_path: Path) -> None:
    db = tmp_path / "a.db"
    words = [command, "hunt", "longest", "--db", str(db)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        while units_done(db) == 0:
            time.sleep(0.1)
        # By another name, too.
        (tmp_path / "link.db").symlink_to(db)
        linked = [*words[:-1], str(tmp_path / "link.db")]
        second = subprocess.run(linked, capture_output=True, text=True, check=False)
        status = subprocess.run(
            [command, "hunt", "status", str(db)], capture_output=True, text=True, check=False
        )
        process.kill()
    assert second.returncode == 2
    assert "another process hunts into" in second.stderr
    assert len(second.stderr.splitlines()) == 1
    assert status.returncode == 0
    # Who was killed has no lock any more.
    third = subprocess.run([*words, "--units", "1"], capture_output=True, text=True, check=False)
    assert third.returncode == 0, third.stderr


def test_a_disk_that_fills(command: str, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(small)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("no file system of a fixed size can be mounted here")
    try:
        db = small / "a.db"
        done = subprocess.run(
            [command, "hunt", "exhaustive", "french-26", "--unit", "20k", "--db", str(db)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1
        assert "full" in done.stderr or "disk I/O error" in done.stderr
        kept = units_done(db)
        assert kept > 3
        with Store.read(str(db)) as store:
            assert store.connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert len(list(store.told())) == kept
    finally:
        subprocess.run(["umount", str(small)], check=False)


# -- A cluster ----------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore")
def test_a_worker_that_is_killed(tmp_path: Path) -> None:
    """On a cluster of real processes, one of which dies: the answer is that of threads."""
    if os.environ.get("BEGGAR_DASK") != "required":
        pytest.importorskip("distributed")
    import distributed

    local: Any = distributed.LocalCluster

    hunts: list[tuple[Any, int]] = [
        (Exhaustive("camicia-20", unit=20_000), 175),
        (Longest("14:2:2:2"), 4),
    ]
    with local(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as place:
        for hunt, units in hunts:
            for name in ("threads", "cluster"):
                path = tmp_path / f"{hunt.kind}-{name}.db"
                with Store.create(str(path), hunt.kind, hunt.params, 4) as store:
                    where = threads(2) if name == "threads" else cluster(place.scheduler_address)
                    with where as (executor, in_flight):
                        if name == "cluster":
                            victim = next(iter(place.workers.values()))
                            threading.Timer(0.3, os.kill, (victim.pid, signal.SIGKILL)).start()
                        run(hunt, store, executor, in_flight, units=units)
            assert dump(tmp_path / f"{hunt.kind}-threads.db") == dump(
                tmp_path / f"{hunt.kind}-cluster.db"
            )


def test_no_scheduler_there(command: str, tmp_path: Path) -> None:
    if os.environ.get("BEGGAR_DASK") != "required":
        pytest.importorskip("distributed")
    done = subprocess.run(
        [
            *(command, "hunt", "longest", "--db", str(tmp_path / "a.db")),
            *("--scheduler", "tcp://127.0.0.1:9", "--units", "1"),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 2
    assert "no scheduler with workers at 'tcp://127.0.0.1:9'" in done.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []
    assert "Traceback" not in done.stderr
