"""Lets the jobs of a test session run in forks of one warm process; see `tests.warm_server`."""

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IS_POSSIBLE = sys.platform == "linux"


class WarmJobs:
    """The command line of a job's child, for one that is forked; the process to fork from starts with the first."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._socket = ""

    def command(self, config_path: Path) -> Sequence[str]:
        """What `wce_desktop.jobs.spec.child_command` gives, in its place."""
        if not self._socket:
            self._start()
        client = str(ROOT / "tests" / "warm_client.py")
        return [sys.executable, "-I", "-S", client, self._socket, str(config_path)]

    def close(self) -> None:
        """End the warm process."""
        self._open.close()

    def _start(self) -> None:
        place = self._open.enter_context(tempfile.TemporaryDirectory(prefix="warm-"))
        command = [sys.executable, "-m", "tests.warm_server", f"{place}/socket"]
        server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._open.enter_context(server)  # closes its standard input, then waits for it
        assert server.stdout is not None
        if server.stdout.readline() != b"ready\n":
            raise RuntimeError("the warm process did not start")
        self._socket = f"{place}/socket"
