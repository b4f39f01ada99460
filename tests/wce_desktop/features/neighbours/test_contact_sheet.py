"""A contact sheet: every frame once, black outside the field of view, ids instead of names, written whole or not."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import REPORTER, alike_session
from training.errors import UserError
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.features.neighbours.view import contact_sheet
from wce_desktop.features.neighbours.view.contact_sheet import GAP_PX, PICTURE_PX, write_contact_sheet
from wce_desktop.session.frame_facts import FramePlaces

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

    monkeypatch.setattr(contact_sheet, "open_source", lambda *_, **__: source)
    monkeypatch.setattr(contact_sheet, "study_field_of_view", nothing_decodes)
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
