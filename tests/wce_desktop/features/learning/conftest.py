"""Phantom studies rendered once, and a session on them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wce_desktop.phantom_sessions import phantom_session, write_phantom
from wce_desktop.session.session import Session


@pytest.fixture(scope="session")
def phantom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four studies of a patient each."""
    return write_phantom(tmp_path_factory.mktemp("phantom"))


@pytest.fixture
def session(tmp_path: Path, phantom: Path) -> Iterator[Session]:
    """A session whose first two studies are labelled."""
    made = phantom_session(tmp_path, phantom)
    yield made
    made.library.close()
