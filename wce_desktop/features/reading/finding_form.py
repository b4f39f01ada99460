"""The fields of a finding, in the panel and in the card at the frame: each change is one undo step, typing too."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QTextCursor
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from training.errors import UserError
from wce_desktop.core.annotation.entry import Entry
from wce_desktop.core.annotation.finding import ENTRIES, Finding, asked_entries
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.language import tr
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, dialogs, inputs
from wce_desktop.widgets.chips import Chip, Chips, DigitChoiceBox
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.theme import COLORS

COMMENT_PX = 46
MOST_CHIPS = 3


class CommentEdit(QPlainTextEdit):
    """A text field that emits signals when the reader pauses typing and when the focus leaves."""

    rested = Signal()
    left = Signal()

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.setPlaceholderText(tr(entry.title))
        self.setAccessibleName(tr(entry.spoken or entry.title))
        self.setFixedHeight(COMMENT_PX)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files dropped here are handled by the window
        self._rest = inputs.TypingPause(self)
        self._rest.reached.connect(self.rested)
        self.textChanged.connect(self._rest.start)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """By a key the cursor goes behind what is written."""
        super().focusInEvent(event)
        if event.reason() not in (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.moveCursor(QTextCursor.MoveOperation.End)

    def focusOutEvent(self, event: object) -> None:
        """Emit a signal, so that the comment is saved."""
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.left.emit()


class NumberEdit(QLineEdit):
    """A number with its unit; coloured while what is typed is none."""

    left = Signal()

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.entry, self.value, self.problem = entry, entry.number(""), ""
        """What is typed as a number, and why it is none."""
        self.setPlaceholderText(tr(entry.empty))
        self.setAccessibleName(tr(entry.spoken or entry.title))
        self.textChanged.connect(self._check)

    def show_value(self, value: float | None) -> None:
        """Show a number."""
        self.setText(self.entry.words(value))

    def _check(self) -> None:
        self.value, self.problem = None, ""
        try:
            self.value = self.entry.number(self.text() if self.isModified() else "")
        except UserError as error:
            self.problem = tr(error)
        basic.set_color(self, COLORS.warning if self.problem else "")
        self.setToolTip(plain(self.problem or tr(self.entry.tip)))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """What is typed replaces what was there."""
        super().focusInEvent(event)
        QTimer.singleShot(0, self, self.selectAll)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Emit a signal, so that the number is saved."""
        super().focusOutEvent(event)
        self.left.emit()


EntryBox: TypeAlias = NumberEdit | inputs.ChoiceBox | Chips | CommentEdit


