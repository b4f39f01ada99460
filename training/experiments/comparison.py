"""Compare reports of `evaluate` on the frames that all of them scored: paired bootstrap over patients."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.evaluation.evaluate_config import CompareConfig
from training.evaluation.page import interval, page_environment, share
from training.experiments.engine import aligned
from training.files.csv_text import read_dicts, write_csv
from training.files.json_text import read_json_object
from training.files.outputs import write_text
from training.metrics.patient_bootstrap import RankedScores, drawn_patients, with_interval
from training.metrics.within_source import SourcedFrames, any_finding, drawn_figures
from training.runs.folder import write_json
from training.runs.reporter import Reporter
from training.texts import Text

SPECIFICITY = 0.95
NOT_SAID = "all frames"
"""Source of frames of which no report names one."""
COLUMNS = ("figure", "report", "value", "low", "high", "less the first", "low", "high")


@dataclass(frozen=True)
class _Scores:
    """The frames of one report: a row for each frame and class, as in its scores.csv."""

    name: str
    classes: tuple[str, ...]
    rows: Mapping[tuple[str, ...], Mapping[str, str]]
    """(study, frame, file, label) -> the row of the first seed."""
    seeds: tuple[Mapping[tuple[str, ...], Mapping[str, str]], ...]


def compare_reports(config: CompareConfig, reporter: Reporter) -> dict[str, Any]:
    """Write comparison.json, comparison.csv and comparison.html.

    AUC of any finding and of each class against the normal frames of the same source and, where a report is a
    cross-validation, of the same fold; and the sensitivity of any finding at 95 % specificity. The intervals come from
    drawing the same patients for every report, so a difference has an interval of its own.

    Raises:
        UserError: a folder is no finished report, or the reports have no frame or class in common.
    """
    del reporter
    read = [_read(path) for path in config.reports]
    classes = [name for name in read[0].classes if all(name in other.classes for other in read)]
    keys = sorted(key for key in read[0].rows if key[-1] in classes and all(key in other.rows for other in read))
    if len(classes) < 2 or not keys:
        raise UserError(
            "The reports have no frames in common.",
            "Compare reports on the same data, with at least one class in common.",
        )
    frames = _frames(read[0], keys, classes)
    values = [_figures(_tracks(each, keys, classes), frames, keys, each, config) for each in read]
    names = _unique([path.resolve().name for path in config.reports])
    rows = [
        {
            "figure": figure,
            "report": name,
            **with_interval(mine[figure], "value"),
            "less_first": None if number == 0 else with_interval(mine[figure] - values[0][figure], "value"),
        }
        for figure in values[0]
        for number, (name, mine) in enumerate(zip(names, values, strict=True))
    ]
    result = {
        "reports": [{"name": name, **_titled(path)} for name, path in zip(names, config.reports, strict=True)],
        "classes": classes,
        "frames": len({key[:-1] for key in keys}),
        "left_out": [len({key[:-1] for key in each.rows} - {key[:-1] for key in keys}) for each in read],
        "patients": len(np.unique(frames.patients)),
        "bootstraps": config.bootstraps,
        "rows": rows,
    }
    _write(config.out, result)
    shown = ("figure", "report", "value [95 % interval]", "less the first")
    return {"text": aligned(shown, [_line(row) for row in rows]), "report": str(config.out / "comparison.html")}


def _read(path: Path) -> _Scores:
    report = read_json_object(path / "report.json", "report")
    if not (path / "scores.csv").is_file() or "classes" not in report:
        raise UserError("{path} is no report of evaluate.", "Give folders that evaluate has written.", path)
    by_seed: dict[str, dict[tuple[str, ...], Mapping[str, str]]] = {}
    with (path / "scores.csv").open(encoding="utf-8", newline="") as file:
        for row in read_dicts(file):
            key = (row["study_id"], row["frame_index"], row["filename"], row["label"])
            by_seed.setdefault(row["seed"], {})[key] = row
    seeds = tuple(by_seed.values())
    whole = set(seeds[0]).intersection(*seeds[1:])
    first = {key: row for key, row in seeds[0].items() if key in whole}
    return _Scores(path.name, tuple(report["classes"]), first, seeds)


def _frames(scores: _Scores, keys: Sequence[tuple[str, ...]], classes: Sequence[str]) -> SourcedFrames:
    rows = [scores.rows[key] for key in keys]
    sources = [row.get("source", "") for row in rows]
    return SourcedFrames(
        tuple(classes),
        np.array([classes.index(key[-1]) for key in keys], np.int64),
        np.array(sources if any(sources) else [NOT_SAID] * len(keys)),
        np.array([row["patient_id"] for row in rows]),
    )


def _tracks(scores: _Scores, keys: Sequence[tuple[str, ...]], classes: Sequence[str]) -> list[NDArray[np.float64]]:
    """(M, C) of each seed."""
    return [np.array([[float(seed[key][name]) for name in classes] for key in keys]) for seed in scores.seeds]


def _figures(
    tracks: list[NDArray[np.float64]],
    frames: SourcedFrames,
    keys: Sequence[tuple[str, ...]],
    scores: _Scores,
    config: CompareConfig,
) -> dict[str, NDArray[np.float64]]:
    """Figure -> (1 + bootstraps,): of all frames, then of each draw."""
    fold = np.array([int(scores.rows[key]["fold"]) for key in keys], np.int64)
    number = np.unique([key[:-1] for key in keys], axis=0, return_inverse=True)[1].reshape(-1)
    merged, any_tracks, once = any_finding(frames, tracks, number)
    drawn = drawn_patients(len(np.unique(frames.patients)), config.bootstraps, config.seed)
    owner = np.unique(merged.patients, return_inverse=True)[1]
    ranked = [RankedScores(merged.labels > 0, track[:, 1], (SPECIFICITY,)).drawn(owner, drawn) for track in any_tracks]
    names = {
        "sensitivity_at_95": Text("sensitivity at 95 % specificity"),
        "average_precision": Text("average precision"),
    }
    result = {title: np.mean([row[name] for row in ranked], axis=0) for name, title in names.items() if all(ranked)}
    of_any = drawn_figures(merged, any_tracks, drawn, fold[once])
    return result | of_any | drawn_figures(frames, tracks, drawn, fold)


def _titled(path: Path) -> dict[str, Any]:
    """What a report is of, in words."""
    report = read_json_object(path / "report.json", "report")
    model = report.get("model")
    title = (
        model["model_id"] if model else f"{report['method']}, started from {report['init']}, {report['folds']} folds"
    )
    return {"title": title, "created_utc": report["created_utc"]}


def _unique(names: Sequence[str]) -> list[str]:
    return [name if names.count(name) == 1 else f"{number} {name}" for number, name in enumerate(names, 1)]


def _write(folder: Path, result: dict[str, Any]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cells = [
        [row["figure"], row["report"], row["value"], row["low"], row["high"]]
        + (
            ["", "", ""]
            if row["less_first"] is None
            else [row["less_first"][name] for name in ("value", "low", "high")]
        )
        for row in result["rows"]
    ]
    write_csv(folder / "comparison.csv", COLUMNS, cells)
    page = page_environment(share=share, interval=interval).get_template("comparison.html.j2")
    write_text(folder / "comparison.html", page.render(result=result))
    write_json(folder / "comparison.json", result)


def _line(row: dict[str, Any]) -> tuple[str, ...]:
    less = row["less_first"]
    return (
        str(row["figure"]),
        row["report"],
        share(row["value"]) + _bracketed(row),
        "" if less is None or less["value"] is None else f"{less['value']:+z.3f}{_bracketed(less)}",
    )


def _bracketed(row: dict[str, Any]) -> str:
    return "" if row["low"] is None else f" [{interval(row)}]"
