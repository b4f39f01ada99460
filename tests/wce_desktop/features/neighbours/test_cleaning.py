"""The window *Clean labels* by keys: a planted wrong label, copies and outliers; each answer can be undone."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import REPORTER, alike_session, embeddings_of, label, scores_of, write_embeddings
from tests.wce_desktop.windows import press, wait, window_on
from training.errors import UserError
from wce_desktop.features.neighbours.clean_window import CleanWindow
from wce_desktop.features.neighbours.suspects import checked_keys, find_entries, keep_entry
from wce_desktop.library import Library
from wce_desktop.library.backup.backups import backup, restore_backup
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow


def _session(folder: Path) -> Session:
    """Blood is called normal in study “one”; a frame of “three” is that of “two”, another one lies far away."""
    session = alike_session(folder)
    for study_id in ("one", "two", "three"):
        label(session, study_id, "normal", 8, 14)
        label(session, study_id, "polyp", 14, 16)
        if study_id != "one":
            label(session, study_id, "blood", 4, 8)
    label(session, "one", "blood", 4, 6)
    label(session, "one", "normal", 6, 8)
    changed = embeddings_of(2)
    changed[20], changed[22] = embeddings_of(1)[1], (0, 0, 50)
    write_embeddings(session, "three", changed, scores_of(), radius=28.0)
    return session


def _labels(session: Session, study_id: str, frame: int) -> list[str]:
    return [each.name for each in session.library.annotations.label_track(study_id).at(frame)]


def _shown(qtbot: QtBot, window: MainWindow) -> CleanWindow:
    press(window, "clean_labels")
    cleaning = window.features.neighbours.cleaning
    wait(qtbot, lambda: window.is_idle)
    assert cleaning.window is not None
    return cleaning.window


def _choose(qtbot: QtBot, window: MainWindow, shown: CleanWindow, kind: str) -> None:
    shown.kind.setCurrentIndex(shown.kind.findData(kind))
    wait(qtbot, lambda: window.is_idle)


def test_a_wrong_label_is_relabelled_kept_or_removed_by_one_key(qtbot: QtBot, tmp_path: Path) -> None:
    session = _session(tmp_path)
    assert find_entries(session, "label", REPORTER).frames == 72  # imports what takes long for the first time
    with window_on(qtbot, session, session.library.studies.get("two")) as window:
        shown = _shown(qtbot, window)
        first = shown.current
        assert first is not None
        assert (first.study_id, first.label, first.suggested) == ("one", "normal", "blood")
        assert list(first.frames) == [("one", 6), ("one", 7)]
        count = len(shown.entries)
        tile = shown.tiles.tiles.tile(0)
        assert tile is not None
        assert "Normal → Blood" in tile.caption
        QTest.keyClick(shown.tiles, Qt.Key.Key_K)
        assert len(shown.entries) == count - 1
        assert first.key in checked_keys(session.library, ["one"])
        QTest.keyClick(shown, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert first in shown.entries
        shown.tiles.setCurrentIndex(shown.tiles.tiles.index(shown.entries.index(first)))
        QTest.keyClick(shown.tiles, Qt.Key.Key_Y)
        assert _labels(session, "one", 6) == _labels(session, "one", 7) == ["blood"]
        assert first not in shown.entries
        assert "relabelled" in shown.said.text()
        QTest.keyClick(shown, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert _labels(session, "one", 6) == ["normal"]
        assert first in shown.entries
        shown.tiles.setCurrentIndex(shown.tiles.tiles.index(shown.entries.index(first)))
        QTest.keyClick(shown.tiles, Qt.Key.Key_Backspace)
        assert _labels(session, "one", 6) == []
        assert _labels(session, "one", 8) == ["normal"]


def test_what_was_checked_comes_back_with_a_backup(tmp_path: Path) -> None:
    session = _session(tmp_path)
    library = session.library
    entry = find_entries(session, "outlier", REPORTER).entries[0]
    session.edits.apply_to_studies("Checked as right", {entry.study_id: [keep_entry(library, entry)]})
    folder = library.folder
    copy = backup(folder, always=True)
    session.edits.undo()
    assert not checked_keys(library, [entry.study_id])
    library.close()
    restore_backup(folder, copy)
    with Library.open(folder, "reader") as restored:
        assert checked_keys(restored, [entry.study_id]) == {entry.key}


def test_copies_and_outliers_open_and_are_labelled(qtbot: QtBot, tmp_path: Path) -> None:
    session = _session(tmp_path)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        shown = _shown(qtbot, window)
        _choose(qtbot, window, shown, "duplicate")
        copy = shown.current
        assert copy is not None
        assert {(copy.study_id, copy.frame_index), copy.other} == {("two", 1), ("three", 20)}
        wait(qtbot, lambda: window.features.neighbours.cleaning._picture(copy.study_id, copy.frame_index) is not None)
        picture = window.features.neighbours.cleaning._picture(copy.study_id, copy.frame_index)
        assert picture is not None
        assert picture.width() == 2 * picture.height()
        key = session.vocabulary.of("polyp").key
        QTest.keyClicks(shown.tiles, key)
        assert _labels(session, "two", 1) == _labels(session, "three", 20) == ["polyp"]
        QTest.keyClick(shown.tiles, Qt.Key.Key_O)
        assert copy.other is not None
        other_study, other_frame = copy.other
        wait(qtbot, lambda: window.is_idle and window.player.frame_index == other_frame)
        assert session.reading is not None
        assert session.reading.study.study_id == other_study
        _choose(qtbot, window, shown, "outlier")
        assert shown.current is not None
        assert (shown.current.study_id, shown.current.frame_index) == ("three", 22)


def test_lists_agree_with_the_library(tmp_path: Path) -> None:
    session = _session(tmp_path)
    found = find_entries(session, "outlier", REPORTER)
    assert found.frames == 72
    values = [entry.value for entry in found.entries]
    assert values == sorted(values, reverse=True)
    assert np.isfinite(values).all()
    few = find_entries(session, "outlier", REPORTER, sample=50)
    assert few.frames == 50
    session.library.close()


def test_too_few_labels_are_a_sentence(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        shown = _shown(qtbot, window)
        assert "Label more patients" in shown._message.text()


def test_labelled_studies_without_scores_are_to_be_scored(tmp_path: Path) -> None:
    session = alike_session(tmp_path)
    for study_id, name in (("one", "blood"), ("two", "polyp"), ("three", "blood")):
        label(session, study_id, name, 4, 8)
    for study_id in ("two", "three"):
        session.files(session.library.studies.get(study_id)).scores_path(session.model_id).unlink()
    with pytest.raises(UserError, match="fewer than two classes") as caught:
        find_entries(session, "label", REPORTER)
    assert "Score the other labelled studies" in caught.value.hint
    session.library.close()
