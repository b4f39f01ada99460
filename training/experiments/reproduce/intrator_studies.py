"""The tracklets of real studies with boxes, for Tables 1 and 2 of Intrator et al. 2023.

Nobody has said which tracklets of real studies show one finding. So each tracklet is cut in three, the first and the
last part are two visits of its finding, and every patient is evaluated by encoders that others have trained (ours).
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from training.datasets.findings import read_boxes
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.experiments.engine import counted, files_digest
from training.experiments.reproduce.intrator_cells import IntratorSetting
from training.experiments.reproduce.phantom_setting import Cell
from training.experiments.reproduce.reproduce_config import ReproduceConfig
from training.reidentification.pseudo_visits import tracks_in_spans, two_visits
from training.reidentification.tracklets import Tracklets, cut_tracklets
from training.reidentification.visits import Visit

MOST_PARTS = 5
"""Parts of the patients; each is evaluated by encoders of the others."""
FEWEST_OF_A_VISIT = 3
"""Boxes of an evaluated visit."""


def studies_key(config: ReproduceConfig) -> str:
    """What decides the data of a call with studies and boxes; empty for the phantom."""
    if config.studies is None or config.boxes is None:
        return ""
    return files_digest(config.studies, config.boxes, said="different classes" if config.different_classes else "")


@dataclass(frozen=True)
class StudiesSetting(IntratorSetting):
    """The tracklets of studies that have boxes; there is no phantom."""

    @property
    def key(self) -> str:
        """What decides the data; which pairs are compared is chosen later."""
        return studies_key(self.config.model_copy(update={"different_classes": False}))

    @property
    def whose_boxes(self) -> str:
        """Those that stand for the detector's."""
        return "those of readers"

    @property
    def notes(self) -> list[str]:
        """Sentences on the data, under the table."""
        classes, counts = np.unique(self.evaluated.classes, return_counts=True)
        listed = ", ".join(f"{name} {count // 2}" for name, count in zip(classes, counts, strict=True))
        which = "only those of different classes are" if self.config.different_classes else "they are"
        return [
            f"The {len(self.evaluated) // 2} tracklets of {3 * FEWEST_OF_A_VISIT} boxes or more ({listed}) are cut in "
            "three as in the paper's training; the first and the last part are two visits of one finding. They are "
            "nearer in time, and more alike, than two visits that a tracker has lost in between.",
            f"Nobody has said whether two tracklets of a study show one finding; {which} taken for different ones.",
            f"The patients are evaluated in {counted(len(self.parts), 'part')}, each by encoders that the others have "
            "trained.",
        ]

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        patients = counted(len(np.unique(self.evaluated.patients)), "patient")
        return f"studies: {self.phantom.manifest.name}, {counted(len(self._tracks), 'tracklet')}; {patients} evaluated"

    @cached_property
    def _tracks(self) -> list[Visit]:
        manifest, boxes = load_manifest(self.phantom.manifest), read_boxes(self.phantom.labels)
        tracks = tracks_in_spans(manifest, boxes, self.budget.tracker, self.budget.kept.fewest_detections)
        if not tracks:
            raise UserError(
                "No study has a tracklet of {count} boxes or more.",
                "Label findings with boxes in successive frames.",
                self.budget.kept.fewest_detections,
            )
        return tracks

    def _cut(self, visits: list[Visit]) -> Tracklets:
        budget = self.budget
        return cut_tracklets(visits, side_px=budget.crop_px, context=budget.context, reporter=self.reporter)

    @cached_property
    def kept(self) -> Tracklets:
        """All tracklets; those of the other patients train."""
        return self._cut(self._tracks)

    @cached_property
    def evaluated(self) -> Tracklets:
        """The first and the last third of each tracklet that is long enough."""
        long = [visit for visit in self._tracks if len(visit.boxes) >= 3 * FEWEST_OF_A_VISIT]
        halves = [half for number, visit in enumerate(long) for half in two_visits(visit, f"tracklet {number}")]
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
        patients = np.unique(self.evaluated.patients)
        result = []
        for part in range(min(MOST_PARTS, len(patients))):
            held_out = patients[part::MOST_PARTS]
            training = self.kept.of(np.flatnonzero(~np.isin(self.kept.patients, held_out)))
            # A batch has one tracklet of each patient: two studies of a patient may show one finding.
            table = replace(training.table, procedures=training.patients)
            rows = np.flatnonzero(np.isin(self.evaluated.patients, held_out))
            result.append((replace(training, table=table), rows))
        return result

    @property
    def has_positive_class(self) -> NDArray[np.bool_]:
        """No class stands for adenomas, so Tables 3 and 4 cannot be computed."""
        return np.zeros(len(self.evaluated), np.bool_)
