"""Finding a place in a study of 50,000 frames: how long it takes, and what it costs the window.

    python -m tests.benchmarks.bench_clip_search search [--frames 50000] [--seconds 2]
    python -m tests.benchmarks.bench_clip_search window [--frames 50000]

`search`: made-up embeddings of 1,280 numbers, 4 frames a second, in a file. Prints how long making the clips takes, and
finding the 20 best of them, by turns with the exact matrix product alone (medians of 200, on the clock and in time of
the processor, which other programs disturb less; `OMP_NUM_THREADS=1` for both).

`window`: two such studies in the real window, without a screen. The place of ten spans of one is searched for in the
other, each with another length, so that the clips are made each time, then once more. Prints the seconds until the list
is there and both players show their frame, the gaps between ticks of the event loop (a timer of 10 ms), and how much of
each gap the window itself has computed. Asserts nothing.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter, thread_time

import numpy as np

SIZE, RATE_FPS, ROUNDS, SPANS = 1280, 4, 200, 10


def measure_search(folder: Path, frames: int, seconds: float) -> None:
    """Make clips, and find one."""
    from tests.benchmarks.embedding_like import embedding_like
    from tests.training.retrieval.embedded import write_embedded
    from training.embeddings.file import EmbeddingFile
    from training.retrieval.clips import find_clips
    from training.retrieval.frame_clips import study_clips

    embeddings = embedding_like(0, frames, SIZE)
    path = write_embedded(folder / "e.h5", embeddings.astype(np.float32), np.arange(frames) / RATE_FPS)
    making = []
    for _ in range(3):
        with EmbeddingFile.open(path) as file:
            began = perf_counter()
            clips = study_clips(file, seconds)
            making.append(perf_counter() - began)
    taken = np.empty((ROUNDS, 2, 2))  # product and search, on the clock and of the processor
    for round_number in range(ROUNDS):
        query = clips.vectors[(round_number * 37) % len(clips)].copy()
        moments = [(perf_counter(), thread_time())]
        clips.vectors @ query
        moments.append((perf_counter(), thread_time()))
        find_clips(query, clips)
        moments.append((perf_counter(), thread_time()))
        taken[round_number] = np.diff(moments, axis=0)
    length = int(clips.stops[0] - clips.starts[0])
    print(f"{frames:,} frames x {SIZE}: {len(clips):,} clips of {length} frames, made in {min(making):.2f} s")
    for name, (bare, found) in zip(("clock", "processor"), 1000 * np.median(taken, axis=0).T, strict=True):
        print(f"{name}: finding {found:.2f} ms, matrix product {bare:.2f} ms: {found / bare:.2f} times")


def measure_window(folder: Path, frames: int) -> None:
    """Search from the window."""
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks.bench_event_loop import Ticks
    from tests.benchmarks.bench_large_study import write_long_video
    from tests.benchmarks.bench_linear_stage import Clicking
    from tests.benchmarks.embedding_like import embedding_like
    from tests.wce_desktop.features.live_scores.embedded import write_embeddings
    from tests.wce_desktop.sessions import make_session
    from training.models.folder import ModelFolder
    from training.video import build_index
    from wce_desktop.shell.main_window import MainWindow

    application = QApplication(sys.argv[:1])
    session = make_session(folder)
    assert session.current_model is not None
    model = ModelFolder.open(session.current_model.folder)
    for number in range(2):
        video = write_long_video(folder / f"{number}.mp4", frames + number)
        study = session.add_study(video, build_index(video), patient_id="P1")
        points = embedding_like(number, frames + number, SIZE).astype(np.float32)
        path = session.files(study).scores_path(session.model_id)
        write_embeddings(path, model, study.fingerprint, points)
        session.scores.scored(study.study_id, session.model_id)
    window = MainWindow(session)
    window.resize(1280, 800)
    window.show()
    clicking = Clicking(window)
    window.features.studies.open_study(session.library.studies.all()[0])
    clicking.wait(lambda: session.reading is not None and window.is_idle)
    for name in ("new clips", "kept clips"):
        times, ticks, work = [], Ticks(10), Ticks(10, thread_time)
        for number in range(SPANS):
            start = 1000 + 4000 * number
            session.mark_span(start, start + (30 + 10 * number if name == "new clips" else 120))
            began = perf_counter()
            window.menus.actions["find_place"].trigger()
            clicking.wait(lambda: window.is_idle)
            times.append(perf_counter() - began)
        gaps, own = ticks.end(), work.end()
        print(f"{name}: place to both players p50 {np.median(times):.2f} s, longest {max(times):.2f} s ({SPANS} spans)")
        for what, each in (("ticks", gaps), ("own work between them", own)):
            late = f"{int((each > 50).sum())} of {len(each)} over 50 ms"
            print(f"{what}: p99 {np.percentile(each, 99):.0f} ms, longest {each.max():.0f} ms, {late}")
    window.jobs.shut_down()
    window.close()
    session.library.close()
    del application


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    search = commands.add_parser("search")
    search.add_argument("--seconds", type=float, default=2.0)
    window = commands.add_parser("window")
    for command in (search, window):
        command.add_argument("--frames", type=int, default=50_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-clips-") as folder:
        if asked.command == "search":
            measure_search(Path(folder), asked.frames, asked.seconds)
            return
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        measure_window(Path(folder), asked.frames)


if __name__ == "__main__":
    main()
