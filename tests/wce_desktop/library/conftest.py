"""A library in a fresh folder, and what every test of it needs."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import Server, make_library
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library


@pytest.fixture(scope="session")
def empty_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty library, made once: tests take copies."""
    folder = tmp_path_factory.mktemp("empty") / "library"
    Library.open(folder, "reader").close()
    return folder


ON_BOTH = {
    "test_audit", "test_edits", "test_edits_of_several_studies", "test_finding_links", "test_models", "test_runs",
    "test_seen", "test_studies", "test_three_states", "test_worklist",
}  # fmt: skip
"""Modules whose tests run with the database in the folder, and with it on a server."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let the tests of the library's content run on both databases."""
    if metafunc.module.__name__.rpartition(".")[2] in ON_BOTH and "folder" in metafunc.fixturenames:
        metafunc.parametrize("folder", ["here", "server"], indirect=True)


@pytest.fixture
def folder(tmp_path: Path, empty_library: Path, request: pytest.FixtureRequest) -> Path:
    """The folder of a fresh, empty library."""
    if getattr(request, "param", "here") == "here":
        return Path(shutil.copytree(empty_library, tmp_path / "library"))
    server: Server = request.getfixturevalue("postgres")
    name = server.database(request.getfixturevalue("made_on_server"))
    make_library(server.address(name, "reader"), tmp_path / "library")
    return tmp_path / "library"


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
