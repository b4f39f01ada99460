"""The window of runs and models, as a person uses it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.models.library_of_runs import REPORT, fill, label_open_study, score_with
from tests.wce_desktop.windows import main_window, press, wait
from training.models.folder import ModelFolder, rename_classes
from training.runs.events import Outcome
from wce_desktop.features.learning.changed_flags import Candidate
from wce_desktop.features.models.feature import ModelsFeature
from wce_desktop.features.models.item_tree import ID_ROLE
from wce_desktop.features.models.runs_window import EMPTY, RunsWindow
from wce_desktop.features.models.table_cells import COLUMNS, cells_of
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.session.keys import with_keys
from wce_desktop.session.model_notes import is_graph
from wce_desktop.shell.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The main window on the library of runs, with the list of runs and models open."""
    with main_window(qtbot, tmp_path) as made:
        fill(made.session, tmp_path)
        press(made, "choose_model")
        wait(qtbot, lambda: made.is_idle)
        yield made


def choose(qtbot: QtBot, window: MainWindow, *names: str) -> RunsWindow:
    """Choose items and wait for what follows."""
    dialog = window.features.models.dialog
    dialog.tree.choose(names)
    wait(qtbot, lambda: window.is_idle)
    return dialog


def texts_of(dialog: RunsWindow) -> dict[str, str]:
    """The text of each item in the list, by its name."""
    columns = range(dialog.tree.columnCount())
    return {
        name: " · ".join(filter(None, (row.text(column) for column in columns)))
        for name, row in dialog.tree._rows.items()
    }


def message_of(page: QWidget) -> str:
    """The sentences above the tables of a page."""
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.text())


def test_all_models_and_runs_are_listed_with_curves_and_lineage(qtbot: QtBot, window: MainWindow) -> None:
    """The failed and the interrupted ones, too; a training that was cut off is offered to go on."""
    run = window.session.library.runs.add("Pretrained 2", kind="pretrain", run_id="r-cut")
    window.features.models.refresh()
    texts = texts_of(window.features.models.dialog)
    assert list(texts) == ["f2", "f1", "m1", "r-cut", "r-cv", "r-failed", "r-f2", "r-f1", "r-base"]
    assert texts["m1"].startswith("Model 1 · in use")
    assert texts["f2"].endswith("· Standard · Fine-tuned 1 · Polyp, Blood")
    assert texts["r-failed"].startswith("Fine-tuned 3 · failed · The loss is not a number at step 41.")
    assert texts["r-cut"].startswith("Pretrained 2 · interrupted")
    assert "AUC 0.89" in texts["r-cv"]
    assert window.features.models.dialog.tree.chosen == ["m1"]
    dialog = choose(qtbot, window, "r-base", "f1", "r-failed")
    assert [dialog.curves.figure.itemText(row) for row in range(dialog.curves.figure.count())] == ["Loss"]
    assert dialog.curves.plot is not None
    shown = {title: values for title, (_, values) in dialog.curves.plot.points.items()}
    assert sorted(shown) == ["Fine-tuned 1", "Pretrained 1"]
    assert [len(values) for values in (shown["Pretrained 1"], shown["Fine-tuned 1"])] == [8, 5]
    dialog = choose(qtbot, window, "r-failed")
    assert dialog.curves.plot is not None
    assert dialog.curves.plot.points == {}
    assert dialog.curves.note.text().startswith("The chosen run has no curves.")
    dialog = choose(qtbot, window, "m1")
    assert dialog.curves.note.text().startswith("No curves: the chosen model was not trained here")
    dialog = choose(qtbot, window, "f2")
    text = dialog.lineage.text()
    places = [text.index(name) for name in ("ImageNet weights", "Pretrained 1", "Fine-tuned 1", "Fine-tuned 2")]
    assert places == sorted(places)
    dialog.lineage.linkActivated.emit("r-base")
    assert dialog.tree.chosen == ["r-base"]
    assert "Derived from it:" in dialog.lineage.text()
    (run.folder / "config.json").write_text('{"command": "pretrain", "config": {"steps": 400}}', "utf-8")
    window.features.models.refresh()
    dialog = choose(qtbot, window, "r-cut")
    assert dialog.resume.isVisibleTo(dialog)
    assert dialog._problem.text() == "The application was closed while it was running. It can be resumed."
    assert not choose(qtbot, window, "r-base").resume.isVisibleTo(dialog)
    assert dialog.finetune.isVisibleTo(dialog)


