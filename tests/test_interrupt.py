"""Ctrl-C and threads: a game can be stopped and goes on, and is one caller's at a time."""

import copy
import gc
import signal
import threading
import time
from collections.abc import Callable

import pytest

from beggar import Deal, Game, Rules

ENDLESS = "00100200/0030000/01000/0000/301"
RULES = Rules(until_penalty=True, lead="loser", pickup="reversed", budget_tricks=None)


def interrupted(call: Callable[[], object], seconds: float) -> bool:
    """Make a call, interrupt it as Ctrl-C would after some time, and tell whether it was."""
    armed = True

    def stop(number: int, frame: object) -> None:
        if armed:
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, stop)
    # No finaliser of what other tests left may run, and swallow the interrupt.
    gc.collect()
    gc.disable()
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        call()
        armed = False
        return False
    except KeyboardInterrupt:
        return True
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.enable()


needs_timer = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no timer that sends signals there"
)


@needs_timer
@pytest.mark.parametrize("on_cycle", ["draw", "ignore"])
def test_ctrl_c_stops_play_at_once_and_play_can_go_on(engine: str, on_cycle: str) -> None:
    rules = RULES.replace(limit_tricks=10**12, on_cycle=on_cycle)
    game = Game(ENDLESS, rules, engine=engine)
    # A game of the reference may be left in the middle of a card, and is not gone on with.
    for _ in range(2 if engine == "core" else 1):
        start = time.monotonic()
        assert interrupted(game.play, 0.2)
        # 0.2 seconds until it is sent, a tenth to obey, the rest for a busy machine.
        assert time.monotonic() - start < 0.8
        assert game.outcome is None
    if engine == "core":
        assert game.position.tricks > 0


@needs_timer
def test_an_interrupted_game_still_ends_exactly() -> None:
    # A loop of 892,836 tricks: interrupted beyond the trick where it closes, play goes
    # back to there; so does a stream of events.
    rules = Rules(until_penalty=True, lead="loser")
    expected = Game(ENDLESS, rules).play()
    assert expected.cycle is not None
    assert expected.cycle.period.tricks == 892_836
    for stepping in (False, True):
        game = Game(ENDLESS, rules)
        stops = [interrupted(game.play, delay) for delay in (0.01, 0.03, 0.06, 0.09, 0.12)]
        assert any(stops)
        if stepping and game.outcome is None:
            for _ in game:
                pass
        assert game.play() == expected


@needs_timer
def test_an_interrupted_stream_finds_the_same_loop() -> None:
    # Tricks of hundreds of cards, so that the scout is interrupted while it settles the loop.
    deal = Deal.parse("-" * 2000 + "J/Q" + "-" * 2000)
    expected = Game(deal).play()
    assert expected.cycle is not None
    assert expected.cycle.period.tricks == 21
    stops = 0
    for microseconds in range(100, 6000, 50):
        game = Game(deal)
        stops += interrupted(lambda game=game: list(game), microseconds * 1e-6)  # type: ignore[misc]
        for _ in game:
            pass
        assert game.outcome == expected
    assert stops


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
