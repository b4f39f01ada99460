"""DICOM files of one picture each, which together are a series."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from training.errors import UserError
from training.texts import Text
from training.video.dicom.elements import DicomError, Elements, is_dicom, read_elements
from training.video.dicom.header import VIDEO

_TAGS = {
    "frames": 0x00280008,
    "patient": 0x00100020,
    "study": 0x0020000D,
    "series": 0x0020000E,
    "series_number": 0x00200011,
    "instance": 0x00200013,
    "acquired": 0x0008002A,
    "acquisition_date": 0x00080022,
    "acquisition_time": 0x00080032,
    "content_date": 0x00080023,
    "content_time": 0x00080033,
}
_LAST = 2**40


def is_single_picture(path: Path) -> bool:
    """Whether a file is DICOM and announces one picture, which may be damaged."""
    elements = _elements(path)
    return elements is not None and _is_single(elements)


def has_no_picture(path: Path) -> bool:
    """Whether a file is sound DICOM without pixel data, such as a report."""
    elements = _elements(path)
    return elements is not None and elements.pixel_data is None


def series_order(folder: Path, names: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Put single pictures in order: by series, then by instance number; without numbers by time, or else by name.

    Args:
        folder: of the files.
        names: of the files, in natural order.

    Returns:
        The names in the order of their frames, and what is to be said of it.

    Raises:
        UserError: they are of several patients or examinations.
    """
    pictures = [(name, elements) for name in names if (elements := _elements(folder / name)) is not None]
    for tag, sentence in (
        ("patient", "The folder {name} holds DICOM pictures of {count:,} patients."),
        ("study", "The folder {name} holds DICOM pictures of {count:,} examinations."),
    ):
        count = len({elements.text(_TAGS[tag]) for _, elements in pictures})
        if count > 1:
            raise UserError(
                Text(sentence, folder.name, count), "Put the files of each examination into a folder of its own."
            )
    ordered: list[str] = []
    notes: list[str] = []
    by_series = Counter(elements.text(_TAGS["series"]) for _, elements in pictures)
    if len(by_series) > 1:
        notes.append(
            Text("The DICOM files are of {count:,} series, which follow one another by their numbers.", len(by_series))
        )
    numbers = [(_number(e, "series_number"), e.text(_TAGS["series"]), _number(e, "instance")) for _, e in pictures]
    times = [_time(elements) for _, elements in pictures]
    rows = list(zip(numbers, times, (name for name, _ in pictures), strict=True))
    has_numbers = len(set(numbers)) == len(numbers) and all(
        instance != _LAST and (series != _LAST or len(by_series) == 1) for series, _, instance in numbers
    )
    if has_numbers:
        ordered = [name for *_, name in sorted(rows, key=lambda row: row[0])]
    elif all(times):
        ordered = [name for *_, name in sorted(rows, key=lambda row: (row[1], row[0]))]
        notes.append("The DICOM files have no numbers that tell their order; they are in the order of their times.")
    else:
        ordered = [name for *_, name in rows]
        notes.append("The DICOM files have neither numbers nor times that tell their order; it is that of their names.")
    return tuple(ordered), tuple(notes)


def _elements(path: Path) -> Elements | None:
    try:
        return read_elements(path, _TAGS.values()) if is_dicom(path) else None
    except (DicomError, OSError):
        return None


def _is_single(elements: Elements) -> bool:
    frames = elements.text(_TAGS["frames"])
    has_one = not frames or (frames.isascii() and frames.isdigit() and int(frames[:12]) == 1)
    return elements.pixel_data is not None and elements.transfer_syntax not in VIDEO and has_one


def _number(elements: Elements, tag: str) -> int:
    text = elements.text(_TAGS[tag]).lstrip("+")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 12 else _LAST


def _time(elements: Elements) -> str:
    """When a picture was taken, as a text that sorts by time; empty where the file does not say."""
    acquired = elements.text(_TAGS["acquired"])
    if acquired:
        return acquired
    for kind in ("acquisition", "content"):
        if time := elements.text(_TAGS[f"{kind}_time"]):
            return elements.text(_TAGS[f"{kind}_date"]) + time
    return ""
