"""The data of a cross-validation: labelled frames, their findings, and all frames before thinning.

An evaluation set with so many normal frames for each other one, in training and evaluation alike (Laiz, Fig. 13).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import FindingRow, check_findings, read_findings
from training.datasets.folds import Fold
from training.datasets.frame_store import FrameStore, load_frames
from training.datasets.image_set import FILL_IN_GROUP, copies_between_groups, read_image_set
from training.datasets.labelled_frames import LabelledFrames, collect_frames, target_classes
from training.datasets.labels import LabelRow, read_answers
from training.datasets.manifest import Manifest, load_manifest
from training.datasets.sampler import evenly
from training.errors import UserError
from training.evaluation.evaluate_config import EvaluateConfig
from training.metrics.protocol import draw
from training.runs.reporter import Reporter
from training.texts import Text

Load = Callable[[LabelledFrames, int, Path, Reporter], FrameStore]
"""Frames, side in px, spill file, reporter -> their pixels."""

WITHOUT_GROUPS = (
    "Name the column of the patient: --by COLUMN, or fill in the column group. If patients are unknown, split frames "
    "at random: --split random."
)
"""Hint of `evaluate` for images without a group."""


@dataclass(frozen=True)
class FindingFrames:
    """A finding and the frames that show it."""

    finding_id: str
    kind: str
    size_mm: float | None
    morphology: str
    study: int
    """Index into the studies."""
    rows: NDArray[np.int64]
    """Rows of the evaluation set."""


@dataclass(frozen=True)
class EvaluationSet:
    """M labelled frames, normal ones thinned evenly in time."""

    labelled: LabelledFrames
    weight: NDArray[np.float64]
    """(M,) how many labelled frames of its study and class each one stands for, >= 1."""
    findings: tuple[FindingFrames, ...]
    everything: LabelledFrames
    """All usable labelled frames, before thinning: what the dataset report counts."""
    load: Load
    filenames: tuple[str, ...] = ()
    """Of image sets: the file of each `frame_index`."""
    warnings: tuple[str, ...] = ()
    class_names: Mapping[str, str] = field(default_factory=dict)
    """Class of the evaluated model by label, where they differ."""

    def name_of(self, row: int) -> str:
        """A frame in words: its file, or its study and number."""
        frame = int(self.labelled.frame_index[row])
        study = self.labelled.studies[int(self.labelled.study[row])].study_id
        return self.filenames[frame] if self.filenames else Text("{study}, frame {frame:,}", study, frame)

    def restricted_to(self, store: FrameStore) -> "EvaluationSet":
        """The same without the frames that could not be read."""
        return self.selected(np.flatnonzero(np.isin(self.labelled.frame_key, store.labelled.frame_key)))

    def selected(self, rows: NDArray[np.int64]) -> "EvaluationSet":
        """Some rows (m,), ascending; a finding none of whose frames is among them is left out."""
        findings = [replace(finding, rows=_places(rows, finding.rows)) for finding in self.findings]
        seen = tuple(finding for finding in findings if len(finding.rows))
        return replace(self, labelled=self.labelled.select(rows), weight=self.weight[rows], findings=seen)


def evaluation_set(
    config: EvaluateConfig,
    reporter: Reporter,
    *,
    needs_normal: bool = True,
    one_label: bool = False,
    without_groups: str = FILL_IN_GROUP,
) -> EvaluationSet:
    """Read labels (and findings) of studies or of images, and thin the normal frames.

    Args:
        config: where the data are.
        reporter: receives what is left out.
        needs_normal: False for a comparison of kinds among themselves: no class is normal, and frames called normal
            are left out.
        one_label: leave out frames with several labels, for figures of one class each.
        without_groups: see `read_image_set`.

    Raises:
        UserError: labels that do not fit the data, or a class without usable frames.
    """
    is_studies = config.studies is not None
    read = _read_studies(config, needs_normal) if is_studies else _read_images(config, needs_normal, without_groups)
    everything, labels = read.frames.with_one_label() if one_label else read.frames, read.labels
    if sentence := everything.left_out.sentence():
        reporter.log(sentence)
    for name, count in everything.counts().items():
        if not count:
            raise UserError(
                Text("No usable frame is labelled {name}.", name), everything.left_out.sentence() or "Label some."
            )
    rows, weight = _thinned(everything, config.normal_per_study)
    labelled = everything.select(rows)
    findings = _findings(labelled, labels, _finding_rows(config, labels))
    if config.merged_class and needs_normal:
        number = labelled.frame_number
        weight = weight[np.unique(number, return_index=True)[1]]
        findings = tuple(replace(finding, rows=np.unique(number[finding.rows])) for finding in findings)
        labelled, everything = (frames.merged(config.merged_class) for frames in (labelled, everything))
    return EvaluationSet(labelled, weight, findings, everything, read.load, read.filenames, read.warnings)


class _Read(NamedTuple):
    frames: LabelledFrames
    load: Load
    labels: Sequence[LabelRow] = ()
    filenames: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def _read_studies(config: EvaluateConfig, needs_normal: bool) -> _Read:
    assert config.studies is not None
    manifest, labels = load_manifest(config.studies), read_answers(config.labels)
    named = {row.study_id for row in labels}
    counts = {study.study_id: study.frame_count() for study in manifest.studies if study.study_id in named}
    classes = target_classes(labels, config.classes, needs_normal=needs_normal)
    frames = collect_frames(manifest, labels, counts, classes)

    def load(chosen: LabelledFrames, size: int, spill: Path, reporter: Reporter) -> FrameStore:
        return load_frames(chosen, size, config.memory_mib << 20, spill, reporter, "reading labelled frames")

    used = Manifest(studies=tuple(study for study in manifest.studies if study.study_id in named))
    notes = (used.patients_note,) if used.patients_note and config.needs_patients else ()
    return _Read(frames, load, labels, warnings=notes)


def _read_images(config: EvaluateConfig, needs_normal: bool, without_groups: str) -> _Read:
    assert config.images is not None
    images = read_image_set(
        config.images,
        config.labels,
        normal_label=config.normal_label if needs_normal else "",
        classes=config.classes,
        needs_groups=config.needs_patients,
        sources=config.sources,
        by=config.by,
        without_groups=without_groups,
    )

    def load(chosen: LabelledFrames, size: int, spill: Path, reporter: Reporter) -> FrameStore:
        return images.load(chosen, size, config.memory_mib << 20, spill, reporter)

    where = "are in different groups" if config.needs_patients else "may be on both sides of a split"
    warnings = tuple(
        Text("{count} pairs of identical images {where}, such as {pair}.", len(pairs), where, " and ".join(pairs[0]))
        for pairs in (copies_between_groups(images),)
        if pairs
    )
    return _Read(images.labelled, load, filenames=images.filenames, warnings=warnings)


def _thinned(frames: LabelledFrames, per_study: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Rows kept, ascending, and how many frames each stands for."""
    weight = np.ones(len(frames))
    if not frames.has_normal:
        return np.arange(len(frames)), weight
    keep = frames.label > 0
    for study in np.unique(frames.study):
        normal = np.flatnonzero((frames.study == study) & (frames.label == 0))
        chosen = evenly(normal, per_study)
        keep[chosen] = True
        weight[chosen] = len(normal) / max(1, len(chosen))
    rows = np.flatnonzero(keep)
    return rows, weight[rows]


