"""Windows that fit the screen they open on, whatever its size and scale factor."""

import logging
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from wce_desktop.widgets.window_place import FRAME_PX, Rect, WindowPlace, fit_place, read_place, write_place

LOG = logging.getLogger("wce_desktop")


def fit_to_screen(window: QWidget, width: int, height: int) -> None:
    """Give a window this size, or as much of it as its screen has room for."""
    room = window.screen().availableGeometry()
    window.resize(min(width, room.width() - FRAME_PX[0]), min(height, room.height() - FRAME_PX[1]))


def show_in_place(window: QWidget, library: Path) -> None:
    """Show the main window where it stood the last time, as far as the screens of today allow."""
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
    """Remember where the main window stands; a library that cannot be written keeps the place it had."""
    shown = window.normalGeometry() if window.isMaximized() else QRect(window.pos(), window.size())
    rect = Rect(shown.x(), shown.y(), shown.width(), shown.height())
    try:
        write_place(library, WindowPlace(rect, window.isMaximized()))
    except OSError as error:
        LOG.info("the window's place was not kept: %s", error)


def _room(screen: QScreen) -> Rect:
    room = screen.availableGeometry()
    return Rect(room.x(), room.y(), room.width(), room.height())
