"""Lets tests start processes of Python that have imported the program already; see `tests.warm_server`."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOCKET = "WCE_TEST_WARM_PYTHON"
"""A variable of the environment: where the warm process listens. All processes of a run of the tests share it."""


@contextmanager
def warm_process() -> Iterator[None]:
    """While this context is open, `warm_python` names a command that is warm, where there is `fork`."""
    if sys.platform != "linux":
        yield
        return
    with tempfile.TemporaryDirectory(prefix="warm-") as place:
        os.environ[SOCKET] = f"{place}/socket"
        with _server(os.environ[SOCKET]):
            yield
        del os.environ[SOCKET]


def _server(place: str) -> "subprocess.Popen[bytes]":
    """A context: the process ends with its standard input, which is closed at the end, and is waited for."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(place)
        listener.listen()
        return subprocess.Popen(
            [sys.executable, "-m", "tests.warm_server", str(listener.fileno())],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "0"},
            stdin=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        )


def warm_python() -> list[str]:
    """The beginning of a command line: what `sys.executable` is to a process that starts cold.

    Followed by -c, -m or a script. Not for tests of what is imported, or of how Python itself starts and ends.
    """
    if SOCKET not in os.environ:
        return [sys.executable]
    return [sys.executable, "-I", "-S", str(ROOT / "tests/warm_client.py"), os.environ[SOCKET]]


class WarmJobs:
    """While this context is open, the window's jobs start warm."""

    def __init__(self) -> None:
        self.is_used = SOCKET in os.environ
        self._patch = pytest.MonkeyPatch()

    def __enter__(self) -> Self:
        from wce_desktop.jobs.child_process import ChildProcess
        from wce_desktop.jobs.spec import child_command

        start = ChildProcess._start

        def started(child: ChildProcess, config_path: Path) -> "subprocess.Popen[bytes]":
            if self.is_used and child._command is child_command:
                child._command = _warm_command
            return start(child, config_path)

        def _warm_command(config_path: Path) -> Sequence[str]:
            return [*warm_python(), *child_command(config_path)[1:]]

        self._patch.setattr(ChildProcess, "_start", started)
        return self

    def __exit__(self, *_: object) -> None:
        self._patch.undo()
