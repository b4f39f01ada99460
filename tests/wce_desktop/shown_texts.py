"""Every text that a window shows or says: in it, in its tooltips and menus, and in the rows of its lists."""

import re
from collections.abc import Iterator

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QMainWindow,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QProgressBar,
    QStatusBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole, Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.AccessibleDescriptionRole,
)  # fmt: skip
MOST_ROWS = 200
"""Of a list that are looked at; the rows of one list are made in one way."""


def shown_texts(shown: QWidget) -> Iterator[tuple[str, str]]:
    """Where it stands, and the text; also of what is folded away or in a menu that is not open."""
    for one in (shown, *shown.findChildren(QWidget)):
        name = f"{type(one).__name__} “{one.accessibleName() or one.objectName()}”"
        for kind, text in _of(one):
            if text:
                yield f"{name}, {kind}", re.sub(r"<[^>]*>", " ", text)  # what links lead to is not shown
        for action in one.actions():
            yield from _of_action(action, name)


def _of_action(action: QAction, where: str) -> Iterator[tuple[str, str]]:
    for text in (action.text(), action.toolTip(), action.statusTip(), action.whatsThis()):
        if text:
            yield f"{where}, action", text


def _of(one: QWidget) -> Iterator[tuple[str, str]]:
    yield "title", one.windowTitle()
    yield "tooltip", one.toolTip()
    yield "status tip", one.statusTip()
    yield "what is this", one.whatsThis()
    yield "accessible name", one.accessibleName()
    yield "accessible description", one.accessibleDescription()
    match one:
        case QMessageBox():
            yield from (("text", one.text()), ("text", one.informativeText()), ("details", one.detailedText()))
        case QMainWindow():
            yield "status bar", one.statusBar().currentMessage()
        case QStatusBar():
            yield "text", one.currentMessage()
        case QLabel() | QAbstractButton():
            yield "text", one.text()
        case QLineEdit():
            yield from (("text", one.text()), ("placeholder", one.placeholderText()))
        case QPlainTextEdit() | QTextEdit():
            yield from (("text", one.toPlainText()), ("placeholder", one.placeholderText()))
        case QAbstractSpinBox() | QProgressBar():
            yield "text", one.text()
        case QComboBox():
            yield "placeholder", one.placeholderText()
            yield from _of_model(one.model(), QModelIndex())
        case QTabBar():
            for tab in range(one.count()):
                yield from (("tab", one.tabText(tab)), ("tab", one.tabToolTip(tab)))
        case QGroupBox() | QMenu():
            yield "title", one.title()
        case QAbstractItemView() if one.model() is not None:
            yield from _of_model(one.model(), one.rootIndex())


def _of_model(model: QAbstractItemModel, parent: QModelIndex) -> Iterator[tuple[str, str]]:
    is_list = isinstance(model, QAbstractListModel)  # which keeps the number of its columns to itself
    columns = range(1 if is_list else model.columnCount(parent))
    for column in columns:
        for role in ROLES:
            text = model.headerData(column, Qt.Orientation.Horizontal, role)
            if isinstance(text, str):
                yield "header", text
    for row in range(min(model.rowCount(parent), MOST_ROWS)):
        for column in columns:
            index = model.index(row, column, parent)
            for role in ROLES:
                text = model.data(index, role)
                if isinstance(text, str):
                    yield f"row {row}", text
        if not isinstance(model, (QAbstractListModel, QAbstractTableModel)):
            yield from _of_model(model, model.index(row, 0, parent))
