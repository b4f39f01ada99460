"""How fast a map is painted, and a lasso answered: `python -m tests.benchmarks.bench_map [--points N] [--scatter]`."""

import os
import sys
import time
from collections.abc import Callable
from typing import Any

POINTS, STUDIES, LABELLED, CLOUDS = 500_000, 10, 20_000, 60
SIZES = ((900, 620), (1600, 950))
ROUNDS = 60
LASSO_CORNERS = 600
SCATTER_ROUNDS = 5


def measured(action: Callable[[int], None], rounds: int | None = None) -> str:
    """p50 and p95 by the wall's clock, and p50 of the processor's time, which other programs disturb less."""
    wall, processor = [], []
    for at in range((rounds or ROUNDS) + 3):
        begin, began = time.perf_counter(), time.process_time()
        action(at)
        processor.append((time.process_time() - began) * 1e3)
        wall.append((time.perf_counter() - begin) * 1e3)
    p50, p95 = share(wall, 0.5), share(wall, 0.95)
    return (
        f"p50 {p50:7.2f} ms ({1e3 / p50:5.0f}/s)   p95 {p95:7.2f} ms ({1e3 / p95:5.0f}/s)   "
        f"processor p50 {share(processor, 0.5):7.2f} ms"
    )


def share(times: list[float], quantile: float) -> float:
    """A quantile of the times; the first three, when caches are cold, do not count."""
    ordered = sorted(times[3:])
    return ordered[min(int(quantile * len(ordered)), len(ordered) - 1)]


def main() -> None:
    """Print the table."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    global POINTS
    if "--points" in sys.argv:
        POINTS = int(sys.argv[sys.argv.index("--points") + 1])
    app = QApplication.instance() or QApplication([])
    points, colorings = made()
    print(f"map of {POINTS:,} points, {LABELLED:,} of them labelled; aim: pan and zoom >= 30/s, lasso <= 100 ms")
    for width, height in SIZES:
        move(app, points, colorings, width, height)
    draw_lasso(app, points, colorings["by label"])
    if "--scatter" in sys.argv:
        _scatter(points.coordinates, app)


def made() -> tuple[Any, dict[str, Any]]:
    """Points in clouds, and what they are coloured by."""
    import numpy as np

    from wce_desktop.core.annotation.vocabulary import load_vocabulary
    from wce_desktop.features.embedding_map import map_coloring
    from wce_desktop.features.embedding_map.map_points import MapPoints
    from wce_desktop.session.places import resource

    random = np.random.default_rng(0)
    each = POINTS // CLOUDS
    clouds = [random.normal(random.uniform(-60, 60, 2), random.uniform(1, 8), (each, 2)) for _ in range(CLOUDS)]
    places = np.concatenate([*clouds, random.uniform(-70, 70, (POINTS - each * CLOUDS, 2))]).astype(np.float32)
    points = MapPoints(
        tuple(f"P{number:02d}" for number in range(STUDIES)),
        random.integers(0, STUDIES, POINTS).astype(np.int32),
        np.arange(POINTS, dtype=np.int64),
        np.arange(POINTS) / 8.0,
        places,
    )
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    labels = np.full(POINTS, -1, dtype=np.int16)
    labels[random.choice(POINTS, LABELLED, replace=False)] = random.choice(
        len(vocabulary), LABELLED, p=_shares(len(vocabulary))
    )
    colorings = {
        "by label": map_coloring.by_label(vocabulary.names, labels, vocabulary),
        "by score": map_coloring.by_score("Score", random.beta(0.5, 8, POINTS).astype(np.float32), 0.5),
        "by study": map_coloring.by_name("Study", points.study_ids, points.study),
    }
    return points, colorings


def move(app: Any, points: Any, colorings: dict[str, Any], width: int, height: int) -> None:
    """Pan and zoom at one size of the window."""
    from wce_desktop.features.embedding_map.map_canvas import MapCanvas

    canvas = MapCanvas()
    canvas.resize(width, height)
    canvas.set_points(points)
    canvas.show()
    until = time.monotonic() + 10
    while (
        not canvas.windowHandle().isExposed() and time.monotonic() < until
    ):  # of a real screen nothing else is painted
        app.processEvents()
    for title, coloring in colorings.items():
        canvas.set_coloring(coloring)

        def pan(at: int, canvas: MapCanvas = canvas) -> None:
            canvas.pan_by(7.0 if at % 40 < 20 else -7.0, 3.0 if at % 20 < 10 else -3.0)
            canvas.repaint()
            app.processEvents()

        def zoom(at: int, canvas: MapCanvas = canvas) -> None:
            canvas.zoom_by(1.15 if at % 40 < 20 else 1 / 1.15)
            canvas.repaint()
            app.processEvents()

        canvas.fit()
        print(f"{width:4d} x {height:<4d}  pan,  {title}   {measured(pan)}")
        canvas.fit()
        print(f"{width:4d} x {height:<4d}  zoom, {title}   {measured(zoom)}")
    canvas.hide()


def draw_lasso(app: Any, points: Any, coloring: Any) -> None:
    """Points in a lasso: found, selected and painted; the point under the pointer."""
    import numpy as np

    from wce_desktop.features.embedding_map.map_canvas import MapCanvas
    from wce_desktop.features.embedding_map.map_points import inside_polygon, nearest_point

    turn = np.linspace(0, 2 * np.pi, LASSO_CORNERS, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * (45 + 4 * np.sin(turn * 25))[:, None]
    begin = time.perf_counter()
    _ = points.sorted_x, points.sorted_y
    print(f"sorting the points once, with the first lasso or hovering   {(time.perf_counter() - begin) * 1e3:7.2f} ms")
    found = inside_polygon(points, ring)
    spent = measured(lambda _: _use(inside_polygon(points, ring)))
    print(f"lasso of {LASSO_CORNERS} corners around {len(found):,} points   {spent}")
    canvas = MapCanvas()
    canvas.resize(*SIZES[0])
    canvas.set_points(points)
    canvas.set_coloring(coloring)
    canvas.selection_requested.connect(canvas.set_selected)
    canvas.show()

    def lasso(_: int) -> None:
        canvas.select(inside_polygon(points, ring))
        app.processEvents()

    print(f"lasso, selected and painted   {measured(lasso, 20)}")
    print(f"the point under the pointer   {measured(lambda at: _use(nearest_point(points, (at % 9, 3.0), 0.5)))}")


def _scatter(places: object, app: object) -> None:
    """What the ready-made widget takes for the same points, one colour and no shapes."""
    import pyqtgraph as pg

    plot = pg.PlotWidget()
    plot.resize(*SIZES[0])
    item = pg.ScatterPlotItem(pos=places, size=2, pen=None, brush="#9aa0a6", pxMode=True)
    plot.addItem(item)
    plot.show()

    def zoom(at: int) -> None:
        plot.getViewBox().scaleBy((0.9, 0.9) if at % 2 else (1 / 0.9, 1 / 0.9))
        app.processEvents()  # type: ignore[attr-defined]

    print(f"pyqtgraph's ScatterPlotItem, zoom   {measured(zoom, SCATTER_ROUNDS)}")


def _shares(classes: int) -> list[float]:
    """Mostly the first class, the others rare and alike."""
    return [0.82, *[0.18 / (classes - 1)] * (classes - 1)]


def _use(_: object) -> None:
    """Nothing: what was computed is not to be shown."""


if __name__ == "__main__":
    main()
