"""Chosen frames as CSV: every frame once or once a label, ids and no names, readable as labels."""

import csv
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import REPORTER, alike_session, label
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours import frame_export
from wce_desktop.features.neighbours.frame_export import GAP_PX, PICTURE_PX, write_contact_sheet, write_frames_csv
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces

FRAMES = [("one", 2), ("one", 3), ("two", 5)]
CAPTIONS = {address: (f"{address[0]}  0:00:00", "frame") for address in FRAMES}


def test_frames_are_masked_and_stand_beside_each_other(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one", "two"))
    path = tmp_path / "sheet.png"
    assert write_contact_sheet(path, FRAMES, CAPTIONS, FramePlaces(session), "3 frames", REPORTER) == 3
    sheet = QImage(str(path))
    assert sheet.width() == 3 * (PICTURE_PX + GAP_PX) + GAP_PX
    for number in range(3):
        left = GAP_PX + number * (PICTURE_PX + GAP_PX)
        assert sheet.pixelColor(left + 1, GAP_PX + 1) == QColor("black")  # the corner, where a name would stand
        assert sheet.pixelColor(left + PICTURE_PX // 2, GAP_PX + PICTURE_PX // 2) != QColor("black")
    assert list(tmp_path.glob("*.new")) == []
    session.library.close()


def test_stopped_or_nowhere_to_write_leaves_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one", "two"))
    with pytest.raises(UserError, match="cannot be written"):
        write_contact_sheet(tmp_path / "no" / "a.png", FRAMES, CAPTIONS, FramePlaces(session), "", REPORTER)

    class Stopped(SilentReporter):
        def check(self) -> None:
            raise Cancelled

    with pytest.raises(Cancelled):
        write_contact_sheet(tmp_path / "b.png", FRAMES, CAPTIONS, FramePlaces(session), "", Stopped())
    assert not (tmp_path / "b.png").exists()
    session.library.close()


def test_a_study_whose_tissue_is_not_found_is_let_go(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = alike_session(tmp_path, ("one",))
    closed: list[str] = []
    source = SimpleNamespace(close=lambda: closed.append("source"))

    def nothing_decodes(_: object) -> None:
        raise UserError("No frame of it decodes.")

    monkeypatch.setattr(frame_export, "open_source", lambda *_, **__: source)
    monkeypatch.setattr(frame_export, "study_field_of_view", nothing_decodes)
    places = FramePlaces(session)
    with pytest.raises(UserError, match="No frame"):
        write_contact_sheet(
            tmp_path / "a.png",
            [("one", 2)],
            CAPTIONS,
            lambda name: replace(places(name), field_of_view=None),
            "",
            REPORTER,
        )
    assert closed == ["source"]
    session.library.close()


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
    assert fact.caption == "gone · –"
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


def test_a_video_that_has_changed_is_named_and_one_never_opened_is_indexed(tmp_path: Path) -> None:
    session = alike_session(tmp_path, ("one",))
    path = session.files(session.library.studies.get("one")).index_path
    path.unlink(missing_ok=True)
    assert len(FramePlaces(session)("one").index) > 0
    assert path.is_file()
    path.unlink()
    session.library.studies.update("one", fingerprint="0" * 64)
    with pytest.raises(UserError, match="“Mrs one” has changed since it was added"):
        FramePlaces(session)("one")
    session.library.close()
