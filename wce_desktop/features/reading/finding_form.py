"""The fields of a finding, in the panel and in the card at the frame: each change is one undo step, typing too."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from wce_desktop.core.annotation.entry import Entry
from wce_desktop.core.annotation.finding import ENTRIES, Finding, asked_entries
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.language import number_text, tr
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, inputs
from wce_desktop.widgets.chips import Chip, Chips, DigitChoiceBox
from wce_desktop.widgets.plain_text import PlainLabel, plain

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


class NumberBox(inputs.DecimalBox):
    """A number above 0; empty where it was not entered."""

    left = Signal()

    def __init__(self, entry: Entry) -> None:
        properties = {"maximum": entry.most, "decimals": 1, "suffix": f" {entry.unit}" if entry.unit else ""}
        super().__init__(minimum=0, specialValueText=tr(entry.empty), **properties)
        self.setAccessibleName(tr(entry.spoken or entry.title))
        basic.pad(self)

    def textFromValue(self, value: float) -> str:
        """Without needless zeros."""
        return number_text(value, "g")

    def focusInEvent(self, event: Any) -> None:
        """What is typed replaces what was there."""
        super().focusInEvent(event)
        QTimer.singleShot(0, self, self.selectAll)

    def focusOutEvent(self, event: Any) -> None:
        """The next change is another step."""
        super().focusOutEvent(event)
        self.left.emit()


EntryBox: TypeAlias = NumberBox | inputs.ChoiceBox | Chips | CommentEdit


class FindingForm(QWidget):
    """Shows some fields of one finding; emits what it shall become. What a class does not have is hidden."""

    changed = Signal(object, object, bool)  # old, new, whether it goes on with the last change

    def __init__(self, session: Session, names: Sequence[str]) -> None:
        """`names` are those of the entries in their order, with "kind" for the class."""
        super().__init__()
        self._session = session
        self.shown: Finding | None = None
        self._texts: dict[str, CommentEdit] = {}
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
                box = NumberBox(entry)
                box.valueChanged.connect(lambda value: self._change(name, value or None, goes_on=True))
                box.left.connect(self._end_sitting)
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
        if before is None or finding is None or before.finding_id != finding.finding_id:
            self._end_sitting()
        for name in self._texts:
            self._show_text(name, before, finding)
        if finding is None:
            return
        self.kind.show_value(finding.kind)
        asked = asked_entries(entry.name for entry in self._session.vocabulary.path(finding.kind))
        for name, box in self.entries.items():
            value = getattr(finding, name)
            self._rows.setRowVisible(box, name in asked or bool(value))  # what was entered is never hidden
            if isinstance(box, inputs.ChoiceBox | Chips):
                box.show_value(value)
            elif isinstance(box, NumberBox) and box.value() != (value or 0.0):
                with QSignalBlocker(box):
                    box.setValue(value or 0.0)

    def _show_text(self, name: str, before: Finding | None, finding: Finding | None) -> None:
        box, text = self._texts[name], getattr(finding, name, "")
        is_same = finding is not None and before is not None and finding.finding_id == before.finding_id
        if is_same and text in (getattr(before, name), box.toPlainText().strip()):
            return
        if box.toPlainText() != text:
            box.setPlainText(text)

    def save_texts(self) -> None:
        """Ask for the comment and other texts to be kept as they are written, where that is new."""
        for name in self._texts:
            self._save_text(name)

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
