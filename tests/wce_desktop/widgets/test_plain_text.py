"""Names of files, patients, models and findings are shown as they are written, never as markup."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

import wce_desktop
from tests.videos import write_video
from tests.wce_desktop.sessions import known_scores, write_model, write_scores
from tests.wce_desktop.windows import main_window, press, wait
from training.runs.events import Outcome
from training.video import build_index
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.span import Span
from wce_desktop.features.job_list.feature import ClosingQuestion
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.shell.main_window import MainWindow
from wce_desktop.threads.job import Job
from wce_desktop.widgets.plain_text import AS_WRITTEN, MessageBox, PlainLabel, RichLabel, plain

NAME = "<img src=x><b>NAME"
UI = Path(wce_desktop.__file__).parent
MODULES = sorted(path for path in UI.rglob("*.py") if path.name != "plain_text.py")
ASKING = {"question", "information", "warning", "critical", "about"}


def is_safe(text: str) -> bool:
    """Whether Qt shows this text as it is written where it guesses the format."""
    return not GuiQt.mightBeRichText(text) or text.startswith(AS_WRITTEN)


# In the source


def last_name(node: ast.expr) -> str:
    """The name of a class or function, also where it is given with its module."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_written_here(node: ast.expr) -> bool:
    """Whether an argument is a text of this program, translated or not, or goes through `plain`."""
    if isinstance(node, ast.Call) and (name := last_name(node.func)):
        return name == "plain" or (name == "tr" and not node.keywords and is_written_here(node.args[0]))
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def problems(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            bases = set(map(last_name, node.bases))
            yield from (f"{node.lineno}: inherits {base}" for base in bases & {"QLabel", "QMessageBox"})
        if not isinstance(node, ast.Call):
            continue
        name = method = last_name(node.func)
        if name in {"QLabel", "QMessageBox", "QErrorMessage", "QTextBrowser", "QTextEdit"}:
            yield f"{node.lineno}: {name}() guesses whether its text is HTML"
        if method in {"setHtml", "insertHtml", "appendHtml", "setTextFormat"}:
            yield f"{node.lineno}: {method}() belongs into plain_text.py"
        is_question = method in ASKING and "QMessageBox." in ast.unparse(node.func)
        shown = node.args[2] if is_question else node.args[-1] if node.args else node  # parent, title, text, buttons
        if (method == "setToolTip" or is_question) and not is_written_here(shown):
            yield f"{node.lineno}: {ast.unparse(node.func)}() with a text that may hold a name: use plain()"
        if name == "QProgressDialog" and not (isinstance(node.args[0], ast.Constant) and not node.args[0].value):
            yield f"{node.lineno}: QProgressDialog() makes a label of its own: use setLabel(PlainLabel())"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(UI)))
def test_no_module_makes_a_label_tooltip_or_message_box_whose_format_is_guessed(path: Path) -> None:
    assert list(problems(ast.parse(path.read_text(encoding="utf-8")))) == []


@pytest.mark.parametrize(
    "source",
    [
        "QLabel(name)",
        "QtWidgets.QLabel(name)",
        "class A(QLabel): ...",
        "class A(QtWidgets.QLabel): ...",
        "QMessageBox(parent)",
        "w.setToolTip(name)",
        "w.setToolTip(0, f'{name}')",
        "w.setToolTip(tr(name))",
        "w.setToolTip(tr('{name}', name=name))",
        "QMessageBox.question(self, 'Delete', f'Delete {name}?')",
        "QtWidgets.QMessageBox.question(self, 'Delete', f'Delete {name}?')",
        "QProgressDialog(words, 'Stop', 0, 0)",
        "label.setTextFormat(Qt.TextFormat.AutoText)",
    ],
)
def test_the_check_of_the_source_finds_each_way_to_guess(source: str) -> None:
    assert list(problems(ast.parse(source)))


# The pieces


def test_plain_leaves_a_sentence_as_it_is_and_lets_markup_show_as_written() -> None:
    assert plain("Polyp, 3 frames < 5 mm") == "Polyp, 3 frames < 5 mm"
    assert plain("") == ""
    document = QTextDocument()
    document.setHtml(plain(f"{NAME}\nsecond  line"))
    assert document.toPlainText() == f"{NAME}\nsecond  line"


