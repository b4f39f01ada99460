"""What the program writes is its owner's only, diagnostics name nobody, and a disk that is gone loses nothing."""

import errno
import os
import stat
import subprocess
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from tests.warm_python import warm_python
from tests.wce_desktop.windows import main_window, press, wait
from training.errors import UserError
from training.files.scratch import remove_abandoned, scratch_prefix
from training.runs.events import Outcome
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library.storage import database, lock, private
from wce_desktop.session import places
from wce_desktop.shell import application
from wce_desktop.shell.logging_setup import LAST, CrashNotes
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_queue import JobQueue
from wce_desktop.widgets.player import frame_reader

needs_posix = pytest.mark.skipif(os.name != "posix", reason="permissions of Linux and macOS")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def open_to_others(folder: Path) -> list[str]:
    found = [path for path in folder.rglob("*") if path.lstat().st_mode & OTHERS and not path.is_symlink()]
    return sorted(str(path.relative_to(folder)) for path in found)


@needs_posix
def test_all_that_a_session_writes_can_be_read_by_its_owner_only(tmp_path: Path) -> None:
    """The program itself, in a process of its own: window, library, a backup, settings, log, place of the window."""
    home = tmp_path / "home"
    home.mkdir()
    roots = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME", "TMPDIR")
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"} | dict.fromkeys(roots, str(home))
    code = (
        "import os, sys; os.umask(0o022); from wce_desktop.__main__ import main;"
        "from wce_desktop.shell.main_window import MainWindow as W; from PySide6.QtCore import QTimer;"
        "first = W.showEvent;"
        "work = lambda w: (w.session.settings.set('threshold', 0.4), w.session.library.back_up(), w.close());"
        "W.showEvent = lambda w, e: (first(w, e), QTimer.singleShot(300, w, lambda: work(w)))[0];"
        f"sys.exit(main(['--library', {str(home / 'library')!r}]))"
    )
    done = subprocess.run([*warm_python(), "-c", code], env=environment, timeout=120, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    written = {path.name for path in home.rglob("*")}
    assert {"library.sqlite", "settings.json", "wce-desktop.log", "window.json", "library.lock"} <= written
    assert any(name.startswith("library-") for name in written)
    assert open_to_others(home) == []


@needs_posix
def test_what_a_killed_process_left_is_removed_and_the_living_keep_theirs(tmp_path: Path) -> None:
    mine = tmp_path / f"{scratch_prefix('frames')}x"
    gone = tmp_path / "wce-frames-999999999-x"
    mine.mkdir()
    gone.mkdir()
    assert "frames" in application.SCRATCH_KINDS
    assert remove_abandoned("frames", tmp_path) == [gone]
    assert mine.exists()


def test_windows_gets_an_acl_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the command is looked at: it was not run on Windows."""
    ran: list[list[str]] = []
    monkeypatch.setattr("subprocess.run", lambda command, **_: ran.append(command))
    monkeypatch.setenv("USERNAME", "reader")
    monkeypatch.setenv("USERDOMAIN", "clinic")
    private._restrict_on_windows(tmp_path)
    assert ran[0][:4] == ["icacls", str(tmp_path), "/inheritance:r", "/grant:r"]
    assert "clinic\\reader:(OI)(CI)F" in ran[0]


def test_diagnostics_hold_what_helps_and_name_nobody(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        session = window.session
        assert session.reading is not None
        study = session.library.studies.update(session.reading.study.study_id, name="Erika Mustermann")
        session.settings.set("reader", "Dr Who")
        session.settings.set("name_pattern", "Mustermann-(.*)")
        session.studies_changed.emit()
        places.log_file().parent.mkdir(parents=True, exist_ok=True)
        places.log_file().write_text(f"ERROR Erika Mustermann in {study.path}\n")
        job = Job(JobSpec("Scores of Erika Mustermann", "score", {}))
        job.state, job.outcome = "failed", Outcome("failed", f"{study.path} cannot be read.")
        monkeypatch.setattr(JobQueue, "jobs", property(lambda _: (job,)))
        out = tmp_path / "out" / "diagnostics.txt"
        out.parent.mkdir()
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
        press(window, "save_diagnostics")
        text = out.read_text()
        assert "Look through the file" in window.banner.text
    for secret in ("Mustermann", "Dr Who", str(tmp_path), study.path.name):
        assert secret not in text, secret
    for needed in ("PySide6", "threshold: ", "score, failed", study.study_id, "== Log ==\nERROR"):
        assert needed in text, needed


def test_a_crash_is_noted_and_diagnostics_are_offered(qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "log"
    folder.mkdir()
    (folder / "window-999999999.txt").write_text("Fatal Python error: Segmentation fault")
    notes = CrashNotes(folder)
    assert notes.has_crashed
    assert "Segmentation" in (folder / LAST).read_text()
    notes.close()
    again = CrashNotes(folder)
    assert not again.has_crashed  # the last one ended as it should
    assert not open_to_others(folder) or os.name != "posix" or open_to_others(folder) == [LAST]
    again.close()
    with main_window(qtbot, tmp_path, has_study=False) as window:
        went_on: list[str] = []
        window.help.offer_diagnostics(lambda: went_on.append("worklist"))
        (box,) = window.findChildren(QMessageBox)
        assert "without patient data" in box.text()
        (later,) = [button for button in box.findChildren(QPushButton) if button.text() == "Not now"]
        assert not went_on, "the worklist would lie behind the question"
        qtbot.mouseClick(later, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda: not window.findChildren(QMessageBox))
        assert went_on == ["worklist"]


def test_a_share_that_is_gone_is_said_and_labels_go_on_when_it_is_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        library, reading = window.session.library, window.session.reading
        assert reading is not None
        qtbot.keyClick(window, Qt.Key.Key_4)
        library.engine.dispose()
        (tmp_path / "library").rename(tmp_path / "unplugged")
        qtbot.keyClick(window, Qt.Key.Key_1)
        assert "cannot be reached" in window.banner.text
        assert [label.name for label in reading.entries.labels] == ["blood"]  # not shown as saved
        window._try_again()
        wait(qtbot, lambda: not window._looking.is_busy)
        assert window._reconnect_timer.isActive()
        (tmp_path / "unplugged").rename(tmp_path / "library")
        window._try_again()
        wait(qtbot, lambda: "can be reached again" in window.banner.text)
        assert window.banner.error == ""
        qtbot.keyClick(window, Qt.Key.Key_1)
        stored = library.annotations.labels(reading.study.study_id)
        assert sorted(label.name for label in stored) == ["blood", "polyp"]


def test_a_video_whose_share_is_gone_while_it_is_read_is_said_and_labels_stay(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        study = reading.study
        qtbot.keyClick(window, Qt.Key.Key_4)

        def unreachable(*_: object) -> None:
            raise OSError(errno.EIO, "Input/output error")

        with monkeypatch.context() as patch:
            patch.setattr(frame_reader, "_read", unreachable)
            window.workspace.go_to_frame(3)
            wait(qtbot, lambda: "cannot be read any more" in window.banner.text)
        assert "network share" in window.banner.text
        assert [label.name for label in window.session.library.annotations.labels(study.study_id)] == ["blood"]


MOUNTS = """\
21 1 8:1 / / rw - ext4 /dev/sda1 rw
22 21 0:40 / /mnt/clinic\\040share rw - nfs4 server:/x rw
23 22 8:2 / /mnt/clinic\\040share/local rw - xfs /dev/sdb1 rw
"""


def test_a_network_share_is_recognised_and_gets_no_shared_memory(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert database._by_mounts(Path("/mnt/clinic share/library"), MOUNTS) == "nfs4"
    assert database._by_mounts(Path("/mnt/clinic share/local/library"), MOUNTS) == ""
    monkeypatch.setattr(database, "_mounts", lambda: f"1 1 8:1 / {tmp_path} rw - cifs //server/x rw")
    with main_window(qtbot, tmp_path) as window:
        qtbot.keyClick(window, Qt.Key.Key_4)
        assert window.session.library.network == "cifs"
        assert not (tmp_path / "library" / "library.sqlite-shm").exists()
        application._open_first(window, (), is_demo=False)
        assert "network share (cifs)" in window.banner.text


@needs_posix
def test_a_file_system_without_locks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock, "_take", refuse)
    with pytest.raises(UserError, match="cannot be locked"):
        lock.LibraryLock(tmp_path)
