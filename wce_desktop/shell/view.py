"""The View menu: overlay, zoom, how many frames, and which panels are open."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject

from wce_desktop.features.explain.model.frame_maps import explained_classes
from wce_desktop.features.reading.view.frame_notes import frame_notes, score_words
from wce_desktop.widgets.player.notes import FrameNotes

if TYPE_CHECKING:
    from wce_desktop.shell.main_window import MainWindow

OPACITY_STEP = 0.1
TIMELINE_ZOOM = 1.5


class ViewController(QObject):
    """What is shown and how; none of it changes a study."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._session = window.session
        self._player = window.player
        self.is_overlay_on: bool = self._session.settings["is_overlay_on"]
        self.opacity: float = self._session.settings["overlay_opacity"]
        self.explained: str | None = None

    # Overlay

    def notes_of(self, frame_index: int) -> FrameNotes:
        """What is written on a frame: its labels, what the model suggests, boxes, and the explained class's score."""
        reading = self._session.reading
        if reading is None:
            return FrameNotes()
        suggested = self._window.boxing.suggestions.at(frame_index)
        vocabulary, name = self._session.vocabulary, self.explained
        score = self._window.explaining.maps.score(frame_index, name or "")
        return frame_notes(reading, vocabulary, frame_index, score_words(vocabulary, name, score), suggested)

    def set_overlay(self, is_on: bool, opacity: float) -> None:
        """Draw the overlay or not, and how strongly."""
        wanted = (is_on, float(np.clip(opacity, 0.05, 1.0)))
        if wanted != (self.is_overlay_on, self.opacity):
            self.is_overlay_on, self.opacity = wanted
            self.show_overlay()

    def show_overlay(self) -> None:
        """Let player, panel and menu show how the overlay is drawn."""
        self._player.set_overlay_opacity(self.opacity)
        self._player.set_overlay_visible(self.is_overlay_on)
        self._window.explain.set_overlay(self.is_overlay_on, self.opacity)
        self._window.menus.check({"toggle_overlay": self.is_overlay_on})

    def toggle_overlay(self) -> None:
        """Overlay on or off."""
        self.set_overlay(not self.is_overlay_on, self.opacity)

    def overlay_weaker(self) -> None:
        """More transparent."""
        self.set_overlay(True, self.opacity - OPACITY_STEP)

    def overlay_stronger(self) -> None:
        """More opaque."""
        self.set_overlay(True, self.opacity + OPACITY_STEP)

    def explain_class(self, name: str) -> None:
        """Let the overlay explain this class."""
        if name != self.explained:
            self.explained = name
            self._window.explain.choose(name)
            self._window.show_explanation()

    def next_class(self) -> None:
        """Explain the next class."""
        names = explained_classes(self._session)
        if names:
            at = names.index(self.explained) if self.explained in names else -1
            self.explain_class(names[(at + 1) % len(names)])

    # Frames and zoom

    def one_view(self) -> None:
        """One frame."""
        self._player.set_views(1)

    def two_views(self) -> None:
        """Two successive frames."""
        self._player.set_views(2)

    def four_views(self) -> None:
        """Four successive frames."""
        self._player.set_views(4)

    def zoom_in(self) -> None:
        """Larger."""
        self._player.zoom_in()

    def zoom_out(self) -> None:
        """Smaller."""
        self._player.zoom_out()

    def zoom_fit(self) -> None:
        """Fit."""
        self._player.zoom_fit()

    def zoom_timeline_in(self) -> None:
        """Less time."""
        self._window.timeline.zoom(1 / TIMELINE_ZOOM)

    def zoom_timeline_out(self) -> None:
        """More time."""
        self._window.timeline.zoom(TIMELINE_ZOOM)

    # Panels

    def _show_tab(self, index: int) -> None:
        self._window.right.setVisible(True)
        self._window.right.setCurrentIndex(index)
        self._check_panels()

    def show_flags(self) -> None:
        """Flags."""
        self._show_tab(0)

    def show_findings(self) -> None:
        """Findings."""
        self._show_tab(1)

    def show_explain(self) -> None:
        """Explain."""
        self._show_tab(2)

    def sort_events(self) -> None:
        """Order by score or time."""
        self._window.flags.switch_order()

    def toggle_left(self) -> None:
        """Studies and model."""
        self._window.left.setVisible(self._window.left.isHidden())
        self._check_panels()

    def toggle_right(self) -> None:
        """Flags, findings, explain."""
        self._window.right.setVisible(self._window.right.isHidden())
        self._check_panels()

    def only_frame(self) -> None:
        """Frame and timeline only, or everything again."""
        is_folding = not (self._window.left.isHidden() and self._window.right.isHidden())
        for panel in (self._window.left, self._window.right):
            panel.setVisible(not is_folding)
        self._check_panels()

    def fold_where_narrow(self) -> None:
        """Fold side panels away, the studies first, until the others fit into the window."""
        page = self._window.centralWidget()
        needed = page.minimumSizeHint().width() if page is not None else 0
        for panel in (self._window.left, self._window.right):
            if needed > self._window.width() and not panel.isHidden():
                needed -= panel.minimumSizeHint().width()
                panel.hide()
        self._check_panels()

    def _check_panels(self) -> None:
        left, right = not self._window.left.isHidden(), not self._window.right.isHidden()
        self._window.menus.check({"toggle_left": left, "toggle_right": right, "only_frame": not (left or right)})
