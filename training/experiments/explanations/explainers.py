"""The explanations that are evaluated (overlays of a frame and a question; some use no model), and on which frames.

They are labelled images with boxes drawn by a person: a seeded draw, from all frames or from each labelled kind in
turn.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field, model_validator

from training.datasets import findings, table
from training.datasets.image_set import ImageSet
from training.errors import UserError
from training.experiments.explanations.config import EvaluateExplanationsConfig, SampleBy, Way
from training.inference import engine, prior_grid
from training.inference.explained_model import TEMPERATURE, ExplainedModel, Target, target_of
from training.inference.explanation import SIMILARITY
from training.inference.score_cam import quick_score_cam, score_cam
from training.models.config import OWN_STRIDE
from training.models.scores import scores_of
from training.runs.reporter import Reporter, SilentReporter
from training.transforms.prior_view import RIM_SHARE, a_star, search_area
from training.video import FieldOfView, prepare_frame

BOX_COLUMNS = ("filename", "x_min", "y_min", "x_max", "y_max")


class ImageBox(table.TableRow):
    """One row of the boxes' CSV: px from the image's upper left corner."""

    filename: str = Field(min_length=1)
    x_min: findings.Coordinate
    y_min: findings.Coordinate
    x_max: findings.Coordinate
    y_max: findings.Coordinate

    @model_validator(mode="after")
    def _check_order(self) -> "ImageBox":
        if not (self.x_min < self.x_max and self.y_min < self.y_max):
            raise ValueError("a box needs x_min < x_max and y_min < y_max")
        return self


class _Grouped(table.TableRow):
    """A row of the labels' CSV, as far as its group goes."""

    group: str = ""


@dataclass(frozen=True)
class BoxedFrame:
    """One frame to evaluate on, ready for the network."""

    filename: str
    row: int
    """Of the image set's labelled frames."""
    group: str
    class_name: str
    """As the image is labelled."""
    boxes: NDArray[np.float64]
    """(n, 4) in px of the image, n >= 1."""
    prepared: NDArray[np.uint8]
    """(S, S, 3)."""
    view: FieldOfView

    @property
    def inside(self) -> NDArray[np.bool_]:
        """(H, W) of the image: the field of view."""
        return self.view.mask(self.view.height_px, self.view.width_px)

    @property
    def inside_square(self) -> NDArray[np.bool_]:
        """(S, S): where the prepared square shows the field of view."""
        white = np.full((self.view.height_px, self.view.width_px, 3), 255, np.uint8)
        return prepare_frame(white, self.view, len(self.prepared))[..., 0] >= 128


def read_image_boxes(path: Path) -> dict[str, NDArray[np.float64]]:
    """Image -> its boxes (n, 4); raises `UserError` naming the line of a bad row, or where there is no row."""
    result: dict[str, list[tuple[float, float, float, float]]] = {}
    for row in table.read_rows(path, ImageBox, BOX_COLUMNS):
        result.setdefault(row.filename, []).append((row.x_min, row.y_min, row.x_max, row.y_max))
    if not result:
        raise UserError(f"{path} holds no boxes.", f"Its lines are {','.join(BOX_COLUMNS)}.")
    return {name: np.array(boxes, dtype=np.float64) for name, boxes in result.items()}


def names_groups(labels: Path) -> bool:
    """Whether any image of the labels' CSV names a group; without groups each image is evaluated on its own."""
    return any(row.group for row in table.read_rows(labels, _Grouped, ("filename",)))


