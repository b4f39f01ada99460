"""A real capsule video reads as ffmpeg's library decodes it."""

from pathlib import Path

import numpy as np

from training.video import first_picture, open_source


def test_frames_equal_what_ffmpeg_decodes(shared_data: Path) -> None:
    import av

    path = shared_data / "kvasir_capsule" / "clip_with_boxes.mp4"
    with av.open(str(path)) as container:
        expected = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    with open_source(path) as source:
        assert len(source) == len(expected) == 249
        for frame_index in (120, 0, 248, 119, 121):
            np.testing.assert_array_equal(source.read(frame_index), expected[frame_index])
        for frame_index, frame in source.iterate(0, 249, 40):
            assert frame is not None
            np.testing.assert_array_equal(frame, expected[frame_index])
        np.testing.assert_allclose(source.index.video_seconds, np.arange(249) / 30, atol=0.001)
    np.testing.assert_array_equal(first_picture(path), expected[0])


def test_the_bleeding_video_has_its_frames(shared_data: Path) -> None:
    with open_source(shared_data / "capsule_bleeding" / "video.mp4") as source:
        assert len(source) == 1265
        assert source.read(1264).shape == (224, 224, 3)
