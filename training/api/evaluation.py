"""A model's figures on labelled images that it was not trained on, and a report of them."""

import html
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.api.arguments import CallingReporter, OnEvent, PathLike, as_choice, as_path
from training.api.model import Model, load_model
from training.datasets.image_set import SEPARATOR, read_image_set
from training.errors import UserError, writing
from training.files import csv_text, outputs
from training.metrics.detector import each_frame_once, pooled_auc
from training.metrics.figures import ANY, class_figures, trust_warning
from training.runs.folder import write_json

BOOTSTRAPS = 1000
MEMORY_BYTES = 1536 << 20
NOTICE = "Research use only, not for diagnosis."


def evaluate(
    model: Model | PathLike,
    *,
    images: PathLike,
    labels: PathLike,
    by: str = "group",
    normal_label: str = "normal",
    on_event: OnEvent | None = None,
) -> "Evaluation":
    """Score labelled images and compare the scores with the labels; nothing is trained.

    Cross-validation, which trains a model for each fold, is `python -m training evaluate`.

    Args:
        model: a loaded model, or its folder.
        images: folder of the images.
        labels: CSV with the columns `filename`, `label` and `group`; a group is a patient.
        by: "group": draw whole groups for the interval of the AUC; "image": the images are independent, or their
            patients are unknown, and the file has no groups.
        normal_label: the label that means that nothing is there.
        on_event: receives progress.

    Raises:
        TypeError: an argument is not a path or a model.
        ValueError: an unknown `by`.
        UserError: the files do not fit together, or the model has no classes.
    """
    as_choice(by, "by", ("group", "image"))
    folder, table = as_path(images, "images"), as_path(labels, "labels")
    used = model if isinstance(model, Model) else load_model(as_path(model, "model"))
    if not used.classes:
        raise UserError(f"{used.model_id} is a pretraining without classes.", "Evaluate a fine-tuned model.")
    image_set = read_image_set(folder, table, normal_label=normal_label, needs_groups=by == "group")
    with tempfile.TemporaryDirectory() as scratch:
        reporter = CallingReporter(on_event)
        spill = Path(scratch) / "frames.tmp"
        store = image_set.load(image_set.labelled, used.input_size, MEMORY_BYTES, spill, reporter)
        scores = used.run(store.pixels).scores
    rows = store.labelled
    figures = class_figures(rows.classes, rows.label, rows.patients, used.classes, scores, frame=rows.frame_number)
    once, carried = each_frame_once(rows.label, rows.frame_number, len(rows.classes))
    frames, scores = rows.select(once), scores[once]
    pooled = pooled_auc(frames.label > 0, [1 - scores[:, 0]], frames.patients, BOOTSTRAPS, 0)
    figures[ANY] |= {"auc_low": pooled.low, "auc_high": pooled.high}
    names = tuple(image_set.filenames[row] for row in frames.frame_index.tolist())
    truth = tuple(SEPARATOR.join(frames.classes[label] for label in np.flatnonzero(has)) for has in carried)
    return Evaluation(used.model_id, by, used.classes, figures, names, truth, tuple(frames.patients.tolist()), scores)


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate` gives.

    Attributes:
        model_id: the model.
        by: as given.
        classes: the model's, the columns of `scores`.
        figures: for each class of the labels, and for "any" of them: `auc`, `sensitivity_at` a specificity, and the
            counts behind them; for "any" the 95 % interval `auc_low` to `auc_high`. None where there is no figure.
        filenames: `(M,)` of the images that could be read.
        labels: `(M,)` their labels; several of one image are joined by `|`.
        groups: `(M,)` their groups.
        scores: `(M, C)` in [0, 1].
    """

    model_id: str
    by: str
    classes: tuple[str, ...]
    figures: dict[str, dict[str, Any]]
    filenames: tuple[str, ...] = field(repr=False)
    labels: tuple[str, ...] = field(repr=False)
    groups: tuple[str, ...] = field(repr=False)
    scores: NDArray[np.float32] = field(repr=False)

    @property
    def warning(self) -> str:
        """A sentence where there is too little data to trust the figures; else empty."""
        return trust_warning(self.figures)

    def report(self, folder: PathLike) -> Path:
        """Write `report.html`, `figures.json` and `scores.csv` into a folder, which is made where missing.

        Returns:
            The page.

        Raises:
            UserError: the folder cannot be written.
        """
        out = outputs.check_output_folder(as_path(folder, "folder"), "report folder")
        with writing(out):
            out.mkdir(parents=True, exist_ok=True)
            write_json(out / "figures.json", {"notice": NOTICE, "model": self.model_id, "by": self.by} | {
                "figures": self.figures, "warning": self.warning})  # fmt: skip
            columns = zip(self.filenames, self.labels, self.groups, self.scores.tolist(), strict=True)
            rows = [[*names, *(f"{score:.6f}" for score in scores)] for *names, scores in columns]
            with (out / "scores.csv").open("w", encoding="utf-8", newline="") as file:
                csv_text.CsvWriter(file).writerows([["filename", "label", "group", *self.classes], *rows])
            (out / "report.html").write_text(self._page(), encoding="utf-8")
        return out / "report.html"

    def _page(self) -> str:
        """One table: a row for each class."""
        head = ("class", "AUC", "sensitivity at 95 %", "at 90 %", "at 80 % specificity", "frames", "positives")
        rows = [
            (name, row["auc"], *row["sensitivity_at"].values(), row["frames"], row["positives"])
            for name, row in self.figures.items()
        ]
        low, high = self.figures[ANY]["auc_low"], self.figures[ANY]["auc_high"]
        interval = f"95 % interval of the AUC of any finding, by {self.by}: {_cell(low)} to {_cell(high)}."
        lines = "".join(f"<tr>{''.join(f'<td>{_cell(cell)}</td>' for cell in row)}</tr>" for row in rows)
        heads = "".join(f"<th>{name}</th>" for name in head)
        text = " ".join(filter(None, (interval, self.warning, NOTICE)))
        return (
            f"<!doctype html><meta charset=utf-8><title>{html.escape(self.model_id)}</title>"
            f"<h1>{html.escape(self.model_id)}</h1><table><tr>{heads}</tr>{lines}</table><p>{html.escape(text)}</p>\n"
        )


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else html.escape(str(value))
