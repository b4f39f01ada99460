"""Image files that say more than their pixels: orientation, pages, bits; kinds by content; what is whole."""

import io
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from tests.videos import number_of, numbered_frame
from training.errors import UserError
from training.video import NUMBERING, FrameIndex, build_index, first_picture, open_source, tiff_pages, verify_index
from training.video.image_header import image_header, image_size
from training.video.image_reader import read_image
from training.video.indexing import OLD_NUMBERING_NOTE
from training.video.tiff_pages import FileBytes

NATIVE = Image.Transpose
STORED = {
    1: None,
    2: NATIVE.FLIP_LEFT_RIGHT,
    3: NATIVE.ROTATE_180,
    4: NATIVE.FLIP_TOP_BOTTOM,
    5: NATIVE.TRANSPOSE,
    6: NATIVE.ROTATE_90,
    7: NATIVE.TRANSVERSE,
    8: NATIVE.ROTATE_270,
}
"""Orientation -> how an upright picture is turned so that a file of this orientation shows it upright."""


def colourful() -> NDArray[np.uint8]:
    """(60, 100, 3) RGB whose corners differ."""
    picture = np.full((60, 100, 3), 40, np.uint8)
    picture[:20, :30], picture[40:, 70:] = (200, 60, 30), (20, 160, 220)
    return picture


def save_turned(path: Path, upright: NDArray[np.uint8], orientation: int, kind: str) -> None:
    image, turn = Image.fromarray(upright), STORED[orientation]
    exif = Image.Exif()
    exif[274] = orientation
    more = {} if kind in ("PNG", "TIFF") else {"quality": 95}
    (image if turn is None else image.transpose(turn)).save(path, kind, exif=exif, **more)


def save_pages(path: Path, kind: str, count: int = 5) -> None:
    pages = [Image.fromarray(numbered_frame(number, 120, 160)) for number in range(count)]
    more = {"lossless": True} if kind == "WEBP" else {}
    pages[0].save(path, kind, save_all=True, append_images=pages[1:], **more)


def numbers_shown(folder: Path, index: FrameIndex | None = None) -> list[int]:
    with open_source(folder, index=index) as source:
        there = [source.read(frame) for frame in range(len(source)) if frame not in source.missing]
        along = [picture for _, picture in source.iterate() if picture is not None]
        np.testing.assert_array_equal(there, along)
    return [number_of(picture) for picture in there]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "TIFF", "AVIF"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_is_shown_upright(kind: str, orientation: int, tmp_path: Path) -> None:
    save_turned(tmp_path / "a.jpg", colourful(), orientation, kind)
    picture = first_picture(tmp_path)
    assert picture.shape == colourful().shape
    assert np.abs(picture.astype(int) - colourful()).mean() < 8
    assert image_size(tmp_path / "a.jpg") == (60, 100)
    index = build_index(tmp_path)
    assert any("shown upright: 1" in note for note in index.notes) == (orientation != 1)
    with open_source(tmp_path, index=index) as source:
        np.testing.assert_array_equal(source.read(0), picture)


@pytest.mark.parametrize("numbering", [1, 2])
@pytest.mark.parametrize("orientation", [3, 6])
def test_an_older_study_keeps_its_pictures_as_they_were(orientation: int, numbering: int, tmp_path: Path) -> None:
    save_turned(tmp_path / "a.jpg", colourful(), orientation, "JPEG")
    index = build_index(tmp_path, numbering=numbering)
    assert (index.numbering, index.notes[0]) == (numbering, OLD_NUMBERING_NOTE)
    stored = cv2.imread(str(tmp_path / "a.jpg"), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    assert stored is not None
    with open_source(tmp_path, index=index) as source:
        np.testing.assert_array_equal(source.read(0), stored[..., ::-1])
    np.testing.assert_array_equal(first_picture(tmp_path, 1), stored[..., ::-1])
    assert image_size(tmp_path / "a.jpg", 1) == stored.shape[:2]


def test_an_older_study_of_turned_tiff_files_was_upright_before(tmp_path: Path) -> None:
    save_turned(tmp_path / "a.tif", colourful(), 6, "TIFF")
    assert build_index(tmp_path, numbering=1).numbering == NUMBERING
    np.testing.assert_array_equal(first_picture(tmp_path, 1), colourful())
    assert image_size(tmp_path / "a.tif", 1) == (60, 100)


@pytest.mark.parametrize("kind", ["TIFF", "GIF", "WEBP", "PNG"])
def test_each_picture_of_a_file_is_a_frame(kind: str, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), numbered_frame(77, 120, 160))
    save_pages(tmp_path / "1.png", kind)
    cv2.imwrite(str(tmp_path / "2.png"), numbered_frame(99, 120, 160))
    index = build_index(tmp_path)
    assert index.files == ("0.png", *["1.png"] * 5, "2.png")
    assert index.pages is not None
    assert index.pages.tolist() == [0, 0, 1, 2, 3, 4, 0]
    assert any("each of which is a frame (1): 1.png" in note for note in index.notes)
    index.save(tmp_path / "index.npz")
    assert numbers_shown(tmp_path, FrameIndex.load(tmp_path / "index.npz")) == [77, 0, 1, 2, 3, 4, 99]
    with open_source(tmp_path, index=index) as source:
        assert [number_of(source.read(frame)) for frame in (5, 2, 6, 3, 0, 1)] == [4, 1, 99, 2, 77, 0]
    assert not len(verify_index(tmp_path, index).missing)


