"""The reading protocols in the real window."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import CLASSES, add_study, known_scores, make_session, write_scores
from tests.wce_desktop.windows import wait, window_on
from wce_desktop.core import Span
from wce_desktop.core.event import Scores
from wce_desktop.core.study import Study
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.session.session import Session


def rows_of(session) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {row.name: row.text for row in gather(session).reading}


def test_unaided_first_hides_flags_until_everything_was_seen(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.settings.set("protocol", "unaided")
    study = add_study(session, tmp_path)
    with window_on(qtbot, session, study) as window:
        reading = window.workspace.reading
        assert reading.flags.is_hidden
        assert not reading.flags.events
        assert not reading.flags.flag_tracks
        assert not window.menus.actions["show_overview"].isEnabled()
        assert not window.menus.actions["live_scores"].isEnabled()
        session.mark_seen(Span(0, reading.frame_count))
        session.save_seen()
        wait(qtbot, lambda: window.is_idle)
        assert not reading.flags.is_hidden
        assert reading.flags.events
        assert "first pass finished" in rows_of(session)["Protocol"]


def test_flags_that_overlap_what_was_found_are_not_offered(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    with window_on(qtbot, session, study) as window:
        reading = window.workspace.reading
        event, count = reading.flags.events[0], len(reading.flags.events)
        reading.flags.confirmed = np.zeros(reading.frame_count, dtype=bool)
        reading.flags.confirmed[event.span.start] = True
        reading.flags.find_events()
        assert len(reading.flags.events) < count
        assert event not in list(reading.flags.events)


def test_ai_first_opens_the_overview_and_says_no_audit(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.settings.set("protocol", "ai_first")
    study = add_study(session, tmp_path)
    with window_on(qtbot, session, study) as window:
        wait(qtbot, lambda: window.is_idle and not session.is_grouping)
        assert window.features.suggested_findings.overview.isVisible()
        assert rows_of(session)["Audit"] == "no audit"


@pytest.mark.parametrize("later", ["unaided", "ai_first"])
def test_a_change_of_protocol_is_recorded(qtbot: QtBot, tmp_path: Path, later: str) -> None:
    session = make_session(tmp_path)
    study = add_study(session, tmp_path)
    with window_on(qtbot, session, study) as window:
        session.mark_seen(Span(0, 2))
        session.save_seen()
        session.settings.set("protocol", later)
        session.settings_changed.emit()
        wait(qtbot, lambda: window.is_idle)
        assert "AI with full reading; changed to" in rows_of(session)["Protocol"]
        assert window.workspace.reading.flags.is_hidden == (later == "unaided")


def as_second_reader(session: Session, study: Study) -> Study:
    return session.library.studies.add_second(study.study_id, "Second")


@pytest.mark.parametrize("protocol", ["full", "unaided", "ai_first"])
def test_a_second_reader_reads_by_the_protocol_apart_from_the_first(
    qtbot: QtBot, tmp_path: Path, protocol: str
) -> None:
    session = make_session(tmp_path)
    session.settings.set("protocol", protocol)
    study = add_study(session, tmp_path)
    with window_on(qtbot, session, study) as window:
        session.mark_seen(Span(0, window.workspace.reading.frame_count))
        session.save_seen()
        wait(qtbot, lambda: window.is_idle and not session.is_grouping)
        assert window.workspace.reading.flags.events
        window.features.studies.open_study(as_second_reader(session, study))
        wait(qtbot, lambda: session.reading is not None and window.is_idle and not session.is_grouping)
        reading = window.workspace.reading
        assert reading.study.second_of == study.study_id
        assert reading.flags.is_hidden == (protocol == "unaided")
        assert window.features.suggested_findings.overview.isVisible() == (protocol == "ai_first")
        session.mark_seen(Span(0, 20))
        session.save_seen()
        assert rows_of(session)["Protocol"] in ("AI with full reading", "Unaided first", "AI first")
        if protocol != "unaided":
            assert reading.seen_before_flags is not None
            assert not reading.seen_before_flags.any(), "what the first reader saw does not count"
            return
        assert reading.flags.is_hidden, "the first reader's first pass is not the second one's"
        session.finish_reading(True)
        wait(qtbot, lambda: window.is_idle)
        assert reading.flags.events
        assert reading.seen_before_flags is not None
        assert np.flatnonzero(reading.seen_before_flags).tolist() == list(range(20))


@pytest.mark.parametrize("protocol", ["full", "unaided", "ai_first"])
def test_a_study_that_is_scored_while_it_is_read(qtbot: QtBot, tmp_path: Path, protocol: str) -> None:
    session = make_session(tmp_path)
    session.settings.set("protocol", protocol)
    study = add_study(session, tmp_path, is_scored=False)
    with window_on(qtbot, session, study) as window:
        reading, overview = window.workspace.reading, window.features.suggested_findings.overview
        part = Scores(CLASSES, known_scores()[:20], np.arange(20))
        session.scores.show_so_far(study.study_id, session.model_id, part)
        wait(qtbot, lambda: window.is_idle)
        assert bool(reading.flags.events) == (protocol != "unaided")
        path = session.files(study).scores_path(session.model_id)
        write_scores(path, session.model_id, known_scores(), study.fingerprint)
        session.scores.scored(study.study_id, session.model_id)
        wait(qtbot, lambda: window.is_idle and not session.is_grouping)
        assert len(reading.flags.events) == (0 if protocol == "unaided" else 2)
        assert not overview.isVisible(), "what comes later does not take the place of the frame"


def test_ai_first_shows_the_overview_also_where_flags_are_not_grouped(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path)
    session.settings.set("protocol", "ai_first")
    session.settings.set("group_events", False)
    study = add_study(session, tmp_path)
    with window_on(qtbot, session, study) as window:
        assert window.features.suggested_findings.overview.isVisible()
