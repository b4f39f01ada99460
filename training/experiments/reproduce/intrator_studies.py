"""The tracklets of real studies with boxes, for the tables of Intrator et al. 2023.

Where findings are named, tracklets of one finding are compared, as in the paper. Elsewhere each tracklet is cut in
three, and the first and the last part are two visits of its finding (ours). Every patient is evaluated by encoders that
others have trained.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import read_boxes, read_findings
from training.datasets.labels import read_labels
from training.datasets.manifest import Manifest, load_manifest
from training.errors import UserError
from training.experiments.engine import counted, files_digest
from training.experiments.reproduce.intrator_cells import IntratorSetting
from training.experiments.reproduce.phantom_setting import Cell, held_out_parts
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.reidentification.pseudo_visits import tracks_in_spans, two_visits
from training.reidentification.tracklets import Tracklets, cut_tracklets
from training.reidentification.visits import Visit, without_overlaps
from training.retrieval.study_pairs import read_pairs, with_joined_patients

ADENOMAS = ("AD", "adenoma")
"""Histology of REAL-Colon, and a class."""
FEWEST_OF_A_VISIT = 3
"""Boxes of an evaluated visit."""


def studies_key(config: ReproduceConfig) -> str:
    """What decides the data of a call with studies and boxes; empty for the phantom."""
    if config.studies is None or config.boxes is None:
        return ""
    said = "different classes" if config.different_classes else ""
    return files_digest(config.studies, config.boxes, *_further(config), said=" ".join((said, *config.classes)).strip())


def _further(config: ReproduceConfig) -> list[Path]:
    """The files beside manifest and boxes that decide the data."""
    files = (config.labels, config.pairs, _findings_file(config))
    return [file for file in files if file is not None]


def _findings_file(config: ReproduceConfig) -> Path | None:
    beside = config.labels.with_name("findings.csv") if config.labels is not None else None
    return beside if beside is not None and beside.is_file() else None


@dataclass(frozen=True)
class StudiesSetting(IntratorSetting):
    """The tracklets of studies that have boxes; there is no phantom."""

    @property
    def key(self) -> str:
        """What decides the data; which pairs are compared is chosen later."""
        return studies_key(self.config.model_copy(update={"different_classes": False, "classes": ()}))

    @property
    def whose_boxes(self) -> str:
        """Those that stand for the detector's."""
        return "those of readers"

    @property
    def notes(self) -> list[str]:
        """Sentences on the data, under the table."""
        count, positive = len(self.evaluated), ", ".join(self._wanted)
        parts = [
            f"The patients are evaluated in {counted(len(self.parts), 'part')}, each by encoders that the others have "
            "trained.",
            *([f"Adenoma stands for {positive}, Non-Adenoma for all else."] if self.has_classes else []),
        ]
        if self.is_named:
            return [f"Boxes or labels say which of the {count} tracklets show one finding.", *parts]
        classes, counts = np.unique(self.evaluated.classes, return_counts=True)
        listed = ", ".join(f"{name} {count // 2}" for name, count in zip(classes, counts, strict=True))
        return [
            f"The {count // 2} tracklets of {3 * FEWEST_OF_A_VISIT} boxes or more ({listed}) are cut in "
            "three as in the paper's training; the first and the last part are two visits of one finding. They are "
            "nearer in time, and more alike, than two visits that a tracker has lost in between.",
            "No two tracklets of a study are named as one finding, and "
            f"{'only those of different classes' if self.config.different_classes else 'all'} are taken for different "
            "ones.",
            *parts,
        ]

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        patients = counted(len(np.unique(self.evaluated.patients)), "patient")
        return f"studies: {self.phantom.manifest.name}, {counted(len(self._tracks), 'tracklet')}; {patients} evaluated"

    @cached_property
    def _manifest(self) -> Manifest:
        """The studies, with one patient for those of a pair."""
        manifest = load_manifest(self.phantom.manifest)
        return (
            with_joined_patients(manifest, read_pairs(self.config.pairs, manifest)) if self.config.pairs else manifest
        )

    @cached_property
    def _tracks(self) -> list[Visit]:
        boxes = read_boxes(self.phantom.labels)
        labels = read_labels(self.config.labels) if self.config.labels is not None else []
        fewest = self.budget.kept.fewest_detections
        tracks = tracks_in_spans(self._manifest, boxes, self.budget.tracker, fewest, labels)
        if not tracks:
            raise UserError(
                "No study has a tracklet of {count} boxes or more.",
                "Label findings with boxes in successive frames.",
                fewest,
            )
        return tracks

    @cached_property
    def _visits(self) -> list[Visit]:
        """The tracklets whose finding is named, study by study; of overlapping ones of a finding the longer one."""
        studies = dict.fromkeys(visit.study.study_id for visit in self._tracks)
        fewest, named = self.budget.evaluated.fewest_detections, [visit for visit in self._tracks if visit.finding]
        kept = [
            visit
            for name in studies
            for visit in without_overlaps([each for each in named if each.study.study_id == name])
        ]
        return [visit for visit in kept if len(visit.boxes) >= fewest]

    @cached_property
    def is_named(self) -> bool:
        """Whether a study has two tracklets of one named finding: then these are compared, as in the paper."""
        shown = [(visit.study.study_id, visit.finding) for visit in self._visits]
        return len(set(shown)) < len(shown)

    def _cut(self, visits: list[Visit]) -> Tracklets:
        budget = self.budget
        return cut_tracklets(visits, side_px=budget.crop_px, context=budget.context, reporter=self.reporter)

    @cached_property
    def kept(self) -> Tracklets:
        """All tracklets; those of the other patients train."""
        return self._cut(self._tracks)

    @cached_property
    def evaluated(self) -> Tracklets:
        """The tracklets of named findings, else the first and the last third of each tracklet that is long enough."""
        if self.is_named:
            return self._cut(self._visits)
        long = [visit for visit in self._tracks if len(visit.boxes) >= 3 * FEWEST_OF_A_VISIT]
        halves = [
            half
            for number, visit in enumerate(long)
            for half in two_visits(visit, visit.finding or f"tracklet {number}")
        ]
        if not halves:
            raise UserError(
                "No tracklet has {count} boxes, so none can be cut in three.",
                "Label findings with boxes in successive frames.",
                3 * FEWEST_OF_A_VISIT,
            )
        return self._cut(halves)

    def compared(self, cell: Cell) -> Cell:
        """A cell with the pairs that are compared: all of them, or without different tracklets of one class."""
        findings, classes = self.evaluated.findings[self.pairs], self.evaluated.classes[self.pairs]
        is_compared = (findings[:, 0] == findings[:, 1]) | (classes[:, 0] != classes[:, 1])
        if not self.config.different_classes or is_compared.all():
            return cell
        rows = np.flatnonzero(is_compared).tolist()
        similarities = {name: [values[row] for row in rows] for name, values in cell["similarities"].items()}
        lists = {name: [cell[name][row] for row in rows] for name in ("pairs", "is_same") if name in cell}
        return {**cell, **lists, "similarities": similarities}

    @property
    def parts(self) -> list[tuple[Tracklets, NDArray[np.int64]]]:
        """At most five parts of the evaluated patients, in order of their names."""
        result = []
        for held_out in held_out_parts(self.evaluated.patients.tolist()):
            training = self.kept.of(np.flatnonzero(~np.isin(self.kept.patients, held_out)))
            # A batch has one tracklet of each patient: two studies of a patient may show one finding.
            table = replace(training.table, procedures=training.patients)
            rows = np.flatnonzero(np.isin(self.evaluated.patients, held_out))
            result.append((replace(training, table=table), rows))
        return result

    @cached_property
    def _histology(self) -> dict[str, str]:
        """Finding -> its histology, where findings.csv beside the labels has it."""
        file = _findings_file(self.config)
        return {row.finding_id: row.histology for row in read_findings(file)} if file is not None else {}

    @property
    def _wanted(self) -> tuple[str, ...]:
        """Classes and histologies that take the place of adenomas."""
        return self.config.classes or ADENOMAS

    def is_positive(self, tracklets: Tracklets) -> NDArray[np.bool_]:
        """(T,) whether class or histology of each tracklet takes the place of adenomas."""
        names = zip(tracklets.classes.tolist(), tracklets.findings.tolist(), strict=True)
        wanted = set(self._wanted)
        return np.array([not wanted.isdisjoint((kind, self._histology.get(name))) for kind, name in names], np.bool_)
