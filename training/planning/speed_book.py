"""The speeds of earlier runs on this computer, from which the time of the next one is estimated."""

import json
import logging
import math
import os
import re
import shutil
import statistics
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files import json_text, outputs
from training.models.backbones import BACKBONES, assumed_backbone

_CPU_CORE = ("resnet18", 128, 40.0)  # images/s of a core: half of what cores with AVX512-BF16 do (docs/performance.md)
_GPU = ("resnet50", 256, 600.0)  # a cautious guess for an unknown GPU
_CPU_SLOWNESS = {"efficientnet_lite0": 16.0}
"""CPU time for each GFLOP, compared with a ResNet: depthwise convolutions wait for memory (24 images/s of 160 px on the
same two cores, last two layers trained)."""
_READING = 100.0  # frames/s, guessed
_START_SECONDS = 15.0  # starting the process and importing torch, guessed
LEAST_IMAGES, MOST_IMAGES = 1e-3, 1e9  # per second; other stored values are invalid
MOST_START_SECONDS = 3600.0
MOST_PIXELS = 1 << 16  # side of a frame
FIRST_POINTS = 3  # skipped: the first steps are slower
ALL_LAYERS = 4
FORWARD, SCORE = "forward", "score"
MEMORY = " memory"
"""End of the key of a process's memory, in MB."""
READING, START = "reading", "start_seconds"
_KEY = re.compile(r"(\S+) (\S+) ([1-9][0-9]{0,4})(?: (forward|score|last[0-3]))?( memory)?")
_COST = {FORWARD: 1.0, SCORE: 1.0, "last0": 1.0, "last1": 1.5, "last2": 1.8, "last3": 2.4, "": 3.0}
"""Work of a frame by what is done with it, in forward passes: a backward pass costs about two, frozen layers none."""
MEASURED, SCALED, GUESSED = 1.2, 2.5, 4.0
"""Factors by which a duration may be longer (ours). Computers are busy with other things more often than quicker than
expected, so the lower end of a range is only the root of the factor away."""


@dataclass(frozen=True)
class Speed:
    """Frames per second, or for the start seconds; a duration by it may be longer by the factor `doubt`.

    `MEASURED` on this computer with this network and size, `SCALED` from another one, or `GUESSED`.
    """

    value: float
    doubt: float


