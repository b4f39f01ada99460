"""The ways of explaining that are judged, all alike: a frame and a class become a map. Two of them know nothing."""

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray

from training.explanations.config import EvaluateExplanationsConfig, Kind
from training.inference.cam import class_activation_maps
from training.inference.explain_target import class_logit
from training.inference.explained_model import ExplainedModel
from training.inference.score_cam import score_cam
from training.inference.score_cam_quick import quick_score_cam
from training.models.config import STRIDE
from training.runs.reporter import Reporter, SilentReporter

Explainer = Callable[[NDArray[np.uint8], int, int], NDArray[np.float32]]
"""Prepared frame (S, S, 3), column of the class, number of the frame -> map (h, w); what speaks for nothing is <= 0."""


def make_explainer(
    kind: Kind, config: EvaluateExplanationsConfig, model: ExplainedModel, reporter: Reporter
) -> Explainer:
    """The explainer of a name; `center` and `random` never look at the frame, and say what any map would score."""
    if kind == "center":
        return lambda prepared, column, number: central_map(len(prepared))
    if kind == "random":
        return lambda prepared, column, number: random_map(len(prepared), config.seed, number)
    if kind == "cam":
        return lambda prepared, column, number: _cam(model, prepared, column)
    unhurried = CancelOnly(reporter)
    explain = score_cam if kind == "score-cam" else quick_score_cam
    return lambda prepared, column, number: (
        explain(model, prepared, class_logit(column), layer=config.layer, reporter=unhurried).map
    )


class CancelOnly(SilentReporter):
    """Lets a cancel through and nothing else: a stop waits for the frame, whose map would be lost, to be finished."""

    def __init__(self, inner: Reporter) -> None:
        self._inner = inner

    def check(self) -> None:
        """Raise `Cancelled` if the one who listens asked for it."""
        self._inner.check()


def central_map(size: int) -> NDArray[np.float32]:
    """(size, size): 1 at the centre of the field of view, falling in a straight line to 0 in its corners.

    Lesions lie near the middle of pictures more often than not, because whoever chose the picture looked at them: a map
    that is no better than this has learned nothing about the frame.
    """
    across = (np.arange(size) + 0.5) / size * 2 - 1
    return np.asarray(1 - np.hypot(across, across[:, None]) / np.sqrt(2), np.float32)


def random_map(size: int, seed: int, number: int) -> NDArray[np.float32]:
    """A map of the resolution of a CAM with every value drawn from [0, 1); the same for the same frame and seed."""
    side = -(-size // STRIDE)
    return np.random.default_rng([seed, number, 4]).random((side, side), dtype=np.float32)


def _cam(model: ExplainedModel, prepared: NDArray[np.uint8], column: int) -> NDArray[np.float32]:
    assert model.cam_weight is not None
    with torch.inference_mode():
        features = model.exact.features(model.normalised(prepared))
        cam = class_activation_maps(features, model.cam_weight[column][None])[0, 0]
    return np.asarray(cam.cpu().numpy(), np.float32)
