"""What an explanation of a frame is asked: where a class was seen, or, without classes, what makes it like itself."""

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from training.inference.explain_target import TEMPERATURE, ModelOutput, Target
from training.inference.explained_class import target_of
from training.inference.explained_model import ExplainedModel
from training.inference.explanation import SIMILARITY


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
        with torch.inference_mode():
            output = self.model.output(self.model.exact.features(self.model.normalised(prepared)))
        if not self.model.classes:
            return Question(SIMILARITY, None, target_of(self.model, output, SIMILARITY), 1.0, False)
        scores = self.model.scores(output)
        column, target = self.model.classes.index(class_name), target_of(self.model, output, class_name)
        return Question(class_name, column, target, scores[class_name], scores[class_name] >= max(scores.values()))

    def scores(self, question: Question, frames: NDArray[np.uint8]) -> NDArray[np.float32]:
        """(B,) of (B, S, S, 3): the class's score, or the likeness (a cosine) to the frame that was asked about."""
        size, parts = self.model.plan.batch, []
        with torch.inference_mode():
            for first in range(0, len(frames), size):
                images = torch.cat([self.model.normalised(frame) for frame in frames[first : first + size]])
                parts.append(_score(question, self.model.output(self.model.fast.features(images))).cpu().numpy())
        return np.concatenate(parts)


def _score(question: Question, output: ModelOutput) -> torch.Tensor:
    if question.column is None:
        return question.target(output) * TEMPERATURE
    assert output.logits is not None
    return output.logits.float().softmax(1)[:, question.column]
