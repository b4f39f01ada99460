"""The report folder: files and tables, how a cross-validation is started in it, and which trainings are finished."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.datasets.folds import Fold
from training.datasets.score_table import write_scores
from training.errors import UserError, writing
from training.evaluation.evaluate_config import EvaluateConfig
from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.fold_run import FoldScores
from training.files import json_text, outputs
from training.files.csv_text import write_csv
from training.files.npz import Column, json_of, read_npz
from training.metrics.figures import ANY
from training.runs.folder import write_json
from training.runs.resume import is_empty, stored_command
from training.tasks import parts

FREE_TO_CHANGE = frozenset(
    {"resume", "out", "device", "threads", "memory_mib", "bootstraps", "imbalance_repeats", "shown", "findings"}
    | {"log_to", "record_host"}
    | {"studies", "labels", "images"}
)
"""Settings in which a resumed cross-validation may differ: none changes a finished training, and of files that moved
the content is compared."""

_TRAINING = {
    "rows": Column("<i8", ("m",)),
    "scores": Column("<f4", ("m", "C")),
    "told": Column("U", ()),
    "absent": Column("<i8", ("n",), is_optional=True),
    "absent_scores": Column("<f4", ("n", "C"), is_optional=True),
}


class ReportFolder:
    """Paths and small files of one cross-validation."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.split = path / "split.json"
        self.report = path / "report.json"
        self.page = path / "report.html"
        self.trainings = parts.shared(path / "trainings")
        self.pretrained = parts.shared(path / "pretrained")
        self.pages = parts.shared(path / "pages")

    @property
    def has_results(self) -> bool:
        """True once a training or a pretraining is kept."""
        return any(any(folder.glob("*")) for folder in (self.trainings, self.pretrained))

    def begin(self, config: EvaluateConfig) -> None:
        """Make the folder, or resume it where `resume` says so.

        Raises:
            UserError: it holds something else, or was started with other settings or labels.
        """
        is_started = config.resume and stored_command(self.path) == "evaluate"
        if config.resume and self.config.is_file() and (self.has_results or not is_started):
            self._check_same(config)
            return
        if not is_empty(self.path) and not is_started:
            raise UserError("The report folder {path} is not empty.", "Choose another one, or use --resume.", self.path)
        where = {"images": str(config.images.resolve())} if config.images else {}
        settings = {**config.model_dump(mode="json"), **where}
        content = {"command": "evaluate", "config": settings, "inputs": _digests(config)}
        with writing(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            write_json(self.config, content)

    def _check_same(self, config: EvaluateConfig) -> None:
        try:
            stored = json_text.read_json_object(self.config)
            settings, inputs = dict(stored["config"]), dict(stored["inputs"])
        except (UserError, ValueError, KeyError, TypeError) as error:
            raise UserError(
                "The report folder {path} is incomplete: its config.json is missing or damaged.",
                "Start again in another folder.",
                self.path,
            ) from error
        asked = config.model_dump(mode="json", exclude=set(FREE_TO_CHANGE))
        if asked.keys() - settings.keys():
            raise UserError(
                "The cross-validation in {path} was started by an older version, whose defaults were others.",
                "Start another one.",
                self.path,
            )
        for name, value in asked.items():
            if settings.get(name) != value:
                raise UserError(
                    "The cross-validation in {path} was started with {name} = {settings}, not {value}.",
                    "Resume it with its own settings, or start another one.",
                    self.path,
                    name,
                    settings.get(name),
                    value,
                )
        for name, digest in _digests(config).items():
            if inputs.get(name) != digest:
                raise UserError(
                    "The {name} have changed since the cross-validation in {path} was started.",
                    "Start again in another folder.",
                    name,
                    self.path,
                )

    def write_split(self, kind: str, folds: Sequence[Fold]) -> None:
        """Write split.json: who is held out in which fold."""
        rows = [
            {
                "fold": fold.number,
                "training_patients": list(fold.training_patients),
                "held_out_patients": list(fold.held_out_patients),
            }
            for fold in folds
        ]
        write_json(self.split, {"kind": kind, "folds": rows})

    def keep(self, scores: FoldScores) -> None:
        """Write a finished training beside and rename it."""
        path = self._training(scores.fold, scores.seed)
        path.parent.mkdir(exist_ok=True)
        facts = json.dumps({"learned_from": scores.learned_from, "steps": scores.steps, "start": scores.start})
        with outputs.written_beside(path) as beside, beside.open("wb") as file:
            names = ("absent", "absent_scores") if len(scores.absent) else ()
            absent: dict[str, Any] = {name: getattr(scores, name) for name in names}
            np.savez(file, rows=scores.rows, scores=scores.scores, told=np.array(facts), **absent)

    def finished(self, fold: int, seed: int) -> FoldScores | None:
        """A training that was kept; None where there is none or the file is damaged (it is trained again)."""
        path = self._training(fold, seed)
        try:
            file = read_npz(path, _TRAINING, "training")
            facts: dict[str, Any] = json_of(file["told"])
            if (file["rows"] < 0).any() or (np.diff(file["rows"]) <= 0).any() or not np.isfinite(file["scores"]).all():
                return None
            if "absent" in file:
                absent, others = file["absent"], file["absent_scores"]
                if not np.isfinite(others).all() or (absent <= 0).any() or (absent >= others.shape[1]).any():
                    return None
            facts |= {name: file[name] for name in ("absent", "absent_scores") if name in file}
            return FoldScores(fold, seed, file["rows"], file["scores"], **facts)
        except (UserError, ValueError, TypeError, KeyError):
            return None

    def _training(self, fold: int, seed: int) -> Path:
        return self.trainings / f"fold-{fold:02}-seed-{seed}.npz"


def _digests(config: EvaluateConfig) -> dict[str, str]:
    """SHA-256 of what says which frame is what."""
    inputs = {"labels": config.labels, "studies": config.studies}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest() for name, path in inputs.items() if path and path.is_file()
    }


