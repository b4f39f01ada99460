"""Old model beside new."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from tests.wce_desktop.job_samples import CLASSES
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.core.comparison import FlagCounts
from wce_desktop.core.event import Event
from wce_desktop.core.span import Span
from wce_desktop.features.learning.view.comparison_view import ComparisonView
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.widgets.comparison import FlagChange
from wce_desktop.widgets.comparison_table import Pair


def figures(auc: float | None, *sensitivities: float | None) -> dict[str, Any]:
    """One class's entry of comparison.json."""
    at = dict(zip(("0.95", "0.90", "0.80"), sensitivities or (None,) * 3, strict=True))
    return {"auc": auc, "sensitivity_at": at, "patients": 2, "frames": 1240, "positives": 87}


COMPARISON: dict[str, Any] = {
    "classes": ["normal", "blood", "polyp", "mystery"],
    "old": {"blood": figures(0.81, 0.4, 0.55, 0.7), "polyp": figures(0.93, 0.8, 0.85, 0.9)},
    "new": {
        "blood": figures(0.93, 0.7, 0.8, 0.92),
        "polyp": figures(0.91, 0.8, 0.85, 0.88),
        "mystery": figures(None),
    },
    "split": "patients",
    "warning": "Only 2 patients were held out: these figures may be chance.",
}
FLAGS = {
    "threshold": 0.5,
    "max_gap_frames": 3,
    "frames": 1240,
    "classes": {
        "blood": {"old": {"frames": 31, "events": 5}, "new": {"frames": 28, "events": 4}},
        "angiectasia": {"old": {"frames": 3, "events": 2}, "new": {"frames": 2, "events": 1}},
        "mystery": {"old": None, "new": {"frames": 1, "events": 1}},
    },
}
UNLABELLED = {"polyp": {"frames": 9000, "old_flagged": 222, "new_flagged": 0, "agreement": 0.1}}
JUDGED = {
    **COMPARISON,
    "new": {name: row for name, row in COMPARISON["new"].items() if name != "polyp"},
    "flags": FLAGS,
    "unlabelled": UNLABELLED,
    "verdict": {"kind": "worse", "sentence": "Worse: flags for polyp fell from 222 frames to 0."},
}
CHANGES = [
    FlagChange("appears", Event(Span(31203, 31206), "blood", 0.91, 31204), 6240.0),
    FlagChange("disappears", Event(Span(11200, 11214), "polyp", 0.62, 11204), 2240.0),
    FlagChange("appears", Event(Span(41204, 41205), "mystery", 0.71, 41204), 8240.0),
]


@pytest.fixture
def view(qtbot: QtBot) -> ComparisonView:
    """A view on screen with a comparison."""
    view = ComparisonView(CLASSES)
    qtbot.addWidget(view)
    view.set_comparison(COMPARISON, "small bowel <3>", "small bowel 4")
    view.show()
    return view


def texts(view: ComparisonView) -> str:
    """What the visible labels say."""
    return "\n".join(label.text() for label in view.findChildren(QLabel) if label.isVisible())


def press(qtbot: QtBot, view: ComparisonView, text: str) -> None:
    """Press the button with this text."""
    (found,) = [one for one in view.findChildren(QPushButton) if one.text() == text]
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


def test_the_title_names_both_models_as_they_are_called(view: ComparisonView) -> None:
    assert "New and current model: small bowel 4 and small bowel <3>\n" in f"{texts(view)}\n"


@pytest.mark.parametrize(
    ("pair", "mark"),
    [
        (Pair(0.5, 0.6), "▲"),
        (Pair(0.6, 0.5), "▼"),
        (Pair(0.5, 0.6, is_unsure=True), "?"),
        (Pair(0.6, 0.5, is_unsure=True), "▼"),
        (Pair(0.5, 0.504), "="),
        (Pair(None, 0.5), ""),
        (Pair(0.5, None), ""),
    ],
)
def test_a_mark_says_what_colour_says(pair: Pair, mark: str) -> None:
    assert pair.mark == mark


def test_each_class_has_its_figures(view: ComparisonView) -> None:
    assert view.table.cells["blood", "auc"] == "0.81 → 0.93 ▲"
    assert view.table.cells["blood", "0.95"] == "40 % → 70 % ▲"
    assert view.table.cells["polyp", "0.90"] == "85 % → 85 % ="
    assert view.table.cells["polyp", "0.80"] == "90 % → 88 % ▼"
    assert view.table.cells["mystery", "auc"] == "– → –"
    assert ("normal", "auc") not in view.table.cells


def test_names_counts_split_and_warning_are_said(view: ComparisonView) -> None:
    said = texts(view)
    assert "small bowel 4 and small bowel <3>" in said
    assert "87 of 1,240" in said
    assert "on patients not used for training" in said
    assert "Only 2 patients were held out" in said
    assert "Mystery" in said


