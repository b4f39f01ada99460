"""Compares two models on labelled frames that both have scored and neither was trained on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.metrics.comparison import EvaluatedFrames, ModelScores, compare
from training.metrics.figures import AbsentFrames
from wce_desktop.core import counted, tr, tr_count
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.comparison import Change, changed_events
from wce_desktop.core.study import Study
from wce_desktop.library import Model, lineage
from wce_desktop.session.session import Session
from wce_desktop.session.study_choice import patients_note

NO_NUMBER = -1
"""Of a class that is only rejected, never labelled, so that there is nothing to evaluate."""


@dataclass(frozen=True)
class EvaluatedStudy:
    """The labelled frames (M,) of one study that both models scored: their names (M,), and scores (M, C) of each model.

    And the N times that a reader said of a frame that a class is not there: `absent` (N,), with scores (N, C).
    """

    study_id: str
    patient: str
    frames: NDArray[np.int64]
    names: list[str]
    scores: list[NDArray[np.float32]]
    absent: list[str]
    absent_scores: list[NDArray[np.float32]]


@dataclass(frozen=True)
class ModelComparison:
    """The comparison of two models.

    Attributes:
        comparison: in the form of comparison.json, the first model as the old one; empty: no studies to evaluate on.
        sentence: the studies evaluated on, and those left out.
        verdict: on the second model; empty without figures.
        unscored: missing scores as (study_id, model_id), of labelled studies of patients neither was trained on.
    """

    comparison: dict[str, Any] = field(default_factory=dict)
    sentence: str = ""
    verdict: str = ""
    unscored: tuple[tuple[str, str], ...] = ()


def compare_models(session: Session, first: Model, second: Model, check: Callable[[], None]) -> ModelComparison:
    """Evaluate both models on the labels of the library, with stored scores; `check` may raise to cancel.

    Only reads, so it can run in another thread.
    """
    excluded = lineage.training_patients(first) | lineage.training_patients(second)
    studies = [study for study in session.library.studies.all() if session.library.annotations.labels(study.study_id)]
    outside = [study for study in studies if study.patient_id not in excluded]
    unscored, evaluated = [], []
    for study in outside:
        check()
        missing = [m for m in (first, second) if not session.files(study).has_scores(m.model_id)]
        unscored += [(study.study_id, model.model_id) for model in missing]
        result = None if missing else _evaluated(session, study, first, second)
        if result is not None:
            evaluated.append(result)
    sentence = _sentence(evaluated, len(studies) - len(outside), len({name for name, _ in unscored}))
    note = patients_note(session, [one.study_id for one in evaluated])
    sentence = f"{sentence} {note}" if note else sentence
    if not any(set(one.names) - {NORMAL} for one in evaluated) or not any(NORMAL in one.names for one in evaluated):
        return ModelComparison({}, sentence, unscored=tuple(unscored))
    comparison = _figures(evaluated, first, second)
    pair = tr("{second} compared with {first}.", second=second.title, first=first.title)
    verdict = f"{pair} {tr(comparison['verdict']['sentence'])}"
    return ModelComparison(comparison, sentence, verdict, tuple(unscored))


def _evaluated(session: Session, study: Study, first: Model, second: Model) -> EvaluatedStudy | None:
    """The labelled frames of a study; a frame with two labels counts for the finding, not for normal."""
    by_frame: dict[int, str] = {}
    for label in session.library.annotations.labels(study.study_id):
        for frame in range(label.span.start, min(label.span.stop, study.frame_count)):
            if label.name != NORMAL or frame not in by_frame:
                by_frame[frame] = label.name
    whole = [_scores(session, study, model) for model in (first, second)]
    readable = np.asarray(np.isfinite(np.concatenate(whole, axis=1)).all(axis=1))
    frames = np.array([frame for frame in sorted(by_frame) if readable[frame]], dtype=np.int64)
    if not len(frames):
        return None
    names = [by_frame[int(frame)] for frame in frames]
    absent = [
        (frame, label.name)
        for label in session.library.annotations.answers(study.study_id)
        if label.answer == "no"
        for frame in range(label.span.start, min(label.span.stop, study.frame_count))
        if readable[frame] and by_frame.get(frame) != NORMAL
    ]
    rows = np.array([frame for frame, _ in absent], dtype=np.int64)
    scores, absent_scores = ([scores[at] for scores in whole] for at in (frames, rows))
    not_there = [name for _, name in absent]
    return EvaluatedStudy(study.study_id, study.patient_id, frames, names, scores, not_there, absent_scores)


def _scores(session: Session, study: Study, model: Model) -> NDArray[np.float32]:
    """(N, C) float32 as the model gives them, in the order of the model's classes; NaN where there is no score."""
    whole = np.full((study.frame_count, len(model.classes)), np.nan, dtype=np.float32)
    scores = session.files(study, has_all_classes=True).read_scores(model.model_id, study.frame_count)
    if scores is not None:
        for column, name in enumerate(model.classes):
            if name in scores.classes:
                whole[scores.frame_index, column] = scores.track(name)
    return whole


def _figures(evaluated: list[EvaluatedStudy], first: Model, second: Model) -> dict[str, Any]:
    sentences = [name for one in evaluated for name in one.names]
    names = [NORMAL, *sorted(set(sentences) - {NORMAL})]
    absent = [(name, one.patient) for one in evaluated for name in one.absent]
    numbers = [names.index(name) if name in names else NO_NUMBER for name, _ in absent]
    frames = EvaluatedFrames(
        names=names,
        labels=np.array([names.index(name) for name in sentences], dtype=np.int64),
        patients=np.array([one.patient for one in evaluated for _ in one.names]),
        studies=np.array([one.study_id for one in evaluated for _ in one.names]),
        frame_index=np.concatenate([one.frames for one in evaluated]),
        absent=AbsentFrames(np.array(numbers, dtype=np.int64), np.array([patient for _, patient in absent], np.str_)),
    )
    models = []
    for at, model in enumerate((first, second)):
        scores = np.concatenate([one.scores[at] for one in evaluated])
        more = np.concatenate([one.absent_scores[at] for one in evaluated])
        models.append(ModelScores(model.model_id, model.classes, scores, more))
    return compare(frames, models[0], models[1], "patients", "")


def _sentence(evaluated: list[EvaluatedStudy], excluded: int, unscored: int) -> str:
    frames = counted(sum(len(one.names) for one in evaluated), "frame")
    patients = counted(len({one.patient for one in evaluated}), "patient")
    on = tr(
        "Evaluated on your labels: {frames} of {patients} neither model was trained on.",
        frames=frames,
        patients=patients,
    )
    none = tr("No studies to evaluate on: no labelled study of another patient has been scored by both models.")
    left_out = tr_count(
        "{count} study left out, because one of the models was trained on the patient.",
        "{count} studies left out, because one of the models was trained on the patient.",
        excluded,
    )
    missing = tr_count(
        "{count} study not yet scored by both models.", "{count} studies not yet scored by both models.", unscored
    )
    return " ".join([on if evaluated else none, *([left_out] if excluded else []), *([missing] if unscored else [])])


def changed_flags(session: Session, first: Model, second: Model) -> tuple[Change, ...] | None:
    """The flags of the open study that only the second model has, and those that only the first has.

    None where the study lacks scores of either.
    """
    reading = session.reading
    if reading is None:
        return None
    files, count = session.files(reading.study), reading.frame_count
    old, new = (files.read_scores(model.model_id, count) for model in (first, second))
    if old is None or new is None:
        return None
    return changed_events(old, new, reading.flags.threshold, count, max_gap=reading.flags.max_gap)