class FindingForm(QWidget):
    """Shows some fields of one finding; emits what it shall become. What a class does not have is hidden."""

    changed = Signal(object, object, bool)  # old, new, whether it goes on with the last change
    refused = Signal(str)
    """Why a number was not saved."""

    def __init__(self, session: Session, names: Sequence[str]) -> None:
        """`names` are those of the entries in their order, with "kind" for the class."""
        super().__init__()
        self._session = session
        self.shown: Finding | None = None
        self._texts: dict[str, CommentEdit] = {}
        self._numbers: dict[str, NumberEdit] = {}
        self._sitting = ""
        """The field that is being edited and was saved already."""
        self.kind = DigitChoiceBox(tr("Kind of the finding"))
        self.kind.chosen.connect(lambda value: self._change("kind", value))
        self.entries = {name: self._make_box(name, ENTRIES[name]) for name in names if name != "kind"}
        self.comment = self._texts["comment"]
        self._rows = basic.Form(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setVerticalSpacing(4)
        self.fields: tuple[EntryBox, ...] = tuple(self.entries.get(name, self.kind) for name in names)
        for name, field in zip(names, self.fields, strict=True):
            if name == "comment":  # its placeholder names it
                self._rows.addRow(field)
            else:
                self._rows.addRow(PlainLabel(tr("Kind") if name == "kind" else _title(ENTRIES[name])), field)
        self.show_classes()

    def _make_box(self, name: str, entry: Entry) -> EntryBox:
        """The box of one entry; what it changes is emitted."""
        box: EntryBox
        match entry.kind:
            case "number":
                box = self._numbers[name] = NumberEdit(entry)
                box.left.connect(lambda: self._save_number(name))
            case "choice":
                box = _few(entry) if entry.is_closed and len(entry.options) <= MOST_CHIPS else _many(entry)
                box.chosen.connect(lambda value: self._change(name, value))
            case "text":
                box = self._texts[name] = CommentEdit(entry)
                box.rested.connect(lambda: self._save_text(name))
                box.left.connect(lambda: self._leave_text(name))
        box.setToolTip(plain(tr(entry.tip)))
        return box

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary, each by its digit, too."""
        self.kind.set_choices(inputs.class_choices(self._session.vocabulary, without=(NORMAL,)))
        self.kind.digits = {entry.key: entry.name for entry in self._session.vocabulary if entry.name != NORMAL}
        self.show_finding(self.shown)

    def show_finding(self, finding: Finding | None) -> None:
        """Show a finding; a comment that is being written stays until it is saved."""
        before, self.shown = self.shown, finding
        self.setEnabled(finding is not None)
        if not _is_same(before, finding):
            self._end_sitting()
        for name in self._texts:
            self._show_text(name, before, finding)
        for name, number in self._numbers.items():
            if not _is_same(before, finding) or getattr(before, name) != getattr(finding, name):
                number.show_value(getattr(finding, name, None))  # else what is typed stays
        if finding is None:
            return
        self.kind.show_value(finding.kind)
        asked = asked_entries(entry.name for entry in self._session.vocabulary.path(finding.kind))
        for name, box in self.entries.items():
            value = getattr(finding, name)
            self._rows.setRowVisible(box, name in asked or bool(value))  # what was entered is never hidden
            if isinstance(box, inputs.ChoiceBox | Chips):
                box.show_value(value)

    def _show_text(self, name: str, before: Finding | None, finding: Finding | None) -> None:
        box, text = self._texts[name], getattr(finding, name, "")
        if _is_same(before, finding) and text in (getattr(before, name), box.toPlainText().strip()):
            return
        if box.toPlainText() != text:
            box.setPlainText(text)

    def save_texts(self) -> None:
        """Ask for what is typed to be kept, where that is new."""
        for name in self._numbers:
            self._save_number(name, is_last=True)
        for name in self._texts:
            self._save_text(name)

    @property
    def refused_number(self) -> NumberEdit | None:
        """The field in which something else than a number is typed."""
        return next((number for number in self._numbers.values() if number.problem), None)

    def _save_number(self, name: str, *, is_last: bool = False) -> None:
        """Keep a number that was typed; a very large one after a question, at once if this is the `is_last` chance."""
        number, finding = self._numbers[name], self.shown
        if finding is None or not number.isModified():
            return
        number.setModified(False)  # each text is saved, refused or asked about once
        value = number.value
        if number.problem:
            self.refused.emit(number.problem)
        elif value is None or value <= number.entry.ask_above:
            self._change(name, value)
            number.show_value(value)
        elif is_last:
            self._ask(finding, name, value)
        else:  # not before the focus is where it goes
            QTimer.singleShot(0, self, lambda: self._ask(finding, name, value))

    def _ask(self, finding: Finding, name: str, value: float) -> None:
        entry = ENTRIES[name]
        title, words = _title(entry), entry.words(value)
        question = tr("{title}: {value}. Is that right?", title=title, value=words)
        if dialogs.agrees(self.window(), title, question, tr("Save {value}", value=words)):
            detail: dict[str, Any] = {name: value}
            self.changed.emit(finding, replace(finding, **detail), False)
            return
        self.refused.emit(tr("{title}: “{typed}” was not saved.", title=title, typed=words))
        if _is_same(self.shown, finding):
            self._numbers[name].show_value(getattr(finding, name))
            self._numbers[name].setFocus()

    def _save_text(self, name: str) -> None:
        self._change(name, self._texts[name].toPlainText().strip(), goes_on=True)

    def _leave_text(self, name: str) -> None:
        self._save_text(name)
        self._end_sitting()

    def _end_sitting(self) -> None:
        self._sitting = ""

    def _change(self, name: str, value: object, *, goes_on: bool = False) -> None:
        """Ask for one detail to become another value; with `goes_on` further changes of it are the same step."""
        finding = self.shown
        if finding is None or getattr(finding, name) == value:
            return
        is_going_on = goes_on and self._sitting == name
        self._sitting = name if goes_on else ""
        detail: dict[str, Any] = {name: value}
        self.changed.emit(finding, replace(finding, **detail), is_going_on)


def _is_same(one: Finding | None, other: Finding | None) -> bool:
    return one is not None and other is not None and one.finding_id == other.finding_id


def _title(entry: Entry) -> str:
    return tr(entry.label or entry.title)


def _many(entry: Entry) -> inputs.ChoiceBox:
    offered = (inputs.Choice(option.value, tr(option.title or option.value)) for option in entry.options)
    return inputs.ChoiceBox(tr(entry.spoken or entry.title), (inputs.Choice("", tr(entry.empty)), *offered))


def _few(entry: Entry) -> Chips:
    """The digit of a value is the one in it, as of P2, else its place."""
    chips = []
    for at, option in enumerate(entry.options, 1):
        digit = option.value[-1] if option.value[-1].isdigit() else str(at)
        chips.append(Chip(option.value, tr(option.value), tr(option.title or option.value), digit))
    return Chips(tr(entry.spoken or entry.title), chips)
