"""Findings of frames that were chosen together: one a study, only the chosen frames labelled, one undo."""

from pathlib import Path

from tests.wce_desktop.alike_samples import alike_session
from tests.wce_desktop.sessions import open_study
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.bulk_labelling import new_findings


def test_frames_of_two_studies_make_two_findings_and_one_undo_takes_both_back(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one", "two"))
    open_study(session, session.library.studies.get("one"))
    made = new_findings(session, FrameSelection({"one": [4, 7], "two": [5]}), "blood")
    assert [(one.study_id, one.span.start, one.span.stop) for one in made] == [("one", 4, 8), ("two", 5, 6)]
    labels = session.library.annotations.labels("one")
    assert [(one.span.start, len(one.span), one.finding_id) for one in labels] == [
        (4, 1, made[0].finding_id),
        (7, 1, made[0].finding_id),
    ]
    assert session.edits.undo_title == "New finding: blood, 3 frames"
    session.edits.undo()
    for study_id in ("one", "two"):
        assert not session.library.annotations.findings(study_id)
        assert not session.library.annotations.labels(study_id)
    session.close_study()
    session.library.close()
