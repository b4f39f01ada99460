"""The errors of a run as a grid: sorted, filtered, relabelled by a key and opened in their studies."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.alike_samples import alike_session, label
from tests.wce_desktop.windows import press, wait, window_on
from training.datasets.score_table import COLUMNS
from training.errors import NothingToDoError, UserError
from training.files.csv_text import write_csv
from training.runs.reporter import SilentReporter
from wce_desktop.features.neighbours.errors_grid import ErrorsWindow
from wce_desktop.features.neighbours.run_errors import chosen_errors, read_errors
from wce_desktop.features.neighbours.run_images import place_errors
from wce_desktop.library.runs import Run
from wce_desktop.session.session import Session
from wce_desktop.shell.main_window import MainWindow

ROWS = (  # study, patient, frame, label, scores of normal, polyp and blood
    *(("elsewhere", "pc", frame, "normal", 0.9, 0.05, 0.05) for frame in range(100, 150)),
    ("one", "pa", 5, "blood", 0.95, 0.02, 0.03),
    ("one", "pa", 6, "normal", 0.2, 0.1, 0.7),
    ("three", "pb", 15, "polyp", 0.05, 0.15, 0.8),
    ("three", "pb", 14, "polyp", 0.1, 0.8, 0.1),
    ("three", "pb", 14, "blood", 0.1, 0.8, 0.1),
    ("elsewhere", "pc", 3, "normal", 0.02, 0.9, 0.08),
)


def run_with_errors(session: Session, run_id: str = "r-cv", title: str = "Cross-validation 1") -> Run:
    """A finished run with scores of held-out frames."""
    run = session.library.runs.add(title, kind="evaluate", run_id=run_id)
    rows = [
        [0, 1, study, patient, frame, "", "", name, *scores]
        for study, patient, frame, name, *scores in ROWS
    ]  # fmt: skip
    again = [[1, *row[1:]] for row in rows]
    write_csv(run.folder / "scores.csv", [*COLUMNS, "normal", "polyp", "blood"], [*rows, *again])
    session.library.runs.finish(run_id, "done", {})
    return run


def errors_window(qtbot: QtBot, window: MainWindow) -> ErrorsWindow:
    """The window of the errors, once they are read."""
    press(window, "show_errors")
    errors = window.features.neighbours.errors.window
    assert isinstance(errors, ErrorsWindow)
    wait(qtbot, lambda: errors.isActiveWindow() and bool(errors.frames))
    return errors


def test_errors_are_read_sorted_and_filtered(tmp_path: Path) -> None:
    session = alike_session(tmp_path)
    run = run_with_errors(session)
    errors = read_errors(run)
    kinds = {(error.study_id, error.frame_index): (error.kind, error.taken_for) for error in errors}
    assert kinds == {
        ("one", 5): ("false negative", "normal"),
        ("one", 6): ("false positive", "blood"),
        ("three", 15): ("wrong class", "blood"),
        ("elsewhere", 3): ("false positive", "polyp"),
    }, "a frame with two labels is right if it is taken for one of them"
    placed = place_errors(session, run, session.vocabulary.names, SilentReporter())
    assert (len(placed.errors), placed.missing) == (3, 1)
    shown = chosen_errors(placed.errors, "", "", "", "score")
    assert [error.frame_index for error in shown] == [15, 6, 5]
    assert [error.score for error in shown] == pytest.approx([0.95, 0.8, 0.05])
    assert [error.frame_index for error in chosen_errors(placed.errors, "", "", "", "study")] == [5, 6, 15]
    assert [error.frame_index for error in chosen_errors(placed.errors, "", "blood", "pa", "score")] == [6, 5]
    assert [error.frame_index for error in chosen_errors(placed.errors, "wrong class", "", "", "clearest")] == [15]
    (run.folder / "scores.csv").write_text("seed,fold\n0,x\n")
    with pytest.raises(UserError, match="has no scores"):
        read_errors(run)
    session.library.close()


def test_a_key_relabels_the_highlighted_frame_and_undo_takes_it_back(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path)
    label(session, "one", "blood", 4, 8)
    run_with_errors(session)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        errors = errors_window(qtbot, window)
        assert errors._title.text() == "3 errors"
        assert errors._said.text() == "1 error is on a frame that is neither in this library nor in its folder."
        errors.kind.setCurrentIndex(errors.kind.findData("false negative"))
        assert errors.frames == [("one", 5)]
        tile = errors.tiles.tiles.tile(0)
        assert tile is not None
        assert tile.caption.startswith("Blood → Normal")
        QTest.keyClick(errors, Qt.Key.Key_0)
        track = session.library.annotations.label_track("one")
        assert [[label.name for label in track.at(frame)] for frame in (4, 5, 6)] == [["blood"], ["normal"], ["blood"]]
        assert errors.tiles.tiles.tile(0).answer == "accepted"  # type: ignore[union-attr]
        QTest.keyClick(errors, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        track = session.library.annotations.label_track("one")
        assert [label.name for label in track.at(5)] == ["blood"]
        errors.kind.setCurrentIndex(0)
        errors.name.setCurrentIndex(errors.name.findData("polyp"))
        errors.tiles.setFocus()
        QTest.keyClick(errors.tiles, Qt.Key.Key_Return)
        wait(qtbot, lambda: window.session.reading is not None and window.session.reading.study.study_id == "three")
        wait(qtbot, lambda: window.player.frame_index == 15)


def test_runs_and_models_shows_the_errors_of_a_run(qtbot: QtBot, tmp_path: Path) -> None:
    session = alike_session(tmp_path)
    with window_on(qtbot, session, session.library.studies.get("one")) as window:
        with pytest.raises(NothingToDoError):
            window.features.neighbours.errors.show_run()
        run_with_errors(session)
        run_with_errors(session, "r-new", "Cross-validation 2")
        session.library.runs.add("Pretrained", kind="pretrain", run_id="r-base")
        press(window, "choose_model")
        dialog = window.features.models.dialog
        dialog.tree.choose(["r-base"])
        assert not dialog.errors.isVisibleTo(dialog)
        dialog.tree.choose(["r-cv"])
        dialog.errors.click()
        errors = window.features.neighbours.errors.window
        assert isinstance(errors, ErrorsWindow)
        assert errors.run.currentData() == "r-cv"
        wait(qtbot, lambda: len(errors.frames) == 3)
        errors.run.setCurrentIndex(errors.run.findData("r-new"))
        wait(qtbot, lambda: window.is_idle and len(errors.frames) == 3)
