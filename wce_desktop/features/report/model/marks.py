"""What is drawn into the pictures of a report: the reader's boxes, and where the model finds evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.video import FieldOfView
from wce_desktop.core.language import tr
from wce_desktop.core.overlay import overlay_rgba
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session

OPACITY = 0.7
"""Of the strongest evidence (ours): tissue below it can still be seen."""
DARK = (20, 20, 20)


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
        cam: rows of the class activation map that scoring stored, raw; empty: none is drawn.
    """

    boxes: tuple[BoxMark, ...] = ()
    cam: tuple[tuple[float, ...], ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn."""
        return not self.boxes and not self.cam


NOTHING = Marks()


def marks_of(session: Session, reading: Reading, *, with_boxes: bool, with_overlay: bool) -> dict[int, Marks]:
    """Frame index -> what is drawn into it, for the frames that stand for findings; frames without marks are left out.

    A frame of two findings has the map of the first one's kind.
    """
    kinds: dict[int, str] = {}
    for finding in sorted(reading.entries.findings, key=lambda one: (one.span.start, one.finding_id)):
        for frame in reading.entries.frames_of(finding):
            kinds.setdefault(frame, finding.kind)
    result = {}
    for frame, kind in kinds.items():
        cam = reading.flags.stored_cam(kind, frame) if with_overlay else None
        marks = Marks(
            tuple(_boxes(session, reading, frame)) if with_boxes else (),
            () if cam is None else tuple(map(tuple, cam.astype(float).tolist())),
        )
        if not marks.is_empty:
            result[frame] = marks
    return result


def marks_in_words(marks: Mapping[int, Marks]) -> str:
    """A sentence for the report about what is drawn into its pictures; empty for nothing."""
    drawn = []
    if any(mark.boxes for mark in marks.values()):
        drawn.append(tr("Boxes were drawn by the reader."))
    if any(mark.cam for mark in marks.values()):
        drawn.append(tr("Colours show where the model finds evidence of the finding's kind (class activation map)."))
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
    drawn = picture.copy()
    if marks.cam:
        _draw_cam(drawn, np.asarray(marks.cam, np.float32), view, frame_size, corner)
    for box in marks.boxes:
        _draw_box(drawn, box, corner)
    return drawn


def _boxes(session: Session, reading: Reading, frame: int) -> Iterable[BoxMark]:
    for box in reading.entries.boxes:
        if box.frame_index == frame:
            color = session.vocabulary.of(box.name).color
            red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
            yield BoxMark(box.x_min, box.y_min, box.x_max, box.y_max, (red, green, blue))


def _draw_box(drawn: NDArray[np.uint8], box: BoxMark, corner: tuple[int, int]) -> None:
    """A rectangle with a dark edge, seen on any tissue."""
    import cv2

    line = max(2, round(max(drawn.shape[:2]) / 90))
    first = (round(box.x_min) - corner[0], round(box.y_min) - corner[1])
    last = (round(box.x_max) - 1 - corner[0], round(box.y_max) - 1 - corner[1])
    cv2.rectangle(drawn, first, last, DARK, line + 2)
    cv2.rectangle(drawn, first, last, box.color, line)


def _draw_cam(
    drawn: NDArray[np.uint8],
    cam: NDArray[np.float32],
    view: FieldOfView,
    frame_size: tuple[int, int],
    corner: tuple[int, int],
) -> None:
    """Blend a map over the square that the model saw, inside the field of view."""
    import cv2

    height, width = drawn.shape[:2]
    x, y, side = view.box
    across, down = frame_size[1] / view.width_px, frame_size[0] / view.height_px
    whole = cv2.resize(overlay_rgba(cam, opacity=OPACITY), (round(side * across), round(side * down)))
    left, top = corner[0] - int(x * across), corner[1] - int(y * down)  # the square may reach beyond the frame
    rgba = whole[top : top + height, left : left + width].astype(np.float32)
    rows, columns = rgba.shape[:2]
    inside = view.mask(*frame_size)[corner[1] : corner[1] + rows, corner[0] : corner[0] + columns]
    alpha = np.where(inside, rgba[..., 3] / 255, 0)[..., None]
    blended = drawn[:rows, :columns] * (1 - alpha) + rgba[..., :3] * alpha
    drawn[:rows, :columns] = np.rint(blended).astype(np.uint8)
