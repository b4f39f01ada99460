"""What a benchmark can be asked, and the sentence where it cannot."""

from pathlib import Path
from typing import Any

import pytest

from training.errors import UserError
from training.experiments.benchmark.config import BenchmarkConfig

GIVEN: dict[str, Any] = {"images": Path("images"), "labels": Path("labels.csv"), "out": Path("out")}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"methods": ("simclr", "moco")}, "there is no method 'moco'"),
        ({"methods": ("simclr", "simclr")}, "name each method once"),
        ({"methods": ()}, "name each method once"),
        ({"images": None}, "Give either studies"),
        ({"studies": Path("s.json")}, "Give either studies"),
        (
            {"images": None, "studies": Path("s.json"), "video_frames": Path("v.csv")},
            "video_frames belongs to images",
        ),
        ({"shares": (0.0, 1.0)}, "shares of the labels must be above 0"),
        ({"shares": (0.1, 0.1)}, "and different"),
        ({"shots": (0,)}, "at least one frame"),
        ({"hours": 0}, "hours"),
        ({"budget": "large"}, "budget"),
        ({"images": None, "studies": Path("s.json"), "split_by": "frames"}, "Studies are split by patient"),
        ({"split_by": "frames", "video_frames": Path("v.csv")}, "Frames of a video are similar to their neighbours"),
    ],
)
def test_each_mistake_is_a_sentence(changed: dict[str, Any], words: str) -> None:
    with pytest.raises((UserError, ValueError), match=words):
        BenchmarkConfig.checked(**{**GIVEN, **changed}).check_used(changed)


def test_finished_work_lies_in_the_report_folder_unless_said_otherwise() -> None:
    assert BenchmarkConfig.checked(**GIVEN).cells_folder == Path("out") / "cells"
    assert BenchmarkConfig.checked(**GIVEN, cells=Path("shared")).cells_folder == Path("shared")
