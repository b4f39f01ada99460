"""The frames that explanations are evaluated on: labelled images with boxes drawn by a person, and a sample of them.

The sample is explained the slow way: a seeded draw, from all frames or from each labelled kind in turn.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, model_validator

from training.datasets.findings import Coordinate
from training.datasets.image_set import ImageSet
from training.datasets.table import TableRow, read_rows
from training.errors import UserError
from training.experiments.explanations.config import SampleBy
from training.runs.reporter import Reporter
from training.video import FieldOfView, prepare_frame

BOX_COLUMNS = ("filename", "x_min", "y_min", "x_max", "y_max")


class ImageBox(TableRow):
    """One row of the boxes' CSV: px from the image's upper left corner."""

    filename: str = Field(min_length=1)
    x_min: Coordinate
    y_min: Coordinate
    x_max: Coordinate
    y_max: Coordinate

    @model_validator(mode="after")
    def _check_order(self) -> "ImageBox":
        if not (self.x_min < self.x_max and self.y_min < self.y_max):
            raise ValueError("a box needs x_min < x_max and y_min < y_max")
        return self


class _Grouped(TableRow):
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
    for row in read_rows(path, ImageBox, BOX_COLUMNS):
        result.setdefault(row.filename, []).append((row.x_min, row.y_min, row.x_max, row.y_max))
    if not result:
        raise UserError(f"{path} holds no boxes.", f"Its lines are {','.join(BOX_COLUMNS)}.")
    return {name: np.array(boxes, dtype=np.float64) for name, boxes in result.items()}


def names_groups(labels: Path) -> bool:
    """Whether any image of the labels' CSV names a group; without groups each image is evaluated on its own."""
    return any(row.group for row in read_rows(labels, _Grouped, ("filename",)))


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
    """Rows without replacement, in the order in which they were drawn.

    By frames each frame is as likely as any other, so a kind of low prevalence hardly enters. By kinds every kind gives
    one frame after the other in turn, so that each has the same number as far as there are (ours).

    Args:
        rows: (m,) of the labelled images that may be drawn.
        labels: (M,) of every labelled image, indexed by row.
        count: frames to draw; fewer where there are not as many.
        by: what the draw goes by.
        seed: of the draw; with one kind both draws are the same.
    """
    drawn = np.random.default_rng([seed, 5]).permutation(rows)
    if by == "kinds":  # the first of every label, then the second, and so on; in each round the rarest label first
        _, number, counts = np.unique(labels[drawn], return_inverse=True, return_counts=True)
        turn = np.zeros(len(drawn), np.int64)
        for label in range(len(counts)):
            turn[number == label] = np.arange(counts[label])
        drawn = drawn[np.lexsort((number, counts[number], turn))]
    return np.asarray(drawn[:count], np.int64)
