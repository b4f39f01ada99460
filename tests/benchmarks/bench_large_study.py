"""The window at 500,000 frames, 100,000 labels and 100,000 events: a label key, and the threshold's slider.

    python -m tests.benchmarks.bench_large_study [--against CHECKOUT] [--rounds 3] [--presses 100] [--no-labels]
    python -m tests.benchmarks.bench_large_study --memory [--against CHECKOUT] [--rounds 5]

The real window is opened without a screen on a study with a real video. Keys and slider moves are sent as Qt events.
Each figure is the time for which the window's thread was blocked: from the event until what it changed is painted and
the event loop is free again; "CPU" is what the thread computed of it, which says more where others use the machine
too; "after" is the longest block within the next half second, of work that was put off.
`--against` runs the same in another checkout of the program by turns, since the machine may be shared. `--memory`
prints the resident memory of the window instead, on Linux. `--folder` keeps the study, which takes long to make.
Prints figures. Aims: p95 of one label at most 20 ms, of moving the threshold at most 16 ms; 350 MB at rest.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, thread_time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from wce_desktop.shell.main_window import MainWindow

FRAMES, EVENTS, LABELS = 500_000, 100_000, 100_000
GROUP = 250
AFTER_SECONDS = 0.5
REST_SECONDS = 4.0
"""Of the memory at rest: by then the window has given back what it took only to open the study."""
AIMS_MS = {"label": 20.0, "threshold": 16.0}
ROOT = Path(__file__).resolve().parents[2]


def write_long_video(path: Path, frames: int) -> Path:
    """A real video of so many small frames: one group of pictures, encoded once and repeated."""
    import av
    from av.video.stream import VideoStream

    from tests.videos import write_video

    group = write_video(path.with_suffix(".group.mp4"), GROUP, gop=GROUP)
    with av.open(str(group)) as source, av.open(str(path), "w") as out:
        video = source.streams.video[0]
        stream = out.add_stream_from_template(video)
        assert isinstance(stream, VideoStream)
        assert video.time_base is not None
        length = round(1 / (25 * video.time_base))
        packets = [packet for packet in source.demux(video) if packet.dts is not None]
        contents = [(bytes(packet), packet.is_keyframe, packet.time_base) for packet in packets]
        for number in range(frames):
            content, is_keyframe, base = contents[number % GROUP]
            packet = av.Packet(content)
            packet.time_base, packet.is_keyframe = base, is_keyframe
            packet.pts = packet.dts = number * length
            packet.duration, packet.stream = length, stream
            out.mux(packet)
    group.unlink()
    return path


def crossing_scores(frames: int, events: int) -> NDArray[np.float32]:
    """(N, 3) float32: two classes that cross the threshold 0.5 `events` times together, and at 0.75 half as often."""
    chance = np.random.default_rng(0)
    scores = (0.2 * chance.random((frames, 3))).astype(np.float32)
    step = frames * 2 // events
    for column, first in ((1, 0), (2, step // 2)):
        peaks = np.arange(first, frames, step)
        scores[peaks, column] = chance.uniform(0.5, 1.0, len(peaks))
    return scores


def make_study(folder: Path) -> None:
    """A library in `folder` whose one study is long, much labelled and scored."""
    from tests.benchmarks.bench_label import _fill
    from tests.wce_desktop.sessions import make_session, write_scores
    from training.video import build_index

    session = make_session(folder)
    video = write_long_video(folder / "long.mp4", FRAMES)
    index = build_index(video)
    study = session.add_study(video, index)
    _fill(session.library, study.study_id, FRAMES, LABELS)
    scores_path = session.files(study).scores_path(session.model_id)
    write_scores(scores_path, session.model_id, crossing_scores(FRAMES, EVENTS), study.fingerprint)
    session.scores.scored(study.study_id, session.model_id)
    session.files(study).save_index(index, is_checked=True)
    session.library.close()


@dataclass
class Blocks:
    """For how long the window's thread was blocked, in milliseconds: by each action, and by what followed it."""

    at_once: list[float]
    cpu: list[float]
    after: list[float]

    def take(self, app: "QApplication", act: Callable[[], None]) -> None:
        """Send one event and let the window do all it wants."""
        began, computed = perf_counter(), thread_time()
        act()
        app.processEvents()
        self.at_once.append((perf_counter() - began) * 1000)
        self.cpu.append((thread_time() - computed) * 1000)
        longest, end = 0.0, perf_counter() + AFTER_SECONDS
        while perf_counter() < end:
            began = perf_counter()
            app.processEvents()
            longest = max(longest, perf_counter() - began)
        self.after.append(longest * 1000)


