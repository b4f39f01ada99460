"""Estimates of a training: frames, steps, disk space, and time from speeds measured on this computer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.finetuning.config import FinetuneConfig
from training.methods.clip_method import ClipMethod, ClipSettings
from training.models.backbones import assumed_backbone
from training.planning.speed_book import MEASURED, Speed, SpeedBook, network_name
from training.pretraining.config import PretrainConfig
from wce_desktop.core import counted, needs, number_text, tr
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.session.study_choice import StudyRow

RESUMABLE = 3  # two are kept, one is being written
DEFAULT_INPUT_SIZE = 160
SAMPLE = 240  # held-out frames scored during a fine-tuning (training.finetuning.held_out)


@dataclass(frozen=True)
class LabelledCount:
    """Labelled frames that a training of the classifier uses, and those whose embeddings have to be computed first."""

    frames: int
    missing: int


@dataclass(frozen=True)
class Estimate:
    """The estimate of a training.

    Attributes:
        frames: different training frames.
        steps: optimizer steps; 0: only a linear classifier is trained.
        images: frames shown in total, repetitions included.
        seconds: total duration.
        doubt: factor by which it may take longer (see `speed_book`); `MEASURED` if all speeds were measured.
        disk_bytes, free_bytes: size of the run folder, and free disk space.
        is_classifier_only: whether the network stays as it is.
        counted: then how many frames lack embeddings; None where it is not known (yet).
        memory_bytes: that the process took the last time; 0 where there was none.
        work: what is trained on and how long, where that is not said in frames and steps.
    """

    frames: int
    steps: int
    images: int
    seconds: float
    doubt: float
    disk_bytes: int
    free_bytes: int
    is_classifier_only: bool = False
    counted: "LabelledCount | None" = None
    memory_bytes: int = 0
    work: str = ""

    @property
    def is_too_large(self) -> bool:
        """True when there is not enough free disk space."""
        return self.disk_bytes > self.free_bytes

    @property
    def times_seen(self) -> float:
        """How often a frame is shown on average."""
        return self.images / self.frames if self.frames else 0.0

    @property
    def duration(self) -> str:
        """See `needs.time_sentence`."""
        return needs.time_sentence(self.seconds, self.doubt)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Frames and steps; time; disk and memory."""
        room = needs.room_sentence(self.disk_bytes, self.free_bytes, self.memory_bytes)
        return (self._frames_and_steps, self.time, room)

    @property
    def time(self) -> str:
        """How long it takes; of a training of the classifier also how many frames have to be computed for it."""
        if not self.is_classifier_only:
            return self.duration
        if self.counted is None:
            return tr(
                "A few seconds if the model has scored these studies. Otherwise: {duration}", duration=self.duration
            )
        if not self.counted.missing:
            frames = counted(self.counted.frames, "frame")
            return tr("A few seconds: the model has scored these studies ({frames}).", frames=frames)
        return tr(
            "The model has not scored {missing} of {frames} yet; they are computed first. {duration}",
            missing=number_text(self.counted.missing),
            frames=counted(self.counted.frames, "frame"),
            duration=self.duration,
        )

    @property
    def _frames_and_steps(self) -> str:
        frames, times = counted(self.frames, "frame"), self.times_seen
        if self.work:
            return self.work
        if self.is_classifier_only:
            return tr("{frames}, the classifier only.", frames=frames)
        if not self.steps:
            return tr("{frames}, one patient: only a linear classifier is trained.", frames=frames)
        values = {"frames": frames, "steps": counted(self.steps, "step")}
        seen = number_text(times, ",.0f" if times >= 10 else ".1f")
        return tr("{frames}, {steps}: each frame is seen {times} times on average.", **values, times=seen)


def estimate_pretraining(config: PretrainConfig, rows: Sequence[StudyRow], book: SpeedBook, place: Path) -> Estimate:
    """Estimate a pretraining on these studies; a batch has `sequences` times `sequence_length` frames."""
    method = config.method_class
    speed = _pretraining_speed(config, book)
    images = config.batch_frames * method.views
    per_step = config.batch_frames * method.images_per_frame(config) / speed.value
    frames = sum(row.used_frames for row in rows)
    steps = config.steps_for(frames)
    weights = _pretraining_weights(config) * 4
    optimizer = weights * (bool(config.momentum) if config.optimizer == "sgd" else 2)
    bank = frames * config.projection[-1] * 2 if method.has_bank else 0
    disk = (config.checkpoints_kept + 1) * weights + RESUMABLE * (weights + optimizer + bank)
    seconds = _limited(steps * per_step, config.minutes) + book.start.value
    decoded = min(config.keep_decoded_gb * 1e9, frames * config.input_size**2 * 3)
    memory = book.memory(config.device, network_name(config.model_dump()), config.input_size)
    free = needs.free_bytes(place)
    return Estimate(frames, steps, steps * images, seconds, speed.doubt, int(disk + decoded), free, memory_bytes=memory)


