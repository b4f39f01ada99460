"""The window of the calculators: a tab for each; KODA grades frames of the small bowel with the keys 0 to 3."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from wce_desktop.core.calculators import CALCULATORS, SCORES, KodaGrade, Result, cleansing
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.features.calculators.form_page import FormPage, ResultBox
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets import inputs, key_texts, plain_text, window_size
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_note, make_text, show_text
from wce_desktop.widgets.theme import COLORS

PARAMETERS = (
    ("visualised", to_translate("Visualised mucosa"), cleansing.VISUALISED),
    ("obstruction", to_translate("Hidden by bubbles, bile and debris"), cleansing.OBSTRUCTION),
)
GRADES = tuple(str(grade) for grade in range(cleansing.BEST + 1))


class _Frame(plain_text.PlainLabel):
    """The frame to grade, as large as there is room."""

    def __init__(self) -> None:
        super().__init__()
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setMinimumSize(200, 160)
        self._picture = QImage()

    def show_picture(self, picture: QImage | None, words: str) -> None:
        """Show a picture; None while it is being read."""
        self._picture = picture or QImage()
        self.setText("" if picture is not None and not picture.isNull() else words)
        self._scale()

    def resizeEvent(self, event: object) -> None:
        """Scale the picture."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._scale()

    def _scale(self) -> None:
        if self._picture.isNull():
            return
        ratio = self.devicePixelRatioF()
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        scaled = self._picture.scaled(self.size() * ratio, keep, smooth)
        scaled.setDevicePixelRatio(ratio)
        self.setPixmap(QPixmap.fromImage(scaled))


