"""What is drawn into the pictures of a report: the reader's boxes, and where the model finds evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from training.video import FieldOfView
from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.drawings import Shape
from wce_desktop.core.language import tr
from wce_desktop.core.overlay import FrameCam, evidence_contour
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

DARK, LIGHT = (20, 20, 20), (159, 245, 224)
SHIFT = 4
"""Bits behind the binary point of the coordinates that are handed to OpenCV."""


@dataclass(frozen=True, slots=True)
class BoxMark:
    """A box in pixels of the study's own frames; `color`: RGB."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float
    color: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Marks:
    """What is drawn into the picture of one frame.

    Attributes:
        boxes: of the reader.
        shapes: that the reader drew.
        cam: rows of the class activation map that scoring stored, raw; empty: none is drawn.
    """

    boxes: tuple[BoxMark, ...] = ()
    cam: tuple[tuple[float, ...], ...] = ()
    shapes: tuple[Shape, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn."""
        return not self.boxes and not self.cam and not self.shapes

    @property
    def without_texts(self) -> Marks:
        """The same without words of the reader."""
        return replace(self, shapes=tuple(shape for shape in self.shapes if shape.kind != "text"))


NOTHING = Marks()


def marks_of(session: Session, reading: Reading, *, with_boxes: bool, with_overlay: bool) -> dict[int, Marks]:
    """Frame index -> what is drawn into it, for frames that stand for findings or that the reader drew on; no others.

    A frame of two findings has the map of the first one's kind.
    """
    kinds: dict[int, str] = {}
    for finding in sorted(reading.entries.findings, key=lambda one: (one.span.start, one.finding_id)):
        for frame in reading.entries.frames_of(finding):
            kinds.setdefault(frame, finding.kind)
    result, drawings = {}, reading.entries.drawings
    for frame in {*kinds, *drawings.shapes, *drawings.in_report}:
        cam = reading.flags.stored_cam(kinds[frame], frame) if with_overlay and frame in kinds else None
        marks = Marks(
            tuple(_mark(session, box) for box in reading.entries.boxes if with_boxes and box.frame_index == frame),
            () if cam is None else tuple(map(tuple, cam.astype(float).tolist())),
            drawings.shapes.get(frame, ()),
        )
        if not marks.is_empty:
            result[frame] = marks
    return result


def marks_in_words(marks: Mapping[int, Marks]) -> str:
    """A sentence for the report about what is drawn into its pictures; empty for nothing."""
    drawn = []
    if any(mark.boxes for mark in marks.values()):
        drawn.append(tr("Boxes were drawn by the reader."))
    if any(mark.shapes for mark in marks.values()):
        drawn.append(tr("Arrows, circles and text were drawn by the reader."))
    if any(mark.cam for mark in marks.values()):
        drawn.append(
            tr("A contour shows where the model finds most evidence of the finding's kind (class activation map).")
        )
    return " ".join(drawn)


def draw(
    picture: NDArray[np.uint8], marks: Marks, view: FieldOfView, frame_size: tuple[int, int], corner: tuple[int, int]
) -> NDArray[np.uint8]:
    """A copy of a masked picture with its marks.

    Args:
        picture: (H, W, 3) uint8 RGB, cut out of the frame.
        marks: what to draw.
        view: the field of view of the study.
        frame_size: height and width of the whole frame.
        corner: x and y of the picture in the frame.
    """
    import cv2

    drawn = picture.copy()
    height, width = drawn.shape[:2]
    left, top = corner
    if marks.cam:  # over the square that the model saw, inside the field of view
        x, y, side = view.box
        across, down = frame_size[1] / view.width_px, frame_size[0] / view.height_px
        corner_px = np.array([x * across - left, y * down - top])
        scale = np.array([side * across, side * down])
        lines = evidence_contour(FrameCam(np.asarray(marks.cam, np.float32)))
        points = [np.rint((line * scale + corner_px) * 2**SHIFT).astype(np.int32) for line in lines]
        inside = view.mask(*frame_size)[top : top + height, left : left + width, None]
        traced, width_px = drawn.copy(), max(1, round(max(height, width) / 200))
        for color, thickness in ((DARK, width_px + 2), (LIGHT, width_px)):
            cv2.polylines(traced, points, False, color, thickness, cv2.LINE_AA, SHIFT)
        drawn = np.where(inside, traced, drawn)
    line = max(2, round(max(height, width) / 90))
    for box in marks.boxes:  # with a dark edge, seen on any tissue
        first = (round(box.x_min) - left, round(box.y_min) - top)
        last = (round(box.x_max) - 1 - left, round(box.y_max) - 1 - top)
        cv2.rectangle(drawn, first, last, DARK, line + 2)
        cv2.rectangle(drawn, first, last, box.color, line)
    return drawn


def _mark(session: Session, box: Box) -> BoxMark:
    color = session.vocabulary.of(box.name).color
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return BoxMark(box.x_min, box.y_min, box.x_max, box.y_max, (red, green, blue))
