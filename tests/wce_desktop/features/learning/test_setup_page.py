"""Setting a training up: studies, parameters, presets, and what it will take."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog
from pytestqt.qtbot import QtBot

from tests.wce_desktop.sessions import make_session
from wce_desktop.features.learning.view.setup_page import SetupPage
from wce_desktop.session.presets import PresetStore, Task
from wce_desktop.session.session import Session
from wce_desktop.widgets.study_table import NAME_PX, StudyTable


@pytest.fixture
def page(qtbot: QtBot, session: Session, tmp_path: Path) -> SetupPage:
    """The page for a pretraining, on screen."""
    page = SetupPage(session, PresetStore(tmp_path / "presets.json"))
    qtbot.addWidget(page)
    page.show_task("pretrain", "paper")
    page.resize(1280, 800)
    page.show()
    page.show_estimate()
    return page


def test_studies_stand_with_what_they_hold(page: SetupPage) -> None:
    table = page.studies.table
    cells = [[item.text() for column in range(6) if (item := table.item(row, column))] for row in range(4)]
    assert [cell[0] for cell in cells] == ["P01", "P02", "P03", "P04"]
    assert [cell[4] == "–" for cell in cells] == [False, False, True, True]
    assert all(cell[2] == "60" and cell[5] == "new" for cell in cells)
    assert len(page.studies.table.chosen) == 2
    assert "Evaluated on 2 studies of 2 patients" in page.studies._evaluation_text.text()


def test_a_tick_changes_what_it_will_take(qtbot: QtBot, page: SetupPage) -> None:
    assert page.cost.text().startswith("120 frames, 21,000 steps")
    item = page.studies.table.item(0, 0)
    assert item is not None
    item.setCheckState(Qt.CheckState.Checked)
    qtbot.waitUntil(lambda: not page.cost.text().startswith("120 frames"))
    assert "Evaluated on 1 study of 1 patient" in page.studies._evaluation_text.text()
    page.studies.table.choose(())
    qtbot.waitUntil(lambda: "No study is ticked" in page.problem.text())
    assert not page.start_button.isEnabled()


def test_a_parameter_out_of_its_range_is_named_and_nothing_starts(qtbot: QtBot, page: SetupPage) -> None:
    page.how.form.set_value("window", 0)
    qtbot.waitUntil(lambda: "window" in page.problem.text())
    assert not page.start_button.isEnabled()
    page.how.form.set_value("window", 5)
    qtbot.waitUntil(page.start_button.isEnabled)
    assert page.request().changes == {"window": 5}
    assert page.how.form._notes["window"].text() == "preset: 9"


def test_a_word_where_a_number_belongs_is_named(qtbot: QtBot, page: SetupPage) -> None:
    editor = page.how.form.editors["steps"]
    qtbot.keyClicks(editor, "x")
    qtbot.waitUntil(lambda: bool(page.problem.text()))
    assert "“21000x” is not a whole number" in page.problem.text()


def test_the_request_carries_all_that_was_chosen(qtbot: QtBot, page: SetupPage) -> None:
    page.how.choose_preset("smoke")
    page.how.method.setCurrentIndex(page.how.method.findData("simclr"))
    page.how._method_chosen()
    page.how.form.set_value("temperature", 0.5)
    with qtbot.waitSignal(page.start_requested) as asked:
        page.show_estimate()
        page.start_button.click()
    (request,) = asked.args
    assert request.details == {"preset": "smoke", "method": "simclr", "temperature": 0.5}
    assert request.start.init == "imagenet"
    assert len(request.study_ids) == len(request.evaluation_ids) == 2
    assert request.study_ids.isdisjoint(request.evaluation_ids)


def test_more_sequences_than_studies_are_told_before_the_run_would(qtbot: QtBot, page: SetupPage) -> None:
    page.how.form.set_value("sequences", 3)
    qtbot.waitUntil(lambda: "3 sequences from different studies, but 2 studies are ticked" in page.problem.text())
    assert page.resample.isVisible()
    page.resample.click()
    qtbot.waitUntil(page.start_button.isEnabled)
    assert page.request().changes["sequence_source"] == "resample"
    assert not page.resample.isVisible()


def test_choices_are_words_and_stand_for_what_the_command_knows(page: SetupPage) -> None:
    form = page.how.form
    source = form.editors["sequence_source"]
    assert isinstance(source, QComboBox)
    assert source.currentText() == "different studies"
    source.setCurrentIndex(source.findText("one study"))
    assert form.changes() == {"sequence_source": "resample"}
    assert form._notes["sequence_source"].text() == "preset: different studies"


@pytest.mark.parametrize(
    ("task", "method"),
    [("finetune", "tl-ba"), ("pretrain", "pgcon"), ("pretrain", "time-triplet"), ("pretrain", "colo-scrl")],
)
def test_no_choice_is_cut_off(page: SetupPage, task: Task, method: str) -> None:
    page.show_task(task)
    page.how.method.setCurrentIndex(page.how.method.findData(method))
    page.how._method_chosen()
    for name, editor in page.how.form.editors.items():
        if isinstance(editor, QComboBox):
            assert editor.width() >= editor.sizeHint().width(), name


def test_the_names_of_studies_keep_their_room_in_a_narrow_table(qtbot: QtBot, page: SetupPage) -> None:
    table = StudyTable()
    qtbot.addWidget(table)
    table.resize(300, 400)
    table.show()
    table.set_rows(page.studies.table.rows, ())
    names = table.horizontalHeader()
    qtbot.waitUntil(lambda: names.sectionSize(0) == NAME_PX)
    table.resize(1200, 400)
    qtbot.waitUntil(lambda: names.sectionSize(0) != NAME_PX)
    assert names.sectionSize(0) > NAME_PX


def test_the_start_has_a_key_for_either_task(qtbot: QtBot, page: SetupPage) -> None:
    page.show_task("finetune")
    page.show_task("pretrain", "paper")
    page.show_estimate()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    with qtbot.waitSignal(page.start_requested):
        qtbot.keyClick(page, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


def test_an_empty_library_says_the_next_step(qtbot: QtBot, tmp_path: Path) -> None:
    session = make_session(tmp_path, has_model=False)
    page = SetupPage(session, PresetStore(tmp_path / "presets.json"))
    qtbot.addWidget(page)
    page.show_task("pretrain")
    page.show_estimate()
    assert "There are no studies yet. Open one" in page.problem.text()
    assert "no study has labels yet" in page.studies._evaluation_text.text()
    page.show_task("finetune")
    assert page.how.start is not None
    assert not page.how.start.download  # nothing is fetched that nobody chose
    session.library.close()


def test_choosing_the_download_is_the_consent(page: SetupPage) -> None:
    page.how.start_from.setCurrentIndex(2)
    assert page.request().details["download"] is True
    page.how.add_start_file(Path("weights.safetensors"))
    assert page.request().start.init == "weights.safetensors"
    page.refresh()
    assert page.request().start.init == "weights.safetensors"


def test_a_file_that_was_not_picked_leaves_the_choice(page: SetupPage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    box = page.how.start_from
    box.setCurrentIndex(3)
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    assert page.request().start.init == "random"


def test_changes_stay_when_the_method_changes_and_go_when_the_preset_does(page: SetupPage) -> None:
    page.how.form.set_value("margin", 0.7)
    page.how.form.set_value("momentum", 0.5)
    page.how.method.setCurrentIndex(1)
    page.how._method_chosen()
    assert page.how.form.changes() == {"momentum": 0.5}  # this method has no margin
    page.how.choose_preset("small")
    assert page.how.form.changes() == {}


def test_a_preset_is_saved_chosen_and_deleted(page: SetupPage, tmp_path: Path) -> None:
    page.how.form.set_value("steps", 77)
    page.how.save_preset("Night")
    assert page.how.chosen_preset.title == "Night"
    assert page.how.form.changes() == {}
    assert page.request().details["steps"] == 77
    assert PresetStore(tmp_path / "presets.json").find("pretrain", "Night").settings == {"steps": 77}
    page.how.delete_preset()
    assert page.how.form.changes() == {"steps": 77}
    page.how.save_preset("Small")
    assert "is a built-in preset" in page.problem.text()


def test_each_task_keeps_its_own_ticks(page: SetupPage) -> None:
    before = page.studies.table.chosen
    page.show_task("finetune")
    assert page.studies.table.chosen.isdisjoint(before)
    assert page.studies.table.isColumnHidden(3)
    assert page.request().evaluation_ids == frozenset()
    page.studies.table.choose_all()
    page.show_task("pretrain")
    assert page.studies.table.chosen == before
    page.show_task("finetune")
    assert len(page.studies.table.chosen) == 4


def test_a_study_whose_video_has_gone_cannot_be_ticked(session: Session, page: SetupPage, tmp_path: Path) -> None:
    session.library.studies.update(session.library.studies.all()[3].study_id, path=tmp_path / "gone.mp4")
    page.refresh()
    page.studies.table.choose_all()
    assert len(page.studies.table.chosen) == 3
    state = page.studies.table.item(3, 5)
    assert state is not None
    assert state.text() == "video not found"


def test_a_method_of_clips_has_its_own_starts_parameters_and_words(page: SetupPage) -> None:
    def choose(method: str) -> None:
        page.how.method.setCurrentIndex(page.how.method.findData(method))
        page.how._method_chosen()

    first = page.how.start_from.currentText()
    choose("videomae")
    assert [page.how.start_from.itemText(row) for row in range(page.how.start_from.count())] == ["Random weights"]
    assert {"masked_share", "cube_size", "sequence_length"} <= page.how.form.editors.keys()
    assert not {"backbone", "projection", "head_init"} & page.how.form.editors.keys()
    assert "ViT-B on clips" in page.how._words.text()
    page.show_estimate()
    assert page.request().start.init == "random"
    choose("simclr")
    assert page.how.start_from.currentText() == first
    assert {"backbone", "projection"} <= page.how.form.editors.keys()
    assert "ViT" not in page.how._words.text()
