"""Reads the files of models and runs: settings, cards, curves, reports; incomplete folders are allowed."""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files import csv_text, inputs, json_text
from training.methods.registry import PRETRAINING, method_title
from training.models.config import IMPORTED
from training.models.folder import CONFIG, WEIGHTS
from training.runs.folder import MAX_LOG_BYTES
from wce_desktop.core import counted, score_text, to_translate, tr
from wce_desktop.library import Model, runs

Item: TypeAlias = Model | runs.Run
LONGEST_CURVE = 2000  # points: more cannot be distinguished on a screen

TITLES = {
    "loss": to_translate("Loss"),
    "triplet": to_translate("Triplet loss"),
    "cross_entropy": to_translate("Cross-entropy"),
    "memory_term": to_translate("Loss of the memory bank term"),
    "single_frame_loss": to_translate("Loss of the single-frame encoder"),
    "multi_view_loss": to_translate("Loss of the multi-view encoder"),
    "view_term": to_translate("Loss of the second view term"),
    "violating_share": to_translate("Share of violating triplets"),
    "negatives_ahead": to_translate("Share of negatives closer than the positive"),
    "learning_rate": to_translate("Learning rate"),
    "embedding_norm": to_translate("Embedding norm"),
    "images_per_second": to_translate("Images per second"),
    "mean_distance": to_translate("Mean squared distance"),
    "distance_to_margin": to_translate("Mean squared distance, in margins"),
    "accuracy": to_translate("kNN accuracy"),
    "validation_loss": to_translate("Validation loss"),
}
"""Columns of metrics.csv and knn.csv as they are called on screen, and the loss of validation.csv."""
CONTRAST_TITLES = {"violating_share": to_translate("Share confused with a negative")}
"""What older versions wrote there for a contrast: frames to which some negative is more alike than their other view."""

OF_TRAININGS = (
    "method", "init", "preset", "steps", "backbone", "input_size", "batch_size", "settings", "pretrain",
    "pretrain_preset", "pretrain_settings", "pretrain_studies", "pretrain_video", "pretrain_each_seed", "folds",
    "fold_seed", "seeds", "split", "label_share",
)  # fmt: skip
"""Settings of a cross-validation that the evaluation of a finished model does not use."""
SCORES = "scores.csv"
"""Scores of held-out frames, in a run's folder; see `training.datasets.score_table`."""
JOB_FILE = "job.json"
"""In the inputs' folder: the whole job, for the case that the window or the computer dies before the run begins."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One figure over the steps of a run: `steps` and `values`, both (P,) float64, P <= `LONGEST_CURVE`."""

    steps: NDArray[np.float64]
    values: NDArray[np.float64]


def inputs_folder(run: Path) -> Path:
    """The folder for the inputs of a run, beside the run folder, which must be empty at the start."""
    return run.with_name(f"{run.name}.inputs")


def has_reid_model(run: runs.Run) -> bool:
    """Whether a run has made a re-identification model."""
    return run.kind == "train-reid" and (run.folder / "model" / WEIGHTS).is_file()


def has_held_out_scores(run: runs.Run) -> bool:
    """Whether a run kept its scores of the frames that it held out."""
    return (run.folder / SCORES).is_file()


def item_id(item: Item) -> str:
    """The model's or the run's name in the library."""
    return item.model_id if isinstance(item, Model) else item.run_id


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file; empty if there is none, or where it is damaged."""
    try:
        return json_text.read_json_object(path)
    except UserError:
        return {}


def is_evaluation(item: Item) -> bool:
    """Whether a run evaluated a finished model and trained nothing."""
    if not isinstance(item, runs.Run) or item.kind != "evaluate":
        return False
    settings = read_json(item.folder / "config.json").get("config")
    return isinstance(settings, Mapping) and bool(settings.get("model"))


_BACKBONES: dict[tuple[Path, str], str] = {}
"""Folder and checksum of a model, which never change -> its backbone."""


def backbone_of(model: Model) -> str:
    """The network of a model, by its name; read once: a share may take long to answer. Empty: it cannot be read."""
    key = model.folder, model.weights_sha256
    if key not in _BACKBONES and (backbone := read_json(model.folder / CONFIG).get("backbone")):
        _BACKBONES[key] = str(backbone)
    return _BACKBONES.get(key, "")


def is_imported(model: Model) -> bool:
    """Whether the embeddings of a model were imported, so that it has no network."""
    return backbone_of(model) == IMPORTED


def read_card(item: Item) -> dict[str, Any]:
    """The card of a model or of its run."""
    return read_json(item.folder / "card.json") or read_json(item.folder / "model" / "card.json")


def read_settings(item: Item) -> dict[str, Any]:
    """The settings of a run, or those in a model's card; of an evaluation not those of trainings."""
    if isinstance(item, runs.Run):
        content = read_json(item.folder / "config.json")
        result = content.get("config", content)
        result = result if isinstance(result, dict) else {}
        not_used = OF_TRAININGS if is_evaluation(item) else ()
        return {name: value for name, value in result.items() if name not in not_used}
    method = read_card(item).get("method")
    settings = method.get("settings") if isinstance(method, Mapping) else None
    return dict(settings) if isinstance(settings, Mapping) else {}


def method_of(item: Item) -> str:
    """ "tl-ba", "time-triplet"…; empty if unknown."""
    method = read_card(item).get("method")
    if isinstance(method, Mapping):
        method = method.get("name")
    return str(method or read_settings(item).get("method") or "").replace("_", "-").lower()


