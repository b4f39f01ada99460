"""The frame's own pixels, and zooming with the mouse."""

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QMouseEvent, QPaintEvent, QRegion, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.wce_desktop.widgets.player.conftest import to_array
from wce_desktop.core.annotation.vocabulary import SHAPES
from wce_desktop.core.overlay import FrameCam, color_map
from wce_desktop.widgets.player.annotation_painter import (
    Chip,
    FrameNotes,
    Outline,
    answer_buttons,
    chip_plates,
)
from wce_desktop.widgets.player.frame_view import FrameView, ShownFrame
from wce_desktop.widgets.player.geometry import MAX_ZOOM, Zoom, cells
from wce_desktop.widgets.player.pictures import frame_picture, layer_picture, thumbnail_picture


@pytest.fixture
def noise() -> NDArray[np.uint8]:
    """(240, 320, 3) uint8 of all colours."""
    return np.random.default_rng(3).integers(0, 256, (240, 320, 3), np.uint8)


@pytest.fixture
def view(qtbot: QtBot, noise: NDArray[np.uint8]) -> FrameView:
    """A view as large as the frame, so that one frame pixel is one view pixel."""
    made = FrameView()
    qtbot.addWidget(made)
    made.resize(320, 240)
    made.set_frames((ShownFrame(0, frame_picture(noise)),), 1)
    return made


def pixels(view: FrameView) -> NDArray[np.uint8]:
    return to_array(view.grab().toImage())


def test_the_frame_is_painted_pixel_for_pixel(view: FrameView, noise: NDArray[np.uint8]) -> None:
    np.testing.assert_array_equal(pixels(view), noise)


def test_off_and_empty_overlays_leave_every_pixel(view: FrameView, noise: NDArray[np.uint8]) -> None:
    view.overlay.set_provider(lambda _: FrameCam(np.ones((7, 7), np.float32)))
    np.testing.assert_array_equal(pixels(view), noise)
    view.overlay.set_provider(lambda _: FrameCam(np.full((7, 7), -1, np.float32)))
    view.overlay.is_visible = True
    np.testing.assert_array_equal(pixels(view)[:150], noise[:150])  # the legend stands below
    view.overlay.set_look(0.5, is_filled=True)
    view.overlay.set_provider(lambda _: FrameCam(np.ones((7, 7), np.float32)))
    assert np.abs(pixels(view)[:150].astype(int) - noise[:150]).mean() > 5


def test_the_overlay_blends_with_its_opacity(view: FrameView, noise: NDArray[np.uint8]) -> None:
    view.overlay.set_provider(lambda _: FrameCam(np.ones((7, 7), np.float32)))
    view.overlay.is_visible, view.overlay.opacity = True, 0.25
    view.overlay.set_look(0.5, is_filled=True)
    expected = 0.75 * noise[:150] + 0.25 * color_map()[255]
    assert np.abs(pixels(view)[:150] - expected).max() <= 3


def test_pictures_refuse_what_is_no_picture() -> None:
    with pytest.raises(ValueError, match="uint8"):
        frame_picture(np.zeros((4, 4), np.uint8)[..., None])
    with pytest.raises(ValueError, match="uint8"):
        layer_picture(np.zeros((4, 4, 3), np.uint8))


def test_odd_widths_keep_their_rows() -> None:
    frame = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)
    np.testing.assert_array_equal(to_array(frame_picture(frame[:, ::-1])), frame[:, ::-1])
    assert thumbnail_picture(np.zeros((100, 200, 3), np.uint8), 50).size().toTuple() == (50, 25)


def test_a_large_frame_is_averaged_not_sampled(qtbot: QtBot) -> None:
    stripes = np.zeros((1024, 1024, 3), np.uint8)
    stripes[:, ::2] = 255
    view = FrameView()
    qtbot.addWidget(view)
    view.resize(256, 256)
    view.set_frames((ShownFrame(0, frame_picture(stripes)),), 1)
    assert np.abs(pixels(view).astype(int) - 127).max() < 12


CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def wheel(view: FrameView, at: QPointF, steps: float, keys: Qt.KeyboardModifier = CTRL) -> None:
    event = QWheelEvent(
        at,
        view.mapToGlobal(at),
        QPoint(),
        QPoint(0, round(120 * steps)),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)


def test_the_wheel_steps_a_frame_a_notch_and_ten_with_shift(view: FrameView) -> None:
    asked: list[int] = []
    view.steps_requested.connect(asked.append)
    none, at = Qt.KeyboardModifier.NoModifier, QPointF(80, 60)
    wheel(view, at, -1, none)
    wheel(view, at, 2, none)
    wheel(view, at, -1, SHIFT)
    assert asked == [1, -2, 10]
    for _ in range(4):
        wheel(view, at, -0.25, none)  # a touchpad turns by parts of a notch
    wheel(view, at, -0.75, none)
    wheel(view, at, 0.5, none)  # the other way: what was left is forgotten
    wheel(view, at, 0.5, none)
    assert asked == [1, -2, 10, 1, -1]
    assert view.zoom.factor == 1


