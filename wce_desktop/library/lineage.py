"""Lineage: what a model or a run was derived from, what was derived from it, and who has learned from a study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.library import Library, Model
from wce_desktop.library.run_files import (
    Item,
    inputs_folder,
    is_evaluation,
    item_id,
    read_card,
    read_json,
    read_report,
    read_settings,
    training_words,
)
from wce_desktop.library.runs import Run

_NAMED = {
    "random": to_translate("random weights"),
    "imagenet": to_translate("ImageNet weights"),
    "auto": to_translate("ImageNet weights, or random ones"),
}
GONE = to_translate("(deleted)")


@dataclass(frozen=True)
class Ancestor:
    """One step of a lineage; `item` is None for what is not in the library, such as ImageNet's weights."""

    title: str
    item: Item | None = None

    @property
    def link(self) -> str:
        """The item's name in the library, or an empty text."""
        return "" if self.item is None else item_id(self.item)


class Family:
    """All models and runs of a library at one moment, and who descends from whom."""

    def __init__(self, models: Sequence[Model], runs: Sequence[Run]) -> None:
        self.models = {model.model_id: model for model in models}
        self.runs = {run.run_id: run for run in runs}

    @classmethod
    def of(cls, library: Library) -> "Family":
        """The family in a library."""
        return cls(library.models.all(), library.runs.all())

    def find(self, name: str) -> Item | None:
        """The model or run of this name, or None."""
        return self.models.get(name) or self.runs.get(name)

    def model_of(self, run: Run) -> Model | None:
        """The model trained by a run, if it is in the library."""
        return next((model for model in self.models.values() if model.run_id == run.run_id), None)

    def run_of(self, item: Item) -> Run | None:
        """The run itself, or the run that trained a model."""
        return item if isinstance(item, Run) else self.runs.get(item.run_id or "")

    def lineage(self, item: Item) -> list[Ancestor]:
        """Oldest first, the item itself last."""
        steps, seen, here = [Ancestor(_title(item), item)], {item_id(item)}, item
        while True:
            before = self._before(here)
            if before is None or before.link in seen:
                return steps[::-1]
            steps.append(before)
            if before.item is None:
                return steps[::-1]
            seen.add(before.link)
            here = before.item

    def ancestors(self, item: Item) -> list[Item]:
        """The item's ancestors in the library, nearest first."""
        return [step.item for step in self.lineage(item)[-2::-1] if step.item is not None]

    def _before(self, item: Item) -> Ancestor | None:
        """What an item was made from."""
        run = self.run_of(item)
        if run is not None and run.base_run_id:
            base = self.runs.get(run.base_run_id)
            return Ancestor(_title(base), base) if base else Ancestor(tr("a pretraining run (deleted)"))
        name = (item.parent_id if isinstance(item, Model) else None) or (run.base_model_id if run else None)
        if name:
            model = self.models.get(name)
            return Ancestor(_title(model), model) if model else Ancestor(f"{name} {tr(GONE)}")
        recorded = read_card(item).get("lineage")
        if isinstance(item, Run) and is_evaluation(item):
            recorded = {"init": "model", **(read_report(item).get("model") or {})}
        recorded = recorded if isinstance(recorded, Mapping) else {}
        name = recorded.get("model_id")
        if isinstance(name, str) and name in self.models and name != item_id(item):
            return Ancestor(_title(self.models[name]), self.models[name])
        title = origin_words(recorded) or origin_words({"init": read_settings(item).get("init")})
        return Ancestor(title) if title else None

    def made_from(self, item: Item) -> list[Item]:
        """The models, and the runs without one, that started from an item; cross-validations are not among them."""
        name = item_id(item)
        models: list[Item] = [
            model
            for model in self.models.values()
            if model.parent_id == name or ((run := self.run_of(model)) is not None and run.base_run_id == name)
        ]
        runs: list[Item] = [
            run
            for run in self.runs.values()
            if name in (run.base_run_id, run.base_model_id) and run.kind != "evaluate" and self.model_of(run) is None
        ]
        return models + runs

    def evaluations(self, model: Model) -> list[Run]:
        """The cross-validations of a model, newest first."""
        runs = [run for run in self.runs.values() if run.kind == "evaluate" and run.base_model_id == model.model_id]
        return runs[::-1]


