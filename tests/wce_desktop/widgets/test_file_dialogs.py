"""Dialogs begin where the last one of their kind ended."""

from pathlib import Path

import pytest
from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from training.errors import UserError
from wce_desktop.session.settings import Settings
from wce_desktop.widgets.dialogs import FileDialogs


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def own_folder() -> str:
    """Where dialogs begin the first time: a person's documents, or their home where that folder does not exist."""
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return str(documents if documents.is_dir() else Path.home())


def test_each_kind_has_a_folder_of_its_own_also_the_next_time(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    videos, labels = tmp_path / "videos", tmp_path / "labels"
    videos.mkdir()
    labels.mkdir()
    asked: list[str] = []

    def answer(name: str, result: object) -> None:
        def ask(*given: str) -> object:
            asked.append(given[2])
            return result

        monkeypatch.setattr(QFileDialog, name, ask)

    answer("getOpenFileName", (str(videos / "one.mp4"), ""))
    answer("getExistingDirectory", str(labels))
    answer("getSaveFileName", ("", ""))
    dialogs = FileDialogs(Settings(tmp_path / "settings.json"))
    assert dialogs.ask_file(parent, "studies", "Open study", "*.mp4") == videos / "one.mp4"
    assert dialogs.ask_folder(parent, "labels", "Import") == labels
    again = FileDialogs(Settings(tmp_path / "settings.json"))
    again.ask_file(parent, "studies", "Open study", "*.mp4")
    again.ask_folder(parent, "labels", "Import")
    assert again.ask_new_file(parent, "labels", "Export", "boxes.json", "*.json") is None
    assert again.ask_new_file(parent, "pictures", "Export", "frame.png", "*.png") is None
    own = own_folder()
    assert asked == [own, own, str(videos), str(labels), str(labels / "boxes.json"), str(Path(own) / "frame.png")]


def test_a_folder_that_has_gone_is_forgotten(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "settings.json")
    settings.set("folder_models", str(tmp_path / "gone"))
    own = own_folder()
    assert own != str(Path.cwd())
    assert FileDialogs(settings).start("models") == own
    settings.set("folder_models", "a\0b")
    assert FileDialogs(settings).start("models") == own


def test_dialogs_begin_at_home_where_there_are_no_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QStandardPaths, "standardLocations", lambda _: [str(tmp_path / "Documents")])
    assert FileDialogs(Settings(tmp_path / "settings.json")).start("models") == str(Path.home())


def test_a_folder_that_cannot_be_kept_is_no_error(
    parent: QWidget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(tmp_path / "settings.json")

    def refuse(*_: object) -> None:
        raise UserError("The settings cannot be written.")

    monkeypatch.setattr(settings, "set", refuse)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    assert FileDialogs(settings).ask_folder(parent, "models", "Add a model folder") == tmp_path
