"""What every test of the application may use."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.warm_jobs import IS_POSSIBLE, WarmJobs
from tests.wce_desktop.leaks import no_leaks
from wce_desktop.jobs import child_process
from wce_desktop.jobs.spec import child_command

__all__ = ["no_leaks"]


@pytest.fixture(scope="session", autouse=True)
def _warm_jobs() -> Iterator[None]:
    """Jobs need not import torch anew. Those of `tests/test_user_story.py` and `tests/training/runs` do."""
    if not IS_POSSIBLE:
        yield
        return
    warm = WarmJobs()
    start = child_process.ChildProcess._start

    def started(child: child_process.ChildProcess, config_path: Path) -> "subprocess.Popen[bytes]":
        if child._command is child_command:
            child._command = warm.command
        return start(child, config_path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(child_process.ChildProcess, "_start", started)
        yield
    warm.close()
