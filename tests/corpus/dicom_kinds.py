"""Kinds of multi-frame DICOM files, with the pictures that pydicom and the standard's own formulas give."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pydicom
from numpy.typing import NDArray
from pydicom.pixels.processing import apply_modality_lut, apply_voi_lut

from tests.corpus.kinds import FRAMES, Expected, Picture, square
from tests.corpus.pictures import numbered_picture
from tests.corpus.sources import Source
from tests.dicom_files import JPEG_BASELINE, encoded_file, raw_file

_GREY = {"SamplesPerPixel": 1, "PlanarConfiguration": None, "PhotometricInterpretation": "MONOCHROME2"}
_TWELVE = {**_GREY, "BitsAllocated": 16, "BitsStored": 12, "HighBit": 11}
_SIXTEEN = {**_GREY, "BitsAllocated": 16, "BitsStored": 16, "HighBit": 15}
_SIGNED = {**_SIXTEEN, "PixelRepresentation": 1}
_MORE = 3


def _colours(count: int = FRAMES) -> NDArray[np.uint8]:
    """(count, H, W, 3): red differs from green and blue."""
    frames = np.stack([numbered_picture(number, 0) for number in range(count)])
    frames[..., 0] = frames[..., 0] // 2 + 20
    return frames


def _greys(scale: int = 1, offset: int = 0, kind: type[np.integer[Any]] = np.uint16) -> NDArray[Any]:
    grey = np.stack([numbered_picture(number, 8)[..., 0] for number in range(FRAMES)])
    return (grey.astype(np.int64) * scale + offset).astype(kind)


def _grey_file(values: NDArray[Any], note: str = "", **header: Any) -> Callable[[Path], Expected]:
    """Grey values, shown as pydicom applies the header's window; without a window from 0 to the highest value."""

    def write(path: Path) -> Expected:
        raw_file(path, values, **header)
        made = pydicom.dcmread(path)
        stored = made.pixel_array
        if "WindowCenter" in made:
            shown = apply_voi_lut(apply_modality_lut(stored, made), made).astype(np.float64)
            lowest, highest = _ends(made)
            shown = (shown - lowest) / (highest - lowest) * 255
        else:
            shown = stored / 2 ** (int(stored.max()).bit_length() - 8)
        shown = 255 - shown if made.PhotometricInterpretation == "MONOCHROME1" else shown
        return Expected([_as_rgb(picture) for picture in shown], note, tolerance=1)

    return write


def _ends(made: pydicom.Dataset) -> tuple[float, float]:
    """The values that pydicom gives out for black and for white: those of the rescaled range."""
    low, high = (-(1 << made.BitsStored - 1), (1 << made.BitsStored - 1) - 1) if made.PixelRepresentation else (
        0, (1 << made.BitsStored) - 1,
    )  # fmt: skip
    slope, intercept = float(made.get("RescaleSlope", 1)), float(made.get("RescaleIntercept", 0))
    return low * slope + intercept, high * slope + intercept


def _as_rgb(picture: NDArray[Any]) -> Picture:
    return np.repeat(np.rint(picture.clip(0, 255)).astype(np.uint8)[..., None], 3, axis=2)


def _colour_file(
    shown: Callable[[Picture], Picture] = lambda picture: picture, **header: Any
) -> Callable[[Path], Expected]:
    def write(path: Path) -> Expected:
        frames = _colours()
        stored = frames.transpose(0, 3, 1, 2) if header.get("PlanarConfiguration") else frames
        made = raw_file(path, np.ascontiguousarray(frames), **header)
        if header.get("PlanarConfiguration"):
            data = pydicom.dcmread(made)
            data.PixelData = np.ascontiguousarray(stored).tobytes()
            data.save_as(path)
        return Expected([shown(picture) for picture in pydicom.dcmread(path).pixel_array], tolerance=2)

    return write


def _more_than_said(codec: str) -> Callable[[Path], Expected]:
    def write(path: Path) -> Expected:
        frames = _colours()
        if codec == "raw":
            raw_file(path, frames, NumberOfFrames=FRAMES - _MORE)
            pictures = list(frames)
        else:
            coded = [cv2.imencode(".jpg", picture[..., ::-1])[1] for picture in frames]
            encoded_file(path, [each.tobytes() for each in coded], JPEG_BASELINE, NumberOfFrames=FRAMES - _MORE)
            pictures = [_decoded(each) for each in coded]
        return Expected(pictures, f"announces {FRAMES - _MORE} frames; the file holds {FRAMES}")

    return write


def _decoded(jpeg: NDArray[np.uint8]) -> Picture:
    picture = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    assert picture is not None
    return np.asarray(picture[..., ::-1], np.uint8)


_WINDOW = "window of the file"

DICOM_KINDS: dict[str, Callable[[Path], Expected]] = {
    "window of 12 bits": _grey_file(_greys(8), _WINDOW, **_TWELVE, WindowCenter="1000", WindowWidth="1500"),
    "narrow window": _grey_file(_greys(1, 0, np.uint8), _WINDOW, **_GREY, WindowCenter="120", WindowWidth="60"),
    "window, exact": _grey_file(
        _greys(8), _WINDOW, **_TWELVE, WindowCenter="1000", WindowWidth="1500", VOILUTFunction="LINEAR_EXACT"
    ),
    "window, sigmoid": _grey_file(
        _greys(8), _WINDOW, **_TWELVE, WindowCenter="1000", WindowWidth="700", VOILUTFunction="SIGMOID"
    ),
    "two windows": _grey_file(
        _greys(8), _WINDOW, **_TWELVE, WindowCenter=["1000", "300"], WindowWidth=["1500", "100"]
    ),
    "window after rescaling": _grey_file(
        _greys(8, -1000, np.int16), _WINDOW, **_SIGNED,
        RescaleSlope="2", RescaleIntercept="-24", WindowCenter="40", WindowWidth="2400",
    ),
    "MONOCHROME1": _grey_file(_greys(1, 0, np.uint8), "", **{**_GREY, "PhotometricInterpretation": "MONOCHROME1"}),
    "MONOCHROME1 with a window": _grey_file(
        _greys(8), _WINDOW, **{**_TWELVE, "PhotometricInterpretation": "MONOCHROME1"},
        WindowCenter="1000", WindowWidth="1500",
    ),
    "12 bits in 16, said": _grey_file(_greys(16), "", **_TWELVE),
    "12 bits in 16, not said": _grey_file(_greys(16), "16 bits and uses 12", **_SIXTEEN),
    "8 bits in 16, not said": _grey_file(_greys(1), "16 bits and uses 8", **_SIXTEEN),
    "16 bits": _grey_file(_greys(256), "", **_SIXTEEN),
    "pixels 4 to 3 high": _colour_file(square(Fraction(3, 4)), PixelAspectRatio=["4", "3"]),
    "pixels 2 to 1 wide": _colour_file(square(Fraction(2)), PixelSpacing=["0.1", "0.2"]),
    "planes": _colour_file(PlanarConfiguration=1),
    "planes of YBR": _colour_file(PlanarConfiguration=1, PhotometricInterpretation="YBR_FULL"),
    "more frames than said, raw": _more_than_said("raw"),
    "more frames than said, JPEG": _more_than_said("jpeg"),
}  # fmt: skip


def dicom_sources() -> Iterator[Source]:
    """Each kind once."""
    for name in DICOM_KINDS:
        yield Source("DICOM", "dcm", 1, kind=name)


def write_dicom_kind(source: Source, path: Path) -> Expected:
    """Make the file of a kind; what it has to show."""
    return DICOM_KINDS[source.kind](path)