class SpeedBook:
    """Stored in the library folder. What is damaged in the file, or of another version, counts as not measured.

    Keys are "cpu resnet18 128" (training of all layers), "cpu resnet18 128 last2" (of the last two), "cpu resnet18 128
    forward" (forward passes), "cpu resnet18 128 score" (scoring, with reading and writing), one of these with " memory"
    at the end (of the process, in MB), "reading" (frames of the studies), "start_seconds" (of the process).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _read(path)  # replaced, never changed: estimates are made in other threads

    def note(self, device: str, backbone: str, input_size: int, rates: Sequence[Any], layers: Any = ALL_LAYERS) -> None:
        """Store the median training speed of a run (images/s); runs with too few points are ignored."""
        steady = [float(rate) for rate in rates[FIRST_POINTS:] if _is_speed(rate)]
        if steady:
            self._store({_key(device, backbone, input_size, _layers(layers)): statistics.median(steady)})

    def note_run(
        self, device: str, backbone: str, input_size: int, speeds: Mapping[str, Any], job_seconds: float
    ) -> None:
        """Store the other speeds of a run, whose process took `job_seconds`.

        `speeds`: of its result (`training.finetuning.stopwatch`); what is missing or no number is left out.
        """
        known = {name: float(rate) for name, rate in speeds.items() if _is_speed(rate)}
        result = {
            _key(device, backbone, input_size, FORWARD): known.get("forward_per_second"),
            READING: known.get("reading_per_second"),
            START: job_seconds - known["seconds"] if job_seconds > known.get("seconds", job_seconds) else None,
        }
        self._store({key: value for key, value in result.items() if value is not None})

    def note_scoring(self, device: str, network: str, input_size: int, frames_per_second: Any) -> None:
        """Store the speed of a scoring."""
        if _is_speed(frames_per_second):
            self._store({_key(device, network, input_size, SCORE): float(frames_per_second)})

    def note_memory(self, device: str, network: str, input_size: int, what: Any, memory_bytes: Any) -> None:
        """Store the most memory that the process of a training took, or of a scoring; `what`: layers, or `SCORE`."""
        if type(memory_bytes) is int:
            kind = what if what == SCORE else _layers(what)
            self._store({_key(device, network, input_size, kind) + MEMORY: memory_bytes / 1e6})

    def memory(self, device: str, network: str, input_size: int, what: Any = ALL_LAYERS) -> int:
        """Bytes that such a process took the last time; 0 where there was none."""
        kind = what if what == SCORE else _layers(what)
        return int(self._known.get(_key(device, network, input_size, kind) + MEMORY, 0) * 1e6)

    def scoring(self, device: str, backbone: str, input_size: int) -> Speed:
        """Frames scored a second: as measured, else as quickly as they are read and passed through the network."""
        if (key := _key(device, backbone, input_size, SCORE)) in self._known:
            return Speed(self._known[key], MEASURED)
        forward, reading = self.forward(device, backbone, input_size), self.reading
        return Speed(min(forward.value, reading.value), max(forward.doubt, reading.doubt, SCALED))

    def _store(self, found: Mapping[str, float]) -> None:
        valid = {key: round(value, 3) for key, value in found.items() if _is_entry(key, value)}
        if not valid:
            return
        self._known = {**self._known, **valid}
        try:
            with outputs.written_beside(self._path) as beside:
                beside.write_text(json.dumps(self._known, indent=1), encoding="utf-8")
        except OSError as error:  # an estimate is not worth a message to the reader
            logging.getLogger(__name__).warning("the speed of this computer is not kept: %s", error)

    def expect(self, device: str, backbone: str, input_size: int, layers: Any = ALL_LAYERS) -> Speed:
        """The training speed: as measured, else scaled from another network, size or number of layers, else a guess."""
        return self._expect(device, backbone, input_size, _layers(layers))

    def expect_clips(self, device: str, network: str, input_size: int, gflops: float) -> Speed:
        """The training speed of an encoder of clips, in frames; `gflops`: of a frame, forward."""
        return self._expect(device, network, input_size, "", gflops)

    def forward(self, device: str, backbone: str, input_size: int) -> Speed:
        """The speed of forward passes."""
        return self._expect(device, backbone, input_size, FORWARD)

    @property
    def reading(self) -> Speed:
        """Frames read, decoded and prepared a second."""
        return Speed(self._known[READING], MEASURED) if READING in self._known else Speed(_READING, GUESSED)

    @property
    def start(self) -> Speed:
        """Seconds from the click until a run reads its first frames."""
        return Speed(self._known[START], MEASURED) if START in self._known else Speed(_START_SECONDS, GUESSED)

    def _expect(self, device: str, backbone: str, input_size: int, what: str, gflops: float = 0.0) -> Speed:
        key = _key(device, backbone, input_size, what)
        if key in self._known:
            return Speed(self._known[key], MEASURED)
        wanted = (gflops or _work(device, backbone, input_size)) * _COST[what]
        scaled = [
            rate * _work(device, known[1], int(known[2])) * _COST[known[3]] / wanted
            for name, rate in self._known.items()
            if (known := _parts(name)) and known[3] != SCORE and known[0] == _device(device) and known[1] in BACKBONES
        ]
        if scaled:
            return _bounded(statistics.median(scaled), SCALED)
        # GFLOP per second in a training of all layers, counted as in `_work`
        of_cpu = _device(device) == "cpu"
        network, size, rate = _CPU_CORE if of_cpu else _GPU
        guess = rate * (min(os.cpu_count() or 1, 16) if of_cpu else 1) * _work(device, network, size)
        return _bounded(guess * _COST[""] / wanted, GUESSED)


def network_name(settings: Mapping[str, Any]) -> Any:
    """What the book calls the network of a run: its backbone, or method and sizes of an encoder of clips."""
    if "cube_size" not in settings:
        return settings.get("backbone")
    sizes = "-".join(str(settings.get(name)) for name in ("sequence_length", "cube_size", "width", "blocks"))
    return f"{settings.get('method')}-{sizes}"


def _read(path: Path) -> dict[str, float]:
    """The valid entries of a book; whatever else the file holds is passed over."""
    try:
        stored = json_text.read_json(path, constants={})  # one NaN does not spoil the rest
    except (UserError, OSError, ValueError):
        return {}
    if not isinstance(stored, dict):
        return {}
    return {key: float(value) for key, value in stored.items() if _is_entry(key, value)}


def _is_speed(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and LEAST_IMAGES <= value < MOST_IMAGES


def _is_entry(key: str, value: object) -> bool:
    is_key = key in (READING, START) or _parts(key) is not None
    return is_key and _is_speed(value) and (key != START or float(str(value)) <= MOST_START_SECONDS)


def _bounded(rate: float, doubt: float) -> Speed:
    """A speed with which a duration can be reckoned."""
    return Speed(min(max(rate, LEAST_IMAGES), MOST_IMAGES) if math.isfinite(rate) else LEAST_IMAGES, doubt)


def _layers(layers: Any) -> str:
    """What the book calls a number of trained layers; a run folder may hold anything, which counts as all."""
    is_known = isinstance(layers, int) and not isinstance(layers, bool) and 0 <= layers < ALL_LAYERS
    return f"last{layers}" if is_known else ""


def _parts(key: str) -> tuple[str, str, str, str] | None:
    """Device, network, size and what was measured; None for a text that `_key` did not make."""
    match = _KEY.fullmatch(key)
    if match is None or int(match[3]) > MOST_PIXELS:
        return None
    if match[5] or match[4] == SCORE:
        return match[1], match[2], match[3], SCORE
    return match[1], match[2], match[3], match[4] or ""


def _key(device: str, backbone: str, input_size: int, what: str = "") -> str:
    return f"{_device(device)} {backbone} {input_size} {what}".rstrip()


def _work(device: str, backbone: str, input_size: int) -> float:
    """Of a frame, in GFLOP of a ResNet."""
    known = assumed_backbone(backbone)
    slowness = _CPU_SLOWNESS.get(known.name, 1.0) if _device(device) == "cpu" else 1.0
    return known.gflops * slowness * (input_size / 224) ** 2


def _device(name: str) -> str:
    """The likely meaning of "auto", without importing torch."""
    if name != "auto":
        return name
    if shutil.which("nvidia-smi"):
        return "cuda"
    return "mps" if sys.platform == "darwin" else "cpu"
