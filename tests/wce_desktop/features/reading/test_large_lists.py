"""The list of flags asks for the rows on screen, however many there are."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractListModel
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import make_session
from tests.wce_desktop.windows import main_window, press
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.event import EventList, find_events
from wce_desktop.core.span import Span
from wce_desktop.features.reading.event_list import EventListView
from wce_desktop.features.reading.event_model import EventListModel
from wce_desktop.features.reading.event_painting import ROW_HEIGHT, EventDelegate

EVENTS = 20_000


class CountingModel(EventListModel):
    asked = 0

    def rowCount(self, *arguments: object) -> int:
        self.asked += 1
        return super().rowCount(*arguments)  # type: ignore[arg-type]

    def data(self, *arguments: object) -> object:
        self.asked += 1
        return super().data(*arguments)  # type: ignore[arg-type]


@pytest.fixture
def model(qtbot: QtBot, tmp_path: Path) -> CountingModel:
    session = make_session(tmp_path, has_model=False)
    session.library.close()
    return CountingModel(session)


def shown(qtbot: QtBot, model: CountingModel) -> EventListView:
    view = EventListView(model, EventDelegate(model._session, lambda frame: None))
    qtbot.addWidget(view)
    view.resize(240, 10 * ROW_HEIGHT)
    view.show()
    qtbot.waitExposed(view)
    return view


def many(events: int = EVENTS) -> EventList:
    scores = np.zeros(events * 2, dtype=np.float32)
    scores[::2] = 0.9
    return EventList([find_events(scores, 0.5, "polyp")])


def test_new_events_are_shown_without_asking_for_every_row(qtbot: QtBot, model: CountingModel) -> None:
    view = shown(qtbot, model)
    model.asked = 0
    model.set_events(many())
    view.grab()
    assert view.verticalScrollBar().maximum() > 0
    assert model.asked < EVENTS / 20


def test_the_list_can_be_scrolled_to_any_event(qtbot: QtBot, model: CountingModel) -> None:
    view = shown(qtbot, model)
    model.set_events(many())
    last = model.index(EVENTS - 1)
    view.scrollTo(last)
    assert view.viewport().rect().contains(view.visualRect(last).center())
    assert isinstance(model, QAbstractListModel)


def test_only_rows_whose_peak_was_labelled_are_painted_again(
    qtbot: QtBot, model: CountingModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = shown(qtbot, model)
    model.set_events(many())
    updated: list[int] = []
    monkeypatch.setattr(view, "update", lambda index: updated.append(index.row()))
    view.repaint_events_in([Span(3, 7), Span(30_000, 30_010)])
    assert updated == [2, 3]


def test_of_many_findings_a_change_writes_one_row_and_a_picture_none(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        session = window.session
        study_id = window.workspace.reading.study.study_id
        every = [Finding.new(study_id=study_id, kind="polyp", span=Span(at % 60, at % 60 + 1)) for at in range(1_000)]
        session.edits.apply("Made", [Add(finding) for finding in every])
        press(window, "show_findings")
        written: list[Finding] = []
        panel = window.features.reading.findings
        monkeypatch.setattr(panel, "_write", lambda _, finding: written.append(finding))
        new = replace(every[77], comment="pale")
        session.edits.apply("Changed", [Replace(every[77], new)])
        assert written == [new]
        monkeypatch.setattr(panel._list, "item", None)
        panel.picture_arrived(12)
