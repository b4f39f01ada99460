"""The window: how soon it shows when cold, a scored study with its tracks, and one label to disk and screen.

    python -m tests.benchmarks.bench_window

Prints figures, asserts none. Aims: shown in 2 s with torch not imported; the tracks of a study
within 1 s; a label at 500,000 frames and 100,000 labels in 50 ms.
"""

import os
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from time import perf_counter, time

import numpy as np

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
FRAMES, LABELS, PRESSES, STARTS, OPENINGS = 500_000, 100_000, 200, 5, 5
NAMES = ("polyp", "angiectasia", "ulcer", "blood")
START = """
import sys, time
from pathlib import Path
from wce_desktop.shell.application import make_application, open_session
from wce_desktop.shell.main_window import MainWindow
app = make_application()
window = MainWindow(open_session(Path(sys.argv[1])))
window.show()
app.processEvents()
print(time.time(), "torch" in sys.modules, flush=True)
window.close()
"""


def cold_starts() -> None:
    """Time from starting the process to the painted window, in fresh processes; the first one reads from disk."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = []
        for _ in range(STARTS):
            began = time()
            command = [sys.executable, "-c", START, folder]
            shown, has_torch = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
            seconds.append(float(shown) - began)
    print(f"window shown: first {seconds[0]:.2f} s, median {np.median(seconds):.2f} s; torch imported: {has_torch}")


def one_label(frame_count: int, labels: int) -> None:
    """Open a scored study until its tracks are painted, then press label keys on random frames."""
    from tests.wce_desktop.sessions import make_session, write_scores
    from training.indicators import INDICATORS
    from training.video import FrameIndex
    from wce_desktop.features.reading import annotating
    from wce_desktop.shell.application import make_application
    from wce_desktop.shell.main_window import MainWindow

    app = make_application()
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        session = make_session(Path(folder))
        study = session.library.studies.add(
            Path(folder, "long.mp4"), frame_count=frame_count, duration_seconds=frame_count / 2, fingerprint="f"
        )
        _fill(session, study.study_id, frame_count, labels)
        scores = (random.random((frame_count, 3), dtype=np.float32) ** 6).astype(np.float32)
        tracks = {name: random.random(frame_count) for name in INDICATORS}
        write_scores(session.files(study).scores_path("m1"), "m1", scores, tracks=tracks)
        window = MainWindow(session)
        window.workspace.thumbnails.open = lambda *_: None  # type: ignore[method-assign] # there is no video behind this study
        window.resize(1920, 1080)
        window.show()
        index = FrameIndex(
            np.arange(frame_count) / 2,
            np.arange(frame_count),
            np.ones(frame_count, bool),
            Fraction(1, 2),
            np.zeros(0, np.int64),
        )
        took = []
        for _ in range(OPENINGS):
            session.close_study()
            app.processEvents()
            began = perf_counter()
            session.open_study(study, index)
            app.processEvents()
            window.workspace.timeline.overview.grab()  # the tracks are on it
            took.append(perf_counter() - began)
        words = f"{np.median(took):.2f} s ({min(took):.2f} to {max(took):.2f})"
        print(f"{frame_count:,} frames: opened with scores, tracks and {labels:,} labels in {words}")
        took = []
        for press in range(PRESSES):
            session.show_frame(int(random.integers(frame_count)))
            app.processEvents()
            began = perf_counter()
            annotating.label_here(session, NAMES[press % 4])
            app.processEvents()
            took.append((perf_counter() - began) * 1000)
        p50, p95 = np.percentile(took, [50, 95])
        print(f"one label to disk and screen: p50 {p50:.1f} ms, p95 {p95:.1f} ms, longest {max(took):.1f} ms")
        window.close()


def _fill(session: object, study_id: str, frame_count: int, labels: int) -> None:
    from tests.benchmarks.bench_label import _fill as fill

    fill(session.library, study_id, frame_count, labels)  # type: ignore[attr-defined]


def main() -> None:
    """Print the figures."""
    cold_starts()
    one_label(60_000, 1_000)
    one_label(FRAMES, 1_000)
    one_label(FRAMES, LABELS)


if __name__ == "__main__":
    main()