def test_all_findings_together_have_a_row(qtbot: QtBot, view: ComparisonView) -> None:
    together = {
        "old": figures(0.8, 0.5, 0.6, 0.7),
        "new": {**figures(0.9, 0.6, 0.7, 0.8), "patients_with_positives": 1},
    }
    view.set_comparison({**COMPARISON, "any": together})
    assert view.table.cells["any finding", "auc"] == "0.80 → 0.90 ▲"
    qtbot.waitUntil(lambda: "1 of 2" in texts(view))


def test_why_there_is_no_list_of_flags_yet_is_said(view: ComparisonView) -> None:
    view.set_flag_changes("P03", CHANGES)
    view.changes.set_message("P03 is being scored with the new model.")
    assert "P03 is being scored with the new model." in texts(view)
    assert not view.changes._tiles.isVisible()


def test_without_a_warning_no_box_is_shown(view: ComparisonView) -> None:
    view.set_comparison({**COMPARISON, "warning": "", "split": "time", "old": None})
    assert "Only 2 patients" not in texts(view)
    assert "too few patients" in texts(view)
    assert view.table.cells["blood", "auc"] == "– → 0.93"


def test_a_second_comparison_takes_the_firsts_place(qtbot: QtBot, view: ComparisonView) -> None:
    view.set_comparison({**COMPARISON, "new": {"polyp": figures(0.5, 0.1, 0.2, 0.3)}})
    assert {name for name, _ in view.table.cells} == {"polyp"}
    qtbot.waitUntil(lambda: "0.93 →" in texts(view) and "Blood" not in texts(view))


def test_flags_that_change_can_be_stepped_through_in_order_of_time(qtbot: QtBot, view: ComparisonView) -> None:
    frames: list[int] = []
    view.changes.event_chosen.connect(frames.append)
    view.set_flag_changes("P03", CHANGES)
    assert frames == []
    assert "In P03 2 flags appear and 1 disappears." in texts(view)
    for _ in range(5):
        press(qtbot, view, "Next")
    press(qtbot, view, "Previous")
    assert frames == [11204, 31204, 41204, 31204]


def test_a_row_says_everything_in_words(view: ComparisonView) -> None:
    view.set_flag_changes("P03", CHANGES)
    assert view.changes._tile(0).sentence == "− disappears   Polyp, 14 frames, at 0:37:20   score 0.62"
    assert view.changes._tile(2).sentence == "+ appears   Mystery, 1 frame, at 2:17:20   score 0.71"


def test_figures_fold_away_for_the_pictures_until_they_are_asked_for(qtbot: QtBot, view: ComparisonView) -> None:
    view.set_comparison(COMPARISON)
    assert view.table.isVisible()
    view.set_flag_changes("P03", CHANGES)
    assert view.changes._tiles.isVisible()
    assert not view.table.isVisible()
    qtbot.mouseClick(view.figures, Qt.MouseButton.LeftButton)
    assert view.table.isVisible()
    view.set_flag_changes("P03", CHANGES[:2])
    assert view.table.isVisible(), "what the reader opened stays open"


def test_a_tile_is_painted_with_the_picture_of_its_class_and_frame(qtbot: QtBot, view: ComparisonView) -> None:
    asked: set[tuple[str, int]] = set()

    def picture(name: str, frame_index: int) -> QImage:
        asked.add((name, frame_index))
        made = QImage(20, 10, QImage.Format.Format_RGB32)
        made.fill(QColor("#00ff00"))
        return made

    view.changes.picture = picture
    view.set_flag_changes("P03", CHANGES)
    view.changes._tiles.setFixedSize(600, 400)
    image = view.changes._tiles.viewport().grab().toImage()
    assert asked == {("polyp", 11204), ("blood", 31204), ("mystery", 41204)}
    assert image.pixelColor(140, 60) == QColor("#00ff00")


@pytest.mark.parametrize(
    ("study", "words"), [("P03", "In P03 no flag appears or disappears"), ("", "Open a scored study")]
)
def test_no_changes_is_a_state(view: ComparisonView, study: str, words: str) -> None:
    view.set_flag_changes(study, [])
    assert words in texts(view)
    assert not view.changes._tiles.isVisible()


def test_every_class_of_the_old_model_has_a_row_and_a_lost_one_comes_first(qtbot: QtBot, view: ComparisonView) -> None:
    view.set_comparison(JUDGED)
    assert view.table.cells["polyp", "flagged"] == "222 → 0 ▼"
    assert view.table.cells["polyp", "auc"] == "–"
    assert view.table.cells["blood", "flagged"] == "31 → 28"
    assert view.table.cells["blood", "events"] == "5 → 4"
    assert view.table.cells["angiectasia", "flagged"] == "3 → 2"
    assert view.table.cells["mystery", "events"] == "– → 1"
    assert list(dict.fromkeys(name for name, _ in view.table.cells)) == ["polyp", "blood", "mystery", "angiectasia"]
    qtbot.waitUntil(lambda: "not labelled, so there are no figures" in texts(view))
    assert "Flags are counted on the 1,240 held-out frames with labels." in texts(view)
    assert "Flags of classes without labels are counted on 9,000 frames." in texts(view)


