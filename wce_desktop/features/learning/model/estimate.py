"""Estimates of a training: frames, steps, disk space, and time from speeds measured on this computer."""

import json
import logging
import os
import shutil
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from training.errors import UserError
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from training.finetuning.config import FinetuneConfig
from training.models.backbones import BACKBONES, find_backbone
from training.pretraining.config import PretrainConfig
from wce_desktop.core.clock import counted
from wce_desktop.session.study_choice import StudyRow

_CPU_CORE = ("resnet18", 128, 79.0)  # images/s of a core, measured on two cores with AVX512-BF16 (docs/performance.md)
_GPU = ("resnet50", 256, 600.0)  # a cautious guess for an unknown GPU
MOST_IMAGES = 1e9  # per second; larger stored values are invalid
FIRST_POINTS = 3  # skipped: the first steps are slower


@dataclass(frozen=True)
class Speed:
    """Images per second; `is_measured` on this computer with this network and size, else scaled or guessed."""

    images_per_second: float
    is_measured: bool


class SpeedBook:
    """The speeds of earlier runs, stored in the library folder; a damaged file counts as empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            stored = {str(key): float(value) for key, value in read_json_object(path).items()}
            self._known = {key: rate for key, rate in stored.items() if 0 < rate < MOST_IMAGES and _is_key(key)}
        except (UserError, ValueError, TypeError, OverflowError):
            self._known = {}

    def note(self, device: str, backbone: str, input_size: int, rates: Sequence[float]) -> None:
        """Store the median speed of a run; runs with too few points are ignored."""
        steady = [rate for rate in rates[FIRST_POINTS:] if rate > 0]
        if not steady:
            return
        self._known[_key(device, backbone, input_size)] = round(statistics.median(steady), 2)
        try:
            with written_beside(self._path) as beside:
                beside.write_text(json.dumps(self._known, indent=1), encoding="utf-8")
        except OSError as error:  # an estimate is not worth a message to the reader
            logging.getLogger(__name__).warning("the speed of this computer is not kept: %s", error)

    def expect(self, device: str, backbone: str, input_size: int) -> Speed:
        """The expected speed: as measured, else scaled from another network or size, else a guess."""
        key = _key(device, backbone, input_size)
        if key in self._known:
            return Speed(self._known[key], is_measured=True)
        wanted = _work(backbone, input_size)
        scaled = [
            rate * _work(known[1], int(known[2])) / wanted
            for name, rate in self._known.items()
            if len(known := name.split()) == 3 and known[0] == _device(device) and known[1] in BACKBONES
        ]
        if scaled:
            return Speed(statistics.median(scaled), is_measured=False)
        return Speed(_guess(device) / wanted, is_measured=False)


def _is_key(text: str) -> bool:
    """Whether a text has the form that `_key` returns."""
    words = text.split()
    return len(words) == 3 and words[2].isdecimal() and 0 < int(words[2][:6]) <= 1 << 16


def _key(device: str, backbone: str, input_size: int) -> str:
    return f"{_device(device)} {backbone} {input_size}"


def _work(backbone: str, input_size: int) -> float:
    known = BACKBONES.get(backbone, BACKBONES["resnet50"])
    return known.gflops * (input_size / 224) ** 2


def _guess(device: str) -> float:
    """GFLOP per second, counted as in `_work`."""
    if _device(device) == "cpu":
        backbone, size, rate = _CPU_CORE
        return rate * min(os.cpu_count() or 1, 16) * _work(backbone, size)
    backbone, size, rate = _GPU
    return rate * _work(backbone, size)


def _device(name: str) -> str:
    """The likely meaning of "auto", without importing torch."""
    if name != "auto":
        return name
    if shutil.which("nvidia-smi"):
        return "cuda"
    return "mps" if sys.platform == "darwin" else "cpu"


_RESUMABLE = 3  # two are kept, one is being written

FEWEST_PRETRAINING_STEPS = 20  # of a pretraining limited by minutes (training.pretraining.pace)
START_SECONDS = 15.0  # starting the process, importing torch, reading the first frames
DEFAULT_INPUT_SIZE = 160
MEBIBYTE = 2**20


@dataclass(frozen=True)
class Estimate:
    """The estimate of a training.

    Attributes:
        frames: different training frames.
        steps: optimizer steps.
        images: frames shown in total, repetitions included.
        seconds: total duration.
        speed: the speed behind `seconds`.
        disk_bytes, free_bytes: size of the run folder, and free disk space.
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
        """True when there is not enough free disk space."""
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
            f"Not enough disk space: {room}" if self.is_too_large else f"Up to {room}",
        )


