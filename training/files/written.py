"""Which files of a folder this program wrote: a list with checksums beside them.

Tables such as labels.csv cannot carry a mark. A file that somebody has edited since is no longer the program's own.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from training.errors import UserError
from training.files.inputs import regular_file
from training.files.json_text import read_json_object
from training.files.outputs import ForeignFileError, kind_of, mode_of, written_beside

RECORD = ".wce_desktop-files.json"
REMEMBERED = 2
"""Checksums of a file that are kept: of the content before, too, in case writing ends between record and file."""


class WrittenFiles:
    """The files that were written into a folder; `writing` adds one. Not thread-safe."""

    def __init__(self, folder: Path) -> None:
        """A record that is missing or damaged lists nothing."""
        self.folder = folder
        self._record = folder / RECORD
        self._sums = _read(self._record)

    def check(self, names: Iterable[str], what: str, *, overwrite: bool = False) -> None:
        """Check that these files may be written; creates nothing.

        Args:
            names: relative to the folder.
            what: "table of an export" or the like, for the sentence.
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
                raise UserError(f"{path} is {kind_of(mode)}, so it is not replaced.", "Choose another folder.")
            if not overwrite and not self.is_ours(name):
                raise ForeignFileError(path, what)

    def is_ours(self, name: str) -> bool:
        """Whether the file has the content that was written here."""
        known = self._sums.get(name)
        return bool(known) and _sha256(self.folder / name) in (known or ())

    @contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """A path to write the file's content to; at the end of the block it is recorded and gets its name.

        Raises:
            OSError: as writing does.
        """
        with written_beside(self.folder / name) as beside:
            yield beside
            self._add(name, _sha256(beside))

    def _add(self, name: str, checksum: str) -> None:
        others = [each for each in self._sums.get(name, []) if each != checksum]
        self._sums[name] = [*others, checksum][-REMEMBERED:]
        with written_beside(self._record) as beside:
            beside.write_text(json.dumps({"files": self._sums}, indent=1) + "\n", encoding="utf-8")


def _read(record: Path) -> dict[str, list[str]]:
    try:
        files: Any = read_json_object(record).get("files")
        return {str(name): [str(each) for each in sums] for name, sums in files.items()}
    except (UserError, AttributeError, TypeError):
        return {}


def _sha256(path: Path) -> str:
    with regular_file(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
