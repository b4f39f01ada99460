"""The report of a comparison: figures of each row and number of labels, as JSON, CSV and text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.experiments.engine import Spread, aligned, interval, machine, machine_sentence, with_interval
from training.experiments.few_labels.config import FewLabelsConfig
from training.files.csv_text import write_csv
from training.runs.folder import write_json

FIGURES = ("auc", "sensitivity")
COLUMNS = (
    "start and method",
    "labels",
    "AUC [95 % interval]",
    "less the first row",
    "deviation over draws",
    "worst draw",
    "sensitivity at 95 % specificity",
    "deviation",
    "worst draw",
    "seconds",
)


def make_report(config: FewLabelsConfig, cells: Sequence[Mapping[str, Any]], asked: int) -> dict[str, Any]:
    """The figures of each row and number of labels, from the draws of which every split is finished."""
    rows = []
    for row, count in product(config.rows, config.counts):
        mine = [cell for cell in cells if (cell["row"], cell["count"]) == (row, count)]
        splits, of_draw = {cell["split"] for cell in mine}, Counter(cell["draw"] for cell in mine)
        if whole := [cell for cell in mine if of_draw[cell["draw"]] == len(splits)]:
            first = [cell for cell in cells if (cell["row"], cell["count"]) == (config.rows[0], count)]
            less = None if row == config.rows[0] else _less_first(whole, first)
            rows.append({"row": row, "count": count, **_summary(whole), "less_first": less})
    return {
        "config": config.model_dump(mode="json"),
        "machine": machine(config.device, config.threads),
        "rows": rows,
        "cells": [dict(cell) for cell in cells],
        "finished": len(cells) == asked,
    }


def _less_first(cells: Sequence[Mapping[str, Any]], first: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """AUC less that of the first row with the same labels: mean, interval, and in how many trainings it is higher."""
    there = {(cell["split"], cell["draw"]) for cell in first}
    splits = {cell["split"] for cell in cells}
    draws = [draw for draw in {cell["draw"] for cell in cells} if all((split, draw) in there for split in splits)]
    if not draws:
        return None
    mine, other = (
        _values([cell for cell in part if cell["draw"] in draws and cell["split"] in splits], "auc")
        for part in (cells, first)
    )
    values = mine - other
    return {"mean": float(values.mean()), "interval": interval(values), "higher": int((values > 0).sum())}


def _values(cells: Sequence[Mapping[str, Any]], name: str) -> NDArray[np.float64]:
    """(splits, draws) of a figure."""
    splits, draws = (sorted({cell[key] for cell in cells}) for key in ("split", "draw"))
    values = np.zeros((len(splits), len(draws)))
    for cell in cells:
        values[splits.index(cell["split"]), draws.index(cell["draw"])] = cell[name]
    return values


def _summary(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean over splits and draws; a draw's figure is the mean over the splits."""
    result: dict[str, Any] = {
        "trainings": len(cells),
        "labels": float(np.mean([cell["labels"] for cell in cells])),
        "seconds": float(np.median([cell["seconds"] for cell in cells])),
    }
    for name in FIGURES:
        values = _values(cells, name)
        draws = values.mean(axis=0)
        result[name] = {
            "mean": float(values.mean()),
            "interval": interval(values),
            "deviation": Spread(draws.tolist()).deviation,
            "worst_draw": float(draws.min()),
            "worst_training": float(values.min()),
        }
    return result


def text_table(report: Mapping[str, Any]) -> str:
    """A Markdown table."""
    lines = aligned(COLUMNS, [_line(row) for row in report["rows"]])
    return f"{lines}\n\n* {machine_sentence(report.get('machine'))}"


def _line(row: Mapping[str, Any]) -> tuple[str, ...]:
    auc, sensitivity, less = row["auc"], row["sensitivity"], row["less_first"]
    numbers = (auc["deviation"], auc["worst_draw"], *(sensitivity[key] for key in ("mean", "deviation", "worst_draw")))
    return (
        row["row"],
        f"{row['labels']:.0f}" + ("" if row["count"] else " (all)"),
        with_interval(auc["mean"], auc["interval"], ".3f"),
        with_interval(less["mean"], less["interval"], "+z.3f") if less else "",
        *("" if number is None else f"{number:.3f}" for number in numbers),
        f"{row['seconds']:.0f}",
    )


def write_report(folder: Path, report: Mapping[str, Any]) -> None:
    """Write cells.csv, then report.json: where it is, the report is complete."""
    names = list(dict.fromkeys(name for cell in report["cells"] for name in cell))
    lines = [[cell.get(name, "") for name in names] for cell in report["cells"]]
    write_csv(folder / "cells.csv", names, lines)
    write_json(folder / "report.json", report)