@pytest.mark.parametrize(
    ("kind", "is_first", "title"),
    [
        ("better", False, "Use new model"),
        ("worse", False, "Keep old model"),
        ("same", False, "Keep old model"),
        ("unknown", False, "Keep old model"),
        ("unknown", True, "Use new model"),
    ],
)
def test_the_highlighted_button_follows_the_verdict_and_enter_presses_it(
    qtbot: QtBot, kind: str, is_first: bool, title: str
) -> None:
    window = FinetuneWindow(Vocabulary(tuple(CLASSES.values())), "default")
    qtbot.addWidget(window)
    pressed: list[str] = []
    window.comparison.use.clicked.connect(lambda: pressed.append("Use new model"))
    window.comparison.keep.clicked.connect(lambda: pressed.append("Keep old model"))
    window.comparison.set_comparison({**COMPARISON, "verdict": {"kind": kind, "sentence": "So."}}, is_first=is_first)
    window.show_comparison()
    assert window.comparison.recommended.text() == title
    assert "So." in texts(window.comparison)
    highlighted = [one.text() for one in window.findChildren(QPushButton) if one.isVisible() and one.isDefault()]
    assert highlighted == [title]
    qtbot.keyClick(window, Qt.Key.Key_Return)
    assert pressed == [title]


def test_enter_presses_the_button_that_has_the_focus(qtbot: QtBot) -> None:
    window = FinetuneWindow(Vocabulary(tuple(CLASSES.values())), "default")
    qtbot.addWidget(window)
    window.comparison.set_comparison({**COMPARISON, "verdict": {"kind": "worse", "sentence": "So."}})
    window.show_comparison()
    qtbot.waitExposed(window)
    with qtbot.waitSignal(window.comparison.use.clicked):
        qtbot.keyClick(window.comparison.recommended, Qt.Key.Key_Tab)
        qtbot.waitUntil(window.comparison.use.hasFocus)
        qtbot.keyClick(window.comparison.use, Qt.Key.Key_Return)


def test_a_comparison_of_an_older_version_has_no_verdict(view: ComparisonView) -> None:
    view.set_comparison(JUDGED)
    view.set_comparison(COMPARISON)
    assert not view._verdict_box.isVisible()
    assert view.recommended is view.keep
    assert ("blood", "flagged") not in view.table.cells


def test_flags_of_the_open_study_are_counted_in_frames_and_events(view: ComparisonView) -> None:
    counts = [FlagCounts("blood", 31, 28, 5, 4), FlagCounts("polyp", 22, 0, 3, 0), FlagCounts("mystery", 0, 0, 0, 0)]
    view.set_flag_changes("P03", CHANGES, counts)
    said = "All frames of P03: polyp 22 → 0 frames flagged ▼, 3 → 0 events; blood 31 → 28 frames flagged, 5 → 4 events."
    assert said in texts(view)
    view.changes.set_message("P03 is being scored with the new model.")
    assert "All frames" not in texts(view)


def test_nothing_is_replaced_until_one_chooses(qtbot: QtBot, view: ComparisonView) -> None:
    assert "The current model stays in use until you choose." in texts(view)
    with qtbot.waitSignal(view.use.clicked):
        press(qtbot, view, "Use new model")
    with qtbot.waitSignal(view.keep.clicked):
        press(qtbot, view, "Keep old model")


def test_after_the_choice_there_is_only_a_button_that_closes(qtbot: QtBot, view: ComparisonView) -> None:
    view.show()
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    view.recommended.setFocus()
    view.set_choice("The new model is in use.")
    assert "The new model is in use." in texts(view)
    shown = [one.text() for one in view.findChildren(QPushButton) if one.isVisible()]
    assert shown == ["Close"]
    qtbot.waitUntil(view._close.hasFocus)
    view.set_choice("")
    assert view.use.isVisible()
    assert not view._close.isVisible()
    view.set_choice("The current model stays in use.")
    press(qtbot, view, "Close")
    assert not view.isVisible()


def test_a_rise_on_too_few_patients_is_not_shown_as_better(view: ComparisonView) -> None:
    view.set_comparison({**COMPARISON, "intervals": {"polyp": {"auc": [-0.1, 0.1]}}})
    assert view.table.cells["blood", "auc"] == "0.81 → 0.93 ?"
    assert view.table.cells["polyp", "auc"] == "0.93 → 0.91 ▼"
    view.set_comparison({**COMPARISON, "intervals": {}})  # by time: no patients to draw from
    assert view.table.cells["blood", "auc"] == "0.81 → 0.93 ▲"


def test_figures_within_a_source_and_a_stop_are_named(view: ComparisonView) -> None:
    assert "stopped" not in texts(view)
    within = "AUC against normal frames of the same source: mean 0.742; blood A 0.742."
    view.set_comparison({**COMPARISON, "within_source": within, "stopped_after": [122, 150]})
    assert "Training was stopped after 122 of 150 steps." in texts(view)
    notes = [label.text() for label in view.table.findChildren(QLabel)]
    assert f"The table does not keep sources apart. {within}" in notes
