"""What an explanation is, apart from how it was made: a map, what it is a map of, and the words that belong to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from training.texts import Text
from training.video.field_of_view import FieldOfView
from training.video.preparing import paste_map

Method = Literal["cam", "score-cam", "quick", "prior-grid"]
METHODS: tuple[Method, ...] = ("cam", "score-cam", "quick", "prior-grid")
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
        return {
            "method": self.method,
            "class_name": self.class_name,
            "model_id": self.model_id,
            "layer": self.layer,
            "field_of_view": self.field_of_view.to_json(),
            "scores": dict(self.scores),
            "agreement": self.agreement,
            "note": self.note,
        }

    @staticmethod
    def from_json(values: Mapping[str, Any], class_map: NDArray[np.float32]) -> "Explanation":
        """The explanation of `to_json`'s facts and its overlay (h, w)."""
        view = FieldOfView.from_json(values["field_of_view"])
        return Explanation(**{**values, "field_of_view": view, "map": class_map})
