"""Which place is searched for, and in which studies."""

from pathlib import Path

import pytest

from tests.wce_desktop.features.places.passes import POLYP, passes_session
from tests.wce_desktop.sessions import open_study
from training.errors import UserError
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.places.place_search import (
    FRAMES_AROUND,
    check_place,
    missing_words,
    place_query,
    study_choices,
)
from wce_desktop.features.places.study_clips import StoredEmbeddings

STORED = StoredEmbeddings("m1", "Model 1").words


def test_the_marked_span_goes_before_the_finding_the_flag_and_the_frames_around(tmp_path: Path) -> None:
    session = passes_session(tmp_path, "a")
    open_study(session, session.library.studies.get("a"))
    reading = session.opened()
    check_place(reading, 1)
    session.show_frame(30)
    assert place_query(reading).span == Span(30 - FRAMES_AROUND, 30 + FRAMES_AROUND + 1)
    session.show_frame(2)
    assert place_query(reading).span == Span(0, 2 + FRAMES_AROUND + 1), "cut at the start of the study"
    session.mark_span(39, 40)
    assert place_query(reading).span == Span(36, 40), "a short one is widened"
    session.mark_span(20, 22)
    assert place_query(reading).span == Span(19, 23)
    session.mark_span(None, None)
    session.show_frame(POLYP.start + 1)
    assert place_query(reading).span == Span(POLYP.start, POLYP.stop)
    session.edits.apply("Finding", [Add(Finding("f-1", "a", "polyp", Span(9, 20)))])
    found = place_query(reading)
    assert (found.span, found.frame_index) == (Span(9, 20), POLYP.start + 1)
    assert found.words == "11 frames from 0:00:00 (the finding here)"
    session.mark_span(20, 24)
    found = place_query(reading)
    assert (found.span, found.frame_index) == (Span(20, 24), 22)
    session.close_study()
    with pytest.raises(UserError, match="No study is open"):
        check_place(session.opened(), 1)
    session.library.close()


def studies(*patients: str) -> list[Study]:
    return [Study(f"s{at}", patient, f"Study {at}", Path("v.mp4")) for at, patient in enumerate(patients)]


def test_studies_of_the_same_patient_come_first() -> None:
    held = studies("p1", "p2", "p1", "p3")
    choices = study_choices(held, held[0], lambda study: study.study_id != "s3", STORED.state)
    assert [choice.title for choice in choices] == [
        "All studies of this patient (1)",
        "All other studies (3)",
        "Study 2 · this patient",
        "Study 1",
        "Study 3 · not scored",
    ]
    assert len(choices[1].ready) == 2
    assert missing_words(choices[1].missing, STORED, lambda _: False) == "Not scored by the model in use: Study 3."
    assert missing_words(choices[1].missing, STORED, lambda _: True) == "Being scored: Study 3."
    assert not missing_words(choices[0].missing, STORED, lambda _: False)


def test_a_patient_with_one_study_is_searched_for_in_all_others() -> None:
    held = studies("p1", *["p2"] * 5)
    choices = study_choices(held, held[0], lambda _: False, STORED.state)
    assert choices[0].title == "All other studies (5)"
    assert missing_words(choices[0].missing, STORED, lambda _: False).endswith(
        "Study 1, Study 2, Study 3 and 2 others."
    )
    assert len({choice.key for choice in choices}) == len(choices)


def test_all_studies_of_a_patient_and_the_only_one_are_different_rows() -> None:
    held = studies("p1", "p1")
    choices = study_choices(held, held[0], lambda _: True, STORED.state)
    assert len({choice.key for choice in choices}) == 2
