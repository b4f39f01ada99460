"""A session with the little study open."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import add_study, make_session, open_study
from wce_desktop.app.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """An empty library with a model in use."""
    made = make_session(tmp_path)
    yield made
    made.close_study()
    made.library.close()


@pytest.fixture
def opened(session: Session, tmp_path: Path) -> Session:
    """The same with the scored study open."""
    open_study(session, add_study(session, tmp_path))
    return session
