"""The oldest glibc that a bundle runs with."""

import re
from collections.abc import Iterator
from pathlib import Path

VERSION = re.compile(rb"\0GLIBC_(\d+)\.(\d+)(?=[.\0])")
RELEASES = (
    ((2, 28), "Debian 11, Ubuntu 20.04 or RHEL 8"),
    ((2, 31), "Debian 11, Ubuntu 20.04 or RHEL 9"),
    ((2, 34), "Debian 12, Ubuntu 22.04 or RHEL 9"),
    ((2, 35), "Debian 12, Ubuntu 22.04 or Fedora 36"),
    ((2, 36), "Debian 12, Ubuntu 24.04 or Fedora 37"),
    ((2, 39), "Debian 13, Ubuntu 24.04 or Fedora 40"),
)
"""(glibc, the oldest releases that have it or a newer one), oldest first."""


def elf_files(folder: Path) -> Iterator[Path]:
    """Programs and shared libraries below a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def needed_glibc(folder: Path) -> tuple[int, int]:
    """The newest version of glibc's symbols that any program or library below a folder names."""
    found = [(2, 17)]
    for path in elf_files(folder):
        found += [(int(major), int(minor)) for major, minor in VERSION.findall(path.read_bytes())]
    return max(found)


def releases(needed: tuple[int, int]) -> str:
    """Examples of releases of Linux that are new enough."""
    return next((names for version, names in RELEASES if version >= needed), "the newest one of your distribution")
