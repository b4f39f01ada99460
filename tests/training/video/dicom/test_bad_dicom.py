"""What cannot be opened says why in a sentence; what is odd is noted."""

import struct
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydicom.uid import UID, DeflatedExplicitVRLittleEndian

from tests.dicom_files import JPEG_BASELINE, dataset, encoded_file, numbered_frames, raw_file, save, video_file
from training.errors import UserError
from training.video import build_index, first_picture, is_study, open_source
from training.video.dicom import elements
from training.video.dicom.elements import DicomError, is_dicom, read_elements
from training.video.dicom.header import BURNED_IN_NOTE


def without_pixels(path: Path) -> Path:
    return save(path, dataset(10))


def a_still(path: Path) -> Path:
    return raw_file(path, numbered_frames(1))


def a_still_without_a_number_of_frames(path: Path) -> Path:
    return raw_file(path, numbered_frames(1), NumberOfFrames=None)


def jpeg_xl(path: Path) -> Path:
    data = encoded_file(path, [b"\xff\x0a"] * 3, UID("1.2.840.10008.1.2.4.202")).read_bytes()
    path.write_bytes(data.replace(b".1.2.4.202", b".1.2.4.110"))  # which pydicom does not know
    return path


def an_unknown_syntax(path: Path) -> Path:
    return encoded_file(path, [b"rle"] * 3, UID("1.2.3.4"))


def deflated(path: Path) -> Path:
    made = dataset(3)
    made.PixelData = numbered_frames(3).tobytes()
    made["PixelData"].VR = "OB"
    return save(path, made, DeflatedExplicitVRLittleEndian)


def damaged_deflated(path: Path) -> Path:
    data = deflated(path).read_bytes()
    # The first byte after the header, whose length is at 140: no block of this kind exists. Deflated data have no
    # checksum, so that damage elsewhere is sometimes unpacked.
    place = 144 + int.from_bytes(data[140:144], "little")
    path.write_bytes(data[:place] + b"\xff" * 40 + data[place + 40 :])
    return path


def text_with_its_name(path: Path) -> Path:
    path.write_text("Dear colleague,\nplease find the video attached.\n" * 20)
    return path


def nothing(path: Path) -> Path:
    path.write_bytes(b"")
    return path


def cut_in_the_header(path: Path) -> Path:
    path.write_bytes(raw_file(path, numbered_frames(3)).read_bytes()[:700])
    return path


def cut_before_the_first_frame(path: Path) -> Path:
    data = raw_file(path, numbered_frames(3)).read_bytes()
    path.write_bytes(data[: -3 * 64 * 64 * 3 + 100])
    return path


def a_video_cut_before_its_table(path: Path) -> Path:
    data = video_file(path, frames=30).read_bytes()
    path.write_bytes(data[: int(len(data) * 0.7)])
    return path


def pictures_called_a_video(path: Path) -> Path:
    return encoded_file(path, [b"\xff\xd8 no video \xff\xd9"], UID("1.2.840.10008.1.2.4.102"), NumberOfFrames=9)


def a_playlist_called_a_video(path: Path) -> Path:
    playlist = b"#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n"
    return encoded_file(path, [playlist], UID("1.2.840.10008.1.2.4.102"), NumberOfFrames=9)


def a_palette(path: Path, **more: Any) -> Path:
    facts: dict[str, Any] = {
        "PhotometricInterpretation": "PALETTE COLOR",
        "SamplesPerPixel": 1,
        "PlanarConfiguration": None,
    }
    return raw_file(path, numbered_frames(3)[..., 0], **facts | more)


def a_palette_in_segments(path: Path) -> Path:
    return a_palette(path, SegmentedRedPaletteColorLookupTableData=b"\0\0\1\0")


def a_short_palette(path: Path) -> Path:
    columns = {f"{name}PaletteColorLookupTableDescriptor": [256, 0, 16] for name in ("Red", "Green", "Blue")}
    return a_palette(path, **columns, RedPaletteColorLookupTableData=b"\0\1")


def a_palette_in_jpeg(path: Path) -> Path:
    facts: dict[str, Any] = {"SamplesPerPixel": 1, "PlanarConfiguration": None}
    return encoded_file(path, [b"\xff\xd8"] * 3, JPEG_BASELINE, PhotometricInterpretation="PALETTE COLOR", **facts)


