"""Bad input gets a sentence, and nothing is lost: damaged models, full disks, read-only places, through the window."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from sqlalchemy import event

from tests.test_bad_input import _quiet, is_sentence, label_names, open_and_wait
from tests.videos import write_video
from tests.warm_python import warm_python
from tests.wce_desktop.features.exchange.dialogs import export_as
from tests.wce_desktop.leaks import no_leaks
from tests.wce_desktop.sessions import write_model
from tests.wce_desktop.windows import main_window, wait
from training.errors import UserError
from training.models.config import ModelConfig
from training.models.folder import CONFIG, WEIGHTS, write_model_folder
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.backup import backups
from wce_desktop.shell.main_window import MainWindow

__all__ = ["_quiet", "no_leaks"]

JOB_MILLISECONDS = 120_000
CLASSES = ("normal", "polyp", "blood")
LIMITED = """
import resource, sys
from pathlib import Path
from training.commands.child import run_job
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
sys.exit(run_job(Path(sys.argv[1])))
"""
"""A child for which every file ends after 4 KiB, as on a disk that is full."""


@pytest.fixture(scope="module")
def real_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network with random weights, made in a process of its own: the window's never imports torch."""
    folder = tmp_path_factory.mktemp("model")
    code = (
        "import sys; from pathlib import Path; from tests.models import write_untrained_model;"
        f"write_untrained_model(Path(sys.argv[1]), 'real', {CLASSES!r})"
    )
    subprocess.run([*warm_python(), "-c", code, str(folder)], check=True, cwd=Path(__file__).parents[1])
    return folder / "real"


def add_model(window: MainWindow, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Choose a model folder in the dialog, as the menu does."""
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    window.guard(window.features.learning.finetuning.add_model)()


def spoil(folder: Path, how: str) -> None:
    """Damage a sound model folder."""
    if how == "missing file":
        (folder / WEIGHTS).unlink()
    elif how == "wrong hash":
        (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-1] + b"x")
    elif how == "wrong shape":
        weights = {"classifier.weight": np.zeros((2, 7), dtype=np.float16)}
        with pytest.raises(UserError):  # it writes, and then says so itself
            write_model_folder(folder, ModelConfig(model_id=folder.name, classes=CLASSES), weights, {"method": "test"})
    else:
        (folder / CONFIG).write_text("{", encoding="utf-8")


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("missing file", "has no model.safetensors"),
        ("wrong hash", "wrong hash"),
        ("wrong shape", "(2, 7)"),
        ("broken config", "config.json"),
    ],
)
def test_a_bad_model_folder_is_refused_and_the_old_one_stays(
    how: str, words: str, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = write_model(tmp_path / "brought", "m2")
    spoil(bad, how)
    with main_window(qtbot, tmp_path) as window:
        qtbot.keyClick(window, Qt.Key.Key_4)
        add_model(window, bad, monkeypatch)
        assert words in window.banner.text
        assert is_sentence(window.banner.text)
        assert window.session.model_id == "m1"
        assert [model.model_id for model in window.session.library.models.all()] == ["m1"]
        assert [path.name for path in (tmp_path / "library" / "models").iterdir()] == ["m1"]
        add_model(window, write_model(tmp_path / "good", "m3"), monkeypatch)
        assert window.session.model_id == "m3"
        assert window.session.reading is not None
        assert label_names(window, window.session.reading.study.study_id) == [("blood", Span(0, 1))]


@pytest.mark.parametrize(("how", "words"), [("wrong hash", "wrong hash"), ("", "lack the tensor")])
def test_a_model_that_breaks_in_the_library_ends_scoring_with_a_sentence(
    how: str, words: str, qtbot: QtBot, tmp_path: Path
) -> None:
    """Without being broken further, the little study's model lacks all weights but the classifier's."""
    with main_window(qtbot, tmp_path) as window:
        model = window.session.current_model
        assert model is not None
        assert window.session.reading is not None
        study = window.session.reading.study
        if how:
            spoil(model.folder, how)
        else:
            window.session.files(study).scores_path(model.model_id).rename(tmp_path / "away.h5")
        window.guard(window.features.studies.scoring.score_study)()
        qtbot.waitUntil(lambda: words in window.banner.text, timeout=JOB_MILLISECONDS)
        assert is_sentence(window.banner.text)
        assert not window.jobs.is_busy
        assert window.session.reading.flags.scores is not None  # what was scored before


@pytest.mark.skipif(sys.platform == "win32", reason="no limit of a file's size to be set there")
def test_a_disk_that_is_full_while_scoring_and_then_no_more(
    real_model: Path, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def limited(config_path: Path) -> Sequence[str]:
        return [*warm_python(), "-c", LIMITED, str(config_path)]

    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        add_model(window, real_model, monkeypatch)
        open_and_wait(qtbot, window, write_video(tmp_path / "study.mp4", 30))
        qtbot.keyClick(window, Qt.Key.Key_4)
        reading = window.session.reading
        assert reading is not None
        command = window.jobs._command
        window.jobs._command = limited
        window.guard(window.features.studies.scoring.score_study)()
        qtbot.waitUntil(lambda: "disk is full" in window.banner.text, timeout=JOB_MILLISECONDS)
        assert is_sentence(window.banner.text)
        assert "Free some disk space" in window.banner.text
        assert reading.flags.scores is None
        window.jobs._command = command
        window.guard(window.features.studies.scoring.score_study)()
        qtbot.waitUntil(lambda: reading.flags.scores is not None, timeout=JOB_MILLISECONDS)
        assert label_names(window, reading.study.study_id) == [("blood", Span(0, 1))]


@pytest.fixture
def full_library(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Takes what the window asks in a dialog while it closes."""
    told: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: told.append(box.text()))
    return told


