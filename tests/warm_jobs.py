"""Lets the window's jobs run in forks of one warm process; see `tests.warm_server`."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import pytest

ROOT = Path(__file__).resolve().parents[1]


class WarmJobs:
    """While this context is open, jobs are forked; the process to fork from starts with the first of them."""

    def __init__(self) -> None:
        self.is_used = sys.platform == "linux"
        self._open = ExitStack()
        self._socket = ""
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        from wce_desktop.jobs.child_process import ChildProcess
        from wce_desktop.jobs.spec import child_command

        start = ChildProcess._start

        def started(child: ChildProcess, config_path: Path) -> "subprocess.Popen[bytes]":
            if self.is_used and child._command is child_command:
                child._command = self._command
            return start(child, config_path)

        patch = self._open.enter_context(pytest.MonkeyPatch.context())
        patch.setattr(ChildProcess, "_start", started)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _command(self, config_path: Path) -> Sequence[str]:
        if self._server is None:
            self._server = self._start()
        if self._server.poll() is not None:
            raise RuntimeError("the warm process has ended; a test may have killed it")
        return [sys.executable, "-I", "-S", str(ROOT / "tests/warm_client.py"), self._socket, str(config_path)]

    def _start(self) -> "subprocess.Popen[bytes]":
        place = self._open.enter_context(tempfile.TemporaryDirectory(prefix="warm-"))
        command = [sys.executable, "-m", "tests.warm_server", f"{place}/socket"]
        server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._open.enter_context(server)  # closes its standard input, then waits for it
        assert server.stdout is not None
        if server.stdout.readline() != b"ready\n":
            raise RuntimeError("the warm process did not start")
        self._socket = f"{place}/socket"
        return server
