"""A dropped folder of labelled images: shown, asked about, imported, and the fine-tuning offered."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QMessageBox, QProgressDialog, QPushButton
from pytestqt.qtbot import QtBot

from tests.training.datasets.public.trees import picture, text
from tests.wce_desktop.features.exchange.dialogs import click, shown_dialog
from tests.wce_desktop.windows import main_window, press, wait
from training.runs.reporter import Reporter
from wce_desktop.features.exchange.images_dialog import ImagesDialog
from wce_desktop.features.exchange.import_dialogs import ImportDialog
from wce_desktop.library import Library, exchange
from wce_desktop.library.exchange import LEFT_OUT, Added, LabelledFolder, Meanings
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def images(tmp_path: Path) -> Path:
    """A folder of images with labels, one of them in a word that the vocabulary lacks."""
    for number in range(1, 5):
        picture(tmp_path / "set" / f"{number}.png", 30 * number)
    text(tmp_path / "set" / "labels.csv", "filename,label\n1.png,normal\n2.png,Zebra\n3.png,polyp|ulcer\n4.png,polyp\n")
    return tmp_path / "set"


def offered(qtbot: QtBot, window: MainWindow, path: Path) -> ImagesDialog:
    """The dialog after the folder was dropped."""
    window.workspace.open_files([path])
    wait(qtbot, lambda: not window.features.studies.is_opening and not window.features.exchange.is_busy)
    return shown_dialog(window, ImagesDialog)


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Answers the offer to fine-tune with *Later*; what it said."""
    texts: list[str] = []

    def exec_(box: QMessageBox) -> int:
        texts.append(f"{box.text()} {box.informativeText()}")
        return 0

    monkeypatch.setattr(QMessageBox, "exec", exec_)
    monkeypatch.setattr(QMessageBox, "clickedButton", lambda box: box.buttons()[1])
    return texts


def test_a_dropped_folder_is_shown_and_imported(qtbot: QtBot, tmp_path: Path, images: Path, later: list[str]) -> None:
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        dialog = offered(qtbot, window, images)
        assert window.session.library.studies.all() == ()
        assert dialog.choices["polyp"].currentData() == "polyp"
        assert dialog.own_classes == ("Zebra",)
        click(qtbot, dialog.go_on)
        wait(qtbot, lambda: bool(later))
        assert "Imported: 1 study with 4 labelled frames." in later[0]
        assert "Zebra" in window.session.vocabulary
        assert len(window.session.library.studies.all()) == 1
        offered(qtbot, window, images).go_on.click()
        wait(qtbot, lambda: "has these images already" in window.banner.text)


def test_a_label_can_be_left_out_or_given_a_class(qtbot: QtBot, tmp_path: Path, images: Path, later: list[str]) -> None:
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        dialog = offered(qtbot, window, images)
        for label, name in (("Zebra", "blood"), ("polyp", LEFT_OUT)):
            box = dialog.choices[label]
            box.setCurrentIndex(box.findData(name))
        assert dialog.own_classes == ()
        assert "1 image is left out, because its label is." in dialog.remarks.text()
        click(qtbot, dialog.go_on)
        wait(qtbot, lambda: bool(later))
        assert set(window.session.library.annotations.class_counts()) == {"normal", "blood", "ulcer"}


def test_nothing_is_left_of_what_is_not_wanted(qtbot: QtBot, tmp_path: Path, images: Path) -> None:
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        dialog = offered(qtbot, window, images)
        for box in dialog.choices.values():
            box.setCurrentIndex(box.findData(LEFT_OUT))
        assert not dialog.go_on.isEnabled()
        buttons = dialog.findChild(QDialogButtonBox)
        assert buttons is not None
        click(qtbot, buttons.button(QDialogButtonBox.StandardButton.Cancel))
        assert window.session.library.studies.all() == ()


def test_stopping_the_import_adds_nothing(
    qtbot: QtBot, tmp_path: Path, images: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_library: Library, _folder: LabelledFolder, _words: Meanings, reporter: Reporter) -> Added:
        reporter.progress(1, 4, "images", "importing")
        while True:
            reporter.check()

    monkeypatch.setattr(exchange, "add_labelled_images", endless)
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        click(qtbot, offered(qtbot, window, images).go_on)
        waiting = window.findChildren(QProgressDialog)[-1]
        wait(qtbot, lambda: waiting.value() == 1)
        waiting.findChild(QPushButton).click()  # type: ignore[union-attr]
        wait(qtbot, lambda: window.banner.text == "Nothing was imported.")
        assert not window.features.exchange.is_busy


def test_the_images_can_be_opened_without_their_labels(qtbot: QtBot, tmp_path: Path, images: Path) -> None:
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        click(qtbot, offered(qtbot, window, images).plain)
        wait(qtbot, lambda: window.session.reading is not None)
        assert window.session.reading is not None
        assert window.session.reading.study.path == images


@pytest.mark.parametrize("name", ["getExistingDirectory", "getOpenFileName"])
def test_the_menu_offers_the_same(
    qtbot: QtBot, tmp_path: Path, images: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    answers: dict[str, Callable[..., object]] = {
        "getExistingDirectory": lambda *_: str(images),
        "getOpenFileName": lambda *_: (str(images / "labels.csv"), ""),
    }
    monkeypatch.setattr(QFileDialog, name, answers[name])
    with main_window(qtbot, tmp_path / "library", has_study=False) as window:
        press(window, "import_labels")
        asked = shown_dialog(window, ImportDialog)
        click(qtbot, asked.folder if name == "getExistingDirectory" else asked.file)
        wait(qtbot, lambda: not window.features.exchange.is_busy)
        dialog = shown_dialog(window, ImagesDialog)
        assert not dialog.plain.isVisible()
        assert "4 images in 4 classes" in dialog.summary.text()
