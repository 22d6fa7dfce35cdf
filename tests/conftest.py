"""What several test modules share: both engines, and a fixed profile for Hypothesis."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest

from beggar.game import ENGINES, Game

# A shell that runs the tests in the background ignores Ctrl-C for them, and what they start
# would ignore it as well.
signal.signal(signal.SIGINT, signal.default_int_handler)

hypothesis.settings.register_profile("quick", max_examples=30, deadline=None)
hypothesis.settings.register_profile("full", max_examples=300, deadline=None)
hypothesis.settings.load_profile(os.environ.get("BEGGAR_TEST_PROFILE", "full"))


@pytest.fixture(params=ENGINES, ids=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Run the test once with each engine."""
    name: str = request.param
    return name


@pytest.fixture
def game(engine: str) -> Callable[..., Game]:
    """Make games of the engine under test."""

    def make(*args: object, **options: object) -> Game:
        return Game(*args, engine=engine, **options)  # type: ignore[arg-type]

    return make


@pytest.fixture(scope="session")
def command() -> str:
    """Return the path of the installed command."""
    beside = Path(sys.executable).with_name("beggar")
    found = str(beside) if beside.exists() else shutil.which("beggar")
    assert found, "the command 'beggar' is not installed"
    return found