def other_colours(path: Path) -> Path:
    return raw_file(path, numbered_frames(3), PhotometricInterpretation="HSV")


def no_size(path: Path) -> Path:
    return raw_file(path, numbered_frames(3), Rows=0)


def too_many_frames(path: Path) -> Path:
    return raw_file(path, numbered_frames(3), NumberOfFrames=10**9)


def too_large_frames(path: Path) -> Path:
    return raw_file(path, numbered_frames(3), Rows=65535, Columns=65535)


CASES: list[tuple[Callable[[Path], Path], str]] = [
    (lambda path: path, "no file"),
    (nothing, "empty"),
    (without_pixels, "without pixel data"),
    (a_still, "single picture"),
    (a_still_without_a_number_of_frames, "single picture"),
    (jpeg_xl, r"JPEG XL \(1\.2\.840\.10008\.1\.2\.4\.110\)"),
    (an_unknown_syntax, r"unknown \(1\.2\.3\.4\)"),
    (damaged_deflated, "cannot be unpacked|damaged"),
    (text_with_its_name, "is not a DICOM file"),
    (cut_in_the_header, "cut short"),
    (cut_before_the_first_frame, "ends before its first frame|No frame of study.dcm can be decoded"),
    (a_video_cut_before_its_table, "cut short"),
    (pictures_called_a_video, "not a video"),
    (a_playlist_called_a_video, "not a video|text file"),
    (a_palette, "its palette is missing"),
    (a_palette_in_segments, "palette is stored in segments"),
    (a_short_palette, "its palette is damaged"),
    (a_palette_in_jpeg, "palette, which lossy JPEG would change"),
    (other_colours, "stored as “HSV”"),
    (no_size, "size of its frames"),
    (too_many_frames, "number of frames"),
    (too_large_frames, "65535 x 65535"),
]


@pytest.mark.parametrize(("make", "sentence"), CASES, ids=[str(number) for number in range(len(CASES))])
def test_a_sentence_says_why(tmp_path: Path, make: Callable[[Path], Path], sentence: str) -> None:
    path = make(tmp_path / "study.dcm")
    for attempt in (build_index, first_picture, open_source):
        with pytest.raises(UserError, match=sentence) as caught:
            attempt(path)
        assert "MEIER" not in str(caught.value)


def test_burned_in_text_is_noted(tmp_path: Path) -> None:
    frames = numbered_frames(3)
    assert BURNED_IN_NOTE in build_index(raw_file(tmp_path / "a.dcm", frames, BurnedInAnnotation="YES")).notes
    assert BURNED_IN_NOTE not in build_index(raw_file(tmp_path / "b.dcm", frames, BurnedInAnnotation="NO")).notes
    assert BURNED_IN_NOTE in build_index(video_file(tmp_path / "c.dcm", header={"BurnedInAnnotation": "YES"})).notes


def test_studies_are_known_by_suffix_or_by_content(tmp_path: Path) -> None:
    path = raw_file(tmp_path / "study.dcm", numbered_frames(2))
    for name in ("IM000001", "1.2.276.0.7230010"):
        other = tmp_path / name
        other.write_bytes(path.read_bytes())
        assert is_study(other)
        assert len(build_index(other)) == 2
    contents = tmp_path / "DICOMDIR"
    contents.write_bytes(path.read_bytes())
    assert is_study(path)
    assert not is_study(contents)
    (tmp_path / "README").write_text("no study")
    assert not is_study(tmp_path / "README")
    assert not is_dicom(tmp_path / "gone")


def header_of(*parts: bytes) -> bytes:
    syntax = b"1.2.840.10008.1.2.1\0"
    return bytes(128) + b"DICM" + struct.pack("<HH2sH", 2, 16, b"UI", len(syntax)) + syntax + b"".join(parts)


SEQUENCE = struct.pack("<HH2sHI", 0x0008, 0x1140, b"SQ", 0, 0xFFFFFFFF)
ITEM = struct.pack("<HHI", 0xFFFE, 0xE000, 0xFFFFFFFF)


def test_nesting_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "deep.dcm"
    path.write_bytes(header_of((SEQUENCE + ITEM) * 5000))
    with pytest.raises(DicomError, match="nested deeper"):
        read_elements(path, ())


