"""The table of models and runs: its columns, and what stands in them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from wce_desktop.core import number_text, to_translate, tr
from wce_desktop.features.models.run_texts import class_title, kind_words, named_value, state_of
from wce_desktop.library import Model, lineage, run_files

COLUMNS: Mapping[str, str] = {
    "title": to_translate("Name"),
    "state": to_translate("State"),
    "result": to_translate("Result"),
    "auc": "AUC",
    "created": to_translate("Created (UTC)"),
    "kind": to_translate("Kind"),
    "method": to_translate("Method"),
    "preset": to_translate("Preset"),
    "start": to_translate("Started from"),
    "classes": to_translate("Classes"),
    "steps": to_translate("Steps done"),
    "seed": to_translate("Seed"),
    "backbone": to_translate("Network"),
    "input_size": to_translate("Input size (px)"),
    "batch_size": to_translate("Batch size"),
    "learning_rate": to_translate("Learning rate"),
    "data": to_translate("Data (SHA-256)"),
    "commit": to_translate("Commit"),
}
"""Columns of the table of models and runs."""
_DIGITS = 8
"""Of a digest: enough to tell two apart."""


@dataclass(frozen=True)
class Cell:
    """A cell of the table: its text, the number it stands for, and the name of its colour in `COLORS`."""

    text: str = ""
    number: float | None = None
    color: str = ""

    @property
    def key(self) -> tuple[int, float, str]:
        """What it is sorted by: numbers, then texts, then nothing."""
        kind = 0 if self.number is not None else 1 if self.text else 2
        return kind, self.number or 0.0, self.text.casefold()


def cells_of(item: run_files.Item, family: lineage.Family, live: Collection[str]) -> dict[str, Cell]:
    """The cells of an item, for all `COLUMNS`; `live` are the runs with a job."""
    card, settings = run_files.read_card(item), run_files.read_settings(item)
    report: Mapping[str, Any] = {}
    classes: Any = card.get("classes")
    if isinstance(item, Model):
        state = Cell(tr("in use") if item.is_current else "", color="accent")
        kind, classes = tr("model"), item.classes
        result = tr("imported, without a network") if run_files.is_imported(item) else ""
    else:
        is_alarming = state_of(item, live) in ("failed", "interrupted")
        state = Cell(tr(state_of(item, live)), color="warning" if is_alarming else "")
        is_reid = run_files.has_reid_model(item)
        what = tr("groups flags, gives no scores")
        kind, result = kind_words(item), what if is_reid else run_files.ending_words(item)
        report = run_files.read_report(item) if item.kind == "evaluate" else {}
        if report:  # other runs have made the model of their name; of these two the name says too little
            result = f"{result} ({kind})"
    start = family.lineage(item)[-2:-1]
    auc = _part(run_files.held_out(card), "any").get("auc", _part(report, "pooled").get("auc"))
    digest = _part(card, "data").get("sha256") or report.get("data_sha256") or ""
    names = classes if isinstance(classes, list | tuple) else ()
    cells = {
        "title": Cell(item.title),
        "state": state,
        "result": Cell(result),
        "auc": _number_cell(auc, ".2f"),
        "created": Cell(item.created_utc[:16].replace("T", " ")),
        "kind": Cell(kind),
        "method": Cell(run_files.training_words(item)),
        "preset": Cell(named_value("preset", settings.get("preset")) if settings.get("preset") else ""),
        "start": Cell((start[0].item or start[0]).title if start else ""),
        "classes": Cell(", ".join(class_title(str(name)) for name in names if name != "normal")),
        "steps": _number_cell(card.get("steps_done"), ",.0f"),
        "backbone": Cell(named_value("backbone", settings["backbone"]) if settings.get("backbone") else ""),
        "data": Cell(str(digest)[:_DIGITS]),
        "commit": Cell(str(_part(card or report, "versions").get("commit", ""))[:_DIGITS]),
    }
    rates = {
        name: _number_cell(settings.get(name), ".10g") for name in ("seed", "input_size", "batch_size", "learning_rate")
    }
    return {name: (cells | rates)[name] for name in COLUMNS}


def _part(content: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """An object in a card or report; empty where there is none, also in a file that was changed by hand."""
    part = content.get(name)
    return part if isinstance(part, Mapping) else {}


def _number_cell(value: Any, form: str) -> Cell:
    return Cell(number_text(value, form), float(value)) if isinstance(value, int | float) else Cell()
