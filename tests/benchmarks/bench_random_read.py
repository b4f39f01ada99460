"""Random reads of a long 320 x 320 video with a key frame every 30 frames, against OpenCV and torchcodec by turns.

    python -m tests.benchmarks.bench_random_read [--folder DIR] [--rounds 5] [--kinds NAME...] [--order]

Each round opens the file anew and reads one frame of each group of pictures, so that no frame is read that was decoded
before; then it steps back frame by frame. Prints the median of the rounds' 50th and 95th percentiles and their range,
and how many frames were wrong: each carries its number, and those of this program must equal a plain decoding from the
start. Then the same of reading the whole file in order. The videos are kept in DIR. torchcodec takes part where it is
installed. Asserts nothing.
"""

import argparse
import importlib
import importlib.util
import os
import platform
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.videos import number_of, numbered_frame
from training.phantom.patient import PhantomConfig
from training.phantom.plan import make_plan
from training.phantom.render import render_plan
from training.video import FrameIndex, build_index, open_source

FRAMES = 3960
GOP = 30
SIDE_PX, MARK_PX = 320, 64
RENDERED = 990
STEPS_BACK = 60
Picture = NDArray[np.uint8]
NOTHING: Picture = np.zeros((MARK_PX, MARK_PX, 3), np.uint8)
Reader = Callable[[int], Picture]


KINDS = {"busy.mp4": (12, False), "busy.ts": (12, True), "phantom.mp4": (0, False)}
"""Noise added to the pictures, in levels, and whether groups are open. Frames of real recordings lie between both in
what they cost to decode: 0.10 bytes a pixel, where noise needs 0.15 and the phantom 0.02."""


