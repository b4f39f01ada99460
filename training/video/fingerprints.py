"""Checks whether two files are the same recording, fast also for 50 GB."""

import hashlib
from pathlib import Path

import numpy as np

from training.errors import UserError
from training.files.inputs import regular_file
from training.video.formats import image_names

_SAMPLE_BYTES = 65_536
_SAMPLES = 64


def fingerprint(path: Path) -> str:
    """A fingerprint of the content of a video file or of a folder of images.

    Size, both ends, and 64 samples in between are hashed (BLAKE2b), at most about 4 MB in all; path and modification
    time do not count, so that a moved or renamed file is found again. For a folder: names and sizes of all images, and
    the content of 64 of them.

    Returns:
        32 hexadecimal digits.

    Raises:
        UserError: there is no such file, or it cannot be read.
    """
    path = Path(path)
    digest = hashlib.blake2b(digest_size=16)
    try:
        if path.is_dir():
            _add_folder(digest, path)
        else:
            _add_file(digest, path)
    except FileNotFoundError:
        raise UserError(
            f"There is no file {path}.", "It may have been moved, or a drive may not be connected."
        ) from None
    except OSError as error:
        raise UserError(f"{path.name} cannot be read: {error.strerror}.", "Check its permissions.") from error
    return digest.hexdigest()


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


def _add_folder(digest: hashlib.blake2b, folder: Path) -> None:
    names = image_names(folder)
    for name in names:
        digest.update(f"{name}\0{(folder / name).stat().st_size}\0".encode("utf-8", "surrogateescape"))
    for place in np.unique(np.linspace(0, max(len(names) - 1, 0), _SAMPLES, dtype=np.int64)).tolist():
        if names:
            _add_file(digest, folder / names[place], samples=1)
