"""The same frames under every kept step of a pretraining, in the axes of one PCA (Vats et al., Fig. 3); its file."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.compute.plan import choose_plan, inference_device
from training.datasets.frame_store import load_frames
from training.datasets.labelled_frames import LabelledFrames, check_ends
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import Manifest, check_spans, load_manifest
from training.errors import UserError
from training.files.npz import Column
from training.files.scratch import scratch_prefix
from training.inference.engine import embed_prepared
from training.pretraining.folder import PretrainFolder
from training.pretraining.pretrained import Pretrained
from training.projection import map_file, pca, sources
from training.projection.config import EvolutionConfig
from training.runs.reporter import Reporter
from training.texts import Text

ARRAYS = {
    "steps": Column("<i8", ("T",)),
    "coordinates": Column("<f4", ("T", "N", 2)),
    "study": Column("<i4", ("N",)),
    "frame_index": Column("<i8", ("N",)),
    "video_seconds": Column("<f8", ("N",)),
    "label": Column("<i4", ("N",)),
}


@dataclass(frozen=True, kw_only=True)
class EvolutionFile(map_file.ShownFrames):
    """N frames at T steps of a run (Vats et al., Fig. 3); `open` reads it, `save` writes it."""

    run: str
    """Name of the run folder."""
    space: str
    """ "backbone" or "projection"."""
    steps: NDArray[np.int64]
    """(T,) kept steps, ascending."""
    coordinates: NDArray[np.float32]
    """(T, N, 2): all in the axes of one PCA, fitted on the last step."""
    labels: tuple[str, ...]
    """Names; a frame's is `labels[label]`."""
    label: NDArray[np.int32]
    """(N,) row of `labels`; -1 where the frame has none."""

    @staticmethod
    def open(path: Path) -> "EvolutionFile":
        """Read it."""
        return map_file.open_file(path, ARRAYS, "evolution", "an evolution file", _made)

    def save(self, path: Path) -> Path:
        """Write it beside and rename; raises `UserError` where that cannot be done."""
        facts: dict[str, Any] = {name: list(getattr(self, name)) for name in _LISTED}
        facts |= {"kind": "evolution", "schema_version": map_file.SCHEMA_VERSION, "run": self.run, "space": self.space}
        facts |= {"parameters": dict(self.parameters), "is_complete": self.is_complete}
        return map_file.write_arrays(path, {name: getattr(self, name) for name in ARRAYS}, facts)

    def summary(self, path: Path) -> dict[str, Any]:
        """What the command returns of the file that was written, in JSON values."""
        return {
            "out": str(path),
            "points": len(self),
            "steps": self.steps.tolist(),
            "explained": list(self.explained),
            "complete": self.is_complete,
            "notes": list(self.notes),
        }


def _made(facts: map_file.Facts, arrays: map_file.Arrays) -> EvolutionFile:
    labels = facts["labels"]
    sound = map_file.is_sound(facts, arrays) and map_file.are_texts(labels, [facts["run"], facts["space"]])
    if not sound or not map_file.rows_fit(arrays["label"] + 1, ["", *labels]) or (np.diff(arrays["steps"]) <= 0).any():
        raise ValueError("wrong values")
    fields: dict[str, Any] = {name: facts[name] for name in ("run", "space", "parameters", "is_complete")}
    fields |= {name: tuple(facts[name]) for name in _LISTED} | arrays
    return EvolutionFile(**fields)


_LISTED = ("study_ids", "patient_ids", "labels", "notes", "explained")


def sampled_frames(studies: Path, labels: Path | None, count: int, seed: int, reporter: Reporter) -> LabelledFrames:
    """At most `count` frames, sorted by study and time.

    Their label is a row of `classes`, or -1 for none: the last class is "", which is what -1 then names.
    """
    manifest = load_manifest(studies)
    given = read_labels(labels) if labels else []
    frames = _frames(manifest, given, reporter)
    total = sum(map(len, frames.values()))
    if not total:
        raise UserError("{studies} names no frames.", "Give at least one study.", studies)
    names, of_study = sources.frame_labels(given, frames)
    study = np.repeat(np.arange(len(frames)), [len(each) for each in frames.values()])
    frame_index, label = np.concatenate(list(frames.values())), np.concatenate(list(of_study.values()))
    taken = sources.sample_frames(label, count, np.random.default_rng(seed))
    return LabelledFrames(
        manifest.studies, (*names, ""), study[taken], frame_index[taken], label[taken].astype(np.int64)
    )


def _frames(manifest: Manifest, labels: Sequence[LabelRow], reporter: Reporter) -> dict[str, NDArray[np.int64]]:
    """Study -> its frames inside the spans, ascending."""
    frames = {}
    for number, study in enumerate(manifest.studies):
        reporter.check()
        reporter.progress(number, len(manifest.studies), "studies", "reading the studies")
        with study.open_source() as source:
            check_spans(study.study_id, study.spans, len(source))
            check_ends(labels, {study.study_id: len(source)})
            frames[study.study_id] = np.flatnonzero(study.inside(len(source)))
    return frames


MEMORY_BYTES = 512 << 20
AXES_NOTE = "The axes are the first two principal components of step {step}, the last one; every step is shown in them."


