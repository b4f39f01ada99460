"""Frames without visible mucosa count neither as read nor as normal; without the track everything is as before."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.wce_desktop.sessions import FRAMES, add_study, make_session, open_study
from wce_desktop.core.span import Span
from wce_desktop.library.exchange.exporting import implicit_normals
from wce_desktop.session.session import Session

VISIBLE = np.full(FRAMES, 0.8)
VISIBLE[20:30] = 0.05
VISIBLE[50] = np.nan


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = make_session(tmp_path)
    yield made
    made.close_study()
    made.library.close()


@pytest.mark.parametrize(("visible", "normal"), [(None, [(0, 60)]), (VISIBLE, [(0, 20), (30, 60)])])
def test_they_are_not_normal_for_training(
    session: Session, tmp_path: Path, visible: NDArray[np.float64] | None, normal: list[tuple[int, int]]
) -> None:
    study = add_study(session, tmp_path, tracks=None if visible is None else {"visible_mucosa": visible})
    session.library.annotations.mark_seen(study.study_id, [Span(0, FRAMES)])
    finished = session.library.studies.update(study.study_id, state="finished")
    assert [(row.start, row.stop) for row in implicit_normals(session.library, finished)] == normal


def test_an_open_study_knows_which_frames_show_mucosa(session: Session, tmp_path: Path) -> None:
    open_study(session, add_study(session, tmp_path, tracks={"visible_mucosa": VISIBLE}))
    reading = session.opened()
    assert reading.flags.visible_mucosa is not None
    np.testing.assert_allclose(reading.flags.visible_mucosa, VISIBLE, atol=0.002)
    assert np.flatnonzero(~reading.flags.has_view).tolist() == list(range(20, 30))


def test_a_study_without_the_track_is_as_before(session: Session, tmp_path: Path) -> None:
    open_study(session, add_study(session, tmp_path))
    assert session.opened().flags.visible_mucosa is None
    assert session.opened().flags.has_view.all()
