"""What stands beside the list of flags: a model of synthetic images, and where the rates come from."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import known_scores, write_scores
from tests.wce_desktop.windows import main_window, wait
from training.datasets.synthetic import SYNTHETIC_ONLY
from wce_desktop.features.reading.event_painting import ROW_HEIGHT
from wce_desktop.features.reading.flags_panel import FlagsPanel
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The study with 30 of 60 frames flagged as blood, each at another score."""
    with main_window(qtbot, tmp_path) as made:
        flag_many(made, "m1")
        made.session.scores.reload()
        yield made


def flag_many(window: MainWindow, model_id: str) -> None:
    session = window.session
    assert session.reading is not None
    scores = known_scores()
    scores[:30, 2] = np.linspace(0.6, 0.99, 30)
    write_scores(session.files(session.reading.study).scores_path(model_id), model_id, scores)


def flags(window: MainWindow) -> FlagsPanel:
    return window.features.reading.flags


@pytest.mark.parametrize("width", [1024, 1280])
def test_one_place_says_at_any_width_what_the_model_was_trained_on(window: MainWindow, width: int) -> None:
    note = window._corner.disclaimer.note
    assert note.text() == ""
    model = window.session.current_model
    assert model is not None
    (model.folder / "card.json").write_text(json.dumps({"trained_on": "synthetic"}), encoding="utf-8")
    height = window.menuBar().height()
    window.session.scores.use_model(model.model_id)
    window.resize(width, 700)
    QApplication.processEvents()
    said = [label for label in window.findChildren(QLabel) if label.isVisible() and label.text() == SYNTHETIC_ONLY]
    assert said == [note]
    assert note.width() >= note.sizeHint().width()
    assert note.height() >= note.sizeHint().height()
    assert window.menuBar().height() == height, "the frame keeps its room"


def test_frames_are_flagged_at_the_rate_that_the_card_states_for_the_source(window: MainWindow) -> None:
    model, reading = window.session.current_model, window.session.reading
    assert model is not None
    assert reading is not None
    raw = reading.flags.track("polyp").copy()
    usual = float(np.nanquantile(raw, 0.7))

    def flagged(*sources: str | None, of_study: str = "X") -> bool:
        """Whether polyps are flagged from the threshold of the card on; else they are from 0.50 on."""
        thresholds = {"any": {"0.05": 0.9}, "polyp": {"0.005": usual, "0.01": usual / 2}}
        points = {"sources": [{"source": source, "thresholds": thresholds} for source in sources]}
        (model.folder / "card.json").write_text(json.dumps({"operating_points": points}), encoding="utf-8")
        reading.study = replace(reading.study, source=of_study)
        window.session.scores.use_model(model.model_id)
        is_rate = reading.flags.scale is not None
        assert flags(window)._value.text() == ("5 per 1,000" if is_rate else "0.50")
        at = np.float32(usual if is_rate else 0.5)
        assert np.array_equal(reading.flags.track("polyp") >= np.float32(0.5), raw >= at)
        return is_rate

    assert flagged("X", "Y", None)
    assert "training did not see" in flags(window)._origin.text()
    assert (flags(window)._slider.minimum(), flags(window)._slider.maximum()) == (10, 90)
    assert not flagged("Y", None)
    assert not flagged("Y", None, of_study=""), "it may be of any source"
    assert flagged(None), "no source was known"
    window.session.close_study()
    assert flags(window)._origin.text() == ""


def test_in_a_low_window_the_list_keeps_its_room(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(960, 500)
    wait(qtbot, lambda: flags(window).budget.isHidden())  # T and the menu Reading do the same
    wait(qtbot, lambda: flags(window).list.viewport().height() >= 2 * ROW_HEIGHT)
    window.resize(1280, 800)
    wait(qtbot, lambda: flags(window).budget.measure.isVisible())