def test_a_suggestion_is_answered_by_the_buttons_of_its_chip(view: FrameView) -> None:
    chips = (Chip("Polyp?", "#e69f00", "circle", is_suggested=True, name="polyp"), Chip("Blood", "#d55e00", "square"))
    view.set_notes_provider(lambda _: FrameNotes(chips))
    answers: list[tuple[int, str, bool]] = []
    view.answer_requested.connect(lambda *answer: answers.append(answer))
    frame = view.frames[0].frame_index
    plates = chip_plates(chips, view.frame_rects()[0])
    accept, reject = (button.center().toPoint() for button in answer_buttons(plates[0]))
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=accept)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=reject)
    QTest.mouseClick(view, Qt.MouseButton.RightButton, pos=accept)
    assert answers == [(frame, "polyp", True), (frame, "polyp", False)]
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=accept)
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=reject)
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=plates[1].center().toPoint())
    assert len(answers) == 2, "released elsewhere, or a label that is no suggestion"
    moved = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(accept),
        view.mapToGlobal(QPointF(accept)),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, moved)
    assert view.cursor().shape() == Qt.CursorShape.PointingHandCursor


def test_the_wheel_zooms_where_it_points(view: FrameView) -> None:
    at = QPointF(80, 60)
    wheel(view, at, 4)
    rect = view.frame_rects()[0]
    assert view.zoom.factor == pytest.approx(1.25**4)
    assert (at.x() - rect.left()) / rect.width() == pytest.approx(0.25, abs=0.01)
    assert (at.y() - rect.top()) / rect.height() == pytest.approx(0.25, abs=0.01)
    wheel(view, at, -40)
    assert view.zoom.factor == 1
    wheel(view, at, 400)
    assert view.zoom.factor == MAX_ZOOM


def test_dragging_pans_no_further_than_the_edge(view: FrameView) -> None:
    wheel(view, QPointF(160, 120), 4)
    before = view.frame_rects()[0]
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=QPoint(160, 120))
    QTest.mouseMove(view, QPoint(180, 110))
    assert view.frame_rects()[0].topLeft() == before.topLeft() + QPointF(20, -10)
    QTest.mouseMove(view, QPoint(5000, 5000))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton)
    assert view.frame_rects()[0].topLeft() == QPointF(0, 0)
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton)
    assert view.zoom.factor == 1


def test_cells_take_the_split_that_shows_most() -> None:
    square = QSizeF(10, 10)
    assert len({cell.top() for cell in cells(QRectF(0, 0, 800, 700), square, 4)}) == 2
    assert len({cell.top() for cell in cells(QRectF(0, 0, 1600, 300), square, 4)}) == 1
    tall = cells(QRectF(0, 0, 300, 900), square, 2)
    assert tall[0].left() == tall[1].left()
    assert tall[1].top() > tall[0].bottom()


def test_a_zoomed_frame_covers_its_cell() -> None:
    zoom, cell, frame = Zoom(), QRectF(0, 0, 400, 200), QSizeF(100, 100)
    zoom.zoom_by(3, QPointF(399, 199), cell, frame)
    rect = zoom.rect(cell, frame)
    assert rect.left() <= 0
    assert rect.right() >= 400
    assert rect.bottom() >= 200


def test_notes_and_messages_can_be_painted_at_any_size(qtbot: QtBot, view: FrameView) -> None:
    chips = tuple(Chip(f"Class {at}", "#56b4e9", shape, at % 2 == 1) for at, shape in enumerate(SHAPES))
    notes = FrameNotes(chips, (Outline(-5, -5, 9999, 40, "Polyp", "#e69f00"),), "Polyp 0.97")
    view.set_notes_provider(lambda _: notes)
    view.overlay.set_provider(lambda _: FrameCam(np.ones((7, 7), np.float32)))
    view.overlay.is_visible = True
    view.set_waiting("Reading frame 7…")
    for size in ((240, 180), (1600, 300)):
        view.resize(*size)
        assert not view.grab().isNull()
    view.set_message("A sentence " * 30, "and a hint " * 20)
    assert not view.grab().isNull()
    assert view.frames == ()


class Painted(QObject):
    """Collects what a widget was asked to paint."""

    def __init__(self, view: FrameView) -> None:
        super().__init__(view)
        self.region = QRegion()
        view.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.region = self.region.united(event.region())
        return False


MANY = tuple(Chip(f"Class {at}", "#56b4e9", SHAPES[at % len(SHAPES)]) for at in range(12))
BOX = Outline(40, 40, 200, 200, "Polyp", "#e69f00")


@pytest.mark.parametrize(
    ("before", "after", "is_part"),
    [
        (FrameNotes(), FrameNotes(MANY[:1]), True),
        (FrameNotes(MANY[:3], (BOX,)), FrameNotes(MANY[1:3], (BOX,)), True),
        (FrameNotes(MANY), FrameNotes(), True),
        (FrameNotes(MANY[:1]), FrameNotes(MANY[:1], (BOX,)), False),
    ],
)
def test_new_chips_paint_no_more_of_the_frame_than_they_cover(
    qtbot: QtBot, view: FrameView, before: FrameNotes, after: FrameNotes, is_part: bool
) -> None:
    notes = [before]
    view.set_notes_provider(lambda _: notes[0])
    view.show()
    first = pixels(view)
    qtbot.wait_until(lambda: not view.visibleRegion().isEmpty())
    QApplication.processEvents()
    painted = Painted(view)
    notes[0] = after
    view.update_notes()
    QApplication.processEvents()
    region = painted.region
    changed = np.argwhere((pixels(view) != first).any(axis=-1))
    assert len(changed)
    assert all(region.contains(QPoint(int(x), int(y))) for y, x in changed)
    assert (region != QRegion(view.rect())) == is_part
