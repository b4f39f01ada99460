"""The report of a study with 50 findings: time to the preview, to the PDF, and the event loop while texts are typed.

    python -m tests.benchmarks.bench_report [FINDINGS [FRAMES]]

The real window on a synthetic study of 320 x 320 pixels, two key frames a finding; with FRAMES, of small frames, the
pages are made without a window.
Prints figures and asserts nothing.
Aims: preview within 1 s, PDF within 3 s, ticks under 50 ms. The machine may be shared: CPU time is printed too, and the
second line of the ticks counts only what the window's own thread computed.
"""

import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from wce_desktop.shell.main_window import MainWindow

FRAMES = 3000
SIDE_PX = 320
LETTERS = 60
LETTER_SECONDS = 0.12


def make_library(folder: Path, findings: int, frames: int) -> None:
    """A library with one study and its findings."""
    from tests.benchmarks.bench_large_study import write_long_video
    from tests.videos import write_video
    from tests.wce_desktop.sessions import make_session
    from training.video import build_index
    from wce_desktop.core.annotation.change import Add
    from wce_desktop.core.annotation.finding import Finding
    from wce_desktop.core.span import Span

    session = make_session(folder, has_model=False)
    video = folder / "v.mp4"
    if frames == FRAMES:
        write_video(video, frames, height=SIDE_PX, width=SIDE_PX, gop=25)
    else:
        write_long_video(video, frames)
    study = session.add_study(video, build_index(video))
    made = []
    for at in range(findings):
        start = at * (frames // findings)
        one = Finding.new(
            study_id=study.study_id, kind="polyp", span=Span(start, start + 8), key_frames=(start, start + 5)
        )
        made.append(
            Add(replace(one, size_mm=4.0, relevance="P1", comment="A comment of some words about this finding."))
        )
    session.library.annotations.edit(study.study_id, "findings", made)
    session.library.close()


def settle(app: "QApplication", window: "MainWindow") -> float:
    """Seconds until nothing is being made any more."""
    began = time.perf_counter()
    while not window.is_idle:
        app.processEvents()
        time.sleep(0.001)
    return time.perf_counter() - began


def first_pages(app: "QApplication", window: "MainWindow") -> float:
    """Seconds until the first pages are shown, possibly without pictures."""
    began = time.perf_counter()
    shown = window.features.report.window
    assert shown is not None
    while not shown.pages.pages:
        app.processEvents()
        time.sleep(0.001)
    return time.perf_counter() - began


def measure(folder: Path) -> None:
    """Open the report twice, save it, and type."""
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QFileDialog

    from tests.benchmarks.bench_event_loop import Ticks
    from wce_desktop.shell.application import make_application, open_session
    from wce_desktop.shell.main_window import MainWindow

    app = make_application()
    session = open_session(folder / "library")
    session.settings.set("score_when_opened", False)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    window.features.studies.open_path(folder / "v.mp4")
    settle(app, window)
    began, computed = time.perf_counter(), time.process_time()
    window.menus.run("show_report")
    at_once = time.perf_counter() - began
    first = at_once + first_pages(app, window)
    print(f"first pages {first:.2f} s, all pictures {first + settle(app, window):.2f} s", end="")
    print(f" ({time.process_time() - computed:.2f} s of CPU)")
    shown = window.features.report.window
    assert shown is not None
    print(f"{len(shown.pages.pages)} pages")
    QFileDialog.getSaveFileName = lambda *_: (str(folder / "r.pdf"), "")  # type: ignore[method-assign]
    began, computed = time.perf_counter(), time.process_time()
    shown.pdf.click()
    settle(app, window)
    megabytes = (folder / "r.pdf").stat().st_size / 1e6
    print(
        f"PDF {time.perf_counter() - began:.2f} s ({time.process_time() - computed:.2f} s of CPU), {megabytes:.1f} MB"
    )
    walls, own = Ticks(), Ticks(clock=time.thread_time)
    for letter in range(LETTERS):
        QTest.keyClicks(shown.summary.editor, "a b"[letter % 3])
        until = time.perf_counter() + LETTER_SECONDS * (1 if letter % 12 else 10)  # a pause now and then
        while time.perf_counter() < until:
            app.processEvents()
            time.sleep(0.0005)
    for name, ticks in (("wall clock", walls), ("own computation", own)):
        gaps = ticks.end()
        p50, p99 = np.percentile(gaps, [50, 99])
        over = int((gaps > 50).sum())
        print(f"ticks, {name}: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest {gaps.max():.1f} ms, over 50 ms: {over}")
    settle(app, window)
    window.close()


def measure_pages(folder: Path) -> None:
    """Gather the report as the window does, make its pages, then all pages and files."""
    from training.runs.reporter import SilentReporter
    from wce_desktop.features.report.building import Builder
    from wce_desktop.features.report.model.gathering import gather
    from wce_desktop.features.report.model.pictures import PictureStore
    from wce_desktop.features.report.report_source import MOST_SHOWN
    from wce_desktop.session.frame_facts import place_of
    from wce_desktop.shell.application import make_application, open_session

    make_application()
    session = open_session(folder / "library")
    (study,) = session.library.studies.all()
    index = session.files(study).load_index(study.fingerprint)
    assert index is not None, "adding a study makes its index"
    session.open_study(study, index)
    builder, began = Builder(PictureStore(place_of(session.opened()))), time.perf_counter()
    shown = gather(session, most=MOST_SHOWN)
    print(f"gathered for the window in {time.perf_counter() - began:.3f} s")
    pages = builder.preview(shown, {}, None, 760, SilentReporter()).pages
    print(f"{len(pages)} pages for the window {time.perf_counter() - began:.2f} s", flush=True)
    began = time.perf_counter()
    printed = builder.printed(gather(session), {}, None, SilentReporter())
    print(f"PDF and HTML {time.perf_counter() - began:.1f} s, {len(printed.pdf) / 1e6:.1f} MB")
    session.close_study()
    session.library.close()


def main() -> None:
    """Print the figures."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    findings = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        frames = int(sys.argv[2]) if len(sys.argv) > 2 else FRAMES
        make_library(Path(folder), findings, frames)
        (measure if frames == FRAMES else measure_pages)(Path(folder))


if __name__ == "__main__":
    main()
