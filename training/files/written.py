"""Which files of a folder this program wrote: a list with checksums beside them.

Tables such as labels.csv cannot carry a mark. A file that somebody has edited since is no longer the program's own.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from training.errors import UserError
from training.files.inputs import kind_of, regular_file
from training.files.json_text import read_json_object
from training.files.outputs import ForeignFileError, mode_of, written_beside
from training.texts import Text

RECORD = ".wce_desktop-files.json"
REMEMBERED = 2
"""Checksums of a file that are kept: of the content before, too, in case writing ends between record and file."""


Purpose = Literal["library export", "report export", "data set export", "phantom", "reproduction"]
NOUNS: dict[Purpose, str] = {
    "library export": "table of a library's export",
    "report export": "file of an exported report",
    "data set export": "table of a data set's export",
    "phantom": "file of phantom studies",
    "reproduction": "file of a reproduction",
}


class WrittenFiles:
    """The files that were written into a folder for a purpose; `writing` adds one. Not thread-safe.

    A file of another purpose is foreign: synthetic labels never replace a reader's. Records of older versions name no
    purpose; their files count as those of any.
    """

    def __init__(self, folder: Path, purpose: Purpose) -> None:
        """A record that is missing or damaged lists nothing."""
        self.folder = folder
        self._purpose = purpose
        self._record = folder / RECORD
        self._sums, self._purposes = _read(self._record)

    def check(self, names: Iterable[str], *, overwrite: bool = False) -> None:
        """Check that these files may be written; creates nothing.

        Args:
            overwrite: whether regular files that this program did not write may be replaced.

        Raises:
            ForeignFileError: one exists that was not written here, or was edited since.
            UserError: one is no regular file.
        """
        for name in names:
            path = self.folder / name
            mode = mode_of(path)
            if mode is None:
                continue
            if kind_of(mode) != "a file":
                raise UserError(
                    "{path} is {kind}, so it is not replaced.", "Choose another folder.", path, Text(kind_of(mode))
                )
            if not overwrite and not self.is_ours(name):
                raise ForeignFileError(path, NOUNS[self._purpose])

    def is_ours(self, name: str) -> bool:
        """Whether the file has the content that was written here, for this purpose."""
        known = self._sums.get(name)
        if self._purposes.get(name, self._purpose) != self._purpose:
            return False
        return bool(known) and _sha256(self.folder / name) in (known or ())

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """A path to write the file's content to; at the end of the block it is recorded and gets its name."""
        with written_beside(self.folder / name, clean=True) as beside:
            yield beside
            self._add(name, _sha256(beside))

    def _add(self, name: str, checksum: str) -> None:
        others = [each for each in self._sums.get(name, []) if each != checksum]
        self._sums[name] = [*others, checksum][-REMEMBERED:]
        self._purposes[name] = self._purpose
        with written_beside(self._record) as beside:
            content = {"files": self._sums, "purposes": self._purposes}
            beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _read(record: Path) -> tuple[dict[str, list[str]], dict[str, str]]:
    try:
        content: Any = read_json_object(record)
        sums = {str(name): [str(each) for each in known] for name, known in content.get("files").items()}
        return sums, {str(name): str(purpose) for name, purpose in content.get("purposes", {}).items()}
    except (UserError, AttributeError, TypeError):
        return {}, {}


def _sha256(path: Path) -> str:
    with regular_file(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
