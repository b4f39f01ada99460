"""Whether explanations keep pace with playing: `python -m tests.benchmarks.bench_cam_playing [VIDEO]` prints it.

The player shows a video of 320 x 320 px with and without the overlay of a CAM a frame (8 x 8 cells, half precision),
its line, and the frame alone beside it, at 25 and at 60 frames/s. Printed are frames/s that really came on screen, the
share of the rate without the overlay, and what making one layer costs.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from tests.benchmarks.bench_player import wait_for
from tests.videos import write_video
from training.video import FieldOfView
from wce_desktop.core.overlay import FrameCam
from wce_desktop.widgets.player.overlay_layer import OverlayLayer
from wce_desktop.widgets.player.player_view import PlayerView
from wce_desktop.widgets.theme import apply_theme

FRAMES, SIZE_PX, CELLS = 1500, 320, 8
SECONDS = 6.0
RATES_FPS = (25, 60)
VIEW = FieldOfView("circle", SIZE_PX, SIZE_PX, centre=(159.5, 159.5), radius=150.0)


def make_maps() -> NDArray[np.float16]:
    """(N, h, w) smooth maps of either sign, one for each frame."""
    rng = np.random.default_rng(0)
    at = np.arange(CELLS) - CELLS / 2
    centre, sign = rng.uniform(-3, 3, (FRAMES, 2)), rng.choice([-1.0, 1.0, 1.0], FRAMES)
    squares = (at[None, :, None] - centre[:, :1, None]) ** 2 + (at[None, None, :] - centre[:, 1:, None]) ** 2
    return (sign[:, None, None] * 8 * np.exp(-squares / 6)).astype(np.float16)


def explain_by(maps: NDArray[np.float16], frame_index: int) -> FrameCam:
    """The map of a frame as the window takes it from the study's scores."""
    return FrameCam(np.asarray(maps[frame_index % FRAMES], np.float32), 8.0, "CAM, Blood", "Demo model")


def frames_per_second(player: PlayerView, rate_fps: int) -> float:
    """Frames/s that came on screen in some seconds of playing."""
    wait_for(player.frame_changed, lambda: player.show_frame(1 if player.frame_index == 0 else 0))
    player.set_rate(rate_fps)
    shown: list[float] = []
    connection = player.frame_changed.connect(lambda _: shown.append(time.perf_counter()))
    loop = QEventLoop()
    QTimer.singleShot(int(SECONDS * 1000), loop.quit)
    player.play()
    loop.exec()
    player.pause()
    player.frame_changed.disconnect(connection)
    return (len(shown) - 1) / (shown[-1] - shown[0]) if len(shown) > 1 else 0.0


def set_look(player: PlayerView, is_on: bool, is_filled: bool, is_beside: bool) -> None:
    """How the overlay is drawn."""
    player.set_overlay_visible(is_on)
    player.set_look(0.5, is_filled=is_filled)
    player.set_beside(is_beside)


def layer_milliseconds(maps: NDArray[np.float16], is_filled: bool) -> float:
    """Milliseconds of making one frame's layer, median."""
    overlay = OverlayLayer()
    overlay.set_field_of_view(VIEW)
    overlay.set_provider(partial(explain_by, maps))
    overlay.set_look(0.5, is_filled=is_filled)
    taken = []
    for frame in range(400):
        start = time.perf_counter()
        overlay.layer(frame)
        taken.append(time.perf_counter() - start)
    return 1000 * float(np.median(taken))


def run(path: Path) -> None:
    """Measure one video."""
    maps = make_maps()
    print(f"one layer filled {layer_milliseconds(maps, True):.2f} ms, contour {layer_milliseconds(maps, False):.2f} ms")
    player = PlayerView()
    player.resize(1000, 800)
    player.show()
    wait_for(player.opened, lambda: player.open_path(path))
    if player.playback.frame_count == 0:
        wait_for(player.index_ready, lambda: None)
    player.set_field_of_view(VIEW)
    player.set_overlay_provider(partial(explain_by, maps))
    looks: dict[str, Callable[[], None]] = {
        "the frame alone": partial(set_look, player, False, False, False),
        "filled": partial(set_look, player, True, True, False),
        "contour": partial(set_look, player, True, False, False),
        "contour, frame beside": partial(set_look, player, True, False, True),
    }
    for rate_fps in RATES_FPS:
        bare = 0.0
        for name, look in looks.items():
            look()
            rate = frames_per_second(player, rate_fps)
            bare = bare or rate
            share = rate / bare if bare else 0.0
            print(f"asked for {rate_fps} frames/s  {name:<32} {rate:5.1f} frames/s  {share:.2f} of without")
    player.shutdown()


def main() -> None:
    """Measure the video named, or a generated one."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    apply_theme(application)
    with tempfile.TemporaryDirectory() as folder:
        given = Path(sys.argv[1]) if len(sys.argv) > 1 else None
        made = Path(folder) / "study.mp4"
        run(given or write_video(made, FRAMES, height=SIZE_PX, width=SIZE_PX, gop=30, b_frames=2))


if __name__ == "__main__":
    main()
