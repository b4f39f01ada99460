"""The window imports video reading before it is shown: nothing heavy may come along, and nothing may stay behind."""

import subprocess
import sys
import threading
from pathlib import Path

from tests.videos import write_video
from training.video import open_source


def test_importing_is_light() -> None:
    code = "import sys, training.video; print([m for m in ('av', 'cv2', 'torch', 'PySide6') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


def test_no_thread_stays_behind(tmp_path: Path) -> None:
    before = threading.active_count()
    path = write_video(tmp_path / "a.mp4", 40, b_frames=2)
    with open_source(path) as source:
        source.read(33)
        for frame_index, _ in source.iterate():
            if frame_index == 12:
                break
    assert threading.active_count() == before
