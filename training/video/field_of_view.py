"""Where in a capsule's frames the tissue is: a circle, a square with cut corners, or the whole frame.

Finding a study's field of view from its own frames.

From a study's frame to what a model sees, and from a model's map back onto the frame.
"""

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from training.texts import Text
from training.video.source import FrameMissing, FrameSource

Kind = Literal["circle", "octagon", "full"]
MAX_SIDE_PX = 1 << 16


@dataclass(frozen=True)
class FieldOfView:
    """The field of view of a study, in pixels of its frames; pixel centres lie at whole numbers."""

    kind: Kind
    width_px: int
    """Of the study's frames."""
    height_px: int
    """Of the study's frames."""
    centre: tuple[float, float] = (0.0, 0.0)
    """(x, y) of a circle."""
    radius: float = 0.0
    """Of a circle."""
    polygon: tuple[tuple[float, float], ...] = ()
    """(x, y) corners of an octagon, clockwise; empty otherwise."""

    def __post_init__(self) -> None:
        if self.width_px < 1 or self.height_px < 1:
            raise ValueError(
                Text("a field of view needs a frame, not {width_px} x {height_px} px", self.width_px, self.height_px)
            )
        if self.kind == "circle" and self.radius <= 0:
            raise ValueError(Text("a round field of view needs a radius, not {radius}", self.radius))
        if self.kind == "octagon" and len(self.polygon) < 3:
            raise ValueError(Text("a field of view with {count} corners has no area", len(self.polygon)))

    @property
    def box(self) -> tuple[int, int, int]:
        """(x_min, y_min, side): the smallest square around the field of view; it may reach beyond the frame."""
        x_min, y_min, x_max, y_max = self._bounds()
        side = max(int(np.ceil(max(x_max - x_min, y_max - y_min))), 1)
        return round((x_min + x_max - side) / 2), round((y_min + y_max - side) / 2), side

    def _bounds(self) -> tuple[float, float, float, float]:
        """Half-open bounds in pixels, kept inside the frame."""
        x_min, y_min, x_max, y_max = 0.0, 0.0, float(self.width_px), float(self.height_px)
        if self.kind == "circle":
            (x, y), r = self.centre, self.radius
            x_min, y_min, x_max, y_max = x - r, y - r, x + r + 1, y + r + 1
        elif self.kind == "octagon":
            xs, ys = [x for x, _ in self.polygon], [y for _, y in self.polygon]
            x_min, y_min, x_max, y_max = min(xs), min(ys), max(xs) + 1, max(ys) + 1
        return max(x_min, 0.0), max(y_min, 0.0), min(x_max, self.width_px), min(y_max, self.height_px)

    def mask(self, height: int, width: int) -> NDArray[np.bool_]:
        """(height, width) bool, True inside; scaled where the frame is not of the study's size. Read-only."""
        return _mask(self, height, width)

    def to_json(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self) | {"centre": list(self.centre), "polygon": [list(corner) for corner in self.polygon]}

    @staticmethod
    def from_json(values: dict[str, Any]) -> "FieldOfView":
        """From what `to_json` gave; raises `ValueError` for anything else."""
        try:
            x, y = values["centre"]
            corners = tuple((float(corner[0]), float(corner[1])) for corner in values["polygon"])
            view = FieldOfView(**values | {"centre": (float(x), float(y)), "polygon": corners})
            sizes_fit = all(type(side) is int and side <= MAX_SIDE_PX for side in (view.width_px, view.height_px))
            numbers_fit = all(math.isfinite(value) for value in (*sum(corners, view.centre), float(view.radius)))
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError) as error:
            raise ValueError("its field of view is damaged") from error
        if not (sizes_fit and numbers_fit and view.kind in get_args(Kind)):
            raise ValueError("its field of view is damaged")
        return view

    @staticmethod
    def full(height: int, width: int) -> "FieldOfView":
        """The whole frame."""
        return FieldOfView("full", width, height)


@lru_cache(maxsize=32)
def _mask(view: FieldOfView, height: int, width: int) -> NDArray[np.bool_]:
    inside = np.ones((height, width), bool)
    # Centres of the pixels of this frame, in the study's pixels.
    x = (np.arange(width) + 0.5) * view.width_px / width - 0.5
    y = (np.arange(height)[:, None] + 0.5) * view.height_px / height - 0.5
    if view.kind == "circle":
        inside = (x - view.centre[0]) ** 2 + (y - view.centre[1]) ** 2 <= view.radius**2
    elif view.kind == "octagon":
        # Convex and clockwise (y points down): inside is to the right of every side.
        for (x0, y0), (x1, y1) in zip(view.polygon, (*view.polygon[1:], view.polygon[0]), strict=True):
            inside &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) >= -1e-6
    inside.flags.writeable = False
    return inside


