"""The studies of a pretraining: spans used, patients, and checks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.datasets.manifest import Manifest, load_manifest
from training.datasets.pretraining_spans import pretraining_spans
from training.datasets.sequence_reader import StudyFile
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.errors import UserError
from training.methods.colo_scrl import ColoScrlSettings
from training.pretraining.config import PretrainConfig
from training.pretraining.image_studies import pretrain_images
from training.pretraining.validation import split_spans, validation_sampler
from training.runs.reporter import Reporter


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
    def files(self) -> dict[int, StudyFile]:
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


def pretrain_studies(config: PretrainConfig, reporter: Reporter, processes: int = 1) -> PretrainStudies:
    """Open every study of the manifest and make a sampler, which draws the sequences of all `processes`.

    Raises:
        UserError: a study cannot be opened, a patient is held out, or no batch can be drawn.
    """
    if config.images is not None:
        images = pretrain_images(config.images, config.labels, config.held_out_patients)
        sampler = _sampler(config, images.spans, processes)
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
    sampler, validation = _sampler(config, spans, processes), validation_sampler(config, apart)
    warning = config.method_class.warning(config, sampler)
    return PretrainStudies(manifest, spans, left_out, sampler, warning, validation)


def check_processes(config: PretrainConfig, processes: int) -> None:
    """Raise `UserError` for several processes with a method that has a memory bank or encodes clips."""
    if config.method_class.encodes_clips and processes > 1:
        raise UserError("{method} cannot use several processes.", "Start it without torchrun.", config.method)
    if config.method_class.has_bank and processes > 1:
        raise UserError(
            "{method} cannot use several processes, because it has a memory bank.",
            "Start it without torchrun; if memory runs out, set gradient_cache_chunk.",
            config.method,
        )


def _sampler(config: PretrainConfig, spans: Sequence[SequenceSpan], processes: int) -> SequenceSampler:
    config.method_class.check_frames(config, sum(map(len, spans)))
    drawn = config.sequences * processes
    return SequenceSampler(
        spans, config.sequence_length, drawn, config.sequence_source, config.positive_window, config.seed
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
