"""Folds for cross-validation: by patient, every class in every fold; by frame only where there are no patients."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.labels import NORMAL
from training.errors import UserError
from training.texts import Text, count_text, join_texts

TRIES = 50
"""Shuffles tried until every class is in every fold; a few large patients can make most of them fail."""


@dataclass(frozen=True)
class Fold:
    """One part of a cross-validation."""

    number: int
    """From 0."""
    training: NDArray[np.int64]
    """Rows to learn from, ascending."""
    held_out: NDArray[np.int64]
    """Held-out rows, ascending."""
    training_patients: tuple[str, ...]
    held_out_patients: tuple[str, ...]

    def check(self, kind: Literal["patients", "random"]) -> None:
        """Raise `UserError` naming a patient on both sides."""
        shared = sorted(set(self.training_patients) & set(self.held_out_patients))
        if kind == "patients" and shared:
            raise UserError("The patient {shared} is on both sides of fold {number}.", "", shared[0], self.number + 1)


def make_folds(frames: LabelledFrames, folds: int, seed: int, kind: Literal["patients", "random"]) -> list[Fold]:
    """Stratified folds over all M frames; the same seed gives the same folds.

    scikit-learn's StratifiedGroupKFold fills folds greedily by the spread of the classes; of up to `TRIES` shuffles
    the first is taken in which every class is in every fold and is left to learn from (the retries are ours).

    Raises:
        UserError: fewer patients than folds, or no shuffle puts every class into every fold.
    """
    patients = frames.patients if kind == "patients" else frames.frame_number.astype(np.str_)
    _check_patients(frames, patients, folds)
    part, lacking = assign_folds(frames.label, patients, folds, seed)
    if lacking is None:
        return [_fold(frames, part, number, kind) for number in range(folds)]
    number, fold = lacking
    raise UserError(
        "The class {name} has no example in fold {number} of {folds}.",
        "Take fewer folds, label it in more patients, or leave the class out.",
        frames.classes[number],
        fold + 1,
        folds,
    )


def assign_folds(
    label: NDArray[np.int64], patients: NDArray[np.str_], folds: int, seed: int
) -> tuple[NDArray[np.int64], tuple[int, int] | None]:
    """(M,) fold of each frame, and a class with a fold that has no frame of it; None where every fold has every class.

    Args:
        label: (M,) classes from 0.
        patients: (M,)
        folds: at least 2.
        seed: of the shuffles.
    """
    for attempt in range(TRIES):
        part = _parts(label, patients, folds, seed * TRIES + attempt)
        counts = np.zeros((int(label.max()) + 1, folds), dtype=np.int64)
        np.add.at(counts, (label, part), 1)
        if counts.all():
            return part, None
    number, fold = np.argwhere(counts == 0)[0].tolist()
    return part, (number, fold)


def _check_patients(frames: LabelledFrames, patients: NDArray[np.str_], folds: int) -> None:
    """Raise `UserError` naming every class that too few patients have."""
    counts = [len(np.unique(patients[frames.label == number])) for number in range(len(frames.classes))]
    few = [
        count_text("{name} is labelled in {count} patient", "{name} is labelled in {count} patients", count, Text(name))
        for name, count in zip(frames.classes, counts, strict=True)
        if count < folds
    ]
    if few:
        counted = zip(frames.classes, counts, strict=True)
        enough = [name for name, count in counted if count >= folds and name != NORMAL]
        raise UserError(
            "{few}: too few for an example in each of {folds} folds.",
            "Take fewer folds, label more patients, or evaluate only classes with enough patients ({enough}).",
            join_texts("; ", few),
            folds,
            ", ".join(enough) or Text("none"),
        )


def _parts(label: NDArray[np.int64], patients: NDArray[np.str_], folds: int, seed: int) -> NDArray[np.int64]:
    """(M,) fold of each frame."""
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(folds, shuffle=True, random_state=seed)
    part = np.zeros(len(label), dtype=np.int64)
    for number, (_, held_out) in enumerate(splitter.split(np.zeros(len(label)), label, patients)):
        part[held_out] = number
    return part


def _fold(frames: LabelledFrames, part: NDArray[np.int64], number: int, kind: Literal["patients", "random"]) -> Fold:
    training, held_out = np.flatnonzero(part != number), np.flatnonzero(part == number)
    sides = [tuple(np.unique(frames.patients[rows]).tolist()) for rows in (training, held_out)]
    fold = Fold(number, training, held_out, sides[0], sides[1])
    fold.check(kind)
    return fold


def share_of_labels(frames: LabelledFrames, rows: NDArray[np.int64], share: float, seed: int) -> NDArray[np.int64]:
    """The rows of a share of the patients, drawn class by class so that every class keeps some; `share` 1 keeps all.

    Patients are added in a random order until each class has its share of frames; the last one is cut to fit, evenly
    in its rows, because one patient can hold more than the share (ours: 10 % of the labels in whole patients only
    would be anything between 1 % and 40 %).

    Args:
        frames: all frames.
        rows: those to choose from.
        share: of each class's rows, in (0, 1].
        seed: of the order.
    """
    if share >= 1:
        return rows
    rng = np.random.default_rng([seed, 77])
    names = np.unique(frames.patients[rows])
    rank = {name: place for place, name in enumerate(rng.permutation(names).tolist())}
    place = np.array([rank[name] for name in frames.patients[rows].tolist()])
    kept: list[NDArray[np.int64]] = []
    for label in range(len(frames.classes)):
        mine = np.flatnonzero(frames.label[rows] == label)
        kept.append(_first_patients(mine, place[mine], max(1, round(share * len(mine)))))
    return np.sort(rows[np.concatenate(kept)])


def _first_patients(mine: NDArray[np.int64], place: NDArray[np.int64], wanted: int) -> NDArray[np.int64]:
    taken: list[NDArray[np.int64]] = []
    left = wanted
    for patient in np.unique(place) if len(mine) else ():
        rows = mine[place == patient]
        if len(rows) > left:
            rows = rows[(np.arange(left) * len(rows)) // left]
        taken.append(rows)
        left -= len(rows)
        if not left:
            break
    return np.concatenate(taken) if taken else np.zeros(0, dtype=np.int64)