_SAMPLES = 48
_BRIGHT_PERCENTILE = 80  # a box or a word that is drawn into the corner of some frames stays below it
_SMALLEST_SHARE = 0.15  # of the frame; a field of view that would be smaller was not seen, the frames are too dark
_FULL_SHARE = 0.985
_STROKE_SHARE = 0.04  # of the shorter side: what is thinner is writing, not tissue
_LARGEST_KERNEL = 45  # px; with larger ones OpenCV's opening takes seconds (14 s for a frame of 4096 x 4096)
_EDGE_PX = 2.5  # nearer to the frame's edge the outline is cut off by the frame, and says nothing of the shape

_DIRECTIONS = np.array([(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)], np.float64)

Outline = NDArray[np.float64]


def study_field_of_view(source: FrameSource, samples: int = _SAMPLES) -> FieldOfView:
    """The field of view of a study, from up to `samples` key frames spread over it; the whole frame if none decodes."""
    keys = np.flatnonzero(source.index.is_key)
    keys = keys if len(keys) else np.arange(len(source))
    pictures = []
    for place in np.unique(np.linspace(0, len(keys) - 1, samples).round().astype(int)).tolist():
        try:
            pictures.append(source.read(int(keys[place])))
        except FrameMissing:
            continue
    return find_field_of_view(pictures) if pictures else FieldOfView.full(source.height_px, source.width_px)


def find_field_of_view(frames: Iterable[NDArray[np.uint8]]) -> FieldOfView:
    """The field of view that the frames of one study share.

    What is bright in at least a fifth of the frames is tissue; writing outside is too thin or stands apart. Around what
    remains both a circle and a square with cut corners are drawn, and the one that fits better is taken.

    Raises:
        ValueError: there are no frames, or they differ in size.
    """
    bright = [np.maximum(np.maximum(frame[..., 0], frame[..., 1]), frame[..., 2]) for frame in frames]
    if not bright:
        raise ValueError("a field of view cannot be found from no frames")
    if len({picture.shape for picture in bright}) > 1:
        raise ValueError(f"frames of one study have one size, not {sorted({picture.shape for picture in bright})}")
    lit = _lit(bright)
    height, width = lit.shape
    outline = _outline(lit)
    if outline is None:
        return FieldOfView.full(height, width)
    filled = _filled(outline, height, width)
    if filled.mean() >= _FULL_SHARE:
        return FieldOfView.full(height, width)
    candidates = [_circle(outline, height, width), _octagon(outline, height, width)]
    views = [view for view in candidates if view is not None]

    def overlap(view: FieldOfView) -> float:
        """Intersection over union."""
        mask = view.mask(height, width)
        return float((mask & filled).sum() / max((mask | filled).sum(), 1))

    return max(views, key=overlap, default=FieldOfView.full(height, width))


