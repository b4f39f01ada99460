"""In the first pass of *unaided first* nothing in the window says what a model or an indicator suggests.

A scored study is compared with one that was never scored: all texts, tooltips, rows, marks and what keys do are equal.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import FRAMES, add_study, known_scores, make_session, write_scores
from tests.wce_desktop.windows import wait, window_on
from training.embeddings.file import EmbeddingFile
from training.errors import UserError
from training.runs.reporter import SilentReporter
from wce_desktop.core.blood import TRACK as BLOOD
from wce_desktop.core.visible_mucosa import TRACK as MUCOSA
from wce_desktop.features.models.model_comparison import changed_flags
from wce_desktop.features.neighbours.what_next import WhatNext
from wce_desktop.features.places.study_view import StudyReader
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.session.completeness.reading_facts import reading_facts
from wce_desktop.shell.main_window import MainWindow

KEYS = (
    "N", "P", "Shift+N", "Shift+B", "F", "Return", "Backspace", "Shift+Backspace", "E", "Shift+E", "C", "W", "A", "Y",
    "Shift+A", "L", "K", "Shift+K", "X", "Shift+G", "Alt+J", "J", "T", "[", "]", "F6", "Shift+H", "H",
)  # fmt: skip
BLOOD_FROM = 30


@contextmanager
def unaided(qtbot: QtBot, folder: Path, *, is_scored: bool) -> Iterator[MainWindow]:
    """The research desk with the study open, hidden by the protocol, at frame 12, which a model flags."""
    folder.mkdir()
    session = make_session(folder)
    session.settings.set("protocol", "unaided")
    study = add_study(session, folder, is_scored=False)
    session.library.studies.update(study.study_id, last_frame=12)
    if is_scored:
        path = session.files(study).scores_path(session.model_id)
        blood = (np.arange(FRAMES) >= BLOOD_FROM).astype(float)
        tracks = {MUCOSA: np.ones(FRAMES), BLOOD: blood}
        write_scores(path, session.model_id, known_scores(), study.fingerprint, tracks)
        session.scores.scored(study.study_id, session.model_id)
    with window_on(qtbot, session, session.library.studies.get(study.study_id)) as window:
        yield window


def texts(window: MainWindow) -> set[str]:
    """What can be read in the windows that are open: titles, labels, buttons, tooltips and rows."""
    result = set[str]()
    for top in QApplication.topLevelWidgets():
        if not top.isVisible():
            continue
        result.add(top.windowTitle())
        for widget in (top, *top.findChildren(QWidget)):
            if not widget.isVisible():
                continue
            result |= {widget.toolTip(), widget.statusTip(), widget.accessibleDescription()}
            if isinstance(widget, QLabel | QAbstractButton):
                result.add(widget.text())
            if isinstance(widget, QAbstractItemView) and (model := widget.model()) is not None:
                columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
                for row in range(model.rowCount()):
                    for column in range(columns):
                        index = model.index(row, column)
                        roles = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole)
                        result |= {str(model.data(index, role) or "") for role in roles}
    path = str(window.workspace.reading.study.path)
    lines = {line for text in result for line in text.replace(path, "").splitlines()}
    lines = {line for line in lines if "seen" not in line and "saved" not in line}  # these change with time
    return lines - {"scored", "new"}  # that a study was scored is no suggestion


def marks(window: MainWindow) -> tuple[object, ...]:
    """What the timeline draws of suggestions, and which frame is on screen."""
    content = window.workspace.timeline.content
    overlay = window.workspace.player.frame_view.overlay
    return (
        content.tracks, list(content.events), content.blood is None, content.no_scores, overlay.layer(12) is None,
        window.workspace.reading.place.frame_index,
    )  # fmt: skip


def states(window: MainWindow) -> dict[str, bool]:
    return {name: action.isEnabled() for name, action in window.menus.actions.items()}


def read_with_keys(qtbot: QtBot, window: MainWindow) -> list[tuple[str, tuple[object, ...]]]:
    """Press each key where the focus is; what can be read and seen after each."""
    result: list[tuple[str, tuple[object, ...]]] = []
    for key in ("", *KEYS):
        window.workspace.player.setFocus()
        if key:
            QTest.keySequence(window.workspace.player, QKeySequence(key))
        qtbot.wait(1)
        wait(qtbot, lambda: window.is_idle)
        result.append((key, (texts(window), marks(window), states(window))))
    return result


def test_a_scored_study_looks_as_one_without_scores(qtbot: QtBot, tmp_path: Path) -> None:
    with unaided(qtbot, tmp_path / "scored", is_scored=True) as window:
        assert window.workspace.reading.flags.is_hidden
        scored = read_with_keys(qtbot, window)
        report = gather(window.session)
    with unaided(qtbot, tmp_path / "new", is_scored=False) as window:
        new = read_with_keys(qtbot, window)
        assert gather(window.session).model == report.model
    for (key, shown), (_, other) in zip(scored, new, strict=True):
        for now, then in zip(shown, other, strict=True):
            assert now == then, key


def test_files_of_a_hidden_study_are_read_without_suggestions(qtbot: QtBot, tmp_path: Path) -> None:
    with unaided(qtbot, tmp_path / "scored", is_scored=True) as window:
        session, study = window.session, window.workspace.reading.study
        files, model = session.files(study), session.current_model
        assert model is not None
        with files.open_embeddings(files.scores_path(session.model_id)) as file:
            assert (file.scores, file.cams) == (None, None)
            assert list(file.tracks or ()) == [MUCOSA], "how much mucosa is visible is no suggestion"
        with EmbeddingFile.open(files.scores_path(session.model_id)) as file:
            assert BLOOD in (file.tracks or {})
        assert files.read_scores(session.model_id, FRAMES) is None
        assert files.has_scores(session.model_id), "it is not scored again"
        assert reading_facts(session, study.study_id).flags_left is None  # type: ignore[union-attr]
        assert changed_flags(session, model, model) is None
        (shown,) = StudyReader(session).read([study.study_id]).values()
        assert not shown.tracks  # type: ignore[union-attr]
        with pytest.raises(UserError, match="No study has been scored"):
            WhatNext(session).find(SilentReporter())
        session.settings.set("protocol", "full")
        assert reading_facts(session, study.study_id).flags_left == 2  # type: ignore[union-attr]
        assert StudyReader(session).read([study.study_id])[study.study_id].tracks  # type: ignore[union-attr]
