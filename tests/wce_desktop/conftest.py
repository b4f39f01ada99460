"""What every test of the application may use."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.warm_jobs import IS_POSSIBLE, WarmJobs
from tests.wce_desktop.leaks import no_leaks
from tests.wce_desktop.sessions import add_study, make_session, open_study
from wce_desktop.jobs import child_process
from wce_desktop.jobs.spec import child_command
from wce_desktop.session.session import Session

__all__ = ["no_leaks"]

HERE = Path(__file__).parent
WITH_WINDOWS = {"features", "shell", "threads", "widgets"}


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


@pytest.fixture(autouse=True)
def _tidy(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of the window fails when it leaves a thread behind; none touches the person's own folders."""
    if request.path.relative_to(HERE).parts[0] not in WITH_WINDOWS:
        return
    request.getfixturevalue("no_leaks")
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """An empty library with a model in use."""
    made = make_session(tmp_path)
    yield made
    made.close_study()
    made.library.close()


@pytest.fixture
def opened(session: Session, tmp_path: Path) -> Session:
    """The same with the scored study open."""
    open_study(session, add_study(session, tmp_path))
    return session
