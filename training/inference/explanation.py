"""What an explanation is, apart from how it was made: a map, what it is a map of, and the words that belong to it.

Class activation maps made fit to be shown.

Weak labels: an explanation becomes boxes, as suggestions that a reader accepts or rejects (light: numpy and cv2).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from training.texts import Text
from training.video.field_of_view import FieldOfView, paste_map

Method = Literal["cam", "score-cam", "quick", "prior-grid"]
METHODS: tuple[Method, ...] = get_args(Method)
TITLES: Mapping[str, str] = {
    "cam": "CAM",
    "score-cam": "Score-CAM",
    "quick": "Score-CAM, quick form",
    "prior-grid": "Likeness to the prior view",
}
SOURCES: Mapping[str, str] = {
    "cam": "Zhou 2016; Laiz 2020, eq. 7",
    "score-cam": "Wang 2020",
    "quick": "after Wang 2020, fewer channels",
    "prior-grid": "after Vats 2022, windows against z_p",
}
LAYERS = ("layer1", "layer2", "layer3", "layer4")
LAST_LAYER = LAYERS[-1]
NOT_MEASURED = "How close this estimate is to the exact Score-CAM was not measured for this network, layer or target."
LEAST_PX = 224
"""Of a prepared frame's side for the prior grid: below, a window has too few pixels to be enlarged."""
SIMILARITY = "similarity"
"""Stands for a class's name where the score is the likeness to the frame's own embedding."""


@dataclass(frozen=True)
class Explanation:
    """Where in one frame a model saw what it says; the map says *where*, never *how much* (that is the score)."""

    method: Method
    class_name: str
    """The class that is explained, or `SIMILARITY`."""
    model_id: str
    layer: str
    """Whose feature map the map is made of."""
    map: NDArray[np.float32] = field(repr=False)
    """(h, w) in [0, 1] over the prepared square; 1 is the frame's strongest evidence, all 0 where there is none."""
    field_of_view: FieldOfView
    """The one that the frame was prepared with."""
    scores: Mapping[str, float]
    """Every class's score in [0, 1]; empty where the model has no classes."""
    agreement: float | None = None
    """Correlation with the exact Score-CAM that this kind of map had on a test set; None where it is exact itself."""
    note: str = ""
    """A sentence, or several, that belongs beside the picture, or ""."""

    @property
    def title(self) -> str:
        """What stands in the picture's corner: method, what is explained, layer where it is not the last, model."""
        layer = "" if self.layer == LAST_LAYER else f" at {self.layer}"
        return Text(
            "{title}{layer}: {class_name} (model {model_id})",
            TITLES[self.method],
            layer,
            self.class_name,
            self.model_id,
        )

    @property
    def is_exact(self) -> bool:
        """False for a quick form."""
        return self.agreement is None

    @property
    def has_evidence(self) -> bool:
        """False where nothing speaks for the class, and the map is all 0."""
        return bool(self.map.any())

    def overlay(self, height: int, width: int) -> NDArray[np.float32]:
        """(height, width) in [0, 1] over the study's frame: bilinear, 0 outside the field of view."""
        return paste_map(self.map, self.field_of_view, height, width)

    def to_json(self) -> dict[str, Any]:
        """All but the map, as JSON values."""
        facts = {name: value for name, value in vars(self).items() if name != "map"}
        return facts | {"field_of_view": self.field_of_view.to_json(), "scores": dict(self.scores)}

    @staticmethod
    def from_json(values: Mapping[str, Any], class_map: NDArray[np.float32]) -> "Explanation":
        """The explanation of `to_json`'s facts and its overlay (h, w)."""
        view = FieldOfView.from_json(values["field_of_view"])
        return Explanation(**{**values, "field_of_view": view, "map": class_map})


def normalise_cam(cam: NDArray[np.floating]) -> NDArray[np.float32]:
    """A raw map (h, w) made fit to be shown: in [0, 1], by the frame's own range above zero.

    0 is "speaks not for the class" (all negative evidence), 1 the frame's strongest evidence for it. Each frame has its
    own range, so the map says *where*, never *how much*: that is what the score beside it is for. A map with nothing
    above zero, or of a missing frame (NaN), is all 0.
    """
    positive = np.nan_to_num(np.maximum(cam.astype(np.float32), 0))
    peak = positive.max(initial=0)
    return np.asarray(positive / peak if peak > 0 else np.zeros_like(positive), np.float32)


def background(class_map: NDArray[np.floating], method: Method, field_of_view: FieldOfView) -> float:
    """The value of a map (h, w) up to which it shows no evidence (ours).

    A CAM has a zero: below, a cell speaks against the class. A Score-CAM has none. It is a mean of activations, which
    are seldom negative, so it is above zero on the whole frame; the likeness to the prior view is so, too. There the
    background is the median of the cells inside the field of view: half of the frame shows nothing, and the rest by
    how much it stands out. (The authors' own code of Score-CAM subtracts the minimum.)

    Args:
        class_map: over the prepared square, at least 1 x 1; NaN counts as 0.
        method: how the map was made.
        field_of_view: the one that the frame was prepared with.
    """
    if method == "cam":
        return 0.0
    inside = class_map[cells_inside(field_of_view, *class_map.shape)]
    return max(0.0, float(np.median(np.nan_to_num(inside.astype(np.float32))))) if inside.size else 0.0


