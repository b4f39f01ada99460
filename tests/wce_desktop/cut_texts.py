"""Finds texts of a window that are cut or outside of it, not to be scrolled to, and labels off their fields' line."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QComboBox,
    QFormLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

from wce_desktop.shell.window_page import FoldHandle

MOST_ROWS = 200


def cut_texts(window: QWidget) -> list[str]:
    """What is cut in a window, each with its text; a text with a tooltip may be shortened to one line."""
    parts = [one for one in window.findChildren(QWidget) if one.isVisible() and one.width() and one.window() is window]
    problems = [problem for one in parts for problem in (*_cut(one), *_outside(one, window))]
    shown = [form for form in window.findChildren(QFormLayout) if (of := form.parentWidget()) and of.isVisible()]
    return [*problems, *(problem for form in shown for problem in _off_line(form))]


def _off_line(form: QFormLayout) -> Iterator[str]:
    """Labels whose text stands higher or lower than that of the field beside them."""
    roles = QFormLayout.ItemRole
    for row in range(form.rowCount()):
        label, field = form.itemAt(row, roles.LabelRole), form.itemAt(row, roles.FieldRole)
        while field is not None and (inner := field.layout()) is not None:
            field = inner.itemAt(0)
        if label is None or field is None or (title := label.widget()) is None:
            continue
        is_beside = label.geometry().right() <= field.geometry().left()
        if is_beside and abs(label.geometry().center().y() - field.geometry().center().y()) > 1:
            yield f"off its line {_text(title)!r}"


def _text(widget: QWidget) -> str:
    match widget:
        case QLabel() | QAbstractButton():
            return widget.text()
        case QComboBox():
            return widget.currentText()
    return ""


def _cut(widget: QWidget) -> Iterator[str]:
    room, needed = widget.size(), widget.sizeHint()
    match widget:
        case FoldHandle():
            pass  # an arrow without margins
        case QLabel() if widget.text() and not widget.toolTip():
            least = widget.heightForWidth(room.width()) if widget.wordWrap() else needed.height()
            if room.height() < least - 1 or (room.width() < needed.width() - 1 and not widget.wordWrap()):
                yield f"label {widget.text()!r}"
        case QAbstractButton() if widget.text() and room.width() < needed.width() - 1:
            yield f"button {widget.text()!r}"
        case QTabBar() if widget.count() and widget.tabRect(widget.count() - 1).right() > room.width():
            yield f"tabs {[widget.tabText(at) for at in range(widget.count())]}"
        case QHeaderView() if widget.orientation() == Qt.Orientation.Horizontal and widget.model() is not None:
            yield from _cut_titles(widget)
        case QAbstractItemView() if widget.model() is not None and not isinstance(widget, QHeaderView):
            yield from _cut_cells(widget)
        case QComboBox() if not widget.toolTip() or not widget.currentData():  # what is chosen may be long
            option = QStyleOptionComboBox()
            widget.initStyleOption(option)
            place = QStyle.SubControl.SC_ComboBoxEditField
            shown = widget.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, place, widget)
            if shown.width() < widget.fontMetrics().horizontalAdvance(widget.currentText()):
                yield f"choice {widget.currentText()!r}"
        case QLineEdit() if room.width() < needed.width() * 2 // 3:
            if room.width() < widget.fontMetrics().horizontalAdvance(widget.text() or widget.placeholderText()):
                yield f"field {widget.text()!r}"


def _cut_cells(view: QAbstractItemView) -> Iterator[str]:
    """Cells in sight of a table or tree whose text is wider than its column, unless a tooltip has it; lists scroll."""
    if not isinstance(view, QTableView | QTreeView):
        return
    model, parent = view.model(), view.rootIndex()
    header = view.horizontalHeader() if isinstance(view, QTableView) else view.header()
    for row in range(min(model.rowCount(parent), MOST_ROWS)):
        for column in range(header.count()):
            index = model.index(row, column, parent)
            text, room = index.data(), view.visualRect(index)
            if isinstance(view, QTableView) and (view.columnSpan(row, column) > 1 or view.wordWrap()):
                continue
            if not isinstance(text, str) or room.isEmpty() or index.data(Qt.ItemDataRole.ToolTipRole):
                continue
            if view.indexWidget(index) is None and view.fontMetrics().horizontalAdvance(text) > room.width():
                yield f"cell {text!r}"


@contextmanager
def shortened_texts() -> Iterator[list[str]]:
    """The texts that widgets shorten while they paint themselves."""
    shortened: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        for metrics in (QFontMetrics, QFontMetricsF):
            elide = metrics.elidedText

            def note(self: QFontMetrics, text: str, *how: Any, elide: Any = elide) -> str:
                result: str = elide(self, text, *how)
                if result != text:
                    shortened.append(text)
                return result

            patch.setattr(metrics, "elidedText", note)
        yield shortened


def _cut_titles(header: QHeaderView) -> Iterator[str]:
    model, across = header.model(), Qt.Orientation.Horizontal
    for at in range(header.count()):
        title = model.headerData(at, across)
        has_tip = bool(model.headerData(at, across, Qt.ItemDataRole.ToolTipRole))
        if header.isSectionHidden(at) or has_tip or not isinstance(title, str):
            continue
        if header.sectionSize(at) < header.fontMetrics().horizontalAdvance(title):
            yield f"heading {title!r}"


def _outside(widget: QWidget, window: QWidget) -> Iterator[str]:
    """Whether a widget with a text lies partly outside of the window, or of an area that does not scroll sideways."""
    if not _text(widget):
        return
    above = widget.parentWidget()
    while above is not None and above is not window:
        if isinstance(above, QScrollArea):
            is_fixed, inside = (
                above.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff,
                above.widget(),
            )
            if is_fixed and inside is not None and inside.width() > above.viewport().width():
                yield f"sideways {_text(widget)!r}"
        if isinstance(above, QAbstractScrollArea):
            return
        above = above.parentWidget()
    if not window.rect().contains(QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())):
        yield f"outside {_text(widget)!r}"
