"""Removing a study in the window, with mouse and keys."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.span import Span
from wce_desktop.features.patients.feature import RemovalDialog
from wce_desktop.jobs.spec import JobSpec, uses_study
from wce_desktop.shell.main_window import MainWindow

LEFT = Qt.MouseButton.LeftButton


def agree(qtbot: QtBot, dialog: RemovalDialog, *, with_patient: bool = False) -> int:
    """Tick what has to be ticked, and press Remove."""
    dialog.show()
    qtbot.waitExposed(dialog)
    assert not dialog.remove.isEnabled(), "nothing is removed without confirmation"
    if with_patient:
        qtbot.mouseClick(dialog.every, LEFT, pos=QPoint(8, dialog.every.rect().center().y()))
    qtbot.mouseClick(dialog.agree, LEFT, pos=QPoint(8, dialog.agree.rect().center().y()))
    qtbot.mouseClick(dialog.remove, LEFT)
    return dialog.result()


def study_id_of(window: MainWindow) -> str:
    """The open study."""
    assert window.session.reading is not None
    return window.session.reading.study.study_id


def test_the_open_study_is_closed_and_removed(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    with main_window(qtbot, tmp_path) as window:
        session, study_id = window.session, study_id_of(window)
        session.edits.apply("Label", [Add(Label("l", study_id, Span(1, 4), "polyp"))])

        def steps(dialog: RemovalDialog) -> int:
            said.append(dialog.said.text())
            return agree(qtbot, dialog)

        monkeypatch.setattr(RemovalDialog, "exec", steps)
        session.settings.set("folder_studies", str(tmp_path))
        session.settings.set("folder_reports", str(tmp_path.parent))
        press(window, "remove_study")
        assert session.reading is None
        assert session.library.studies.all() == ()
        assert session.settings["folder_studies"] == session.settings["last_study"] == ""
        assert session.settings["folder_reports"] == str(tmp_path.parent), "not a folder of the study"
        assert window.features.studies.panel._list.count() == 0
        assert len(session.library.removals.all()) == 1
    assert "1 label" in said[0]
    assert "1 scoring" in said[0]
    assert "No model or run of this library has learned from it." in said[0]
    assert "for 30 days" in said[0]
    assert "cannot be undone" in said[0]


def test_cancelling_removes_nothing(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with main_window(qtbot, tmp_path) as window:

        def steps(dialog: RemovalDialog) -> int:
            dialog.show()
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)
            return dialog.result()

        monkeypatch.setattr(RemovalDialog, "exec", steps)
        press(window, "remove_study")
        assert len(window.session.library.studies.all()) == 1
        assert window.session.reading is not None


def test_a_patient_is_removed_with_all_studies(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with main_window(qtbot, tmp_path) as window:
        session, study_id = window.session, study_id_of(window)
        for name in ("b", "c"):
            session.library.studies.add(tmp_path / f"{name}.mp4", study_id=name, fingerprint=name)
        old, patient = session.library.studies.record("b"), session.library.studies.get(study_id).patient_id
        session.edits.apply_to_studies("Join", {"b": [Replace(old, Record("b", patient))]})
        monkeypatch.setattr(RemovalDialog, "exec", lambda dialog: agree(qtbot, dialog, with_patient=True))
        press(window, "remove_study")
        assert [study.study_id for study in session.library.studies.all()] == ["c"]


def test_a_study_that_a_job_uses_is_not_removed(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with main_window(qtbot, tmp_path) as window:
        study_id = study_id_of(window)
        spec = JobSpec(title="scoring it", command="score", config={}, study_id=study_id)
        job = type("Waiting", (), {"spec": spec})()
        monkeypatch.setattr(type(window.jobs), "waiting", property(lambda _: (job,)))
        monkeypatch.setattr(RemovalDialog, "exec", lambda dialog: agree(qtbot, dialog))
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
