"""Files that a command writes: checked before the work is done, and whole or not at all."""

import os
import tempfile
from pathlib import Path

from beggar.errors import BeggarError, quoted

__all__ = ["check_target", "write_whole"]


def check_target(path: str) -> None:
    """Raise if a file cannot be written; ``-`` is standard output.

    Raises
    ------
    BeggarError
        If the name is empty, a folder's, in no folder there is, or the file may not be written.
    """
    if path == "-":
        return
    target = Path(path)
    if not path:
        raise BeggarError("cannot write '': expected a file's name")
    if target.is_dir():
        raise BeggarError(f"cannot write {quoted(path)}: it is a folder")
    if not target.absolute().parent.is_dir():
        raise BeggarError(f"cannot write {quoted(path)}: there is no such folder")
    if target.exists() and not os.access(target, os.W_OK):
        raise BeggarError(f"cannot write {quoted(path)}: it is read-only")


def write_whole(path: str, text: str) -> None:
    """Write a file: a regular one is replaced at once when all is written.

    Devices and pipes are written to as they are, and links followed.

    Raises
    ------
    OSError
        If it cannot be written; what was there is still there then.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("w", encoding="utf-8") as stream:
            stream.write(text)
        return
    target = target.resolve()
    mode = target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()
    handle, aside = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.chmod(aside, mode)
        os.replace(aside, target)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def _umask() -> int:
    """Return which permissions new files lack: it can only be told by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
