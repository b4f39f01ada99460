"""Placing new studies into an existing map, whose points all stay where they are."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.projection import pca, tsne, umap
from training.projection.config import ProjectConfig
from training.projection.map_file import ProjectionFile, common_model
from training.projection.sources import Rows, Source, chosen_rows, open_sources, parameters, threads_of
from training.runs.reporter import EndsAtOnce, Reporter
from training.texts import Text, count_text

PLACING_SAMPLE = 15_000
NEIGHBOURS, PERPLEXITY = 25, 5.0
ITERATIONS, LEARNING_RATE, MOMENTUM, MOST_GRADIENT = 250, 0.1, 0.8, 0.25
BATCH = 5000
"""New points know nothing of each other, so they can be placed in parts between which a cancel is looked for."""


def place(config: ProjectConfig, reporter: Reporter) -> ProjectionFile:
    """The map `config.onto` with the frames of studies that it does not show yet, saved as `config.out`.

    Raises:
        UserError: the map is unfinished, or of another model or space, or shows all these studies already.
        Cancelled: nothing is written.
    """
    if config.onto is None:
        raise ValueError("no map to place into")
    old = ProjectionFile.open(config.onto, with_basis=True)
    if not old.is_complete:
        raise UserError("The map {onto} is not finished.", "Finish it with --resume, then place into it.", config.onto)
    if old.method == "tsne":
        tsne.need_opentsne()
    sources, notes = _new_sources(config, old, reporter)
    common_model((Text("the map {name}", config.onto.name), sources[0].study_id), (old.model, sources[0].model))
    rows, lost = chosen_rows(sources, config, config.sample or (0 if old.method == "pca" else PLACING_SAMPLE))
    reduced, coordinates = _coordinates(old, rows, config, reporter)
    reporter.check()
    note = Text(
        "{count:,} frames of {studies} were placed into a map that was made without them.",
        len(rows),
        _studies(len(sources)),
    )
    kept = old.basis["reduced"]
    placed = replace(
        old,
        study_ids=(*old.study_ids, *(source.study_id for source in sources)),
        patient_ids=(*old.patient_ids, *(source.patient_id for source in sources)),
        study=np.concatenate([old.study, rows.study + np.int32(len(old.study_ids))]).astype(np.int32),
        frame_index=np.concatenate([old.frame_index, rows.frame_index]),
        video_seconds=np.concatenate([old.video_seconds, rows.video_seconds]),
        coordinates=np.concatenate([old.coordinates, coordinates]),
        basis={**old.basis, "reduced": np.concatenate([kept, reduced[:, : kept.shape[1]]])},
        parameters={
            **old.parameters,
            "files": {**old.parameters.get("files", {}), **parameters(config, sources)["files"]},
            "placed": [*old.parameters.get("placed", []), *(source.study_id for source in sources)],
        },
        notes=(*old.notes, *notes, *lost, note),
    )
    placed.save(config.out)
    return placed


AMONG = 10
"""Nearest frames of the sample, whose middle is a further frame's place."""


def with_rest(sample: ProjectionFile, config: ProjectConfig, reporter: Reporter) -> ProjectionFile:
    """The map of a sample, and up to `config.shown` frames of the same studies, saved as `config.out`.

    The sample's points do not move. Each further frame lies at the median of its ten nearest of the sample by principal
    coordinates: nothing is optimised, so that a million frames take minutes.

    Raises:
        Cancelled: the map stays that of the sample.
    """
    sources = open_sources(config)
    rows, _ = chosen_rows(sources, config, config.shown)
    every = np.concatenate([sample.study.astype(np.int64) << 32 | sample.frame_index, _keys(rows)])
    keys, first = np.unique(every, return_index=True)
    further = np.isin(_keys(rows), every[: len(sample)], invert=True)
    axes = pca.Pca(sample.basis["mean"], sample.basis["components"], np.zeros(len(sample.basis["components"])), 0.0)
    reduced = axes.transform(rows, EndsAtOnce(reporter), threads_of(config))
    if sample.method == "pca":
        coordinates = pca.two_axes(reduced)
    else:
        coordinates = _among(sample, reduced, further, EndsAtOnce(reporter))
    note = Text(
        "{count:,} frames lie among their nearest of the {sample:,} that the map was made of.",
        len(keys) - len(sample),
        len(sample),
    )
    result = replace(
        sample,
        study=(keys >> 32).astype(np.int32),
        frame_index=keys & 0xFFFFFFFF,
        video_seconds=np.concatenate([sample.video_seconds, rows.video_seconds])[first],
        coordinates=np.concatenate([sample.coordinates, coordinates])[first],
        basis={**sample.basis, "reduced": np.concatenate([sample.basis["reduced"], reduced])[first]},
        parameters={**sample.parameters, "further": len(keys) - len(sample)},
        notes=(*sample.notes, note),
    )
    result.save(config.out)
    return result


def _keys(rows: Rows) -> NDArray[np.int64]:
    """(N,) study and frame as one number, ascending."""
    return np.asarray(rows.study.astype(np.int64) << 32 | rows.frame_index)


