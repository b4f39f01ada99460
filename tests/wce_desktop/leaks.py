"""A fixture that fails a test which leaves a thread or a child process behind."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import ReferenceType, ref

import pytest

PATIENCE_SECONDS = 10.0


def wait_until(condition: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> bool:
    """Look again and again, outside any event loop, until the condition holds or the time is over."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return True
        pause.wait(0.02)
    return condition()


def is_alive(pid: int) -> bool:
    """True while the process runs; one that has ended but was not waited for does not."""
    status = Path(f"/proc/{pid}/stat")
    if Path("/proc/self/stat").exists():
        return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _started_qthreads(monkeypatch: pytest.MonkeyPatch) -> list[ReferenceType[Any]]:
    """A list that every QThread that is started from now on is added to."""
    from PySide6.QtCore import QThread

    started: list[ReferenceType[Any]] = []
    start = QThread.start

    def noted(thread: QThread, *arguments: Any, **names: Any) -> None:
        started.append(ref(thread))
        start(thread, *arguments, **names)

    monkeypatch.setattr(QThread, "start", noted)
    return started


def _running(started: list[ReferenceType[Any]]) -> list[str]:
    from shiboken6 import isValid

    threads = [thread for one in started if (thread := one()) is not None and isValid(thread) and thread.isRunning()]
    return [f"{type(one).__name__} {one.objectName()}" for one in threads]


@contextmanager
def leaks_nothing() -> Iterator[None]:
    """Fail when a Python thread or a QThread that was started in this context still runs after it."""
    before = set(threading.enumerate())
    with pytest.MonkeyPatch.context() as monkeypatch:
        started = _started_qthreads(monkeypatch)
        yield
    left = [one for one in threading.enumerate() if one not in before and not isinstance(one, threading._DummyThread)]
    for thread in left:
        thread.join(timeout=PATIENCE_SECONDS)
    assert not [thread.name for thread in left if thread.is_alive()]
    assert not _running(started)


@pytest.fixture
def no_leaks() -> Iterator[None]:
    """Fail when a Python thread or a QThread that the test started still runs after it."""
    with leaks_nothing():
        yield


def keep_home_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the person's own folders below this one."""
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder / "home"))