@dataclass
class Memory:
    """Resident memory of the window in MB: without a study, at most while one opens, at rest, and after moves."""

    stages: dict[str, float]

    def take(self, stage: str, line: str = "VmRSS") -> None:
        """Note what the process has now, or by another line of Linux's file at most so far."""
        lines = Path("/proc/self/status").read_text().splitlines()
        self.stages[stage] = int(next(row for row in lines if row.startswith(line)).split()[1]) / 1024


@contextmanager
def open_window(folder: Path, memory: Memory | None = None) -> Iterator[tuple["QApplication", "MainWindow"]]:
    """The real window on the study of `make_study`; notes what it takes without it."""
    with suppress(ImportError):  # an older checkout has none
        from wce_desktop.__main__ import leave_sources_unread

        leave_sources_unread()
    with suppress(ImportError):
        from wce_desktop.core.memory import share_arenas

        share_arenas()
    from wce_desktop.shell.application import make_application, open_session
    from wce_desktop.shell.main_window import MainWindow

    app = make_application()
    session = open_session(folder / "library")
    session.settings.set("score_when_opened", False)
    session.settings.set("keep_model_ready", False)
    window = MainWindow(session)
    window.resize(1920, 1080)
    window.show()
    window.activateWindow()
    if memory is not None:
        rest(app)
        memory.take("without a study")
    window.features.studies.open_path(folder / "long.mp4")
    settle(app, window)
    try:
        yield app, window
    finally:
        window.close()


def settle(app: "QApplication", window: "MainWindow") -> None:
    """Run the event loop until nothing is being read or computed."""
    end = perf_counter() + 60
    while perf_counter() < end and not (window.is_idle and window.session.reading is not None):
        app.processEvents()


def rest(app: "QApplication", seconds: float = 0.1) -> None:
    """Let the window show the frame that was gone to, with all that follows it."""
    end = perf_counter() + seconds
    while perf_counter() < end:
        app.processEvents()


def measure_memory(folder: Path) -> dict[str, float]:
    """Open the study, rest, move the slider ten times and rest again."""
    memory = Memory({})
    with open_window(folder, memory) as (app, window):
        rest(app, REST_SECONDS)
        memory.take("at rest")
        memory.take("at most while opening", "VmHWM")
        for value in range(40, 60, 2):
            window.features.reading.flags._slider.setValue(value)
            rest(app)
        rest(app, REST_SECONDS)
        memory.take("at rest after ten moves of the threshold")
    return memory.stages


