"""From the scores of all folds to what report.json says, and what the studies hold (Laiz, Tables 3 to 5)."""

import datetime
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.data_digest import labelled_digest
from training.datasets.folds import Fold
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.source_notes import source_notes
from training.evaluation import findings_and_budget
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.finished_model import FinishedModel
from training.evaluation.fold_run import FoldScores
from training.evaluation.group_figures import class_curves, class_intervals, fixed_false_positives, group_rows
from training.evaluation.guidelines import guidelines
from training.evaluation.tripod import tripod
from training.metrics import detector, protocol
from training.metrics.calibration import calibration
from training.metrics.operating_points import measured_rates
from training.metrics.within_source import SourcedFrames, within_source_figures
from training.texts import Text, count_text
from training.version import made_with

SCHEMA_VERSION = 1
NOTICE = "Research use only, not for diagnosis."


def make_report(
    config: EvaluateConfig,
    data: EvaluationSet,
    folds: list[Fold],
    done: list[FoldScores],
    not_there: Mapping[str, int] | None = None,
    model: FinishedModel | None = None,
) -> dict[str, Any]:
    """Every figure of the protocol (Laiz et al. 2020, sections 3.3 and 3.4), as JSON values.

    `not_there`: frames on which a class is not there, by class; the folds learned from them. `model`: what is
    evaluated, where nothing is trained.
    """
    frames = data.labelled
    by_number = {fold.number: fold for fold in folds}
    details = [_detail(data, by_number[scores.fold], scores) for scores in done]
    evaluated: list[tuple[NDArray[np.int64], NDArray[np.floating]]] = []
    for scores in done:  # each frame once
        once = np.unique(frames.frame_key[scores.rows], return_index=True)[1]
        evaluated.append((frames.label[scores.rows[once]], scores.scores[once]))
    dataset, pooled = dataset_report(data), _pooled(config, data, done)
    mean = _means([row["figures"] for row in details])
    report = {
        "schema_version": SCHEMA_VERSION,
        "notice": NOTICE,
        "finished": True,
        "created_utc": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "model": None if model is None else model.facts(),
        **_asked(config),
        "start": sorted({scores.start for scores in done}),
        "seeds": sorted({scores.seed for scores in done}),
        "classes": list(frames.classes),
        "steps": sorted({scores.steps for scores in done}),
        "data": {
            **_data(config, data),
            "not_there": dict(not_there or {}),
            "not_there_sentence": absent_sentence(not_there or {}),
        },
        "folds_detail": details,
        "mean": mean,
        "pooled": pooled,
        "per_class": {
            name: _means([row["classes"][name] for row in details]) for name in (*frames.classes[1:], frames.classes[0])
        },
        "intervals": {} if model is None else class_intervals(data, done[0], config.bootstraps, config.fold_seed),
        "groups": group_rows(data, done),
        **_by_source(config, data, done, model),
        "findings": findings_and_budget.finding_report(data, done),
        "review_budget": findings_and_budget.budget_report(data, done),
        "imbalance": protocol.imbalance_report(evaluated, config.imbalance_repeats, config.fold_seed),
        "curves": {
            name: {
                **protocol.curve_report(evaluated, of),
                "classes": {} if model is None else class_curves(data, done[0], of),
            }
            for name, of in (("roc", protocol.on_grid), ("precision", protocol.precision_on_grid))
        },
        "confusion": np.sum(
            [protocol.confusion(frames.label[s.rows], s.scores, frames.frame_number[s.rows]) for s in done], axis=0
        ).tolist(),
        "dataset": dataset,
        "guidelines": guidelines(config, dataset, pooled, mean),
        "warnings": warnings_of(config, data, details),
        "data_sha256": labelled_digest(frames),
        **made_with(has_name=config.record_host),
    }
    return {**report, "tripod": tripod(report, {} if model is None else model.folder.card)}


def _asked(config: EvaluateConfig) -> dict[str, Any]:
    """What was asked for, without the paths of the machine."""
    named = config.init in ("random", "imagenet")
    return {
        "method": config.method,
        "init": config.pretrain or (config.init if named else config.init.rstrip("/").rsplit("/", 1)[-1]),
        "preset": config.preset,
        "settings": config.settings,
        "pretrain": {"preset": config.pretrain_preset, "settings": config.pretrain_settings}
        if config.pretrain
        else None,
        "split": config.split,
        "folds": config.folds,
        "fold_seed": config.fold_seed,
        "label_share": config.label_share,
    }


def _data(config: EvaluateConfig, data: EvaluationSet) -> dict[str, Any]:
    return {
        "kind": "images" if config.images else "studies",
        "frames": data.labelled.counts(),
        "labelled": data.everything.counts(),
        "patients": len(np.unique(data.labelled.patients)),
        "studies": len(np.unique(data.labelled.study)),
        "left_out": data.everything.left_out.sentence(),
        "normal_per_study": config.normal_per_study,
        "imbalance": config.imbalance,
    }


