"""What must not hold the window up: counting in the database, and reading again what an edit did not touch."""

import threading
from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.windows import main_window, press, wait
from wce_desktop.core.span import SpanSet
from wce_desktop.library.label_counts import LabelTotals
from wce_desktop.session.reading import Reading


def test_what_finetuning_would_use_is_counted_beside_the_window(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        library, counted_in = window.session.library, list[threading.Thread]()
        count = library.models.label_totals

        def counted(*left_out: Collection[str]) -> LabelTotals:
            counted_in.append(threading.current_thread())
            return count(*left_out)

        monkeypatch.setattr(library.models, "label_totals", counted)
        qtbot.keyClick(window, Qt.Key.Key_1)
        wait(qtbot, lambda: bool(counted_in) and not window.features.learning._counter.is_busy)
        assert threading.main_thread() not in counted_in
        assert "1" in window.features.reading.findings._labels.text()


def test_edits_of_labels_and_landmarks_read_nothing_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        session, read = window.session, list[str]()
        reload_items = session.edits.reload_items

        def reading_again(reading: Reading) -> None:
            read.append("items")
            reload_items(reading)

        monkeypatch.setattr(session.edits, "reload_items", reading_again)
        qtbot.keyClick(window, Qt.Key.Key_1)
        assert read == []
        qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
        assert session.reading is not None
        assert len(session.reading.entries.landmarks) == 1
        assert read == []


def test_playing_flags_only_takes_the_frames_of_all_events(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with main_window(qtbot, tmp_path) as window:
        taken: list[NDArray[np.bool_] | None] = []
        monkeypatch.setattr(window.player, "set_flagged_frames", taken.append)
        press(window, "play_flagged")
        reading = window.session.reading
        assert reading is not None
        assert taken[0] is not None
        assert SpanSet.from_mask(taken[0]) == SpanSet(event.span for event in reading.flags.events)
        press(window, "play_flagged")
        assert taken[-1] is None
