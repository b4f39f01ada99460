"""Multi-frame DICOM files show what pydicom makes of them."""

import base64
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray
from pydicom.encaps import generate_frames
from pydicom.pixels.processing import apply_color_lut, convert_color_space
from pydicom.uid import (
    HTJ2K,
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    HTJ2KLossless,
    HTJ2KLosslessRPCL,
    ImplicitVRLittleEndian,
    RLELossless,
)

from tests.dicom_files import (
    JPEG_2000,
    JPEG_BASELINE,
    JPEG_LOSSLESS,
    JPEG_LS,
    encoded_file,
    numbered_frames,
    raw_file,
)
from tests.videos import number_of
from training.errors import UserError
from training.video import (
    FrameIndex,
    FrameMissing,
    build_index,
    first_picture,
    open_source,
    prepare_frame,
    study_field_of_view,
    verify_index,
)

Picture = NDArray[np.uint8]


def noise(count: int = 3, height: int = 40, width: int = 48) -> Picture:
    return np.random.default_rng(0).integers(0, 256, (count, height, width, 3), dtype=np.uint8)


def read_all(path: Path) -> Picture:
    with open_source(path) as source:
        return np.stack([source.read(number) for number in range(len(source))])


def ybr(frames: Picture) -> Picture:
    return np.asarray(convert_color_space(frames, "RGB", "YBR_FULL"), np.uint8)


@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, ImplicitVRLittleEndian])
def test_uncompressed_rgb_is_shown_as_it_is(tmp_path: Path, syntax: Any) -> None:
    frames = noise()
    np.testing.assert_array_equal(read_all(raw_file(tmp_path / "a.dcm", frames, syntax)), frames)


def test_planes_of_colour_are_joined(tmp_path: Path) -> None:
    frames = noise()
    path = raw_file(tmp_path / "a.dcm", frames, PlanarConfiguration=1)
    data = pydicom.dcmread(path)
    data.PixelData = frames.transpose(0, 3, 1, 2).tobytes()
    data.save_as(path)
    np.testing.assert_array_equal(read_all(path), frames)


def test_ybr_becomes_rgb(tmp_path: Path) -> None:
    frames = noise()
    found = read_all(raw_file(tmp_path / "a.dcm", ybr(frames), PhotometricInterpretation="YBR_FULL"))
    expected = convert_color_space(ybr(frames), "YBR_FULL", "RGB")
    assert np.abs(found.astype(int) - expected).max() <= 1


def test_ybr_with_halved_colours_becomes_rgb(tmp_path: Path) -> None:
    full = ybr(noise())
    full[:, :, 1::2, 1:] = full[:, :, ::2, 1:]
    packed = np.concatenate([full[:, :, ::2, :1], full[:, :, 1::2, :1], full[:, :, ::2, 1:]], axis=3)
    path = raw_file(tmp_path / "a.dcm", full, PhotometricInterpretation="YBR_FULL_422")
    data = pydicom.dcmread(path)
    data.PixelData = packed.tobytes()
    data.save_as(path)
    assert np.abs(read_all(path).astype(int) - convert_color_space(full, "YBR_FULL", "RGB")).max() <= 1


@pytest.mark.parametrize("photometric", ["MONOCHROME1", "MONOCHROME2"])
@pytest.mark.parametrize("bits", [8, 12, 16])
@pytest.mark.parametrize("is_signed", [False, True])
def test_grey_of_any_depth_becomes_eight_bits(tmp_path: Path, photometric: str, bits: int, *, is_signed: bool) -> None:
    lowest = -(1 << bits - 1) if is_signed else 0
    values = np.linspace(0, (1 << bits) - 1, 3 * 8 * 16).round().astype(np.int64).reshape(3, 8, 16)
    kind = np.dtype(f"{'i' if is_signed else 'u'}{1 if bits == 8 else 2}")
    path = raw_file(
        tmp_path / "a.dcm",
        (values + lowest).astype(kind),
        PhotometricInterpretation=photometric,
        SamplesPerPixel=1,
        PlanarConfiguration=None,
        BitsAllocated=8 if bits == 8 else 16,
        BitsStored=bits,
        HighBit=bits - 1,
        PixelRepresentation=int(is_signed),
    )
    expected = values >> bits - 8
    if photometric == "MONOCHROME1":
        expected = 255 - expected
    np.testing.assert_array_equal(read_all(path), np.repeat(expected[..., None], 3, axis=3))


