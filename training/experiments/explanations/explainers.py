"""The explanations that are evaluated: functions from a frame and a question to an overlay. Some use no model."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.experiments.explanations.boxed_frames import BoxedFrame
from training.experiments.explanations.config import EvaluateExplanationsConfig, Way
from training.inference.engine import ModelOutput, softmax
from training.inference.explained_model import TEMPERATURE, ExplainedModel, Target, target_of
from training.inference.explanation import SIMILARITY
from training.inference.prior_grid import prior_grid_of
from training.inference.score_cam import quick_score_cam, score_cam
from training.models.config import STRIDE
from training.runs.reporter import Reporter, SilentReporter
from training.transforms.prior_view import RIM_SHARE, a_star, search_area


class Question(NamedTuple):
    """One frame's."""

    name: str
    """Of the class, or `SIMILARITY`."""
    column: int | None
    """Of the class; None for the similarity."""
    target: Target
    """What a Score-CAM asks."""
    score: float
    """Of the whole frame: the class's in [0, 1], or its likeness to itself, which is 1."""
    is_recognised: bool
    """No class has a higher score; of the similarity nothing can be said, and it is False."""


class Questioner:
    """A model that is asked the same of many inputs, a batch at a time."""

    def __init__(self, model: ExplainedModel) -> None:
        self.model = model

    def question(self, prepared: NDArray[np.uint8], class_name: str) -> Question:
        """What is asked of a frame (S, S, 3) that is labelled `class_name`."""
        output = self.model.look(prepared).output
        if not self.model.classes:
            return Question(SIMILARITY, None, target_of(self.model, prepared, output, SIMILARITY), 1.0, False)
        scores = self.model.scores(output)
        column, target = self.model.classes.index(class_name), target_of(self.model, prepared, output, class_name)
        return Question(class_name, column, target, scores[class_name], scores[class_name] >= max(scores.values()))

    def scores(self, question: Question, frames: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(B,) of (B, S, S, 3): the class's score, or the likeness (a cosine) to the frame that was asked about."""
        size, parts = self.model.plan.batch, []
        for first in range(0, len(frames), size):
            result = self.model.fast.run(frames[first : first + size])
            output = ModelOutput(result.embeddings, result.logits)
            if question.column is None:
                parts.append(np.asarray(question.target(output) * TEMPERATURE, np.float32))
            else:
                parts.append(softmax(output.logits)[:, question.column])
        return np.concatenate(parts)


Explainer = Callable[[BoxedFrame, Question], NDArray[np.float32]]
"""Frame and what to explain -> overlay (h, w) over the prepared square; no evidence is <= 0."""


def make_explainer(
    way: Way, config: EvaluateExplanationsConfig, model: ExplainedModel, reporter: Reporter
) -> Explainer:
    """The explainer of a name; `redness`, `center` and `random` use no model and serve as baselines.

    Raises:
        UserError: `prior-grid` of anything but a pretraining with a prior view.
    """
    if way == "center":
        return lambda boxed, question: central_overlay(len(boxed.prepared))
    if way == "random":
        return lambda boxed, question: random_overlay(len(boxed.prepared), config.seed, boxed.row)
    if way == "redness":
        return lambda boxed, question: redness_overlay(boxed)
    if way == "cam":

        def cam(boxed: BoxedFrame, question: Question) -> NDArray[np.float32]:
            assert question.column is not None
            return np.asarray(model.look(boxed.prepared).cams[question.column], np.float32)

        return cam
    unhurried = CancelOnly(reporter)
    if way == "prior-grid":
        grid = prior_grid_of(model)
        return lambda boxed, question: grid(boxed.prepared, boxed.view, unhurried)
    explain = score_cam if way == "score-cam" else quick_score_cam
    return lambda boxed, question: (
        explain(model, boxed.prepared, question.target, layer=config.layer, reporter=unhurried).map
    )


class CancelOnly(SilentReporter):
    """Passes on a cancel and nothing else: a stop waits until the frame is finished."""

    def __init__(self, inner: Reporter) -> None:
        self._inner = inner

    def check(self) -> None:
        """Raise `Cancelled` if it was requested."""
        self._inner.check()


def central_overlay(size: int) -> NDArray[np.float32]:
    """(size, size): 1 at the centre of the field of view, falling in a straight line to 0 in its corners.

    Lesions lie near the middle of pictures more often than not, because whoever chose the picture looked at them: an
    overlay that is no better than this shows nothing about the frame.
    """
    across = (np.arange(size) + 0.5) / size * 2 - 1
    return np.asarray(1 - np.hypot(across, across[:, None]) / np.sqrt(2), np.float32)


def random_overlay(size: int, seed: int, number: int) -> NDArray[np.float32]:
    """Values drawn from [0, 1) at the resolution of a CAM; the same for the same frame and seed."""
    side = -(-size // STRIDE)
    return np.random.default_rng([seed, number, 4]).random((side, side), dtype=np.float32)


def redness_overlay(boxed: BoxedFrame) -> NDArray[np.float32]:
    """(S, S): a* where it is positive, inside the field of view less its rim: the prior of Vats et al. 2022 by itself.

    Its maximum is the middle of the prior view, but for the size at which a pretraining looks for it.
    """
    inside = torch.from_numpy(boxed.inside_square)[None]
    frames = torch.from_numpy(boxed.prepared)[None]
    area = search_area(frames, inside, round(RIM_SHARE * len(boxed.prepared)))
    return np.asarray((a_star(frames).clamp_min(0) * area)[0].numpy(), np.float32)