def shown_items(dialog: RunsWindow) -> list[str]:
    """The names of the items on screen, from top to bottom."""
    tree, result = dialog.tree, []
    item = tree.topLevelItem(0)
    while item is not None:
        if (name := item.data(0, ID_ROLE)) and not item.isHidden():
            result.append(name)
        item = tree.itemBelow(item)
    return result


def test_the_table_is_sorted_filtered_and_keeps_its_columns(qtbot: QtBot, window: MainWindow) -> None:
    dialog = window.features.models.dialog
    tree, library = dialog.tree, window.session.library
    assert shown_items(dialog)[-1] == "r-base", "the oldest run comes last"
    by = next(action.menu() for action in tree.menu.actions() if action.menu() is not None)
    assert isinstance(by, QMenu)
    by.actions()[0].trigger()
    models, runs = shown_items(dialog)[:3], shown_items(dialog)[3:]
    assert (models, runs[0], runs[-1]) == (["f1", "f2", "m1"], "r-cv", "r-base")
    by.actions()[0].trigger()
    assert (shown_items(dialog)[:3], shown_items(dialog)[-1]) == (["m1", "f2", "f1"], "r-cv"), "headings stay"
    choose(qtbot, window, "f1", "r-base")
    qtbot.keyClicks(dialog.filter, "fine failed")
    assert shown_items(dialog) == ["r-failed"]
    assert tree.chosen == [], "what is hidden is not chosen"
    library.runs.add("Failed fine", run_id="r-more")
    window.features.models.refresh()
    assert "r-base" not in shown_items(dialog)
    dialog.filter.clear()
    assert len(shown_items(dialog)) == 9
    column = list(COLUMNS).index("seed")
    assert tree.isColumnHidden(column)
    seed = next(action for action in tree.menu.actions() if action.data() == "seed")
    seed.trigger()
    assert not tree.isColumnHidden(column)
    assert window.session.settings["run_columns"] == "state result created seed"
    assert not RunsWindow({}, window.session.settings["run_columns"]).tree.isColumnHidden(column)


def test_only_what_differs_of_two_cards_is_listed(qtbot: QtBot, window: MainWindow) -> None:
    for name, commit in (("f1", "a" * 40), ("f2", "b" * 40)):
        folder = next(model for model in window.session.library.models.all() if model.model_id == name).folder
        card = json.loads((folder / "card.json").read_text("utf-8"))
        card |= {"versions": {"commit": commit, "python": "3.11"}, "data": {"sha256": "c" * 64}}
        card["held_out"] = {"polyp": {"auc": 0.8 if name == "f1" else 0.9}}
        (folder / "card.json").write_text(json.dumps(card), "utf-8")
    rows = choose(qtbot, window, "f1", "f2").compare.settings.rows
    assert rows == [
        ("Margin", "0.2", "0.4"), ("AUC: Polyp", "0.80", "0.90"), ("Versions: commit", "a" * 40, "b" * 40),
    ]  # fmt: skip


def test_a_card_that_was_changed_by_hand_does_not_hide_the_table(qtbot: QtBot, window: MainWindow) -> None:
    folder = next(model for model in window.session.library.models.all() if model.model_id == "f1").folder
    card = {"data": [], "versions": "x", "held_out": {"any": 1}, "steps_done": 1.0, "classes": 3}
    (folder / "card.json").write_text(json.dumps(card), "utf-8")
    window.features.models.refresh()
    assert texts_of(window.features.models.dialog)["f1"].startswith("Fine-tuned 1 · ")


