"""What a training will take, told before it starts: frames, steps, time on this device, disk."""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.finetuning.config import FinetuneConfig
from training.pretraining.config import PretrainConfig
from wce_desktop.core.clock import counted
from wce_desktop.features.learning.model.speeds import Speed, SpeedBook
from wce_desktop.session.study_choice import StudyRow

_PARAMETERS = {"resnet18": 11.2e6, "resnet50": 23.5e6}
_RESUMABLE = 3  # two that stay, and one that is being written
FEWEST_STEPS = 120  # of a finetuning that minutes bound (training.finetuning.fitting)
FEWEST_PRETRAINING_STEPS = 20  # of a pretraining that minutes bound (training.pretraining.pace)
VIEWS = {"simclr": 2}  # images that a method makes of each frame
START_SECONDS = 15.0  # starting the process, importing torch, reading the first frames
DEFAULT_INPUT_SIZE = 160
MEBIBYTE = 2**20


@dataclass(frozen=True)
class Estimate:
    """What a training is expected to take.

    Attributes:
        frames: different frames that it can learn from.
        steps: optimizer steps.
        images: frames shown in all, each showing counted.
        seconds: from start to end.
        speed: that the time was reckoned with.
        disk_bytes, free_bytes: what the run folder will hold, and what is free there.
    """

    frames: int
    steps: int
    images: int
    seconds: float
    speed: Speed
    disk_bytes: int
    free_bytes: int

    @property
    def is_too_large(self) -> bool:
        """True where the disk has no room for it."""
        return self.disk_bytes > self.free_bytes

    @property
    def times_seen(self) -> float:
        """How often a frame is shown on average."""
        return self.images / self.frames if self.frames else 0.0

    @property
    def sentences(self) -> tuple[str, ...]:
        """Frames and steps; time; disk."""
        speed = f"{self.speed.images_per_second:,.0f} images/s"
        how = f"at {speed}, as measured here" if self.speed.is_measured else f"roughly, at a guessed {speed}"
        room = f"{_size(self.disk_bytes)} on disk; {_size(self.free_bytes)} are free."
        return (
            f"{counted(self.frames, 'frame')}, {counted(self.steps, 'step')}: each frame is seen "
            f"{_times(self.times_seen)} on average.",
            f"About {_duration(self.seconds)} ({how}).",
            f"Not enough room: {room}" if self.is_too_large else f"Up to {room}",
        )


def estimate_pretraining(config: PretrainConfig, rows: Sequence[StudyRow], book: SpeedBook, place: Path) -> Estimate:
    """Reckon a pretraining on these studies; a batch is `sequences` times `sequence_length` frames."""
    speed = book.expect(config.device, config.backbone, config.input_size)
    images = config.batch_frames * VIEWS.get(config.method, 1)
    per_step = config.batch_frames * _views(config) / speed.images_per_second
    affordable = max(int(config.minutes * 60 / per_step), FEWEST_PRETRAINING_STEPS)
    frames = sum(row.used_frames for row in rows)
    wanted = config.steps_for(frames)
    steps = min(wanted, affordable) if config.minutes else wanted
    weights = (_PARAMETERS[config.backbone] + sum(config.projection) * 600) * 4
    optimizer = weights * (2 if config.optimizer == "adamw" else bool(config.momentum))
    bank = frames * config.projection[-1] * 2 if config.has_bank else 0
    disk = (config.checkpoints_kept + 1) * weights + _RESUMABLE * (weights + optimizer + bank)
    seconds = steps * per_step + START_SECONDS
    decoded = min(config.keep_decoded_gb * 1e9, frames * config.input_size**2 * 3)
    return Estimate(frames, steps, steps * images, seconds, speed, int(disk + decoded), _free(place))


def _views(config: PretrainConfig) -> float:
    """Images that the network sees of each frame, counted by their pixels in images of the input size."""
    if not config.has_bank:
        return VIEWS.get(config.method, 1)
    pixels = config.prior_size**2 + 9 * config.tile_size**2 + (config.method == "wincon") * config.win_size**2
    return pixels / config.input_size**2


def estimate_finetuning(
    config: FinetuneConfig, rows: Sequence[StudyRow], positives: int, book: SpeedBook, place: Path
) -> Estimate:
    """Reckon a finetuning; `positives` are the labelled frames that are not normal."""
    size = config.input_size or DEFAULT_INPUT_SIZE
    speed = book.expect(config.device, config.backbone, size)
    labelled = min(sum(_taught_frames(row, config) for row in rows), config.max_frames)
    taught = int(labelled * (1 - config.held_out_share))
    per_step = config.batch_size / speed.images_per_second
    steps = config.steps or _steps(config, positives, per_step)
    weights = _PARAMETERS[config.backbone] * 4
    optimizer = weights * (2 if config.optimizer == "adamw" else bool(config.momentum))
    spilled = labelled * size * size * 3 * (4 if config.boxes or config.close_ups else 1)
    disk = _RESUMABLE * (weights + optimizer) + weights + (spilled if spilled > config.memory_mib * MEBIBYTE else 0)
    judging = (config.evaluations + 1) * (labelled - taught) / (3 * speed.images_per_second)  # forward passes only
    seconds = steps * per_step + judging + START_SECONDS
    return Estimate(taught, steps, steps * config.batch_size, seconds, speed, int(disk), _free(place))


def _taught_frames(row: StudyRow, config: FinetuneConfig) -> int:
    """Labelled frames, and those that a finished reading calls normal: seen and not labelled."""
    implied = max(row.study.seen_frames - row.labelled_frames, 0) if row.study.state == "finished" else 0
    return row.labelled_frames + min(implied, config.max_normal_per_study)


def _steps(config: FinetuneConfig, positives: int, per_step: float) -> int:
    taught = min(positives, config.max_frames) * (1 - config.held_out_share)
    wanted = max(int(config.epochs * taught / (config.batch_size * config.positive_share)), 1)
    affordable = max(FEWEST_STEPS, int(config.minutes * 60 / per_step)) if config.minutes else wanted
    return min(wanted, affordable)


def _free(place: Path) -> int:
    """Bytes free where `place` is, or would be."""
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    return shutil.disk_usage(there).free


def _times(count: float) -> str:
    return f"{count:,.0f} times" if count >= 10 else f"{count:.1f} times"


def _size(count: float) -> str:
    return f"{count / 2**30:,.1f} GiB" if count >= 2**30 else f"{max(count / MEBIBYTE, 1):,.0f} MiB"


def _duration(seconds: float) -> str:
    """As one says it: "40 seconds", "12 minutes", "3.5 hours", "2 days"."""
    if seconds < 90:
        return f"{round(seconds)} seconds"
    if seconds < 5400:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds / 3600:.1f} hours" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"
