"""Import of 100,000 COCO boxes: read, matched, planned, written to the library. Aim: at most 20 s, with progress.

Run as `python -m tests.benchmarks.bench_coco_import [--boxes 100000] [--cancel]`; prints figures, asserts none.
`--cancel` asks for a stop at ten moments of reading and planning, and prints how long it took to end.
"""

import argparse
import tempfile
import threading
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from training.datasets.annotations.coco import coco_document, frame_name, write_coco
from training.datasets.annotations.content import AnnotatedBox, AnnotatedImage
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.library import Library
from wce_desktop.library.exchange import apply_import, plan_import

FRAMES, SIDE = 50_000, 512
NAMES = ("polyp", "angiectasia", "ulcer", "blood")
STUDY = "P03a"


class _Progress(SilentReporter):
    """Counts what is reported, and the longest time between two questions whether to end."""

    def __init__(self) -> None:
        super().__init__()
        self.reports, self.longest, self._last = 0, 0.0, perf_counter()
        self.stopped_at = float("inf")

    def check(self) -> None:
        now = perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now
        if now > self.stopped_at:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.reports += 1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--boxes", type=int, default=100_000)
    parser.add_argument("--cancel", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), options.boxes, cancel=options.cancel)


def measure(folder: Path, boxes: int, *, cancel: bool) -> None:
    """Write a file of random boxes and import it."""
    path = folder / "boxes.json"
    _write(path, boxes)
    with Library.open(folder / "library", "reader") as library:
        library.studies.add(folder / "away.mp4", study_id=STUDY, frame_count=FRAMES)
        computing = process_time()
        reporter, began = _Progress(), perf_counter()
        plan = plan_import(library, path, NAMES, reporter)
        planned = perf_counter()
        reporter.check()
        written = perf_counter()
        apply_import(library, plan, reporter)
        ended, computed = perf_counter(), process_time() - computing
        count = len(library.annotations.boxes(STUDY))
        read = perf_counter()
        library.annotations.undo(STUDY)
        undone = perf_counter()
        if cancel:
            _cancel(library, path, planned - began)
    print(f"{count:,} boxes on {FRAMES:,} frames, {path.stat().st_size / 1e6:.0f} MB of JSON: {plan.lines[0]}")
    print(f"read and planned {planned - began:.2f} s, to disk {ended - written:.2f} s, together "
          f"{planned - began + ended - written:.2f} s (aim 20 s); {computed:.2f} s of computing")  # fmt: skip
    print(f"{reporter.reports} reports; longest time until a stop is noticed {reporter.longest:.2f} s")
    print(f"boxes read again {read - ended:.2f} s, undone {undone - read:.2f} s")


def _write(path: Path, boxes: int) -> None:
    random = np.random.default_rng(0)
    frames = np.sort(random.integers(FRAMES, size=boxes)).tolist()
    corners = random.uniform(0, SIDE - 60, (boxes, 2)).round(2)
    sizes = random.uniform(4, 60, (boxes, 2)).round(2)
    images = {
        frame: AnnotatedImage(frame_name(STUDY, frame), SIDE, SIDE, STUDY, frame) for frame in sorted(set(frames))
    }
    for at, (frame, corner, size) in enumerate(zip(frames, corners, sizes, strict=True)):
        images[frame].boxes.append(AnnotatedBox(NAMES[at % 4], *corner, *(corner + size)))
    write_coco(path, coco_document(list(images.values())))


def _cancel(library: Library, path: Path, seconds: float) -> None:
    waited = []
    for share in np.linspace(0.05, 0.95, 10):
        reporter = _Progress()
        asked = perf_counter() + seconds * float(share)
        reporter.stopped_at = asked
        try:
            plan_import(library, path, NAMES, reporter)
        except Cancelled:
            waited.append(perf_counter() - asked)
    print(f"stopped {len(waited)} times, after at most {max(waited, default=0.0):.2f} s; "
          f"{threading.active_count()} thread")  # fmt: skip


if __name__ == "__main__":
    main()
