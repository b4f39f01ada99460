"""Small data sets for benchmarks: labelled images in groups, and settings so small that nothing is learned."""

import csv
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.training.pretraining.tiny_studies import picture
from training.experiments.benchmark import comparison
from training.experiments.benchmark.config import BenchmarkConfig
from training.runs.reporter import Reporter, SilentReporter

GROUPS = 5


def write_images(folder: Path, each: int = 3) -> Path:
    """images/ and labels.csv: of each group some frames with blood and as many without."""
    (folder / "images").mkdir(parents=True)
    rng = np.random.default_rng(3)
    rows = [("filename", "label", "group")]
    for group in range(GROUPS):
        for number in range(2 * each):
            kind, name = ("blood", "normal")[number % 2], f"g{group}_{number}.png"
            cv2.imwrite(str(folder / "images" / name), cv2.cvtColor(picture(kind, rng), cv2.COLOR_RGB2BGR))
            rows.append((name, kind, f"group {group}"))
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return folder


def make_smoke_tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget `smoke` with two steps at 32 px."""
    tiny = replace(
        comparison.SMOKE,
        backbone="tiny",
        input_size=32,
        frames=8,
        batch=4,
        finetune_steps=2,
        of_method={
            "time-triplet": {"sequence_length": 2, "sequences": 2, "window": 1},
            **comparison.parts_of_frames(4, 96, 32, 32),
            "*": {**comparison.ONE_BY_ONE, "sequences": 4},
        },
    )
    monkeypatch.setitem(comparison.COMPARISONS, "smoke", tiny)


def asked(folder: Path, **changed: Any) -> BenchmarkConfig:
    """A benchmark on `write_images`."""
    given: dict[str, Any] = {
        "methods": ("random", "simclr", "time-triplet"),
        "images": folder / "images",
        "labels": folder / "labels.csv",
        "out": folder / "report",
        "weights_cache": folder / "none",
        "budget": "smoke",
        "seeds": 2,
        "shares": (0.1, 1.0),
        "shots": (1,),
        "device": "cpu",
        "threads": 1,
    }
    return BenchmarkConfig.checked(**{**given, **changed})


class Listener(SilentReporter):
    """Keeps what it is told, and stops where it is asked to."""

    def __init__(self) -> None:
        self.stop_requested = False
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        """Keep the line."""
        self.lines.append(line)


class CountingPretrain:
    """The real pretraining, counted; may ask for a stop before one."""

    def __init__(self, listener: Listener | None = None, stop_before: int | None = None) -> None:
        self.asked: list[dict[str, Any]] = []
        self._listener, self._stop_before = listener, stop_before

    def __call__(self, fields: Mapping[str, Any], reporter: Reporter) -> dict[str, Any]:
        """Pretrain."""
        from training.experiments.benchmark.pretraining import real_pretrain

        self.asked.append(dict(fields))
        if self._listener is not None and len(self.asked) == self._stop_before:
            self._listener.stop_requested = True
        return real_pretrain(fields, reporter)