def _among(
    sample: ProjectionFile, reduced: NDArray[np.float32], further: NDArray[np.bool_], reporter: Reporter
) -> NDArray[np.float32]:
    """(M, 2) for the rows (M, K) that are further ones (M,); others stay at zero."""
    from sklearn.neighbors import NearestNeighbors

    known = np.asarray(sample.basis["reduced"], np.float32)
    nearest = NearestNeighbors(n_neighbors=min(AMONG, len(known)), algorithm="brute").fit(known)
    result, asked = np.zeros((len(reduced), 2), np.float32), np.flatnonzero(further)
    for start in range(0, len(asked), BATCH):
        reporter.check()
        reporter.progress(start, len(asked), "frames", "placing")
        part = asked[start : start + BATCH]
        result[part] = np.median(sample.coordinates[nearest.kneighbors(reduced[part], return_distance=False)], axis=1)
    reporter.progress(len(asked), len(asked), "frames", "placing")
    return result


def _coordinates(
    old: ProjectionFile, rows: Rows, config: ProjectConfig, reporter: Reporter
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of the new frames the principal coordinates (M, K) on the map's axes, and (M, 2) on the map."""
    basis = old.basis
    axes = pca.Pca(basis["mean"], basis["components"], np.zeros(len(basis["components"])), 0.0)
    reduced = axes.transform(rows, reporter, threads_of(config))
    if old.method == "pca":
        return reduced, pca.two_axes(reduced)
    if old.method == "umap":
        return reduced, umap.place_points(old.coordinates, basis["reduced"], reduced[:, : basis["reduced"].shape[1]])
    return reduced, _place_all(old, reduced, config, EndsAtOnce(reporter))


def place_points(
    map_coordinates: NDArray[np.floating],
    map_reduced: NDArray[np.float32],
    reduced: NDArray[np.float32],
    threads: int,
) -> NDArray[np.float32]:
    """t-SNE coordinates (M, 2) of new points under fixed ones (Policar, Strazar and Zupan 2019, as in openTSNE).

    Each begins at the median of its 25 nearest points of the map, by principal coordinates (N, K) and (M, K), and is
    then optimised against the map alone.
    """
    from openTSNE import PartialTSNEEmbedding
    from openTSNE.affinity import joint_probabilities_nn
    from scipy.sparse import csr_matrix
    from sklearn.neighbors import NearestNeighbors

    result = NearestNeighbors(n_neighbors=min(NEIGHBOURS, len(map_reduced)), algorithm="brute").fit(map_reduced)
    distances, nearest = result.kneighbors(reduced)
    centre = (map_coordinates.max(axis=0) + map_coordinates.min(axis=0)) / 2  # openTSNE's grid lies around zero
    fixed = np.asarray(map_coordinates - centre, np.float64)
    within = max(1, min(len(map_reduced), int(3 * PERPLEXITY)))
    probabilities = joint_probabilities_nn(
        nearest[:, :within].astype(np.int64),
        distances[:, :within].astype(np.float64),
        [tsne.usable_perplexity(PERPLEXITY, within + 1)],
        symmetrize=False,
        normalization="point-wise",
        n_reference_samples=len(map_reduced),
        n_jobs=threads,
    )
    start = np.median(fixed[nearest], axis=1)
    # The map is not optimised any more: what its own points are to each other is not asked for.
    fixed_map = tsne.held_embedding(csr_matrix((len(fixed), len(fixed))), fixed)
    placed = PartialTSNEEmbedding(start, fixed_map, probabilities)
    options: dict[str, Any] = {"momentum": MOMENTUM, "max_grad_norm": MOST_GRADIENT, "n_jobs": threads}
    placed = placed.optimize(ITERATIONS, learning_rate=LEARNING_RATE, **options)
    return np.asarray(placed + centre, np.float32)


def _place_all(
    old: ProjectionFile, reduced: NDArray[np.float32], config: ProjectConfig, reporter: Reporter
) -> NDArray[np.float32]:
    parts = []
    for start in range(0, len(reduced), BATCH):
        reporter.check()
        reporter.progress(start, len(reduced), "frames", "placing")
        part = reduced[start : start + BATCH]
        parts.append(place_points(old.coordinates, old.basis["reduced"], part, threads_of(config)))
    reporter.progress(len(reduced), len(reduced), "frames", "placing")
    return np.concatenate(parts)


def _new_sources(
    config: ProjectConfig, old: ProjectionFile, reporter: Reporter
) -> tuple[tuple[Source, ...], list[str]]:
    sources = open_sources(config)
    fresh = tuple(source for source in sources if source.study_id not in old.study_ids)
    if not fresh:
        raise UserError("The map {onto} already shows all of these studies.", "Choose other studies.", config.onto)
    known = len(sources) - len(fresh)
    if not known:
        return fresh, []
    note = count_text(
        "{studies} that the map already shows is left unchanged.",
        "{studies} that the map already shows are left unchanged.",
        known,
        _studies(known),
    )
    reporter.log(note)
    return fresh, [note]


def _studies(count: int) -> str:
    return count_text("{count} study", "{count} studies", count)