def test_a_stopped_run_says_so(qtbot: QtBot, window: MainWindow) -> None:
    run = window.session.library.runs.add("Pretrained 2", kind="pretrain", run_id="r-stop")
    (run.folder / "config.json").write_text('{"command": "pretrain", "config": {"steps": 400}}', "utf-8")
    (run.folder / "checkpoints").mkdir()
    (run.folder / "checkpoints" / "step-000040.safetensors").touch()
    window.session.library.runs.finish("r-stop", "done", {"finished": False, "steps_done": 40})
    window.features.models.refresh()
    assert texts_of(window.features.models.dialog)["r-stop"].startswith("Pretrained 2 · stopped")
    dialog = choose(qtbot, window, "r-stop")
    assert dialog._problem.text() == "Stopped before its last step. It can be resumed."
    assert dialog.resume.isVisibleTo(dialog)


def test_a_run_of_the_shell_is_added_with_its_model(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, folder = window.session.library, tmp_path / "shell run"
    base = next(run for run in library.runs.all() if run.run_id == "r-f1")
    shutil.copytree(base.folder, folder)
    model = next(model for model in library.models.all() if model.model_id == "f1")
    shutil.copytree(model.folder, folder / "model")
    rename_classes(folder / "model", ("Polyp",))
    library.models.delete("f1")
    (folder / "state.json").write_text('{"state": "stopped", "began_utc": "2026-01-02T03:04:05+00:00"}', "utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    dialog = window.features.models.dialog
    dialog.add_run.click()
    wait(qtbot, lambda: window.is_idle and "r-f1" not in dialog.tree.chosen and bool(dialog.tree.chosen))
    (name,) = dialog.tree.chosen
    assert texts_of(dialog)[name].startswith("shell run · stopped")
    assert "2026-01-02 03:04" in texts_of(dialog)[name]
    added = next(each for each in library.models.all() if each.model_id == "f1")
    assert (added.run_id, added.classes) == (name, model.classes)
    assert "Polyp → polyp" in window.banner._text.text()
    assert dialog.use.isEnabled()
    dialog.use.click()
    assert window.session.model_id == "f1"
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    dialog.add_run.click()
    assert "is not a run folder" in window.banner._text.text()


def test_the_evaluation_of_a_finished_model_is_shown_as_one(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "hospital B"
    folder.mkdir()
    settings = {"model": "m", "method": "tl-ba", "init": "imagenet", "folds": 5, "normal_label": "Normal"}
    for name, content in (
        ("config.json", {"command": "evaluate", "config": settings}),
        ("report.json", {**REPORT, "model": {"model_id": "f1", "training_patients": 3}}),
        ("state.json", {"state": "done"}),
    ):
        (folder / name).write_text(json.dumps(content), "utf-8")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
    dialog = window.features.models.dialog
    dialog.add_run.click()
    wait(qtbot, lambda: window.is_idle and bool(dialog.tree.chosen) and dialog.chosen[0].title == "hospital B")
    cells = cells_of(dialog.chosen[0], dialog.family, ())
    assert (cells["kind"].text, cells["result"].text) == ("evaluation", "AUC 0.89 (evaluation)")
    assert (cells["method"].text, cells["preset"].text) == ("", ""), "nothing was trained"
    assert cells["start"].text == "Fine-tuned 1"
    assert not dialog.family.evaluations(dialog.family.models["f1"]), "the review budget is of cross-validations"
    assert "Fine-tuned 1" in dialog.lineage.text()
    wait(qtbot, lambda: "evaluations have none" in dialog.curves.note.text())
    assert message_of(dialog.figures).startswith("The finished model, evaluated as it is.")
    assert {name for name, _ in dialog.card.settings.rows} == {"Model", "Normal label"}
    assert ("Model: training patients", "3") in dialog.card.card.rows


def test_figures_cards_and_reports_are_shown(qtbot: QtBot, window: MainWindow) -> None:
    dialog = choose(qtbot, window, "f2")
    assert dialog.figures.held_out.rows == [("Polyp", "6", "120", "0.83", "50 %", "60 %", "70 %")]
    assert "Too few to trust." in message_of(dialog.figures)
    assert ("Margin", "0.4") in dialog.card.settings.rows
    assert ("Started from", "else") in dialog.card.settings.rows
    dialog = choose(qtbot, window, "r-cv")
    assert dialog.figures.means.rows[:2] == [
        ("AUC, all patients together", "0.89", "0.81 to 0.95"),
        ("AUC", "0.88", "± 0.05"),
    ]
    assert dialog.figures.budget.rows == [("1 %", "84 %", "61 %")]
    thresholds = {"polyp": {"0.005": 0.9, "0.01": 0.655}, "blood": {}}
    found = {"polyp": {"sensitivity": 0.413, "low": 0.25, "high": 0.6}}
    points = {
        "sentence": "Of X.",
        "sources": [{"source": name, "thresholds": thresholds, "sensitivity": found} for name in ("X", None)],
    }
    model = next(model for model in window.session.library.models.all() if model.model_id == "f1")
    row = {"error": 0.021, "error_before": 0.184, "bins": [[0.1, 0.12, 90], [0.9, 0.8, 30]]}
    measured = {
        "sentence": "Measured on 8 patients.",
        "classes": {"polyp": {**row, "frames": 120, "positives": 30, "patients": 8}},
    }
    assert "Not calibrated" in message_of(dialog.calibration)
    (model.folder / "card.json").write_text(json.dumps({"operating_points": points, "calibration": measured}), "utf-8")
    dialog = choose(qtbot, window, "f1")
    assert dialog.calibration.table.rows == [("Polyp", "8", "30", "25 %", "0.021", "0.184")]
    assert message_of(dialog.calibration).startswith("Measured on 8 patients.")
    assert dialog.calibration.plot is not None
    assert dialog.calibration.plot.points["polyp"] == ([0.1, 0.9], [0.12, 0.8])
    rows = [("Polyp", source, "–", "0.90", "0.66", "–", "41 % (25 to 60)") for source in ("X", "all sources")]
    assert dialog.figures.points.rows == rows
    assert "Of X. The FLAGS panel flags by them" in message_of(dialog.figures)
    assert dialog.card.card.rows == []
    card = {"warning": "From random weights. Agree to the download (--set download=true) or not."}
    base = next(run.folder for run in window.session.library.runs.all() if run.run_id == "r-base")
    (base / "card.json").write_text(json.dumps(card), "utf-8")
    dialog = choose(qtbot, window, "r-base")
    assert "Choose the download under “Start from” or not." in message_of(dialog.figures)
    dialog = choose(qtbot, window, "r-failed")
    assert dialog._problem.text() == "Failed: The loss is not a number at step 41."
    assert "not finished" in message_of(dialog.figures)


def test_two_models_are_measured_on_the_same_labels(qtbot: QtBot, window: MainWindow) -> None:
    label_open_study(window.session)
    score_with(window.session, "f1", 0.5)
    window.features.models.dialog.pages.setCurrentWidget(window.features.models.dialog.compare)
    page = choose(qtbot, window, "f1", "f2").compare
    assert page.score.isVisibleTo(page)
    assert "1 study not yet scored by both models" in message_of(page)
    score_with(window.session, "f2", 1.0)
    choose(qtbot, window, "f1")
    choose(qtbot, window, "f2", "f1")
    assert message_of(page).startswith(
        "Fine-tuned 1 beside Fine-tuned 2 Fine-tuned 2 compared with Fine-tuned 1. Cannot be "
    )
    assert "Evaluated on your labels: 16 frames of 1 patient" in message_of(page)
    assert page.table.cells["polyp", "auc"] == "1.00 → 1.00 ="
    assert page.settings.rows == [("Margin", "0.2", "0.4")]
    assert "2 flags appear" in page.flags._title.text()
    page.flags.step(1)
    wait(qtbot, lambda: window.session.reading is not None and window.session.reading.place.frame_index == 12)


def test_a_chosen_model_comes_into_use_by_enter(qtbot: QtBot, window: MainWindow) -> None:
    dialog = choose(qtbot, window, "f1")
    qtbot.keyClick(dialog.tree, Qt.Key.Key_Return)
    assert window.session.model_id == "f1"
    assert texts_of(dialog)["f1"].startswith("Fine-tuned 1 · in use")
    assert not dialog.use.isEnabled()
    choose(qtbot, window, "r-f2").use.click()
    assert window.session.model_id == "f2"


def test_a_model_goes_out_and_comes_back_as_a_folder(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(place))
    choose(qtbot, window, "f1").export.click()
    wait(qtbot, lambda: window.is_idle)
    exported = ModelFolder.open(place / "f1")
    text = (exported.path / "README.md").read_text(encoding="utf-8")
    assert "## Calibration\n\nNot calibrated" in text
    window.session.library.models.delete("f1")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(exported.path))
    window.features.models.dialog.add.click()
    assert window.features.models.dialog.tree.chosen == ["f1"]
    assert window.session.model_id == "m1"
    window.features.models.export("f1")
    assert window.banner.isVisible()


@pytest.mark.usefixtures("cold_jobs")  # it does without torch
def test_a_classifier_of_another_program_is_added_by_a_job(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.onnx_files import write_onnx

    place = tmp_path / "theirs"
    place.mkdir()
    write_onnx(place / "Theirs.onnx")
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(place))
    dialog = window.features.models.dialog
    choose(qtbot, window, "f1")
    dialog.add.click()
    wait(qtbot, lambda: window.is_idle)
    assert "Theirs.json" in window.banner.error
    described = {"classes": ["polyp", "normal", "blood"], "activation": "softmax"}
    (place / "Theirs.json").write_text(json.dumps(described), encoding="utf-8")
    dialog.add.click()
    wait(qtbot, lambda: dialog.tree.chosen == ["Theirs"])
    model = next(model for model in window.session.library.models.all() if model.model_id == "Theirs")
    assert model.classes == ("normal", "polyp", "blood")
    assert is_graph(model)
    assert not dialog.cross_validate.isEnabled()
    assert "can only score" in dialog.cross_validate.toolTip()
    dialog.use.click()
    panel = window.features.learning.panel
    wait(qtbot, lambda: not panel.finetune.isEnabled())
    assert "can only score" in panel.finetune.toolTip()
    press(window, "cross_validate")
    assert "cannot be trained. Choose another model" in window.banner.error
    window.session.scores.use_model("f1")
    wait(qtbot, panel.finetune.isEnabled)


def test_deleting_asks_and_says_what_depends_on_it(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def answer(_: ModelsFeature, __: object, depends: list[str]) -> bool:
        asked.append(depends)
        return len(asked) > 1

    monkeypatch.setattr(ModelsFeature, "_may_delete", answer)
    delete = choose(qtbot, window, "f1").delete
    delete.click()
    assert asked[0][0].startswith("Derived from it: Fine-tuned 2")
    assert "f1" in texts_of(window.features.models.dialog)
    delete.click()
    assert "f1" not in texts_of(window.features.models.dialog)
    assert "f1 (deleted)" in choose(qtbot, window, "f2").lineage.text()
    choose(qtbot, window, "r-failed").delete.click()
    assert asked[-1] == []
    assert "r-failed" not in texts_of(window.features.models.dialog)
    assert not choose(qtbot, window, "m1").delete.isEnabled(), "the model in use stays"


def test_an_empty_list_says_the_next_step(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False, has_model=False) as window:
        press(window, "choose_model")
        assert window.features.models.dialog._title.text() == with_keys(EMPTY)
        assert not window.features.models.dialog.use.isEnabled()


def test_what_a_job_is_reading_stays(qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ModelsFeature, "_may_delete", lambda *_: True)
    queue, library = window.jobs, window.session.library
    monkeypatch.setattr(queue, "_start", lambda _: None)  # nothing runs; the queue only thinks so
    base = next(run for run in library.runs.all() if run.run_id == "r-base")
    delete = choose(qtbot, window, "r-base").delete
    job = queue.submit(JobSpec("finetuning", "finetune", {"init": str(base.folder), "out": str(library.folder / "x")}))
    delete.click()
    assert "being used by a job" in window.banner._text.text()
    assert "r-base" in texts_of(window.features.models.dialog)
    job.report_outcome(Outcome("done"))
    queue._go_on()
    delete.click()
    assert "r-base" not in texts_of(window.features.models.dialog)


def test_what_is_being_prepared_stays_and_so_does_its_start(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelsFeature, "_may_delete", lambda *_: True)
    run = window.session.library.runs.add("Pretrained 2", kind="pretrain", run_id="r-new", base_run_id="r-base")
    monkeypatch.setattr(window.features.learning.training.preparing, "run", run)
    window.features.models.refresh()
    assert texts_of(window.features.models.dialog)["r-new"].startswith("Pretrained 2 · running")
    assert not choose(qtbot, window, "r-new").delete.isEnabled()
    choose(qtbot, window, "r-base").delete.click()
    assert "being used by a job" in window.banner._text.text()
    assert "r-base" in texts_of(window.features.models.dialog)


def test_what_was_deleted_is_not_offered_any_more(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelsFeature, "_may_delete", lambda *_: True)
    library, finetuning = window.session.library, window.features.learning.finetuning
    base = next(run for run in library.runs.all() if run.run_id == "r-base")
    (base.folder / "kept").mkdir()
    (base.folder / "kept" / "step-000008.safetensors").touch()
    window.features.learning.training.show_task("finetune", "r-base")
    how = window.features.learning.training.dialog.setup.how
    assert how.start is not None
    assert how.start.run_id == "r-base"
    finetuning.compare(
        Candidate(next(model for model in library.models.all() if model.model_id == "f2"), "Model 1", {})
    )
    choose(qtbot, window, "r-base").delete.click()
    assert "r-base" not in {start.run_id for start in how._starts}
    window.features.learning.training.guard(window.features.learning.training.resume)("r-base")
    assert "no longer in the library" in window.features.learning.training.dialog.setup.problem.text()
    window.features.learning.training.guard(window.features.learning.training.show_task)("finetune", "r-base")
    assert "Choose another start" in window.features.learning.training.dialog.setup.problem.text()
    choose(qtbot, window, "f2").delete.click()
    assert finetuning.candidate is None
    finetuning.use_new()
    assert window.session.model_id == "m1"


def test_a_training_started_before_has_its_page(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue, library = window.jobs, window.session.library
    monkeypatch.setattr(queue, "_start", lambda _: None)  # nothing runs; the queue only thinks so
    run = next(run for run in library.runs.all() if run.run_id == "r-f2")
    job = queue.submit(JobSpec("finetuning", "finetune", {"out": str(run.folder)}))
    window.features.learning.finetuning.finetuning_submitted.emit(run, job)
    for rate in (10.0, 40.0, 50.0, 60.0):
        job.partial_arrived.emit("curve", {"step": 6, "images_per_second": rate})
    press(window, "train")
    (page,) = window.features.learning.training.dialog.pages
    assert window.features.learning.training.dialog.tabs.currentIndex() == 1
    assert page.curves.plots["loss"].points["loss"][0] == [1, 2, 3, 4, 5]
    assert page.stop.isVisibleTo(page)
    assert window.features.learning.training._rates[run.run_id] == [10.0, 40.0, 50.0, 60.0]
    job.report_outcome(Outcome("done"))
    queue._go_on()
    assert window.features.learning.training._rates == {}
