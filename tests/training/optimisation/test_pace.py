"""CPU threads and time of a training: as asked for, within what the machine can use."""

import pytest
import torch

from training.optimisation.pace import MOST_THREADS, TimeLimit, threads_for_training
from training.runs.reporter import SilentReporter


def test_more_threads_than_the_cores_can_use_are_not_started() -> None:
    before = torch.get_num_threads()
    with threads_for_training(1024):
        assert torch.get_num_threads() == MOST_THREADS
    with threads_for_training(1):
        assert torch.get_num_threads() == 1
    with threads_for_training(None):
        assert torch.get_num_threads() == before
    assert torch.get_num_threads() == before


class Lines(SilentReporter):
    """Keeps what is logged."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


def test_a_time_limit_asks_for_a_stop_after_the_fewest_steps_and_says_so_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr("training.optimisation.pace.time.monotonic", lambda: clock[0])
    lines = Lines()
    limit = TimeLimit(lines, minutes=2, fewest_steps=8)
    for step in range(1, 9):
        clock[0] = 30.0 * step
        limit.progress(step, 10, "steps", "training")
        assert limit.stop_requested == (step == 8)
    assert limit.stop_requested
    assert lines.lines == [
        "All 10 steps would take about 5.4 minutes; the time limit is 2.",
        "Stopped after 2 minutes, the time limit, at step 8.",
    ]


def test_without_a_limit_only_a_person_stops_a_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.optimisation.pace.time.monotonic", iter([0.0, 1e9, 2e9, 3e9]).__next__)
    lines = Lines()
    limit = TimeLimit(lines, minutes=0)
    for step in range(10):
        limit.progress(step, 10, "steps", "training")
    assert not limit.stop_requested
    lines.stop_requested = True
    assert limit.stop_requested
    assert lines.lines == []
