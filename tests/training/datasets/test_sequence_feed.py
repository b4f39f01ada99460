"""The feed: the very frames of the files, whatever reads them; damage is left out; nothing outlives it."""

import errno
import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.videos import write_video
from training.datasets import sequence_worker
from training.datasets.sequence_feed import SequenceBatch, SequenceFeed, default_workers
from training.datasets.sequence_reader import SequenceFrames, StudyFile, study_sides
from training.datasets.sequences import STUDY_STRIDE, FrameSequence, SequenceSampler, SequenceSpan
from training.errors import UserError
from training.runs.reporter import SilentReporter
from training.video import NUMBERING, open_source, prepare_frame, study_field_of_view
from training.video.video_source import VideoSource

SIZE = 32
FRAMES = 60
ORDER = (0, 1, 2, 3, 7, 8, 2)
Studies = dict[int, StudyFile]


class Listener(SilentReporter):
    """Remembers what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def log(self, line: str) -> None:
        self.lines.append(line)


class Given:
    """A sampler that gives listed batches; attempts run through the list of a step."""

    def __init__(self, *attempts: tuple[FrameSequence, ...]) -> None:
        self.attempts, self.window = attempts, 3
        self.sequences = max(len(batch) for batch in attempts)

    def batch(self, step: int, attempt: int = 0) -> tuple[FrameSequence, ...]:
        return self.attempts[min(attempt, len(self.attempts) - 1)]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Studies:
    folder = tmp_path_factory.mktemp("studies")
    return {n: (f"S{n}", write_video(folder / f"{n}.mp4", FRAMES, b_frames=2, noise=20), NUMBERING) for n in range(2)}


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No process of ours, no thread and no file handle survives a test."""
    processes, threads = set(children()), set(threading.enumerate())
    yield
    assert set(children()) <= processes  # what other tests left may end meanwhile
    assert set(threading.enumerate()) <= threads


def children() -> list[int]:
    """Processes that this one has started and that still run (Linux; elsewhere none are seen)."""
    listed = Path(f"/proc/self/task/{os.getpid()}/children")
    return [int(pid) for pid in listed.read_text().split()] if listed.exists() else []


def sampler(sequences: int = 2, length: int = 10) -> SequenceSampler:
    return SequenceSampler([SequenceSpan(n, n, 5, FRAMES) for n in range(2)], length, sequences, window=3, seed=1)


def batches(studies: Studies, workers: int) -> list[SequenceBatch]:
    with SequenceFeed(sampler(), studies, SIZE, workers=workers) as feed:
        return [feed(step) for step in ORDER]


def same(one: SequenceBatch, other: SequenceBatch) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))


def test_frames_and_pseudo_labels_are_those_of_the_files(studies: Studies) -> None:
    for step, batch in zip(ORDER, batches(studies, 0), strict=True):
        expected, labels, sides = [], [], []
        for sequence in sampler().batch(step):
            with open_source(studies[sequence.study][1]) as source:
                view = study_field_of_view(source)
                expected += [prepare_frame(source.read(index), view, SIZE) for index in sequence.positions.tolist()]
            sides += [list(study_sides(view))] * len(sequence)
            labels += [STUDY_STRIDE * sequence.gamma + index for index in sequence.positions.tolist()]
        assert np.array_equal(batch.frames.numpy(), np.stack(expected))
        assert batch.labels.tolist() == labels
        assert batch.sides_px.tolist() == sides
        assert batch.frames.dtype == torch.uint8
        assert batch.labels.dtype == torch.int64
        assert batch.is_round.dtype == torch.bool


def test_processes_read_the_same_also_out_of_order(studies: Studies) -> None:
    here = batches(studies, 0)
    assert all(map(same, here, batches(studies, 2)))


def test_what_a_library_prints_is_no_part_of_an_answer(studies: Studies, monkeypatch: pytest.MonkeyPatch) -> None:
    here = batches(studies, 0)
    noisy = """
import os
from training.datasets import sequence_worker
class Noisy(sequence_worker.SequenceReader):
    def read(self, sequences):
        os.write(1, b"[h264] non-existing PPS 0 referenced\\n")
        return super().read(sequences)
sequence_worker.SequenceReader = Noisy
sequence_worker.main()
"""
    monkeypatch.setattr(sequence_worker, "_command", lambda: [sys.executable, "-P", "-c", noisy])
    assert all(map(same, here, batches(studies, 1)))


