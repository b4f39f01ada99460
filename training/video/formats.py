"""Which paths are studies, and in which order names of images come.

Checks whether two files are the same recording, fast also for 50 GB.
"""

import hashlib
import os
import re
from collections.abc import Collection, Iterable
from fractions import Fraction
from pathlib import Path

import numpy as np

from training.files.inputs import regular_file, unreadable
from training.files.stores import fetched
from training.version import FIRST_NUMBERING, IMAGE_NUMBERING, NUMBERING
from training.video.dicom.elements import SUFFIXES as DICOM_SUFFIXES
from training.video.dicom.elements import is_dicom
from training.video.dicom.series import is_single_picture

VIDEO_SUFFIXES = frozenset(
    {".mp4", ".m4v", ".mov", ".qt", ".mkv", ".webm", ".avi", ".divx", ".mpg", ".mpeg", ".mpe", ".m1v", ".m2v", ".mpv"}
    | {".vob", ".ts", ".mts", ".m2t", ".m2ts", ".trp", ".wmv", ".asf", ".flv", ".f4v", ".3gp", ".3g2", ".ogv", ".ogm"}
    | {".dv", ".mxf", ".mjpg", ".mjpeg", ".h264", ".h265", ".hevc", ".ivf", ".y4m", ".nut", ".wtv"}
)
FIRST_IMAGE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff"})
"""Of the images of a folder before `IMAGE_NUMBERING`."""
IMAGE_SUFFIXES = FIRST_IMAGE_SUFFIXES | {
    *(".jpe", ".jfif", ".dib", ".webp", ".gif", ".jp2", ".j2k", ".j2c", ".avif"),
    *(".ppm", ".pgm", ".pbm", ".pnm"),
    *(".heic", ".heif", ".hif", ".jxl"),  # not read, but named
}

DICOM_DIRECTORY = "DICOMDIR"
"""The table of contents of a medium; DICOM too, yet no study."""
_SYSTEM_FILES = frozenset({"thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r", "__macosx", "@eadir"})

_DECIMAL = re.compile(r"(?<![0-9.,])([0-9]+)[.,]([0-9]+)(?![0-9]*[.,][0-9])")
_TIME = re.compile(
    r"(?:(?<![a-z])t=|time[=_ -]?|sec(?:onds)?[=_ -]?)[0-9]+(?:[.,][0-9]+)?(?![0-9.,])"
    r"|[0-9] ?s(?:ec)?(?![a-z])"
)


def files_below(folder: Path) -> list[str]:
    """Paths of all files below a folder, with "/", in natural order, without hidden ones and what macOS leaves in
    archives; links to folders are not followed.
    """
    result: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "__MACOSX"]
        below = Path(place).relative_to(folder)
        result += [(below / name).as_posix() for name in names if not name.startswith(".")]
    return sorted(result, key=natural_key)


def natural_key(name: str) -> tuple[object, ...]:
    """A sort key under which `frame2` comes before `frame10`, of a file name or a path; ties fall back to the name."""
    # Odd places of the split hold the numbers, so that texts and numbers never meet in a comparison.
    parts = re.split(r"([0-9]+)", name.casefold())
    return (*(int(part) if place % 2 else part for place, part in enumerate(parts)), name)


def have_decimals(names: Iterable[str]) -> bool:
    """Whether dots in the names of a folder are decimal points rather than parts of a version, date or counter.

    They are where a name says that it is a time (`t=0.25`, `1.5s`), and where fractions differ in length without zeros
    at their ends, as programs print numbers: `0`, `0.25`, `0.5`. A counter such as `1.9`, `1.10` has such zeros. Of
    fractions that are equally long both readings give one order.
    """
    stems = [Path(name).stem.casefold() for name in names]
    result = [match for stem in stems for match in _DECIMAL.finditer(stem)]
    if not result:
        return False
    if sum(bool(_TIME.search(stem)) for stem in stems) * 2 > len(stems):
        return True
    fractions = [match[2] for match in result]
    is_printed = all(part == "0" or not part.endswith("0") for part in fractions)
    return is_printed and len({len(part) for part in fractions}) > 1 and len(result) * 2 > len(stems)


def in_order(names: Collection[str], numbering: int) -> list[str]:
    """Names of images in the order of their frames."""
    if numbering < IMAGE_NUMBERING:
        return sorted(names, key=natural_key)
    has_decimals = have_decimals(names)
    return sorted(names, key=lambda name: _stem_key(name, has_decimals=has_decimals))


def _stem_key(name: str, *, has_decimals: bool) -> tuple[object, ...]:
    """A sort key by which `a` comes before `a.5` and `a (2)`, whatever their suffixes; see `natural_key`."""
    pattern = r"([0-9]+(?:[.,][0-9]+)?)" if has_decimals else r"([0-9]+)"
    stem, suffix = Path(name).stem, Path(name).suffix
    parts = re.split(pattern, stem.casefold())
    numbers = (Fraction(part.replace(",", ".")) if place % 2 else part for place, part in enumerate(parts))
    return (tuple(numbers), suffix.casefold(), name)


def is_hidden(name: str) -> bool:
    """Whether a file or folder is hidden, or one that an operating system leaves behind."""
    return name.startswith(".") or name.casefold() in _SYSTEM_FILES


