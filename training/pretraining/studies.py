"""The studies of a pretraining (spans, patients, checks), or single images, whose groups take the place of patients."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field

from training.datasets import image_set, sequence_reader, table
from training.datasets.data_digest import content_of, data_digest, recordings_of
from training.datasets.labelled_frames import LabelledFrames
from training.datasets.labels import NORMAL
from training.datasets.manifest import Manifest, StudyEntry, load_manifest
from training.datasets.pretraining_spans import pretraining_spans
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.errors import UserError
from training.methods.clip_method import frame_step
from training.methods.colo_scrl import ColoScrlSettings
from training.pretraining.config import PretrainConfig
from training.pretraining.validation import split_spans, validation_sampler
from training.runs.reporter import Reporter
from training.texts import Text, join_texts
from training.video.formats import IMAGE_SUFFIXES, natural_key


@dataclass(frozen=True)
class PretrainStudies:
    """The frames of a pretraining, without pixels."""

    manifest: Manifest
    spans: tuple[SequenceSpan, ...]
    left_out: str
    """A sentence about unused studies; empty if all are used."""
    sampler: SequenceSampler
    warning: str = ""
    """A warning if batches cannot contain a triplet; otherwise empty."""
    validation: SequenceSampler | None = None
    """Draws the clips of the validation loss, which are not trained on; None without one."""
    pictures: Mapping[int, tuple[str, Sequence[Path]]] = field(default_factory=dict)
    """For images: study number (a group) -> id and files."""

    @property
    def patients(self) -> list[str]:
        """Patients of the used frames, sorted."""
        return sorted({self.manifest.studies[span.study].patient_id for span in self.spans})

    @property
    def study_ids(self) -> list[str]:
        """Studies of the used frames, sorted."""
        return sorted({self.manifest.studies[span.study].study_id for span in self.spans})

    @property
    def frames(self) -> int:
        """Number of frames that sequences are drawn from."""
        return sum(len(span) for span in self.spans)

    @property
    def digest(self) -> str:
        """SHA-256 of the used frames, see `training.datasets.data_digest`."""
        if self.pictures:
            contents = [content_of(file) for _, files in self.pictures.values() for file in files]
            return data_digest(dict(enumerate(contents)), ((number, 0, 1, "") for number in range(len(contents))))
        rows = [(span.study, span.start, span.stop, "") for span in self.spans]
        return data_digest(recordings_of(dict(enumerate(self.manifest.studies)), {row[0] for row in rows}), rows)

    @property
    def files(self) -> dict[int, sequence_reader.StudyFile]:
        """Number of each used study -> id, file and numbering."""
        used = {span.study for span in self.spans}
        studies = enumerate(self.manifest.studies)
        return {number: (s.study_id, s.path, s.frame_numbering) for number, s in studies if number in used}

    def split(self, config: PretrainConfig, earlier: Iterable[str]) -> dict[str, Any]:
        """Content of split.json; `earlier`: patients that the initial weights were trained on."""
        spans: dict[str, list[list[int]]] = {study_id: [] for study_id in self.study_ids}
        for span in self.spans:
            spans[self.manifest.studies[span.study].study_id].append([span.start, span.stop])
        return {
            "kind": "patients",
            "training_patients": self.patients,
            "held_out_patients": list(config.held_out_patients),
            "earlier_patients": sorted(earlier),
            "sentence": self.left_out,
            "spans": spans,
        }


def pretrain_studies(config: PretrainConfig, reporter: Reporter) -> PretrainStudies:
    """Open every study of the manifest and make a sampler.

    Raises:
        UserError: a study cannot be opened, a patient is held out, or no batch can be drawn.
    """
    if config.images is not None:
        images = pretrain_images(config.images, config.labels, config.held_out_patients, config.by)
        sampler = _sampler(config, images.spans)
        return PretrainStudies(images.manifest, images.spans, images.left_out, sampler, pictures=images.pictures)
    assert config.studies is not None  # checked by the config
    manifest = load_manifest(config.studies)
    check_patients((study.patient_id for study in manifest.studies), config.held_out_patients)
    needs_time = config.method_class.needs_video
    if needs_time and not any(study.has_time for study in manifest.studies):
        raise UserError(
            "{method} needs video, but all studies of {name} are still images.",
            "Use another method, such as simclr or pgcon, or give studies that are videos.",
            config.method,
            config.studies.name,
        )
    counts = {}
    for number, study in enumerate(manifest.studies):
        reporter.check()
        reporter.progress(number, len(manifest.studies), "studies", "opening")
        with study.open_source() as source:
            counts[study.study_id] = len(source)
    spans, left_out = pretraining_spans(
        manifest,
        counts,
        config.regions,
        each_span_is_a_study=config.each_span_is_a_study,
        needs_time=needs_time,
    )
    share = config.validation_share if isinstance(config, ColoScrlSettings) else 0.0
    spans, apart = split_spans(spans, share, config.sequence_length)
    sampler, validation = _sampler(config, spans), validation_sampler(config, apart)
    warning = config.method_class.warning(config, sampler)
    return PretrainStudies(manifest, spans, left_out, sampler, warning, validation)


def _sampler(config: PretrainConfig, spans: Sequence[SequenceSpan]) -> SequenceSampler:
    config.method_class.check_frames(config, sum(map(len, spans)))
    return SequenceSampler(
        spans,
        config.sequence_length,
        config.sequences,
        config.sequence_source,
        config.positive_window,
        config.seed,
        frame_step(config),
    )


def check_patients(patients: Iterable[str], held_out: Iterable[str], whose: str = "the manifest has") -> None:
    """Raise `UserError` if a held-out patient is used; `whose` completes the sentence "but ... their studies"."""
    if shared := sorted(set(patients) & set(held_out)):
        raise UserError(
            "The patient {shared} is held out of the pretraining, but {whose} their studies.",
            "Remove the patient's studies, or start from other weights.",
            shared[0],
            whose,
        )


class _Row(table.TableRow):
    """A row of the CSV; the label is optional."""

    filename: str = Field(min_length=1)
    label: str = ""
    group: str = ""


@dataclass(frozen=True)
class PretrainImages:
    """Images in groups; each group is a study and a patient."""

    folder: Path
    groups: tuple[str, ...]
    filenames: tuple[tuple[str, ...], ...]
    """By group, in natural order; an image's position is its frame_index."""
    labels: tuple[tuple[str, ...], ...]
    """By group and image; "": no label."""
    left_out: str
    """A sentence about unused images; empty if all are used."""

    @property
    def manifest(self) -> Manifest:
        """The groups as studies."""
        return Manifest(
            studies=tuple(StudyEntry(study_id=name, patient_id=name, path=self.folder) for name in self.groups)
        )

    @property
    def spans(self) -> tuple[SequenceSpan, ...]:
        """One span per group."""
        return tuple(SequenceSpan(number, number, 0, len(names)) for number, names in enumerate(self.filenames))

    @property
    def pictures(self) -> dict[int, tuple[str, tuple[Path, ...]]]:
        """Group number -> name and files."""
        return {
            number: (name, tuple(self.folder / file for file in files))
            for number, (name, files) in enumerate(zip(self.groups, self.filenames, strict=True))
        }

    def labelled(self) -> image_set.ImageSet | None:
        """The images with one label as an evaluation set, or None with fewer than two classes or groups."""
        result = [
            (group, file, label)
            for group, (files, labels) in enumerate(zip(self.filenames, self.labels, strict=True))
            for file, label in zip(files, labels, strict=True)
            if label and image_set.SEPARATOR not in label  # an image with several labels has no one class
        ]
        names = sorted({label for _, _, label in result}, key=lambda name: (name != NORMAL, name))
        if len(names) < 2 or len({group for group, _, _ in result}) < 2:
            return None
        study, label = (np.array([column], dtype=np.int64).reshape(-1) for column in (
            [group for group, _, _ in result], [names.index(name) for _, _, name in result]
        ))  # fmt: skip
        frames = LabelledFrames(self.manifest.studies, tuple(names), study, np.arange(len(result)), label)
        return image_set.ImageSet(self.folder, tuple(file for _, file, _ in result), frames)