def _detail(data: EvaluationSet, fold: Fold, scores: FoldScores) -> dict[str, Any]:
    frames = data.labelled
    labels, number = frames.label[scores.rows], frames.frame_number[scores.rows]
    absent = np.bincount(scores.absent, minlength=len(frames.classes)).tolist()
    return {
        "fold": scores.fold,
        "seed": scores.seed,
        "start": scores.start,
        "patients": list(fold.held_out_patients),
        "training_patients": len(fold.training_patients),
        "learned_from": scores.learned_from,
        "frames": frames.select(scores.rows).counts(),
        "steps": scores.steps,
        "figures": protocol.fold_figures(labels, scores.scores, number),
        "classes": protocol.class_table(
            frames.classes, labels, scores.scores, scores.absent, scores.absent_scores, number
        ),
        "not_there": {name: count for name, count in zip(frames.classes, absent, strict=True) if count},
    }


def rejections_by_class(negatives: LabelledFrames | None) -> dict[str, int]:
    """Frames on which a class is not there, of each class that has any."""
    return {} if negatives is None else {name: count for name, count in negatives.counts().items() if count}


def absent_sentence(counts: Mapping[str, int]) -> str:
    """Says of how many frames a class was rejected, and what that means in the figures; empty where there are none."""
    if not counts:
        return ""
    text = ", ".join(f"{count} {name}" for name, count in counts.items())
    return Text(
        "Frames on which a reader rejected a class: {said}. Each is used for that class only: folds that do not hold "
        "out its patient learn from it, and the fold that does counts it as a negative in the AUC and the "
        "sensitivities of that class. All other figures leave it out.",
        text,
    )


def _means(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: protocol.mean_and_deviation([row[name] for row in rows]) for name in rows[0]}


def out_of_fold(data: EvaluationSet, done: list[FoldScores]) -> dict[int, NDArray[np.float32]]:
    """Seed -> scores (M, C) of every frame, each from the training that never saw it."""
    shape = (len(data.labelled), len(data.labelled.classes))
    whole: dict[int, NDArray[np.float32]] = {}
    for scores in done:
        whole.setdefault(scores.seed, np.full(shape, np.nan, np.float32))[scores.rows] = scores.scores
    return whole


def _pooled(config: EvaluateConfig, data: EvaluationSet, done: list[FoldScores]) -> dict[str, Any]:
    once = np.unique(data.labelled.frame_key, return_index=True)[1]
    frames, whole = data.labelled.select(once), out_of_fold(data, done)
    tracks: list[NDArray[np.floating]] = [protocol.any_track(scores[once]) for scores in whole.values()]
    result = detector.pooled_auc(frames.label > 0, tracks, frames.patients, config.bootstraps, config.fold_seed)
    return {
        "auc": result.value,
        "low": result.low,
        "high": result.high,
        "patients": len(np.unique(frames.patients)),
        "bootstraps": config.bootstraps,
    }


def _by_source(
    config: EvaluateConfig, data: EvaluationSet, done: list[FoldScores], model: FinishedModel | None
) -> dict[str, Any]:
    """See `within_source_figures`, `measured_rates`, `sensitivities` and `calibration`.

    Frames on which a class was rejected take no part.
    """
    labelled = data.labelled
    frames = SourcedFrames(labelled.classes, labelled.label, labelled.sources, labelled.patients)
    tracks: list[NDArray[np.floating]] = list(out_of_fold(data, done).values())
    fold = np.zeros(len(labelled), dtype=np.int64)
    for scores in done:
        fold[scores.rows] = scores.fold
    draws = config.bootstraps, config.fold_seed
    figures = within_source_figures(frames, tracks, *draws, fold)
    return {
        "within_source": figures and {**figures, "notes": [*source_notes(labelled), *figures["notes"]]},
        "operating_points": measured_rates(frames, tracks, fold, *draws),
        "fixed_false_positives": fixed_false_positives(frames, tracks[0], labelled.frame_number)
        if config.needs_patients
        else [],
        "calibration": calibration(frames, tracks, fold, None if model is None else model.calibration(frames.names))
        if config.needs_patients
        else {},
    }


LARGE_PATIENT = 0.2
"""Share of the evaluated frames from which one patient dominates the figures, if it is far above the average."""
FEW_PATIENTS = 10


