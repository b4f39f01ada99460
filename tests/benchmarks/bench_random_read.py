"""Random reads of a 320 x 320 video with a key frame every 30 frames, against OpenCV's set + read on the same file.

Prints ratios of one run; asserts nothing. Run: python -m tests.benchmarks.bench_random_read
"""

import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.videos import number_of, numbered_frame
from training.video import build_index, open_source

FRAMES = 3000
GOP = 30
SIDE_PX = 320
READS = 300


def write_study(path: Path, open_gop: bool) -> None:
    """A video with B-frames, as encoders leave it by default, and noise: decoding costs what it does for tissue."""
    import av

    noise = np.random.default_rng(0).normal(0, 12, (64, SIDE_PX, SIDE_PX, 1))
    parameters = f"keyint={GOP}:min-keyint={GOP}:scenecut=0:bframes=3:open-gop={int(open_gop)}"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"x264-params": parameters, "preset": "veryfast"})
        stream.width = stream.height = SIDE_PX
        stream.pix_fmt = "yuv420p"
        for number in range(FRAMES):
            picture = numbered_frame(number, SIDE_PX, SIDE_PX) + noise[number % 64]
            frame = av.VideoFrame.from_ndarray(picture.clip(0, 255).astype(np.uint8), format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


Reader = Callable[[int], NDArray[np.uint8]]


def timed(readers: list[Reader], numbers: list[int]) -> tuple[NDArray[np.float64], list[int]]:
    """Milliseconds (readers, reads), by turns so that both meet the same machine; and how many frames were wrong."""
    milliseconds = np.zeros((len(readers), len(numbers)))
    wrong = [0] * len(readers)
    for place, number in enumerate(numbers):
        for who, read in enumerate(readers):
            start = time.perf_counter()
            frame = read(number)
            milliseconds[who, place] = (time.perf_counter() - start) * 1000
            wrong[who] += number_of(frame) != number
    return milliseconds, wrong


def opencv_reader(path: Path) -> Reader:
    """OpenCV's own way to a frame: set the position, read."""
    import cv2

    capture = cv2.VideoCapture(str(path))

    def read(number: int) -> NDArray[np.uint8]:
        capture.set(cv2.CAP_PROP_POS_FRAMES, number)
        good, frame = capture.read()
        return np.asarray(frame[..., ::-1], np.uint8) if good else np.zeros((8, 8, 3), np.uint8)

    return read


def compare(name: str, path: Path, numbers: list[int]) -> None:
    """Read the same frames with both and print a line each."""
    start = time.perf_counter()
    index = build_index(path)
    indexing_ms = (time.perf_counter() - start) * 1000
    with open_source(path, index=index) as source:
        (ours, theirs), wrong_frames = timed([source.read, opencv_reader(path)], numbers)
    print(f"{name}: index of {len(index):,} frames in {indexing_ms:.0f} ms")
    for who, times, wrong in zip(("this", "OpenCV"), (ours, theirs), wrong_frames, strict=True):
        p50, p95 = np.percentile(times, [50, 95])
        print(f"  {who:7} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms   wrong frames {wrong} of {len(numbers)}")
    ratios = np.percentile(theirs, [50, 95]) / np.percentile(ours, [50, 95])
    print(f"  OpenCV / this: p50 {ratios[0]:.2f}   p95 {ratios[1]:.2f}")


def main() -> None:
    """Random order over the whole file, cold for both; then single steps back, as a reader takes them."""
    os.environ["OPENCV_FFMPEG_LOGLEVEL"] = "-8"  # its reports on broken references would bury the figures
    import av
    import cv2

    print(f"{platform.processor() or platform.machine()}, PyAV {av.__version__}, OpenCV {cv2.__version__}")
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for name, suffix, open_gop in (("mp4, closed GOP", ".mp4", False), ("ts, open GOP", ".ts", True)):
            path = Path(folder) / f"study{suffix}"
            write_study(path, open_gop)
            compare(f"random, {name}", path, rng.permutation(FRAMES)[:READS].tolist())
            compare(f"steps back, {name}", path, list(range(2 * FRAMES // 3, 2 * FRAMES // 3 - READS, -1)))


if __name__ == "__main__":
    main()