def write_tables(folder: Path, report: dict[str, Any], data: EvaluationSet, done: Sequence[FoldScores]) -> list[Path]:
    """folds.csv, classes.csv, groups.csv, review_budget.csv, imbalance.csv, scores.csv, and where there are some
    findings.csv, sources.csv, operating_points.csv, false_positives.csv and calibration.csv."""
    written = [
        write_csv(folder / "folds.csv", *_folds(report)),
        write_csv(folder / "classes.csv", *_classes(report)),
        write_csv(
            folder / "review_budget.csv",
            ("share", "frame_sensitivity", "finding_sensitivity"),
            [list(row.values()) for row in report["review_budget"]["rows"]],
        ),
        write_csv(folder / "imbalance.csv", *_imbalance(report)),
        write_scores(folder / "scores.csv", data.labelled, data.labelled.classes, done, data.filenames),
    ]
    if report["findings"]:
        written.append(write_csv(folder / "findings.csv", *_findings(report)))
    if report["within_source"]:
        written.append(write_csv(folder / "sources.csv", *_sources(report)))
    if points := report["operating_points"].get("rows"):
        columns = [name for name in points[0] if name != "folds"]
        rows = [[row[name] for name in columns] for row in points]
        written.append(write_csv(folder / "operating_points.csv", columns, rows))
    if groups := report["groups"]:
        written.append(write_csv(folder / "groups.csv", list(groups[0]), [list(row.values()) for row in groups]))
    if reached := report["fixed_false_positives"]:
        columns = ["class", "source", "frames", "patients", *reached[0]["rates"][0]]
        rows = [[*list(row.values())[:4], *each.values()] for row in reached for each in row["rates"]]
        written.append(write_csv(folder / "false_positives.csv", columns, rows))
    if classes := report["calibration"].get("classes"):
        columns = ["class", *(name for name in next(iter(classes.values())) if name != "bins")]
        rows = [[name, *(row[each] for each in columns[1:])] for name, row in classes.items()]
        written.append(write_csv(folder / "calibration.csv", columns, rows))
    return written


_PARTS = ("mean", "deviation")


def _in_parts(names: Sequence[str]) -> list[str]:
    return [f"{name}_{part}" for name in names for part in _PARTS]


def _values(row: Mapping[str, Any], names: Sequence[str]) -> list[Any]:
    return [row[name][part] for name in names for part in _PARTS]


def _folds(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    names = list(report["mean"])
    rows = [
        [row["fold"] + 1, row["seed"], len(row["patients"]), row["learned_from"], row["steps"]]
        + [row["figures"][name] for name in names]
        for row in report["folds_detail"]
    ]
    return ["fold", "seed", "patients", "learned_from", "steps", *names], rows


def _classes(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    names = list(next(iter(report["per_class"].values()), {}))
    rows = [[label, *_values(row, names)] for label, row in report["per_class"].items()]
    between = list(report["intervals"].get(ANY, {}))
    for row in rows if between else ():
        mine = report["intervals"].get(row[0], {})
        row += [mine[name][end] if name in mine else None for name in between for end in ("low", "high")]
    return ["class", *_in_parts(names), *(f"{name}_{end}" for name in between for end in ("low", "high"))], rows


def _sources(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    """A row for each class and source."""
    columns = ["auc", "low", "high", "frames", "patients", "normal_frames", "normal_patients"]
    rows = [
        [name, source, *(cell[column] for column in columns)]
        for name, row in report["within_source"]["classes"].items()
        for source, cell in row["sources"].items()
    ]
    return ["class", "source", *columns], rows


def _imbalance(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    names = [name for name, value in report["imbalance"][0].items() if isinstance(value, dict)]
    start = ["degree", "draws", "positives"]
    rows = [[*(row[name] for name in start), *_values(row, names)] for row in report["imbalance"]]
    return [*start, *_in_parts(names)], rows


def _findings(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    result = report["findings"]
    levels = list(result["all"]["detected"])
    groups = [("all", [result["all"]]), *((name, result[name]) for name in _GROUPS)]
    rows = [
        [group, row.get("kind", ""), row.get("size", ""), row.get("morphology", ""), row["findings"]]
        + [row["detected"][level] for level in levels]
        for group, members in groups
        for row in members
    ]
    return ["rows", "kind", "size", "morphology", "findings", *(f"detected_at_{level}" for level in levels)], rows


_GROUPS = ("by_kind", "by_size", "by_morphology", "by_size_and_morphology")
