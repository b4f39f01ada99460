"""Which models and runs of a library have learned from a study."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from wce_desktop.library.runs.lineage import Family, training_patients
from wce_desktop.library.runs.run_files import Item, inputs_folder, item_id, read_json
from wce_desktop.library.work import Run


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
    found = {item_id(item): Learned(item_id(item), item.title) for item in direct}
    waiting = list(direct)
    while waiting:
        for child in family.made_from(waiting.pop()):
            if item_id(child) not in found:
                found[item_id(child)] = Learned(item_id(child), child.title, is_direct=False)
                waiting.append(child)
    shown = {item_id(item) for item in every if not (isinstance(item, Run) and family.model_of(item) is not None)}
    return [one for name, one in found.items() if name in shown]


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
    for path in _manifests(run.folder):
        studies = read_json(path).get("studies")
        for study in studies if isinstance(studies, list) else ():
            if isinstance(study, dict) and study.get("study_id") == study_id:
                return str(study.get("patient_id"))
    return None


def _manifests(folder: Path) -> Iterable[Path]:
    return (folder / "inputs" / "manifest.json", inputs_folder(folder) / "manifest.json")
