"""Checks whether two files are the same recording, fast also for 50 GB."""

import hashlib
from pathlib import Path

import numpy as np

from training.files.inputs import regular_file, unreadable
from training.version import FIRST_NUMBERING, IMAGE_NUMBERING, NUMBERING
from training.video import formats
from training.video.dicom.elements import is_dicom

_SAMPLE_BYTES = 65_536
_SAMPLES = 64


def fingerprint(path: Path, numbering: int = NUMBERING) -> str:
    """A fingerprint of the content of a video file or of a folder of images.

    Size, both ends, and 64 samples in between are hashed (BLAKE2b), at most about 4 MB in all; path and modification
    time do not count, so that a moved or renamed file is found again. For a folder: names and sizes of all images, and
    the content of 64 of them; of a folder without images those of its DICOM files.

    Args:
        path: the file or folder.
        numbering: the rules by which the study was opened first; the images that these do not read do not count.

    Returns:
        32 hexadecimal digits.

    Raises:
        UserError: there is no such file, or it cannot be read.
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
    """The fingerprint, and where an earlier version gave the folder another one, that one behind it.

    Raises:
        UserError: see `fingerprint`.
    """
    newest = fingerprint(path)
    if not formats.is_folder(path) or formats.image_files(path, NUMBERING) == formats.image_files(
        path, FIRST_NUMBERING
    ):
        return (newest,)
    return newest, fingerprint(path, FIRST_NUMBERING)


def has_fingerprint(path: Path, wanted: str) -> bool:
    """Whether a path has the content that was fingerprinted, by this version or an earlier one.

    Raises:
        UserError: see `fingerprint`.
    """
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
        formats.image_files(folder, numbering),
        key=lambda name: (Path(name).suffix.lower() not in formats.FIRST_IMAGE_SUFFIXES, formats.natural_key(name)),
    )
    if names or numbering < IMAGE_NUMBERING:
        return names
    there = (
        path.name for path in folder.iterdir() if formats.may_be_dicom(path.name) and not formats.is_hidden(path.name)
    )
    return sorted((name for name in there if is_dicom(folder / name)), key=formats.natural_key)
