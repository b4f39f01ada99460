"""The other end of a fork server: starts one, asks it to run cases, starts it anew where it was lost."""

import json
import os
import subprocess
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.fuzz.fork_server import Reply, Request
from tests.warm_python import warm_python

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class ServerClient:
    """One fork server of a kind ("shell" or "window"); use it as a context."""

    def __init__(self, kind: str, settings_folder: Path) -> None:
        """`settings_folder` is where matplotlib keeps its list of fonts."""
        self._kind = kind
        self._environment = {
            **os.environ,
            **ONE_THREAD,
            "PYTHONHASHSEED": "0",
            "QT_QPA_PLATFORM": "offscreen",
            "MPLBACKEND": "agg",
            "MPLCONFIGDIR": str(settings_folder),
        }
        for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "DISPLAY"):
            self._environment.pop(name, None)
        self._process: subprocess.Popen[str] | None = None

    def run(self, request: Request) -> Reply:
        """Run one case; `RuntimeError` where the server itself ends."""
        process = self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(asdict(request)) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the fork server ended with status {process.wait()}")
        return Reply(**json.loads(line))

    def _started(self) -> "subprocess.Popen[str]":
        if self._process is None:
            command = [*warm_python(), "-m", "tests.fuzz.fork_server", self._kind]
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
            )
            assert self._process.stdout is not None
            if "ready" not in self._process.stdout.readline():
                raise RuntimeError("the fork server did not start")
        return self._process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.close()
            self._process.wait(30)
            self._process.stdout.close()
            self._process = None
