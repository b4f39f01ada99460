"""The report of a comparison: figures of each row and number of labels, as JSON, CSV and text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.evaluation.report_folder import write_csv
from training.experiments.engine import Spread, aligned
from training.experiments.few_labels.config import FewLabelsConfig
from training.runs.folder import write_json

RESAMPLES = 2000
FIGURES = ("auc", "sensitivity")
COLUMNS = (
    "start and method",
    "labels",
    "AUC [95 % interval]",
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
            rows.append({"row": row, "count": count, **_summary(whole)})
    return {
        "config": config.model_dump(mode="json"),
        "rows": rows,
        "cells": [dict(cell) for cell in cells],
        "finished": len(cells) == asked,
    }


def _summary(cells: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Mean over splits and draws; a draw's figure is the mean over the splits."""
    result: dict[str, Any] = {
        "trainings": len(cells),
        "labels": float(np.mean([cell["labels"] for cell in cells])),
        "seconds": float(np.median([cell["seconds"] for cell in cells])),
    }
    for name in FIGURES:
        splits, drawn = (sorted({cell[key] for cell in cells}) for key in ("split", "draw"))
        values = np.zeros((len(splits), len(drawn)))
        for cell in cells:
            values[splits.index(cell["split"]), drawn.index(cell["draw"])] = cell[name]
        draws = values.mean(axis=0)
        result[name] = {
            "mean": float(values.mean()),
            "interval": interval(values),
            "deviation": Spread(draws.tolist()).deviation,
            "worst_draw": float(draws.min()),
            "worst_training": float(values.min()),
        }
    return result


def interval(values: NDArray[np.float64]) -> tuple[float, float] | None:
    """95 % percentile interval of the mean, resampling splits and draws with replacement (ours).

    Args:
        values: (splits, draws)

    Returns:
        None for a single training.
    """
    splits, draws = values.shape
    if splits * draws == 1:
        return None
    rng = np.random.default_rng(43)
    means = [
        values[np.ix_(rng.integers(splits, size=splits), rng.integers(draws, size=draws))].mean()
        for _ in range(RESAMPLES)
    ]
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


def text_table(report: Mapping[str, Any]) -> str:
    """A Markdown table."""
    return aligned(COLUMNS, [_line(row) for row in report["rows"]])


def _line(row: Mapping[str, Any]) -> tuple[str, ...]:
    auc, sensitivity = row["auc"], row["sensitivity"]
    numbers = (auc["deviation"], auc["worst_draw"], *(sensitivity[key] for key in ("mean", "deviation", "worst_draw")))
    return (
        row["row"],
        f"{row['labels']:.0f}" + ("" if row["count"] else " (all)"),
        f"{auc['mean']:.3f}" + ("" if auc["interval"] is None else " [{:.3f}, {:.3f}]".format(*auc["interval"])),
        *("" if number is None else f"{number:.3f}" for number in numbers),
        f"{row['seconds']:.0f}",
    )


def write_report(folder: Path, report: Mapping[str, Any]) -> None:
    """Write cells.csv, then report.json: where it is, the report is complete."""
    names = list(dict.fromkeys(name for cell in report["cells"] for name in cell))
    lines = [[cell.get(name, "") for name in names] for cell in report["cells"]]
    write_csv(folder / "cells.csv", names, lines)
    write_json(folder / "report.json", report)
