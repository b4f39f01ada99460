"""What a set of studies holds: procedures, findings, frames, sizes and shapes (Laiz, Table 5 and section 3.3)."""

from collections import Counter
from typing import Any

import numpy as np

from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.finding_detection import SIZES, UNKNOWN, shape_of, size_of


def dataset_report(data: EvaluationSet) -> dict[str, Any]:
    """Counts before normal frames are thinned; findings whose frames can be used.

    Returns:
        JSON values: procedures, patients, procedures_with_pathology, frames by class, findings, findings_per_procedure
        and frames_per_finding (median, lowest, highest), size_by_morphology, normal_judged (of each study, lowest and
        median), and a row for each study.
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
        "size_by_morphology": _table(data),
        "described_findings": sum(size_of(f) != UNKNOWN and shape_of(f) != UNKNOWN for f in data.findings),
        "normal_judged": _spread(normal),
        "studies": [_study(data, int(study), per_study[int(study)]) for study in studies],
    }


def _study(data: EvaluationSet, study: int, findings: int) -> dict[str, Any]:
    frames = data.everything
    entry = frames.studies[study]
    mine = frames.select(frames.study == study)
    return {"study": entry.study_id, "patient": entry.patient_id, "findings": findings, "frames": mine.counts()}


def _table(data: EvaluationSet) -> list[dict[str, Any]]:
    """Rows of sizes, columns of shapes, both only as far as they occur."""
    counts = Counter((size_of(finding), shape_of(finding)) for finding in data.findings)
    shapes = sorted({shape for _, shape in counts}, key=lambda name: (name == UNKNOWN, name))
    sizes = [size for size in (*SIZES, UNKNOWN) if any(key[0] == size for key in counts)]
    return [{"size": size, **{shape: counts[size, shape] for shape in shapes}} for size in sizes]


def _spread(values: list[int]) -> dict[str, float]:
    return {
        "median": float(np.median(values)),
        "lowest": int(min(values)),
        "highest": int(max(values)),
        "mean": float(np.mean(values)),
    }
