"""Drawing, moving and resizing boxes on a large frame: gaps between ticks of the window's event loop. Aim: 50 ms.

    python -m tests.benchmarks.bench_boxes [WIDTH] [HEIGHT]

Drags boxes in the real window on a study with many boxes, as fast as a mouse of 125 Hz moves, and prints the median,
the 99th percentile and the longest gap between ticks of a timer of 5 ms, in time that the window's thread has computed:
other processes do not count. Asserts nothing.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.benchmarks.bench_event_loop import Ticks
from tests.videos import write_video
from tests.wce_desktop.sessions import make_session
from training.video import build_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Box
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.widgets.theme import apply_theme

TICK_MILLISECONDS, MOVE_MILLISECONDS = 5, 8
AIM_MILLISECONDS = 50.0
FRAMES, OTHER_BOXES = 200, 2000
BOXES, MOVES = 20, 60
LEFT = Qt.MouseButton.LeftButton


def main() -> None:
    """Measure in a window of the size named."""
    width, height = map(int, sys.argv[1:3] or (1920, 1080))
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), width, height)


def measure(folder: Path, width: int, height: int) -> None:
    """Draw boxes, and move and resize each, and print the gaps."""
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    apply_theme(app)
    session = make_session(folder, has_model=False)
    video = write_video(folder / "study.mp4", FRAMES, width=576, height=576)
    study = session.add_study(video, build_index(video))
    random = np.random.default_rng(0)
    many = []
    for number in range(OTHER_BOXES):
        x, y = random.uniform(0, 400, 2)
        frame = int(random.integers(FRAMES))
        many.append(Add(Box(f"b{number}", study.study_id, frame, x, y, x + 90, y + 70, "polyp")))
    session.library.annotations.edit(study.study_id, "fill", many)
    window = MainWindow(session)
    window.resize(width, height)
    window.show()
    window.features.studies.open_study(study)
    while session.reading is None or not window.is_idle or not window.player.frame_view.frames:
        QTest.qWait(20)
    window.menus.run("draw_boxes")
    QTest.qWait(300)
    for what in ("draw", "move", "resize"):
        gaps = _drag_boxes(window, what)
        p50, p99 = np.percentile(gaps, [50, 99])
        longest = float(gaps.max())
        print(
            f"{what:8} {len(gaps):5} ticks of {TICK_MILLISECONDS} ms: p50 {p50:.1f} ms, p99 {p99:.1f} ms, longest "
            f"{longest:.1f} ms, {longest / AIM_MILLISECONDS:.2f} of the aim of {AIM_MILLISECONDS:.0f} ms"
        )
    print(f"window {width} x {height}, {len(session.reading.entries.boxes):,} boxes in the study")
    window.close()


def _drag_boxes(window: MainWindow, what: str) -> np.ndarray:
    """(T,) gaps in ms while boxes are drawn, or the one drawn last is moved or resized."""
    editor, view = window.features.boxes.editor, window.player.frame_view
    rect = view.frame_rects()[0]
    ticks = Ticks(TICK_MILLISECONDS, clock=time.thread_time)
    for number in range(BOXES):
        start = rect.topLeft() + QPointF(10 + 3 * number, 10 + 3 * number)
        end = start + QPointF(rect.width() / 2, rect.height() / 2)
        if what != "draw":
            assert window.session.reading is not None
            box = next(one for one in window.session.reading.entries.boxes if one.box_id == editor.chosen_id)
            shown = editor.on_screen(box.frame_index, (box.x_min, box.y_min, box.x_max, box.y_max))
            start = shown.center() if what == "move" else shown.bottomRight()
            end = start + QPointF(60, 40) * (1 if number % 2 else -1)
        _drag(editor, start.toPoint(), end.toPoint())
        if what == "draw" and number < BOXES - 1:
            QTest.keyClick(editor, Qt.Key.Key_Delete)
    return ticks.end()


def _drag(editor: QWidget, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(editor, LEFT, pos=start)
    for step in range(1, MOVES + 1):
        QTest.mouseMove(editor, start + (end - start) * step / MOVES)
        QTest.qWait(MOVE_MILLISECONDS)
    QTest.mouseRelease(editor, LEFT, pos=end)
    QTest.qWait(2 * MOVE_MILLISECONDS)


if __name__ == "__main__":
    main()
