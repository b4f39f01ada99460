"""The report of a comparison of rules: JSON, a table of all draws, and a page with the learning curves."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from training.datasets.labelled_frames import LabelledFrames
from training.evaluation.page import page_environment, svg, with_own_ids
from training.experiments.active_learning.config import ActiveLearningConfig
from training.experiments.engine import (
    NOTHING,
    ReportFolder,
    aligned,
    interval,
    large_groups,
    machine,
    machine_sentence,
    report_head,
    with_interval,
)
from training.files.csv_text import write_csv
from training.files.outputs import write_text
from training.runs.reporter import Reporter
from training.version import versions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SCHEMA_VERSION = 1
TEMPLATES = Path(__file__).parent / "templates"
BASELINES = ("random", "random-by-group")
COLUMNS = (
    "rule",
    "labels",
    "AUC [95 % interval]",
    "less random",
    "less random by group",
    "worst draw",
    "findings",
    "classes",
)
FEW_DRAWS = 10
"""Below this, intervals come with a warning."""


def make_report(
    config: ActiveLearningConfig, frames: LabelledFrames, cells: Sequence[Mapping[str, Any]], asked: int
) -> dict[str, Any]:
    """The figures of each rule and number of labels; differences are paired by draw."""
    by_rule = {name: [cell for cell in cells if cell["strategy"] == name] for name in config.strategies}
    rows = [
        _row(name, count, at, by_rule)
        for name, mine in by_rule.items()
        if mine
        for at, count in enumerate(config.counts)
    ]
    warnings = large_groups(frames.patients, "frames")
    if config.draws < FEW_DRAWS:
        warnings.append(f"{config.draws} draws are few for an interval.")
    return {
        **report_head(SCHEMA_VERSION, finished=len(cells) == asked),
        "machine": machine(config.device, None),
        "versions": versions(),
        "config": config.model_dump(mode="json"),
        "data": {
            "frames": frames.counts(),
            "groups": len(np.unique(frames.patients)),
            "pool": [min(sizes), max(sizes)] if (sizes := [cell["pool"] for cell in cells]) else [0, 0],
        },
        "rows": rows,
        "cells": [dict(cell) for cell in cells],
        "warnings": warnings,
    }


def _row(name: str, count: int, at: int, by_rule: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Any]:
    values = _values(by_rule[name], "auc", at)
    return {
        "strategy": name,
        "labels": count,
        "draws": len(values),
        **_figure(np.array(list(values.values()))),
        "worst_draw": min(values.values()),
        "less": {each: _less(values, _values(by_rule.get(each, ()), "auc", at)) for each in BASELINES if each != name},
        "findings": float(np.mean(list(_values(by_rule[name], "findings", at).values()))),
        "classes": float(np.mean(list(_values(by_rule[name], "classes", at).values()))),
    }


def _values(cells: Sequence[Mapping[str, Any]], figure: str, at: int) -> dict[int, float]:
    """Draw -> figure after a round."""
    return {cell["draw"]: cell[figure][at] for cell in cells}


def _less(mine: Mapping[int, float], other: Mapping[int, float]) -> dict[str, Any] | None:
    both = sorted(mine.keys() & other.keys())
    if not both:
        return None
    values = np.array([mine[draw] - other[draw] for draw in both])
    return {**_figure(values), "higher": int((values > 0).sum()), "of": len(both)}


def _figure(values: NDArray[np.float64]) -> dict[str, Any]:
    return {"mean": float(values.mean()), "interval": interval(values[None])}


def text_table(report: Mapping[str, Any]) -> str:
    """A Markdown table."""
    lines = aligned(COLUMNS, [_line(row) for row in report["rows"]])
    return f"{lines}\n\n* {machine_sentence(report.get('machine'))}"


def _line(row: Mapping[str, Any]) -> tuple[str, ...]:
    less = [row["less"].get(name) for name in BASELINES]
    return (
        row["strategy"],
        str(row["labels"]),
        with_interval(row["mean"], row["interval"], ".3f"),
        *(with_interval(each["mean"], each["interval"], "+z.3f") if each else NOTHING for each in less),
        f"{row['worst_draw']:.3f}",
        f"{100 * row['findings']:.0f} %",
        f"{row['classes']:.1f}",
    )


def write_report(folder: ReportFolder, report: dict[str, Any], reporter: Reporter) -> None:
    """Write draws.csv, the page, and report.json last."""
    lines = [
        (cell["strategy"], cell["draw"], count, *(f"{cell[name][at]:.4f}" for name in ("auc", "findings", "classes")))
        for cell in report["cells"]
        for at, count in enumerate(report["config"]["counts"])
    ]
    write_csv(folder.path / "draws.csv", ("rule", "draw", "labels", "auc", "findings", "classes"), lines)
    folder.write(report, reporter, lambda: _write_page(folder.page, report))


def _write_page(path: Path, report: dict[str, Any]) -> None:
    plot = with_own_ids(svg(partial(_curves, report=report), 7.2), "curves")
    page = page_environment(TEMPLATES).get_template("active_learning.html.j2")
    lines = [_line(row) for row in report["rows"]]
    write_text(path, page.render(report=report, heads=COLUMNS, rows=lines, plot=plot))


def _curves(axes: "Axes", report: dict[str, Any]) -> None:
    """AUC against the number of labels; baselines dashed, the window's rule bold."""
    for name in report["config"]["strategies"]:
        mine = [row for row in report["rows"] if row["strategy"] == name]
        axes.plot(
            [row["labels"] for row in mine],
            [row["mean"] for row in mine],
            "--" if name in BASELINES else "-",
            linewidth=2.4 if name == "window" else 1.2,
            marker="o",
            ms=3,
            label=name,
        )
    axes.set_xlabel("labels")
    axes.set_ylabel("AUC, mean of the draws")
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1, 0.5))
