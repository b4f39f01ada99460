"""What a run got wrong on the frames that it held out: read from its scores, filtered and sorted; no Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from training.datasets.score_table import read_scores
from training.metrics.detector import threshold_at
from wce_desktop.core.annotation import NORMAL
from wce_desktop.library.run_files import SCORES
from wce_desktop.library.runs import Run

Kind = Literal["false positive", "false negative", "wrong class"]
Order = Literal["clearest", "score", "study"]
SPECIFICITY = 0.95
"""At and above the threshold for it, of the frames held out together, a frame counts as flagged; as in reports."""


@dataclass(frozen=True)
class FrameError:
    """A frame on which run and label differ.

    Attributes:
        kind: a normal frame that was flagged, one with a finding that was not, or one flagged as another class.
        labels: those the run was evaluated by.
        taken_for: the class with the highest score, normal excluded unless the frame was not flagged.
        score: of any finding, in [0, 1].
        margin: how far on the wrong side of the threshold, or for a wrong class by how much its score is the higher.
        image: its name in the folder of images that was evaluated; empty where the frame is of a study.
        file: the image, where it is not in the library.
    """

    study_id: str
    frame_index: int
    patient_id: str
    kind: Kind
    labels: tuple[str, ...]
    taken_for: str
    score: float
    margin: float
    image: str = ""
    file: Path | None = None

    @property
    def address(self) -> tuple[str, int]:
        """What a grid calls the frame: its study and number, or the path of an image that is not in the library."""
        return (str(self.file), 0) if self.file is not None else (self.study_id, self.frame_index)


def read_errors(run: Run) -> tuple[FrameError, ...]:
    """All errors of a run; raises `UserError` where its scores are damaged."""
    table = read_scores(run.folder / SCORES)
    track = 1 - table.scores[:, 0].astype(np.float64)
    normal = np.array([labels == (NORMAL,) for labels in table.labels], bool)
    threshold = np.full(len(track), np.inf)
    for fold in np.unique(table.fold):
        mine = table.fold == fold
        if (mine & normal).any():
            threshold[mine] = threshold_at(track[mine & normal], SPECIFICITY)
    best = 1 + table.scores[:, 1:].argmax(axis=1) if len(table.classes) > 1 else np.zeros(len(track), np.int64)
    errors = []
    for row, labels in enumerate(table.labels):
        flagged, name, score = track[row] >= threshold[row], table.classes[best[row]], float(track[row])
        margin, kind = abs(score - float(threshold[row])), None
        if normal[row] and flagged:
            kind = "false positive"
        elif not normal[row] and not flagged:
            kind, name = "false negative", NORMAL
        elif not normal[row] and name not in labels:
            kind = "wrong class"
            known = [table.classes.index(each) for each in labels if each in table.classes]
            margin = float(table.scores[row, best[row]] - max(table.scores[row, known], default=0.0))
        if kind is not None:
            place = table.study_ids[row], int(table.frame_index[row]), table.patients[row]
            errors.append(FrameError(*place, kind, labels, name, score, margin, table.filenames[row]))  # type: ignore[arg-type]
    return tuple(errors)


def chosen_errors(
    errors: Sequence[FrameError], kind: str, name: str, patient_id: str, order: Order
) -> list[FrameError]:
    """Those of a kind, with a class as label or as what they were taken for, of a patient; "" is any.

    Args:
        order: the clearest error first, the highest score first, or by study and time.
    """
    chosen = [
        error
        for error in errors
        if kind in ("", error.kind)
        and (not name or name in error.labels or name == error.taken_for)
        and patient_id in ("", error.patient_id)
    ]
    if order == "study":
        return sorted(chosen, key=lambda error: (error.study_id, error.frame_index))
    return sorted(chosen, key=lambda error: -(error.score if order == "score" else error.margin))
