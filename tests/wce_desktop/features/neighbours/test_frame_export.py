"""Chosen frames as CSV: every frame once or once a label, ids and no names, readable as labels."""

import csv
from pathlib import Path

import pytest

from tests.wce_desktop.alike_samples import alike_session, label
from training.errors import UserError
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.model.frame_export import write_frames_csv
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces


def test_each_label_of_a_frame_is_a_row_and_no_name_is_written(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one", "two"))
    label(session, "one", "blood", 4, 6)
    label(session, "one", "polyp", 5, 6)
    path = tmp_path / "out" / "frames.csv"
    path.parent.mkdir()
    selection = FrameSelection({"one": [4, 5], "two": [0]})
    assert write_frames_csv(path, selection, FrameFacts(session)) == 4
    text = path.read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    said = [(row["study_id"], row["frame_index"], row["label"], row["source"]) for row in rows]
    assert said == [
        ("one", "4", "blood", "reader"),
        ("one", "5", "blood", "reader"),
        ("one", "5", "polyp", "reader"),
        ("two", "0", "", ""),
    ]
    assert rows[0]["video_seconds"] == "0.160"
    assert "Mrs" not in text
    session.library.close()


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one",))
    with pytest.raises(UserError, match="cannot be written"):
        write_frames_csv(tmp_path / "no" / "frames.csv", FrameSelection({"one": [1]}), FrameFacts(session))
    session.library.close()


def test_a_frame_of_a_study_that_has_gone_has_no_name_and_no_time(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one",))
    fact = FrameFacts(session).of("gone", 3)
    assert fact.caption == "gone –"
    assert "without a label" in fact.sentence
    with pytest.raises(UserError, match="no longer has the study 'gone'"):
        FramePlaces(session)("gone")
    session.library.close()


def test_a_video_that_was_moved_is_named(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one",))
    (tmp_path / "one.mp4").rename(tmp_path / "elsewhere.mp4")
    with pytest.raises(UserError, match="“Mrs one” was not found"):
        FramePlaces(session)("one")
    session.library.close()
