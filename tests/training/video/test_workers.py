"""A source gives the same frames in forked and spawned processes and in threads as in the process that opened it."""

import multiprocessing
import os
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.dicom_files import numbered_frames, raw_file, video_file
from tests.videos import cut_tail, number_of, numbered_frame, write_video
from training.errors import UserError
from training.video import FrameIndex, FrameMissing, FrameSource, build_index, open_source

FRAMES = 60
KINDS = ("mp4", "images", "dicom", "dicom-video", "repeated")
STARTS = [name for name in ("fork", "spawn") if name in multiprocessing.get_all_start_methods()]
pytestmark = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded")


def make_study(kind: str, folder: Path) -> tuple[Path, FrameIndex]:
    """A study of each kind, whose frames carry their numbers."""
    if kind == "images":
        path = folder / "images"
        path.mkdir()
        for number in range(FRAMES):
            cv2.imwrite(str(path / f"{number}.png"), numbered_frame(number))
    elif kind == "dicom":
        path = raw_file(folder / "a.dcm", numbered_frames(FRAMES))
    elif kind == "dicom-video":
        path = video_file(folder / "a.dcm", frames=FRAMES, b_frames=2)
    else:
        frames = FRAMES // 2 if kind == "repeated" else FRAMES
        path = write_video(folder / "a.mp4", frames, height=256, width=256, noise=60)
    index = build_index(path)
    if kind == "repeated":
        twice = np.arange(FRAMES) // 2
        columns = {name: getattr(index, name)[twice] for name in ("video_seconds", "pts", "is_key")}
        index = replace(index, **columns, repeated=twice)
    return path, index


def open_study(study: tuple[Path, FrameIndex]) -> FrameSource:
    """Its frames; the cache holds next to nothing."""
    return open_source(study[0], index=study[1], cache_bytes=1)


def expected(kind: str) -> list[int]:
    return [number // 2 if kind == "repeated" else number for number in range(FRAMES)]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, FrameIndex]]:
    return {kind: make_study(kind, tmp_path_factory.mktemp(kind)) for kind in KINDS}


@pytest.fixture(params=KINDS)
def opened(
    request: pytest.FixtureRequest, studies: dict[str, tuple[Path, FrameIndex]]
) -> Iterator[tuple[FrameSource, list[int]]]:
    with open_study(studies[request.param]) as source:
        source.read(0)
        yield source, expected(request.param)


_SHARED: list[FrameSource] = []


def read_numbers(source: FrameSource | None, first: int) -> list[tuple[int, int]]:
    """Every third frame, to and fro, as the number that is read in it, or -2 for a missing one."""
    source = source or _SHARED[0]
    frames = [*range(first, FRAMES, 3)]
    numbers = []
    for frame_index in frames[::2] + frames[1::2][::-1]:
        try:
            numbers.append((frame_index, number_of(source.read(frame_index))))
        except FrameMissing:
            numbers.append((frame_index, -2))
    return numbers


@pytest.mark.parametrize("start", STARTS)
def test_processes_read_what_their_parent_reads(studies: dict[str, tuple[Path, FrameIndex]], start: str) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context(start)) as pool:
        for kind in KINDS:
            with open_study(studies[kind]) as source:
                source.read(0)
                parts = [pool.submit(read_numbers, source, first) for first in range(3)]
                here = read_numbers(source, 0)
                read = dict(sum((part.result() for part in parts), here))
            assert read == dict(enumerate(expected(kind))), kind


@pytest.mark.skipif("fork" not in STARTS, reason="this system cannot fork")
def test_a_source_that_children_inherit_is_opened_anew(opened: tuple[FrameSource, list[int]]) -> None:
    source, numbers = opened
    _SHARED[:] = [source]
    try:
        for _ in range(2):
            with multiprocessing.get_context("fork").Pool(2) as pool:
                parts = pool.starmap(read_numbers, [(None, first) for first in range(3)], chunksize=1)
            assert dict([pair for part in parts for pair in part]) == dict(enumerate(numbers))
            assert read_numbers(source, 1) == [(frame, numbers[frame]) for frame, _ in read_numbers(source, 1)]
    finally:
        _SHARED.clear()
    assert source.missing == []