def cells_inside(view: FieldOfView, height: int, width: int) -> NDArray[np.bool_]:
    """(height, width) bool: the cells over the prepared square whose centres lie inside the field of view."""
    x_min, y_min, side = view.box
    rows = np.floor(y_min + (np.arange(height) + 0.5) * side / height).astype(int)
    columns = np.floor(x_min + (np.arange(width) + 0.5) * side / width).astype(int)
    mask = view.mask(view.height_px, view.width_px)
    is_row, is_column = (rows >= 0) & (rows < view.height_px), (columns >= 0) & (columns < view.width_px)
    inside = np.zeros((height, width), bool)
    inside[np.ix_(is_row, is_column)] = mask[np.ix_(rows[is_row], columns[is_column])]
    return inside


LEAST_CONTRAST = 0.05
"""Of a map's maximum over its background, as a share of the maximum (ours): below, nothing stands out."""


def above(class_map: NDArray[np.floating], floor: float, full_scale: float | None = None) -> NDArray[np.float32]:
    """A raw map (h, w) in [0, 1]: 0 up to `floor`, 1 at `full_scale` (None: the map's maximum) and above.

    All 0 where nothing stands out: nothing is above zero, or the maximum is less than `LEAST_CONTRAST` above `floor`.
    """
    positive = np.nan_to_num(np.maximum(class_map.astype(np.float32), 0), nan=0.0)
    largest = float(positive.max(initial=0)) if full_scale is None else full_scale
    if largest <= 0 or largest - floor < LEAST_CONTRAST * largest:
        return np.zeros_like(positive)
    risen = np.maximum(positive - np.float32(floor), 0) / np.float32(largest - floor)
    return np.asarray(np.minimum(risen, 1), np.float32)


THRESHOLD = 0.5
"""Share of the map's own maximum from which a pixel belongs to a box."""
MOST_BOXES = 3
LEAST_SHARE = 0.001
"""Share of the frame below which a component is a speck."""


class WeakBox(NamedTuple):
    """A suggested box in pixels of the frame: corners of pixels, so that x_max - x_min is its width."""

    x_min: float
    y_min: float
    x_max: float
    y_max: float
    strength: float
    """Mean of the map over the component, in [threshold, 1]: says how clear, not how likely."""
    area_px: int
    """Pixels of the component, at most those of the box."""

    @property
    def corners(self) -> tuple[float, float, float, float]:
        """(x_min, y_min, x_max, y_max)."""
        return self.x_min, self.y_min, self.x_max, self.y_max


def weak_boxes(
    overlay: NDArray[np.floating],
    *,
    threshold: float = THRESHOLD,
    most: int = MOST_BOXES,
    least_share: float = LEAST_SHARE,
) -> tuple[WeakBox, ...]:
    """Map -> threshold -> largest 8-connected components -> boxes around them.

    Zhou et al. 2016 (section 3.2) take the box around the largest component of what is above 20 % of the map's
    maximum. Vats et al. call what Score-CAM shows a weak label and leave threshold and number open; 50 %, three boxes
    and the bound on specks are ours.

    Args:
        overlay: (H, W) over the frame in [0, 1], scaled to its own maximum, 0 outside the field of view; NaN counts
            as 0.
        threshold: in (0, 1]; pixels at and above it belong to a component.
        most: boxes at most, >= 1.
        least_share: components that cover less than this share of the H x W pixels are left out, in [0, 1].

    Returns:
        Boxes, the largest component first; of equal ones the upper (then left) one. Empty where nothing is explained.

    Raises:
        ValueError: not a map, or a setting out of range.
    """
    if overlay.ndim != 2 or not 0 < threshold <= 1 or most < 1 or not 0 <= least_share <= 1:
        raise ValueError(f"no weak labels of a map {overlay.shape} with {threshold=}, {most=}, {least_share=}")
    import cv2

    strength = np.nan_to_num(overlay.astype(np.float32))
    count, numbers, stats, _ = cv2.connectedComponentsWithStats(
        (strength >= threshold).astype(np.uint8), connectivity=8
    )
    sums = np.bincount(numbers.ravel(), weights=strength.ravel(), minlength=count)
    result = []
    for (left, top, width, height, area), total in zip(stats[1:].tolist(), sums[1:].tolist(), strict=True):
        if area >= least_share * overlay.size:
            corners = float(left), float(top), float(left + width), float(top + height)
            result.append(WeakBox(*corners, total / area, area))
    result.sort(key=lambda box: (-box.area_px, box.y_min, box.x_min))
    return tuple(result[:most])
