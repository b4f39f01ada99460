"""Which frames a table is computed on: the phantom, studies with labels, or labelled images."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.datasets.labels import read_labels
from training.datasets.manifest import Manifest, load_manifest, save_manifest
from training.errors import UserError
from training.experiments.reproduce.budgets import Budget
from training.experiments.reproduce.phantom_set import rendered
from training.files.inputs import regular_file
from training.files.outputs import check_output_folder
from training.files.written import WrittenFiles
from training.runs.reporter import Reporter


@dataclass(frozen=True)
class TableData:
    """Labelled frames for the folds, and what can be pretrained on."""

    sentence: str
    """What the data are, printed with every row."""
    evaluate: Mapping[str, Any]
    """Fields of `EvaluateConfig` that say where frames and labels are."""
    digest: str
    """Of the tables of the data: part of each result's key."""
    outside: Path | None = None
    """Manifest of studies of nobody who is labelled; None: each fold pretrains on its own training patients."""
    labelled_patients: tuple[str, ...] = ()
    """Patients that no pretraining on outside studies may see."""
    can_pretrain: bool = True
    """False for images without videos."""
    notes: tuple[str, ...] = ()
    """Sentences printed under the table."""


def phantom_data(budget: Budget, cache: Path, reporter: Reporter, *, is_binary: bool = True) -> TableData:
    """The budget's phantom, rendered where it is not in the cache yet; `is_binary`: its lesions are one class."""
    where = rendered(budget.phantom, cache, reporter)
    patients = tuple(sorted({study.patient_id for study in load_manifest(where.manifest).studies}))
    task = (
        "Its lesions of all kinds together are the one class that is detected: of polyps alone it has too few."
        if is_binary
        else "Each kind of its lesions is a class."
    )
    note = f"The phantom replaces the paper's data. {task}"
    evaluate = {"studies": where.manifest, "labels": where.labels}
    return TableData(budget.phantom.sentence, evaluate, budget.phantom.key, where.outside, patients, notes=(note,))


def studies_data(manifest: Path, labels: Path, outside: Path | None, classes: tuple[str, ...], out: Path) -> TableData:
    """Studies with labels; pretraining takes the studies given for it, else those of patients without any label.

    Args:
        manifest: of the labelled studies.
        labels: of their frames.
        outside: manifest of studies to pretrain on; checked by the pretraining against the labelled patients.
        classes: targets; empty: every label found.
        out: where a manifest of the unlabelled patients' studies is written.

    Raises:
        UserError: files that cannot be used.
    """
    read = load_manifest(manifest)
    named = {row.study_id for row in read_labels(labels)}
    people = {study.patient_id for study in read.studies if study.study_id in named}
    unlabelled = tuple(study for study in read.studies if study.patient_id not in people)
    if outside is None and unlabelled:
        outside = out / "inputs" / f"outside-{_digest(manifest, labels)}.json"
        written = WrittenFiles(check_output_folder(outside.parent, "folder of inputs"), "reproduction")
        written.check([outside.name])
        outside.parent.mkdir(parents=True, exist_ok=True)
        with written.writing(outside.name) as beside:
            save_manifest(beside, Manifest(studies=unlabelled))
    sentence = f"studies: {manifest.name}, {len(people)} labelled patients"
    notes = (
        ()
        if outside
        else ("There are no studies outside the labelled ones: each fold pretrains on its training patients.",)
    )
    digest = _digest(manifest, labels, *([outside] if outside else []))
    evaluate = {"studies": manifest, "labels": labels, "classes": classes}
    return TableData(sentence, evaluate, digest, outside, tuple(sorted(people)), notes=notes)


def images_data(images: Path, labels: Path, outside: Path | None, reading: Mapping[str, Any]) -> TableData:
    """Labelled images, groups as patients; pretraining only where studies are given for it.

    `reading` says how labels are read: classes, split, normal_label (fields of `EvaluateConfig`).
    """
    evaluate = {"images": images, "labels": labels, **reading}
    sentence = f"images: {images.name} by {labels.name}"
    notes = ("The data set has no patients: frames were split at random, so every row is too optimistic.",)
    return TableData(
        sentence,
        evaluate,
        _digest(labels, *([outside] if outside else [])),
        outside,
        can_pretrain=outside is not None,
        notes=notes if reading["split"] == "random" else (),
    )


def _digest(*files: Path) -> str:
    digest = hashlib.sha256()
    for file in files:
        try:
            digest.update(regular_file(file).read_bytes())
        except OSError as error:
            raise UserError(f"{file} cannot be read ({error.strerror}).", "Check the path.") from error
    return digest.hexdigest()[:12]