def test_big_endian_numbers(tmp_path: Path) -> None:
    values = np.arange(2 * 4 * 6, dtype=np.uint16).reshape(2, 4, 6) * 1000
    facts = {"PhotometricInterpretation": "MONOCHROME2", "SamplesPerPixel": 1, "PlanarConfiguration": None}
    bits: dict[str, Any] = {"BitsAllocated": 16, "BitsStored": 16, "HighBit": 15}
    path = raw_file(tmp_path / "a.dcm", values.astype(">u2"), ExplicitVRBigEndian, **facts, **bits)
    np.testing.assert_array_equal(read_all(path)[..., 0], values >> 8)


def jpeg(frames: Picture) -> list[bytes]:
    return [cv2.imencode(".jpg", frame[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes() for frame in frames]


@pytest.mark.parametrize("table", ["basic", "extended", "none"])
@pytest.mark.parametrize("pieces", [1, 3])
def test_jpeg_frames_are_found_by_table_or_by_content(tmp_path: Path, table: str, pieces: int) -> None:
    if table == "extended" and pieces > 1:
        pytest.skip("the extended table is for one fragment a frame")
    path = encoded_file(tmp_path / "a.dcm", jpeg(numbered_frames(7)), JPEG_BASELINE, table=table, pieces=pieces)
    assert [number_of(frame) for frame in read_all(path)] == list(range(7))


def test_jpeg_colours_are_those_of_other_readers(tmp_path: Path) -> None:
    frames = noise(2, 64, 64)
    path = encoded_file(tmp_path / "a.dcm", jpeg(frames), JPEG_BASELINE)
    expected = np.array([cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) for data in jpeg(frames)])
    np.testing.assert_array_equal(read_all(path)[..., ::-1], expected)


def without_jfif(data: bytes) -> bytes:
    """A JPEG stream without the marker that says how colours are stored."""
    assert data[2:4] == b"\xff\xe0"
    return data[:2] + data[4 + int.from_bytes(data[4:6], "big") :]


def test_rgb_inside_jpeg_is_not_converted(tmp_path: Path) -> None:
    frames = numbered_frames(2, 32, 32)
    frames[..., 1] //= 2
    # A stream whose three values are RGB: its encoder is told that they are Y, B, R.
    turned = np.asarray(cv2.cvtColor(frames[0][..., [0, 2, 1]], cv2.COLOR_YCrCb2RGB), np.uint8)
    quality = [cv2.IMWRITE_JPEG_QUALITY, 100, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444]
    data = cv2.imencode(".jpg", turned[..., ::-1], quality)[1].tobytes()
    path = encoded_file(tmp_path / "a.dcm", [without_jfif(data)] * 2, JPEG_BASELINE, PhotometricInterpretation="RGB")
    expected = np.asarray(cv2.cvtColor(turned, cv2.COLOR_RGB2YCrCb), np.uint8)[..., [0, 2, 1]]
    assert np.abs(read_all(path)[0].astype(int) - expected).max() <= 4


def lossless_jpeg(frame: Picture) -> bytes:
    """By ffmpeg, whose three planes are stored as they are."""
    from fractions import Fraction

    context = av.CodecContext.create("ljpeg", "w")
    context.width, context.height, context.pix_fmt = frame.shape[1], frame.shape[0], "yuvj444p"
    context.time_base = Fraction(1, 25)
    context.options = {"strict": "-1"}
    picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame.transpose(2, 0, 1)), format="yuvj444p")
    picture.pts = 0
    return b"".join(bytes(packet) for packet in [*context.encode(picture), *context.encode(None)])