def training_words(item: Item) -> str:
    """What was trained, as it is called on screen: a linear classifier or a method; empty if unknown."""
    stages = read_card(item).get("stages")
    if isinstance(stages, Mapping) and stages.get("used") == "linear":
        return tr("Linear classifier")
    return tr(method_title(method_of(item)))


def method_in(folder: Path) -> str:
    """The method that a run folder's settings name; empty where none are written yet."""
    settings = read_json(folder / "config.json").get("config")
    return str(settings.get("method") or "") if isinstance(settings, Mapping) else ""


def is_contrast(method: str) -> bool:
    """Whether it is a pretraining method without triplets."""
    return method in PRETRAINING and PRETRAINING[method].share_name == "negatives_ahead"


def encodes_clips(run: runs.Run) -> bool:
    """Whether it is a pretraining of an encoder of clips, which cannot be used for single frames."""
    method = method_of(run)
    return method in PRETRAINING and PRETRAINING[method].encodes_clips


def newest_reconstruction(folder: Path) -> Path | None:
    """The last picture of reconstructed clips in a run folder."""
    return max((folder / "reconstructions").glob("step-*.png"), default=None)


def read_report(run: runs.Run) -> dict[str, Any]:
    """The report of a cross-validation; empty until it is written."""
    return read_json(run.folder / "report.json")


def read_curves(folder: Path) -> dict[str, Curve]:
    """All curves of a run folder by their titles: losses and the like, AUC of each class, kNN accuracy."""
    curves: dict[str, Curve] = {}
    titles = TITLES | (CONTRAST_TITLES if is_contrast(method_in(folder)) else {})
    for name, points in _columns(_rows(folder / "metrics.csv")).items():
        curves[titles.get(name, name.replace("_", " ").capitalize())] = points
    by_class: dict[str, list[dict[str, str]]] = {}
    for row in _rows(folder / "held_out.csv"):
        by_class.setdefault(row.get("class", ""), []).append({"step": row.get("step", ""), "auc": row.get("auc", "")})
    for name, rows in by_class.items():
        for points in _columns(rows).values():
            curves[f"AUC {name}"] = points
    if "accuracy" in (knn := _columns(_rows(folder / "knn.csv"))):
        curves[TITLES["accuracy"]] = knn["accuracy"]
    if "loss" in (validation := _columns(_rows(folder / "validation.csv"))):
        curves[TITLES["validation_loss"]] = validation["loss"]
    return curves


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        text = inputs.read_text(path, "table of a run", max_bytes=MAX_LOG_BYTES)
        return list(csv_text.read_dicts(io.StringIO(text, newline="")))
    except (UserError, ValueError, csv.Error):  # a run that is damaged has no curves
        return []


def _columns(rows: list[dict[str, str]]) -> dict[str, Curve]:
    """Every column of numbers over the column `step`; what is empty, or no number, is left out."""
    if not rows or "step" not in rows[0]:
        return {}
    steps = _numbers(rows, "step")
    curves = {}
    for name in rows[0]:
        values = _numbers(rows, name)
        finite = np.flatnonzero(np.isfinite(steps) & np.isfinite(values))
        if name != "step" and finite.size:
            shown = finite[np.unique(np.linspace(0, finite.size - 1, min(finite.size, LONGEST_CURVE)).astype(np.int64))]
            curves[name] = Curve(steps[shown], values[shown])
    return curves


def _numbers(rows: list[dict[str, str]], name: str) -> NDArray[np.float64]:
    return np.array([_number(row.get(name)) for row in rows], dtype=np.float64)


def _number(text: str | None) -> float:
    try:
        return float(text or "nan")
    except ValueError:
        return float("nan")


def ending_words(run: runs.Run) -> str:
    """How a run ended: why it failed, or its main figure."""
    if run.state == "failed":
        return tr(run.message) or tr("reason unknown")
    pooled = read_report(run).get("pooled") if run.kind == "evaluate" else None
    if isinstance(pooled, Mapping) and pooled.get("auc") is not None:
        return f"AUC {score_text(pooled['auc'])}"
    row = held_out(read_card(run)).get("any")
    if isinstance(row, Mapping) and row.get("auc") is not None:
        return f"AUC {score_text(row['auc'])}"
    steps = run.summary.get("steps_done")
    return counted(steps, "step") if isinstance(steps, int) else ""


def held_out(card: Mapping[str, Any]) -> Mapping[str, Any]:
    """A card's figures on held-out frames by class; empty if it has none."""
    figures = card.get("held_out")
    return figures if isinstance(figures, Mapping) else {}


def sensitivities(card: Mapping[str, Any], source: str) -> dict[str, Mapping[str, Any]]:
    """Class -> figures at 5 false positives per 1,000 normal frames of a source; see `operating_points`."""
    entries = card.get("operating_points", {}).get("sources", [])
    return next((dict(each.get("sensitivity") or {}) for each in entries if (each["source"] or "") == source), {})


def operating_points(card: Mapping[str, Any]) -> dict[str, dict[str, dict[float, float]]]:
    """A card's thresholds: source ("" for all together) -> class -> rate in (0, 1) -> threshold in [0, 1].

    Empty if it has none. See `training.metrics.operating_points`.
    """
    try:
        return {
            str(entry["source"] or ""): {
                name: {float(rate): float(threshold) for rate, threshold in stated.items() if 0 < float(rate) < 1}
                for name, stated in entry["thresholds"].items()
                if stated and name != "any"
            }
            for entry in card["operating_points"]["sources"]
        }
    except (AttributeError, KeyError, TypeError, ValueError):  # of another version, or changed by hand
        return {}
