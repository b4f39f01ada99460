"""How long the timeline takes to repaint 500,000 frames and 6 tracks: `python -m tests.benchmarks.bench_timeline`."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable

KINDS = ("real", "noise")
TRACKS = ("polyp", "angiectasia", "ulcer", "blood", "erosion", "erythema")
WIDTH_PX = 1920


def measured(action: Callable[[int], None], rounds: int) -> str:
    """p50 and p95 of an action by the wall's clock, and p95 by the processor's, which other programs disturb less."""
    wall, processor = [], []
    for at in range(rounds + 3):
        begin, began = time.perf_counter(), time.process_time()
        action(at)
        processor.append((time.process_time() - began) * 1e3)
        wall.append((time.perf_counter() - begin) * 1e3)
    columns = ("p50", share(wall, 0.5)), ("p95", share(wall, 0.95)), ("processor p95", share(processor, 0.95))
    return "   ".join(f"{name} {figure:6.2f} ms" for name, figure in columns)


def share(times: list[float], quantile: float) -> float:
    """A quantile of the times; the first three, when caches are cold, do not count."""
    ordered = sorted(times[3:])
    return ordered[min(int(quantile * len(ordered)), len(ordered) - 1)]


def measure(kind: str, frames: int, labels: int, rounds: int) -> None:
    """Print the table for one device pixel ratio, with scores that are mostly low (`real`) or pure noise (`noise`)."""
    import numpy as np
    from PySide6.QtWidgets import QApplication

    from wce_desktop.core.annotation.label import Label
    from wce_desktop.core.event import EventList, find_events
    from wce_desktop.core.span import Span
    from wce_desktop.widgets.timeline import TimelineView, Track

    app = QApplication.instance() or QApplication([])
    random = np.random.default_rng(0)
    view = TimelineView()
    view.resize(WIDTH_PX, view.sizeHint().height())
    view.set_study(frames, np.arange(frames) / 8.0)
    alpha, beta = (0.5, 14.0) if kind == "real" else (1.0, 1.0)
    scores = {name: random.beta(alpha, beta, frames).astype(np.float32) for name in TRACKS}
    view.set_tracks([Track(name, name.capitalize(), "#56b4e9", values) for name, values in scores.items()])
    view.set_threshold(0.62)
    if kind == "real":
        view.set_events(EventList(find_events(scores[name], 0.62, name) for name in TRACKS))
    view.set_colors(random.integers(0, 255, (frames, 3), dtype=np.uint8))
    starts = random.choice(frames // 4, labels, replace=False) * 4
    view.set_labels(Label(f"{at}", "s", Span(int(at), int(at) + 3), TRACKS[at % 6]) for at in starts)
    view.set_seen(random.random(frames) < 0.5)
    view.set_cursor(frames // 2)
    view.show_all()
    view.show()
    app.processEvents()

    def everything(at: int) -> None:
        view.detail.invalidate()
        view.overview.invalidate()
        app.processEvents()

    def cursor(at: int) -> None:
        view.set_cursor(frames // 2 + 40 * at)
        app.processEvents()

    def zoom(at: int) -> None:
        length = frames * 0.85 ** (at % 50)
        view.set_window(frames / 2 - length / 2, frames / 2 + length / 2)
        app.processEvents()

    def threshold(at: int) -> None:
        view.set_threshold(0.4 + 0.005 * (at % 60))
        app.processEvents()

    def label(at: int) -> None:
        view.change_labels(added=[Label(f"n{at}", "s", Span(4 * at + 3, 4 * at + 4), "polyp")])
        app.processEvents()

    ratio = view.devicePixelRatioF()
    for title, action in (
        ("full repaint, caches empty", everything),
        ("cursor only", cursor),
        ("one label more", label),
        ("zoom", zoom),
    ):
        print(f"{kind:5s}  ratio {ratio:g}  {title:28s} {measured(action, rounds)}")
    view.show_all()
    print(f"{kind:5s}  ratio {ratio:g}  {'threshold dragged':28s} {measured(threshold, rounds)}")


def main() -> None:
    """Each ratio in a process of its own, because Qt reads it once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=500_000)
    parser.add_argument("--labels", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--kind", choices=KINDS, help="measure only these scores, in this process")
    options = parser.parse_args()
    sizes = options.frames, options.labels, options.rounds
    if options.kind:
        measure(options.kind, *sizes)
        return
    print(
        f"timeline, {options.frames:,} frames, {len(TRACKS)} tracks, {options.labels:,} labels, {WIDTH_PX} px wide; "
        "aim: p95 <= 16 ms"
    )
    for ratio in ("1", "2"):
        for kind in KINDS:
            environment = {**os.environ, "QT_SCALE_FACTOR": ratio}
            environment.setdefault("QT_QPA_PLATFORM", "offscreen")
            given = zip(("--frames", "--labels", "--rounds"), map(str, sizes), strict=True)
            command = [sys.executable, "-m", "tests.benchmarks.bench_timeline", "--kind", kind, *sum(given, ())]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
