"""What was measured of a study, in words, until and after the reader confirms it; and what is left out of reading."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.wce_desktop.sessions import FRAMES, add_study, make_session, open_study
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.span import Span
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.features.suggested_findings.filters import BLOOD as FILTER
from wce_desktop.features.suggested_findings.filters import Filter
from wce_desktop.session.completeness.frame_audit import frames_to_audit
from wce_desktop.session.completeness.measured import measured
from wce_desktop.session.completeness.protocol import share_seen
from wce_desktop.session.completeness.reading_facts import reading_facts
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.session.edits import part_change
from wce_desktop.session.session import Session

VISIBLE, BLOOD = np.full(FRAMES, 0.8), np.zeros(FRAMES)
VISIBLE[20:32] = 0.05
BLOOD[5:8], BLOOD[30:55] = 0.9, 0.9  # frames 30 and 31 are full of blood


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    made = make_session(tmp_path)
    open_study(made, add_study(made, tmp_path, tracks={"visible_mucosa": VISIBLE, "blood": BLOOD}))
    yield made
    made.close_study()
    made.library.close()


def set_small_bowel(session: Session, start: int, stop: int) -> None:
    study_id = session.opened().study.study_id
    marks = [Landmark("a", study_id, Region.SMALL_BOWEL, start), Landmark("b", study_id, Region.COLON, stop)]
    session.edits.apply("Set landmarks", [Add(mark) for mark in marks])


def test_a_frame_without_view_is_nowhere_to_be_read_and_a_bloody_one_is(session: Session) -> None:
    reading = session.opened()
    assert np.flatnonzero(~reading.flags.has_view).tolist() == list(range(20, 30))
    session.mark_seen(Span(0, 20))
    session.mark_seen(Span(30, 60))
    session.save_seen()
    assert still_open(reading).unseen_frames == 0
    assert share_seen(session, reading.study) == 1.0
    assert not frames_to_audit(reading).any()
    rows = {row.name: row.text for row in gather(session).reading}
    assert rows["Seen"] == "100 % of the study, 50 of 50 frames"
    assert rows["Visible mucosa"] == "10 frames without visible mucosa are left out."
    facts = reading_facts(session, reading.study.study_id)
    assert facts is not None
    assert (facts.study.seen, facts.study.frames) == (50, 50)


def test_cleansing_is_automatic_until_it_is_confirmed(session: Session) -> None:
    assert not measured(session.opened())["cleansing"].words, "the small bowel is not known"
    set_small_bowel(session, 0, 20)
    value = measured(session.opened())["cleansing"]
    assert value.words.startswith("visible mucosa: small bowel 80 %, CAC 1.00")
    row = {row.name: row.text for row in gather(session).examination}["Measured"]
    assert row.startswith("Visible mucosa: small bowel 80\N{NO-BREAK SPACE}%")
    assert row.endswith("(automatic, not confirmed)")
    confirm(session, cleansing=value.figures)
    row = {row.name: row.text for row in gather(session).examination}["Measured"]
    assert row.endswith("confirmed by the reader)")
    session.edits.undo()
    assert not measured(session.opened())["cleansing"].is_confirmed


def test_blood_is_in_the_report_once_it_is_confirmed_and_of_the_small_bowel_only(session: Session) -> None:
    assert "28 frames" in measured(session.opened())["blood"].words
    set_small_bowel(session, 10, 50)
    value = measured(session.opened())["blood"]
    assert value.words == "blood suspected by colour alone, 20 frames at 0:00:01"
    assert "Blood indicator" not in {row.name for row in gather(session).examination}
    confirm(session, blood=value.figures)
    rows = {row.name: row.text for row in gather(session).examination}
    assert rows["Blood indicator"].startswith("Blood suspected by colour alone, 20 frames")
    facts = reading_facts(session, session.opened().study.study_id)
    assert facts is not None
    assert (facts.blood, facts.is_blood_suspected) == (20, True)


def test_the_overview_shows_flags_with_a_mark(session: Session) -> None:
    reading = session.opened()
    assert [event.name for event in Filter(FILTER).apply(reading, "time")] == ["blood"]
    assert len(Filter().apply(reading, "time")) == 2
    set_small_bowel(session, 0, 20)
    assert not len(Filter(FILTER).apply(reading, "time")), "the mark lies in the colon"


def confirm(session: Session, **figures: str) -> None:
    session.edits.apply("Confirm", [part_change(session.opened(), "texts", figures, "reader")])
