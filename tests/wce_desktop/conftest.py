"""What every test of the application may use."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QObject, Qt, QTimerEvent
from pytestqt.qtbot import QtBot

from tests.postgres import Libraries, Server, is_installed, running
from tests.wce_desktop.databases import choose_databases
from tests.wce_desktop.leaks import keep_home_in, no_leaks
from tests.wce_desktop.sessions import add_study, make_session, open_study
from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.library.sharing import copying
from wce_desktop.session.places import resource
from wce_desktop.session.session import Session

__all__ = ["no_leaks"]

HERE = Path(__file__).parent
PATIENCE_MILLISECONDS = 20_000
WITH_WINDOWS = {"features", "shell", "threads", "widgets"}


class _Alarm(QObject):
    """Ends an event loop after a time, without a connection."""

    def __init__(self, milliseconds: int) -> None:
        super().__init__()
        self.loop = QEventLoop()
        self.startTimer(milliseconds, Qt.TimerType.PreciseTimer)

    def timerEvent(self, event: QTimerEvent) -> None:  # noqa: N802
        self.killTimer(event.timerId())
        self.loop.quit()


def _wait(self: QtBot, ms: int) -> None:
    """Let the window work for some milliseconds.

    pytest-qt connects a helper for each wait. When the helper is deleted, Qt disconnects it under a lock and PySide
    asks for the GIL; a thread that holds the GIL and connects something, as the layout of a text does, waits for the
    lock.
    """
    alarm = _Alarm(ms)
    alarm.loop.exec()


QtBot.wait = _wait  # type: ignore[method-assign]
for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals):
    assert wait.__kwdefaults__ is not None
    wait.__kwdefaults__["timeout"] = PATIENCE_MILLISECONDS  # not 5 s: a busy machine may take long


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests of a library run on both databases."""
    choose_databases(metafunc)


@pytest.fixture(autouse=True)
def _on_database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use the database that was chosen; a test's own go with it: each takes as much room as thousands of labels."""
    callspec = getattr(request.node, "callspec", None)
    if callspec is not None and "database" in callspec.params:
        request.getfixturevalue("database")
    if Libraries.current is None:
        yield
        return
    with Libraries.current.dropped_in(tmp_path_factory.getbasetemp()):
        yield


@pytest.fixture(autouse=True)
def _tidy(request: pytest.FixtureRequest) -> None:
    """A test of the window fails when it leaves a thread behind; none touches the person's own folders."""
    if request.path.relative_to(HERE).parts[0] not in WITH_WINDOWS:
        return
    folder, patch = request.getfixturevalue("tmp_path"), request.getfixturevalue("monkeypatch")
    request.getfixturevalue("no_leaks")
    keep_home_in(folder, patch)


@cache
def _german_texts() -> dict[str, str]:
    return read_translations(resource("translations", "wce_desktop_de.ts"))


@pytest.fixture
def in_german() -> Iterator[None]:
    """Texts and numbers in German; windows also need `widgets.language.use_language`."""
    use_translations(_german_texts())
    yield
    use_translations({})


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A server, started once; where PostgreSQL is not installed the test is skipped."""
    if not is_installed():
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def made_on_server(postgres: Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with an empty library, made once: tests take copies."""
    name = postgres.database()
    copying.create(postgres.address(name), tmp_path_factory.mktemp("server") / "library")
    return name


@pytest.fixture(scope="module")
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """Where the libraries of a module's tests have their databases: "here", in their folders, or on the "server"."""
    place = str(getattr(request, "param", "here"))
    if place == "here":
        yield place
        return
    with Libraries(request.getfixturevalue("postgres"), request.getfixturevalue("made_on_server")).in_use():
        yield place
