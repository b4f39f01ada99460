"""Share of the screen that the frame has, with all panels, with the side panels folded, and in the reading mode.

    python -m tests.benchmarks.bench_frame_share

Prints a line for each size of a maximized window in logical pixels, for a square frame and for the demo study's scores;
asserts nothing. A title bar of 20 pixels is taken off, except in the reading mode, which fills the screen.
"""

import os
import tempfile
from pathlib import Path

from PySide6.QtCore import QEventLoop
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from wce_desktop.shell.application import make_application, open_session
from wce_desktop.shell.main_window import MainWindow

SCREENS = {
    "1920 x 1080": (1920, 1080),
    "1280 x 800": (1280, 800),
    "1920 x 1080 at scale 1.5": (1280, 720),
    "1920 x 1080 at scale 2": (960, 540),
}
TITLE_PX = 20


def frame_share(window: MainWindow, screen: tuple[int, int]) -> float:
    """The share of a screen that the frame of the open study covers, in per cent."""
    for _ in range(20):
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    (rect,) = window.player.frame_view.frame_rects()
    return 100 * rect.width() * rect.height() / (screen[0] * screen[1])


def measure(window: MainWindow, screen: tuple[int, int]) -> dict[str, float]:
    """The shares on one screen."""
    actions = window.menus.actions
    window.resize(screen[0], screen[1] - TITLE_PX)
    found = {"all panels": frame_share(window, screen)}
    shown = [one for one in ("toggle_left", "toggle_right") if actions[one].isChecked()]
    for action_id in shown:
        actions[action_id].trigger()
    found["side panels folded"] = frame_share(window, screen)
    for action_id in shown:
        actions[action_id].trigger()
    if actions["only_frame"].text() == "Reading mode":
        actions["only_frame"].trigger()
        window.showNormal()  # the offscreen screen has one size
        window.resize(*screen)
        found["reading mode"] = frame_share(window, screen)
        actions["only_frame"].trigger()
    return found


def main() -> None:
    """Open the demo study in a window of each size."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    make_application()
    for name, screen in SCREENS.items():
        with tempfile.TemporaryDirectory() as folder:
            window = MainWindow(open_session(Path(folder)))
            window.resize(screen[0], screen[1] - TITLE_PX)
            window.show()
            window.features.studies.open_demo()
            while not (window.session.reading is not None and window.is_idle):
                QTest.qWait(50)
            shares = ", ".join(f"{what} {share:.1f} %" for what, share in measure(window, screen).items())
            print(f"{name}: {shares}", flush=True)
            window.close()


if __name__ == "__main__":
    main()
