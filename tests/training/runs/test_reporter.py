"""Rate and time left."""

import pytest

from training.runs.reporter import RateMeter


class Clock:
    """A clock that a test moves."""

    seconds = 0.0

    def __call__(self) -> float:
        """The time it was moved to."""
        return self.seconds


def test_a_resumed_job_does_not_count_what_was_already_done() -> None:
    clock = Clock()
    meter = RateMeter(clock)
    assert meter.measure("scoring", 30_000, 50_000) == (None, None)
    clock.seconds = 1.0
    assert meter.measure("scoring", 30_400, 50_000) == (400.0, 49.0)


def test_the_rate_follows_the_last_ten_seconds() -> None:
    clock = Clock()
    meter = RateMeter(clock)
    done, rate = 0, None
    for second in range(60):
        clock.seconds = float(second)
        done += 100 if second < 30 else 10
        rate, _ = meter.measure("scoring", done, 10_000)
    assert rate == pytest.approx(10.0)


def test_another_piece_of_work_starts_anew() -> None:
    clock = Clock()
    meter = RateMeter(clock)
    meter.measure("decoding", 0, 10)
    clock.seconds = 1.0
    assert meter.measure("decoding", 5, 10) == (5.0, 1.0)
    assert meter.measure("finetuning", 1, 10) == (None, None)
    clock.seconds = 2.0
    assert meter.measure("finetuning", 0, 10) == (None, None)  # counts again from the start


def test_without_a_total_there_is_a_rate_but_no_time_left() -> None:
    clock = Clock()
    meter = RateMeter(clock)
    meter.measure("counting", 0, 0)
    clock.seconds = 2.0
    assert meter.measure("counting", 4, 0) == (2.0, None)
