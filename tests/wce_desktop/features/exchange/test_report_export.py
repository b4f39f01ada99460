"""Exporting a report in the window, with the mouse."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pydicom
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.exchange.dialogs import shown_dialog
from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span
from wce_desktop.features.exchange import feature
from wce_desktop.features.exchange.export_dialogs import FREE_TEXT, ReportDialog
from wce_desktop.features.exchange.import_dialogs import ImportDialog
from wce_desktop.library.exchange.clinical.exporting import write_dicom
from wce_desktop.library.exchange.clinical.structured_report import read_report
from wce_desktop.shell.main_window import MainWindow

Steps = Callable[[ReportDialog], None]


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the reader chooses."""
    chosen = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(chosen))
    return chosen


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A child takes seconds to start; `test_dicom_child` tests it."""
    monkeypatch.setattr(feature, "write_in_child", write_dicom)
    monkeypatch.setattr(feature, "read_in_child", lambda path, _: read_report(path))


def in_dialog(monkeypatch: pytest.MonkeyPatch, steps: Steps) -> None:
    """What the reader does in the dialog, which is shown as it is but does not wait."""

    def exec_(dialog: ReportDialog) -> int:
        dialog.show()
        steps(dialog)
        return dialog.result()

    monkeypatch.setattr(ReportDialog, "exec", exec_)


def click(box: QCheckBox) -> None:
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))


def add_finding(window: MainWindow, comment: str = "") -> str:
    assert window.session.reading is not None
    study_id = window.session.reading.study.study_id
    finding = Finding("f-1", study_id, "polyp", Span(10, 14), 4.0, key_frames=(12,), comment=comment)
    window.session.library.annotations.edit(study_id, "finding", [Add(finding)])
    return study_id


def export(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "export_clinical")
    wait(qtbot, lambda: not window.features.exchange.is_busy)


def test_the_report_is_written_and_said(
    qtbot: QtBot, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_dialog(monkeypatch, lambda dialog: QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton))
    with main_window(qtbot, tmp_path) as window:
        study_id = add_finding(window)
        export(qtbot, window)
        assert "1 report with 1 finding and 1 key frame written" in window.banner.text
        names = sorted(path.name for path in out.glob("[!.]*"))
        assert names == [f"{study_id}-key-frames.dcm", f"{study_id}-report.dcm", f"{study_id}-report.fhir.json"]
        found = read_report(out / names[1])[1][0].finding
        assert (found.kind, found.span, found.size_mm, found.key_frames) == ("polyp", Span(10, 14), 4.0, (12,))


def test_a_report_is_reviewed_and_imported(
    qtbot: QtBot, tmp_path: Path, out: Path, asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_dialog(monkeypatch, lambda dialog: QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton))
    with main_window(qtbot, tmp_path) as window:
        library, study_id = window.session.library, add_finding(window)
        before = library.annotations.findings(study_id)
        export(qtbot, window)
        library.annotations.undo(study_id)
        report = out / f"{study_id}-report.dcm"
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(report), ""))
        press(window, "import_labels")
        QTest.mouseClick(shown_dialog(window, ImportDialog).file, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda: bool(library.annotations.findings(study_id)) and window.is_idle)
        assert "1 finding" in asked[0]
        assert [replace(one, reader="") for one in library.annotations.findings(study_id)] == list(before)
        assert window.session.reading is not None
        assert [one.size_mm for one in window.session.reading.entries.findings] == [4.0]  # on screen, too
        # A report of a study that the library does not have, and a DICOM file that is no report.
        other = out / "other.dcm"
        content = pydicom.dcmread(report)
        for element in content.iterall():
            if element.VR in ("UT", "LO", "SH") and study_id in str(element.value):
                element.value = str(element.value).replace(study_id, "s-gone")
        content.save_as(other)
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(other), ""))
        press(window, "import_labels")
        QTest.mouseClick(shown_dialog(window, ImportDialog).file, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda: "there is no study 's-gone'" in window.banner.text)
        pictures = out / f"{study_id}-key-frames.dcm"
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(pictures), ""))
        press(window, "import_labels")
        QTest.mouseClick(shown_dialog(window, ImportDialog).file, Qt.MouseButton.LeftButton)
        wait(qtbot, lambda: "is not a report that this program wrote" in window.banner.text)
        assert len(library.annotations.findings(study_id)) == 1


def test_formats_and_comments_are_chosen(
    qtbot: QtBot, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steps(dialog: ReportDialog) -> None:
        click(dialog.fhir)
        assert not dialog.warning.isVisible()
        click(dialog.free_text)
        assert dialog.warning.isVisible()
        assert dialog.warning.text() == FREE_TEXT
        click(dialog.dicom)
        assert not dialog.choose.isEnabled()
        click(dialog.dicom)
        QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)

    in_dialog(monkeypatch, steps)
    with main_window(qtbot, tmp_path) as window:
        study_id = add_finding(window, "as in 2019")
        export(qtbot, window)
        assert "written" in window.banner.text
        assert not (out / f"{study_id}-report.fhir.json").exists()
        assert read_report(out / f"{study_id}-report.dcm")[1][0].finding.comment == "as in 2019"
        assert pydicom.dcmread(out / f"{study_id}-report.dcm").PatientIdentityRemoved == "NO"


def test_a_foreign_file_is_asked_about_and_kept(
    qtbot: QtBot, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_dialog(monkeypatch, lambda dialog: dialog.accept())
    asked: list[str] = []

    def refuse(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return QMessageBox.StandardButton.No

    monkeypatch.setattr(QMessageBox, "exec", refuse)
    with main_window(qtbot, tmp_path) as window:
        study_id = add_finding(window)
        out.mkdir()
        (out / f"{study_id}-report.dcm").write_text("mine")
        export(qtbot, window)
        assert "already exists" in asked[0]
        assert [path.read_text() for path in out.iterdir()] == ["mine"]


def test_without_findings_only_fhir_can_be_written(
    qtbot: QtBot, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def steps(dialog: ReportDialog) -> None:
        assert not dialog.dicom.isEnabled()
        assert not dialog.free_text.isVisible()
        dialog.accept()

    in_dialog(monkeypatch, steps)
    with main_window(qtbot, tmp_path) as window:
        export(qtbot, window)
        assert [path.suffix for path in out.glob("[!.]*")] == [".json"]


def test_nothing_is_written_after_cancel(
    qtbot: QtBot, tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_dialog(monkeypatch, lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape))
    with main_window(qtbot, tmp_path) as window:
        add_finding(window)
        press(window, "export_clinical")
        assert not window.features.exchange.is_busy
        assert not out.exists()
