"""The layer over a frame: what it is made of, its line, what is kept, and the frame alone beside it."""

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from tests.wce_desktop.widgets.player.conftest import to_array
from training.video import FieldOfView
from wce_desktop.core.overlay import FrameCam
from wce_desktop.widgets.player import annotation_painter as annotate
from wce_desktop.widgets.player.frame_view import FrameView, ShownFrame
from wce_desktop.widgets.player.overlay_layer import HALO_PX, KEPT_LAYERS, LINE_PX, OverlayLayer, paint_words
from wce_desktop.widgets.player.pictures import frame_picture

CIRCLE = FieldOfView("circle", 64, 64, centre=(31.5, 31.5), radius=24.0)


def half_map(_: int) -> FrameCam:
    """Evidence in the lower half."""
    values = np.zeros((8, 8), np.float32)
    values[4:] = 3.0
    return FrameCam(values, 6.0, "CAM", "Model 1")


def test_the_contour_surrounds_a_share_of_the_frame_s_own_evidence_and_stays_within_the_field_of_view() -> None:
    overlay = OverlayLayer()
    overlay.set_provider(half_map)
    overlay.set_field_of_view(CIRCLE)
    layer = overlay.layer(0)
    assert layer is not None
    assert layer.picture is None, "filled only while the key is held"
    heights = [layer.contour.elementAt(at).y for at in range(layer.contour.elementCount())]
    assert heights
    assert 0.45 < min(heights) <= max(heights) < 0.55, "the edge of the field of view is no edge of the evidence"
    overlay.set_look(0.5, is_filled=True)
    layer = overlay.layer(0)
    assert layer is not None
    assert layer.picture is not None
    assert layer.contour.isEmpty()


@pytest.mark.parametrize("zoom", [1, 3])
@pytest.mark.parametrize("cells", [1, 2])
def test_tissue_on_both_sides_of_the_contour_keeps_its_colours(qtbot: QtBot, zoom: int, cells: int) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (400, 400, 3), np.uint8)
    view = FrameView()
    qtbot.addWidget(view)
    view.resize(400 * cells + 6 * (cells - 1), 400)
    view.set_frames(tuple(ShownFrame(at, frame_picture(noise)) for at in range(cells)), cells)
    for _ in range(zoom - 1):
        view.zoom_in()
    plain = to_array(view.grab().toImage())
    view.overlay.set_provider(half_map)
    view.overlay.is_visible = True
    view.overlay.missing_words = ""
    changed = (to_array(view.grab().toImage()) != plain).any(axis=2)
    rows = np.flatnonzero(changed[:300, 150:250].any(axis=1))
    assert 0 < len(rows) <= HALO_PX * LINE_PX + 2
    assert 195 <= rows.mean() <= 205


def test_weak_evidence_has_no_contour_and_less_evidence_a_fainter_one() -> None:
    overlay = OverlayLayer()
    values = np.zeros((8, 8), np.float32)
    values[3:5, 3:5] = 0.02
    overlay.set_provider(lambda _: FrameCam(values, 1.0))
    layer = overlay.layer(0)
    assert layer is not None
    assert layer.contour.isEmpty()
    assert layer.strength == 0


def test_layers_are_kept_until_forgotten_and_not_without_end() -> None:
    asked: list[int] = []

    def provider(frame_index: int) -> FrameCam | None:
        asked.append(frame_index)
        return half_map(frame_index) if frame_index != 1 else None

    overlay = OverlayLayer()
    overlay.set_provider(provider)
    assert overlay.layer(0) is overlay.layer(0)
    assert overlay.layer(1) is None
    assert overlay.layer(1) is None
    assert asked == [0, 1]
    overlay.forget(1)
    assert overlay.layer(1) is None
    assert asked == [0, 1, 1]
    for frame in range(2, KEPT_LAYERS + 3):
        overlay.layer(frame)
    overlay.layer(0)
    assert asked[-1] == 0


def test_method_and_model_travel_with_the_map() -> None:
    overlay = OverlayLayer()
    overlay.set_provider(half_map)
    layer = overlay.layer(0)
    assert layer is not None
    assert layer.source == "CAM, Model 1"


def test_the_frame_alone_stands_beside_the_explained_one(qtbot: QtBot) -> None:
    noise = np.random.default_rng(3).integers(0, 256, (200, 200, 3), np.uint8)
    view = FrameView()
    qtbot.addWidget(view)
    view.resize(402, 200)
    view.set_frames((ShownFrame(0, frame_picture(noise)),), 1)
    view.overlay.set_provider(half_map)
    view.overlay.is_beside = True
    assert not view.is_beside, "nothing to stand beside while the overlay is off"
    view.overlay.is_visible = True
    view.overlay.set_look(0.5, is_filled=True)
    assert view.is_beside
    shown = to_array(view.grab().toImage())
    np.testing.assert_array_equal(shown[:90, :200], noise[:90])  # the caption stands below
    explained = shown[:, 202:]
    assert np.abs(explained[110:150].astype(int) - noise[110:150]).mean() > 5
    view.set_frames((ShownFrame(0, frame_picture(noise)), ShownFrame(1, frame_picture(noise))), 2)
    assert not view.is_beside, "several frames stand there already"


