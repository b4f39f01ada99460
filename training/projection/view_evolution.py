"""The views of the same few frames along a pretraining, and its memory's negatives (Vats et al. 2022, Fig. 3)."""

from pathlib import Path
from typing import Any

import numpy as np

from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.methods.registry import PRETRAINING
from training.pretraining.folder import PretrainFolder
from training.pretraining.view_probe import NEGATIVE, KeptViews
from training.projection import evolution, pca
from training.projection.config import EvolutionConfig
from training.runs.reporter import Reporter
from training.texts import Text

NEGATIVES = "negatives (memory)"
NOTE = (
    "Every point is a view of a frame, or the memory of another frame. The axes are the first two principal components "
    "of step {step}, the last one; every step is shown in them."
)


def make_view_evolution(config: EvolutionConfig, reporter: Reporter) -> dict[str, Any]:
    """Lay the vectors that a run kept into the plane of its last step; no network is needed.

    Raises:
        UserError: the run kept no views (only methods with a memory bank do), or none can be read.
    """
    steps, notes = _kept(config.run)
    last = steps[-1]
    axes = pca.fit_pca(last.vectors, 2, config.seed, reporter)
    manifest = PretrainFolder(config.run).manifest
    studies = load_manifest(manifest).studies if manifest.is_file() else ()
    numbers = range(int(last.study.max()) + 1)
    result = evolution.EvolutionFile(
        run=config.run.resolve().name,
        space="views",
        steps=np.array([each.step for each in steps], dtype=np.int64),
        coordinates=np.stack([axes.transform(each.vectors, reporter) for each in steps]).astype(np.float32),
        study_ids=tuple(studies[k].study_id if k < len(studies) else f"group {k}" for k in numbers),
        patient_ids=tuple(studies[k].patient_id if k < len(studies) else f"group {k}" for k in numbers),
        study=last.study.astype(np.int32),
        frame_index=last.frame_index,
        video_seconds=np.zeros(len(last.kind)),
        labels=tuple(_title(name) for name in last.kinds),
        label=last.kind.astype(np.int32),
        parameters={"seed": config.seed, "frames": int(np.count_nonzero(last.kind == 0))},
        notes=(Text(NOTE, last.step), *notes),
        explained=axes.explained,
    )
    result.save(config.out)
    reporter.partial("evolution", {"file": str(config.out), "step": last.step, "steps": len(steps)})
    return result.summary(config.out)


def _title(kind: str) -> str:
    """What a kind of kept vectors is called: "negative", or a view of a method."""
    result = (method.view_names[kind] for method in PRETRAINING.values() if kind in method.view_names)
    return NEGATIVES if kind == NEGATIVE else next(result, kind)


def _kept(run: Path) -> tuple[list[KeptViews], list[str]]:
    """Every step whose views can be read, ascending, and what is to be said of the others."""
    result: list[KeptViews] = []
    notes: list[str] = []
    for path in sorted(PretrainFolder(run).views.glob("step-*.npz"), reverse=True):
        try:
            views = KeptViews.open(path)
        except UserError as error:
            notes.append(error.message)
            continue
        if not len(views.vectors) or (result and views.vectors.shape != result[0].vectors.shape):
            notes.append(Text("The stored views {path} are not those of the last step and are left out.", path))
            continue
        result.append(views)
    result.sort(key=lambda each: each.step)
    if not result:
        raise UserError(
            "The run in {run} has no stored views: only {methods_with_views} store them.",
            "Show its embedding instead.",
            run,
            ", ".join(name for name, method in PRETRAINING.items() if method.has_bank),
        )
    return result, notes
