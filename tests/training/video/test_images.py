"""Folders of images: order, sizes, kinds of pixels, and files that are broken."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.videos import number_of, numbered_frame
from training.errors import UserError
from training.video import FrameMissing, build_index, first_picture, is_study, open_source, verify_index
from training.video.formats import natural_key
from training.video.image_header import image_size


def write(path: Path, rgb: NDArray[np.uint8] | NDArray[np.uint16]) -> Path:
    """Write an image in the format of its suffix; cv2.imwrite knows no unicode paths everywhere."""
    good, data = cv2.imencode(path.suffix, rgb if rgb.ndim == 2 else rgb[..., ::-1])
    assert good
    path.write_bytes(data.tobytes())
    return path


@pytest.mark.parametrize("suffix", [".jpg", ".jpeg", ".png", ".bmp", ".tif", ".TIFF", ".PNG"])
def test_natural_order_in_every_format(suffix: str, tmp_path: Path) -> None:
    for number in (0, 1, 2, 9, 10, 11, 100):
        write(tmp_path / f"frame{number}{suffix}", numbered_frame(number, 48, 64))
    (tmp_path / "notes.txt").write_text("not an image")
    (tmp_path / f"._frame1{suffix}").write_bytes(b"what macOS leaves behind")
    assert is_study(tmp_path)
    with open_source(tmp_path) as source:
        assert (len(source), source.height_px, source.width_px) == (7, 48, 64)
        expected = [0, 1, 2, 9, 10, 11, 100]
        assert [number_of(source.read(i)) for i in range(7)] == expected
        assert [number_of(f) for _, f in source.iterate() if f is not None] == expected
        assert source.index.video_seconds.tolist() == [0, 0.5, 1, 1.5, 2, 2.5, 3]
        assert any("no time stamps" in note for note in source.index.notes)
    assert number_of(first_picture(tmp_path)) == 0


def test_natural_key_mixes_numbers_and_words() -> None:
    names = ["b", "a10", "a9", "A2b", "10", "9", "a2a", "a02"]
    assert sorted(names, key=natural_key) == ["9", "10", "a02", "a2a", "A2b", "a9", "a10", "b"]


def test_mixed_sizes_are_fitted_onto_the_first(tmp_path: Path) -> None:
    write(tmp_path / "1.png", numbered_frame(1, 64, 64))
    write(tmp_path / "2.png", numbered_frame(2, 128, 128))
    write(tmp_path / "3.png", numbered_frame(3, 64, 128))
    with open_source(tmp_path) as source:
        assert number_of(source.read(1)) == 2
        wide = source.read(2)
        assert wide.shape == (64, 64, 3)
        assert not wide[:16].any()
        assert not wide[48:].any()
        assert number_of(wide[16:48]) == 3
        assert any("3 sizes; 2 of them" in note for note in source.index.notes)


def test_grey_and_sixteen_bits_become_eight_bit_rgb(tmp_path: Path) -> None:
    grey = np.arange(256, dtype=np.uint8).reshape(16, 16)
    write(tmp_path / "1.png", grey)
    write(tmp_path / "2.png", grey.astype(np.uint16) * 256 + 77)
    write(tmp_path / "3.tif", np.repeat((grey.astype(np.uint16) * 256 + 200)[..., None], 3, axis=2))
    with open_source(tmp_path) as source:
        for frame_index in range(3):
            frame = source.read(frame_index)
            assert frame.dtype == np.uint8
            np.testing.assert_array_equal(frame, np.repeat(grey[..., None], 3, axis=2))


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".tif"])
@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 0.95])
def test_a_broken_image_keeps_its_number(suffix: str, share: float, tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    for number in range(3):
        write(tmp_path / f"{number}{suffix}", noise if number == 1 else numbered_frame(number))
    broken = tmp_path / f"1{suffix}"
    data = broken.read_bytes()
    broken.write_bytes(data[: int(len(data) * share)])
    index = build_index(tmp_path)
    with open_source(tmp_path, index=index) as source:
        assert len(source) == 3
        with pytest.raises(FrameMissing, match="Frame 2"):
            source.read(1)
        assert [f is None for _, f in source.iterate()] == [False, True, False]
        assert number_of(source.read(2)) == 2
    checked = verify_index(tmp_path, index)
    assert checked.missing.tolist() == [1]
    assert any(broken.name in note for note in checked.notes)


def test_a_broken_first_image_does_not_matter(tmp_path: Path) -> None:
    (tmp_path / "0.jpg").write_bytes(b"\xff\xd8 nothing more")
    write(tmp_path / "1.jpg", numbered_frame(1))
    with open_source(tmp_path) as source:
        assert source.index.missing.tolist() == [0]
        assert number_of(source.read(1)) == 1
    assert number_of(first_picture(tmp_path)) == 1


def test_a_folder_of_broken_images_gets_a_sentence(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.png").write_bytes(b"no image")
    for action in (build_index, open_source, first_picture):
        with pytest.raises(UserError, match=r"None of the|No frame"):
            action(tmp_path)


def test_unicode_names_and_one_large_image(tmp_path: Path) -> None:
    folder = tmp_path / "Übung 日本語 🎥"
    folder.mkdir()
    write(folder / "größe.png", numbered_frame(5, 4096, 4096))
    with open_source(folder, cache_bytes=1) as source:
        assert source.read(0).shape == (4096, 4096, 3)
        assert number_of(source.read(0)) == 5


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".tif"])
def test_the_header_alone_gives_the_size(suffix: str, tmp_path: Path) -> None:
    assert image_size(write(tmp_path / f"a{suffix}", numbered_frame(3, 37, 91))) == (37, 91)


def test_the_caller_owns_what_it_reads(tmp_path: Path) -> None:
    write(tmp_path / "1.png", numbered_frame(1))
    with open_source(tmp_path) as source:
        source.read(0)[:] = 0
        assert number_of(source.read(0)) == 1