def make_evolution(config: EvolutionConfig, reporter: Reporter) -> dict[str, Any]:
    """Embed a sample of frames with the weights of each kept step and save where they lie.

    The last step comes first, since its principal components are everybody's axes; then the others from the start.
    After each, a partial result "evolution" names the file, which is valid with the steps so far. A stop keeps it.

    Raises:
        UserError: no pretraining, no kept steps, or frames that cannot be read.
    """
    if config.space == "views":
        from training.projection.view_evolution import make_view_evolution

        return make_view_evolution(config, reporter)
    kept, notes = _kept(config.run)
    if config.studies is None:
        raise UserError("An evolution needs the studies whose frames it shows.", "Give their manifest: --studies.")
    frames = sampled_frames(config.studies, config.labels, config.sample, config.seed, reporter)
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("evolution")) as folder:
        spill, size = Path(folder) / "frames.tmp", kept[-1].config.input_size
        store = load_frames(frames, size, MEMORY_BYTES, spill, reporter, "reading frames")
        if len(store.labelled) < len(frames):
            notes.append(Text("{count} frames that cannot be decoded are left out.", len(frames) - len(store.labelled)))
        result = _walk(config, kept, store.labelled, store.pixels, notes, reporter)
        store = None  # type: ignore[assignment]  # a mapped file must be let go before it can be removed on Windows
    return result.summary(config.out)


def _kept(run: Path) -> tuple[list[Pretrained], list[str]]:
    """Every kept step that can be read, ascending, and what is to be said of the others."""
    newest = Pretrained.open(run)  # says what is wrong with the folder as a whole
    kept: list[Pretrained] = []
    notes: list[str] = []
    for step in PretrainFolder(run).kept_steps or [newest.step]:
        try:
            kept.append(Pretrained.open(run, step))
        except UserError:
            notes.append(Text("The weights of step {step} cannot be read and are left out.", step))
    if not kept:
        raise UserError("The pretraining in {run} has no stored weights that can be read.", "Choose another run.", run)
    return kept, notes


def _walk(
    config: EvolutionConfig,
    kept: list[Pretrained],
    frames: LabelledFrames,
    pixels: NDArray[np.uint8],
    notes: list[str],
    reporter: Reporter,
) -> EvolutionFile:
    """Step after step; the file is saved after each."""
    result = _empty(config, kept, frames, notes)
    axes: pca.Pca | None = None
    for done, pretrained in enumerate([kept[-1], *kept[:-1]]):
        reporter.progress(done, len(kept), "steps", "embedding each step")
        embeddings = _embed(config, pretrained, pixels, reporter)
        if axes is None:
            axes = pca.fit_pca(embeddings, 2, config.seed, reporter)
            result = replace(result, explained=axes.explained)
        result = _with_step(result, pretrained.step, pca.two_axes(axes.transform(embeddings, reporter)))
        result = replace(result, is_complete=len(result.steps) == len(kept))
        result.save(config.out)
        reporter.partial("evolution", {"file": str(config.out), "step": pretrained.step, "steps": len(result.steps)})
        if reporter.stop_requested:
            break
    reporter.progress(len(result.steps), len(kept), "steps", "embedding each step")
    return result


def _embed(
    config: EvolutionConfig, pretrained: Pretrained, pixels: NDArray[np.uint8], reporter: Reporter
) -> NDArray[np.float32]:
    """(N, S, S, 3) -> (N, D)"""
    device, note = inference_device(config.device)
    if note:
        reporter.log(note)
    plan = choose_plan(device, precision=config.precision)
    network = pretrained.network(with_head=config.space == "projection")
    return embed_prepared(network, plan, pixels, reporter)


def _with_step(found: EvolutionFile, step: int, coordinates: NDArray[np.float32]) -> EvolutionFile:
    """With one step more, in order."""
    place = int(np.searchsorted(found.steps, step))
    return replace(
        found,
        steps=np.insert(found.steps, place, step),
        coordinates=np.insert(found.coordinates, place, coordinates, axis=0),
    )


def _empty(config: EvolutionConfig, kept: list[Pretrained], frames: LabelledFrames, notes: list[str]) -> EvolutionFile:
    names = frames.classes[:-1]
    last = kept[-1]
    return EvolutionFile(
        run=config.run.resolve().name,
        space=config.space,
        steps=np.zeros(0, np.int64),
        coordinates=np.zeros((0, len(frames), 2), np.float32),
        study_ids=tuple(study.study_id for study in frames.studies),
        patient_ids=tuple(study.patient_id for study in frames.studies),
        study=frames.study.astype(np.int32),
        frame_index=frames.frame_index,
        video_seconds=_seconds(frames),
        labels=names,
        label=frames.label.astype(np.int32),
        parameters={"sample": config.sample, "seed": config.seed, "method": last.config.method},
        notes=(Text(AXES_NOTE, last.step), *notes),
        is_complete=False,
    )


def _seconds(frames: LabelledFrames) -> NDArray[np.float64]:
    """(N,)"""
    seconds = np.zeros(len(frames))
    for number in np.unique(frames.study).tolist():
        rows = frames.study == number
        with frames.studies[number].open_source() as source:
            seconds[rows] = source.index.video_seconds[frames.frame_index[rows]]
    return seconds