@pytest.mark.parametrize("photometric", ["RGB", "YBR_FULL"])
def test_lossless_jpeg_keeps_every_value(tmp_path: Path, photometric: str) -> None:
    frames = noise()
    data = [lossless_jpeg(frame) for frame in frames]
    path = encoded_file(tmp_path / "a.dcm", data, JPEG_LOSSLESS, PhotometricInterpretation=photometric)
    expected = frames if photometric == "RGB" else convert_color_space(frames, "YBR_FULL", "RGB")
    assert np.abs(read_all(path).astype(int) - expected).max() <= (photometric != "RGB")


def jpeg_ls(frame: Picture) -> bytes:
    import jpeg_ls as encoder

    return bytes(encoder.encode_array(np.ascontiguousarray(frame), interleave_mode=2))


def jpeg_2000(frame: Picture) -> bytes:
    data = cv2.imencode(".jp2", frame[..., ::-1], [cv2.IMWRITE_JPEG2000_COMPRESSION_X1000, 1000])[1].tobytes()
    return data[data.index(b"\xff\x4f\xff\x51") :]


@pytest.mark.parametrize(
    ("encode", "syntax", "photometric"), [(jpeg_ls, JPEG_LS, "RGB"), (jpeg_2000, JPEG_2000, "YBR_RCT")]
)
def test_other_lossless_encodings_keep_every_value(
    tmp_path: Path, encode: Callable[[Picture], bytes], syntax: Any, photometric: str
) -> None:
    frames = noise()
    path = encoded_file(
        tmp_path / "a.dcm", [encode(frame) for frame in frames], syntax, PhotometricInterpretation=photometric
    )
    np.testing.assert_array_equal(read_all(path), frames)


def run_lengths(frames: NDArray[Any]) -> list[bytes]:
    """By pydicom's encoder."""
    made = pydicom.Dataset()
    made.NumberOfFrames, made.Rows, made.Columns = frames.shape[:3]
    made.SamplesPerPixel = frames.shape[3] if frames.ndim == 4 else 1
    made.PhotometricInterpretation = "RGB" if frames.ndim == 4 else "MONOCHROME2"
    made.BitsAllocated = made.BitsStored = 8 * frames.itemsize
    made.PixelRepresentation = 0
    if frames.ndim == 4:
        made.PlanarConfiguration = 0
    made.file_meta = pydicom.dataset.FileMetaDataset()
    made.compress(RLELossless, frames, encoding_plugin="pydicom", generate_instance_uid=False)
    return list(generate_frames(made.PixelData, number_of_frames=len(frames)))


def test_run_lengths_keep_every_value(tmp_path: Path) -> None:
    frames = noise()
    frames[:, :, 10:30] = 7
    path = encoded_file(
        tmp_path / "a.dcm", run_lengths(frames), RLELossless, PhotometricInterpretation="RGB", Rows=40, Columns=48
    )
    np.testing.assert_array_equal(read_all(path), frames)
    np.testing.assert_array_equal(pydicom.dcmread(path).pixel_array, frames)
    deep = np.random.default_rng(1).integers(0, 1 << 16, (2, 12, 15)).astype("<u2")
    grey: dict[str, Any] = {
        "PhotometricInterpretation": "MONOCHROME2",
        "SamplesPerPixel": 1,
        "PlanarConfiguration": None,
    }
    bits: dict[str, Any] = {"BitsAllocated": 16, "BitsStored": 16, "HighBit": 15}
    path = encoded_file(tmp_path / "b.dcm", run_lengths(deep), RLELossless, Rows=12, Columns=15, **grey, **bits)
    np.testing.assert_array_equal(read_all(path)[..., 0], deep >> 8)


