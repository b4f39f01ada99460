"""The order of things of a map: frames, principal components at once, then t-SNE in steps, or placing into a map."""

import os
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.projection.chosen import chosen_rows, parameters, threads_of
from training.projection.config import ProjectConfig
from training.projection.file import ProjectionFile
from training.projection.matrix import ArrayMatrix
from training.projection.pca import Pca, fit_pca
from training.projection.rows import Rows
from training.projection.sources import Source, open_sources
from training.projection.stages import Stages
from training.projection.tsne import Tsne, find_affinities, first_state, need_opentsne
from training.runs.reporter import Reporter
from training.texts import Text, count_text

TSNE_SAMPLE = 15_000
QUICK_NUMBERS, QUICK_ROWS = 4_000_000, 2000
"""Of a matrix of more numbers the first picture is made with the axes of some rows."""
FEWEST_FOR_TSNE = 8
"""Of fewer frames t-SNE says nothing that their principal components do not."""


def project(config: ProjectConfig, reporter: Reporter) -> dict[str, Any]:
    """Make, resume or extend a map; the result says what it is, in JSON values.

    A stop keeps the map as it is then and all that `resume` needs; a cancel leaves the last picture that was kept.

    Raises:
        UserError: an input that cannot be used, or studies that cannot share a map.
        Cancelled: the reporter asked to end at once.
    """
    # openTSNE's threads wait for each other at every step; spinning, beside a window that plays, cost four times the
    # CPU time. Must be said before OpenMP is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if config.onto is not None:
        from training.projection.placing import place

        return summary(config, place(config, reporter))
    if config.method == "tsne":
        need_opentsne()
    stages = Stages(config.out, reporter)
    stored = stages.stored_map(config) if config.resume else None
    if stored is not None and stored.is_complete:
        reporter.log(Text("{name} is already finished.", config.out.name))
        return summary(config, stored)
    projection = stored or begin(config, reporter, stages)
    if projection.method == "tsne":
        projection = _iterate(config, projection, reporter, stages)
    return summary(config, projection)


def summary(config: ProjectConfig, projection: ProjectionFile) -> dict[str, Any]:
    """What the command returns."""
    return {
        "out": str(config.out),
        "method": projection.method,
        "points": len(projection),
        "studies": len(projection.study_ids),
        "iteration": projection.iteration,
        "kl_divergence": projection.kl_divergence,
        "complete": projection.is_complete,
        "notes": list(projection.notes),
    }


def begin(config: ProjectConfig, reporter: Reporter, stages: Stages) -> ProjectionFile:
    """Choose the frames, find their principal components, and save them as the first picture."""
    sources = open_sources(config)
    rows, notes = chosen_rows(sources, config, config.sample or (TSNE_SAMPLE if config.method == "tsne" else 0))
    threads = threads_of(config)
    quick = rows.shape[0] * rows.shape[1] > QUICK_NUMBERS
    plain = _projection(config, sources, rows, notes)
    if quick:  # the axes of some frames are nearly those of all, and something is to be seen at once
        few = fit_pca(ArrayMatrix(rows.some(QUICK_ROWS)), 2, config.seed, reporter, threads)
        shown = _two(few.transform(rows, reporter, threads))
        stages.first(replace(plain, coordinates=shown, explained=few.explained, is_complete=False))
    pca = fit_pca(rows, config.components if config.method == "tsne" else 2, config.seed, reporter, threads)
    reduced = pca.transform(rows, reporter, threads)
    why_not = _why_no_tsne(config, pca, len(rows))
    notes += [why_not] if why_not else []
    method = "pca" if why_not else config.method
    projection = replace(
        plain,
        coordinates=_two(reduced),
        method=method,
        iterations=config.iterations if method == "tsne" else 0,
        is_complete=method == "pca",
        notes=tuple(notes),
        explained=pca.explained,
        basis={"mean": pca.mean, "components": pca.components, "reduced": reduced},
    )
    for note in notes:
        reporter.log(note)
    stages.first(projection)
    return projection


def _projection(config: ProjectConfig, sources: tuple[Source, ...], rows: Rows, notes: list[str]) -> ProjectionFile:
    """All that is known before any coordinates are."""
    return ProjectionFile(
        study_ids=tuple(source.study_id for source in sources),
        patient_ids=tuple(source.patient_id for source in sources),
        study=rows.study,
        frame_index=rows.frame_index,
        video_seconds=rows.video_seconds,
        coordinates=np.zeros((len(rows), 2), np.float32),
        method=config.method,
        model=sources[0].model,
        parameters=parameters(config, sources),
        notes=tuple(notes),
    )


def _why_no_tsne(config: ProjectConfig, pca: Pca, count: int) -> str:
    """Why a map stays with its principal components though t-SNE was asked for; "" where it does not."""
    if config.method == "pca":
        return ""
    if count < FEWEST_FOR_TSNE:
        return count_text(
            "{count} frame: too few for t-SNE, so this is their PCA.",
            "{count} frames: too few for t-SNE, so this is their PCA.",
            count,
        )
    if pca.total_variance <= 1e-12:
        return "All frames have the same embedding, so t-SNE is not computed."
    return ""


def _iterate(config: ProjectConfig, projection: ProjectionFile, reporter: Reporter, stages: Stages) -> ProjectionFile:
    """Step by step to the end, or to where a stop is asked for."""
    kept = stages.kept()
    if kept is None:
        reduced = projection.basis["reduced"]
        reporter.progress(0, projection.iterations, "steps", "finding neighbours")
        affinities = find_affinities(reduced, config.perplexity, config.seed, threads_of(config))
        kept = affinities, first_state(reduced, config.seed)
        stages.keep_affinities(affinities)
    reporter.check()
    tsne = Tsne(
        *kept,
        exaggeration_iterations=min(config.exaggeration_iterations, projection.iterations),
        exaggeration=config.exaggeration,
        threads=threads_of(config),
        check=reporter.check,
    )
    while tsne.iteration < projection.iterations and not reporter.stop_requested:
        early = tsne.is_exaggerating
        tsne.advance(min(config.step, projection.iterations - tsne.iteration))
        stages.step(tsne, projection.iterations, early)
        reporter.check()
    return stages.last(projection, tsne)


def _two(reduced: NDArray[np.float32]) -> NDArray[np.float32]:
    """(N, K) -> (N, 2): a missing second axis is 0."""
    flat = np.zeros((len(reduced), 2), np.float32)
    flat[:, : reduced.shape[1]] = reduced[:, :2]
    return flat
