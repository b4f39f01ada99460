"""The pixels of labelled frames: decoded once, prepared once, kept as uint8 in memory or in a mapped file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import BoxRow, check_boxes
from training.datasets.labelled_frames import LabelledFrames
from training.errors import UserError
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import FieldOfView, prepare_frame, study_field_of_view

NEAR_FRAMES = 12
"""Wanted frames up to this far apart are decoded in one go: a seek costs about as many decodes."""


@dataclass(frozen=True)
class FrameStore:
    """Prepared frames that could be read, with their labels."""

    labelled: LabelledFrames
    """M frames."""
    pixels: NDArray[np.uint8]
    """(M, S, S, 3) RGB; a mapped file where memory would not do."""
    is_round: NDArray[np.bool_]
    """(M,) whether the field of view is a circle."""
    boxes: NDArray[np.float32]
    """(M, 3) where the label is: centre x, y in [-1, 1] of the square, side as a share of its side; NaN: unknown."""

    def __len__(self) -> int:
        return len(self.labelled)

    def select(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> "FrameStore":
        """The frames of a mask (M,) or of indices, in that order."""
        return FrameStore(self.labelled.select(rows), self.pixels[rows], self.is_round[rows], self.boxes[rows])


def room_for(shape: tuple[int, ...], memory_bytes: int, spill: Path) -> NDArray[np.uint8]:
    """Zeros in memory, or above so many bytes in a mapped file `spill`, which the caller removes."""
    if int(np.prod(shape)) > memory_bytes:
        return np.memmap(spill, dtype=np.uint8, mode="w+", shape=shape)
    return np.zeros(shape, dtype=np.uint8)


def load_frames(
    labelled: LabelledFrames,
    size: int,
    memory_bytes: int,
    spill: Path,
    reporter: Reporter,
    what: str,
    boxes: Sequence[BoxRow] = (),
    *,
    optional: bool = False,
) -> FrameStore:
    """Decode and prepare frames, one study after the other.

    Args:
        labelled: which frames, sorted by study and time.
        size: side in px.
        memory_bytes: above this the pixels go to the file `spill` and are mapped.
        spill: path of that file; the caller removes it.
        reporter: receives progress, and the frames that cannot be decoded.
        what: names the work ("reading training frames").
        boxes: where labels are, in pixels of the studies; of a frame's boxes the first with its label counts.
        optional: frames that cannot be read are left out without a word, as with frames that nobody labelled.

    Raises:
        UserError: a study cannot be opened, none of a study's frames can be read, or a box lies beyond the frame.
    """
    pixels = room_for((len(labelled), size, size, 3), memory_bytes, spill)
    there = np.zeros(len(labelled), dtype=bool)
    is_round = np.zeros(len(labelled), dtype=bool)
    places = np.full((len(labelled), 3), np.nan, dtype=np.float32)
    box_of = {(box.study_id, box.frame_index, box.label): box for box in reversed(boxes)}
    done = 0
    for number in np.unique(labelled.study):
        rows = np.flatnonzero(labelled.study == number)
        study_id = labelled.studies[int(number)].study_id
        for row, picture, view in _read_study(labelled, rows, size):
            pixels[row] = picture
            if not there[rows].any():
                check_boxes(boxes, study_id, view.width_px, view.height_px)
            there[row], is_round[row] = True, view.kind == "circle"
            places[row] = _place(labelled, row, view, box_of)
            done += 1
            if done % 16 == 0:
                reporter.check()
                reporter.progress(done, len(labelled), "frames", what)
        if not optional:
            report_missing(labelled, rows, there, int(number), reporter)
    reporter.progress(len(labelled), len(labelled), "frames", what)
    store = FrameStore(labelled, pixels, is_round, places)
    return store if there.all() else store.select(there)


def read_frames(labelled: LabelledFrames, size: int, reporter: Reporter) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """The row and the pixels (S, S, 3) of each frame that can be read, one after the other; arguments: `load_frames`.

    Raises:
        UserError: a study cannot be opened, or none of a study's frames can be read.
    """
    there = np.zeros(len(labelled), dtype=bool)
    for number in np.unique(labelled.study):
        rows = np.flatnonzero(labelled.study == number)
        for row, picture, _ in _read_study(labelled, rows, size):
            there[row] = True
            yield row, picture
        report_missing(labelled, rows, there, int(number), reporter)


def _place(
    labelled: LabelledFrames, row: int, view: FieldOfView, box_of: Mapping[tuple[str, int, str], BoxRow]
) -> tuple[float, float, float]:
    """Centre and side of a frame's box in the prepared square; NaN where it has none."""
    study = labelled.studies[int(labelled.study[row])].study_id
    box = box_of.get((study, int(labelled.frame_index[row]), labelled.classes[int(labelled.label[row])]))
    if box is None:
        return np.nan, np.nan, np.nan
    left, top, side = view.box
    across, down = (box.x_min + box.x_max) / 2 - left, (box.y_min + box.y_max) / 2 - top
    longer = max(box.x_max - box.x_min, box.y_max - box.y_min)
    return 2 * across / side - 1, 2 * down / side - 1, longer / side


def _read_study(
    labelled: LabelledFrames, rows: NDArray[np.int64], size: int
) -> Iterator[tuple[int, NDArray[np.uint8], FieldOfView]]:
    """Read the rows of one study: each row that could be read, its pixels, and the study's field of view."""
    wanted = labelled.frame_index[rows]
    with labelled.studies[int(labelled.study[rows[0]])].open_source() as source:
        view = study_field_of_view(source)
        for stretch in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(wanted) > NEAR_FRAMES) + 1):
            rows_of: dict[int, list[int]] = {}
            for k in stretch.tolist():
                rows_of.setdefault(int(wanted[k]), []).append(int(rows[k]))
            for index, frame in source.iterate(int(wanted[stretch[0]]), int(wanted[stretch[-1]]) + 1):
                if index in rows_of and frame is not None:
                    picture = prepare_frame(frame, view, size)
                    for row in rows_of[index]:
                        yield row, picture, view


def report_missing(
    labelled: LabelledFrames, rows: NDArray[np.int64], there: NDArray[np.bool_], number: int, reporter: Reporter
) -> None:
    """Log which of these rows of one study could not be read; `UserError` if none could."""
    missing = rows[~there[rows]]
    if not len(missing):
        return
    study = labelled.studies[number]
    if len(missing) == len(rows):
        raise UserError(
            "None of the {count} labelled frames of study {study_id} can be read from {path}.",
            "Check the file, or remove its labels.",
            len(rows),
            study.study_id,
            study.path,
        )
    first = ", ".join(str(index) for index in labelled.frame_index[missing[:5]])
    reporter.log(
        Text(
            "{count} labelled frames of study {study_id} cannot be decoded and are left out: {first}",
            len(missing),
            study.study_id,
            first,
        )
    )