def _pretraining_speed(config: PretrainConfig, book: SpeedBook) -> Speed:
    """Frames per second."""
    method = config.method_class
    if not issubclass(method, ClipMethod) or not isinstance(config, ClipSettings):
        return book.expect(config.device, config.backbone, config.input_size)
    frames = config.encoder_config().frames * method.views
    gflops = method.clip_gflops(config) / frames
    return book.expect_clips(config.device, network_name(config.model_dump()), config.input_size, gflops)


def _pretraining_weights(config: PretrainConfig) -> int:
    """Numbers in the network, about."""
    if isinstance(config, ClipSettings):
        return 12 * config.blocks * config.width**2 * config.method_class.views
    return assumed_backbone(config.backbone).parameters + sum(config.projection) * 600


def estimate_finetuning(
    config: FinetuneConfig,
    rows: Sequence[StudyRow],
    counts: Mapping[str, int],
    book: SpeedBook,
    place: Path,
    counted: LabelledCount | None = None,
) -> Estimate:
    """Estimate a fine-tuning on these studies, whose run folder will be at `place`.

    `counts`: labelled frames of each class; `counted`: of a training of the classifier only, the frames that lack
    embeddings; None: all may lack them.
    """
    positives = [count for name, count in counts.items() if name != NORMAL]
    thinned = sum(positives) + config.max_normal_per_study * len(rows)
    usable = 0
    for row in rows:  # labelled frames, and in a finished study those seen but not labelled, which count as normal
        implied = max(row.study.seen_frames - row.labelled_frames, 0) if row.study.state == "finished" else 0
        usable += row.labelled_frames + min(implied, config.max_normal_per_study)
    labelled = min(usable, thinned, config.max_frames)
    size = config.for_data(labelled, len(positives) + 1).input_size or DEFAULT_INPUT_SIZE
    speed = book.expect(config.device, config.backbone, size, config.trained_layers)
    training = int(labelled * (1 - config.held_out_share))
    per_step = config.batch_size / speed.value
    # With one patient nobody is held out, and two stages end after the first (training.finetuning.run).
    patients = {row.study.patient_id for row in rows if row.labelled_frames}
    is_linear = config.is_classifier_only or (config.linear_start and len(patients) < 2)
    steps = 0 if is_linear else config.steps or _steps(config, positives)
    passes, read = _passes(config, training, labelled - training, is_linear=is_linear)
    if counted is not None:
        training, passes, read = int(counted.frames * (1 - config.held_out_share)), counted.missing, counted.missing
    forward, reading, start = book.forward(config.device, config.backbone, size), book.reading, book.start
    seconds = start.value + read / reading.value + passes / forward.value
    seconds += _limited(steps * per_step, config.minutes)
    doubts = (start.doubt, reading.doubt, forward.doubt, MEASURED if is_linear else speed.doubt)
    return Estimate(
        training,
        steps,
        steps * config.batch_size,
        seconds,
        max(doubts),
        _finetuning_bytes(config, labelled, size),
        needs.free_bytes(place),
        config.is_classifier_only,
        counted,
        book.memory(config.device, config.backbone, size, config.trained_layers),
    )


def _passes(config: FinetuneConfig, training: int, held_out: int, *, is_linear: bool) -> tuple[int, int]:
    """Forward passes, and frames read, in a fine-tuning with so many training and held-out frames."""
    passes = training + held_out if config.linear_start or config.is_classifier_only else 0
    if not is_linear:
        passes += config.evaluations * min(SAMPLE, held_out) + held_out + (training if config.refit else 0)
    is_compared = config.init not in ("imagenet", "random") or config.replaces is not None
    again = held_out if is_compared else 0
    return passes + again, training + held_out + again


def _finetuning_bytes(config: FinetuneConfig, labelled: int, size: int) -> int:
    """Of the run folder, and of frames that do not fit into memory."""
    weights = assumed_backbone(config.backbone).parameters * 4
    optimizer = weights * (2 if config.optimizer == "adamw" else bool(config.momentum))
    spilled = labelled * size * size * 3 * (4 if config.boxes or config.close_ups else 1)
    spilled = spilled if spilled > config.memory_mib * needs.MEBIBYTE else 0
    return int(RESUMABLE * (weights + optimizer) + weights + spilled)


def _steps(config: FinetuneConfig, positives: Sequence[int]) -> int:
    """As many as show each frame of the largest class other than normal `epochs` times, limited by `most_steps`."""
    shown = min(max(positives, default=0) * len(positives), config.max_frames) * (1 - config.held_out_share)
    wanted = max(int(config.epochs * shown / (config.batch_size * config.positive_share)), 1)
    return config.steps_of(wanted, 1 + len(positives))


def _limited(seconds: float, minutes: float) -> float:
    """Seconds of training, at most a time limit (0: none)."""
    return min(seconds, 60 * minutes) if minutes else seconds