def _finding_rows(config: EvaluateConfig, labels: Sequence[LabelRow]) -> list[FindingRow]:
    beside = config.labels.with_name("findings.csv")
    path = config.findings or (beside if config.studies is not None and beside.is_file() else None)
    if path is None:
        return []
    rows = read_findings(path)
    check_findings(labels, rows, path)
    return rows


def _findings(
    frames: LabelledFrames, labels: Sequence[LabelRow], known: Sequence[FindingRow]
) -> tuple[FindingFrames, ...]:
    """Every finding that labels name and of which a usable frame carries the label; one without a row of its own has no
    size and no morphology."""
    number = {study.study_id: place for place, study in enumerate(frames.studies)}
    columns = zip(frames.study.tolist(), frames.frame_index.tolist(), frames.label.tolist(), strict=True)
    row_of = {key: row for row, key in enumerate(columns)}
    described = {(row.study_id, row.finding_id): row for row in known}
    shown: dict[tuple[str, str], set[int]] = {}
    kinds: dict[tuple[str, str], str] = {}
    for label in labels:
        if not label.finding_id or label.answer == "no" or label.is_normal or label.label not in frames.classes:
            continue
        key = label.study_id, label.finding_id
        kinds.setdefault(key, label.label)
        wanted = frames.classes.index(label.label)
        at = number[label.study_id]
        there = (row_of.get((at, frame, wanted), -1) for frame in range(label.start, label.stop))
        shown.setdefault(key, set()).update(row for row in there if row >= 0)
    result = []
    for key, rows in shown.items():
        row = described.get(key)
        size, morphology = (row.size_mm, row.morphology) if row else (None, "")
        if rows:
            array = np.array(sorted(rows), dtype=np.int64)
            result.append(FindingFrames(key[1], kinds[key], size, morphology, number[key[0]], array))
    return tuple(result)


def _places(rows: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where among some rows, ascending, those wanted are, which are ascending, too; without those that are not."""
    return np.flatnonzero(np.isin(rows, wanted))


def imbalanced_set(data: EvaluationSet, folds: list[Fold], degree: int, seed: int) -> tuple[EvaluationSet, list[Fold]]:
    """Draw frames so that every fold's held-out part has `degree` normal frames for each other one.

    The training part of a fold is the other folds' held-out parts, so it has the same degree. Patients stay in their
    folds whatever the degree and the seed. The paper does not say what it does where normal frames are too few: here
    fewer other frames are drawn, as in `draw` (ours).

    Args:
        data: M frames with a normal class.
        folds: of the M frames.
        degree: normal frames for each other one, at least 1.
        seed: of the draw.

    Raises:
        UserError: a fold has fewer than `degree` normal frames.
    """
    rng = np.random.default_rng([seed, degree, 13])
    positive = data.labelled.label > 0
    parts = []
    for fold in folds:
        chosen = draw(positive[fold.held_out], degree, rng)
        if chosen is None:
            raise UserError(
                "Fold {number} has fewer than {degree} normal frames, so there is no such imbalance in it.",
                "Label more normal frames, raise normal_per_study, or choose a smaller imbalance.",
                fold.number + 1,
                degree,
            )
        parts.append(fold.held_out[chosen])
    rows = np.sort(np.concatenate(parts))
    moved = [
        replace(fold, training=_places(rows, fold.training), held_out=_places(rows, fold.held_out)) for fold in folds
    ]
    # The frames that are left stand for those that were not drawn, too.
    kept, left = positive[rows], data.selected(rows)
    factors = [np.sum(positive == kind) / max(1, np.sum(kept == kind)) for kind in (False, True)]
    return replace(left, weight=left.weight * np.where(kept, factors[1], factors[0])), moved
