"""A person at the main window and the window of places."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import press, wait, window_on
from wce_desktop.core.annotation.link import Link
from wce_desktop.features.places.places_window import PlacesWindow
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow


class Reader:
    """A person at the two windows."""

    def __init__(self, bot: QtBot, main: MainWindow) -> None:
        self.bot, self.main, self.session = bot, main, main.session

    def finds(self, frame_index: int) -> None:
        """Go to a frame of the open study and search for the place."""
        self.goes_to(frame_index)
        self.presses_main("find_place")

    def goes_to(self, frame_index: int) -> None:
        self.main.workspace.go_to_frame(frame_index)
        wait(self.bot, lambda: self.frame == frame_index and self.main.is_idle)

    def presses_main(self, action_id: str) -> None:
        press(self.main, action_id)
        self.waits()

    def waits(self) -> None:
        wait(self.bot, lambda: self.main.is_idle)

    @property
    def frame(self) -> int:
        assert self.session.reading is not None
        return self.session.reading.place.frame_index

    @property
    def window(self) -> PlacesWindow:
        window = self.main.features.places.window
        assert window is not None
        return window

    def presses(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key in the window of places."""
        QTest.keyClick(self.window, key, modifier)
        self.waits()

    def chooses_studies(self, row: int) -> None:
        self.window.lists.studies.setCurrentRow(row)
        self.waits()

    def turns_wheel(self, *, left: bool, notches: int) -> None:
        pair = self.window.pair
        view = (pair.left if left else pair.right).player.frame_view
        center = QPointF(view.rect().center())
        none = Qt.MouseButton.NoButton
        turned = QWheelEvent(
            center, QPointF(view.mapToGlobal(center.toPoint())), QPoint(), QPoint(0, 120 * notches), none,
            Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(view, turned)
        self.waits()

    @property
    def shown(self) -> tuple[int | None, int | None]:
        """The frames on screen, of the left study and of the right one."""
        pair = self.window.pair
        return pair.left.frame_index, pair.right.frame_index

    @property
    def places(self) -> list[tuple[str, int, int]]:
        """The places in the list: study and frames."""
        return [(place.study_id, place.span.start, place.span.stop) for place in self.window.lists.places]

    @property
    def studies(self) -> list[str]:
        """The rows of the list of studies."""
        rows = self.window.lists.studies
        return [rows.item(row).text() for row in range(rows.count())]

    @property
    def said(self) -> str:
        return self.window._said.text()

    @property
    def links(self) -> tuple[Link, ...]:
        library = self.session.library
        return tuple(link for study in library.studies.all() for link in library.annotations.links(study.study_id))


@contextmanager
def reader_at(qtbot: QtBot, session: Session, study: str = "a") -> Iterator[Reader]:
    with window_on(qtbot, session, session.library.studies.get(study)) as main:
        yield Reader(qtbot, main)
