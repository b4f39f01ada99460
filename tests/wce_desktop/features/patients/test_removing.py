"""Removing a study in the window, with mouse and keys."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.features.patients.feature import ErasingDialog
from wce_desktop.jobs.spec import JobSpec, uses_study
from wce_desktop.shell.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


def study_id_of(window: MainWindow) -> str:
    """The open study."""
    assert window.session.reading is not None
    return window.session.reading.study.study_id


def test_the_open_study_is_closed_and_removed_and_comes_back(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        session, study_id = window.session, study_id_of(window)
        session.edits.apply("Label", [Add(Label("l", study_id, Span(1, 4), "polyp"))])
        session.settings.set("folder_studies", str(tmp_path))
        session.settings.set("folder_reports", str(tmp_path.parent))
        press(window, "remove_study")
        assert session.reading is None
        assert session.library.studies.all() == ()
        assert session.settings["folder_studies"] == session.settings["last_study"] == ""
        assert session.settings["folder_reports"] == str(tmp_path.parent), "not a folder of the study"
        assert window.features.studies.panel._list.count() == 0
        assert "was removed" in window.banner.text
        qtbot.mouseClick(window.banner.undo, LEFT)
        assert [study.study_id for study in session.library.studies.all()] == [study_id]
        assert [label.label_id for label in session.library.annotations.labels(study_id)] == ["l"]
        assert window.banner.undo.isHidden()


def test_erasing_says_what_is_deleted(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    def look(dialog: ErasingDialog) -> int:
        said.append(dialog.said.text())
        return 0

    monkeypatch.setattr(ErasingDialog, "exec", look)
    with main_window(qtbot, tmp_path) as window:
        session, study_id = window.session, study_id_of(window)
        session.edits.apply("Label", [Add(Label("l", study_id, Span(1, 4), "polyp"))])
        press(window, "remove_study")
        window.features.patients.remove([study_id], window)
        assert [study.study_id for study in session.library.studies.removed()] == [study_id], "it was not agreed to"
    assert "1 label" in said[0]
    assert "1 scoring" in said[0]
    assert "No model or run of this library has learned from it." in said[0]
    assert "for 30 days" in said[0]
    assert "cannot be undone" in said[0]


def test_a_study_that_a_job_uses_is_not_removed(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with main_window(qtbot, tmp_path) as window:
        study_id = study_id_of(window)
        spec = JobSpec(title="scoring it", command="score", config={}, study_id=study_id)
        job = type("Waiting", (), {"spec": spec})()
        monkeypatch.setattr(type(window.jobs), "waiting", property(lambda _: (job,)))
        press(window, "remove_study")
        assert "The job “scoring it” uses this study" in window.banner.text
        assert len(window.session.library.studies.all()) == 1
        monkeypatch.undo()


def test_a_job_uses_the_studies_of_its_manifest(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    manifest.write_text('{"studies": [{"study_id": "s-7"}]}', encoding="utf-8")
    spec = JobSpec(title="fine-tuning", command="finetune", config={"studies": str(manifest)})
    assert uses_study(spec, "s-7")
    assert not uses_study(spec, "s-8")
