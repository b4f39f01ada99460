"""What a DICOM file says of its frames, and in a sentence why one cannot be a study."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files.inputs import unreadable
from training.texts import Text
from training.video.dicom import elements as dicom
from training.video.dicom import shown_values

BURNED_IN_NOTE = (
    "The file says that a name or other text is burned into its frames; it is hidden only outside the field of view."
)
"""Burned In Annotation is YES."""

MAX_FRAMES = 2_000_000
MAX_PIXELS = 64_000_000
"""Of one frame."""

NATIVE = frozenset({dicom.IMPLICIT, dicom.EXPLICIT, dicom.BIG_ENDIAN, dicom.DEFLATED})
RLE = frozenset({"1.2.840.10008.1.2.5"})
_PREFIX = "1.2.840.10008.1.2.4."
LOSSY_JPEG = frozenset(_PREFIX + number for number in ("50", "51"))
LOSSLESS_JPEG = frozenset(_PREFIX + number for number in ("57", "70"))
JPEG_LS = frozenset(_PREFIX + number for number in ("80", "81"))
JPEG_2000 = frozenset(_PREFIX + number for number in ("90", "91", "201", "202", "203"))
"""With High-Throughput JPEG 2000."""
VIDEO = frozenset(
    [f"{_PREFIX}{number}" for number in range(100, 109)] + [f"{_PREFIX}{number}.1" for number in range(100, 107)]
)
"""MPEG-2, MPEG-4 AVC/H.264 and HEVC/H.265; ".1" may be split into fragments."""
COLOURS = frozenset(
    {"MONOCHROME1", "MONOCHROME2", "PALETTE COLOR", "RGB", "YBR_FULL", "YBR_FULL_422", "YBR_ICT", "YBR_RCT"}
)
PALETTE_SYNTAXES = NATIVE | RLE | LOSSLESS_JPEG | JPEG_LS | JPEG_2000
"""Where values stay as they are; lossy JPEG would change numbers of colours."""

_TAGS = {
    "number_of_frames": 0x00280008,
    "increment": 0x00280009,
    "frame_time": 0x00181063,
    "frame_times": 0x00181065,
    "cine_rate": 0x00180040,
    "display_rate": 0x00082144,
    "samples": 0x00280002,
    "photometric": 0x00280004,
    "planar": 0x00280006,
    "rows": 0x00280010,
    "columns": 0x00280011,
    "aspect": 0x00280034,
    "spacing": 0x00280030,
    "imager_spacing": 0x00181164,
    "allocated": 0x00280100,
    "stored": 0x00280101,
    "high": 0x00280102,
    "representation": 0x00280103,
    "burned_in": 0x00280301,
    "offsets": 0x7FE00001,
    **shown_values.PALETTE_TAGS,
    **shown_values.WINDOW_TAGS,
}


@dataclass(frozen=True, eq=False)
class DicomHeader:
    """What the frames of a file are; checked."""

    transfer_syntax: str
    pixel_data: dicom.PixelData
    frames: int
    """As announced; 0 where a video does not say."""
    height_px: int
    width_px: int
    samples: int
    """Per pixel: 1 or 3."""
    photometric: str
    """The photometric interpretation, one of `COLOURS`; of a video whatever it says."""
    is_planar: bool
    bits_allocated: int
    bits_stored: int
    is_signed: bool
    order: str
    """Of bytes, as `struct` writes it."""
    seconds: NDArray[np.float64] | None
    """(frames,) time of each frame, from 0; None where the file does not say."""
    seconds_per_frame: float | None
    """Where all frames last equally long."""
    offsets: NDArray[np.int64]
    """(frames,) first byte of each frame among the fragments (Extended Offset Table); empty where there is none."""
    has_burned_in_text: bool
    pixel_aspect: Fraction = Fraction(1)
    """Width of a pixel over its height."""
    palette: shown_values.Palette | None = None
    """The colours that pixels stand for; None where they are colours or brightnesses themselves."""
    window: shown_values.Window | None = None
    """The grey values that become black and white; None for colours, and where the file does not say."""
    unused_bits: int = 0
    """How many lower bits of a value are not used."""
    has_window_of_frames: bool = False
    """Whether only the description of the frames has a window, each its own or all the same."""

    @property
    def is_video(self) -> bool:
        """Whether the frames are one encoded video rather than pictures."""
        return self.transfer_syntax in VIDEO


def dicom_header(path: Path) -> DicomHeader | None:
    """The header of a DICOM file; None for a file of another kind, or none at all.

    Raises:
        UserError: as `read_header`; or the name is that of a DICOM file, but the content is not.
    """
    if dicom.is_dicom(path):
        return read_header(path)
    if path.suffix.lower() in dicom.SUFFIXES and path.is_file() and path.stat().st_size:
        raise damaged(path, "it is not DICOM")
    return None


def read_header(path: Path, *, takes_single: bool = False) -> DicomHeader:
    """Read and check the header of a DICOM file; kept for the files looked at last.

    Args:
        takes_single: whether it may hold a single picture, as the files of a series do.

    Raises:
        UserError: the file is missing, damaged or cut short, holds no pixel data or a still, or is encoded in a way
            that cannot be read.
    """
    try:
        facts = path.stat()
        header = _read(path, facts.st_size, facts.st_mtime_ns)
    except OSError as error:
        raise unreadable(path, error) from error
    if header.frames == 1 and not takes_single:
        raise UserError(
            "{name} holds a single picture, not a study.",
            "Open the folder of its series, which is read as one study, or choose a DICOM video or multi-frame file.",
            path.name,
        )
    return header


@lru_cache(maxsize=16)
def _read(path: Path, _size: int, _changed_ns: int) -> DicomHeader:
    try:
        elements = dicom.read_elements(path, (*_TAGS.values(), *dicom.FUNCTIONAL_GROUPS))
    except dicom.DicomError as error:
        raise damaged(path, str(error)) from error
    _check_kind(path, elements)
    try:
        header = _header(elements)
    except (ValueError, OverflowError) as error:
        raise damaged(path, str(error)) from error
    if not header.is_video and header.photometric not in COLOURS:
        raise UserError(
            "The colours of {name} are stored as “{photometric}”, which cannot be read.",
            "Export it again with RGB or YBR colours.",
            path.name,
            header.photometric,
        )
    return header


def damaged(path: Path, reason: str) -> UserError:
    """The sentence on a file that is not what DICOM asks for."""
    if reason == "it is not DICOM":
        return UserError(
            "{name} is not a DICOM file.",
            "Its name ends like that of one. Choose another file, or export it again.",
            path.name,
        )
    return UserError("The DICOM file {name} is damaged: {reason}.", "Copy or export it again.", path.name, reason)


def _check_kind(path: Path, elements: dicom.Elements) -> None:
    syntax = elements.transfer_syntax
    if syntax not in NATIVE | RLE | LOSSY_JPEG | LOSSLESS_JPEG | JPEG_LS | JPEG_2000 | VIDEO:
        from pydicom.config import IGNORE
        from pydicom.uid import UID

        name = "JPEG XL" if syntax.startswith(f"{_PREFIX}11") else UID(syntax, IGNORE).name
        raise UserError(
            "{name} uses a DICOM transfer syntax that cannot be read: {name2} ({plain_uid}).",
            "Export it as a video (MPEG-2, H.264, H.265), JPEG, JPEG 2000, or uncompressed.",
            path.name,
            "unknown" if name == syntax else name,
            plain_uid(syntax),
        )
    if elements.pixel_data is None:
        raise UserError(
            "{name} is a DICOM file without pixel data.",
            "It may be a report. Choose the file with the video.",
            path.name,
        )


def plain_uid(text: str) -> str:
    """A UID to show: only its digits and dots, and no more than it may have."""
    return "".join(c for c in text if c in "0123456789.")[:64] or "none"


def _header(elements: dicom.Elements) -> DicomHeader:
    assert elements.pixel_data is not None
    if not elements.pixel_data.is_integer:
        raise ValueError("its pixels are no integers")
    frames = _frame_count(elements)
    seconds, per_frame = _times(elements, frames)
    header = DicomHeader(
        transfer_syntax=elements.transfer_syntax,
        pixel_data=elements.pixel_data,
        frames=frames,
        height_px=elements.short(_TAGS["rows"]),
        width_px=elements.short(_TAGS["columns"]),
        samples=elements.short(_TAGS["samples"], 1),
        photometric="".join(c for c in elements.text(_TAGS["photometric"])[:16] if c.isalnum() or c in " _"),
        is_planar=elements.short(_TAGS["planar"]) == 1,
        bits_allocated=elements.short(_TAGS["allocated"], 8),
        bits_stored=elements.short(_TAGS["stored"]) or elements.short(_TAGS["allocated"], 8),
        is_signed=elements.short(_TAGS["representation"]) == 1,
        order=elements.order,
        seconds=seconds,
        seconds_per_frame=per_frame,
        offsets=_offsets(elements, frames),
        has_burned_in_text=elements.text(_TAGS["burned_in"]).upper() == "YES",
        pixel_aspect=_pixel_aspect(elements),
        unused_bits=_unused_bits(elements),
    )
    if not header.is_video:
        _check_pixels(header)
        if header.photometric == "PALETTE COLOR":
            header = replace(header, palette=shown_values.read_palette(elements, is_signed=header.is_signed))
        elif header.samples == 1:
            window = shown_values.read_window(elements)
            groups = (elements.values.get(tag, b"") for tag in dicom.FUNCTIONAL_GROUPS)
            is_nested = window is None and any(shown_values.holds_window(group, elements.order) for group in groups)
            header = replace(header, window=window, has_window_of_frames=is_nested)
    return header


def _check_pixels(header: DicomHeader) -> None:
    if not header.height_px or not header.width_px:
        raise ValueError("the size of its frames is missing")
    if header.height_px * header.width_px > MAX_PIXELS:
        raise ValueError(Text("its frames have {width_px} x {height_px} pixels", header.width_px, header.height_px))
    if header.samples not in (1, 3) or (header.samples == 1) != header.photometric.startswith(("MONO", "PALETTE")):
        raise ValueError(
            Text("its pixels have {samples} values as {photometric}", header.samples, header.photometric or "nothing")
        )
    if header.bits_allocated not in (8, 16) or not 1 <= header.bits_stored <= header.bits_allocated:
        raise ValueError(
            Text("its values have {bits_stored} of {bits_allocated} bits", header.bits_stored, header.bits_allocated)
        )
    if header.transfer_syntax in NATIVE and header.photometric in ("YBR_ICT", "YBR_RCT"):
        raise ValueError(Text("its colours are {photometric} without JPEG 2000", header.photometric))
    if header.photometric == "PALETTE COLOR" and header.transfer_syntax not in PALETTE_SYNTAXES:
        raise ValueError("its colours are in a palette, which lossy JPEG would change")
    if header.transfer_syntax in RLE and header.photometric == "YBR_FULL_422":
        raise ValueError("its colours are YBR_FULL_422 in RLE")


def _unused_bits(elements: dicom.Elements) -> int:
    """How many lower bits are not used, where the high bit says so (before 2014 it was free)."""
    allocated, stored = (elements.short(_TAGS[name]) for name in ("allocated", "stored"))
    high = elements.short(_TAGS["high"], stored - 1)
    return high + 1 - stored if 0 < stored <= high + 1 <= allocated <= 16 else 0


def _pixel_aspect(elements: dicom.Elements) -> Fraction:
    """Of the spacing of rows and columns, or the ratio of both (PS3.3, C.7.6.3.1.7); vertical values stand first."""
    for name in ("spacing", "imager_spacing", "aspect"):
        values = [_number(text) for text in elements.texts(_TAGS[name])]
        if len(values) == 2 and values[0] and values[1]:
            return shown_values.usable_aspect(values[1], values[0])
    return Fraction(1)


def _frame_count(elements: dicom.Elements) -> int:
    text = elements.text(_TAGS["number_of_frames"])
    if not text:
        return 0 if elements.transfer_syntax in VIDEO else 1
    count = int(text) if text.isascii() and text.lstrip("+").isdigit() and len(text) <= 12 else -1
    if not 1 <= count <= MAX_FRAMES:
        raise ValueError("its number of frames is not valid")
    return count


def _times(elements: dicom.Elements, frames: int) -> tuple[NDArray[np.float64] | None, float | None]:
    """The frames' times (PS3.3, C.7.6.5): a vector, a time per frame, or a rate."""
    vector = [_number(part) for part in elements.texts(_TAGS["frame_times"])]
    if len(vector) == frames > 1 and all(step is not None and step >= 0 for step in vector):
        steps = np.array(vector, np.float64) / 1000
        steps[0] = 0.0
        return np.cumsum(steps), None
    per_frame = _number(elements.text(_TAGS["frame_time"]))
    rates = (_number(elements.text(_TAGS[name])) for name in ("cine_rate", "display_rate"))
    seconds = per_frame / 1000 if per_frame else next((1 / rate for rate in rates if rate), None)
    if seconds is None or not 1e-4 <= seconds <= 1e5:
        return None, None
    return np.arange(frames, dtype=np.float64) * seconds, seconds


def _number(text: str) -> float | None:
    """A decimal text as a number that is finite and not negative."""
    try:
        number = float(text[:32])
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _offsets(elements: dicom.Elements, frames: int) -> NDArray[np.int64]:
    raw = elements.values.get(_TAGS["offsets"], b"")
    if not frames or len(raw) != 8 * frames:
        return np.zeros(0, np.int64)
    return np.frombuffer(raw, "<u8").astype(np.int64)
