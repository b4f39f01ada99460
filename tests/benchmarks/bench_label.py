"""One label at 500,000 frames and 100,000 labels: to disk, and into what the screen draws. Aim: at most 50 ms.

Run as `python -m tests.benchmarks.bench_label`; prints figures, asserts none. At last it prints how times grow with the
number of labels and frames, at three sizes: an exponent of 1 grows as the number does, 0 not at all.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.annotation.labelling import apply_to_track, toggle_label
from wce_desktop.core.event import EventList, find_events
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library

T = TypeVar("T")
FRAMES, LABELS, PRESSES = 500_000, 100_000, 400
LABELS_PER_FINDING = 100
SHARES = (25, 5, 1)
"""One in so many of all labels and frames, of the table of growth."""
NAMES = ("polyp", "angiectasia", "ulcer", "blood")
AIM_MS = 50.0


def main() -> None:
    """Measure in the folder named, or in a temporary one."""
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as place:
        measure(Path(place))
        print_growth(Path(place))


def print_growth(folder: Path) -> None:
    """The table of growth, with the exponent from the smallest size to the largest."""
    rows = {share: _at_size(folder / str(share), FRAMES // share, LABELS // share) for share in SHARES}
    times = list(rows.values())
    print(f"\n{'ms, computed':24}", *(f"{LABELS // share:>9,}" for share in SHARES), f"{'exponent':>10}  (labels)")
    for what in times[0]:
        exponent = np.log(times[-1][what] / times[0][what]) / np.log(SHARES[0] / SHARES[-1])
        print(f"{what:24}", *(f"{row[what]:9.2f}" for row in times), f"{exponent:10.2f}")


def _at_size(folder: Path, frames: int, labels: int) -> dict[str, float]:
    """Milliseconds that each took, the median of several, in a library of so many labels of one study."""
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("study.mp4"), frame_count=frames).study_id
        _fill(library, study_id, frames, labels)
    opened = _median(lambda: Library.open(folder, "reader").close(), 3)
    scores = _scores(frames)
    with Library.open(folder, "reader") as library:
        read = _median(lambda: library.annotations.label_track(study_id), 3)
        findings = _median(lambda: library.annotations.findings(study_id), 9)
        pressed = _press_keys(library, study_id, library.annotations.label_track(study_id), frames, process_time)
    edit = float(np.median(pressed["together"]))
    events = _median(lambda: EventList([find_events(scores, 0.9, "polyp", max_gap=3)]), 9)
    return {
        "library opened": opened,
        "labels read": read,
        "findings read": findings,
        "one edit": edit,
        "threshold: events": events,
    }


def _median(work: Callable[[], object], rounds: int) -> float:
    return float(np.median([_timed(work, process_time)[1] for _ in range(rounds)]))


def measure(folder: Path) -> None:
    """Fill a library, then press keys on random frames as a reader would, and time each step."""
    with Library.open(folder, "reader") as library:
        study_id = library.studies.add(Path("study.mp4"), frame_count=FRAMES).study_id
        _fill(library, study_id, FRAMES, LABELS)
    library, opened = _timed(lambda: Library.open(folder, "reader"))
    labels, read = _timed(lambda: library.annotations.labels(study_id))
    track, arranged = _timed(lambda: LabelTrack(labels))
    times = _press_keys(library, study_id, track, FRAMES, perf_counter)
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
    _, took_events = _timed(lambda: find_events(_scores(FRAMES), 0.99, "polyp", max_gap=5))
    print(f"events of one track of {FRAMES:,} frames: {took_events:.1f} ms")


def _fill(library: Library, study_id: str, frames: int, labels: int) -> None:
    step = frames // labels
    spans = (Span(at * step, at * step + 1 + at % (step - 1)) for at in range(labels))
    changes: list[Add] = []
    for at, span in enumerate(spans):
        changes.append(Add(Label(new_id(), study_id, span, NAMES[at % 4], reader="reader")))
        if at % LABELS_PER_FINDING == 0:
            changes.append(Add(Finding(new_id(), study_id, NAMES[at % 4], span)))
    for first in range(0, len(changes), 10_000):
        library.annotations.edit(study_id, "fill", changes[first : first + 10_000])


def _press_keys(
    library: Library, study_id: str, track: LabelTrack, frames: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    random = np.random.default_rng(0)
    times: dict[str, list[float]] = {
        "plan": [],
        "to disk": [],
        "label track": [],
        "labels of 4 frames": [],
        "together": [],
    }
    for _ in range(PRESSES):
        start = int(random.integers(frames - 40))
        span, name = Span(start, start + int(random.integers(1, 40))), NAMES[int(random.integers(4))]
        began = clock()
        plan = toggle_label(track, span, name, study_id=study_id, reader="reader")
        planned = clock()
        library.annotations.edit(study_id, *plan)
        written = clock()
        apply_to_track(track, plan.changes)
        applied = clock()
        for frame_index in range(start, start + 4):
            track.at(frame_index)
        shown = clock()
        marks = (began, planned, written, applied, shown)
        for what, took in zip(times, [*np.diff(marks), shown - began], strict=True):
            times[what].append(float(took) * 1000)
    return times


def _scores(frames: int) -> NDArray[np.float32]:
    return np.random.default_rng(0).random(frames, dtype=np.float32)


def _timed(work: Callable[[], T], clock: Callable[[], float] = perf_counter) -> tuple[T, float]:
    began = clock()
    result = work()
    return result, (clock() - began) * 1000


if __name__ == "__main__":
    main()