def estimate_pretraining(config: PretrainConfig, rows: Sequence[StudyRow], book: SpeedBook, place: Path) -> Estimate:
    """Estimate a pretraining on these studies; a batch has `sequences` times `sequence_length` frames."""
    speed = book.expect(config.device, config.backbone, config.input_size)
    method = config.method_class
    images = config.batch_frames * method.views
    per_step = config.batch_frames * method.images_per_frame(config) / speed.images_per_second
    affordable = max(int(config.minutes * 60 / per_step), FEWEST_PRETRAINING_STEPS)
    frames = sum(row.used_frames for row in rows)
    wanted = config.steps_for(frames)
    steps = min(wanted, affordable) if config.minutes else wanted
    weights = (find_backbone(config.backbone).parameters + sum(config.projection) * 600) * 4
    optimizer = weights * (2 if config.optimizer == "adamw" else bool(config.momentum))
    bank = frames * config.projection[-1] * 2 if method.has_bank else 0
    disk = (config.checkpoints_kept + 1) * weights + _RESUMABLE * (weights + optimizer + bank)
    seconds = steps * per_step + START_SECONDS
    decoded = min(config.keep_decoded_gb * 1e9, frames * config.input_size**2 * 3)
    return Estimate(frames, steps, steps * images, seconds, speed, int(disk + decoded), _free(place))


def estimate_finetuning(
    config: FinetuneConfig, rows: Sequence[StudyRow], positives: int, book: SpeedBook, place: Path
) -> Estimate:
    """Estimate a fine-tuning; `positives`: number of labelled frames that are not normal."""
    size = config.input_size or DEFAULT_INPUT_SIZE
    speed = book.expect(config.device, config.backbone, size)
    labelled = min(sum(_usable_frames(row, config) for row in rows), config.max_frames)
    training = int(labelled * (1 - config.held_out_share))
    per_step = config.batch_size / speed.images_per_second
    steps = config.steps or _steps(config, positives, per_step)
    weights = find_backbone(config.backbone).parameters * 4
    optimizer = weights * (2 if config.optimizer == "adamw" else bool(config.momentum))
    spilled = labelled * size * size * 3 * (4 if config.boxes or config.close_ups else 1)
    disk = _RESUMABLE * (weights + optimizer) + weights + (spilled if spilled > config.memory_mib * MEBIBYTE else 0)
    evaluation = (config.evaluations + 1) * (labelled - training) / (3 * speed.images_per_second)  # forward passes only
    seconds = steps * per_step + evaluation + START_SECONDS
    return Estimate(training, steps, steps * config.batch_size, seconds, speed, int(disk), _free(place))


def _usable_frames(row: StudyRow, config: FinetuneConfig) -> int:
    """Labelled frames, and in a finished study those seen but not labelled, which count as normal."""
    implied = max(row.study.seen_frames - row.labelled_frames, 0) if row.study.state == "finished" else 0
    return row.labelled_frames + min(implied, config.max_normal_per_study)


def _steps(config: FinetuneConfig, positives: int, per_step: float) -> int:
    training = min(positives, config.max_frames) * (1 - config.held_out_share)
    wanted = max(int(config.epochs * training / (config.batch_size * config.positive_share)), 1)
    affordable = max(config.fewest_steps, int(config.minutes * 60 / per_step)) if config.minutes else wanted
    return min(wanted, affordable)


def _free(place: Path) -> int:
    """Free bytes on the disk of `place`, which need not exist."""
    there = next(folder for folder in (place, *place.parents) if folder.exists())
    return shutil.disk_usage(there).free


def _times(count: float) -> str:
    return f"{count:,.0f} times" if count >= 10 else f"{count:.1f} times"


def _size(count: float) -> str:
    return f"{count / 2**30:,.1f} GiB" if count >= 2**30 else f"{max(count / MEBIBYTE, 1):,.0f} MiB"


def _duration(seconds: float) -> str:
    """A readable duration: "40 seconds", "12 minutes", "3.5 hours", "2 days"."""
    if seconds < 90:
        return f"{round(seconds)} seconds"
    if seconds < 5400:
        return f"{round(seconds / 60)} minutes"
    return f"{seconds / 3600:.1f} hours" if seconds < 172_800 else f"{seconds / 86_400:.1f} days"
