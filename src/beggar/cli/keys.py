"""Keys as they are pressed, without waiting for the end of a line."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["pressed"]


@contextmanager
def pressed() -> Iterator[Callable[[], str]]:
    """Within this, the function it gives waits for a key and returns its character.

    Ctrl-C is a `KeyboardInterrupt`, the end of the input an empty text.
    """
    if sys.platform == "win32":
        import msvcrt

        def read() -> str:
            key = msvcrt.getwch()
            if key == "\x03":
                raise KeyboardInterrupt
            return key

        yield read
        return

    import termios
    import tty

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        # Not raw: Ctrl-C and Ctrl-Z keep their meaning.
        tty.setcbreak(descriptor)
        yield lambda: sys.stdin.read(1)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
