"""Frames of which a reader said that a class is not there: a run learns from them for that class only.

They are never part of a batch: what they show besides is unknown. The classifier's row of the class is fitted to them
when the network is trained; see `training.models.logistic.fit_absent`.

Embeddings of labelled frames: read from the files of scored studies, computed where there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from training.datasets import frame_store, sampler
from training.datasets.labelled_frames import LabelledFrames
from training.embeddings.stored import StoredEmbeddings
from training.models.config import ModelConfig
from training.models.logistic import AbsentClasses
from training.models.scores import ScoreKind
from training.runs.reporter import Reporter
from training.texts import Text

if TYPE_CHECKING:
    from training.finetuning.config import FinetuneConfig
    from training.finetuning.folder import RunFolder
    from training.finetuning.training_set import TrainingSet
    from training.runs.reporter import Reporter

MOST = 2000
"""Rows of each side that are used, evenly in time; see `LabelledFrames.negatives`."""


def negatives_among(negatives: LabelledFrames, classes: Sequence[str]) -> LabelledFrames:
    """Those of classes that a model has, at most `MOST`, evenly in time."""
    kept = np.isin(negatives.label, [number for number, name in enumerate(negatives.classes) if name in classes])
    return negatives.select(sampler.evenly(np.flatnonzero(kept), MOST))


def distinct(negatives: LabelledFrames) -> LabelledFrames:
    """Each frame once, sorted by study and time; its label is the first of those that are not there."""
    return negatives.select(np.unique(frame_keys(negatives), return_index=True)[1])


def placed(
    negatives: LabelledFrames, frames: LabelledFrames, classes: Sequence[str]
) -> tuple[LabelledFrames, NDArray[np.int64]]:
    """Those of the negatives (N,) whose class is among `classes` and whose frame is there, and its row (N,).

    Args:
        negatives: one row for each frame and class.
        frames: those that could be read, each once, sorted by study and time.
        classes: names.
    """
    keys, wanted = frame_keys(frames), frame_keys(negatives)
    names = [number for number, name in enumerate(negatives.classes) if name in classes]
    kept = negatives.select(np.isin(wanted, keys) & np.isin(negatives.label, names))
    return kept, np.searchsorted(keys, frame_keys(kept))


def numbers_among(negatives: LabelledFrames, classes: Sequence[str]) -> NDArray[np.int64]:
    """(N,) the classes that are not there, as indices of `classes`, which contain them."""
    return np.array([list(classes).index(negatives.classes[label]) for label in negatives.label], dtype=np.int64)


def absent_classes(
    negatives: LabelledFrames,
    frames: LabelledFrames,
    embeddings: NDArray[np.floating],
    classes: Sequence[str],
    kind: ScoreKind,
) -> AbsentClasses | None:
    """What a classifier of `classes` learns from negatives; None if there is nothing.

    Args:
        negatives: one row for each frame and class.
        frames: N of these frames that could be read, each once, sorted by study and time.
        embeddings: (N, D)
        classes: of the classifier.
        kind: of its scores.
    """
    kept, rows = placed(negatives, frames, classes)
    return AbsentClasses(embeddings[rows], numbers_among(kept, classes), kind) if len(kept) else None


def joined(parts: Sequence[AbsentClasses | None]) -> AbsentClasses | None:
    """All parts that are something, which are of one kind; None if none is."""
    present = [part for part in parts if part is not None]
    if not present:
        return None
    embeddings, labels = (np.concatenate(arrays) for arrays in zip(*(part[:2] for part in present), strict=True))
    return AbsentClasses(embeddings, labels, present[0].kind)


def negatives_sentence(training: LabelledFrames, held_out: LabelledFrames) -> str:
    """Says of how many frames a class was rejected, and what they are used for; empty where there are none."""
    if not len(training) and not len(held_out):
        return ""
    learned, apart = (
        [Text("{count} {name}", count, Text(name)) for name, count in side.counts().items() if count] or "none"
        for side in (training, held_out)
    )
    return Text(
        "Frames on which a class is not there, used for that class only. Learned from: {learned}. Held out: {apart}.",
        learned,
        apart,
    )


@dataclass(frozen=True)
class NegativeFrames:
    """Negatives with their pixels."""

    negatives: LabelledFrames
    """One row for each frame and class."""
    frames: frame_store.FrameStore
    """Each frame once, as far as they could be read."""

    def without(self, patients: Collection[str]) -> NegativeFrames:
        """Those of other patients."""
        others = ~np.isin(self.negatives.patients, list(patients))
        return NegativeFrames(self.negatives.select(others), self.frames)

    def absent(self, embeddings: NDArray[np.float32], model: ModelConfig) -> AbsentClasses | None:
        """What the classifier of a model learns from them, given the embeddings (N, D) of `frames`."""
        return absent_classes(self.negatives, self.frames.labelled, embeddings, model.classes, model.scores)


def load_negatives(
    config: FinetuneConfig,
    negatives: LabelledFrames,
    size: int,
    folder: RunFolder,
    name: str,
    reporter: Reporter,
) -> NegativeFrames | None:
    """Read the frames at a size in px; None where there are none."""
    if not len(negatives):
        return None
    spill = folder.path / f"frames-{name}-negatives-{size}.tmp"
    what = "reading frames without a class"
    frames = frame_store.load_frames(distinct(negatives), size, config.memory_mib << 20, spill, reporter, what)
    return NegativeFrames(negatives, frames)


def negatives_of_sides(data: TrainingSet) -> tuple[LabelledFrames, LabelledFrames]:
    """Negatives to learn from, and those that are held out, of all classes.

    Those of a held-out patient are held out, all others learned from. With a split by time they belong to the side of
    the nearest labelled frame of their study; near held-out blocks they are left out as labelled frames are.
    """
    negatives, everything, split = data.everything.negatives, data.everything, data.split
    if negatives is None:
        nothing = everything.select(np.zeros(0, dtype=np.int64))
        return nothing, nothing
    if split.kind == "patients":
        held_out = np.isin(negatives.patients, split.held_out_patients)
        return negatives.select(~held_out), negatives.select(held_out)
    training, held_out = (np.zeros(len(negatives), dtype=bool) for _ in range(2))
    for number in np.unique(negatives.study):
        rows, here = np.flatnonzero(negatives.study == number), everything.study == number
        sides = (split.training, split.held_out, ~split.training & ~split.held_out)
        learned, apart, between = (
            distances(negatives.frame_index[rows], everything.frame_index[here & side]) for side in sides
        )
        training[rows] = (learned <= np.minimum(apart, between)) & (apart > split.gap_frames)
        held_out[rows] = apart < np.minimum(learned, between)
    return negatives.select(training), negatives.select(held_out)


def distances(frames: NDArray[np.int64], marks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Distance of each frame (N,) to the nearest mark, in frames; marks are sorted, and may be none."""
    far = np.iinfo(np.int64).max // 4
    bounded = np.concatenate([[-far], marks, [far]])
    after = np.searchsorted(bounded, frames)
    nearest: NDArray[np.int64] = np.minimum(bounded[after] - frames, frames - bounded[after - 1])
    return nearest


