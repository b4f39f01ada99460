"""The buttons of the classes, as wide as the window leaves them room."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from wce_desktop.core.vocabulary import load_vocabulary
from wce_desktop.features.reading.view.label_bar import LabelBar
from wce_desktop.session.places import resources_folder


def texts(bar: LabelBar) -> list[str]:
    return [button.text() for button in bar._buttons.values()]


def test_names_show_where_they_fit_and_no_key_is_ever_cut(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    bar = LabelBar(load_vocabulary(resources_folder() / "labels" / "default.json"))
    bar.setParent(page)
    bar.resize(bar._full_width + 20, 40)
    page.show()
    bar.show_labels({"blood"}, is_enabled=True)
    assert "4 Blood" in texts(bar)
    assert "1 Polyp" in texts(bar)
    bar.show_labels(set(), is_enabled=True)
    bar.resize(bar._full_width - 20, 40)
    keys_only = bar.sizeHint().width()
    bar.show_labels({"blood"}, is_enabled=True)
    assert "4 Blood" in texts(bar)
    assert "1" in texts(bar)
    bar.resize(keys_only, 40)
    assert "4 Blood" not in texts(bar)
    assert "4" in texts(bar)


def test_the_keys_stay_whole_in_the_narrowest_bar(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    bar = LabelBar(load_vocabulary(resources_folder() / "labels" / "default.json"))
    bar.setParent(page)
    bar.resize(bar.minimumSizeHint().width(), 40)
    page.show()
    bar.show_labels({"blood"}, is_enabled=True)
    assert texts(bar) == [str(key) for key in range(10)]
    assert bar.sizeHint().width() <= bar.width()
