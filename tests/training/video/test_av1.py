"""AV1, whose decoder leaves damaged frames out without a word: numbers stay exact wherever reading begins."""

from contextlib import closing
from pathlib import Path

import av
import numpy as np
import pytest

from training.video import open_source

FRAMES, STEP = 30, 8


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Frames of one grey each, with a key frame every ten."""
    path = tmp_path_factory.mktemp("av1") / "clip.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libsvtav1", rate=10, options={"preset": "12", "svtav1-params": "keyint=10:lp=1"})
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for number in range(FRAMES):
            grey = np.full((64, 64, 3), number * STEP, np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(grey, "rgb24")))
        out.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("order", [range(FRAMES), (25, 3, 12, 29, 0), (11, 10, 9)])
def test_every_frame_has_its_number_from_wherever_it_is_read(clip: Path, order: range | tuple[int, ...]) -> None:
    with closing(open_source(clip)) as source:
        assert len(source) == FRAMES
        for number in order:
            assert abs(float(source.read(number).mean()) - number * STEP) < STEP / 2