@dataclass(frozen=True)
class EmbeddedFrames:
    """Labelled frames that could be read, with their embeddings."""

    labelled: LabelledFrames
    """M frames."""
    embeddings: NDArray[np.float32]
    """(M, D)"""

    def among(self, frames: LabelledFrames) -> EmbeddedFrames:
        """Those that are among `frames`, which have the same studies."""
        rows = np.flatnonzero(np.isin(frame_keys(self.labelled), frame_keys(frames)))
        return EmbeddedFrames(self.labelled.select(rows), self.embeddings[rows])


def stored_rows(frames: LabelledFrames, stored: StoredEmbeddings) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Embeddings (M, D) as stored, NaN where there are none or the frame does not decode; and which (M,) are stored."""
    embeddings = np.full((len(frames), stored.embedding_size), np.nan, np.float32)
    is_stored = np.zeros(len(frames), dtype=bool)
    for number in np.unique(frames.study):
        study, rows = frames.studies[int(number)], frames.study == number
        embeddings[rows], is_stored[rows] = stored.rows(study.study_id, study.path, frames.frame_index[rows])
    return embeddings, is_stored


def count_missing(sides: Sequence[LabelledFrames], stored: StoredEmbeddings, reporter: Reporter) -> int:
    """Frames of these sides whose embeddings are not stored; `reporter` may end the counting."""
    missing = 0
    for side in sides:
        for number in np.unique(side.study):
            reporter.check()
            study, rows = side.studies[int(number)], side.study == number
            missing += int((~stored.has(study.study_id, study.path, side.frame_index[rows])).sum())
    return missing


def frame_keys(frames: LabelledFrames) -> NDArray[np.int64]:
    """(M,) one number for each frame of each study."""
    return frames.frame_key
