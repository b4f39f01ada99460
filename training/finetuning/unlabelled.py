"""Frames without any label in the studies of a run: of the training patients, and of the held-out ones.

A frame of which a reader said that a class is not there has a label, so it is not among them.
"""

import numpy as np
from numpy.typing import NDArray

from training.datasets import manifest, sampler
from training.datasets.labelled_frames import LabelledFrames
from training.finetuning import negatives, training_set

LOOKED_AT = 3
"""Frames that the old model scores, as a multiple of those that are then rehearsed."""
COMPARED = 240
"""Frames without labels that both models score, to see what became of classes without labels."""
HIGHEST_SHARE = 0.75
"""Of the rehearsed frames, those with the highest scores; the others are spread evenly."""
NO_LABEL = "no label"
"""Stands in for the class of these frames."""


def training_frames(data: training_set.TrainingSet, count: int) -> LabelledFrames:
    """At most `count` frames of the training patients, as many of each study, evenly in time.

    With a split by time they keep the run's gap to held-out frames, and their nearest labelled frame is one that the
    run learns from.
    """
    patients = frozenset(data.split.training_patients)
    return _even(data, patients, count, apart=data.split.kind == "time")


def held_out_frames(data: training_set.TrainingSet, count: int) -> LabelledFrames:
    """At most `count` frames of the held-out patients; of all studies with labels where nobody is held out."""
    return _even(data, frozenset(data.split.held_out_patients), count, apart=False)


def _even(data: training_set.TrainingSet, patients: frozenset[str], count: int, *, apart: bool) -> LabelledFrames:
    studies = data.everything.studies
    numbers = [number for number, study in enumerate(studies) if study.patient_id in patients]
    free = {
        number: _free_frames(data, number)
        for number in numbers
        if studies[number].study_id in data.labelled.frame_counts
    }
    for number, frames in free.items() if apart else ():
        here, split = data.everything.study == number, data.split
        to_training, to_others, to_held_out = (
            negatives.distances(frames, data.everything.frame_index[here & side])
            for side in (split.training, ~split.training, split.held_out)
        )
        free[number] = frames[(to_training < to_others) & (to_held_out > split.gap_frames)]
    each = count // max(1, sum(len(frames) > 0 for frames in free.values()))
    chosen = {number: sampler.evenly(frames, each) for number, frames in free.items()}
    study = np.repeat(np.array(list(chosen), dtype=np.int64), [len(frames) for frames in chosen.values()])
    frames = np.concatenate([np.zeros(0, dtype=np.int64), *chosen.values()])
    return LabelledFrames(studies, (NO_LABEL,), study, frames, np.zeros(len(frames), dtype=np.int64))


def _free_frames(data: training_set.TrainingSet, number: int) -> NDArray[np.int64]:
    """The frames of one study (N,) that no label names, inside its spans."""
    study: manifest.StudyEntry = data.everything.studies[number]
    free = np.full(data.labelled.frame_counts[study.study_id], not study.spans)
    for span in study.spans:
        free[span.start : span.stop] = True
    for row in data.labelled.rows:
        if row.study_id == study.study_id:
            free[row.start : row.stop] = False
    return np.flatnonzero(free)


def candidates(data: training_set.TrainingSet, count: int) -> LabelledFrames:
    """Frames of which `count` are then rehearsed: without labels, and labelled ones where those are too few.

    None of them is a frame of which a reader said that a class is not there: the old model may say that it is.
    """
    labelled = data.training
    is_usable = np.ones(len(labelled), dtype=bool)
    for row in data.labelled.rows:
        if row.answer == "no":
            inside = (labelled.frame_index >= row.start) & (labelled.frame_index < row.stop)
            ids = np.array([study.study_id for study in labelled.studies])
            is_usable &= ~(inside & (ids[labelled.study] == row.study_id))
    return filled_up(training_frames(data, LOOKED_AT * count), labelled.select(is_usable), count)


def filled_up(without: LabelledFrames, training: LabelledFrames, count: int) -> LabelledFrames:
    """The frames without labels, and labelled training frames, evenly, where the former are fewer than `count`."""
    more = training.select(sampler.evenly(np.arange(len(training)), max(0, count - len(without))))
    study = np.concatenate([without.study, more.study])
    frame = np.concatenate([without.frame_index, more.frame_index])
    order = np.lexsort((frame, study))
    return LabelledFrames(
        without.studies, without.classes, study[order], frame[order], np.zeros(len(order), dtype=np.int64)
    )


def rehearsed_rows(
    frames: LabelledFrames, scores: NDArray[np.float32], kept: NDArray[np.int64], training: LabelledFrames, count: int
) -> NDArray[np.int64]:
    """At most `count` rows of the frames, as `choose` takes them.

    Frames with a label that the old model contradicts, because it sees a class without labels there, are left out.

    Args:
        frames: M frames.
        scores: (M, C) of the old model.
        kept: (K,) classes without labels.
        training: frames with labels.
        count: frames wanted.
    """
    known = set(zip(training.study.tolist(), training.frame_index.tolist(), strict=True))
    pairs = zip(frames.study.tolist(), frames.frame_index.tolist(), strict=True)
    has_label = np.array([pair in known for pair in pairs], dtype=bool)
    usable = np.flatnonzero(~(has_label & np.isin(scores.argmax(axis=1), kept)))
    return usable[choose(scores[usable][:, kept], count)]


def choose(scores: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    """At most `count` of the frames: three quarters with the highest scores of each class, the others evenly.

    Args:
        scores: (M, K) of the kept classes, in order of study and time.
        count: frames wanted.
    """
    chosen = np.zeros(len(scores), dtype=bool)
    of_each = int(count * HIGHEST_SHARE) // max(1, scores.shape[1])
    for column in scores.T:
        free = np.flatnonzero(~chosen)
        chosen[free[np.argsort(-column[free], kind="stable")[:of_each]]] = True
    rest = sampler.evenly(np.flatnonzero(~chosen), max(0, count - int(chosen.sum())))
    chosen[rest] = True
    return np.flatnonzero(chosen)