def boxed_rows(images: ImageSet, boxes: dict[str, NDArray[np.float64]], reporter: Reporter) -> NDArray[np.int64]:
    """(m,) rows of the labelled images that have a box and show something, ascending; what is left out is said.

    Raises:
        UserError: no labelled image has a box.
    """
    frames = images.labelled
    names = [images.filenames[place] for place in frames.frame_index.tolist()]
    boxed = np.array([name in boxes for name in names], dtype=bool)
    unknown = sorted(boxes.keys() - set(names))
    if unknown:
        reporter.log(f"{len(unknown)} images with boxes are not among the labelled ones, such as {unknown[0]}.")
    if count := int((boxed & (frames.label == 0)).sum()):
        reporter.log(f"{count} images with boxes are labelled normal and are left out.")
    if count := int((~boxed & (frames.label > 0)).sum()):
        reporter.log(f"{count} images with a finding have no box and are left out.")
    rows = np.flatnonzero(boxed & (frames.label > 0))
    if not len(rows):
        raise UserError(
            f"No image with a finding has a box; the boxes name {next(iter(boxes))}.",
            "Check that labels and boxes belong to the same images.",
        )
    return rows


def boxed_frames(
    images: ImageSet, boxes: dict[str, NDArray[np.float64]], rows: NDArray[np.int64], size: int
) -> Iterator[BoxedFrame]:
    """The frames of `rows`, group by group; an image that cannot be read is left out.

    Each group's field of view is found from all its labelled images, as when training frames are prepared.
    """
    frames, wanted = images.labelled, set(rows.tolist())
    for study in np.unique(frames.study[rows]).tolist():
        for row, prepared, view in images.prepared(frames, np.flatnonzero(frames.study == study), size):
            if row in wanted:
                name = images.filenames[int(frames.frame_index[row])]
                if (boxes[name][:, 2:] > (view.width_px + 1, view.height_px + 1)).any():
                    raise UserError(
                        f"A box of the image {name} reaches beyond it ({view.width_px} x {view.height_px} px).",
                        "Check that the boxes belong to the images and are given in px of the image.",
                    )
                label = frames.classes[int(frames.label[row])]
                yield BoxedFrame(name, row, frames.studies[study].patient_id, label, boxes[name], prepared, view)


def draw_sample(
    rows: NDArray[np.int64], labels: NDArray[np.int64], count: int, by: SampleBy, seed: int
) -> NDArray[np.int64]:
    """Rows without replacement, in the order in which they were drawn; fewer than `count` where there are not as many.

    By frames each frame is as likely as any other, so a kind of low prevalence hardly enters. By kinds every kind gives
    one frame after the other in turn, so that each has the same number as far as there are (ours); with one kind both
    draws are the same. `labels` (M,) are those of every labelled image, indexed by row.
    """
    drawn = np.random.default_rng([seed, 5]).permutation(rows)
    if by == "kinds":  # the first of every label, then the second, and so on; in each round the rarest label first
        _, number, counts = np.unique(labels[drawn], return_inverse=True, return_counts=True)
        turn = np.zeros(len(drawn), np.int64)
        for label in range(len(counts)):
            turn[number == label] = np.arange(counts[label])
        drawn = drawn[np.lexsort((number, counts[number], turn))]
    return np.asarray(drawn[:count], np.int64)


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
            output = engine.ModelOutput(result.embeddings, result.logits)
            if question.column is None:
                parts.append(np.asarray(question.target(output) * TEMPERATURE, np.float32))
            else:
                parts.append(scores_of(output.logits, self.model.fast.network.scores)[:, question.column])
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
        grid = prior_grid.prior_grid_of(model)
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
    side = -(-size // OWN_STRIDE)
    return np.random.default_rng([seed, number, 4]).random((side, side), dtype=np.float32)


def redness_overlay(boxed: BoxedFrame) -> NDArray[np.float32]:
    """(S, S): a* where it is positive, inside the field of view less its rim: the prior of Vats et al. 2022 by itself.

    Its maximum is the middle of the prior view, but for the size at which a pretraining looks for it.
    """
    inside = torch.from_numpy(boxed.inside_square)[None]
    frames = torch.from_numpy(boxed.prepared)[None]
    area = search_area(frames, inside, round(RIM_SHARE * len(boxed.prepared)))
    return np.asarray((a_star(frames).clamp_min(0) * area)[0].numpy(), np.float32)