def measure(folder: Path, presses: int, labels: int) -> dict[str, Blocks]:
    """Label random frames by key, and move the slider: plainly, with the list by score, and playing flags only."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    chance = np.random.default_rng(0)
    whats = ("label", "threshold", "threshold, by score", "threshold, flags only")
    found = {what: Blocks([], [], []) for what in whats}
    keys = (Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4)
    with open_window(folder) as (app, window):
        reading = window.session.reading
        assert reading is not None, "the study did not open"
        window.session.scores.set_threshold(0.5)  # a library that is used again has the one of the last time
        assert len(reading.flags.events) == EVENTS, "the study is not as it should be"
        slider = window.features.reading.flags._slider
        for press in range(labels):
            window.player.show_frame(int(chance.integers(FRAMES)))
            settle(app, window)
            rest(app)
            before = window.session.edits.undo_title, window.saved.text(), len(reading.entries.labels)
            found["label"].take(app, lambda press=press: QTest.keyClick(window, keys[press % 4]))  # type: ignore[misc]
            after = window.session.edits.undo_title, window.saved.text(), len(reading.entries.labels)
            assert before != after, "nothing was labelled"
        for what in list(found)[1:]:
            if what == "threshold, by score":
                window.features.reading.flags.switch_order()
            elif what == "threshold, flags only":
                window.features.reading.flags.switch_order()
                window.menus.run("play_flagged")
            for at in range(presses):
                value = 35 + (at * 7) % 30 if slider.value() != 35 + (at * 7) % 30 else 70
                found[what].take(app, lambda value=value: slider.setValue(value))  # type: ignore[misc]
            slider.setValue(50)
            settle(app, window)
    return found


def run_in(checkout: Path, folder: Path, presses: int, labels: int) -> dict[str, Any]:
    """Measure with the program of a checkout, in a process of its own; without presses its memory."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import importlib.util, json; from pathlib import Path\n"
        "spec = importlib.util.spec_from_file_location('bench_large', sys.argv[2])\n"
        "bench = importlib.util.module_from_spec(spec); sys.modules['bench_large'] = bench\n"
        "spec.loader.exec_module(bench)\n"
        "presses, labels, bench.FRAMES, bench.EVENTS = map(int, sys.argv[4:])\n"
        "blocks = bench.measure(Path(sys.argv[3]), presses, labels) if presses else {}\n"
        "times = {what: [b.at_once, b.cpu, b.after] for what, b in blocks.items()}\n"
        "print(json.dumps(times or bench.measure_memory(Path(sys.argv[3]))))"
    )
    numbers = map(str, (presses, labels, FRAMES, EVENTS))
    command = [sys.executable, "-c", code, str(checkout), __file__, str(folder), *numbers]
    done = subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--presses", type=int, default=100)
    parser.add_argument("--no-labels", action="store_true", help="move the threshold only")
    parser.add_argument("--memory", action="store_true", help="of resident memory, on Linux")
    parser.add_argument("--folder", type=Path, help="keep the study here, or use the one that is here")
    options = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        if not (folder / "library").exists():
            make_study(folder)
        checkouts = {"now": ROOT} | ({"before": options.against.resolve()} if options.against else {})
        if options.memory:
            _print_memory(folder, checkouts, options.rounds)
            return
        found: dict[str, dict[str, Blocks]] = {name: {} for name in checkouts}
        labels = 0 if options.no_labels else options.presses
        for _ in range(options.rounds):
            for name, checkout in checkouts.items():
                for what, lists in run_in(checkout, folder, options.presses, labels).items():
                    blocks, kept = Blocks(*lists), found[name].setdefault(what, Blocks([], [], []))
                    kept.at_once += blocks.at_once
                    kept.cpu += blocks.cpu
                    kept.after += blocks.after
    _print(found)


def _print_memory(folder: Path, checkouts: dict[str, Path], rounds: int) -> None:
    taken: dict[tuple[str, str], list[float]] = {}
    for _ in range(rounds):
        for name, checkout in checkouts.items():
            for stage, megabytes in run_in(checkout, folder, 0, 0).items():
                taken.setdefault((stage, name), []).append(megabytes)
    print(f"{FRAMES:,} frames, {EVENTS:,} events, {LABELS:,} labels; resident memory in MB\n")
    print("| stage | program | median | range | rounds |\n|---|---|---|---|---|")
    for (stage, name), of_rounds in sorted(taken.items()):
        low, middle, high = np.percentile(of_rounds, [0, 50, 100])
        print(f"| {stage} | {name} | {middle:.0f} | {low:.0f} to {high:.0f} | {rounds} |")


def _print(found: dict[str, dict[str, Blocks]]) -> None:
    print(f"{FRAMES:,} frames, {EVENTS:,} events, {LABELS:,} labels; milliseconds for which the window was blocked\n")
    print("| what | program | actions | p50 | p95 | max | CPU p50 | CPU p95 | after, p95 | after, max | aim (p95) |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for what in (what for what, blocks in next(iter(found.values())).items() if blocks.at_once):
        for name, blocks in found.items():
            p50, p95, highest = np.percentile(blocks[what].at_once, [50, 95, 100])
            cpu50, cpu95 = np.percentile(blocks[what].cpu, [50, 95])
            after, longest = np.percentile(blocks[what].after, [95, 100])
            aim = AIMS_MS[what.split(",")[0]]
            times = f"{p50:.1f} | {p95:.1f} | {highest:.1f} | {cpu50:.1f} | {cpu95:.1f} | {after:.1f} | {longest:.1f}"
            print(f"| {what} | {name} | {len(blocks[what].at_once)} | {times} | {aim:.0f} |")


if __name__ == "__main__":
    main()
