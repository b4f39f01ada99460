"""Findings of an earlier study of the patient: a line below the frame, and each searched for in the open study."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.places.passes import POLYP, passes_session, same_place
from tests.wce_desktop.features.places.person import Reader, reader_at
from tests.wce_desktop.windows import press, wait
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.span import Span
from wce_desktop.features.places.earlier_findings import EarlierStrip
from wce_desktop.session.session import Session


def with_finding(folder: Path) -> Session:
    """Pass a has a polyp in frames 10 to 17; pass b is a later one of the same patient."""
    session = passes_session(folder)
    finding = Finding.new(study_id="a", kind="polyp", span=Span(POLYP.start, POLYP.stop), key_frames=(12,))
    session.library.annotations.edit("a", "Made", [Add(finding)])
    return session


@pytest.fixture
def reader(qtbot: QtBot, tmp_path: Path) -> Iterator[Reader]:
    with reader_at(qtbot, with_finding(tmp_path), "b") as made:
        yield made


def strip(reader: Reader) -> EarlierStrip:
    return reader.main.features.places.earlier.strip


def test_a_line_names_them_and_the_pictures_come_by_a_key(qtbot: QtBot, reader: Reader) -> None:
    assert strip(reader).isVisible()
    assert strip(reader).words.text().endswith("1 finding")
    assert strip(reader).area.isHidden(), "the frame keeps its room"
    press(reader.main, "show_earlier")
    wait(qtbot, lambda: not strip(reader).buttons[0].icon().isNull())
    assert strip(reader).buttons[0].hasFocus()
    press(reader.main, "show_earlier")
    assert strip(reader).area.isHidden()


def test_a_finding_is_found_in_the_open_study(qtbot: QtBot, reader: Reader) -> None:
    press(reader.main, "show_earlier")
    QTest.keyClick(strip(reader).buttons[0], Qt.Key.Key_Return)
    wait(qtbot, lambda: reader.main.features.places.window is not None and reader.main.is_idle)
    study_id, start, _ = reader.places[0]
    assert study_id == "b"
    assert abs(start - same_place(POLYP.start)) <= 1
    assert {study_id for study_id, *_ in reader.places} == {"b"}
    assert reader.window.pair.left.shows("a")
    assert reader.shown[0] == 12
    assert not reader.session.library.annotations.findings("b"), "searching writes nothing"


def test_the_earlier_study_itself_and_other_patients_have_no_line(qtbot: QtBot, tmp_path: Path) -> None:
    with reader_at(qtbot, with_finding(tmp_path), "a") as reader:
        assert strip(reader).isHidden()
        press(reader.main, "show_earlier")
        assert "No earlier study" in reader.main.banner.text


def test_hiding_them_gives_the_keys_back_to_the_frame(reader: Reader) -> None:
    for _ in range(2):
        press(reader.main, "show_earlier")
    assert reader.main.player.hasFocus()
