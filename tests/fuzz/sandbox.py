"""The folders of one worker: inputs that must stay as they are, things that are no files, and a fresh place a case."""

import hashlib
import os
import shutil
import socket
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

HOME_PLACES = (".cache/wce-desktop", ".local/share/wce-desktop", ".local/state/wce-desktop", ".config/wce-desktop")
"""Where the program keeps its own library, log and weights in a home folder."""
LARGE_BYTES = 1 << 29
_CHARACTER_DEVICES = {"null": (1, 3), "zero": (1, 5), "full": (1, 7)}


@dataclass(frozen=True)
class Entry:
    """What a path holds."""

    kind: int
    """Type and permissions, as in `st_mode`."""
    content: str
    """Hash of a file, target of a link; empty for everything else."""


@dataclass
class Sandbox:
    """The folders of one worker.

    Attributes:
        folder: of the worker; nothing outside it may change.
        material: the inputs as they were made, from which damaged ones are restored.
    """

    folder: Path
    material: Path
    _hashes: dict[tuple[int, ...], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.log.mkdir()
        self.restore()

    @property
    def inputs(self) -> Path:
        """The copy of the material."""
        return self.folder / "inputs"

    @property
    def odd(self) -> Path:
        """Pipes, devices, links, sockets, empty files."""
        return self.folder / "odd"

    @property
    def case(self) -> Path:
        """What a case may see and write."""
        return self.folder / "case"

    @property
    def log(self) -> Path:
        """The standard streams of a case."""
        return self.folder / "log"

    @property
    def work(self) -> Path:
        """Working directory of a case, some levels deep so that `../..` stays inside."""
        return self.case / "a" / "b" / "work"

    @property
    def out(self) -> Path:
        """Where a case is meant to write."""
        return self.case / "a" / "b" / "out"

    @property
    def damaged(self) -> Path:
        """The damaged inputs of a case."""
        return self.case / "damaged"

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables of a case."""
        return {"HOME": str(self.case / "home"), "TMPDIR": str(self.case / "tmp"), "PWD": str(self.work)}

    @property
    def places(self) -> dict[str, str]:
        """What the placeholders of an argument stand for."""
        return {"inputs": str(self.inputs), "odd": str(self.odd), "out": str(self.out), "damaged": str(self.damaged)}

    def restore(self) -> None:
        """Make inputs and odd things anew."""
        for folder in (self.inputs, self.odd):
            _remove(folder)
        shutil.copytree(self.material, self.inputs, symlinks=True)
        make_odd_things(self.odd)

    def clear(self, *, needs_library: bool = True) -> None:
        """Empty folders for the next case, with a copy of the library where it may be written to."""
        _remove(self.case)
        for folder in (self.work, self.out, self.damaged, self.case / "home", self.case / "tmp"):
            folder.mkdir(parents=True)
        if needs_library:
            shutil.copytree(self.inputs / "library", self.out / "library")

    def snapshot(self) -> dict[str, Entry]:
        """What lies where, by path relative to the worker's folder; the log is left out."""
        return {
            str(path.relative_to(self.folder)): self._entry(path)
            for part in (self.inputs, self.odd, self.case)
            for path in _walk(part)
        }

    def _entry(self, path: Path) -> Entry:
        found = path.lstat()
        if stat.S_ISLNK(found.st_mode):
            return Entry(found.st_mode, str(path.readlink()))
        if not stat.S_ISREG(found.st_mode):
            return Entry(found.st_mode, "")
        # The kernel's own time of the last change cannot be set back: where it is the same the bytes are the same.
        if found.st_size > LARGE_BYTES:
            return Entry(found.st_mode, f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}")
        key = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        if key not in self._hashes:
            with path.open("rb") as file:
                self._hashes[key] = hashlib.file_digest(file, "sha256").hexdigest()
        return Entry(found.st_mode, self._hashes[key])


def make_odd_things(folder: Path) -> None:
    """Things that a path can name and that are no readable file."""
    folder.mkdir()
    (folder / "empty").touch()
    (folder / "folder").mkdir()
    (folder / "text").write_text("a note\n", encoding="utf-8")
    (folder / "bytes").write_bytes(bytes(range(256)) * 4)
    os.mkfifo(folder / "pipe")
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nothing")
    (folder / "link-to-input").symlink_to("../inputs/studies/videos/P01.mp4")
    (folder / "closed").mkdir(mode=0o000)
    with suppress(OSError), socket.socket(socket.AF_UNIX) as made:  # a socket's path has at most 107 bytes
        made.bind(str(folder / "socket"))
    # Nodes of our own: were the machine's /dev/null named, a program run by root could replace it for everybody.
    for name, numbers in _CHARACTER_DEVICES.items():
        with suppress(OSError):
            os.mknod(folder / name, 0o666 | stat.S_IFCHR, os.makedev(*numbers))


def changes(before: Mapping[str, Entry], after: Mapping[str, Entry]) -> tuple[list[str], list[str]]:
    """(paths that changed or are gone, paths that are new), sorted."""
    changed = [path for path, entry in before.items() if after.get(path) != entry]
    return sorted(changed), sorted(path for path in after if path not in before)


def _walk(folder: Path) -> Iterator[Path]:
    for path, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(path) / name


def _remove(folder: Path) -> None:
    if folder.is_dir():
        for path, folders, _ in os.walk(folder):
            for name in folders:
                with suppress(OSError):
                    if not (Path(path) / name).is_symlink():
                        (Path(path) / name).chmod(0o700)
        shutil.rmtree(folder)