def test_a_damaged_frame_of_run_lengths_is_missing(tmp_path: Path) -> None:
    pictures = run_lengths(noise())
    whole = pictures[1]
    for number, bad in enumerate((whole[:900], b"\x03\0\0\0" + bytes(60) + whole[64:], b"\x09" + whole[1:], bytes(70))):
        pictures[1] = bad + b"\0" * (len(bad) % 2)
        path = encoded_file(
            tmp_path / f"{number}.dcm", pictures, RLELossless, PhotometricInterpretation="RGB", Rows=40, Columns=48
        )
        with open_source(path) as source:
            with pytest.raises(FrameMissing):
                source.read(1)
            assert source.read(2).any()


def test_run_lengths_may_cross_rows_and_pack_the_byte_that_fills_an_odd_picture(tmp_path: Path) -> None:
    header = struct.pack("<16I", 1, 64, *[0] * 14)
    frames = np.arange(25, dtype=np.uint8).reshape(5, 5) * 10
    packed = bytes([24]) + frames.tobytes()
    filled = bytes([25]) + frames.tobytes() + b"\0"
    bomb = b"\x81\xff" * 100_000
    pictures = [header + data + b"\0" * (len(data) % 2) for data in (packed, filled, bomb)]
    path = encoded_file(tmp_path / "a.dcm", pictures, RLELossless, Rows=5, Columns=5, **GREY)
    with open_source(path) as source:
        for number in (0, 1):
            np.testing.assert_array_equal(source.read(number)[..., 0], frames)
        assert (source.read(2) == 255).all()


def test_deflated_files_are_unpacked_in_memory(tmp_path: Path) -> None:
    frames = noise()
    path = raw_file(tmp_path / "a.dcm", frames, DeflatedExplicitVRLittleEndian)
    before = sorted(tmp_path.iterdir())
    np.testing.assert_array_equal(read_all(path), frames)
    assert sorted(tmp_path.iterdir()) == before
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * 0.7)])
    index = build_index(path)
    assert index.missing.tolist() == [2]
    with open_source(path, index=index) as source:
        np.testing.assert_array_equal(source.read(1), frames[1])


@pytest.mark.parametrize("bits", [8, 16])
@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, RLELossless])
def test_palettes_are_looked_up(tmp_path: Path, bits: int, syntax: Any) -> None:
    rng = np.random.default_rng(2)
    numbers = rng.integers(0, 256, (3, 20, 24), dtype=np.uint8)
    columns = rng.integers(0, 1 << bits, (3, 200)).astype("<u2" if bits == 16 else "u1")
    facts: dict[str, Any] = {
        "PhotometricInterpretation": "PALETTE COLOR",
        "SamplesPerPixel": 1,
        "PlanarConfiguration": None,
    }
    for name, column in zip(("Red", "Green", "Blue"), columns, strict=True):
        facts[f"{name}PaletteColorLookupTableDescriptor"] = [200, 10, bits]
        facts[f"{name}PaletteColorLookupTableData"] = column.tobytes()
    if syntax == RLELossless:
        path = encoded_file(tmp_path / "a.dcm", run_lengths(numbers), syntax, Rows=20, Columns=24, **facts)
    else:
        path = raw_file(tmp_path / "a.dcm", numbers, **facts)
    looked_up = apply_color_lut(numbers, pydicom.dcmread(path))
    np.testing.assert_array_equal(read_all(path), looked_up >> bits - 8)