def pretrain_images(
    folder: Path, labels: Path | None, held_out: Collection[str] = (), by: str = "group"
) -> PretrainImages:
    """The images of a folder and its subfolders, or those that a CSV names, in groups.

    Without a CSV, and for rows without a group, the group is the image's folder (ours).

    Args:
        labels: CSV with filename, and optionally label and group; other images are not used.
        by: column of the CSV that names the group.
    """
    if not folder.is_dir():
        raise UserError("There is no folder {folder}.", "Give the folder that holds the images.", folder)
    paths = (path for path in folder.rglob("*") if path.suffix.lower() in IMAGE_SUFFIXES)
    there = [path.relative_to(folder).as_posix() for path in paths if not path.name.startswith(".")]
    column_of = {} if by == "group" else {"group": by}
    needed = ("filename", *column_of.values())
    rows = (
        table.read_rows(labels, _Row, needed, column_of=column_of)
        if labels
        else [_Row(filename=name) for name in there]
    )
    grouped: dict[str, list[_Row]] = {}
    seen: set[str] = set()
    for row in sorted(rows, key=lambda row: natural_key(row.filename)):
        if row.filename in seen:
            raise UserError("The image {filename} is listed twice in the CSV.", "List each image once.", row.filename)
        seen.add(row.filename)
        if not (folder / row.filename).is_file():
            raise UserError(
                "The image {folder} does not exist.", "Check the folder and the CSV.", folder / row.filename
            )
        inside = Path(row.filename).parent.as_posix().replace(".", "", 1).strip("/")
        grouped.setdefault(row.group or inside or folder.resolve().name, []).append(row)
    kept = {name: grouped[name] for name in sorted(grouped, key=natural_key) if name not in held_out}
    if not kept:
        raise UserError(
            "There are no images to pretrain on in {folder}.",
            "Check the folder, the CSV and the held-out groups.",
            folder,
        )
    unused = len(there) - len(rows)
    said = (
        [Text("{unused:,} images of the folder are not listed in {name}.", unused, labels.name)]
        if labels and unused > 0
        else []
    )
    if without := sum(len(grouped[name]) for name in grouped if name not in kept):
        said.append(
            Text("{without:,} images of {count} held-out groups are left out.", without, len(grouped) - len(kept))
        )
    return PretrainImages(
        folder,
        tuple(kept),
        tuple(tuple(row.filename for row in group) for group in kept.values()),
        tuple(tuple(row.label for row in group) for group in kept.values()),
        join_texts(" ", said),
    )
