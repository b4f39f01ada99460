"""Each kind of copies brings its library back by command and through the dialog, on an empty computer."""

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.library.test_recovery import FIRST, SECOND, THIRD, Computer, assert_whole, forget_all
from wce_desktop.__main__ import main
from wce_desktop.features.safekeeping.library_dialogs import CopiesDialog
from wce_desktop.library.backup.recovery import find_copies
from wce_desktop.library.moving import move_library
from wce_desktop.library.storage import encrypting, key_file
from wce_desktop.shell.restore_dialog import restore_copy
from wce_desktop.widgets.dialogs import PassphraseDialog


def plain(computer: Computer) -> str:
    computer.read("S1")
    return ""


def encrypted(computer: Computer) -> str:
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S1")
    return FIRST


def three_passphrases(computer: Computer) -> str:
    encrypting.encrypt_library(computer.folder, FIRST)
    computer.read("S1")
    key_file.change(computer.folder, FIRST, SECOND)
    encrypting.decrypt_library(computer.folder)
    encrypting.encrypt_library(computer.folder, THIRD)
    computer.copy()
    return THIRD


def moved(computer: Computer) -> str:
    computer.read("S1")
    move_library(computer.folder, computer.folder.parent / "moved")
    computer.folder = computer.folder.parent / "moved"
    computer.copy()
    return ""


def two_libraries(computer: Computer) -> str:
    other = Computer(computer.folder.parent / "other")
    other.disk = computer.disk
    other.read("T1")
    encrypting.encrypt_library(computer.folder, SECOND)
    computer.read("S1")
    return SECOND


KINDS = pytest.mark.parametrize("use", [plain, encrypted, three_passphrases, moved, two_libraries])


@pytest.fixture(autouse=True)
def _no_keys_left() -> Iterator[None]:
    yield
    forget_all()


def lost(use: Callable[[Computer], str], place: Path) -> tuple[Path, int, str]:
    """The disk with the copies of a library that burned, the row of its newest copy, and its passphrase."""
    computer = Computer(place)
    passphrase = use(computer)
    folder = str(computer.folder)
    computer.burn()
    rows = [copy.library for copy in find_copies(computer.disk)]
    return computer.disk, rows.index(folder), passphrase


def assert_back(folder: Path, passphrase: str) -> None:
    forget_all()
    if passphrase:
        key_file.unlock(folder, passphrase)
    assert_whole(folder, "S1")


@KINDS
def test_by_command(use: Callable[[Computer], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk, row, passphrase = lost(use, tmp_path / "old")
    monkeypatch.setattr("sys.stdin", StringIO(f"{passphrase}\n"))
    copy = str(find_copies(disk)[row].path.relative_to(disk))
    assert main(["restore", "--from", str(disk), "--backup", copy, "--library", str(tmp_path / "new")]) == 0
    assert_back(tmp_path / "new", passphrase)


@KINDS
def test_through_the_dialog(
    use: Callable[[Computer], str], tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, row, passphrase = lost(use, tmp_path / "old")

    def enter(dialog: PassphraseDialog) -> int:
        QTest.keyClicks(dialog.inputs[0], passphrase)
        QTest.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
        return dialog.result()

    monkeypatch.setattr(PassphraseDialog, "exec", enter)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(disk))
    dialog = CopiesDialog()
    qtbot.addWidget(dialog)
    QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
    dialog.table.selectRow(row)
    QTest.mouseClick(dialog.restore, Qt.MouseButton.LeftButton)
    assert dialog.recovery is not None
    restore_copy(dialog.recovery, tmp_path / "new")
    assert_back(tmp_path / "new", passphrase)
