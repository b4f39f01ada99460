"""Fits windows to the screens, and restores the place of the main window."""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from training.errors import UserError
from training.files.json_text import read_json_object

FILE_NAME = "window.json"
USUAL_SIZE = (1440, 900)
FRAME_PX = (12, 40)
"""Room for the borders and the title bar that the system draws around the window."""
REACHABLE_PX = (120, 40)
"""This much of a window must be on a screen to be reachable with the mouse."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in logical pixels, of a screen without its panels, or of a window."""

    x: int
    y: int
    width: int
    height: int

    def common(self, other: "Rect") -> tuple[int, int]:
        """Width and height of what both cover; 0 where they do not meet."""
        width = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        height = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(width, 0), max(height, 0)


@dataclass(frozen=True, slots=True)
class WindowPlace:
    """The place of a window while not maximized, and whether it is maximized."""

    rect: Rect
    is_maximized: bool = False


def fit_place(wanted: WindowPlace | None, screens: Sequence[Rect], usual: tuple[int, int] = USUAL_SIZE) -> WindowPlace:
    """The place for a window, wholly on one screen.

    Args:
        wanted: where it stood the last time; None at the first start.
        screens: the room on each screen, the main one first; at least one.
        usual: size of the first window; where it does not fit, the window is maximized.
    """
    at = _screen_of(wanted.rect, screens) if wanted else None
    if wanted is not None and at is not None:
        return replace(wanted, rect=_inside(wanted.rect, at))
    screen = screens[0]
    is_small = usual[0] + FRAME_PX[0] > screen.width or usual[1] + FRAME_PX[1] > screen.height
    middle = (screen.x + (screen.width - usual[0]) // 2, screen.y + (screen.height - usual[1]) // 2)
    return WindowPlace(_inside(Rect(*middle, *usual), screen), is_small)


def _screen_of(rect: Rect, screens: Sequence[Rect]) -> Rect | None:
    """The screen that shows most of a rectangle, if enough of it."""
    best = max(screens, key=lambda screen: screen.common(rect)[0] * screen.common(rect)[1])
    width, height = best.common(rect)
    return best if width >= REACHABLE_PX[0] and height >= REACHABLE_PX[1] else None


def _inside(rect: Rect, screen: Rect) -> Rect:
    """The rectangle shrunk and moved until it lies on the screen with its frame."""
    width = min(rect.width, screen.width - FRAME_PX[0])
    height = min(rect.height, screen.height - FRAME_PX[1])
    x = min(max(rect.x, screen.x), screen.x + screen.width - width - FRAME_PX[0])
    y = min(max(rect.y, screen.y), screen.y + screen.height - height - FRAME_PX[1])
    return Rect(x, y, width, height)


def read_place(library: Path) -> WindowPlace | None:
    """Where the window of a library stood the last time; None where that is not known."""
    path = library / FILE_NAME
    if not path.is_file():
        return None
    try:
        stored = read_json_object(path, "window's place")
    except UserError:
        return None  # nothing is lost but a place
    numbers = [stored.get(name) for name in ("x", "y", "width", "height")]
    x, y, width, height = (value if type(value) is int and abs(value) < 2**15 else 0 for value in numbers)
    if width <= 0 or height <= 0:
        return None
    return WindowPlace(Rect(x, y, width, height), stored.get("is_maximized") is True)


def write_place(library: Path, place: WindowPlace) -> None:
    """Save the place of the window; raises OSError if it cannot be written."""
    path = library / FILE_NAME
    beside = path.with_suffix(".new")
    stored = asdict(place.rect) | {"is_maximized": place.is_maximized}
    beside.write_text(json.dumps(stored), encoding="utf-8")
    beside.replace(path)


LOG = logging.getLogger("wce_desktop")


def fit_to_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window this size, or as much of it as its screen has room for, and the middle of that screen.

    Left to the system, a window as high as the screen could start above it, with an unreachable title bar. Where its
    contents need more room than the screen has, they scroll.
    """
    rect = _middle_of(window.screen(), width, height)
    window.resize(rect.width, rect.height)
    window.move(rect.x, rect.y)
    window.installEventFilter(_Scrolling(window, width, height))


def make_scrolling(contents: QWidget) -> QScrollArea:
    """An area that shows the contents in at least their least size; they scroll where there is less room."""
    area = QScrollArea(widgetResizable=True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(contents)
    return area


class _Scrolling(QObject):
    """Lets the contents of a window scroll once they need more room than its screen has."""

    def __init__(self, window: QWidget, width: int, height: int) -> None:
        super().__init__(window)
        self._wanted = (width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look when the window is shown, and when its parts changed."""
        is_due = event.type() in (QEvent.Type.Show, QEvent.Type.LayoutRequest)
        if is_due and isinstance(watched, QWidget) and watched.isVisible():
            self._fit(watched)
        return False

    def _fit(self, window: QWidget) -> None:
        layout, least = window.layout(), window.minimumSizeHint()
        rect = _middle_of(window.screen(), *self._wanted)
        if layout is None or (least.width() <= rect.width and least.height() <= rect.height):
            return
        window.removeEventFilter(self)
        contents = QWidget()
        contents.setLayout(layout)
        outer = QVBoxLayout(window)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(make_scrolling(contents))
        window.setMinimumSize(0, 0)  # that of the contents
        window.resize(rect.width, rect.height)
        window.move(rect.x, rect.y)


def _middle_of(screen: QScreen, width: int, height: int) -> Rect:
    """A rectangle of this size, as far as there is room, in the middle of a screen."""
    room = _room(screen)
    middle = (room.x + (room.width - width) // 2, room.y + (room.height - height) // 2)
    return _inside(Rect(*middle, width, height), room)


def show_in_place(window: QWidget, library: Path) -> None:
    """Show the main window where it stood the last time, as far as the current screens allow."""
    primary = QGuiApplication.primaryScreen()
    screens = sorted(QGuiApplication.screens(), key=lambda screen: screen is not primary)
    place = fit_place(read_place(library), [_room(screen) for screen in screens])
    rect = place.rect
    window.resize(rect.width, rect.height)
    window.move(rect.x, rect.y)
    if place.is_maximized:
        window.showMaximized()
    else:
        window.show()


def keep_place(window: QWidget, library: Path) -> None:
    """Remember the place of the main window; not saved in a read-only library."""
    shown = window.normalGeometry() if window.isMaximized() else QRect(window.pos(), window.size())
    rect = Rect(shown.x(), shown.y(), shown.width(), shown.height())
    try:
        write_place(library, WindowPlace(rect, window.isMaximized()))
    except OSError as error:
        LOG.info("the window's place was not kept: %s", error)


def _room(screen: QScreen) -> Rect:
    room = screen.availableGeometry()
    return Rect(room.x(), room.y(), room.width(), room.height())