@pytest.mark.parametrize("workers", [0, 1])
def test_kept_frames_are_the_same_and_are_decoded_once(workers: int, studies: Studies) -> None:
    expected = batches(studies, 0)
    with SequenceFeed(sampler(), studies, SIZE, workers=workers, kept_bytes=10**7) as feed:
        for _ in range(2):
            assert all(map(same, expected, [feed(step) for step in ORDER]))


def test_a_study_is_decoded_once_where_it_fits(
    studies: Studies, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[int] = []
    real = VideoSource.iterate

    def counting(source: VideoSource, start: int = 0, stop: int | None = None, step: int = 1) -> Iterator[Any]:
        decoded.extend(range(start, len(source) if stop is None else stop))
        return real(source, start, stop, step)

    monkeypatch.setattr(VideoSource, "iterate", counting)
    given = Given((FrameSequence(0, 0, 0, 20), FrameSequence(1, 1, 0, 20)))
    one_study = FRAMES * SIZE * SIZE * 3 + 4096
    with SequenceFeed(given, studies, SIZE, workers=0, kept_bytes=one_study) as feed:
        first = feed(0)
        assert decoded == [*range(20), *range(20)]
        assert same(feed(1), first)
    assert decoded == [*range(20), *range(20), *range(20)]  # the second study had no room


def test_frames_that_do_not_decode_are_kept_too(tmp_path: Path) -> None:
    folder = images(tmp_path, broken=range(2, 4))
    given = Given((FrameSequence(0, 0, 0, 6),))
    with SequenceFeed(given, {0: ("S0", folder, NUMBERING)}, SIZE, workers=0, kept_bytes=10**7) as feed:
        assert [feed(step).labels.tolist() for step in range(2)] == [[0, 1, 4, 5]] * 2


def test_a_full_disk_keeps_nothing_and_the_batches_come(studies: Studies, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full, raising=False)
    with SequenceFeed(sampler(), studies, SIZE, workers=0, kept_bytes=10**7) as feed:
        assert same(feed(0), batches(studies, 0)[0])


def test_a_feed_may_begin_later(studies: Studies) -> None:
    with SequenceFeed(sampler(), studies, SIZE, workers=1, first_step=7) as feed:
        later = feed(7)
    assert same(later, batches(studies, 0)[ORDER.index(7)])


def test_a_batch_stays_as_it_is_while_the_next_ones_are_read(studies: Studies) -> None:
    with SequenceFeed(sampler(), studies, SIZE, workers=0) as feed:
        first = feed(0)
        before = first.frames.clone()
        feed(1)
        assert torch.equal(first.frames, before)


@pytest.mark.parametrize("workers", [0, 1])
def test_frames_that_do_not_decode_are_left_out_and_said_once(workers: int, studies: Studies, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.mp4"
    data = bytearray(studies[0][1].read_bytes())
    middle = len(data) // 2
    data[middle : middle + 2000] = bytes(2000)
    damaged.write_bytes(data)
    with open_source(damaged) as source:
        there = [index for index, frame in source.iterate() if frame is not None]
    assert 2 < len(there) < FRAMES
    reporter = Listener()
    whole = (FrameSequence(0, 4, 0, FRAMES),)
    with SequenceFeed(Given(whole), {0: ("S0", damaged, NUMBERING)}, SIZE, workers=workers, reporter=reporter) as feed:
        found = feed(0)
        feed(1)
    assert found.labels.tolist() == [4 * STUDY_STRIDE + index for index in there]
    assert len(found.frames) == len(found.is_round) == len(there)
    assert reporter.lines == ["Some frames of study S0 cannot be decoded and are left out of the batches."]


@pytest.mark.parametrize("workers", [0, 1])
def test_where_nothing_decodes_another_draw_is_taken(workers: int, tmp_path: Path) -> None:
    folder = images(tmp_path, broken=range(6))
    given = Given((FrameSequence(0, 0, 0, 6),), (FrameSequence(0, 0, 10, 16),))
    with SequenceFeed(given, {0: ("S0", folder, NUMBERING)}, SIZE, workers=workers) as feed:
        assert feed(0).labels.tolist() == list(range(10, 16))


@pytest.mark.parametrize("workers", [0, 1])
def test_a_study_of_which_nothing_decodes_is_named(workers: int, studies: Studies, tmp_path: Path) -> None:
    blank = blanked(studies[0][1], tmp_path / "blank.mp4")
    given = Given((FrameSequence(0, 0, 0, 6),))
    with SequenceFeed(given, {0: ("S0", blank, NUMBERING)}, SIZE, workers=workers) as feed:
        for _ in range(2):  # asked again, it says so again
            with pytest.raises(UserError, match="No frame of study S0"):
                feed(0)


def test_a_study_that_is_not_there_is_an_error_from_the_process_too(tmp_path: Path) -> None:
    given = Given((FrameSequence(0, 0, 0, 6),))
    with (
        SequenceFeed(given, {0: ("S0", tmp_path / "gone.mp4", NUMBERING)}, SIZE, workers=1) as feed,
        pytest.raises(UserError, match=r"gone\.mp4"),
    ):
        feed(0)


@pytest.mark.skipif(sys.platform == "win32", reason="ends a process by a signal")
def test_a_reading_process_that_dies_is_told(studies: Studies) -> None:
    with SequenceFeed(sampler(), studies, SIZE, workers=1) as feed:
        feed(0)
        os.kill(feed._processes[0]._process.pid, signal.SIGKILL)
        with pytest.raises(UserError, match="ended unexpectedly"):
            list(map(feed, range(1, 9)))


def test_an_answer_that_is_cut_anywhere_is_the_same_error() -> None:
    found, pixels = np.arange(10).reshape(2, 5), np.arange(24, dtype=np.uint8).reshape(2, 2, 2, 3)
    whole = b'{"request": 7, "frames": 2}\n' + found.tobytes() + pixels.tobytes()
    number, frames = sequence_worker.read_answer(io.BytesIO(whole), 2)
    assert number == 7
    assert isinstance(frames, SequenceFrames)
    np.testing.assert_array_equal(frames.pixels, pixels)
    for length in range(len(whole)):
        with pytest.raises(UserError, match="ended unexpectedly"):
            sequence_worker.read_answer(io.BytesIO(whole[:length]), 2)


def test_a_process_that_ends_while_it_is_asked_closes_without_a_word(studies: Studies) -> None:
    with SequenceFeed(sampler(), studies, SIZE, workers=1) as feed:
        feed(0)
        worker = feed._processes[0]
        worker.end()
        assert worker._process.stdin is not None
        worker._process.stdin.write(b"half a question")
    assert worker._process.stdin.closed


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks into /proc")
def test_processes_end_when_the_training_is_killed(studies: Studies) -> None:
    code = (
        "import os, sys; from pathlib import Path\n"
        "from training.datasets.sequence_feed import SequenceFeed\n"
        "from training.datasets.sequences import SequenceSampler, SequenceSpan\n"
        "sampler = SequenceSampler([SequenceSpan(0, 0, 0, 60)], 10)\n"
        "feed = SequenceFeed(sampler, {0: ('S', Path(sys.argv[1]), 2)}, 32, workers=1)\n"
        "feed(0); print(open(f'/proc/self/task/{os.getpid()}/children').read(), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(studies[0][1])], stdout=subprocess.PIPE, text=True, timeout=120, check=False
    )
    pid = int(done.stdout)
    pause, waits = threading.Event(), 0
    while is_alive := _is_alive(pid):
        if (waits := waits + 1) > 500:
            break
        pause.wait(0.02)
    assert not is_alive, "the reading process outlived the training"


def _is_alive(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rsplit(")", 1)[1].split()[0] not in "ZX"


def test_reading_processes_load_no_torch() -> None:
    code = "import sys, training.datasets.sequence_worker; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60, check=False).returncode == 0


def test_workers_are_few() -> None:
    assert 1 <= default_workers() <= 8


def images(folder: Path, broken: range) -> Path:
    """Twenty little images, some of them cut short."""
    import cv2

    picture = np.random.default_rng(0).integers(0, 256, (48, 48, 3), np.uint8)
    for number in range(20):
        path = folder / f"{number:03}.png"
        assert cv2.imwrite(str(path), picture)
        if number in broken:
            path.write_bytes(path.read_bytes()[:200])
    return folder


def blanked(video: Path, path: Path) -> Path:
    """A copy whose pictures are zeros, while header and table of contents are whole."""
    data = bytearray(video.read_bytes())
    start = data.index(b"mdat") + 4
    stop = data.index(b"moov") - 4 if data.find(b"moov") > start else len(data)
    data[start:stop] = bytes(stop - start)
    path.write_bytes(data)
    return path
