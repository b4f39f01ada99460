"""Defects put here on purpose: the harness must notice each of them."""

import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path


def raise_error(path: Path) -> None:
    """An exception that nobody catches."""
    raise RuntimeError("planted")


def get_signal(path: Path) -> None:
    """What a wrong pointer in a library ends in."""
    os.kill(os.getpid(), signal.SIGSEGV)


def sleep_on(path: Path) -> None:
    """Waits for something that never comes."""
    time.sleep(600)


def change_input(path: Path) -> None:
    """One byte, and the times put back as they were."""
    found = path.stat()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns))


def change_mode(path: Path) -> None:
    """Only who may read it."""
    path.chmod(0o604)


def remove_input(path: Path) -> None:
    """The file is gone."""
    path.unlink()


def write_beside(path: Path) -> None:
    """A new file beside the input."""
    path.with_name("beside").touch()


def leave_temporary(path: Path) -> None:
    """A temporary file that is not cleared up."""
    Path(tempfile.mkdtemp(), "left").touch()


def end_silently(path: Path) -> None:
    """A status that says nothing."""
    sys.exit(3)


def fill_memory(path: Path) -> None:
    """More than a child may have."""
    bytearray(6 << 30)


PLANTED: dict[str, Callable[[Path], None]] = {
    "traceback": raise_error,
    "signal": get_signal,
    "hang": sleep_on,
    "changed": change_input,
    "changed mode": change_mode,
    "changed name": remove_input,
    "stray": write_beside,
    "stray temporary": leave_temporary,
    "silent": end_silently,
    "traceback of memory": fill_memory,
}


def main(argv: list[str]) -> int:
    """Show the defect argv[0] on the file argv[1]; without a name of one all is well."""
    if argv[0] in PLANTED:
        PLANTED[argv[0]](Path(argv[1]))
    return 0
