"""The studies of a pretraining: which stretches of them count, whose they are, and who must not be among them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.datasets.manifest import Manifest, load_manifest
from training.datasets.pretraining_spans import pretraining_spans
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.errors import UserError
from training.pretraining.config import PretrainConfig
from training.pretraining.image_studies import pretrain_images
from training.runs.reporter import Reporter


@dataclass(frozen=True)
class PretrainStudies:
    """What a pretraining learns from; no pixels yet."""

    manifest: Manifest
    spans: tuple[SequenceSpan, ...]
    left_out: str
    """What of the studies is not used, as a sentence; empty where all is."""
    sampler: SequenceSampler
    warning: str = ""
    """That nothing can be learned from such batches; empty where something can."""
    pictures: Mapping[int, tuple[str, Sequence[Path]]] = field(default_factory=dict)
    """Where there is no video: number of each study (a group of images) -> its id and its files."""

    @property
    def patients(self) -> list[str]:
        """Everyone of whom a frame is used, sorted."""
        return sorted({self.manifest.studies[span.study].patient_id for span in self.spans})

    @property
    def study_ids(self) -> list[str]:
        """Every study of which a frame is used, sorted."""
        return sorted({self.manifest.studies[span.study].study_id for span in self.spans})

    @property
    def frames(self) -> int:
        """Frames that sequences are drawn from."""
        return sum(len(span) for span in self.spans)

    @property
    def files(self) -> dict[int, tuple[str, Path]]:
        """Number of each study in use -> its id and its file."""
        used = {span.study for span in self.spans}
        return {number: (s.study_id, s.path) for number, s in enumerate(self.manifest.studies) if number in used}

    def split(self, config: PretrainConfig, earlier: Iterable[str]) -> dict[str, Any]:
        """What split.json says; `earlier` patients taught the weights that the run starts from."""
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
    """Open every study of the manifest, and lay out what sequences are drawn from.

    The sampler draws the sequences of all `processes` at once.

    Raises:
        UserError: a study cannot be opened, a patient is to be kept out, or no batch can be drawn; each is named.
    """
    from training.video import open_source

    if config.images is not None:
        return _image_studies(config, config.images, processes)
    assert config.studies is not None  # checked by the config
    manifest = load_manifest(config.studies)
    check_patients((study.patient_id for study in manifest.studies), config.held_out_patients)
    needs_time = config.method_class.needs_video
    if needs_time:
        _check_time(config.method, manifest, config.studies)
    counts = {}
    for number, study in enumerate(manifest.studies):
        reporter.check()
        reporter.progress(number, len(manifest.studies), "studies", "opening")
        with open_source(study.path) as source:
            counts[study.study_id] = len(source)
    spans, left_out = pretraining_spans(
        manifest,
        counts,
        config.regions,
        each_span_is_a_study=config.each_span_is_a_study,
        needs_time=needs_time,
    )
    sampler = _sampler(config, spans, processes)
    return PretrainStudies(manifest, spans, left_out, sampler, config.method_class.warning(config, sampler))


def _check_time(method: str, manifest: Manifest, path: Path) -> None:
    if not any(study.has_time for study in manifest.studies):
        raise UserError(
            f"{method} needs video: all studies of {path.name} are stills, and nothing says which of them are near in "
            "time.",
            "Take another method, such as simclr or pgcon, or give studies that are videos.",
        )


def check_processes(config: PretrainConfig, processes: int) -> None:
    """Raise `UserError` where several processes would each remember other frames."""
    if config.method_class.has_bank and processes > 1:
        raise UserError(
            f"{config.method} runs in one process: its memory bank is one for all frames.",
            "Start it without torchrun; where memory is short, set gradient_cache_chunk.",
        )


def _image_studies(config: PretrainConfig, folder: Path, processes: int) -> PretrainStudies:
    """The groups of a folder of images, of which no frame knows another in time."""
    images = pretrain_images(folder, config.labels, config.held_out_patients)
    sampler = _sampler(config, images.spans, processes)
    return PretrainStudies(images.manifest, images.spans, images.left_out, sampler, pictures=images.pictures)


def _sampler(config: PretrainConfig, spans: Sequence[SequenceSpan], processes: int) -> SequenceSampler:
    config.method_class.check_frames(config, sum(map(len, spans)))
    drawn = config.sequences * processes
    return SequenceSampler(
        spans, config.sequence_length, drawn, config.sequence_source, config.positive_window, config.seed
    )


def check_patients(patients: Iterable[str], held_out: Iterable[str], whose: str = "the manifest has") -> None:
    """Raise `UserError` naming a patient on both sides; `whose` ends the sentence "but ... their studies"."""
    if shared := sorted(set(patients) & set(held_out)):
        raise UserError(
            f"The patient {shared[0]} is to be kept out of the pretraining, but {whose} their studies.",
            "Take the patient's studies out, or start from other weights.",
        )
