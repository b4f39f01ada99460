"""The order of things of a map: frames, principal components at once, then t-SNE in steps, or placing into a map."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files import kinds, npz
from training.projection.config import ProjectConfig
from training.projection.map_file import ProjectionFile, read_arrays, write_arrays
from training.projection.pca import Pca, fit_pca, two_axes
from training.projection.sources import Rows, Source, asked_files, chosen_rows, open_sources, parameters, threads_of
from training.projection.tsne import (
    Affinities,
    Tsne,
    TsneState,
    find_affinities,
    first_state,
    need_opentsne,
    schedule_for,
)
from training.projection.umap import fit_umap, need_umap
from training.runs.reporter import Reporter
from training.texts import Text, count_text

FREE_TO_CHANGE = frozenset({"step"})


class Stages:
    """Beside `<out>` lies `<out>.parts/` until the map is finished.

    Every picture is a new file and the one before it stays, so that a reader never meets half of one.
    """

    def __init__(self, out: Path, reporter: Reporter) -> None:
        self.out, self._reporter = out, reporter
        self.folder = out.with_name(f"{out.name}.parts")
        self._pictures: list[Path] = []

    def first(self, projection: ProjectionFile) -> None:
        """Save the PCA as the map so far and hand it over; what an earlier map left beside it goes."""
        self.clear()
        self._pictures.clear()
        projection.save(self.out)
        self._picture(projection.coordinates, 0, projection.iterations, "PCA", None)
        if projection.is_complete:
            self.clear()

    def keep_affinities(self, affinities: Affinities) -> None:
        """Save what took long to find."""
        write_arrays(self.folder / "affinities.npz", vars(affinities), {})

    def step(self, tsne: Tsne, iterations: int, early: bool) -> None:
        """Save where the optimisation stands and hand over its picture."""
        state = tsne.state
        arrays = {name: getattr(state, name) for name in ("coordinates", "update", "gains")}
        facts = {"iteration": state.iteration, "kl_divergence": state.kl_divergence}
        write_arrays(self.folder / "state.npz", arrays, facts)
        what = "t-SNE, early exaggeration" if early else "t-SNE"
        self._picture(tsne.coordinates, tsne.iteration, iterations, what, tsne.kl_divergence)
        self._reporter.progress(tsne.iteration, iterations, "steps", "t-SNE")

    def last(self, projection: ProjectionFile, tsne: Tsne) -> ProjectionFile:
        """Save the map as it is now; where it is finished, nothing else stays."""
        done = replace(
            projection,
            # Stopped before the first step, it is still its PCA; t-SNE begins with the same in another scale.
            coordinates=tsne.coordinates if tsne.iteration else projection.coordinates,
            iteration=tsne.iteration,
            kl_divergence=tsne.kl_divergence if np.isfinite(tsne.kl_divergence) else None,
            is_complete=tsne.iteration >= projection.iterations,
        )
        done.save(self.out)
        if done.is_complete:
            self.clear()
        return done

    def stored_map(self, config: ProjectConfig) -> ProjectionFile | None:
        """The map to continue, finished or not; None where there is none.

        Raises:
            UserError: it is damaged, or was started with other settings.
        """
        if not self.out.is_file():
            return None
        result = ProjectionFile.open(self.out, with_basis=True)
        asked = config.model_dump(mode="json", include=config.model_fields_set)
        for name, value in asked.items():
            if name in result.parameters and name not in FREE_TO_CHANGE and result.parameters[name] != value:
                raise UserError(
                    "{out} was started with {name} = {parameter}, not {value}.",
                    "Start again without --resume.",
                    self.out,
                    name,
                    result.parameters[name],
                    value,
                )
        if not result.basis:  # ended before its principal components were found
            return None
        if result.parameters.get("files") != asked_files(config):
            raise UserError(
                "{out} was started with other studies.",
                "Start it without --resume, or place the new studies with --onto.",
                self.out,
            )
        return result

    def kept(self) -> tuple[Affinities, TsneState] | None:
        """Where an earlier call stopped; None where it must begin with the neighbours."""
        try:
            result, _ = read_arrays(self.folder / "affinities.npz", _AFFINITIES, "t-SNE")
            arrays, facts = read_arrays(self.folder / "state.npz", _STATE, "t-SNE")
            state: dict[str, Any] = {name: facts[name] for name in ("iteration", "kl_divergence")} | arrays
        except (UserError, KeyError):
            return None
        if not _is_matrix(**result, count=len(arrays["gains"])) or not _is_state(**state):
            return None
        return Affinities(**result), TsneState(**state)

    def clear(self) -> None:
        """Remove what only an unfinished map needs, and nothing else that lies there."""
        with suppress(OSError):
            for path in self.folder.iterdir():
                if kinds.MAP_PARTS.fullmatch(path.name):
                    path.unlink(missing_ok=True)
            self.folder.rmdir()

    def _picture(
        self, coordinates: NDArray[np.float32], iteration: int, iterations: int, what: str, kl: float | None
    ) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / f"map-{iteration:06d}.npy"
        np.save(path, coordinates, allow_pickle=False)
        self._pictures.append(path)
        for old in self._pictures[:-2]:
            old.unlink(missing_ok=True)
        del self._pictures[:-2]
        payload = {"path": str(path), "file": str(self.out), "iteration": iteration, "iterations": iterations}
        self._reporter.partial("map", {**payload, "what": what, "kl_divergence": kl})


_AFFINITIES = {
    "data": npz.Column("<f8 <f4", ("E",)),
    "indices": npz.Column("<i4 <i8", ("E",)),
    "indptr": npz.Column("<i4 <i8", ("P",)),
}
_STATE = {name: npz.Column("<f8 <f4", ("N", 2)) for name in ("coordinates", "update", "gains")}


def _is_matrix(data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], count: int) -> bool:
    """Whether these are the parts of a sparse (count, count) matrix: native code would read beyond its arrays."""
    if len(indptr) != count + 1 or indptr[0] != 0 or indptr[-1] != len(indices) or (np.diff(indptr) < 0).any():
        return False
    return bool(np.isfinite(data).all()) and (not len(indices) or 0 <= indices.min() <= indices.max() < count)


def _is_state(iteration: Any, kl_divergence: Any, **arrays: NDArray[Any]) -> bool:
    numbers = type(iteration) is int and iteration >= 0 and isinstance(kl_divergence, float | int)
    return numbers and all(bool(np.isfinite(array).all()) for array in arrays.values())


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
    """
    # openTSNE's threads wait for each other at every step; spinning, beside a window that plays, cost four times the
    # CPU time. Must be said before OpenMP is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if config.onto is not None:
        from training.projection.placing import place

        return summary(config, place(config, reporter))
    if config.method == "tsne":
        need_opentsne()
    elif config.method == "umap":
        need_umap()
    stages = Stages(config.out, reporter)
    stored = stages.stored_map(config) if config.resume else None
    has_rest = config.shown > 0 and (stored is None or "further" not in stored.parameters)
    if stored is not None and stored.is_complete and not has_rest:
        reporter.log(Text("{name} is already finished.", config.out.name))
        return summary(config, stored)
    projection = stored or begin(config, reporter, stages)
    if projection.is_complete:
        pass
    elif projection.method == "tsne":
        projection = _iterate(config, projection, reporter, stages)
    elif projection.method == "umap":
        projection = _umap(config, projection, reporter, stages)
    if has_rest and projection.is_complete and config.shown > len(projection):
        from training.projection.placing import with_rest

        projection = with_rest(projection, config, reporter)
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
    rows, notes = chosen_rows(sources, config, config.sample or (0 if config.method == "pca" else TSNE_SAMPLE))
    threads = threads_of(config)
    quick = rows.shape[0] * rows.shape[1] > QUICK_NUMBERS
    plain = _projection(config, sources, rows, notes)
    if quick:  # the axes of some frames are nearly those of all, and something is to be seen at once
        few = fit_pca(rows.some(QUICK_ROWS), 2, config.seed, reporter, threads)
        shown = two_axes(few.transform(rows, reporter, threads))
        stages.first(replace(plain, coordinates=shown, explained=few.explained, is_complete=False))
    pca = fit_pca(rows, 2 if config.method == "pca" else config.components, config.seed, reporter, threads)
    reduced = pca.transform(rows, reporter, threads)
    why_not = _why_pca(config, pca, len(rows))
    notes += [why_not] if why_not else []
    method = "pca" if why_not else config.method
    projection = replace(
        plain,
        coordinates=two_axes(reduced),
        method=method,
        iterations=_steps(config, len(rows))[1] if method == "tsne" else 0,
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


_METHODS = {"tsne": "t-SNE", "umap": "UMAP"}


def _why_pca(config: ProjectConfig, pca: Pca, count: int) -> str:
    """Why a map stays with its principal components though another method was asked for; "" where it does not."""
    if config.method == "pca":
        return ""
    if count < FEWEST_FOR_TSNE:
        return count_text(
            "{count} frame: too few for {method}, so this is their PCA.",
            "{count} frames: too few for {method}, so this is their PCA.",
            count,
            _METHODS[config.method],
        )
    if pca.total_variance <= 1e-12:
        return Text("All frames have the same embedding, so {method} is not computed.", _METHODS[config.method])
    return ""


def _steps(config: ProjectConfig, count: int) -> tuple[int, int]:
    """Steps of early exaggeration and all steps for so many frames; a longer exaggeration leaves the later ones."""
    usual, early = schedule_for(count), config.exaggeration_iterations
    if early is None:
        early = usual.exaggeration_iterations
    longer = max(early - usual.exaggeration_iterations, 0)
    return early, config.iterations or usual.iterations + longer


def _umap(config: ProjectConfig, projection: ProjectionFile, reporter: Reporter, stages: Stages) -> ProjectionFile:
    """UMAP as a whole: it gives nothing to show in between, and cannot be stopped before its end."""
    reporter.check()
    reporter.progress(0, 1, "maps", "UMAP")
    coordinates = fit_umap(projection.basis["reduced"], config.neighbours, config.min_distance, config.seed)
    reporter.progress(1, 1, "maps", "UMAP")
    done = replace(projection, coordinates=coordinates, is_complete=True)
    done.save(config.out)
    stages.clear()
    return done


def _iterate(config: ProjectConfig, projection: ProjectionFile, reporter: Reporter, stages: Stages) -> ProjectionFile:
    """Step by step to the end, or to where a stop is asked for."""
    kept = stages.kept()
    if kept is None:
        reduced = projection.basis["reduced"]
        reporter.progress(0, projection.iterations, "steps", "finding neighbours")
        affinities = find_affinities(reduced, config.perplexity, config.seed, threads_of(config))
        kept = affinities, first_state(reduced, config.seed)
        stages.keep_affinities(affinities)

    def check(iteration: int) -> None:
        reporter.check()
        reporter.progress(iteration, projection.iterations, "steps", "t-SNE")

    check(kept[1].iteration)
    tsne = Tsne(
        *kept,
        exaggeration_iterations=min(_steps(config, len(projection))[0], projection.iterations),
        exaggeration=config.exaggeration,
        threads=threads_of(config),
        check=check,
    )
    while tsne.iteration < projection.iterations and not reporter.stop_requested:
        early = tsne.is_exaggerating
        tsne.advance(min(config.step, projection.iterations - tsne.iteration))
        stages.step(tsne, projection.iterations, early)
        reporter.check()
    return stages.last(projection, tsne)