HIGH_THROUGHPUT = base64.b64decode(
    "/0//UQAvQAAAAAAQAAAAEAAAAAAAAAAAAAAAEAAAABAAAAAAAAAAAAADBwEBBwEBBwEB/1AACAACAAAAA/9SAAwAAgABAQUEBEAB/1wAEyBQWFhYWFhYWFhY"
    "WFhYUFBQ/2QAFwABT3BlbkpQSCBWZXIgMC4yNi4zLv+QAAoAAAAAATwAAf+TwBKApQEHdADAEoDZAId0AAAAAADACWAEoPoAB3QA8ACHdADACWAEoPAAx3QA"
    "xwEHdADACWAEoNoBB3QA2wEHdADACWAE0AJAqgDCdAC2/QADVAD+AEMAwAlgBMDAAEJ0AOPxACNUAMAJoATALPsAgnQA7fYAI1QAwAqoAVcAJwDYwPwBJci1"
    "tgAAwMDAwHIDHK22AAAAAGittQDACWAFSPC08nQAcYzxwAAB7LYAwAqIAVKUUvqqcAJ1AHWt9cAAAey2AMAVcAV0AWkAkADwflPT09LVKABglSTpfgSe/ZJ7"
    "zzIKAAAAAAA666m666m666m/fvw+AMATwBWgAOfAKUvmALWqqqr+/fJ798nsuADAFZAFaGZmZmbnwKenp8J4APfu7u7+/fJ798nsuAD/2Q=="
)
"""Red, green and blue at x and y of 16 x 16 pixels are 12 x, 12 y and x + y; encoded by OpenJPH 0.26."""


@pytest.mark.parametrize("syntax", [HTJ2KLossless, HTJ2KLosslessRPCL, HTJ2K])
def test_high_throughput_jpeg_2000_is_read(tmp_path: Path, syntax: Any) -> None:
    y, x = np.mgrid[:16, :16]
    path = encoded_file(tmp_path / "a.dcm", [HIGH_THROUGHPUT] * 2, syntax, PhotometricInterpretation="YBR_RCT")
    np.testing.assert_array_equal(read_all(path)[1], np.stack([12 * x, 12 * y, x + y], axis=2))


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ({"FrameTime": "250"}, [0, 0.25, 0.5]),
        ({"FrameTime": None, "FrameTimeVector": [0, 100, 400]}, [0, 0.1, 0.5]),
        ({"FrameTime": None, "CineRate": "4"}, [0, 0.25, 0.5]),
        ({"FrameTime": None, "RecommendedDisplayFrameRate": "5"}, [0, 0.2, 0.4]),
        ({"FrameTime": None}, [0, 0.5, 1.0]),
        ({"FrameTime": "0"}, [0, 0.5, 1.0]),
    ],
)
def test_times(tmp_path: Path, header: dict[str, Any], expected: list[float]) -> None:
    index = build_index(raw_file(tmp_path / "a.dcm", noise(), **header))
    np.testing.assert_allclose(index.video_seconds, expected)
    assert any("does not say when" in note for note in index.notes) == (
        len(header) == 1 and header["FrameTime"] in (None, "0")
    )


def test_index_is_saved_loaded_and_checked(tmp_path: Path) -> None:
    path = raw_file(tmp_path / "a.dcm", numbered_frames(12))
    build_index(path).save(tmp_path / "index.npz")
    index = verify_index(path, FrameIndex.load(tmp_path / "index.npz"))
    assert index.kind == "multiframe"
    assert not len(index.missing)
    with open_source(path, index=index) as source:
        assert number_of(source.read(11)) == 11
        assert [number for number, _ in source.iterate(2, 12, 3)] == [2, 5, 8, 11]
    assert number_of(first_picture(path)) == 0


@pytest.mark.parametrize("is_encoded", [False, True])
def test_a_cut_file_keeps_the_numbers_of_its_frames(tmp_path: Path, *, is_encoded: bool) -> None:
    frames = numbered_frames(10)
    if is_encoded:
        path = encoded_file(tmp_path / "a.dcm", jpeg(frames), JPEG_BASELINE, table="none")
    else:
        path = raw_file(tmp_path / "a.dcm", frames)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * 0.65)])
    index = build_index(path)
    assert len(index) == 10
    assert any("cut short" in note for note in index.notes)
    with open_source(path, index=index) as source:
        last = int(index.missing[0]) - 1
        assert 4 <= last < 9
        assert number_of(source.read(last)) == last
        with pytest.raises(FrameMissing):
            source.read(9)


def test_a_damaged_frame_is_missing_and_the_check_finds_it(tmp_path: Path) -> None:
    pictures = jpeg(numbered_frames(5))
    pictures[2] = b"\xff\xd8" + bytes(len(pictures[2]) - 4) + b"\xff\xd9"
    path = encoded_file(tmp_path / "a.dcm", pictures, JPEG_BASELINE)
    assert verify_index(path, build_index(path)).missing.tolist() == [2]
    with open_source(path) as source, pytest.raises(FrameMissing):
        source.read(2)