def warnings_of(config: EvaluateConfig, data: EvaluationSet, details: list[dict[str, Any]]) -> list[str]:
    """What a person must know before believing a figure, as sentences."""
    said = list(data.warnings)
    if not config.needs_patients and config.model is not None:
        said.append(
            "The data set does not name patients. Frames of one patient are alike, so intervals are too narrow."
        )
    elif not config.needs_patients:
        said.append(
            "Frames were split at random, because the data set does not name patients. Frames of one patient are on "
            "both sides, so every figure is too optimistic."
        )
    once = np.unique(data.labelled.frame_key, return_index=True)[1]
    names, counts = np.unique(data.labelled.patients[once], return_counts=True)
    largest = int(counts.argmax())
    is_large = counts[largest] > LARGE_PATIENT * counts.sum() and counts[largest] > 3 * counts.mean()
    if config.needs_patients and is_large:
        said.append(
            Text(
                "{count} of the {labelled_count} evaluated frames are of one patient ({name}): this patient "
                "dominates the figures of the fold that holds it out.",
                counts[largest],
                len(once),
                names[largest],
            )
        )
    if config.needs_patients and len(names) < FEW_PATIENTS:
        said.append(
            count_text(
                "Only {count} patient: one patient more or less would change the figures visibly.",
                "Only {count} patients: one patient more or less would change the figures visibly.",
                len(names),
            )
        )
    undefined = sorted({name for row in details for name, figure in row["figures"].items() if figure is None})
    if undefined:
        said.append(Text("Some folds have no value for {undefined}; the mean leaves them out.", ", ".join(undefined)))
    return said


def dataset_report(data: EvaluationSet) -> dict[str, Any]:
    """Counts before normal frames are thinned; findings whose frames can be used.

    Returns:
        JSON values: procedures, patients, procedures_with_pathology, frames by class, findings, findings_per_procedure
        and frames_per_finding (median, lowest, highest), procedures_by_findings, findings_by_frames and
        size_by_morphology (Laiz et al. 2020, Tables 3 to 5), normal_judged (of each study, lowest and median), and a
        row for each study.
    """
    frames = data.everything
    studies = np.unique(frames.study)
    ill = np.unique(frames.study[frames.label > 0])
    per_study = Counter(finding.study for finding in data.findings)
    normal = [int(((data.labelled.study == study) & (data.labelled.label == 0)).sum()) for study in studies]
    return {
        "procedures": len(studies),
        "patients": len(np.unique(frames.patients)),
        "procedures_with_pathology": len(ill),
        "frames": frames.counts(),
        "frames_judged": data.labelled.counts(),
        "findings": len(data.findings),
        "findings_per_procedure": _spread([per_study[int(study)] for study in ill]) if data.findings else None,
        "frames_per_finding": _spread([len(finding.rows) for finding in data.findings]) if data.findings else None,
        "procedures_by_findings": [
            {"findings": number, "procedures": count}
            for number, count in sorted(Counter(per_study[int(study)] for study in studies).items())
        ],
        "findings_by_frames": _findings_by_frames([len(finding.rows) for finding in data.findings]),
        "size_by_morphology": _table(data),
        "described_findings": sum(
            findings_and_budget.size_of(f) != findings_and_budget.UNKNOWN
            and findings_and_budget.shape_of(f) != findings_and_budget.UNDEFINED
            for f in data.findings
        ),
        "normal_judged": _spread(normal),
        "studies": [
            {
                "study": frames.studies[study].study_id,
                "patient": frames.studies[study].patient_id,
                "findings": per_study[study],
                "frames": frames.select(frames.study == study).counts(),
            }
            for study in studies.tolist()
        ],
    }


FRAME_BINS = {"1-2": 2, "3-4": 4, "5-6": 6, "7-10": 10, "11-20": 20}
"""Bins of Laiz et al., Table 4, by the most frames in each; what is more is "21+"."""


def _findings_by_frames(frames: list[int]) -> list[dict[str, Any]]:
    """How many findings are seen in so many frames (Table 4)."""
    names = [*FRAME_BINS, "21+"]
    counts = Counter(names[int(np.searchsorted(list(FRAME_BINS.values()), number))] for number in frames)
    return [{"frames": name, "findings": counts[name]} for name in names] if frames else []


def _table(data: EvaluationSet) -> list[dict[str, Any]]:
    """Rows of sizes, columns of shapes, both only as far as they occur, and their totals (Table 5)."""
    counts = Counter(
        (findings_and_budget.size_of(finding), findings_and_budget.shape_of(finding)) for finding in data.findings
    )
    shapes = sorted({shape for _, shape in counts}, key=lambda name: (name == findings_and_budget.UNDEFINED, name))
    sizes = [
        size
        for size in (*findings_and_budget.SIZES, findings_and_budget.UNKNOWN)
        if any(key[0] == size for key in counts)
    ]
    rows = {size: {shape: counts[size, shape] for shape in shapes} for size in sizes}
    if rows:
        rows["total"] = {shape: sum(row[shape] for row in rows.values()) for shape in shapes}
    return [{"size": size, **row, "total": sum(row.values())} for size, row in rows.items()]


def _spread(values: list[int]) -> dict[str, float]:
    return {
        "median": float(np.median(values)),
        "lowest": int(min(values)),
        "highest": int(max(values)),
        "mean": float(np.mean(values)),
    }
