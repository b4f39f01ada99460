"""Every text of every window can be translated: in a language that puts ⟦…⟧ around each text, none is without them."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QDialogButtonBox,
    QFileDialog,
    QGroupBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTabBar,
    QTableWidget,
    QTabWidget,
    QTreeWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from tests.wce_desktop.shell.test_accessibility import visit_windows
from tests.wce_desktop.translatable import translatable_texts
from tests.wce_desktop.windows import main_window
from training.models.backbones import BACKBONES
from wce_desktop.core.calculators import CALCULATORS, cleansing
from wce_desktop.core.language import tr, use_translations

WORD = re.compile(r"[A-Za-zäöü]{3,}")
WRAPPED = re.compile(r"⟦[^⟦⟧]*⟧")
DATA = re.compile(
    r"\b(?:wce_desktop|study|default|reader"  # names of the program, of the study and of the reader
    r"|Deutsch|English"  # languages are named in themselves
    r"|Alt|Ctrl|Shift|Esc|Space|Return|Enter|Home|End|Left|Right|Up|Down|PgUp|PgDown|Del|Ins|Menu|Backspace|Tab"  # keys
    r"|Model 1(?: · test)?"  # the model, and the run that made it
    r"|CECDAI|KODA|CC-CLEAR|MST|CEST|float32|bfloat16|keras|TensorBoard|MLflow"
    r"|fps|MiB|px|CAM|AUC|ImageNet|kNN|UMAP|\w+\.(?:mp4|py|json|html|sqlite|txt))\b|/[\w./-]+"
)
"""Names, keys, units, scores and files, which are the same in every language."""


@pytest.fixture
def wrapped() -> Iterator[None]:
    """Put ⟦…⟧ around every text that translators get."""
    use_translations({text: f"⟦{text}⟧" for text in translatable_texts()})
    yield
    use_translations({})


def is_of_qt(widget: QWidget) -> bool:
    """Whether Qt's own translations hold the texts of a widget: standard buttons, and arrows beside tabs."""
    parent = widget.parent()
    if isinstance(parent, QDialogButtonBox) and isinstance(widget, QPushButton):
        return parent.standardButton(widget) != QDialogButtonBox.StandardButton.NoButton
    return isinstance(parent, QTabBar)


def shown_texts(window: QWidget) -> Iterator[str]:
    """Titles, words, tooltips, headings, entries and names for screen readers of a window and all that it holds."""
    for widget in (window, *window.findChildren(QWidget)):
        if is_of_qt(widget):
            continue
        yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
        if widget.isWindow():
            yield widget.windowTitle()
        match widget:
            case QAbstractButton() | QLabel():
                yield widget.text()
            case QGroupBox() | QMenu():
                yield widget.title()
            case QComboBox():
                yield from (widget.itemText(row) for row in range(widget.count()))
            case QLineEdit() | QPlainTextEdit():
                yield widget.placeholderText()
            case QTabWidget():
                yield from (widget.tabText(index) for index in range(widget.count()))
            case QTableWidget() | QTreeWidget():
                model = widget.model()
                heads = (model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount()))
                yield from (head for head in heads if isinstance(head, str))
            case QListWidget():
                yield from (widget.item(row).text() for row in range(widget.count()))
    for action in window.findChildren(QAction):
        yield from (action.text(), action.toolTip(), action.statusTip())


def english_data() -> set[str]:
    """What stays English: publications of scores, and names of networks."""
    named = {backbone.title for backbone in BACKBONES.values()}
    return named | {cleansing.SOURCE} | {one.source for one in CALCULATORS.values()}


def untranslated(window: QWidget, english: Collection[str]) -> list[str]:
    """The texts of a window with words that are neither translated nor data.

    `english`: sentences that may be part of a text.
    """
    found: dict[str, None] = {}
    for text in shown_texts(window):
        left = re.sub(r"<[^>]+>|&\w+;", " ", text)
        for sentence in english:
            left = left.replace(sentence, " ")
        while (shorter := WRAPPED.sub(" ", left)) != left:  # a text may be a value in another one
            left = shorter
        if WORD.search(DATA.sub(" ", left)):
            found[text] = None
    return list(found)


@pytest.mark.usefixtures("wrapped")
def test_every_text_of_every_window_can_be_translated(qtbot: QtBot, tmp_path: Path) -> None:
    found: dict[str, list[str]] = {}
    english = sorted(filter(None, english_data()), key=len, reverse=True)

    def note(window: QWidget) -> None:
        title = window.windowTitle().replace("⟦", "").replace("⟧", "") or type(window).__name__
        if not isinstance(window, QFileDialog):  # Qt translates that of files
            found.setdefault(title, untranslated(window, english))

    with main_window(qtbot, tmp_path) as window:
        found["main window"] = untranslated(window, english)
        visit_windows(window, note)
    said = {title: texts for title, texts in found.items() if texts}
    assert said == {}, "\n".join(f"{title}: {text!r}" for title, texts in said.items() for text in texts)
    assert {"Settings", "All keys", "Find an action"} <= set(found)
    assert tr("Settings") == "⟦Settings⟧"
