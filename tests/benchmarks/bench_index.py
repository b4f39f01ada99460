"""Opening a study of 500,000 frames: seconds until its first picture, until its index, until any frame.

Prints the figures of one run; asserts nothing. Run: python -m tests.benchmarks.bench_index
"""

import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tests.videos import number_of, numbered_frame
from training.video import FrameIndex, build_index, first_picture, open_source, study_field_of_view, verify_index

FRAMES = 500_000
BLOCK = 500
Result = TypeVar("Result")


def write_study(path: Path) -> None:
    """500,000 frames of 64 x 64: one stretch is encoded, its packets are written again and again."""
    import av

    with av.open(str(path), "w") as container:
        parameters = "keyint=25:min-keyint=25:scenecut=0:bframes=2"
        stream = container.add_stream("libx264", rate=6, options={"x264-params": parameters, "preset": "ultrafast"})
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        packets = []
        for number in range(BLOCK):
            frame = av.VideoFrame.from_ndarray(numbered_frame(number), format="rgb24")
            frame.pts = number
            packets += stream.encode(frame)
        packets += stream.encode(None)
        template = [(bytes(p), p.pts or 0, p.dts or 0, p.is_keyframe) for p in packets]
        for block in range(FRAMES // BLOCK):
            for data, pts, dts, is_key in template:
                packet = av.Packet(data)
                packet.pts, packet.dts = pts + block * BLOCK, dts + block * BLOCK
                packet.time_base, packet.stream, packet.is_keyframe = packets[0].time_base, stream, is_key
                container.mux(packet)


def timed(what: str, work: Callable[[], Result]) -> Result:
    """Do the work and print how long it took."""
    start = time.perf_counter()
    result = work()
    print(f"  {what:44} {time.perf_counter() - start:7.3f} s")
    return result


def measure(path: Path) -> None:
    """Print how long each step from opening to reading takes."""
    timed("first picture (no index)", lambda: first_picture(path))
    index = timed("index (demux only)", lambda: build_index(path))
    print(f"  {len(index):,} frames, notes: {list(index.notes)}")
    timed("check by decoding around 16 seeks", lambda: verify_index(path, index))
    saved = path.with_suffix(".npz")
    timed("save the index", lambda: index.save(saved))
    loaded = timed("load the index", lambda: FrameIndex.load(saved))
    source = timed("open with the index", lambda: open_source(path, index=loaded))
    with source:
        for number in (FRAMES // 2 + 7, FRAMES - 1, 3):
            frame = timed(f"read frame {number:,}", lambda number=number: source.read(number))  # type: ignore[misc]
            print(f"  right frame: {number_of(frame) == number % BLOCK}")
        timed("field of view", lambda: study_field_of_view(source))
    print(f"  file {path.stat().st_size / 1e6:.0f} MB, index {saved.stat().st_size / 1e6:.0f} MB")


def main() -> None:
    """mp4 keeps the table of its frames at one place, mkv all over the file."""
    import av

    print(f"{platform.processor() or platform.machine()}, PyAV {av.__version__}")
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".mp4", ".mkv"):
            path = Path(folder) / f"study{suffix}"
            write_study(path)
            print(suffix)
            measure(path)


if __name__ == "__main__":
    main()
