"""What a person without a mouse or a screen finds in a window: the name of each control, and the way that Tab takes."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QMenuBar,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QTextEdit,
    QWidget,
)

CONTROLS = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit,
    QTextEdit,
)  # fmt: skip
_TAB = Qt.FocusPolicy.TabFocus


def is_part(widget: QWidget) -> bool:
    """Whether a widget is the inner part of another control: the field of a number, a scroll bar, a corner."""
    if isinstance(widget, QScrollBar) or widget.objectName().startswith("qt_"):
        return True
    parent = widget.parentWidget()
    return isinstance(parent, (QAbstractSpinBox, QComboBox, QTabBar, QMenuBar, QAbstractItemView)) or (
        parent is not None and isinstance(parent.parentWidget(), QAbstractItemView)
    )


def controls(window: QWidget) -> list[QWidget]:
    """The visible controls of a window, and all else that Tab reaches."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisibleTo(window)
        and widget.window() is window
        and not is_part(widget)
        and (isinstance(widget, CONTROLS) or (widget.focusPolicy() & _TAB and hasattr(type(widget), "paintEvent")))
        and not (isinstance(widget, QLabel) and not widget.focusPolicy() & _TAB)
    ]


def name_of(widget: QWidget) -> str:
    """What a screen reader calls a control: its own name, or the label that belongs to it."""
    if isinstance(widget, QComboBox):  # on Linux Qt answers with what is chosen, and leaves the name to the label
        labels = [label.text() for label in widget.window().findChildren(QLabel) if label.buddy() is widget]
        return widget.accessibleName() or "".join(labels)
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name).strip() if interface is not None else ""


def unnamed(window: QWidget) -> list[str]:
    """The controls without a name, or with one that says nothing, such as "×"."""
    return [
        describe(widget)
        for widget in controls(window)
        if not isinstance(widget, QLabel) and not any(char.isalnum() for char in name_of(widget))
    ]


def tab_order(window: QWidget) -> list[QWidget]:
    """The controls in the order in which Tab reaches them."""
    chain: list[QWidget] = []
    widget = window.nextInFocusChain()
    while widget is not None and widget is not window and widget not in chain:
        chain.append(widget)
        widget = widget.nextInFocusChain()
    return [one for one in chain if one.focusPolicy() & _TAB and one.isVisibleTo(window) and one.isEnabled()]


def unreachable(window: QWidget) -> list[str]:
    """Enabled controls that Tab does not reach, and that are no copies of a menu's actions."""
    reached = {id(widget) for widget in tab_order(window)}
    return [
        describe(widget)
        for widget in controls(window)
        if widget.isEnabled()
        and id(widget) not in reached
        and not isinstance(widget.parentWidget(), QDialogButtonBox)
        and not _is_of_group(widget)
        and not widget.property("in menus")
    ]


def _is_of_group(widget: QWidget) -> bool:
    """Radio buttons and tabs are reached by arrow keys from the one that Tab reaches."""
    return isinstance(widget, QAbstractButton) and widget.autoExclusive()


def jumps_back(window: QWidget) -> Iterator[str]:
    """Where Tab goes up, or to the left in one row, between two controls of one box."""
    order = [widget for widget in tab_order(window) if not is_part(widget)]
    for before, after in pairwise(order):
        if before.parentWidget() is not after.parentWidget() or isinstance(before.parentWidget(), QDialogButtonBox):
            continue
        first, second = _place(before, window), _place(after, window)
        is_same_row = first.top() < second.bottom() and second.top() < first.bottom()
        is_same_column = first.left() < second.right() and second.left() < first.right()
        if (is_same_column and second.bottom() <= first.top()) or (is_same_row and second.right() <= first.left()):
            yield f"{describe(before)} -> {describe(after)}"


def _place(widget: QWidget, window: QWidget) -> QRect:
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def describe(widget: QWidget) -> str:
    """A control for the message of a failing test."""
    names = [type(one).__name__ for one in (widget, widget.parentWidget()) if one is not None]
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    return f"{' in '.join(names)} “{text or name_of(widget)}” ({widget.toolTip()[:40]})"
