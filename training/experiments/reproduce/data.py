"""Which frames a table is computed on: a phantom, studies with labels, or labelled images.

The phantom data sets are frozen: studies with labels, and studies of other patients to pretrain on; rendered once.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from training.datasets import local_paths
from training.datasets.labels import read_labels
from training.datasets.manifest import Manifest, StudyEntry, load_manifest, manifest_text
from training.errors import writing
from training.experiments.engine import files_digest
from training.files.outputs import check_output_folder, written_beside
from training.files.written import WrittenFiles
from training.phantom.patient import FRAMES_PER_SECOND, PhantomConfig
from training.runs.reporter import Cancelled, Reporter

OUTSIDE_PATIENT = 200
"""Number of the first patient of the studies to pretrain on: nobody is in both sets."""
RENDERER = "356f086519278356e02cae435771b0c8d841abb2b90d44d3eef9cef40d620823"
"""Changed by hand when the frames of the same settings change: frames of an older renderer are never taken for those of
today's. `test_render` has pinned figures of the frames."""
LOOKS = ("frames_per_second", "speed", "alike", "places", "turns")


@dataclass(frozen=True)
class PhantomSet:
    """What is rendered; a change of any number is another data set under another name in the cache."""

    patients: int
    """Labelled patients, `passes` studies each."""
    frames: int
    """Frames of each labelled study."""
    outside_patients: int
    """Patients to pretrain on, one study each; their labels are not used."""
    outside_frames: int
    size_px: int
    positive_share: float
    """Wanted share of frames that show a lesion."""
    seed: int = 2026
    passes: int = 1
    """1 or 2: studies of each labelled patient; with 2 both show the same lesions."""
    frames_per_second: int = FRAMES_PER_SECOND
    speed: float = 1.0
    alike: bool = False
    places: bool = False
    turns: int = 1
    """These five are explained at `PhantomConfig`."""

    @property
    def looks(self) -> dict[str, Any]:
        """Settings of what is rendered that are not the usual ones."""
        usual = PhantomConfig()
        return {name: value for name in LOOKS if (value := getattr(self, name)) != getattr(usual, name)}

    @property
    def key(self) -> str:
        """Name in the cache: the digest of the settings and of `RENDERER`."""
        own = {name: value for name, value in asdict(self).items() if name not in ("passes", *LOOKS)}
        values = own | self.looks | ({"passes": self.passes} if self.passes > 1 else {})
        said = json.dumps(values, sort_keys=True) + RENDERER
        return f"{self.patients}x{self.frames}-{hashlib.sha256(said.encode()).hexdigest()[:10]}"

    @property
    def sentence(self) -> str:
        """What the data are, for the table."""
        return (
            f"phantom: {self.patients} labelled patients x {'' if self.passes == 1 else f'{self.passes} passes x '}"
            f"{self.frames:,} frames, {self.outside_patients} other "
            f"patients x {self.outside_frames:,} frames to pretrain on (seed {self.seed}, {self.key})"
            + "".join(f"; {name} {value}".removesuffix(" True").replace("_", " ") for name, value in self.looks.items())
        )


@dataclass(frozen=True, kw_only=True)
class PhantomBudget:
    """What a table on a phantom may cost."""

    name: str
    phantom: PhantomSet
    seeds: int
    is_comparison: bool = True
    """False: too short to say anything of the methods."""


@dataclass(frozen=True)
class RenderedPhantom:
    """Where a phantom set lies."""

    manifest: Path
    labels: Path
    outside: Path
    """Manifest of the studies to pretrain on."""


