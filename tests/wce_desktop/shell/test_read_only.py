"""A window on a library that cannot be written: it says so all the time, reads everything, and saves nothing."""

import errno
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.videos import write_video
from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import wait
from training.video import fingerprint
from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.library import Library
from wce_desktop.library.storage import opening
from wce_desktop.session.demo import ensure_model
from wce_desktop.session.places import resource
from wce_desktop.session.session import Session
from wce_desktop.session.settings import Settings
from wce_desktop.shell.application import _open_first
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MainWindow]:
    """A window on a library with a scored study, in a place that became read-only."""
    first = make_session(tmp_path)
    study = add_study(first, tmp_path)
    bare = first.library.studies.add(
        write_video(tmp_path / "bare.mp4", 40), fingerprint=fingerprint(tmp_path / "bare.mp4")
    )
    assert not (tmp_path / "library" / "studies" / bare.study_id).exists()
    first.library.close()

    def refuse(_: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(opening, "LibraryLock", refuse)
    library = Library.open(tmp_path / "library", "reader")
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    session = Session(library, Settings(tmp_path / "settings.json"), vocabulary)
    made = MainWindow(session)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    made.features.studies.open_study(study)
    wait(qtbot, lambda: session.reading is not None and made.is_idle)
    yield made
    made.jobs.shut_down()
    made.close()
    made.deleteLater()


def content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_it_says_so_and_opens_studies_and_starting_puts_no_model_into_it(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    """Also a study that was never opened."""
    assert window.windowTitle() == "wce_desktop – study – read only"
    assert window.read_only_line.isVisible()
    assert "Read only: " in window.read_only_line.text()
    assert "Read-only file system" in window.read_only_line.text()
    assert window.session.reading is not None
    assert window.session.reading.flags.scores is not None
    window.guard(window.features.studies.open_path)(tmp_path / "bare.mp4")
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.name == "bare")
    assert window.banner.text == ""
    assert window.session.reading is not None
    assert window.session.reading.frame_count == 40
    window.session.current_model = None
    _open_first(window, [], False)
    assert window.banner.text == ""
    assert [model.model_id for model in window.session.library.models.all()] == ["m1"]


def test_what_would_be_saved_is_refused_with_a_sentence(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    before = content(tmp_path / "library")
    session = window.session
    tries: tuple[Callable[[], object], ...] = (
        lambda: qtbot.keyClick(window, Qt.Key.Key_4),
        lambda: window.guard(window.features.reading.new_finding)(),
        lambda: window.guard(window.features.studies.scoring.score_study)(),
        lambda: window.guard(window.features.studies.finish_reading)(),
        lambda: window.guard(ensure_model)(session) or window.guard(session.scores.use_model)("m1"),
    )
    for attempt in tries:
        window.banner.dismiss()
        attempt()
        assert window.banner.text.startswith("Read only: ")
    assert not window.jobs.is_busy
    assert session.reading is not None
    assert len(session.reading.entries.labels) == 0
    window.banner.dismiss()
    session.mark_seen(next(iter(session.reading.flags.events)).span)
    window.guard(session.save_place)()
    window.features.reading.go_to_frame(7)
    window.guard(session.save_place)()
    assert window.banner.text == ""  # what is saved by itself is not complained about again and again
    assert content(tmp_path / "library") == before
    window.guard(window.features.studies.open_path)(write_video(tmp_path / "other.mp4", 30))
    wait(qtbot, lambda: window.banner.text.startswith("Read only: "))
    assert content(tmp_path / "library") == before
