"""The map window beside the real main window: kept maps, new ones, and both ways between map and session."""

from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.embedding_map.maps import keep_map, make_request
from tests.wce_desktop.sessions import write_scores
from tests.wce_desktop.windows import answer_input, main_window, press, wait
from training.commands.score import ScoreCommand
from training.projection.map_file import ProjectionFile
from training.runs.events import Outcome
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.embedding_map.map_window import MapWindow
from wce_desktop.features.reading import annotating
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window with the scored study open."""
    with main_window(qtbot, tmp_path) as window:
        yield window


@pytest.fixture
def shown(qtbot: QtBot, window: MainWindow) -> MapWindow:
    """The map window with a kept map on it, coloured."""
    keep_map(window.session)
    press(window, "show_map")
    wait(qtbot, lambda: len(window.features.map.dialog.canvas.state.points) == 60 and window.is_idle)
    return window.features.map.dialog


def study_id(window: MainWindow) -> str:
    reading = window.session.reading
    assert reading is not None
    return reading.study.study_id


def frame_of(window: MainWindow) -> int:
    """The frame on screen, or -1."""
    return window.session.reading.place.frame_index if window.session.reading is not None else -1


def legend_words(dialog: MapWindow) -> list[str]:
    return [dialog.legend.rows.item(row).text() for row in range(dialog.legend.rows.count())]


def test_the_newest_map_opens_and_follows_pointer_span_selection_and_colour(
    qtbot: QtBot, window: MainWindow, shown: MapWindow
) -> None:
    assert "t-SNE of 60 frames, 1 study" in shown.maps.note.text()
    assert "do not decode" in shown.maps.note.text()
    assert shown.colors.choice[0] == "score"  # nobody has labelled anything
    assert any("flagged" in words for words in legend_words(shown))
    assert not shown.maps.resume.isVisible()
    row = shown.canvas.state.points.row_near(study_id(window), 12)
    shown.canvas.go_to_row(row)
    assert shown.card.isVisible()
    assert "frame 13 at 0:00:00, without a label" in shown.card.words.text()
    assert "Highest score: 0.90 to 1.00, flagged" in shown.card.words.text()
    wait(qtbot, lambda: not shown.card.picture.pixmap().isNull())
    shown.canvas.go_to_row(-1)
    assert not shown.card.isVisible()
    window.session.mark_span(30, 34)
    assert shown.canvas.state.points.frame_index[shown.canvas.state.marked].tolist() == [30, 31, 32, 33]
    window.session.mark_span(None, None)
    assert not len(shown.canvas.state.marked)
    rows = shown.canvas.state.points.rows_of(study_id(window))[10:14]
    shown.canvas.select(rows)
    assert window.session.selection == FrameSelection({study_id(window): [10, 11, 12, 13]})
    assert shown.foot.selection.text() == "4 frames of 1 study selected: press 0 to 9 to label all"
    window.session.select_frames(FrameSelection({study_id(window): [5], "elsewhere": [1, 2]}))
    assert shown.canvas.state.points.frame_index[shown.canvas.state.selected].tolist() == [5]
    assert "2 of them not on this map" in shown.foot.selection.text()
    shown.foot.clear.click()
    assert not window.session.selection
    assert not shown.foot.tiles.isEnabled()
    for at in range(shown.colors.ways.count()):
        shown.colors.ways.setCurrentIndex(at)
        wait(qtbot, lambda: window.is_idle)
        counts = sum(int(words.rsplit("   ", 1)[1]) for words in legend_words(shown))
        assert counts == 60
    shown.colors.choose("score")
    shown.colors.classes.setCurrentIndex(shown.colors.classes.findData("blood"))
    wait(qtbot, lambda: window.is_idle)
    assert shown.canvas.state.coloring.title == "Score, Blood"


def test_labels_by_the_window_and_by_the_map_colour_the_points(
    qtbot: QtBot, window: MainWindow, shown: MapWindow
) -> None:
    shown.colors.choose("label")
    wait(qtbot, lambda: window.is_idle)
    assert legend_words(shown) == ["Not labelled   60"]
    window.session.mark_span(10, 14)
    annotating.label_here(window.session, "polyp")
    wait(qtbot, lambda: window.is_idle)
    assert legend_words(shown) == ["Not labelled   56", "Polyp   4"]
    window.session.edits.undo()
    wait(qtbot, lambda: window.is_idle)
    assert legend_words(shown) == ["Not labelled   60"]
    window.session.mark_span(10, 14)
    annotating.label_here(window.session, "polyp")
    shown.activateWindow()
    qtbot.waitUntil(shown.isActiveWindow)
    qtbot.keyClick(shown.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    wait(qtbot, lambda: window.session.edits.undo_title is None)
    assert window.menus.actions["label_1"] not in shown.actions()
    library = window.session.library
    shown.canvas.setFocus()
    qtbot.keyClick(shown.canvas, Qt.Key.Key_4)
    assert library.annotations.labels(study_id(window)) == (), (
        "nothing is selected, and the frame on screen is not meant"
    )
    shown.canvas.selection_requested.emit(shown.canvas.state.points.by_time[20:24])
    qtbot.keyClick(shown.canvas, Qt.Key.Key_4)
    (label,) = library.annotations.labels(study_id(window))
    assert (label.name, label.span.start, label.span.stop) == ("blood", 20, 24)
    assert shown.foot.selection.text() == "Blood labelled on 4 frames. Ctrl+Z undoes it."
    qtbot.keyClick(shown.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert library.annotations.labels(study_id(window)) == ()
    menu = shown.foot.label.menu()
    menu.actions()[1].trigger()  # the same by the mouse
    assert [one.name for one in library.annotations.labels(study_id(window))] == ["polyp"]


def test_the_frame_on_screen_walks_with_its_tail_and_a_click_opens_its_study(
    qtbot: QtBot, window: MainWindow, shown: MapWindow
) -> None:
    window.features.reading.go_to_frame(21)
    wait(qtbot, lambda: frame_of(window) == 21)
    frames = shown.canvas.state.points.frame_index[shown.canvas.state.tail]
    assert frames.tolist() == list(range(22))
    name = study_id(window)
    row = shown.canvas.state.points.row_near(name, 41)
    shown.canvas.go_requested.emit(row)
    wait(qtbot, lambda: frame_of(window) == 41)
    window.features.studies.leave()
    assert window.session.reading is None
    assert shown.canvas.state.playing == -1
    shown.canvas.go_requested.emit(shown.canvas.state.points.row_near(name, 12))
    wait(qtbot, lambda: frame_of(window) == 12)
    assert study_id(window) == name


def test_without_maps_the_window_says_the_next_step_and_a_job_makes_one(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "show_map")
    dialog = window.features.map.dialog
    assert dialog.isVisible()
    assert dialog.canvas.empty[0] == "There is no map yet."
    assert dialog.foot.job.isHidden(), "nothing is being made"
    assert not dialog.maps.delete.isEnabled()
    mapping = window.features.map
    mapping.dialog.maps.new.click()
    setup = mapping.setup.dialog
    assert setup is not None
    wait(qtbot, lambda: setup.start.isEnabled())
    choice = setup.request()
    assert choice is not None
    assert choice.paths.keys() == {study_id(window)}
    setup.method.setCurrentIndex(setup.method.findData("pca"))
    setup.start.click()
    assert mapping.is_being_computed(mapping.map_id)
    wait(qtbot, lambda: not mapping.is_being_computed(mapping.map_id))
    wait(qtbot, lambda: window.is_idle)
    kept = mapping.store.find(mapping.map_id)
    assert len(mapping.dialog.canvas.state.points) == len(ProjectionFile.open(kept.points_path)) > 0
    assert mapping.dialog.maps.chosen == kept.map_id


def test_maps_are_renamed_and_deleted(
    qtbot: QtBot, window: MainWindow, shown: MapWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_input(monkeypatch, "Ileum")
    shown.maps.rename.click()
    assert shown.maps.rows.item(0).text().startswith("Ileum")
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Yes)
    shown.maps.delete.click()
    assert shown.maps.rows.count() == 0
    assert not len(shown.canvas.state.points)


def test_a_damaged_map_is_told_in_the_window(qtbot: QtBot, window: MainWindow) -> None:
    kept = keep_map(window.session)
    kept.points_path.write_bytes(b"PK half a file")
    press(window, "show_map")
    dialog = window.features.map.dialog
    wait(qtbot, lambda: not dialog.problem.isHidden())
    assert "damaged" in dialog.problem.text() or "read" in dialog.problem.text()


def test_the_window_may_close_while_a_map_is_made(qtbot: QtBot, window: MainWindow) -> None:
    press(window, "show_map")
    window.features.map.make(make_request(window.session, method="tsne"))
    map_id = window.features.map.map_id
    wait(qtbot, lambda: window.features.map.newest.get(map_id) is not None)
    window.jobs.shut_down()  # what closing does, with jobs that end after the map's window has gone
    window.features.map.close()
    kept = window.features.map.store.maps()
    assert all(one.has_points for one in kept)


def test_pictures_of_a_running_job_move_the_points(window: MainWindow, shown: MapWindow, tmp_path: Path) -> None:
    places = np.random.default_rng(1).random((60, 2)).astype(np.float32)
    np.save(tmp_path / "picture.npy", places)
    told = {"path": str(tmp_path / "picture.npy"), "iteration": 25, "iterations": 750, "what": "t-SNE"}
    show = window.features.map._partial_arrived
    show(window.features.map.map_id, "map", {**told, "kl_divergence": 1.5})
    assert np.array_equal(shown.canvas.state.points.coordinates, places)
    show(window.features.map.map_id, "map", {**told, "path": "gone.npy"})
    show("another map", "map", told)
    assert np.array_equal(shown.canvas.state.points.coordinates, places)


def test_an_unfinished_map_can_go_on(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = keep_map(window.session, is_complete=False)
    press(window, "show_map")
    dialog = window.features.map.dialog
    wait(qtbot, lambda: len(dialog.canvas.state.points) == 60)
    assert dialog.maps.resume.isVisible()
    asked: list[str] = []
    monkeypatch.setattr(window.features.map, "resume", asked.append)
    dialog.maps.resume.click()
    assert asked == [kept.map_id]


def test_without_scores_the_dialog_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        press(window, "show_map")
        window.features.map.dialog.maps.new.click()
        setup = window.features.map.setup.dialog
        assert setup is not None
        wait(qtbot, lambda: "score" in setup.problem.text())
        assert not setup.start.isEnabled()


def test_a_pretraining_embeds_studies_for_a_map(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The jobs are stand-ins; what they write is found under the pretraining's name and space."""
    session, jobs = window.session, list[Job]()
    run = session.library.runs.add("Pretraining 1", kind="pretrain")
    weights = run.folder / "kept" / "step-000400.safetensors"
    weights.parent.mkdir()
    weights.touch()
    press(window, "show_map")
    window.features.map.dialog.maps.new.click()
    setup = window.features.map.setup.dialog
    assert setup is not None
    wait(qtbot, setup.start.isEnabled)
    setup.embed.click()
    question = window.features.map.setup.embedding
    assert question is not None
    question.space.setCurrentIndex(question.space.findData("projection"))

    def submit(spec: JobSpec) -> Job:
        jobs.append(Job(spec))
        return jobs[-1]

    monkeypatch.setattr(window.jobs, "submit", submit)
    question.studies.choose(())
    question.start.click()
    assert "No study is ticked" in question.problem.text()
    question.studies.choose({study_id(window)})
    question.start.click()
    (job,) = jobs
    asked = ScoreCommand.model_validate(dict(job.spec.config))
    assert (asked.model, asked.space) == (run.folder, "projection")
    written = write_scores(asked.out, f"{run.run_id} step 400", np.full((60, 3), 0.5, np.float32))
    with h5py.File(written, "r+") as file:
        file.attrs["space"] = "projection"
    job.report_outcome(Outcome("done"))
    wait(qtbot, lambda: setup.source.count() == 2)
    titles = [setup.source.itemText(row) for row in range(2)]
    assert titles == [
        "Model 1, before the projection head: 1 study",
        "Pretraining 1, step 400, after the projection head: 1 study",
    ]
    assert session.library.models.scorings(study_id(window))[-1].model_id == "m1"  # not taken for scores
    question.studies.choose({study_id(window)})
    question.start.click()
    assert "Every ticked study already has these embeddings" in question.problem.text()