def test_values_and_elements_have_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.dcm"
    path.write_bytes(header_of(struct.pack("<HH2sHI", 0x0010, 0x0020, b"UT", 0, 2**31)))
    with pytest.raises(DicomError, match=r"takes 2,147,483,648 bytes"):
        read_elements(path, (0x00100020,))
    with pytest.raises(DicomError, match="cut short"):
        read_elements(path, ())
    monkeypatch.setattr(elements, "MAX_ELEMENTS", 100)
    path.write_bytes(header_of(struct.pack("<HH2sH", 0x0010, 0x0020, b"LO", 0) * 200))
    with pytest.raises(DicomError, match="more than 100 elements"):
        read_elements(path, ())


def test_every_cut_and_many_flips_are_refused_in_a_sentence_or_read(tmp_path: Path) -> None:
    whole = raw_file(tmp_path / "whole.dcm", numbered_frames(3, 8, 8)).read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / "study.dcm"
    for number in range(300):
        data = bytearray(whole[: rng.integers(0, len(whole))] if number % 3 == 0 else whole)
        if number % 3 and len(data):
            for place in rng.integers(128, len(data), 4).tolist():
                data[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(data)
        with suppress(UserError), open_source(path) as source:
            for _, picture in source.iterate(0, min(len(source), 5)):
                assert picture is None or picture.ndim == 3


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "MAX_INFLATED_BYTES", 20_000)
    with pytest.raises(UserError, match="takes more than 20,000 bytes"):
        build_index(deflated(tmp_path / "a.dcm"))


def bomb(path: Path, announced: int, unpacked: int) -> Path:
    """Two small frames, or so the header says, and zeros behind it that take a thousandth of their size."""
    made = dataset(2, 8, 8)
    made.PixelData = bytes(2 * 8 * 8 * 3)
    made["PixelData"].VR = "OB"
    data = save(path, made, DeflatedExplicitVRLittleEndian).read_bytes()
    place = 144 + int.from_bytes(data[140:144], "little")
    content = bytearray(zlib.decompress(data[place:], -zlib.MAX_WBITS)[: -2 * 8 * 8 * 3])
    content[-4:] = struct.pack("<I", announced)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    with path.open("wb") as file:
        file.write(data[:place] + packer.compress(bytes(content)))
        for _ in range(unpacked // 2**20):
            file.write(packer.compress(bytes(2**20)))
        file.write(packer.flush())
    return path


@contextmanager
def peak_below(mebibytes: int) -> Iterator[None]:
    """Fail where more memory than this is taken at once."""
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1] / 2**20
    finally:
        tracemalloc.stop()
    assert peak < mebibytes, f"{peak:.0f} MiB"


def test_the_header_is_read_without_unpacking_what_stands_behind_it(tmp_path: Path) -> None:
    path = bomb(tmp_path / "a.dcm", 2**26, 2**26)
    with peak_below(8):
        found = read_elements(path, (0x00280010,))
    assert found.short(0x00280010) == 8
    assert found.pixel_data is not None
    assert found.pixel_data.length_bytes == 2**26


def test_a_small_file_that_unpacks_to_gigabytes_takes_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elements, "MAX_INFLATED_BYTES", 2**24)
    path = bomb(tmp_path / "a.dcm", 2**27, 2**27)
    assert path.stat().st_size < 2**19
    with peak_below(80), pytest.raises(UserError, match="unpacked it takes more than 16,777,216 bytes"):
        build_index(path)


def test_long_values_in_a_deflated_header_have_the_same_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(elements, "MAX_INFLATED_BYTES", 2**24)
    data = save(tmp_path / "a.dcm", dataset(2, 8, 8), DeflatedExplicitVRLittleEndian).read_bytes()
    place = 144 + int.from_bytes(data[140:144], "little")
    value = struct.pack("<HH2sHI", 0x0009, 0x0010, b"OB", 0, 2**26) + bytes(2**26)
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    (tmp_path / "a.dcm").write_bytes(data[:place] + packer.compress(value) + packer.flush())
    del value
    with peak_below(40), pytest.raises(UserError, match=r"unpacked it takes more than|cut short"):
        build_index(tmp_path / "a.dcm")
