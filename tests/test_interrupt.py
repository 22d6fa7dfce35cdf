"""Ctrl-C and threads: a game can be stopped and goes on, and is one caller's at a time."""

import copy
import os
import signal
import threading
import time

import pytest

from beggar import Deal, Game, Rules
from beggar.events import TrickTaken

ENDLESS = "00100200/0030000/01000/0000/301"
RULES = Rules(until_penalty=True, lead="loser", pickup="reversed", budget_tricks=None)


def interrupt_after(seconds: float) -> threading.Timer:
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    return timer


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("on_cycle", ["draw", "ignore"])
def test_ctrl_c_stops_play_at_once_and_play_can_go_on(engine: str, on_cycle: str) -> None:
    rules = RULES.replace(limit_tricks=10**12, on_cycle=on_cycle)
    game = Game(ENDLESS, rules, engine=engine)
    for _ in range(2):
        timer = interrupt_after(0.2)
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            game.play()
        timer.join()
        # 0.2 seconds until it is sent, a tenth to obey, the rest for a busy machine.
        assert time.monotonic() - start < 0.8
        assert game.outcome is None
        tricks = game.position.tricks
    assert tricks > 0


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interrupted_game_still_ends_exactly() -> None:
    # A loop of 892,836 tricks: interrupted beyond the trick where it closes, play goes
    # back to there; so does a stream of events.
    rules = Rules(until_penalty=True, lead="loser")
    expected = Game(ENDLESS, rules).play()
    assert expected.cycle is not None
    assert expected.cycle.period.tricks == 892_836
    for stepping in (False, True):
        interrupted = 0
        game = Game(ENDLESS, rules)
        for delay in (0.01, 0.03, 0.06, 0.09, 0.12):
            timer = interrupt_after(delay)
            try:
                game.play()
                timer.join()
                time.sleep(0.01)
            except KeyboardInterrupt:
                interrupted += 1
            timer.join()
        assert interrupted
        if stepping and game.outcome is None:
            for _ in game:
                pass
        assert game.play() == expected


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
def test_an_interrupted_stream_finds_the_same_loop() -> None:
    # Tricks of hundreds of cards, so that the scout is interrupted while it settles the loop.
    deal = Deal.parse("-" * 2000 + "J/Q" + "-" * 2000)
    expected = Game(deal).play()
    assert expected.cycle is not None
    assert expected.cycle.period.tricks == 21

    def stop(signal_: int, frame: object) -> None:
        raise KeyboardInterrupt

    stopped = 0
    before = signal.signal(signal.SIGALRM, stop)
    try:
        for microseconds in range(100, 6000, 50):
            game = Game(deal)
            try:
                signal.setitimer(signal.ITIMER_REAL, microseconds * 1e-6)
                while not (isinstance(event := game.step(), TrickTaken) and event.tricks > 1):
                    pass
                while True:
                    pass
            except KeyboardInterrupt:
                stopped += 1
            for _ in game:
                pass
            assert game.outcome == expected
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert stopped


def test_a_game_is_played_by_one_thread_at_a_time() -> None:
    rules = RULES.replace(budget_tricks=2_000_000)
    game = Game(ENDLESS, rules)
    ends: list[object] = []
    thread = threading.Thread(target=lambda: ends.append(game.play()))
    thread.start()
    time.sleep(0.05)
    refused = 0
    while thread.is_alive():
        for call in (game.step, game.play, lambda: game.position, lambda: copy.copy(game)):
            try:
                if thread.is_alive():
                    call()
            except RuntimeError as error:
                refused += "in another thread" in str(error)
        time.sleep(0.01)
    thread.join()
    assert refused > 3
    assert ends == [game.outcome]


def test_many_games_at_once_in_threads() -> None:
    rules = RULES.replace(budget_tricks=200_000)
    ends: list[object] = []
    threads = [
        threading.Thread(target=lambda: ends.append(Game(ENDLESS, rules).play())) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(ends) == 4
    assert len(set(ends)) == 1
