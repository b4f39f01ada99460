"""Fits windows to the screens, and restores the place of the main window."""

import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6 import QtCore, QtGui, QtWidgets

from training.errors import UserError
from training.files import json_text, outputs

FILE_NAME = "window.json"
USUAL_SIZE = (1440, 900)
FRAME_PX = (12, 40)
"""Room for the borders and the title bar that the system draws around the window."""
REACHABLE_PX = (120, 40)
"""This much of a window must be on a screen to be reachable with the mouse."""


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """The place of a window while not maximized, and whether it is maximized."""

    rect: QtCore.QRect
    is_maximized: bool = False


def fit_place(wanted: WindowPlace | None, screens: Sequence[QtCore.QRect]) -> WindowPlace:
    """The place for a window, wholly on one screen.

    Args:
        wanted: where it stood the last time; None at the first start, or where the window would be too large.
        screens: the room on each screen, the main one first; at least one.
    """
    if wanted is not None:
        on_screens = [(wanted.rect.intersected(screen).size(), screen) for screen in screens]
        shown, screen = max(on_screens, key=lambda pair: pair[0].width() * pair[0].height())
        if shown.width() >= REACHABLE_PX[0] and shown.height() >= REACHABLE_PX[1]:
            return replace(wanted, rect=_inside(wanted.rect, screen))
    usual, room = QtCore.QSize(*USUAL_SIZE), screens[0].size() - QtCore.QSize(*FRAME_PX)
    return WindowPlace(_in_middle(usual, screens[0]), usual.boundedTo(room) != usual)


def _inside(rect: QtCore.QRect, screen: QtCore.QRect) -> QtCore.QRect:
    """The rectangle shrunk and moved until it lies on the screen with its frame."""
    room = screen.adjusted(0, 0, -FRAME_PX[0], -FRAME_PX[1])
    size = rect.size().boundedTo(room.size())
    x = min(max(rect.x(), room.x()), room.x() + room.width() - size.width())
    y = min(max(rect.y(), room.y()), room.y() + room.height() - size.height())
    return QtCore.QRect(QtCore.QPoint(x, y), size)


def _in_middle(size: QtCore.QSize, screen: QtCore.QRect) -> QtCore.QRect:
    """A rectangle of this size, as far as there is room, in the middle of a screen."""
    rect = QtCore.QRect(QtCore.QPoint(0, 0), size)
    rect.moveCenter(screen.center())
    return _inside(rect, screen)


def read_place(library: Path) -> WindowPlace | None:
    """Where the window of a library stood the last time; None where that is not known."""
    path = library / FILE_NAME
    if not path.is_file():
        return None
    try:
        stored = json_text.read_json_object(path, "window's place")
    except UserError:
        return None  # nothing is lost but a place
    numbers = [stored.get(name) for name in ("x", "y", "width", "height")]
    x, y, width, height = (value if type(value) is int and abs(value) < 2**15 else 0 for value in numbers)
    if width <= 0 or height <= 0:
        return None
    return WindowPlace(QtCore.QRect(x, y, width, height), stored.get("is_maximized") is True)


def write_place(library: Path, place: WindowPlace) -> None:
    """Save the place of the window; raises OSError if it cannot be written."""
    rect = place.rect
    stored = {"x": rect.x(), "y": rect.y(), "width": rect.width(), "height": rect.height()}
    with outputs.written_beside(library / FILE_NAME) as beside:
        beside.write_text(json.dumps(stored | {"is_maximized": place.is_maximized}), encoding="utf-8")


LOG = logging.getLogger("wce_desktop")


def fit_to_screen(window: QtWidgets.QWidget, width: int, height: int = 0) -> None:
    """Give a window this size, or as much of it as its screen has room for, and the middle of that screen.

    Without a height it is as high as its contents. Left to the system, a window as high as the screen could start above
    it, with an unreachable title bar. Where its contents need more room than the screen has, they scroll.
    """
    _put(window, _in_middle(QtCore.QSize(width, height), window.screen().availableGeometry()))
    window.installEventFilter(_Scrolling(window, QtCore.QSize(width, height)))


class DialogBase(QtWidgets.QDialog):
    """A dialog with a title, as large as its screen has room for (see `fit_to_screen`)."""

    def __init__(
        self,
        title: str,
        width: int,
        height: int = 0,
        parent: QtWidgets.QWidget | None = None,
        flags: QtCore.Qt.WindowType = QtCore.Qt.WindowType.Dialog,
    ) -> None:
        super().__init__(parent, flags)
        self.setWindowTitle(title)
        fit_to_screen(self, width, height)


def _put(window: QtWidgets.QWidget, rect: QtCore.QRect) -> None:
    window.resize(rect.size())
    window.move(rect.topLeft())


def make_scrolling(contents: QtWidgets.QWidget) -> QtWidgets.QScrollArea:
    """An area that shows the contents in at least their least size; they scroll where there is less room."""
    area = QtWidgets.QScrollArea(widgetResizable=True)
    area.setFrameShape(QtWidgets.QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(QtCore.Qt.FocusPolicy.NoFocus)
    area.setWidget(contents)
    return area


class _Scrolling(QtCore.QObject):
    """Lets a window grow with its contents, which scroll once they need more room than its screen has."""

    def __init__(self, window: QtWidgets.QWidget, wanted: QtCore.QSize) -> None:
        super().__init__(window)
        self._wanted, self._is_as_contents = wanted, not wanted.height()

    def eventFilter(self, watched: QtCore.QObject, event: QtCore.QEvent) -> bool:
        """Look when the window is shown, and when its parts changed."""
        is_due = event.type() in (QtCore.QEvent.Type.Show, QtCore.QEvent.Type.LayoutRequest)
        if is_due and isinstance(watched, QtWidgets.QWidget) and watched.isVisible():
            self._fit(watched)
        return False

    def _fit(self, window: QtWidgets.QWidget) -> None:
        layout, least, before = window.layout(), window.minimumSizeHint(), self._wanted
        if layout is not None and self._is_as_contents:
            width = max(window.width(), least.width())
            has_text = layout.hasHeightForWidth()
            high = layout.totalHeightForWidth(width) if has_text else layout.totalSizeHint().height()
            least.setHeight(max(high, least.height()))
        self._wanted = before.expandedTo(least)
        rect = _in_middle(self._wanted, window.screen().availableGeometry())
        if layout is None or least.boundedTo(rect.size()) == least:
            if self._wanted != before:  # it has grown
                _put(window, rect)
            return
        window.removeEventFilter(self)
        contents = QtWidgets.QWidget()
        contents.setLayout(layout)
        outer = QtWidgets.QVBoxLayout(window)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(make_scrolling(contents))
        window.setMinimumSize(0, 0)  # that of the contents
        _put(window, rect)


def show_in_place(window: QtWidgets.QWidget, library: Path) -> None:
    """Show the main window where it stood the last time, as far as the current screens allow."""
    primary = QtGui.QGuiApplication.primaryScreen()
    screens = sorted(QtGui.QGuiApplication.screens(), key=lambda screen: screen is not primary)
    place = fit_place(read_place(library), [screen.availableGeometry() for screen in screens])
    _put(window, place.rect)
    if place.is_maximized:
        window.showMaximized()
    else:
        window.show()


def keep_place(window: QtWidgets.QWidget, library: Path) -> None:
    """Remember the place of the main window; not saved in a read-only library."""
    shown = window.normalGeometry() if window.isMaximized() else QtCore.QRect(window.pos(), window.size())
    try:
        write_place(library, WindowPlace(shown, window.isMaximized()))
    except OSError as error:
        LOG.info("the window's place was not kept: %s", error)
