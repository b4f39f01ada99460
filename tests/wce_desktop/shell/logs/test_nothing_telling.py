"""Errors of every layer hold marked values; nothing that is written afterwards holds them."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from sqlalchemy import insert

from tests.wce_desktop.sessions import make_session
from training.datasets.annotations.content import AnnotatedImage
from training.datasets.annotations.yolo import write_yolo
from training.files.json_text import parse_json
from training.runs.events import LogLine
from wce_desktop.jobs.child_process import ChildProcess
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import tables
from wce_desktop.library.storage import database
from wce_desktop.session.places import log_file
from wce_desktop.shell import logging_setup
from wce_desktop.shell.diagnostics import diagnostics
from wce_desktop.shell.logging_setup import CrashNotes
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job

MARK = "KOWALSKI Eva 1950"
JOB = f"""
import sys, threading
from pathlib import Path
from training.commands import child
def run(config, reporter):
    def fall():
        raise ValueError("{MARK}")
    other = threading.Thread(target=fall)
    other.start()
    other.join()
    try:
        int("{MARK}")
    except ValueError as error:
        raise KeyError("{MARK}") from error
child._run_command = run
sys.exit(child.run_job(Path(sys.argv[1])))
"""


def _fail_in_database(folder: Path) -> None:
    file = next(folder.rglob(database.FILE_NAME))
    engine = database.connect(file)
    try:
        with engine.execution_options(writes=True).begin() as connection:
            for _ in range(2):
                connection.execute(insert(tables.readers).values(name=MARK, created_utc=MARK))
    finally:
        engine.dispose()


def _fail_in_import(folder: Path) -> None:
    try:
        parse_json(f'{{"{MARK}": {MARK}')
    except ValueError as error:
        raise RuntimeError(f"“{MARK}” is no reading: {error}") from error


def _fail_in_export(folder: Path) -> None:
    (folder / MARK).write_text(MARK)
    write_yolo(folder / MARK, [AnnotatedImage(MARK)], [])


def _fail_in_group(folder: Path) -> None:
    raise ExceptionGroup(MARK, [LookupError(MARK), ValueError(MARK)])


LAYERS: tuple[Callable[[Path], None], ...] = (_fail_in_database, _fail_in_import, _fail_in_export, _fail_in_group)


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The log of the application, in the folder of this test."""
    root, before = logging.getLogger(), list(logging.getLogger().handlers)
    monkeypatch.setattr(logging_setup, "qInstallMessageHandler", lambda _: None)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    logging_setup.start_logging(log_file())
    yield log_file()
    for handler in [one for one in root.handlers if one not in before]:
        root.removeHandler(handler)
        handler.close()


def test_errors_of_all_layers_leave_no_data(
    qtbot: QtBot, log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("excepthook", "unraisablehook"):
        monkeypatch.setattr(sys, name, getattr(sys, name))
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    shown: list[BaseException] = []
    logging_setup.catch_bugs(shown.append)
    session = make_session(tmp_path / "home", has_model=False)
    notes = CrashNotes(log.parent)
    (log.parent / "window-999999.txt").write_text("Fatal Python error: Aborted\n")
    try:
        for fail in LAYERS:
            _log_everywhere(qtbot, fail, tmp_path)
        job = _failed_job()
        said = diagnostics(session, [job])
        (tmp_path / "diagnostics.txt").write_text(said, encoding="utf-8")
    finally:
        notes.close()
        session.library.close()
    assert len(shown) == len(LAYERS), "a slot's error reaches the window"
    written = log.read_text(encoding="utf-8")
    for words in ("IntegrityError", "SQLITE_CONSTRAINT", "JSONDecodeError", "NotADirectoryError", "LookupError"):
        assert words in written, words
    assert written.count("Traceback") > 12
    assert "_fail_in_export" in written, "where it happened stays"
    assert "It ended with an unexpected error (KeyError)." in said
    assert any("Traceback" in line for line in job.log)
    texts = {"log": written, "diagnostics": said, "job": "\n".join(job.log), "streams": "".join(capfd.readouterr())}
    texts |= {path.name: path.read_text(encoding="utf-8") for path in log.parent.glob("*.txt")}
    found = [f"{name}: {word}" for name, text in texts.items() for word in MARK.split() if word in text]
    assert found == []


def _log_everywhere(qtbot: QtBot, fail: Callable[[Path], None], folder: Path) -> None:
    """The error as a slot, a thread, a short job and a warning meet it."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        fail(folder)
    error = caught.value
    sys.excepthook(type(error), error, error.__traceback__)

    def run() -> None:
        raise error

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    short = FunctionThread()
    with qtbot.waitSignal(short.failed):
        short.request(lambda _: fail(folder))
    short.close()
    logging_setup.LOG.warning("closing: %s", error)
    logging_setup.LOG.warning("set aside: %s", f"the row “{MARK}” breaks a rule")
    logging_setup.LOG.error(error)


def _failed_job() -> Job:
    job = Job(JobSpec("scoring P03", "score", {}))
    child = ChildProcess(job.spec, lambda path: [sys.executable, "-c", JOB, str(path)])
    job.outcome = child.run(lambda event: job.log.append(event.line) if isinstance(event, LogLine) else None)
    job.state = "failed"
    return job