def write_study(path: Path) -> Path:
    """Phantom pictures with a mark that tells their number, in H.264 with B-frames as x264 leaves it by default."""
    import av

    noise, open_gop = KINDS[path.name]
    more = np.random.default_rng(0).normal(0, noise, (64, SIDE_PX, SIDE_PX, 1))
    parameters = f"keyint={GOP}:min-keyint={GOP}:scenecut=0:bframes=3:open-gop={int(open_gop)}"
    beside = path.with_name(f"beside-{path.name}")
    with av.open(str(beside), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"x264-params": parameters, "preset": "veryfast"})
        stream.width = stream.height = SIDE_PX
        stream.pix_fmt = "yuv420p"
        for number, picture in enumerate(islice(cycle(_rendered()), FRAMES)):
            picture[:MARK_PX, :MARK_PX] = numbered_frame(number, MARK_PX, MARK_PX)
            noisy = (picture + more[number % len(more)]).clip(0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(noisy, format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return beside.rename(path)


def _rendered() -> Iterator[Picture]:
    with closing(render_plan(make_plan(PhantomConfig(frames=min(RENDERED, FRAMES), size_px=SIDE_PX)))) as frames:
        yield from (picture.copy() for picture, _ in frames)


def checksums(path: Path) -> list[int]:
    """Of each frame, decoded from the start by PyAV alone."""
    import av

    with av.open(str(path)) as container:
        return [zlib.crc32(frame.to_ndarray(format="rgb24").tobytes()) for frame in container.decode(video=0)]


def opencv_reader(path: Path) -> Reader:
    """OpenCV's own way to a frame: set the position, read."""
    import cv2

    capture = cv2.VideoCapture(str(path))

    def read(number: int) -> Picture:
        capture.set(cv2.CAP_PROP_POS_FRAMES, number)
        is_read, frame = capture.read()
        return np.asarray(frame[..., ::-1], np.uint8) if is_read else NOTHING

    return read


def torchcodec_reader(path: Path, threads: int) -> Reader:
    """torchcodec's decoder with its exact index."""
    decoder = importlib.import_module("torchcodec.decoders").VideoDecoder(
        str(path), dimension_order="NHWC", num_ffmpeg_threads=threads
    )

    def read(number: int) -> Picture:
        try:
            return np.asarray(decoder[number].numpy(), np.uint8)
        except RuntimeError:  # it does not reach some frames of transport streams
            return NOTHING

    return read


def openers(path: Path, index: FrameIndex) -> dict[str, Callable[[], Reader]]:
    """Each reader by its name."""
    readers: dict[str, Callable[[], Reader]] = {
        "this": lambda: open_source(path, index=index).read,
        "OpenCV": lambda: opencv_reader(path),
    }
    if importlib.util.find_spec("torchcodec") is None:
        return readers
    return readers | {f"torchcodec {n}": lambda n=n: torchcodec_reader(path, n) for n in (1, 2)}


class Times:
    """Milliseconds and wrong frames of one reader."""

    def __init__(self) -> None:
        self.rounds: list[NDArray[np.float64]] = []
        self.wrong = 0

    def line(self, name: str) -> str:
        """Median of the rounds and their range."""
        p50, p95 = np.percentile(np.array(self.rounds), [50, 95], axis=1)
        figures = (f"{np.median(p):6.2f} ({p.min():.2f} to {p.max():.2f}) ms" for p in (p50, p95))
        reads = sum(map(len, self.rounds))
        return f"  {name:12} p50 {'   p95 '.join(figures)}   wrong frames {self.wrong} of {reads}"


def read_by_turns(readers: dict[str, Reader], numbers: list[int], whole: list[int], times: dict[str, Times]) -> None:
    """Add a round, each frame read by all."""
    for name in readers:
        times[name].rounds.append(np.zeros(len(numbers)))
    for place, number in enumerate(numbers):
        for name, read in readers.items():
            start = time.perf_counter()
            frame = read(number)
            times[name].rounds[-1][place] = (time.perf_counter() - start) * 1000
            mark = frame[:MARK_PX, :MARK_PX]
            is_exact = name != "this" or zlib.crc32(frame.tobytes()) == whole[number]
            times[name].wrong += number_of(mark) != number or not is_exact


def compare(path: Path, rounds: int) -> None:
    """One read in each group of pictures in random order, single steps back, and the whole in order."""
    index, whole = build_index(path), checksums(path)
    opening = openers(path, index)
    random, back = ({name: Times() for name in opening} for _ in range(2))
    rng = np.random.default_rng(1)
    starts = np.arange(0, FRAMES, GOP)
    for _ in range(rounds):
        numbers = rng.permutation(starts + rng.integers(0, GOP, len(starts))).tolist()
        readers = {name: opened() for name, opened in opening.items()}
        read_by_turns(readers, numbers, whole, random)
        first = int(rng.integers(min(STEPS_BACK, FRAMES), FRAMES + 1))
        read_by_turns(readers, list(range(first - 1, first - 1 - min(STEPS_BACK, FRAMES), -1)), whole, back)
    for what, times in (("one read in each group", random), ("steps back", back)):
        print(f"{path.name}, {what}:")
        print("\n".join(reader.line(name) for name, reader in times.items()))


def compare_in_order(path: Path, rounds: int) -> None:
    """Frames/s over the whole file, against OpenCV, by turns."""
    index, rates = build_index(path), np.zeros((2, rounds))
    for place in range(rounds):
        start = time.perf_counter()
        with open_source(path, index=index) as source:
            count = sum(frame is not None for _, frame in source.iterate())
        middle = time.perf_counter()
        rates[:, place] = count / (middle - start), opencv_frames(path) / (time.perf_counter() - middle)
    print(f"{path.name}, in order:")
    for name, rate in zip(("this", "OpenCV"), rates, strict=True):
        print(f"  {name:12} {np.median(rate):6.0f} ({rate.min():.0f} to {rate.max():.0f}) frames/s")


def opencv_frames(path: Path) -> int:
    """Read the whole file; returns the number of frames."""
    import cv2

    capture, count = cv2.VideoCapture(str(path)), 0
    while capture.read()[0]:
        count += 1
    return count


def main() -> None:
    """Write what is missing, then measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--order", action="store_true", help="read in order only")
    asked = parser.parse_args()
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"  # its reports on broken references would bury the figures
    import av
    import cv2

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"{platform.machine()}, {cores} cores, PyAV {av.__version__}, OpenCV {cv2.__version__}")
    with tempfile.TemporaryDirectory() as scratch:
        for name in asked.kinds:
            path = (asked.folder or Path(scratch)) / name
            if not path.exists():
                write_study(path)
            if not asked.order:
                compare(path, asked.rounds)
            compare_in_order(path, asked.rounds)


if __name__ == "__main__":
    main()