@pytest.mark.skipif("fork" not in STARTS, reason="this system cannot fork")
def test_an_iteration_goes_on_in_a_child_and_in_its_parent(opened: tuple[FrameSource, list[int]]) -> None:
    source, numbers = opened
    frames = source.iterate(0, FRAMES, 2)
    begun = [number_of(frame) for _, frame in (next(frames), next(frames)) if frame is not None]
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        code = 1
        try:
            rest = [-2 if frame is None else number_of(frame) for _, frame in frames]
            os.write(writing, bytes(number % 256 for number in rest))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    ours = [-2 if frame is None else number_of(frame) for _, frame in frames]
    with os.fdopen(reading, "rb") as pipe:
        theirs = list(pipe.read())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert begun + ours == begun + theirs == numbers[::2]


def test_threads_share_a_source(opened: tuple[FrameSource, list[int]]) -> None:
    source, numbers = opened
    barrier = threading.Barrier(4)

    def work(first: int) -> list[tuple[int, int]]:
        barrier.wait()
        if first == 3:
            return [(n, -2 if frame is None else number_of(frame)) for n, frame in source.iterate()]
        return read_numbers(source, first)

    with ThreadPoolExecutor(4) as pool:
        for part in pool.map(work, range(4)):
            assert part == [(frame, numbers[frame]) for frame, _ in part]


@pytest.mark.skipif("fork" not in STARTS, reason="this system cannot fork")
def test_a_fork_during_a_read_in_another_thread_does_not_block(opened: tuple[FrameSource, list[int]]) -> None:
    source, numbers = opened
    ends = threading.Event()

    def keep_reading() -> None:
        while not ends.is_set():
            source.read(FRAMES // 2)
            source.read(1)

    reader = threading.Thread(target=keep_reading)
    reader.start()
    _SHARED[:] = [source]
    try:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            parts = pool.starmap_async(read_numbers, [(None, first) for first in range(3)], chunksize=1).get(60)
    finally:
        ends.set()
        reader.join()
        _SHARED.clear()
    assert dict([pair for part in parts for pair in part]) == dict(enumerate(numbers))


def test_a_pickled_source_refuses_another_recording(tmp_path: Path) -> None:
    with open_study(make_study("mp4", tmp_path)) as source:
        pickled = pickle.dumps(source)
    write_video(tmp_path / "a.mp4", FRAMES, height=256, width=256)
    with pytest.raises(UserError, match="has changed since it was indexed"):
        pickle.loads(pickled)  # noqa: S301


def test_a_relative_path_is_found_from_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_video(tmp_path / "a.mp4", 12)
    monkeypatch.chdir(tmp_path)
    with open_source(Path("a.mp4")) as source:
        pickled = pickle.dumps(source)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pickle.loads(pickled) as copy:  # noqa: S301
        assert number_of(copy.read(7)) == 7


def read_one(source: FrameSource, frame_index: int) -> Any:
    return source.read(frame_index)


@pytest.mark.parametrize("start", STARTS)
def test_a_missing_frame_is_named_across_processes(tmp_path: Path, start: str) -> None:
    whole = write_video(tmp_path / "whole.avi", FRAMES, noise=60)
    with open_source(cut_tail(whole, tmp_path / "cut.avi", 0.3)) as source:
        missing = [frame for frame, picture in source.iterate() if picture is None]
        if not missing:
            index = replace(source.index, missing=np.array([5]))
            source, missing = open_source(source.path, index=index), [5]
        with ProcessPoolExecutor(1, multiprocessing.get_context(start)) as pool:
            error = pool.submit(read_one, source, missing[0]).exception(60)
    assert isinstance(error, FrameMissing)
    assert (error.frame_index, str(missing[0] + 1) in error.message, error.hint != "") == (missing[0], True, True)
