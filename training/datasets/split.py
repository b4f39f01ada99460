"""The split into training and held-out frames: by patient, or by time if there is only one patient."""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import is_unknown
from training.datasets.time_blocks import hold_out_blocks
from training.errors import UserError
from training.texts import Text

SUBSETS = 400
"""How many sets of held-out patients are tried where there are too many to try all."""


@dataclass(frozen=True)
class Split:
    """What a run holds out for its evaluation."""

    kind: Literal["patients", "time"]
    training: NDArray[np.bool_]
    """(M,) frames to learn from."""
    held_out: NDArray[np.bool_]
    """(M,) held-out frames; frames in neither were left out between blocks of time."""
    training_patients: tuple[str, ...]
    held_out_patients: tuple[str, ...]
    gap_frames: int = 0
    sentence: str = ""
    """What a person must know before believing a figure; empty where nothing."""

    def __post_init__(self) -> None:
        shared = set(self.training_patients) & set(self.held_out_patients)
        if self.kind == "patients" and shared:
            raise UserError("The patient {shared} is on both sides of the split.", "", sorted(shared)[0])
        if (self.training & self.held_out).any():
            raise ValueError("a frame is on both sides of the split")

    def to_json(self, training: LabelledFrames, held_out: LabelledFrames) -> dict[str, Any]:
        """What `split.json` says: patients, and of each study the frames that are used on each side."""
        sides = {}
        for side, chosen in (("training", training), ("held_out", held_out)):
            sides[side] = {"counts": chosen.counts(), "frames": frames_by_study(chosen)}
        return {
            "kind": self.kind,
            "training_patients": list(self.training_patients),
            "held_out_patients": list(self.held_out_patients),
            "gap_frames": self.gap_frames,
            "sentence": self.sentence,
            **sides,
        }


def frames_by_study(frames: LabelledFrames) -> dict[str, list[int]]:
    """Study -> indices of its frames."""
    return {
        frames.studies[number].study_id: frames.frame_index[frames.study == number].tolist()
        for number in np.unique(frames.study)
    }


def split_frames(
    frames: LabelledFrames, share: float, gap_frames: int, seed: int, earlier: frozenset[str] = frozenset()
) -> Split:
    """Split by patient; by blocks of time where no split by patient leaves normal and positive frames on both sides.

    Args:
        frames: all labelled frames, with a normal class.
        share: of the patients (or of each class's frames) to hold out, in (0, 1).
        gap_frames: left out on both sides of a held-out block of time.
        seed: decides among equally good splits.
        earlier: patients that the initial model was trained on; they are held out only if nothing else is possible.
    """
    return split_by_patient(frames, share, seed, earlier) or _split_by_time(frames, share, gap_frames, seed)


def split_by_patient(
    frames: LabelledFrames, share: float, seed: int, earlier: frozenset[str] = frozenset()
) -> Split | None:
    """Split by patient; None where no choice of patients has every class in training and something to evaluate on.

    An evaluation needs normal frames and others; without a normal class, frames of two kinds. See `split_frames`
    for the arguments.
    """
    names, patient = np.unique(frames.patients, return_inverse=True)
    counts = np.zeros((len(names), len(frames.classes)), dtype=np.int64)
    np.add.at(counts, (patient, frames.label), 1)
    chosen = _choose_patients(counts, share, seed, np.isin(names, sorted(earlier)), frames.has_normal)
    if chosen is None:
        return None
    held_out = np.isin(patient, chosen)
    apart = tuple(str(names[index]) for index in chosen)
    known = sorted(earlier & set(apart))
    sentence = (
        Text(
            "The initial model was trained on held-out patients ({known}), so its figures are too optimistic.",
            ", ".join(known),
        )
        if known
        else ""
    )
    rest = tuple(str(name) for name in names if str(name) not in apart)
    return Split("patients", ~held_out, held_out, rest, apart, sentence=sentence)


def _choose_patients(
    counts: NDArray[np.int64], share: float, seed: int, earlier: NDArray[np.bool_], has_normal: bool
) -> NDArray[np.int64] | None:
    """The patients to hold out, or None where no choice has every class in training and something to evaluate on."""
    patients = len(counts)
    wanted = max(1, round(share * patients))
    best: tuple[float, NDArray[np.int64]] | None = None
    for size in range(wanted, min(patients - 1, wanted + 2) + 1):
        for subset in _subsets(patients, size, seed):
            cost = _cost(counts, subset, share, earlier, has_normal)
            if cost is not None and (best is None or cost < best[0]):
                best = cost, subset
        if best is not None and best[0] < 1.0:
            break
    return None if best is None else np.sort(best[1])


def _subsets(patients: int, size: int, seed: int) -> list[NDArray[np.int64]]:
    rng = np.random.default_rng([seed, size])
    if comb(patients, size) <= SUBSETS:
        every = [np.array(subset, dtype=np.int64) for subset in combinations(range(patients), size)]
        return [every[index] for index in rng.permutation(len(every))]
    return [rng.choice(patients, size, replace=False) for _ in range(SUBSETS)]


def _cost(
    counts: NDArray[np.int64], subset: NDArray[np.int64], share: float, earlier: NDArray[np.bool_], has_normal: bool
) -> float | None:
    """Cost of holding out these patients; None where a class has no training frames or nothing can be evaluated."""
    held_out = counts[subset].sum(axis=0)
    total = counts.sum(axis=0)
    there = total > 0
    can_evaluate = held_out[0] and held_out[1:].any() if has_normal else (held_out > 0).sum() >= 2
    if not (can_evaluate and (total - held_out)[there].all()):
        return None
    unevaluated = (there & (held_out == 0)).sum()
    off = np.abs(held_out[there] / total[there] - share).mean()
    return float(100 * earlier[subset].sum() + 10 * unevaluated + off)


def _split_by_time(frames: LabelledFrames, share: float, gap_frames: int, seed: int) -> Split:
    held_out, left_out, gap = hold_out_blocks(frames, share, gap_frames, seed)
    people = tuple(str(name) for name in np.unique(frames.patients))
    where = Text("other moments of the same recordings")
    if len(people) > 1:
        reason = Text(
            "No split of the {count} patients with labels has every class in training and something to evaluate on",
            len(people),
        )
    elif is_unknown(people[0]):
        reason = Text("The patients of the labelled images are unknown ({people})", people[0])
        where = Text("images that may be of the same patients")
    else:
        reason = Text("Only one patient ({people}) has labels", people[0])
    sentence = Text(
        "{reason}: the held-out figures come from {where} and are too optimistic. Label frames of further patients "
        "to measure performance on new patients.",
        reason,
        where,
    )
    return Split("time", ~held_out & ~left_out, held_out, people, people, gap, sentence)
