"""The report's tables as CSV files, for further analysis."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from training.evaluation.evaluation_set import EvaluationSet
from training.evaluation.fold_run import FoldScores
from training.files.csv_text import CsvWriter
from training.files.outputs import written_beside


def write_tables(folder: Path, report: dict[str, Any], data: EvaluationSet, done: Sequence[FoldScores]) -> list[Path]:
    """folds.csv, classes.csv, review_budget.csv, imbalance.csv, findings.csv (where there are some), scores.csv."""
    written = [
        write_csv(folder / "folds.csv", *_folds(report)),
        write_csv(folder / "classes.csv", *_classes(report)),
        write_csv(
            folder / "review_budget.csv",
            ("share", "frame_sensitivity", "finding_sensitivity"),
            [list(row.values()) for row in report["review_budget"]["rows"]],
        ),
        write_csv(folder / "imbalance.csv", *_imbalance(report)),
        write_csv(folder / "scores.csv", *_scores(data, done)),
    ]
    if report["findings"]:
        written.append(write_csv(folder / "findings.csv", *_findings(report)))
    return written


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[Any]]) -> Path:
    """Write beside and rename; None is an empty cell."""
    with written_beside(path) as beside, beside.open("w", newline="", encoding="utf-8") as file:
        writer = CsvWriter(file)
        writer.writerow(header)
        writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    return path


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
    return ["class", *_in_parts(names)], rows


def _imbalance(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    names = [name for name, value in report["imbalance"][0].items() if isinstance(value, dict)]
    start = ["degree", "draws", "positives"]
    rows = [[*(row[name] for name in start), *_values(row, names)] for row in report["imbalance"]]
    return [*start, *_in_parts(names)], rows


def _findings(report: dict[str, Any]) -> tuple[list[str], list[list[Any]]]:
    found = report["findings"]
    levels = list(found["all"]["detected"])
    groups = [("all", [found["all"]]), *((name, found[name]) for name in _GROUPS)]
    rows = [
        [group, row.get("kind", ""), row.get("size", ""), row.get("morphology", ""), row["findings"]]
        + [row["detected"][level] for level in levels]
        for group, members in groups
        for row in members
    ]
    return ["rows", "kind", "size", "morphology", "findings", *(f"detected_at_{level}" for level in levels)], rows


_GROUPS = ("by_kind", "by_size", "by_morphology", "by_size_and_morphology")


def _scores(data: EvaluationSet, done: Sequence[FoldScores]) -> tuple[list[str], Iterable[list[Any]]]:
    frames = data.labelled
    header = ["seed", "fold", "study_id", "patient_id", "frame_index", "filename", "label", *frames.classes]

    def rows() -> Iterable[list[Any]]:
        for scores in done:
            for row, values in zip(scores.rows.tolist(), scores.scores.tolist(), strict=True):
                study = frames.studies[int(frames.study[row])]
                frame = int(frames.frame_index[row])
                file = data.filenames[frame] if data.filenames else ""
                where = [study.study_id, study.patient_id, frame, file]
                shown = [f"{value:.6f}" for value in values]
                yield [scores.seed, scores.fold + 1, *where, frames.classes[int(frames.label[row])], *shown]

    return header, rows()
