"""The split into training and held-out frames: by patient, or by time if there is only one patient.

Holding out contiguous blocks of time, with a gap beside them: neighbouring frames are nearly the same picture.
"""

from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.datasets.manifest import is_unknown
from training.errors import UserError
from training.texts import Text

BLOCKS_PER_CLASS = 8
"""A class's longest block is at most about this fraction of its frames."""
MAX_LOST_SHARE = 0.2
"""The gap shrinks until no class loses more than this share of its training frames to it."""


def hold_out_blocks(
    frames: LabelledFrames, share: float, gap_frames: int, seed: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], int]:
    """Masks (M,) of held-out frames and of frames left out beside them, and the gap that was used.

    A single frame of a class is used for training. A frame with several classes counts as the rarest of them.

    Raises:
        UserError: normal frames, or the frames of every other class, are too few for both sides.
    """
    number, frames = frames.frame_number, frames.by_rarest_class()
    counts = np.bincount(frames.label, minlength=len(frames.classes))
    few = Text("normal") if counts[0] < 2 else Text("as a finding") if counts[1:].max(initial=0) < 2 else ""
    if few:
        raise UserError(
            "Fewer than two usable frames are labelled {few}, too few for training and evaluation.",
            "Label at least two frames normal, and two frames of one class (for example blood).",
            few,
        )
    rng = np.random.default_rng(seed)
    held_out = np.zeros(len(frames), dtype=bool)
    for label in np.flatnonzero(counts >= 2):
        mine = np.flatnonzero(frames.label == label)
        held_out[_choose_blocks(_blocks(frames, mine), share * len(mine), rng)] = True
    gap = _largest_gap(frames, held_out, gap_frames)
    return held_out[number], _beside(frames, held_out, gap)[number], gap


def _largest_gap(frames: LabelledFrames, held_out: NDArray[np.bool_], gap_frames: int) -> int:
    """The largest gap up to the one asked for that costs no class too much; a larger gap never costs less."""
    training = np.bincount(frames.label[~held_out], minlength=len(frames.classes))
    least, most = 0, gap_frames
    while least < most:
        gap = (least + most + 1) // 2
        lost = np.bincount(frames.label[_beside(frames, held_out, gap)], minlength=len(frames.classes))
        least, most = (gap, most) if (lost <= MAX_LOST_SHARE * training).all() else (least, gap - 1)
    return least


def _blocks(frames: LabelledFrames, mine: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The frames of one class, cut where the study changes or labels pause, and long stretches cut into pieces."""
    breaks = (np.diff(frames.study[mine]) != 0) | (np.diff(frames.frame_index[mine]) > 1)
    longest = max(1, -(-len(mine) // BLOCKS_PER_CLASS))
    blocks: list[NDArray[np.int64]] = []
    for stretch in np.split(mine, np.flatnonzero(breaks) + 1):
        blocks.extend(np.array_split(stretch, -(-len(stretch) // longest)))
    return blocks


def _choose_blocks(blocks: list[NDArray[np.int64]], wanted: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Blocks in random order until about `wanted` frames are held out; at least one block, never all."""
    chosen: list[NDArray[np.int64]] = []
    for index in rng.permutation(len(blocks)):
        taken = sum(map(len, chosen))
        last_one = len(chosen) == len(blocks) - 1
        if last_one or (chosen and taken + len(blocks[index]) > wanted * 1.25):
            continue
        chosen.append(blocks[index])
        if taken + len(blocks[index]) >= wanted:
            break
    return np.concatenate(chosen)


def _beside(frames: LabelledFrames, held_out: NDArray[np.bool_], gap: int) -> NDArray[np.bool_]:
    """Mask (M,) of frames that are not held out, but within `gap` frames of one that is."""
    beside = np.zeros(len(frames), dtype=bool)
    for study in np.unique(frames.study):
        here = frames.study == study
        held = frames.frame_index[here & held_out]
        if not len(held):
            continue
        mine = np.flatnonzero(here & ~held_out)
        after = np.searchsorted(held, frames.frame_index[mine])
        later = np.abs(held[np.minimum(after, len(held) - 1)] - frames.frame_index[mine])
        earlier = np.abs(frames.frame_index[mine] - held[np.maximum(after - 1, 0)])
        beside[mine] = np.minimum(later, earlier) <= gap
    return beside


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
        frames.studies[number].study_id: np.unique(frames.frame_index[frames.study == number]).tolist()
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
