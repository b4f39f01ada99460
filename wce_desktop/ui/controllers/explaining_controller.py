"""Explaining: by which method, for which class, how it is drawn, and asking for what is not there yet."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from wce_desktop.app.frame_maps import METHODS, FrameMaps
from wce_desktop.core.explained_map import ExplainedMap
from wce_desktop.ui.player.overlay_layer import DEFAULT_LEVEL

if TYPE_CHECKING:
    from wce_desktop.ui.main_window import MainWindow


class ExplainingController(QObject):
    """Turns the wish to know why into maps on the frame; none of it changes a study."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._player = window.player
        self.maps = FrameMaps(window.session)
        self.is_contour_on = False
        self.contour_level = DEFAULT_LEVEL
        self.is_beside = False

    def map_of(self, frame_index: int) -> ExplainedMap | None:
        """What the overlay shows on a frame, or None while there is nothing."""
        return self.maps.of(frame_index)

    def show(self, class_name: str | None) -> None:
        """Let the overlay explain a class from now on, all frames anew."""
        self.maps.class_name = class_name
        self._player.set_overlay_provider(self.map_of)

    def choose_method(self, name: str) -> None:
        """Explain by this method from now on."""
        if name != self.maps.method:
            self.maps.method = name
            self.show(self.maps.class_name)

    def next_method(self) -> None:
        """The next method."""
        names = [method.name for method in METHODS]
        self.choose_method(names[(names.index(self.maps.method) + 1) % len(names)])

    def set_contour(self, is_on: bool, level: float) -> None:
        """Draw the line or not, and where."""
        self.is_contour_on, self.contour_level = is_on, level
        self._player.set_contour(level if is_on else None)
        self._window.menus.check({"toggle_contour": is_on})

    def toggle_contour(self) -> None:
        """Line on or off."""
        self.set_contour(not self.is_contour_on, self.contour_level)

    def side_by_side(self) -> None:
        """Frame alone beside the explained one, or not."""
        self.is_beside = not self.is_beside
        if self.is_beside:
            self._window.view.set_overlay(True, self._window.view.opacity)
        self._player.set_beside(self.is_beside)
        self._window.menus.check({"side_by_side": self.is_beside})

    def close(self) -> None:
        """Nothing is left behind."""
