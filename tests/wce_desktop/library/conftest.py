"""A library in a fresh folder, and what every test of it needs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library


@pytest.fixture(scope="session")
def empty_here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty library with its database in its folder."""
    folder = tmp_path_factory.mktemp("empty") / "library"
    Library.open(folder, "reader").close()
    return folder


@pytest.fixture(scope="module")
def empty_library(database: str, request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty library, made once: tests take copies."""
    if database == "here":
        return Path(request.getfixturevalue("empty_here"))
    folder = tmp_path_factory.mktemp("empty") / "library"
    Library.open(folder, "reader").close()
    return folder


@pytest.fixture
def folder(tmp_path: Path, empty_library: Path) -> Path:
    """The folder of a fresh, empty library."""
    return Path(shutil.copytree(empty_library, tmp_path / "library"))


@pytest.fixture
def library(folder: Path) -> Iterator[Library]:
    """A fresh library, open."""
    with Library.open(folder, "reader") as opened:
        yield opened


@pytest.fixture
def study(library: Library, tmp_path: Path) -> Study:
    """A study of 1,000 frames in the library."""
    return library.studies.add(tmp_path / "video.mp4", frame_count=1000, fingerprint="abc")


def make_label(study_id: str, start: int, stop: int, name: str = "polyp") -> Label:
    """A label with an identity of its own."""
    return Label(new_id(), study_id, Span(start, stop), name, reader="reader")
