"""How many images a second this computer trained on before, by network and size, so that the next wait can be told."""

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

_COST = {"resnet18": 1.82, "resnet50": 4.09}  # GFLOP of one image at 224 x 224 px, forward (torchvision's table)
_CPU_CORE = ("resnet18", 128, 79.0)  # images/s of a core, measured on two cores with AVX512-BF16 (README, Speed)
_GPU = ("resnet50", 256, 600.0)  # a cautious guess for a GPU that nothing is known of
MOST_IMAGES = 1e9  # a second: more was never measured
FIRST_POINTS = 3  # a run's first steps warm up


@dataclass(frozen=True)
class Speed:
    """Images a second; `is_measured` on this computer with this network and size, else scaled or guessed."""

    images_per_second: float
    is_measured: bool


class SpeedBook:
    """The speeds of earlier runs, kept in the library's folder; a damaged file only means that nothing is known."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            stored = {str(key): float(value) for key, value in read_json_object(path).items()}
            self._known = {key: rate for key, rate in stored.items() if 0 < rate < MOST_IMAGES and _is_key(key)}
        except (UserError, ValueError, TypeError, OverflowError):
            self._known = {}

    def note(self, device: str, backbone: str, input_size: int, rates: Sequence[float]) -> None:
        """Remember what a run reached: the median of its points; too few say nothing."""
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
        """What a run is likely to reach: as measured, else scaled from another network or size, else a guess."""
        key = _key(device, backbone, input_size)
        if key in self._known:
            return Speed(self._known[key], is_measured=True)
        wanted = _work(backbone, input_size)
        scaled = [
            rate * _work(known[1], int(known[2])) / wanted
            for name, rate in self._known.items()
            if len(known := name.split()) == 3 and known[0] == _device(device) and known[1] in _COST
        ]
        if scaled:
            return Speed(statistics.median(scaled), is_measured=False)
        return Speed(_guess(device) / wanted, is_measured=False)


def _is_key(text: str) -> bool:
    """Whether it is what `_key` makes."""
    words = text.split()
    return len(words) == 3 and words[2].isdecimal() and 0 < int(words[2][:6]) <= 1 << 16


def _key(device: str, backbone: str, input_size: int) -> str:
    return f"{_device(device)} {backbone} {input_size}"


def _work(backbone: str, input_size: int) -> float:
    return _COST.get(backbone, _COST["resnet50"]) * (input_size / 224) ** 2


def _guess(device: str) -> float:
    """GFLOP a second, counted as in `_work`."""
    if _device(device) == "cpu":
        backbone, size, rate = _CPU_CORE
        return rate * min(os.cpu_count() or 1, 16) * _work(backbone, size)
    backbone, size, rate = _GPU
    return rate * _work(backbone, size)


def _device(name: str) -> str:
    """What "auto" is likely to mean, without loading torch to ask."""
    if name != "auto":
        return name
    if shutil.which("nvidia-smi"):
        return "cuda"
    return "mps" if sys.platform == "darwin" else "cpu"
