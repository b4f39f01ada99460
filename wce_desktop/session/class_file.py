"""The classes of a library: `vocabulary.json` in its folder, where the reader changed them, else the default ones."""

import json
from pathlib import Path

from training.errors import UserError
from training.files.outputs import written_beside
from wce_desktop.core.vocabulary import Vocabulary, load_vocabulary
from wce_desktop.session.places import resource

FILE_NAME = "vocabulary.json"
MAX_BYTES = 1_000_000


def default_vocabulary() -> Vocabulary:
    """The classes that come with the program."""
    return load_vocabulary(resource("labels", "default.json"))


def library_vocabulary(folder: Path) -> Vocabulary:
    """The classes of the library in a folder.

    Raises:
        UserError: the file is there and cannot be used; it is left as it is.
    """
    path = folder / FILE_NAME
    if not path.exists():
        return default_vocabulary()
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"{path} is not a vocabulary: it is too large")
        return load_vocabulary(path)
    except (OSError, ValueError) as error:
        raise UserError(
            f"The classes of the library cannot be read: {error}.",
            f"Put the file right, or move it away to get the default classes: {path}.",
        ) from error


def save_vocabulary(folder: Path, vocabulary: Vocabulary) -> None:
    """Write the classes of a library beside and rename.

    Raises:
        UserError: the file cannot be written.
    """
    path = folder / FILE_NAME
    text = json.dumps(vocabulary.to_json(), indent=1, ensure_ascii=False) + "\n"
    try:
        with written_beside(path, sync=True) as beside:
            beside.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"The classes cannot be saved in {path} ({error.strerror or error}).", "Free some disk space."
        ) from error
