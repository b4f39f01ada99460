"""The reading protocols in the real window."""

from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import add_study, make_session
from tests.wce_desktop.windows import wait, window_on
from wce_desktop.core import Span
from wce_desktop.features.report.model.gathering import gather


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
