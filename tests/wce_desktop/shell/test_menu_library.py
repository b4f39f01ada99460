"""The menu says which library is open."""

from pathlib import Path

from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window


def test_the_first_row_of_the_librarys_menu_names_its_folder(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        menu = next(one for one in window.findChildren(QMenu) if one.title() == "Library")
        first = menu.actions()[0]
        assert first.text() == f"Open: {window.session.library.folder.name}"
        assert not first.isEnabled()