def test_a_message_box_shows_both_texts_as_written(qtbot: QtBot) -> None:
    box = MessageBox()
    qtbot.addWidget(box)
    box.setText(NAME)
    box.setInformativeText(NAME)
    assert list(faults(box)) == []


# In the windows


def faults(root: QObject) -> Iterator[str]:
    """Every place below a widget where Qt would guess the format of a text that holds markup."""
    for widget in [root, *root.findChildren(QObject)]:
        if isinstance(widget, QWidget | QAction) and not is_safe(widget.toolTip()):
            yield f"tooltip of {type(widget).__name__} {widget.objectName()}: {widget.toolTip()}"
        if isinstance(widget, QLabel):
            yield from label_faults(widget)
        if isinstance(widget, QAbstractItemView):
            yield from item_faults(widget)


def label_faults(label: QLabel) -> Iterator[str]:
    is_ours = isinstance(label, PlainLabel | RichLabel)
    if not is_ours and label.textFormat() == Qt.TextFormat.AutoText and not is_safe(label.text()):
        yield f"label: {label.text()}"
    if isinstance(label, PlainLabel) and label.textFormat() != Qt.TextFormat.PlainText:
        yield f"format of a plain label: {label.text()}"
    if isinstance(label, RichLabel) and "<img" in label.text():
        yield f"markup of a name in a rich label: {label.text()}"


def item_faults(view: QAbstractItemView) -> Iterator[str]:
    model = view.model()
    for row in range(min(model.rowCount(), 50)):
        for column in range(10):
            index = model.index(row, column)
            tip = index.data(Qt.ItemDataRole.ToolTipRole) if index.isValid() else None
            if isinstance(tip, str) and not is_safe(tip):
                yield f"tooltip of an item of {type(view).__name__}: {tip}"


def hostile_study(qtbot: QtBot, window: MainWindow, folder: Path) -> str:
    """A study, a finding with a comment and a label, all called `NAME`, open and scored."""
    session = window.session
    video = write_video(folder / f"{NAME}.mp4", 60)
    study = session.add_study(video, build_index(video))
    write_scores(session.files(study).scores_path(session.model_id), session.model_id, known_scores())
    session.scores.scored(study.study_id, session.model_id)
    span = Span(12, 13)
    finding = Finding.new(study_id=study.study_id, kind=NAME, span=span, key_frames=(12,), reader=NAME)
    label = Label("L1", study.study_id, span, NAME, reader=NAME)
    session.library.annotations.edit(study.study_id, f"Label {NAME}", [Add(finding), Add(label)])
    window.features.studies.open_study(session.library.studies.get(study.study_id))
    wait(qtbot, lambda: bool(session.reading and session.reading.study.study_id == study.study_id and window.is_idle))
    return study.study_id


def failed_job(study_id: str) -> Job:
    job = Job(JobSpec(title=f"scoring {NAME}", command="score", config={}, study_id=study_id))
    job.outcome, job.state = Outcome("failed", f"“{NAME}” could not be read.", NAME), "failed"
    return job


def test_a_message_box_has_no_room_for_an_icon(qtbot: QtBot) -> None:
    box = MessageBox(None, "Title", "A sentence. " * 40)
    qtbot.addWidget(box)
    box.show()
    (label,) = (one for one in box.findChildren(QLabel) if one.text().startswith("A sentence."))
    assert label.x() <= 12


def test_no_window_shows_the_markup_of_a_name(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path, has_study=False) as window:
        window.session.library.models.register(write_model(tmp_path, "m2"), title=NAME)
        window.session.scores.use_model("m2")
        job = failed_job(hostile_study(qtbot, window, tmp_path))
        window.features.job_list.panel.set_jobs([job])
        window.show_message(f"Opened {NAME}")
        window.show_error(f"“{NAME}” could not be read.", NAME)
        window.show_saved(f"Label {NAME}")
        for action_id in (
            "finetune",
            "train",
            "choose_model",
            "show_jobs",
            "show_map",
            "show_findings",
            "show_explain",
        ):
            press(window, action_id)
        window.features.job_list._dialog.set_jobs([job])
        ClosingQuestion([job], window)
        wait(qtbot, lambda: window.is_idle)
        roots = {id(widget): widget for widget in [window, *QApplication.topLevelWidgets()]}
        assert [fault for root in roots.values() for fault in faults(root)] == []
        assert any(NAME in label.text() for label in window.findChildren(QLabel))
