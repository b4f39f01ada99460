"""One label at 500,000 frames and 100,000 labels: to disk, and into what the screen draws. Aim: at most 50 ms.

Run as `python -m tests.benchmarks.bench_label`; prints figures, asserts none.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.labelling import apply_to_track, toggle_label
from wce_desktop.core.event import find_events
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library

T = TypeVar("T")
FRAMES, LABELS, PRESSES = 500_000, 100_000, 400
NAMES = ("polyp", "angiectasia", "ulcer", "blood")
AIM_MS = 50.0


def main() -> None:
    """Measure in the folder named, or in a temporary one."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as place:
        measure(Path(place))


def measure(folder: Path) -> None:
    """Fill a library, then press keys on random frames as a reader would, and time each step."""
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("study.mp4"), frame_count=FRAMES).study_id
        _fill(library, study_id)
    library, opened = _timed(lambda: Library.open(folder, "reader"))
    labels, read = _timed(lambda: library.annotations.labels(study_id))
    track, arranged = _timed(lambda: LabelTrack(labels))
    times = _press_keys(library, study_id, track)
    library.close()
    size = (folder / "library.sqlite").stat().st_size / 1e6
    print(
        f"{FRAMES:,} frames, {LABELS:,} labels, {PRESSES} key presses; SQLite {sqlite3.sqlite_version}, {size:.0f} MB"
    )
    print(f"opened (checked, copied to backups) {opened:.0f} ms, labels read {read:.0f} ms, arranged {arranged:.0f} ms")
    print(f"{'':28}{'p50':>9}{'p95':>9}{'aim':>9}{'p95/aim':>9}")
    for what, took in times.items():
        p50, p95 = np.percentile(took, [50, 95])
        print(f"{what:28}{p50:7.2f}ms{p95:7.2f}ms{AIM_MS:7.0f}ms{p95 / AIM_MS:9.3f}")
    _, took_events = _timed(lambda: find_events(_scores(), 0.99, "polyp", max_gap=5))
    print(f"events of one track of {FRAMES:,} frames: {took_events:.1f} ms")


def _fill(library: Library, study_id: str) -> None:
    step = FRAMES // LABELS
    spans = (Span(at * step, at * step + 1 + at % (step - 1)) for at in range(LABELS))
    changes = [Add(Label(new_id(), study_id, span, NAMES[at % 4], reader="reader")) for at, span in enumerate(spans)]
    for first in range(0, LABELS, 10_000):
        library.annotations.edit(study_id, "fill", changes[first : first + 10_000])


def _press_keys(library: Library, study_id: str, track: LabelTrack) -> dict[str, list[float]]:
    random = np.random.default_rng(0)
    times: dict[str, list[float]] = {
        "plan": [],
        "to disk": [],
        "label track": [],
        "labels of 4 frames": [],
        "together": [],
    }
    for _ in range(PRESSES):
        start = int(random.integers(FRAMES - 40))
        span, name = Span(start, start + int(random.integers(1, 40))), NAMES[int(random.integers(4))]
        began = perf_counter()
        plan = toggle_label(track, span, name, study_id=study_id, reader="reader")
        planned = perf_counter()
        library.annotations.edit(study_id, *plan)
        written = perf_counter()
        apply_to_track(track, plan.changes)
        applied = perf_counter()
        for frame_index in range(start, start + 4):
            track.at(frame_index)
        shown = perf_counter()
        marks = (began, planned, written, applied, shown)
        for what, took in zip(times, [*np.diff(marks), shown - began], strict=True):
            times[what].append(float(took) * 1000)
    return times


def _scores() -> NDArray[np.float32]:
    return np.random.default_rng(0).random(FRAMES, dtype=np.float32)


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = perf_counter()
    made = work()
    return made, (perf_counter() - began) * 1000


if __name__ == "__main__":
    main()
