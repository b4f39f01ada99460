"""How the time of scoring, of a neighbour query and of drawing a map grows with their size.

Run it with `python -m tests.benchmarks.bench_growth`. It prints a row for each with three sizes and asserts nothing.
The exponent is that of the power law through the medians: 1 is proportional, 0 does not grow. What the window does with
large studies is in `bench_large_study growth`.
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

FRAMES = (300, 1200, 4800)
VECTORS = (5_000, 50_000, 500_000)
DIMENSIONS = 512
POINTS = (5_000, 50_000, 500_000)
ROUNDS = 5


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", nargs="*", default=["scoring", "search", "map"])
    options = parser.parse_args()
    print(f"{'':28} {'sizes':>26} {'medians, ms':>32} {'exponent':>9}")
    for part in options.parts:
        {"scoring": scoring, "search": search, "map": draw_map}[part]()


def scoring() -> None:
    """`score_study` with the starter model, file and start of the engine included."""
    from tests.benchmarks.bench_scoring import write_video
    from training.inference.score import score_study
    from training.models.folder import ModelFolder

    model = ModelFolder.open(Path("resources/models/starter"))
    with tempfile.TemporaryDirectory() as folder:
        videos = {frames: write_video(Path(folder) / f"{frames}.mp4", frames) for frames in FRAMES}
        out = Path(folder) / "scores.h5"
        report("scoring, frames", {size: partial(score_study, path, model, out) for size, path in videos.items()})


def search() -> None:
    """One query of `NeighbourIndex`, exact, from the mapped file."""
    from tests.benchmarks.embedding_like import embedding_like
    from tests.training.embeddings.studies import write_study
    from training.embeddings.neighbour_index import NeighbourIndex

    with tempfile.TemporaryDirectory() as folder:
        works: dict[int, Callable[[], object]] = {}
        for size in VECTORS:
            index = NeighbourIndex.open([write_study(Path(folder), f"S{size}", embedding_like(0, size, DIMENSIONS))])
            query = index.vector(f"S{size}", 7)
            works[size] = partial(index.find, query, 10)
        report(f"neighbour query, x {DIMENSIONS}", works)


def draw_map() -> None:
    """One step of panning a map, painted without a screen."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks import bench_map
    from wce_desktop.features.embedding_map.map_canvas import MapCanvas

    app = QApplication.instance() or QApplication([])
    works: dict[int, Callable[[], object]] = {}
    for size in POINTS:
        bench_map.POINTS, bench_map.LABELLED = size, size // 25
        points, colorings = bench_map.made()
        canvas = MapCanvas()
        canvas.resize(*bench_map.SIZES[-1])
        canvas.set_points(points)
        canvas.set_coloring(colorings["by label"])
        canvas.show()

        works[size] = partial(pan, app, canvas)
    report("map, one step of panning", works)


def pan(app: Any, canvas: Any) -> None:
    """Move the view by a few pixels, and paint."""
    canvas.pan_by(7.0, 3.0)
    app.processEvents()


def report(name: str, works: Mapping[int, Callable[[], object]]) -> None:
    """Measure by turns and print one row."""
    times: dict[int, list[float]] = {size: [] for size in works}
    for turn in range(ROUNDS + 1):
        for size, work in works.items():
            started = time.perf_counter()
            work()
            if turn:  # the first one warms up
                times[size].append(1000 * (time.perf_counter() - started))
    middles = [median(times[size]) for size in works]
    sizes, shown = " ".join(f"{size:>8,}" for size in works), " ".join(f"{middle:>10.2f}" for middle in middles)
    print(f"{name:28} {sizes:>26} {shown:>32} {exponent(list(works), middles):>9.2f}", flush=True)


def exponent(sizes: Sequence[int], times: Sequence[float]) -> float:
    """Of the power law through sizes and times, by least squares of their logarithms."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


if __name__ == "__main__":
    main()
