"""Signing with a key, checking and saving signatures through the real window."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.report.test_report_window import fill, open_report, sign, text_of
from tests.wce_desktop.windows import main_window, wait
from wce_desktop.features.report.key_desk import KeyDialog
from wce_desktop.features.report.model.signature_keys import account_keys
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.library.evidence.signature import fingerprint
from wce_desktop.shell.cli import check_cli
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.dialogs import PassphraseDialog

PASSPHRASE = "four quiet words"


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    with main_window(qtbot, tmp_path) as made:
        yield made


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # type: ignore[call-overload]


def answer(step: Callable[[QDialog], None], kind: type[QDialog]) -> list[QDialog]:
    """Once a dialog of this kind is open, do something with it; returns the dialogs that were seen."""
    seen: list[QDialog] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, kind):
            seen.append(dialog)
            step(dialog)
        else:
            QTimer.singleShot(20, look)

    QTimer.singleShot(20, look)
    return seen


def check(shown: ReportWindow) -> str:
    click(shown.check_version)
    return f"{shown.problem.text() if shown.problem.isVisible() else ''} {shown.message.text()}".strip()


def test_a_report_names_its_key_and_is_checked(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    (report,) = window.session.library.reports.signed(study_id)
    assert report.public_key is not None
    key = fingerprint(report.public_key)
    assert f"Signature key: {key}" in report.html_path.read_text(encoding="utf-8")
    assert f"Signature key: {key}" in text_of(report.path.read_bytes())
    assert f"Signature key {key}, protected by the permissions of its file only" in shown.message.text()
    assert check(shown) == f"Version 1 is as it was signed. Version 1 is signed with the key {key}."
    report.path.write_bytes(report.path.read_bytes() + b" ")
    assert "Version 1 of the report was changed after it was signed" in check(shown)
    assert "as it was signed" not in shown.message.text()


def test_a_report_without_a_signature_is_never_as_it_was_signed(qtbot: QtBot, window: MainWindow) -> None:
    study_id = fill(window)
    library = window.session.library
    version = library.reports.next_version(study_id)
    library.reports.keep(study_id, version, html=b"page", pdf=b"%PDF", reader="Dr Smith", acknowledged={})
    shown = open_report(qtbot, window)
    assert check(shown) == "Version 1 was signed without a key: only its checksums were compared."


def test_a_saved_report_has_its_signature_beside_it(
    qtbot: QtBot,
    window: MainWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    study_id = fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    (report,) = window.session.library.reports.signed(study_id)
    for button, name in ((shown.version_pdf, "a.pdf"), (shown.version_html, "a.html"), (shown.pdf, "b.pdf")):
        chosen = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen, **__: (str(chosen), ""))
        click(button)
        wait(qtbot, lambda: window.is_idle)
        assert chosen.exists(), name
        assert report.signed is not None
        assert chosen.with_name(f"{name}.signature.json").read_bytes() == report.signed.file
        assert check_cli.main(["check-report", str(chosen)]) == 0
        assert "The file is the one that was signed." in capsys.readouterr().out


def test_a_key_with_a_passphrase_is_asked_for_and_another_key_is_said(qtbot: QtBot, window: MainWindow) -> None:
    fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    keys = account_keys()
    reader = shown.sign_box.reader.text()

    def protect(dialog: QDialog) -> None:
        assert isinstance(dialog, KeyDialog)
        dialog.inputs[0].setText(PASSPHRASE)
        dialog.inputs[1].setText("another one")
        click(dialog.ok)
        assert dialog.problem.text() == "The two new passphrases differ."
        dialog.inputs[1].setText(PASSPHRASE)
        click(dialog.ok)

    assert answer(protect, KeyDialog) == []
    click(shown.sign_box.key)
    state = keys.state(reader)
    assert state is not None
    assert state.protection == "passphrase"

    def unlock(dialog: QDialog) -> None:
        assert isinstance(dialog, PassphraseDialog)
        dialog.inputs[0].setText("wrong")
        dialog.accept()
        assert "not the passphrase" in dialog.problem.text()
        dialog.inputs[0].setText(PASSPHRASE)
        dialog.accept()

    desk = window.features.report._shown.signing.keys  # type: ignore[union-attr]
    answer(unlock, PassphraseDialog)
    assert desk.ask_passphrase(reader) == PASSPHRASE
    answer(lambda dialog: dialog.reject(), PassphraseDialog)
    assert desk.ask_passphrase(reader) is None


def test_a_new_key_is_asked_about_and_then_checks_say_that_it_is_another_one(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(window)
    shown = open_report(qtbot, window)
    sign(qtbot, window, shown)
    reader = shown.sign_box.reader.text()
    before = account_keys().state(reader)
    for given in (QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes):
        assert account_keys().state(reader) == before
        monkeypatch.setattr(QMessageBox, "exec", lambda _, given=given: given)

        def renew(dialog: QDialog) -> None:
            assert isinstance(dialog, KeyDialog)
            click(dialog.renew)
            dialog.reject()

        answer(renew, KeyDialog)
        click(shown.sign_box.key)
    after = account_keys().state(reader)
    assert before is not None
    assert after is not None
    assert after != before
    assert f"The signature key of {reader} on this computer is a different one: {after.fingerprint}." in check(shown)
