"""Full finetuning: judged along its course, which changes nothing of what is learned, and taken by epochs or steps."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.datasets.frames import labelled
from tests.training.experiments.benchmark.small_sets import asked
from training.datasets.frame_store import FrameStore
from training.experiments.benchmark import comparison, full_finetuning
from training.experiments.benchmark.class_figures import BestAndLast
from training.experiments.benchmark.comparison import SMOKE
from training.finetuning.config import FinetuneConfig
from training.runs.reporter import Cancelled, SilentReporter

LABELS = np.array([0, 1, 0, 1, 0, 1])
JUDGED, OTHERS = np.array([0, 1, 2, 3]), np.array([4, 5])


class Course:
    """Scores whose hits are given: at each moment the rows that it gets right."""

    def __init__(self, *right: set[int]) -> None:
        self.right, self.moment = right, 0
        self.asked: list[list[int]] = []

    def __call__(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(m, 2)"""
        self.asked.append(rows.tolist())
        given = [LABELS[row] if row in self.right[self.moment] else 1 - LABELS[row] for row in rows.tolist()]
        return np.eye(2)[given]

    def judged_by(self, course_figures: BestAndLast) -> BestAndLast:
        """Judge at steps 10, 20, ..."""
        for moment in range(len(self.right)):
            self.moment = moment
            course_figures.evaluate(10 * (moment + 1), is_last=moment == len(self.right) - 1)
        return course_figures


def test_the_judged_frames_choose_the_best_moment_where_nobody_else_does_which_is_optimistic() -> None:
    course = Course({0}, {0, 1, 2}, {1, 2, 3}, {0, 1})
    found = course.judged_by(BestAndLast(course, LABELS, JUDGED)).found
    assert (found["best"]["accuracy"], found["best_step"]) == (0.75, 20), "of equal ones the first"
    assert found["last"]["accuracy"] == 0.5
    assert found["is_optimistic"]
    assert found["judgings"] == len(course.asked) == 4


def test_other_frames_choose_and_the_judged_ones_are_asked_only_then() -> None:
    course = Course({0, 1, 2, 3}, {4, 0}, {0, 1, 2, 3}, {4, 5, 0})
    found = course.judged_by(BestAndLast(course, LABELS, JUDGED, OTHERS)).found
    assert not found["is_optimistic"]
    assert (found["best"]["accuracy"], found["best_step"]) == (0.25, 40)
    assert found["last"] == found["best"]
    assert course.asked.count(OTHERS.tolist()) == 4
    assert course.asked.count(JUDGED.tolist()) == 3, "not at the third moment, which is no better and not the last"


def test_even_a_course_that_never_hits_has_a_best_moment() -> None:
    course = Course(set(), set())
    found = course.judged_by(BestAndLast(course, LABELS, JUDGED)).found
    assert (found["best"]["accuracy"], found["best_step"], found["last"]["accuracy"]) == (0.0, 10, 0.0)


def test_each_group_counts_once_where_groups_are_known() -> None:
    course = Course({0, 1, 2})
    groups = np.array(["a", "a", "a", "b"])
    assert course.judged_by(BestAndLast(course, LABELS, JUDGED, groups=groups)).found["last"]["group_accuracy"] == 0.5
    assert course.judged_by(BestAndLast(course, LABELS, JUDGED)).found["last"]["group_accuracy"] is None


TWO_STEPS = replace(SMOKE, backbone="tiny", input_size=32, batch=4, finetune_steps=2)
TRAINING, TESTED, CHOSEN_ON = np.arange(8), np.arange(8, 12), np.arange(12, 16)


def store() -> FrameStore:
    """16 frames of four patients, noise that is brighter where something is to be seen."""
    spans = [(name, start, start + 2, label) for name in "ABCD" for start, label in ((0, 0), (2, 1))]
    known = labelled(spans, ("normal", "blood"))
    noise = np.random.default_rng(0).integers(0, 128, (16, 32, 32, 3), dtype=np.uint8)
    pixels = noise + (64 * known.label).astype(np.uint8)[:, None, None, None]
    return FrameStore(known, pixels, np.ones(16, dtype=bool), np.full((16, 3), np.nan, np.float32))


def finetuned(folder: Path, **changed: Any) -> dict[str, Any]:
    """A finetuning from random weights."""
    given: dict[str, Any] = {"comparison": TWO_STEPS, "reporter": SilentReporter(), "training": TRAINING, **changed}
    return full_finetuning.full_finetuning(
        asked(folder),
        given.pop("comparison"),
        "random",
        store(),
        given.pop("training"),
        TESTED,
        0,
        given.pop("reporter"),
        **given,
    )


def test_judging_along_the_way_changes_nothing_of_what_is_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    often = finetuned(tmp_path, chosen_on=CHOSEN_ON)
    monkeypatch.setattr(comparison, "EVALUATIONS", 1)
    once = finetuned(tmp_path)
    assert (often["judgings"], once["judgings"]) == (2, 1)
    assert often["last"] == once["last"] == once["best"]
    assert (often["is_optimistic"], once["is_optimistic"]) == (False, True)
    assert (often["steps"], often["epochs"], often["frames"]) == (2, None, 8)


def test_the_papers_course_goes_by_epochs_of_the_share_in_which_each_frame_is_drawn_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[Any] = []

    def untrained(settings: FinetuneConfig, network: Any, training: FrameStore, reporter: Any, on_point: Any) -> Any:
        taken.append((settings.sampling, settings.steps, settings.batch_size, len(training.labelled)))
        for step in range(1, (settings.steps or 0) + 1):
            on_point(SimpleNamespace(step=step))
        return SimpleNamespace(is_finished=True)

    monkeypatch.setattr(full_finetuning, "fit", untrained)
    by_epochs = replace(TWO_STEPS, finetune_steps=None, epochs_factor=0.01)
    found = finetuned(tmp_path, comparison=by_epochs, share=0.1, training=TRAINING[2:6])
    assert (found["epochs"], found["steps"], found["judgings"], found["frames"]) == (2, 2, 2, 4)
    finetuned(tmp_path)
    assert taken == [("proportional", 2, 4, 4), ("balanced", 2, 4, 8)]


def test_a_stop_before_the_last_step_keeps_nothing(tmp_path: Path) -> None:
    class Stopping(SilentReporter):
        stop_requested = True

    with pytest.raises(Cancelled):
        finetuned(tmp_path, reporter=Stopping())