def painted(words: tuple[str, ...], frame: QRectF) -> QImage:
    """A legend on white; the cell is 800 x 400 px."""
    picture = QImage(800, 400, QImage.Format.Format_RGB32)
    picture.fill(0xFFFFFFFF)
    painter = QPainter(picture)
    annotate.draw_legend(painter, frame, QRectF(0, 0, 800, 400), words)
    painter.end()
    return picture


def test_the_legend_leaves_the_frame_free_where_there_is_room_beside_it(qtbot: QtBot) -> None:
    words = ("Blood 0.93", "Score-CAM, quick estimate", "A model with a long name of several words", "")
    beside = to_array(painted(words, QRectF(200, 0, 400, 400)))
    assert (beside[:, 200:] == 255).all()
    assert (beside[:, :200] != 255).any()
    inside = to_array(painted(words, QRectF(20, 0, 760, 400)))
    assert (inside[:340] == 255).all()
    assert (inside[340:, 20:780] != 255).any()
    short = to_array(painted(("Blood 0.93", "CAM", "Starter model"), QRectF(20, 0, 760, 400)))
    assert (short[:, 140:] == 255).all(), "the corner of a large frame shows no tissue"
    assert (short[300:, :140] != 255).any()
    to_array(painted(("", "", ""), QRectF(20, 0, 760, 400)))


def test_whose_word_it_is_stays_readable_on_a_small_frame(qtbot: QtBot) -> None:
    from PySide6.QtGui import QFontMetricsF

    metrics = QFontMetricsF(annotate.text_font(12))
    words = ("Blood 1.00", "Score-CAM, quick estimate", "Demo model")
    assert annotate.joined(words, " · ", metrics, 1000.0) == [" · ".join(words)]
    room = metrics.horizontalAdvance(" · ".join(words[:2])) + 1
    assert annotate.joined(words, " · ", metrics, room) == [" · ".join(words[:2]), "Demo model"]


def test_words_are_wrapped_and_a_word_without_room_is_cut(qtbot: QtBot) -> None:
    from PySide6.QtGui import QFontMetricsF

    metrics = QFontMetricsF(annotate.text_font(12))
    lines = annotate.joined(["one", "two", "three", "supercalifragilistic"], " ", metrics, 60)
    assert len(lines) >= 3
    assert all(metrics.horizontalAdvance(line) <= 61 for line in lines)
    assert annotate.joined([], " ", metrics, 60) == []


def test_where_nothing_is_marked_words_stand_outside_the_field_of_view_or_nowhere(qtbot: QtBot) -> None:
    def tissue_painted(view: FieldOfView, width: int) -> bool:
        """Whether anything but white lies within the field of view; the frame fills its cell."""
        overlay, rect = OverlayLayer(), QRectF(0, 0, width, width)
        overlay.set_field_of_view(view)
        overlay.set_provider(lambda _: FrameCam(np.zeros((8, 8), np.float32), 6.0, "CAM", "Model 1"))
        picture = QImage(width, width, QImage.Format.Format_RGB32)
        picture.fill(0xFFFFFFFF)
        frame = frame_picture(np.zeros((64, 64, 3), np.uint8))
        painter = QPainter(picture)
        paint_words(painter, overlay, overlay.layer(0), rect, rect, frame, "Blood 0.02")
        painter.end()
        shown = to_array(picture)
        inner = view.mask(64, 64).repeat(width // 64, 0).repeat(width // 64, 1)
        written.append(bool((shown != 255).any()))
        return bool((shown[inner] != 255).any())

    written: list[bool] = []
    assert not tissue_painted(FieldOfView("circle", 64, 64, centre=(31.5, 31.5), radius=30.0), 640)
    assert not tissue_painted(FieldOfView("full", 64, 64), 640)
    assert not tissue_painted(CIRCLE, 192)
    assert written == [True, False, False]


def test_words_leave_a_clock_in_the_corner_free(qtbot: QtBot) -> None:
    pixels = np.zeros((640, 640, 3), np.uint8)
    pixels[610:630, 10:90] = 255  # burned in, at the lower left
    picture, rect = frame_picture(pixels), QRectF(0, 0, 640, 640)
    overlay = OverlayLayer()
    overlay.set_field_of_view(FieldOfView("circle", 640, 640, centre=(319.5, 319.5), radius=310.0))
    overlay.set_provider(half_map)
    for words in ("Blood 0.97", "A class with a very long name 0.97 " * 3):  # the second has room on tissue only
        shown = frame_picture(pixels)
        painter = QPainter(shown)
        paint_words(painter, overlay, overlay.layer(0), rect, rect, picture, words)
        painter.end()
        assert (to_array(shown)[610:630, 10:90] == 255).all()
        assert (to_array(shown) != pixels).any()


def test_a_plate_hides_no_text_of_the_recording(qtbot: QtBot) -> None:
    frame = np.zeros((64, 64, 3), np.uint8)
    frame[58:62, 2:16] = 255  # a clock
    frame[20:40, 20:40] = 255  # tissue
    view = FrameView()
    qtbot.addWidget(view)
    view.resize(200, 200)
    assert view.is_blank(QRectF(0, 150, 80, 50)), "without a frame"
    view.set_frames((ShownFrame(0, frame_picture(frame)),), 1)
    view.overlay.set_field_of_view(CIRCLE)
    assert not view.is_blank(QRectF(0, 150, 80, 50))
    assert view.is_blank(QRectF(80, 40, 120, 160))