def origin_words(recorded: Mapping[str, Any]) -> str:
    """A card's lineage in words: "ImageNet weights", "weights file a.pth"; empty if unknown."""
    init = recorded.get("init")
    named = {
        "file": tr("weights file {file}", file=recorded.get("file", "")),
        "model": tr("model {model}", model=recorded.get("model_id", "")),
        "run": tr("run {run}", run=recorded.get("run", "")),
        "pretrained": tr("pretraining {run}", run=recorded.get("run", "")),
    }
    return tr(_NAMED.get(str(init), named.get(str(init), ""))).strip()


def training_patients(item: Item) -> frozenset[str]:
    """The patients on whose studies an item, or an ancestor of it, was trained."""
    card, split = read_card(item), read_json(item.folder / "split.json")
    recorded = [card.get("split"), split, card.get("lineage")]
    names: set[str] = set()
    for part in recorded:
        if isinstance(part, Mapping):
            for key in ("training_patients", "earlier_patients", "taught_patients", "classifier_patients"):
                given = part.get(key)
                names |= {str(patient) for patient in given} if isinstance(given, list) else set()
    return frozenset(names)


def what_depends_on(family: Family, item: Item, scored_studies: int = 0) -> list[str]:
    """What would be lost or orphaned if an item were deleted, a sentence for each; empty: nothing depends on it."""
    sentences = []
    children = ", ".join(_title(child) for child in family.made_from(item))
    if children:
        sentences.append(
            tr(
                "Derived from it: {children}. They are kept, but can no longer be traced back or reproduced.",
                children=children,
            )
        )
    if isinstance(item, Model):
        if evaluations := len(family.evaluations(item)):
            sentences.append(
                tr_count(
                    "{count} cross-validation of it, and its review budget, would refer to no model.",
                    "{count} cross-validations of it, and its review budget, would refer to no model.",
                    evaluations,
                )
            )
        if scored_studies:
            sentences.append(
                tr_count(
                    "Its scores of {count} study are deleted too.",
                    "Its scores of {count} studies are deleted too.",
                    scored_studies,
                )
            )
    elif (model := family.model_of(item)) is not None:
        sentences.append(
            tr(
                "The model {title} was trained by it. The model is kept, but its curves and checkpoints are deleted.",
                title=model.title,
            )
        )
    elif item.kind == "evaluate" and item.state == "done":
        sentences.append(tr("The review budget estimated by it is deleted too."))
    return sentences


def _title(item: Item) -> str:
    trained = "" if isinstance(item, Run) and item.kind == "evaluate" else training_words(item)
    return f"{item.title} · {trained}" if trained else item.title


@dataclass(frozen=True, slots=True)
class Learned:
    """A model or a run that has learned from a study.

    Attributes:
        item_id: in the library.
        title: on screen.
        is_direct: False where only what it started from has.
    """

    item_id: str
    title: str
    is_direct: bool = True


def learned_from(family: Family, study_id: str, patient_id: str) -> list[Learned]:
    """The models, and the runs without one, that were trained on a study or on what was trained on it.

    Args:
        family: of the library.
        study_id: the study.
        patient_id: its patient, by which models that come from elsewhere are known.
    """
    every: list[Item] = [*family.models.values(), *family.runs.values()]
    direct = [item for item in every if _has_learned(family, item, study_id, patient_id)]
    learned = {item_id(item): Learned(item_id(item), item.title) for item in direct}
    waiting = list(direct)
    while waiting:
        for child in family.made_from(waiting.pop()):
            if item_id(child) not in learned:
                learned[item_id(child)] = Learned(item_id(child), child.title, is_direct=False)
                waiting.append(child)
    shown = {item_id(item) for item in every if not (isinstance(item, Run) and family.model_of(item) is not None)}
    return [entry for name, entry in learned.items() if name in shown]


def _has_learned(family: Family, item: Item, study_id: str, patient_id: str) -> bool:
    run = family.run_of(item)
    if isinstance(item, Run) and item.kind == "evaluate":
        return False  # it trains models that are not kept
    entry = None if run is None else _entry(run, study_id)
    if entry is None:
        return run is None and patient_id in training_patients(item)
    taught = training_patients(item) or training_patients(run) if run is not None else frozenset[str]()
    return not taught or entry in taught  # before the split is written, everything in the manifest counts


def _entry(run: Run, study_id: str) -> str | None:
    """The patient under whom a run's manifest lists a study; None where it does not."""
    for path in (run.folder / "inputs" / "manifest.json", inputs_folder(run.folder) / "manifest.json"):
        studies = read_json(path).get("studies")
        for study in studies if isinstance(studies, list) else ():
            if isinstance(study, dict) and study.get("study_id") == study_id:
                return str(study.get("patient_id"))
    return None
