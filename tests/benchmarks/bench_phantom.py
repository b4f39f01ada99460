"""How fast phantom studies are rendered and encoded: `python tests/benchmarks/bench_phantom.py [FRAMES]`."""

import os
import sys
import tempfile
import time
from pathlib import Path

from training.phantom.patient import PhantomConfig
from training.phantom.plan import make_plan
from training.phantom.record import write_study
from training.phantom.render import Renderer
from training.runs.reporter import SilentReporter

AIM_FPS = 100


def main() -> None:
    """Print frames per second: placing lesions, drawing alone in one thread, and the whole of it."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    config = PhantomConfig(frames=frames, size_px=256)
    start = time.perf_counter()
    plan = make_plan(config)
    print(f"plan of {frames} frames: {time.perf_counter() - start:.2f} s")
    renderer = Renderer(plan)
    some = range(0, frames, max(1, frames // 200))
    start = time.process_time()
    for frame in some:
        renderer.frame(frame)
    print(f"drawing: {(time.process_time() - start) / len(some) * 1000:.1f} ms of CPU a frame (spread over the study)")
    with tempfile.TemporaryDirectory() as folder:
        start, used = time.perf_counter(), time.process_time()
        video = write_study(config, Path(folder), "bench", SilentReporter())
        seconds, used = time.perf_counter() - start, time.process_time() - used
        rate = frames / seconds
        print(f"whole study: {rate:.0f} frames/s, {rate / AIM_FPS:.2f} of the aim of {AIM_FPS}")
        print(f"CPU: {used / frames * 1000:.1f} ms a frame, {used / seconds:.1f} of {os.cpu_count()} cores")
        print(f"file: {video.stat().st_size / frames / 1000:.1f} kB a frame")


if __name__ == "__main__":
    main()
