"""A data set of two lines and an engine that trains nothing: what a reproduction does around its trainings."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from training.datasets.labels import LabelRow, write_labels
from training.datasets.manifest import Manifest, StudyEntry, save_manifest
from training.errors import UserError
from training.experiments.reproduce.cells import Engine
from training.runs.reporter import Cancelled, Reporter, SilentReporter

AUC = {"cross-entropy": 0.6, "tl-bh": 0.7, "tl-ba": 0.8}


def write_tables(folder: Path, patients: int = 4, unlabelled: int = 0) -> tuple[Path, Path]:
    """Manifest and labels of studies that do not exist."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = [
        StudyEntry(study_id=f"S{n}", patient_id=f"P{n}", path=folder / f"S{n}.mp4", spans=())
        for n in range(patients + unlabelled)
    ]
    save_manifest(folder / "manifest.json", Manifest(studies=tuple(entries)))
    rows = [
        LabelRow(study_id=f"S{n}", start=start, stop=start + 1, label=label, finding_id="")
        for n in range(patients)
        for start, label in enumerate(("normal", "polyp"))
    ]
    write_labels(folder / "labels.csv", rows)
    return folder / "manifest.json", folder / "labels.csv"


def report_of(fields: Mapping[str, Any], settles: int = 4500) -> dict[str, Any]:
    """What a cross-validation of these fields says: a figure that method, seed and fold decide.

    `settles`: the steps of a training whose preset counts epochs.
    """
    base = AUC[fields["method"]] + (0.05 if fields["init"] != "random" else 0.0)
    details = [
        {
            "fold": fold,
            "seed": fields["seed"],
            "figures": {"auc": base + 0.01 * fold, "sensitivity_at_95": None, "accuracy": 0.5},
            "classes": {"polyp": {"f1": 0.25, "mcc": 0.125}},
        }
        for fold in range(fields["folds"])
    ]
    return {
        "finished": True,
        "classes": ["normal", "polyp"],
        "steps": [fields["steps"] or settles],
        "folds_detail": details,
        "findings": {},
        "imbalance": [],
    }


class FakeEngine:
    """Remembers what it was asked for; a stop may be asked for in a given call."""

    def __init__(
        self,
        reporter: "StoppableReporter | None" = None,
        stop_at: int | None = None,
        fails: Collection[str] = (),
        settles: int = 4500,
        studies: int = 100,
    ) -> None:
        self._studies = studies
        self._fails, self._settles = fails, settles
        self.pretrained: list[dict[str, Any]] = []
        self.evaluated: list[dict[str, Any]] = []
        self._reporter = reporter
        self._stop_at = stop_at

    def engine(self) -> Engine:
        """The engine that cells take."""
        return Engine(self._pretrain, self._evaluate, Engine(self._check, self._check))

    def _check(self, fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
        assert not Path(fields["out"]).exists()
        if fields.get("sequences", 1) > self._studies and fields.get("sequence_source", "studies") == "studies":
            raise UserError("Too few studies.")
        return {"finished": False}

    def _pretrain(self, fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
        self.pretrained.append(dict(fields))
        Path(fields["out"]).mkdir(parents=True, exist_ok=True)
        return {"finished": True}

    def _evaluate(self, fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
        self.evaluated.append(dict(fields))
        Path(fields["out"]).mkdir(parents=True, exist_ok=True)
        if fields["method"] in self._fails:
            raise UserError("The loss diverged.")
        if self._reporter is not None and len(self.evaluated) == self._stop_at:
            self._reporter.stop_requested = True
            raise Cancelled
        return report_of(fields, self._settles)


class StoppableReporter(SilentReporter):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.stop_requested = False
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        """Keep the line."""
        self.lines.append(line)
