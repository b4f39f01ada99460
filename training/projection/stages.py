"""What is on disk while a map is being made: pictures for a reader, and all that going on needs."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.kinds import MAP_PARTS
from training.files.npz import Column
from training.projection.array_file import read_arrays, write_arrays
from training.projection.config import ProjectConfig
from training.projection.file import ProjectionFile
from training.projection.sources import asked_files
from training.projection.tsne import Affinities, Tsne, TsneState
from training.runs.reporter import Reporter

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
        found = ProjectionFile.open(self.out, with_basis=True)
        asked = config.model_dump(mode="json", include=config.model_fields_set)
        for name, value in asked.items():
            if name in found.parameters and name not in FREE_TO_CHANGE and found.parameters[name] != value:
                raise UserError(
                    "{out} was started with {name} = {parameter}, not {value}.",
                    "Start again without --resume.",
                    self.out,
                    name,
                    found.parameters[name],
                    value,
                )
        if not found.basis:  # ended before its principal components were found
            return None
        if found.parameters.get("files") != asked_files(config):
            raise UserError(
                "{out} was started with other studies.",
                "Start it without --resume, or place the new studies with --onto.",
                self.out,
            )
        return found

    def kept(self) -> tuple[Affinities, TsneState] | None:
        """Where an earlier call stopped; None where it must begin with the neighbours."""
        try:
            found, _ = read_arrays(self.folder / "affinities.npz", _AFFINITIES, "t-SNE")
            arrays, facts = read_arrays(self.folder / "state.npz", _STATE, "t-SNE")
            state: dict[str, Any] = {name: facts[name] for name in ("iteration", "kl_divergence")} | arrays
        except (UserError, KeyError):
            return None
        if not _is_matrix(**found, count=len(arrays["gains"])) or not _is_state(**state):
            return None
        return Affinities(**found), TsneState(**state)

    def clear(self) -> None:
        """Remove what only an unfinished map needs, and nothing else that lies there."""
        with suppress(OSError):
            for path in self.folder.iterdir():
                if MAP_PARTS.fullmatch(path.name):
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
    "data": Column("<f8 <f4", ("E",)),
    "indices": Column("<i4 <i8", ("E",)),
    "indptr": Column("<i4 <i8", ("P",)),
}
_STATE = {name: Column("<f8 <f4", ("N", 2)) for name in ("coordinates", "update", "gains")}


def _is_matrix(data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], count: int) -> bool:
    """Whether these are the parts of a sparse (count, count) matrix: native code would read beyond its arrays."""
    if len(indptr) != count + 1 or indptr[0] != 0 or indptr[-1] != len(indices) or (np.diff(indptr) < 0).any():
        return False
    return bool(np.isfinite(data).all()) and (not len(indices) or 0 <= indices.min() <= indices.max() < count)


def _is_state(iteration: Any, kl_divergence: Any, **arrays: NDArray[Any]) -> bool:
    numbers = type(iteration) is int and iteration >= 0 and isinstance(kl_divergence, float | int)
    return numbers and all(bool(np.isfinite(array).all()) for array in arrays.values())
