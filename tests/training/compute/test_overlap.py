"""Stages side by side: order, bounds, errors, and no thread left behind."""

import threading
from collections.abc import Iterator

import pytest

from training.compute.overlap import Prefetch, in_lanes


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    """Fails the test where a thread outlives it."""
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before


def test_prefetch_keeps_order_and_runs_elsewhere() -> None:
    seen: list[str] = []

    def items() -> Iterator[int]:
        seen.append(threading.current_thread().name)
        yield from range(20)

    prefetch = Prefetch(items(), depth=2)
    assert list(prefetch) == list(range(20))
    prefetch.close()
    assert seen == ["prefetch"]


def test_prefetch_stays_within_its_depth() -> None:
    made: list[int] = []
    enough = threading.Event()

    def items() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            if number == 3:
                enough.set()
            yield number

    prefetch = Prefetch(items(), depth=3)
    assert enough.wait(10)
    prefetch.close()
    assert len(made) < 20


def test_an_error_comes_out_where_the_item_would_have() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise OSError("gone")

    prefetch = Prefetch(items(), depth=4)
    found = iter(prefetch)
    assert next(found) == 1
    with pytest.raises(OSError, match="gone"):
        next(found)
    prefetch.close()


def test_closing_early_closes_the_items_too() -> None:
    closed = threading.Event()

    def items() -> Iterator[int]:
        try:
            while True:
                yield 0
        finally:
            closed.set()

    prefetch = Prefetch(items(), depth=1)
    next(iter(prefetch))
    prefetch.close()
    assert closed.is_set()


def test_lanes_give_results_in_order_and_really_overlap() -> None:
    both = threading.Barrier(2, timeout=10)  # is passed only by two at once

    def work(number: int) -> int:
        both.wait()
        return number * number

    assert list(in_lanes(range(10), work, 2)) == [number * number for number in range(10)]


def test_lanes_take_no_more_than_twice_their_number() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = in_lanes(items(), lambda number: number, 2)
    assert next(results) == 0
    assert len(taken) <= 5
    assert isinstance(results, Iterator)
    results.close()  # type: ignore[attr-defined]


def test_an_error_in_a_lane_reaches_the_caller() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        return number

    with pytest.raises(ValueError, match="three"):
        list(in_lanes(range(10), work, 2))


def test_each_lane_is_prepared_once() -> None:
    prepared: list[str] = []
    list(in_lanes(range(50), lambda number: number, 3, lambda: prepared.append(threading.current_thread().name)))
    assert 1 <= len(prepared) == len(set(prepared)) <= 3