def _lit(bright: list[NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """(H, W) uint8, how bright each pixel is in the brighter frames."""
    keep = min(round(len(bright) * _BRIGHT_PERCENTILE / 100), len(bright) - 1)
    # The brightest values of each pixel, descending: a twentieth of the time of a partition along the first axis.
    brightest = np.zeros((len(bright) - keep, *bright[0].shape), np.uint8)
    for picture in bright:
        rest = picture
        for level in brightest:
            rest, level[:] = np.minimum(level, rest), np.maximum(level, rest)
    return np.asarray(brightest[-1])


def _outline(lit: NDArray[np.uint8]) -> Outline | None:
    """(K, 2) convex outline (x, y) of the largest lit part; None where too little is lit."""
    import cv2

    threshold = float(np.clip(0.15 * np.percentile(lit, 90), 10, 40))
    mask = (lit > threshold).astype(np.uint8)
    stroke = max(3, round(min(lit.shape) * _STROKE_SHARE)) | 1
    # The frame is continued outwards, so that a view that touches its edge keeps its shape there.
    padded = np.pad(mask, stroke, mode="edge")
    opened = _opened(padded, stroke)[stroke:-stroke, stroke:-stroke]
    count, labels, stats, _ = cv2.connectedComponentsWithStats(np.ascontiguousarray(opened))
    if count < 2:
        return None
    largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    points = np.argwhere(labels == largest)[:, ::-1].astype(np.int32)
    hull = cv2.convexHull(points).reshape(-1, 2)
    if len(hull) < 3 or cv2.contourArea(hull) < _SMALLEST_SHARE * lit.size:
        return None
    return np.asarray(hull, np.float64)


def _opened(mask: NDArray[np.uint8], stroke: int) -> NDArray[np.uint8]:
    """What is left of a mask (0 and 1) after opening it by a disc of `stroke` px; parts that are thinner disappear."""
    import cv2

    if stroke <= _LARGEST_KERNEL:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (stroke, stroke))
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8)
    eroded = cv2.distanceTransform(mask, cv2.DIST_L2, cv2.DIST_MASK_PRECISE) > stroke // 2
    apart = cv2.distanceTransform((~eroded).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return (apart <= stroke // 2).astype(np.uint8)


def _filled(outline: Outline, height: int, width: int) -> NDArray[np.bool_]:
    import cv2

    canvas = np.zeros((height, width), np.uint8)
    cv2.fillConvexPoly(canvas, outline.round().astype(np.int32), 1)
    return canvas.astype(bool)


def _circle(outline: Outline, height: int, width: int) -> FieldOfView | None:
    """Least squares (Kasa 1976) on the outline where the frame does not cut it off; outliers are dropped twice."""
    import cv2

    drawn = np.zeros((height, width), np.uint8)
    cv2.polylines(drawn, [outline.round().astype(np.int32)], True, 1)
    points = np.argwhere(drawn)[:, ::-1].astype(np.float64)
    limit = np.array([width, height]) - 1 - _EDGE_PX
    points = points[((points > _EDGE_PX) & (points < limit)).all(axis=1)]
    for _ in range(3):
        if len(points) < 8:
            return None
        system = np.column_stack([points, np.ones(len(points))])
        solution, *_ = np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)
        centre = solution[:2] / 2
        radius = float(np.sqrt(max(solution[2] + centre @ centre, 1e-6)))
        off = np.abs(np.hypot(*(points - centre).T) - radius)
        points = points[off <= max(2.0, 2.5 * float(np.median(off)))]
    if radius > max(height, width):
        return None
    return FieldOfView("circle", width, height, (float(centre[0]), float(centre[1])), radius)


def _octagon(outline: Outline, height: int, width: int) -> FieldOfView | None:
    """The smallest octagon with upright, level and diagonal sides around the outline."""
    reach = (_DIRECTIONS @ outline.T).max(axis=1)
    corners = []
    for side in range(8):
        pair = [side, (side + 1) % 8]
        corners.append(np.linalg.solve(_DIRECTIONS[pair], reach[pair]))
    polygon = tuple((float(x), float(y)) for x, y in corners)
    return FieldOfView("octagon", width, height, polygon=polygon)


def prepare_frame(frame: NDArray[np.uint8], field_of_view: FieldOfView, size: int) -> NDArray[np.uint8]:
    """The preprocessing of all models: zeros outside the field of view, cut to its box, scaled by area to `size`.

    On a frame of another size than the study's the field of view is scaled along.
    """
    import cv2

    height, width = frame.shape[:2]
    x_min, y_min, side = _scaled_box(field_of_view, height, width)
    left, top = max(x_min, 0), max(y_min, 0)
    right, bottom = min(x_min + side, width), min(y_min + side, height)
    square = np.zeros((side, side, 3), np.uint8)
    inside = _mask_bytes(field_of_view, height, width)[top:bottom, left:right]
    cv2.copyTo(
        frame[top:bottom, left:right], inside, square[top - y_min : bottom - y_min, left - x_min : right - x_min]
    )
    if side == size:
        return square
    if side < size:
        return np.asarray(cv2.resize(square, (size, size), interpolation=cv2.INTER_LINEAR), np.uint8)
    if side % size:  # OpenCV averages in float32 whatever it is given; converted by itself before, a third faster
        square = square.astype(np.float32)
    return np.asarray(cv2.convertScaleAbs(cv2.resize(square, (size, size), interpolation=cv2.INTER_AREA)), np.uint8)


def paste_map(
    class_map: NDArray[np.floating], field_of_view: FieldOfView, height: int, width: int
) -> NDArray[np.float32]:
    """Lay a model's small map back over the frame: the inverse of the geometry of `prepare_frame`.

    (height, width) float32, bilinear inside the field of view, 0 outside.
    """
    import cv2

    x_min, y_min, side = _scaled_box(field_of_view, height, width)
    left, top = max(x_min, 0), max(y_min, 0)
    right, bottom = min(x_min + side, width), min(y_min + side, height)
    square = cv2.resize(class_map.astype(np.float32), (side, side), interpolation=cv2.INTER_LINEAR)
    out = np.zeros((height, width), np.float32)
    out[top:bottom, left:right] = square[top - y_min : bottom - y_min, left - x_min : right - x_min]
    out[~field_of_view.mask(height, width)] = 0
    return out


@lru_cache(maxsize=32)
def _scaled_box(view: FieldOfView, height: int, width: int) -> tuple[int, int, int]:
    x_min, y_min, side = view.box
    across, down = width / view.width_px, height / view.height_px
    return round(x_min * across), round(y_min * down), max(round(side * max(across, down)), 1)


@lru_cache(maxsize=32)
def _mask_bytes(view: FieldOfView, height: int, width: int) -> NDArray[np.uint8]:
    return view.mask(height, width).astype(np.uint8)