def test_a_picture_of_another_size_than_announced_is_missing(tmp_path: Path) -> None:
    pictures = jpeg(numbered_frames(3))
    pictures[1] = jpeg(numbered_frames(1, 128, 128))[0]
    with open_source(encoded_file(tmp_path / "a.dcm", pictures, JPEG_BASELINE)) as source:
        with pytest.raises(FrameMissing):
            source.read(1)
        assert number_of(source.read(2)) == 2


def test_a_changed_file_needs_a_new_index(tmp_path: Path) -> None:
    path = raw_file(tmp_path / "a.dcm", numbered_frames(4))
    index = build_index(path)
    raw_file(path, numbered_frames(5))
    with pytest.raises(UserError, match="has changed"):
        open_source(path, index=index)


def test_writing_outside_the_field_of_view_is_hidden_from_models(tmp_path: Path) -> None:
    y, x = np.mgrid[:96, :96]
    inside = (x - 48) ** 2 + (y - 48) ** 2 < 40**2
    frames = np.where(inside[..., None], noise(8, 96, 96) // 2 + 90, 0).astype(np.uint8)
    frames[:, 2:6, 2:30:2] = 255
    path = raw_file(tmp_path / "a.dcm", frames, BurnedInAnnotation="YES")
    with open_source(path) as source:
        view = study_field_of_view(source)
        assert view.kind == "circle"
        assert not view.mask(96, 96)[2:6, 2:30].any()
        side = view.box[2]
        prepared = prepare_frame(source.read(0), view, side)
        assert not prepared[: side // 10, : side // 10].any()
        assert prepared[side // 2, side // 2].all()


GREY: dict[str, Any] = {"SamplesPerPixel": 1, "PhotometricInterpretation": "MONOCHROME2", "PlanarConfiguration": None}


def test_values_in_the_upper_bits_are_moved_down(tmp_path: Path) -> None:
    values = numbered_frames(3)[..., 0].astype(np.uint16)
    bits: dict[str, Any] = {"BitsAllocated": 16, "BitsStored": 12}
    path = raw_file(tmp_path / "a.dcm", values << 8, HighBit=15, **bits, **GREY)
    other = raw_file(tmp_path / "b.dcm", values << 4, HighBit=11, **bits, **GREY)
    with open_source(path) as source, open_source(other) as usual:
        assert [number_of(source.read(frame)) for frame in range(3)] == [0, 1, 2]
        assert np.array_equal(source.read(1), usual.read(1))


@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, ImplicitVRLittleEndian, ExplicitVRBigEndian])
@pytest.mark.parametrize("is_undefined", [False, True])
@pytest.mark.parametrize("place", ["SharedFunctionalGroupsSequence", "PerFrameFunctionalGroupsSequence"])
def test_windows_of_frames_are_told(tmp_path: Path, syntax: Any, is_undefined: bool, place: str) -> None:
    window, group = pydicom.Dataset(), pydicom.Dataset()
    window.WindowCenter, window.WindowWidth = 500, 1000
    group.FrameVOILUTSequence = pydicom.Sequence([window])
    values = numbered_frames(2)[..., 0].astype(">u2" if syntax == ExplicitVRBigEndian else "<u2")
    bits: dict[str, Any] = {"BitsAllocated": 16, "BitsStored": 12, "HighBit": 11}
    path = raw_file(tmp_path / "a.dcm", values, syntax, **bits, **GREY)
    assert not any("windows" in note for note in build_index(path).notes)
    made = pydicom.dcmread(path)
    setattr(made, place, pydicom.Sequence([group]))
    made[place].is_undefined_length = is_undefined
    made.save_as(path)
    assert any("windows of brightness in their descriptions" in note for note in build_index(path).notes)