def is_image_name(name: str, numbering: int) -> bool:
    """Whether a file of this name counts as an image of its folder."""
    suffixes = IMAGE_SUFFIXES if numbering >= IMAGE_NUMBERING else FIRST_IMAGE_SUFFIXES
    return not name.startswith(".") and Path(name).suffix.lower() in suffixes


def image_files(folder: Path, numbering: int) -> list[str]:
    """Names of all images directly inside `folder`, masks among them; hidden files are left out."""
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if is_image_name(entry.name, numbering) and is_plain_file(entry)]


def is_plain_file(entry: "os.DirEntry[str] | Path") -> bool:
    """Whether it is a file or a link to one; False for a link that leads nowhere or in a circle."""
    try:
        return entry.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """True for a folder; a name that the system cannot take (too long, say) is none."""
    try:
        return path.is_dir()
    except OSError:
        return False


def may_be_dicom(name: str) -> bool:
    """Whether a file of this name is worth a look; files from an archive have no suffix, or a part of a UID as one."""
    suffix = Path(name).suffix.lower()
    is_nameless = not suffix or suffix[1:].isdigit()
    return (is_nameless or suffix in DICOM_SUFFIXES) and name.upper() != DICOM_DIRECTORY


def are_more_than_videos(images: Collection[str], names: Iterable[str]) -> bool:
    """Whether the images of a folder are more than the videos among all names in it, and so the frames of a study."""
    return len(images) > sum(Path(name).suffix.lower() in VIDEO_SUFFIXES and not is_hidden(name) for name in names)


def is_study(path: Path) -> bool:
    """True for a video or DICOM file (by its suffix) and for a folder that directly holds an image or DICOM picture.

    A folder that has no more images than videos is one of videos, with a picture of each.
    DICOM files from an archive often have no suffix, or a part of a UID in its place; their content tells.
    """
    path = Path(path)
    try:
        if path.is_dir():
            if images := image_files(path, IMAGE_NUMBERING):
                return are_more_than_videos(images, (file.name for file in path.iterdir()))
            files = (file for file in path.iterdir() if may_be_dicom(file.name) and not is_hidden(file.name))
            return any(is_single_picture(file) for file in files)
        if may_be_dicom(path.name) and path.suffix.lower() not in DICOM_SUFFIXES:
            return is_dicom(path)
        return path.is_file() and path.suffix.lower() in VIDEO_SUFFIXES | DICOM_SUFFIXES
    except OSError:
        return False


_SAMPLE_BYTES = 65_536
_SAMPLES = 64


def fingerprint(path: Path, numbering: int = NUMBERING) -> str:
    """A fingerprint of the content of a video file or of a folder of images.

    Size, both ends, and 64 samples in between are hashed (BLAKE2b), at most about 4 MB in all; path and modification
    time do not count, so that a moved or renamed file is found again. For a folder: names and sizes of all images, and
    the content of 64 of them; of a folder without images those of its DICOM files.

    Args:
        numbering: the rules by which the study was opened first; the images that these do not read do not count.

    Returns:
        32 hexadecimal digits.
    """
    path = Path(path)
    digest = hashlib.blake2b(digest_size=16)
    try:
        if path.is_dir():
            _add_folder(digest, path, numbering)
        else:
            _add_file(digest, path)
    except OSError as error:
        raise unreadable(path, error) from error
    return digest.hexdigest()


def fingerprints_of(path: Path) -> tuple[str, ...]:
    """The fingerprint, and where an earlier version gave the folder another one, that one behind it."""
    path = fetched(path)
    newest = fingerprint(path)
    if not is_folder(path) or image_files(path, NUMBERING) == image_files(path, FIRST_NUMBERING):
        return (newest,)
    return newest, fingerprint(path, FIRST_NUMBERING)


def has_fingerprint(path: Path, wanted: str) -> bool:
    """Whether a path has the content that was fingerprinted, by this version or an earlier one."""
    return wanted in fingerprints_of(path)


def _add_file(digest: hashlib.blake2b, path: Path, samples: int = _SAMPLES) -> None:
    size = path.stat().st_size
    regular_file(path, "study")
    digest.update(str(size).encode())
    last = max(size - _SAMPLE_BYTES, 0)
    starts = np.unique(np.linspace(0, last, samples, dtype=np.int64))
    with path.open("rb") as file:
        for start in starts.tolist():
            file.seek(start)
            digest.update(file.read(_SAMPLE_BYTES))


def _add_folder(digest: hashlib.blake2b, folder: Path, numbering: int) -> None:
    names = _hashed_files(folder, numbering)
    for name in names:
        digest.update(f"{name}\0{(folder / name).stat().st_size}\0".encode("utf-8", "surrogateescape"))
    places = np.unique(np.linspace(0, len(names) - 1, _SAMPLES, dtype=np.int64)).tolist() if names else []
    for place in places:
        _add_file(digest, folder / names[place], samples=1)


def _hashed_files(folder: Path, numbering: int) -> list[str]:
    """Images, those that every version reads first; masks count, too, so that no content is looked at."""
    names = sorted(
        image_files(folder, numbering),
        key=lambda name: (Path(name).suffix.lower() not in FIRST_IMAGE_SUFFIXES, natural_key(name)),
    )
    if names or numbering < IMAGE_NUMBERING:
        return names
    there = (path.name for path in folder.iterdir() if may_be_dicom(path.name) and not is_hidden(path.name))
    return sorted((name for name in there if is_dicom(folder / name)), key=natural_key)
