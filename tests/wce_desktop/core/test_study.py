"""How far the reading of a study has come."""

from pathlib import Path

import pytest

from wce_desktop.core.study import STATES, Study, StudyState, advance, readable_name


def study(**fields: object) -> Study:
    return Study(**{"study_id": "s", "patient_id": "p", "name": "n", "path": Path("v.mp4"), **fields})  # type: ignore[arg-type]


def test_the_list_shows_the_state() -> None:
    assert study(state="reading", frame_count=1000, seen_frames=878).state_text == "in reading"
    assert study(state="finished").state_text == "finished"
    assert study().seen_share == 0.0


@pytest.mark.parametrize("state", STATES)
def test_a_study_only_moves_on(state: StudyState) -> None:
    assert advance(state, "new") == state
    assert advance("new", state) == state
    assert advance(state, "finished") == "finished"


def test_a_study_without_a_name_gets_one_that_a_person_can_read() -> None:
    video = Path("capsules/P03/video.mp4")
    assert readable_name(video, ()) == "video"
    assert readable_name(video, {"video"}) == "video (P03)"
    assert readable_name(video, {"video", "video (P03)"}) == "video 2"
    nameless = Path("out/s-57ff33fb00112233.mp4")
    assert readable_name(nameless, ()) == "Study 1"
    assert readable_name(nameless, {"Study 1", "Study 2"}) == "Study 3"
    assert readable_name(Path("s-57ff.mp4"), ()) == "s-57ff", "somebody has called it so"


def test_impossible_values_are_refused() -> None:
    with pytest.raises(ValueError, match="not 'lost'"):
        study(state="lost")
    with pytest.raises(ValueError, match="threshold"):
        study(threshold=1.5)


def test_a_study_is_called_by_patient_and_date_as_far_as_they_were_entered() -> None:
    assert study().shown_name == "n"
    assert study(exam_date="2026-01-02").shown_name == "n · 2026-01-02"
    assert study(pseudonym="K1").shown_name == "K1 · n"
    assert study(pseudonym="K1", exam_date="2026-01-02").shown_name == "K1 · 2026-01-02 · n"