def rendered(phantom: PhantomSet, cache: Path, reporter: Reporter) -> RenderedPhantom:
    """The set from the cache; what is missing there is rendered first, and an interrupted rendering continues.

    Raises:
        Cancelled: as the reporter asked, or a stop before all studies were there.
    """
    from training.phantom.dataset import write_studies

    folder = cache / phantom.key
    done = folder / "done.json"
    if not done.is_file():
        reporter.log(f"Rendering the {phantom.sentence}; it is stored in {folder}.")
        parts = (
            ("labelled", phantom.patients, phantom.passes, phantom.frames, 0),
            ("outside", phantom.outside_patients, 1, phantom.outside_frames, OUTSIDE_PATIENT),
        )
        for name, patients, passes, frames, first in parts:
            write_studies(
                folder / name,
                studies=patients * passes,
                frames=frames,
                seed=phantom.seed,
                size_px=phantom.size_px,
                passes=passes,
                positive_share=phantom.positive_share,
                first_patient=first,
                **phantom.looks,
                overwrite=True,  # the cache is the program's own
                reporter=reporter,
            )
            if reporter.stop_requested:
                raise Cancelled
        with writing(done), written_beside(done) as beside:
            beside.write_text(json.dumps(asdict(phantom), indent=2) + "\n", encoding="utf-8")
    return RenderedPhantom(
        folder / "labelled" / "manifest.json", folder / "labelled" / "labels.csv", folder / "outside" / "manifest.json"
    )


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
    has_findings: bool = True
    """Whether labels name the findings that frames show."""
    notes: tuple[str, ...] = ()
    """Sentences printed under the table."""


def phantom_data(phantom: PhantomSet, cache: Path, reporter: Reporter, *, is_binary: bool = True) -> TableData:
    """A phantom, rendered where it is not in the cache yet; `is_binary`: its lesions are one class."""
    where = rendered(phantom, cache, reporter)
    patients = tuple(sorted({study.patient_id for study in load_manifest(where.manifest).studies}))
    task = (
        "Its lesions of all kinds together are the one class that is detected: of polyps alone it has too few."
        if is_binary
        else "Each kind of its lesions is a class."
    )
    note = f"The phantom replaces the paper's data. {task}"
    evaluate = {"studies": where.manifest, "labels": where.labels}
    return TableData(phantom.sentence, evaluate, phantom.key, where.outside, patients, notes=(note,))


def studies_data(manifest: Path, labels: Path, outside: Path | None, classes: tuple[str, ...], out: Path) -> TableData:
    """Studies with labels; pretraining takes the studies given for it, else those of patients without any label.

    Args:
        outside: manifest of studies to pretrain on; checked by the pretraining against the labelled patients.
        classes: targets; empty: every label found.
        out: where a manifest of the unlabelled patients' studies is written.
    """
    read, rows = load_manifest(manifest), read_labels(labels)
    named = {row.study_id for row in rows}
    people = {study.patient_id for study in read.studies if study.study_id in named}
    unlabelled = tuple(study for study in read.studies if study.patient_id not in people)
    if outside is None and unlabelled:
        outside = written_manifest(out, f"outside-{files_digest(manifest, labels)}.json", unlabelled)
    sentence = f"studies: {manifest.name}, {len(people)} labelled patients"
    notes = (
        ()
        if outside
        else ("There are no studies outside the labelled ones: each fold pretrains on its training patients.",)
    )
    digest = files_digest(manifest, labels, *([outside] if outside else []))
    evaluate = {"studies": manifest, "labels": labels, "classes": classes}
    has_findings = any(row.finding_id for row in rows)
    return TableData(sentence, evaluate, digest, outside, tuple(sorted(people)), has_findings=has_findings, notes=notes)


def written_manifest(out: Path, name: str, studies: Sequence[StudyEntry]) -> Path:
    """Write a manifest of these studies into the folder of inputs; returns its path."""
    folder = out / "inputs"
    written = WrittenFiles(check_output_folder(folder, "folder of inputs"), "reproduction")
    written.check([name])
    folder.mkdir(parents=True, exist_ok=True)
    with written.writing(name) as beside:
        beside.write_text(manifest_text(Manifest(studies=tuple(studies)), folder), encoding="utf-8")
    local_paths.write(folder / name, {study.study_id: study.path for study in studies})
    return folder / name


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
        files_digest(labels, *([outside] if outside else [])),
        outside,
        can_pretrain=outside is not None,
        has_findings=False,
        notes=notes if reading["split"] == "random" else (),
    )