class KodaPage(QWidget):
    """Two questions for each frame; an answer goes on to the next question, then to the next frame."""

    graded = Signal(int, str, int)
    """Frame, "visualised" or "obstruction", grade."""
    frame_shown = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._grades: Sequence[KodaGrade] = ()
        self._at = 0
        self._asked = 0
        self.note, self.frame, self.place, self.entered = make_note(), _Frame(), plain_text.PlainLabel(), make_note()
        self.buttons: list[list[QPushButton]] = []
        self._questions: list[plain_text.PlainLabel] = []
        self.back = make_button(tr("Previous"), tr("Go to the previous frame (Left)"), lambda: self.step(-1))
        self.next = make_button(tr("Next"), tr("Go to the next frame (Right)"), lambda: self.step(1))
        self.result = ResultBox(cleansing.SOURCE)
        self._arrange()

    def _arrange(self) -> None:
        questions = QGridLayout()
        for row, (_, title, meanings) in enumerate(PARAMETERS):
            label = plain_text.PlainLabel(tr(title))
            questions.addWidget(label, row, 0)
            self._questions.append(label)
            self.buttons.append([])
            for grade in range(cleansing.BEST + 1):
                meaning = tr(meanings[grade])
                tip = tr("{question}: {share} (key {key})", question=tr(title), share=meaning, key=grade)
                button = make_button(f"{grade}: {meaning}", tip)
                button.setCheckable(True)
                button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys 0 to 3 stay with the page
                button.clicked.connect(lambda _=False, row=row, grade=grade: self._answer(row, grade))
                questions.addWidget(button, row, grade + 1)
                self.buttons[row].append(button)
        steps = in_row(self.back, (self.place, 1, Qt.AlignmentFlag.AlignCenter), self.next)
        in_column(self.note, (self.frame, 1), steps, self.entered, questions, self.result, of=self)

    @property
    def frame_index(self) -> int | None:
        """The frame that is asked for; None where there is none."""
        return self._grades[self._at].frame_index if self._grades else None

    def show_grades(self, grades: Sequence[KodaGrade], result: Result | None, note: str, problem: str = "") -> None:
        """Show the frames to grade and what is known of them."""
        shown = self.frame_index
        self._grades = grades
        frames = [grade.frame_index for grade in grades]
        first_open = next((at for at, grade in enumerate(grades) if not grade.is_complete), 0)
        self._at = frames.index(shown) if shown in frames else first_open
        show_text(self.note, note)
        graded = tr_count(
            "{done} of {count} frame graded. Press 0 to 3.",
            "{done} of {count} frames graded. Press 0 to 3.",
            len(grades),
            done=sum(grade.is_complete for grade in grades),
        )
        empty, has_grade = tr("There is nothing to grade yet."), any(grade.visualised is not None for grade in grades)
        self.result.show_result(result, problem, graded if grades else empty, has_content=has_grade)
        self._show_question()

    def show_picture(self, picture: QImage | None) -> None:
        """Show the frame that is asked for; None while it is being read, a null picture if it cannot be."""
        words = tr("Reading…") if picture is None else tr("This frame cannot be decoded.")
        self.frame.show_picture(picture, "" if self.frame_index is None else words)

    def step(self, by: int) -> None:
        """Go to another frame."""
        if self._grades:
            self._at = min(max(self._at + by, 0), len(self._grades) - 1)
            self._asked = 0
            self._show_question()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """0 to 3 answer; Left and Right step."""
        key = Qt.Key(event.key())
        plain_key = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        typed = key_texts.digit_of(event) or event.text()
        if plain_key and typed in GRADES:
            self._answer(self._asked, int(typed))
        elif plain_key and key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.step(1 if key == Qt.Key.Key_Right else -1)
        else:
            super().keyPressEvent(event)

    def _answer(self, row: int, grade: int) -> None:
        frame = self.frame_index
        if frame is None:
            return
        is_last = row == len(PARAMETERS) - 1
        self._asked = 0 if is_last else row + 1
        if is_last and self._at + 1 < len(self._grades):
            self._at += 1
        self.graded.emit(frame, PARAMETERS[row][0], grade)

    def _show_question(self) -> None:
        one = self._grades[self._at] if self._grades else None
        values = (one.visualised, one.obstruction) if one is not None else (None, None)
        for row, buttons in enumerate(self.buttons):
            font = self._questions[row].font()
            font.setBold(one is not None and row == self._asked)
            self._questions[row].setFont(font)
            for grade, button in enumerate(buttons):
                button.setEnabled(one is not None)
                button.setChecked(values[row] == grade)
        self.back.setEnabled(self._at > 0)
        self.next.setEnabled(self._at + 1 < len(self._grades))
        if one is not None:
            self.frame_shown.emit(one.frame_index)
        else:
            self.place.setText("")
            show_text(self.entered, "")
            self.show_picture(None)


KEYS = to_translate("Inputs are saved at once. {undo} undoes the last one.")


class CalculatorsWindow(window_size.DialogBase):
    """Inputs are part of the study: they are saved at once and can be undone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Scores"), 860, 750, parent, Qt.WindowType.Window)
        self.forms = {kind: FormPage(calculator) for kind, calculator in CALCULATORS.items()}
        self.koda = KodaPage()
        self.problem = make_text(COLORS.warning)
        self.message = make_text(COLORS.muted)
        self.message.setIndent(9)  # as the pages
        self.tabs = inputs.TabWidget()
        self.tabs.setAccessibleName(tr("Scores"))
        for kind, title in SCORES.items():
            self.tabs.addTab(self.koda if kind == "koda" else self.forms[kind], tr(title))
        self.tabs.currentChanged.connect(lambda _: self._focus_page())
        in_column(self.problem, (self.tabs, 1), self.message, of=self, margins=(12, 10, 12, 10))
        self.problem.hide()
        self.show_message("")

    def show_message(self, sentence: str) -> None:
        """Say what was undone and where, or why nothing was."""
        self.message.setText(sentence or with_keys(tr(KEYS)))

    def _focus_page(self) -> None:
        if self.tabs.currentWidget() is self.koda:
            self.koda.setFocus()