@pytest.mark.parametrize(("pragma", "words"), [("max_page_count=1", "full"), ("query_only=ON", "cannot be written")])
def test_a_label_that_cannot_be_saved_is_not_shown_as_saved(
    pragma: str, words: str, qtbot: QtBot, tmp_path: Path, full_library: list[str]
) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        qtbot.keyClick(window, Qt.Key.Key_4)
        saved = window.saved.text()
        engine = window.session.library.engine
        engine.dispose()

        def listener(raw: sqlite3.Connection, _: object) -> None:
            raw.execute(f"PRAGMA {pragma}")

        event.listen(engine, "connect", listener)
        for key in range(60):  # what fits into pages that are there already is kept
            window.session.show_frame(key)
            window.guard(window.features.reading.label)("polyp")
            if words in window.banner.text:
                break
        assert words in window.banner.text
        assert is_sentence(window.banner.text)
        assert len(label_names(window, reading.study.study_id)) == len(reading.entries.labels)
        assert saved
        event.remove(engine, "connect", listener)
        engine.dispose()
        before = len(reading.entries.labels)
        window.guard(window.features.reading.label)("ulcer")
        assert len(label_names(window, reading.study.study_id)) == before + 1


def _refuse_writing(raw: sqlite3.Connection, _: object) -> None:
    raw.execute("PRAGMA query_only=ON")


def test_a_full_disk_does_not_keep_the_window_from_closing(
    qtbot: QtBot, tmp_path: Path, full_library: list[str]
) -> None:
    with main_window(qtbot, tmp_path) as window:
        window.session.library.engine.dispose()
        event.listen(window.session.library.engine, "connect", _refuse_writing)
        window.features.reading.go_to_frame(5)
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == 5)
        reading = window.session.reading
        window.close()
        assert not window.isVisible()
        assert "cannot be written" in full_library[0]
        assert reading is not None
        assert reading.flags.embeddings is not None
        assert reading.flags.embeddings._file.closed


def test_a_database_that_breaks_while_the_window_is_open(qtbot: QtBot, tmp_path: Path, full_library: list[str]) -> None:
    with main_window(qtbot, tmp_path) as window:
        reading = window.session.reading
        assert reading is not None
        qtbot.keyClick(window, Qt.Key.Key_4)
        kept = backups.backup(window.session.library.folder, always=True)
        window.session.library.engine.dispose()
        (window.session.library.folder / "library.sqlite").write_bytes(b"\xa5" * 200_000)
        window.guard(window.features.reading.label)("polyp")
        assert "is damaged" in window.banner.text
        assert kept is not None
        assert kept.name in window.banner.text
        assert is_sentence(window.banner.text)
        assert [label.name for label in reading.entries.labels] == ["blood"]
        window.close()
        assert not window.isVisible()
        assert reading.flags.embeddings is not None
        assert reading.flags.embeddings._file.closed
    backups.restore_backup(tmp_path / "library")
    with Library.open(tmp_path / "library", "reader") as library:
        assert [label.name for label in library.annotations.labels(reading.study.study_id)] == ["blood"]


def test_a_place_that_cannot_be_written_is_named(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes").write_text("a file, where a folder should be", encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "notes"))
    with main_window(qtbot, tmp_path) as window:
        export_as(qtbot, window, "csv")
        assert "notes" in window.banner.text
        assert is_sentence(window.banner.text)
        shutil.rmtree(tmp_path / "library" / "studies")
        (tmp_path / "library" / "studies").write_text("", encoding="utf-8")
        window.guard(window.features.studies.open_path)(write_video(tmp_path / "other.mp4", 30))
        wait(qtbot, lambda: "cannot be" in window.banner.text and "studies" in window.banner.text)
        assert is_sentence(window.banner.text)
        window.session.mark_seen(Span(0, 5))  # saved when the window closes, without a question
