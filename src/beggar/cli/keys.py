"""Keys as they are pressed, without waiting for the end of a line."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["pressed"]


def _whole(key: bytes) -> bool:
    try:
        key.decode()
    except UnicodeDecodeError:
        return False
    return True


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

        def read_key() -> str:
            # Not by the text stream: what it reads ahead cannot be asked for.
            key = os.read(descriptor, 1)
            while key[:1] >= b"\xc0" and len(key) < 4 and not _whole(key):
                key += os.read(descriptor, 1)
            if key == b"\x1b" and select.select([descriptor], [], [], 0.05)[0]:
                # An arrow or the like: a sequence of several characters.
                os.read(descriptor, 32)
                return "sequence"
            return key.decode(errors="replace")

        yield read_key
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
