"""The training and held-out frames of a run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from training.datasets import findings, frame_store, sampler, usable_classes
from training.datasets.labelled_frames import LabelledFrames, target_classes
from training.datasets.labels import NORMAL, LabelRow, read_answers
from training.datasets.manifest import Manifest, StudyEntry, load_manifest
from training.datasets.split import Split, frames_by_study, split_frames
from training.finetuning.config import FinetuneConfig
from training.finetuning.folder import RunFolder, read_images
from training.finetuning.negatives import negatives_of_sides
from training.runs.folder import write_json
from training.runs.reporter import Reporter
from training.texts import Text, count_text, join_texts


def read_targets(config: FinetuneConfig) -> tuple[str, ...]:
    """The run's classes, normal first; raises `UserError` for invalid labels or boxes."""
    if config.boxes:
        findings.read_boxes(config.boxes)
    if config.images is not None:
        return read_images(config).labelled.classes
    return target_classes(read_answers(config.labels), config.classes)


def united_classes(old: Sequence[str], targets: Sequence[str]) -> tuple[str, ...]:
    """The old classes in their order, then the new ones."""
    return (*old, *(name for name in targets if name not in old and name != NORMAL))


def frame_count_of(study: StudyEntry) -> int:
    """The number of frames of a study, from its video."""
    with study.open_source() as source:
        return len(source)


@dataclass(frozen=True)
class Labelled:
    """What the labels of a run give."""

    frames: LabelledFrames
    """All usable frames."""
    rows: tuple[LabelRow, ...]
    """All labels, usable or not, and those by which a class is not there."""
    frame_counts: Mapping[str, int]
    """Study -> its frames, for studies with labels."""
    left_out: str = ""
    """Sentences about frames and classes that are left out or cannot be evaluated; empty where there are none."""
    patients_note: str = ""
    """Says that patients of labelled studies were not entered; empty where they were."""


@dataclass(frozen=True)
class TrainingSet:
    """The labelled frames of a run, split and thinned; no pixels yet."""

    split: Split
    labelled: Labelled
    training: LabelledFrames
    held_out: LabelledFrames

    @property
    def everything(self) -> LabelledFrames:
        """All usable labelled frames; the split's masks belong to it."""
        return self.labelled.frames

    @property
    def negatives(self) -> tuple[LabelledFrames, LabelledFrames]:
        """Frames on which a class is not there, to learn from and held out; see `LabelledFrames.negatives`."""
        return negatives_of_sides(self)


def labelled_frames(
    config: FinetuneConfig, reporter: Reporter, frame_count: Callable[[StudyEntry], int] = frame_count_of
) -> Labelled:
    """Collect the usable frames of a run; says which labels and classes are left out.

    Args:
        config: files and limits.
        reporter: logs what was left out.
        frame_count: the number of frames of a study.

    Raises:
        UserError: labels that do not match the studies, or too few of them.
    """
    labels = read_answers(config.labels)
    assert config.studies is not None  # those of images are written when the run folder is made
    manifest = load_manifest(config.studies)
    named = {row.study_id for row in labels}
    counts = {study.study_id: frame_count(study) for study in manifest.studies if study.study_id in named}
    classes = target_classes(labels, config.classes)
    frames, sentences = usable_classes.usable_frames(manifest, labels, counts, classes, config.least_frames)
    text = join_texts(" ", (frames.left_out.sentence(), *sentences))
    if text:
        reporter.log(text)
    used = Manifest(studies=tuple(study for study in manifest.studies if study.study_id in named))
    return Labelled(frames, tuple(labels), counts, text, used.patients_note)


def training_set(
    config: FinetuneConfig, labelled: Labelled, trained_on: frozenset[str], reporter: Reporter
) -> TrainingSet:
    """Split the frames by patient and thin them out; `trained_on`: patients of the initial weights.

    Raises:
        UserError: too few frames for both sides.
    """
    frames = labelled.frames
    split = split_frames(frames, config.held_out_share, config.gap_frames, config.seed, trained_on)
    if split.kind == "patients" and labelled.patients_note:
        split = replace(split, sentence=join_texts(" ", (split.sentence, labelled.patients_note)))
    if split.sentence:
        reporter.log(split.sentence)
    evaluated = round(config.max_frames * config.held_out_share)
    training = sampler.thin(frames.select(split.training), config.max_normal_per_study, config.max_frames - evaluated)
    held_out = sampler.thin(frames.select(split.held_out), config.max_normal_per_study, evaluated)
    for part in (training, held_out):
        counts = [Text("{count} {name}", count, Text(name)) for name, count in part.counts().items()]
        people = len(set(part.patients.tolist()))
        of = count_text("{count} patient", "{count} patients", people)
        reporter.log(
            Text("Training on {frames} frames ({counts}) of {patients}.", len(part), counts, of)
            if part is training
            else Text("Evaluating on {frames} frames ({counts}) of {patients}.", len(part), counts, of)
        )
    data = TrainingSet(split, labelled, training, held_out)
    more = set(data.negatives[0].patients.tolist()) - set(split.training_patients)
    if not more:
        return data
    return replace(data, split=replace(split, training_patients=tuple(sorted({*split.training_patients, *more}))))


def write_split(
    folder: RunFolder, data: TrainingSet, earlier: frozenset[str], rehearsed: LabelledFrames | None = None
) -> None:
    """Write split.json: patients and frames of each side, also those on which a class is not there.

    `earlier`: patients of the initial weights; `rehearsed`: frames of the training patients without labels.
    """
    split = data.split.to_json(data.training, data.held_out)
    more: dict[str, Any] = {} if rehearsed is None else {"rehearsed_frames": frames_by_study(rehearsed)}
    for name, negatives in zip(("negative_frames", "held_out_negative_frames"), data.negatives, strict=True):
        if len(negatives):
            classes = enumerate(negatives.classes)
            more[name] = {each: frames_by_study(negatives.select(negatives.label == label)) for label, each in classes}
    write_json(folder.split, {**split, **more, "earlier_patients": sorted(earlier)})


def load_side(
    config: FinetuneConfig, frames: LabelledFrames, size: int, folder: RunFolder, name: str, reporter: Reporter
) -> frame_store.FrameStore:
    """The pixels of one side ("training", "held-out") at a size in px, with the boxes of the run."""
    spill = folder.path / f"frames-{name}-{size}.tmp"
    boxes = findings.read_boxes(config.boxes) if config.boxes else ()
    return frame_store.load_frames(
        frames, size, config.memory_mib << 20, spill, reporter, Text("reading {name} frames", name), boxes
    )