@pytest.mark.parametrize("is_big", [False, True])
def test_a_preview_in_front_is_no_frame(is_big: bool, tmp_path: Path) -> None:
    preview, page = (Image.fromarray(numbered_frame(number, 120, 160)) for number in (3, 9))
    preview.save(tmp_path / "a.tif", "TIFF", save_all=True, append_images=[page], big_tiff=is_big, tiffinfo={254: 1})
    data = bytearray((tmp_path / "a.tif").read_bytes())
    entry = data.rfind(struct.pack("<HH", 254, 4))  # of the second page
    data[entry + (12 if is_big else 8)] = 0
    (tmp_path / "a.tif").write_bytes(data)
    pages = tiff_pages.read_pages(FileBytes(io.BytesIO(data)))[0]
    assert len(pages) == 2
    assert pages[0].is_preview
    assert not pages[1].is_preview
    assert numbers_shown(tmp_path) == [9]


def test_a_still_before_an_animation_is_a_frame_and_a_promised_number_counts_for_nothing(tmp_path: Path) -> None:
    pages = [Image.fromarray(numbered_frame(number, 120, 160)) for number in range(4)]
    pages[0].save(tmp_path / "a.png", "PNG", save_all=True, append_images=pages[1:], default_image=True)
    assert numbers_shown(tmp_path) == [0, 1, 2, 3]
    data = bytearray((tmp_path / "a.png").read_bytes())
    place = data.index(b"acTL") + 4
    data[place : place + 4] = struct.pack(">I", 4_000_000_000)
    (tmp_path / "a.png").write_bytes(data)
    assert len(build_index(tmp_path)) == 4


def test_an_older_study_keeps_one_frame_a_file(tmp_path: Path) -> None:
    save_pages(tmp_path / "0.tif", "TIFF")
    cv2.imwrite(str(tmp_path / "1.png"), numbered_frame(99, 120, 160))
    index = build_index(tmp_path, numbering=1)
    assert (len(index), index.numbering) == (2, 1)
    assert OLD_NUMBERING_NOTE in index.notes
    assert numbers_shown(tmp_path, index) == [0, 99]


