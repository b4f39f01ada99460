"""What people bring along that is no proper study, one maker a kind: each writes it and returns its path."""

import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.videos import corrupt_middle, cut_tail, numbered_frame, write_video


def no_file(place: Path) -> Path:
    return place / "gone.mp4"


def a_name_too_long(place: Path) -> Path:
    return place / ("x" * 5000 + ".mp4")


def empty_file(place: Path) -> Path:
    path = place / "empty.mp4"
    path.touch()
    return path


def text_renamed(place: Path) -> Path:
    path = place / "notes.mp4"
    path.write_text("Dear colleague,\nplease find the video attached.\n" * 20, encoding="utf-8")
    return path


def sound_only(place: Path) -> Path:
    import av

    path = place / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 44100
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def truncated(place: Path) -> Path:
    """Without its table of contents, which stands at the end."""
    return cut_tail(write_video(place / "whole.mp4", 30), place / "cut.mp4", 0.6)


def broken_images(place: Path) -> Path:
    folder = _folder(place, "broken")
    for number in range(3):
        (folder / f"{number}.png").write_bytes(b"no image")
    return folder


def empty_folder(place: Path) -> Path:
    return _folder(place, "nothing")


# What opens all the same


def truncated_late(place: Path) -> Path:
    """With its table of contents in front, so that what is there can be read."""
    options = {"movflags": "faststart"}
    whole = write_video(place / "whole.mp4", 120, noise=12, container_options=options)
    return cut_tail(whole, place / "cut.mp4", 0.7)


def corrupt_stretch(place: Path) -> Path:
    options = {"movflags": "faststart"}
    whole = write_video(place / "whole.mp4", 120, b_frames=2, noise=12, container_options=options)
    return corrupt_middle(whole, place / "corrupt.mp4")


def one_frame(place: Path) -> Path:
    return write_video(place / "one.mp4", 1)


def odd_size(place: Path) -> Path:
    return write_video(place / "odd.avi", 30, codec="mjpeg", height=35, width=51)


def very_large(place: Path) -> Path:
    return write_video(place / "large.avi", 2, codec="mjpeg", height=4096, width=4096)


def grey_images(place: Path) -> Path:
    folder = _folder(place, "grey")
    for number in range(5):
        write_image(folder / f"{number}.png", numbered_frame(number)[..., 0])
    return folder


def sixteen_bit_images(place: Path) -> Path:
    folder = _folder(place, "deep")
    for number in range(5):
        write_image(folder / f"{number}.tif", numbered_frame(number).astype(np.uint16) * 257)
    return folder


def mixed_sizes(place: Path) -> Path:
    folder = _folder(place, "mixed")
    for number, side in enumerate((64, 128, 96, 64)):
        write_image(folder / f"{number}.png", numbered_frame(number, side, side))
    return folder


def one_broken_image(place: Path) -> Path:
    folder = _folder(place, "images")
    for number in range(5):
        write_image(folder / f"{number}.png", numbered_frame(number))
    (folder / "2.png").write_bytes((folder / "2.png").read_bytes()[:40])
    return folder


def unicode_path(place: Path) -> Path:
    folder = _folder(place, "Bibliothèque 図書館 🎥 100 %")
    return write_video(place / "plain.mp4", 30).rename(folder / "Kapsel-Übung 日本語 🩺.mp4")


def very_long_path(place: Path) -> Path:
    deep = place
    for _ in range(1 if os.name == "nt" else 12):
        deep /= "ein sehr langer Ordnername " * 8
    deep.mkdir(parents=True)
    return write_video(place / "plain.mp4", 31).rename(deep / "study.mp4")


def read_only_folder(place: Path) -> Path:
    folder = _folder(place, "closed")
    path = write_video(folder / "closed.mp4", 32)
    path.chmod(0o444)
    folder.chmod(0o555)
    return path


def write_image(path: Path, rgb: NDArray[np.uint8] | NDArray[np.uint16]) -> Path:
    """Write an image in the format of its suffix; cv2.imwrite knows no unicode paths everywhere."""
    is_written, data = cv2.imencode(path.suffix, rgb if rgb.ndim == 2 else rgb[..., ::-1])
    assert is_written
    path.write_bytes(data.tobytes())
    return path


def _folder(place: Path, name: str) -> Path:
    folder = place / name
    folder.mkdir()
    return folder
