"""How fast the player opens, steps and plays: `python -m tests.benchmarks.bench_player [VIDEO]` prints it."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEventLoop, QTimer, SignalInstance
from PySide6.QtWidgets import QApplication

from tests.videos import write_video
from wce_desktop.core.overlay import FrameCam
from wce_desktop.widgets.player.player_view import PlayerView
from wce_desktop.widgets.theme import apply_theme

FRAMES = 1500
SIZE_PX = 320
LONG_FRAMES = 500_000
TIMEOUT_MS = 60_000
READS, JUMPS, PLAYED_SECONDS = 200, 100, 4.0


def wait_for(signal: SignalInstance, act: Callable[[], None]) -> float:
    """Seconds from acting until the signal."""
    loop = QEventLoop()
    connection = signal.connect(lambda *_: loop.quit())
    QTimer.singleShot(TIMEOUT_MS, loop.quit)
    start = time.perf_counter()
    act()
    loop.exec()
    seconds = time.perf_counter() - start
    signal.disconnect(connection)
    return seconds


def step_seconds(player: PlayerView, direction: int) -> NDArray[np.float64]:
    """(up to READS,) seconds from a step until its frame is on screen, from a place that was not read before."""
    start = len_of(player) // 2
    wait_for(player.frame_changed, lambda: player.show_frame(start))
    steps = range(min(READS, start - 1))
    return np.array([wait_for(player.frame_changed, lambda: player.step(direction)) for _ in steps])


def jump_seconds(player: PlayerView) -> NDArray[np.float64]:
    """(JUMPS,) seconds from a jump until its frame is on screen."""
    places = np.random.default_rng(0).permutation(len_of(player))[:JUMPS]
    return np.array([wait_for(player.frame_changed, partial(player.show_frame, int(at))) for at in places])


def playing_fps(player: PlayerView, rate_fps: int) -> float:
    """Frames/s that really came on screen when `rate_fps` was asked for."""
    wait_for(player.frame_changed, lambda: player.show_frame(1 if player.frame_index == 0 else 0))
    player.set_rate(rate_fps)
    shown: list[float] = []
    connection = player.frame_changed.connect(lambda _: shown.append(time.perf_counter()))
    player.play()
    loop = QEventLoop()
    QTimer.singleShot(int(1000 * PLAYED_SECONDS), loop.quit)
    loop.exec()
    player.pause()
    player.frame_changed.disconnect(connection)
    return (len(shown) - 1) / (shown[-1] - shown[0]) if len(shown) > 1 else 0.0


def len_of(player: PlayerView) -> int:
    """Frames of the study, so that the loops read well."""
    return player.playback.frame_count


def report(name: str, seconds: NDArray[np.float64]) -> None:
    """Print p50 and p95 in milliseconds."""
    p50, p95 = np.percentile(seconds * 1000, [50, 95])
    print(f"{name:<34} p50 {p50:6.1f} ms   p95 {p95:6.1f} ms")


def repeat_video(path: Path, target: Path, times: int) -> Path:
    """Write the packets of a video (no B-frames, 25 fps) again and again: a long study in seconds."""
    with av.open(str(path)) as source, av.open(str(target), "w") as out:
        video = source.streams.video[0]
        stream = out.add_stream_from_template(video)
        packets = [packet for packet in source.demux(video) if packet.dts is not None]
        base = video.time_base or Fraction(1, 12800)
        step = round(Fraction(1, 25) / base)
        payload = [(bytes(packet), packet.is_keyframe) for packet in packets]
        for number in range(times * len(payload)):
            data, is_key = payload[number % len(payload)]
            packet = av.Packet(data)
            packet.pts = packet.dts = number * step
            packet.time_base, packet.is_keyframe, packet.stream = base, is_key, stream
            out.mux(packet)
    return target


def open_long(folder: Path) -> None:
    """Seconds to the first picture and to the index of 500,000 frames, then with the index given."""
    short = write_video(folder / "short.mp4", 500, gop=25)
    path = repeat_video(short, folder / "long.mp4", LONG_FRAMES // 500)
    player = PlayerView()
    player.show()
    start = time.perf_counter()
    first = wait_for(player.opened, lambda: player.open_path(path))
    if player.playback.frame_count == 0:
        wait_for(player.index_ready, lambda: None)
    print(
        f"{player.playback.frame_count} frames: first picture {first:.2f} s, index {time.perf_counter() - start:.2f} s",
        end="",
    )
    index = player.controller.index
    again = wait_for(player.opened, lambda: player.open_path(path, index))
    print(f", opened again with its index {again:.2f} s")
    report("jump anywhere in it", jump_seconds(player))
    player.shutdown()


def run(path: Path) -> None:
    """Measure one video."""
    player = PlayerView()
    player.resize(1000, 800)
    player.show()
    print(f"{'first picture on screen':<34} {wait_for(player.opened, lambda: player.open_path(path)):6.3f} s")
    if player.playback.frame_count == 0:
        wait_for(player.index_ready, lambda: None)
    print(f"{'frames':<34} {player.playback.frame_count:6d}")
    report("step forward", step_seconds(player, 1))
    report("step back", step_seconds(player, -1))
    report("jump anywhere", jump_seconds(player))
    rng = np.random.default_rng(1)
    for is_explained in (False, True):
        player.set_overlay_provider(lambda _: FrameCam(rng.random((8, 8), np.float32), 1.0))
        player.set_overlay_visible(is_explained)
        for rate_fps in (8, 25, 60):
            name = f"playing at {rate_fps} fps{', overlay' if is_explained else ''}"
            print(f"{name:<34} {playing_fps(player, rate_fps):6.1f} frames/s")
    player.shutdown()


def main() -> None:
    """Measure the video named, or a generated one."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication([])
    apply_theme(application)
    with tempfile.TemporaryDirectory() as folder:
        made = len(sys.argv) < 2
        path = Path(folder) / "study.mp4" if made else Path(sys.argv[1])
        run(write_video(path, FRAMES, height=SIZE_PX, width=SIZE_PX, gop=30, b_frames=2) if made else path)
        if made:
            open_long(Path(folder))


if __name__ == "__main__":
    main()