def test_pages_before_a_cut_are_shown(tmp_path: Path) -> None:
    save_pages(tmp_path / "0.tif", "TIFF")
    data = (tmp_path / "0.tif").read_bytes()
    (tmp_path / "0.tif").write_bytes(data[: len(data) * 7 // 10])
    index = build_index(tmp_path)
    assert 1 <= len(index) < 5
    assert numbers_shown(tmp_path, index) == list(range(len(index)))
    assert any("cut short" in note and "0.tif" in note for note in index.notes)


def sixteen_bits(path: Path, values: NDArray[np.integer]) -> None:
    good, data = cv2.imencode(path.suffix, values.astype(np.uint16))
    assert good
    path.write_bytes(data.tobytes())


@pytest.mark.parametrize("suffix", [".png", ".tif"])
def test_twelve_of_sixteen_bits_are_visible_on_one_scale(suffix: str, tmp_path: Path) -> None:
    ramp = np.arange(256).reshape(16, 16)
    sixteen_bits(tmp_path / f"0{suffix}", ramp * 2)  # dark, and must stay darker than the next
    sixteen_bits(tmp_path / f"1{suffix}", ramp * 16)
    np.testing.assert_array_equal(first_picture(tmp_path)[..., 0], ramp // 8)
    index = build_index(tmp_path)
    assert index.value_bits == 12
    assert any("of which 12 are used" in note for note in index.notes)
    index.save(tmp_path / "index.npz")
    with open_source(tmp_path, index=FrameIndex.load(tmp_path / "index.npz")) as source:
        np.testing.assert_array_equal(source.read(0)[..., 0], ramp // 8)
        np.testing.assert_array_equal(source.read(1)[..., 0], ramp)
    assert build_index(tmp_path, numbering=1).numbering == NUMBERING  # no frame moves


@pytest.mark.parametrize(("value", "shown"), [(64, 16), (1023, 255), (64 << 6, 16), (1023 << 6, 255)])
def test_the_bits_that_a_png_states_are_its_lower_or_upper_ones(value: int, shown: int, tmp_path: Path) -> None:
    values = np.full((8, 8), value)
    values[0, 0] = 1 if value < 1024 else 1023 << 6  # values beyond 10 bits: they are the upper ones
    sixteen_bits(tmp_path / "0.png", values)
    data = (tmp_path / "0.png").read_bytes()
    body = b"sBIT" + bytes([10])
    chunk = struct.pack(">I", 1) + body + struct.pack(">I", zlib.crc32(body))
    (tmp_path / "0.png").write_bytes(data[:33] + chunk + data[33:])
    assert image_header(tmp_path / "0.png").used_bits == 10
    assert first_picture(tmp_path)[4, 4, 0] == shown
    with open_source(tmp_path) as source:
        assert source.read(0)[4, 4, 0] == shown


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_grey_whose_lowest_value_is_white(kind: type[np.uint8 | np.uint16], tmp_path: Path) -> None:
    ramp = np.arange(256).reshape(16, 16).astype(kind)
    values = ramp if kind is np.uint8 else (255 - ramp) * 257  # Pillow itself inverts 8 bits
    Image.fromarray(values).save(tmp_path / "a.tif", "TIFF", tiffinfo={262: 0})
    np.testing.assert_array_equal(first_picture(tmp_path)[..., 0], ramp)


def test_the_bits_of_a_stack_are_those_of_all_its_pages(tmp_path: Path) -> None:
    pages = [Image.fromarray(np.full((8, 8), 300 * (page + 1), np.uint16)) for page in range(10)]
    pages[0].save(tmp_path / "a.tif", "TIFF", save_all=True, append_images=pages[1:])
    index = build_index(tmp_path)
    assert (len(index), index.value_bits) == (10, 12)
    with open_source(tmp_path, index=index) as source:
        assert [int(source.read(page)[0, 0, 0]) for page in (0, 9)] == [300 >> 4, 3000 >> 4]


def test_bytes_behind_and_long_segments_before_a_jpeg_are_no_damage(tmp_path: Path) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), numbered_frame(number, 120, 160))
    data = (tmp_path / "1.jpg").read_bytes()
    (tmp_path / "1.jpg").write_bytes(data + bytes(range(255)) * 300)
    segment = b"\xff\xe2" + struct.pack(">H", 65_000) + bytes(64_998)
    data = (tmp_path / "2.jpg").read_bytes()
    (tmp_path / "2.jpg").write_bytes(data[:2] + segment * 6 + data[2:])
    assert numbers_shown(tmp_path) == [0, 1, 2]
    older = build_index(tmp_path, numbering=1)
    assert (older.numbering, len(older.missing)) == (NUMBERING, 0)  # they fill places that were there before


def test_a_cut_jpeg_with_a_whole_preview_is_damaged(tmp_path: Path) -> None:
    good, preview = cv2.imencode(".jpg", numbered_frame(1, 48, 64))
    assert good
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    good, code = cv2.imencode(".jpg", noise)
    assert good
    body = b"Exif\0\0" + preview.tobytes()
    segment = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    data = code.tobytes()
    (tmp_path / "a.jpg").write_bytes(data[:2] + segment + data[2 : len(data) // 2])
    assert image_size(tmp_path / "a.jpg") is None
    assert read_image(tmp_path / "a.jpg") is None


@pytest.mark.parametrize("kind", ["WEBP", "PNG", "GIF", "BMP", "TIFF", "JPEG2000", "PPM", "AVIF"])
def test_the_content_and_not_the_suffix_decides(kind: str, tmp_path: Path) -> None:
    Image.fromarray(colourful()).save(tmp_path / "a.jpg", kind)
    assert np.abs(first_picture(tmp_path).astype(int) - colourful()).mean() < 8
    assert build_index(tmp_path).missing.tolist() == []


@pytest.mark.parametrize("kind", ["WEBP", "GIF", "JPEG2000", "AVIF", "JPEG", "PNG"])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_cut_file_of_each_kind_is_damaged(kind: str, share: float, tmp_path: Path) -> None:
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "a.png", kind)
    data = (tmp_path / "a.png").read_bytes()
    (tmp_path / "a.png").write_bytes(data[: int(len(data) * share)])
    assert image_size(tmp_path / "a.png") is None
    assert read_image(tmp_path / "a.png") is None


def test_a_big_tiff_is_read(tmp_path: Path) -> None:
    Image.fromarray(colourful()).save(tmp_path / "a.tif", "TIFF", big_tiff=True)
    assert (tmp_path / "a.tif").read_bytes()[2] == 43
    np.testing.assert_array_equal(first_picture(tmp_path), colourful())


def _converted(mode: str) -> Callable[[Path], None]:
    return lambda path: Image.fromarray(colourful()).convert(mode).save(path, "PNG")


@pytest.mark.parametrize(
    ("save", "most_apart"),
    [
        (lambda path: Image.fromarray(colourful()).convert("CMYK").save(path, "JPEG", quality=95), 3),
        (lambda path: Image.fromarray(colourful()).save(path, "JPEG", quality=95, progressive=True), 3),
        (_converted("RGBA"), 0),
        (lambda path: Image.fromarray(colourful()).convert("P", palette=Image.Palette.ADAPTIVE).save(path, "PNG"), 0),
        (lambda path: Image.fromarray(colourful()).convert("CMYK").save(path, "TIFF"), 1),
    ],
    ids=["CMYK", "progressive", "alpha", "palette", "CMYK TIFF"],
)
def test_colours_are_those_of_the_file(save: Callable[[Path], None], most_apart: float, tmp_path: Path) -> None:
    save(tmp_path / "a.png")
    picture = first_picture(tmp_path)
    assert np.abs(picture.astype(int) - colourful()).mean() <= most_apart


def _floating_tiff(path: Path) -> None:
    Image.fromarray(colourful()[..., 0].astype(np.float32)).save(path, "TIFF")


@pytest.mark.parametrize(
    ("write", "named"),
    [
        (lambda path: path.write_bytes(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(99)), "HEIC"),
        (lambda path: path.write_bytes(b"\xff\x0a" + bytes(99)), "JPEG XL"),
        (lambda path: path.write_bytes(b"\0\0\0\x0cJXL \r\n\x87\n" + bytes(99)), "JPEG XL"),
        (_floating_tiff, "floating-point TIFF"),
    ],
    ids=["HEIC", "JPEG XL", "JPEG XL in boxes", "floating point"],
)
def test_a_kind_that_cannot_be_read_is_named(
    write: Callable[[Path], object], named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "0.tif")
    for action in (build_index, first_picture, open_source):
        with pytest.raises(UserError, match=f"cannot be read: {named}"):
            action(tmp_path)
    cv2.imwrite(str(tmp_path / "1.png"), numbered_frame(1, 120, 160))
    index = build_index(tmp_path)
    assert index.missing.tolist() == [0]
    assert any(named in note and "0.tif" in note for note in index.notes)
    assert numbers_shown(tmp_path, index) == [1]
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("orientation", [5, 6, 8])
def test_labelled_images_are_read_by_the_same_rules(orientation: int, tmp_path: Path) -> None:
    for kind in ("JPEG", "TIFF"):
        save_turned(tmp_path / "a.jpg", colourful(), orientation, kind)
        picture = read_image(tmp_path / "a.jpg")
        assert picture is not None
        assert np.abs(picture.astype(int) - colourful()).mean() < 8
