"""The details of the chosen finding, edited in place: each change is one undo step, typing without a pause too."""

from dataclasses import replace
from typing import Any, TypeAlias

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QFormLayout, QPlainTextEdit, QWidget

from wce_desktop.core.annotation.entry import Entry
from wce_desktop.core.annotation.finding import FORM_ENTRIES, Finding
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.transit import place_of
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.features.reading.key_frames import KeyFrames, Thumbnail
from wce_desktop.session.keys import with_keys
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, inputs
from wce_desktop.widgets.plain_text import PlainLabel, plain

_ORIGINS = {
    True: to_translate("{by}; suggested by {model}, seen before the flag"),
    False: to_translate("{by}; suggested by {model}, not seen before the flag"),
    None: to_translate("{by}; suggested by {model}"),
}
"""By whether the finding was seen before the model flagged it."""


class CommentEdit(QPlainTextEdit):
    """A text field that emits signals when the reader pauses typing and when the focus leaves."""

    rested = Signal()
    left = Signal()

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self.setPlaceholderText(tr(entry.title))
        self.setAccessibleName(tr(entry.spoken or entry.title))
        self.setFixedHeight(64)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files dropped here are handled by the window
        self._rest = inputs.TypingPause(self)
        self._rest.reached.connect(self.rested)
        self.textChanged.connect(self._rest.start)

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


EntryBox: TypeAlias = NumberBox | inputs.ChoiceBox | CommentEdit


class FindingForm(QWidget):
    """Shows one finding; emits what it shall become."""

    changed = Signal(object, object, bool)  # old, new, whether it goes on with the last change

    def __init__(self, session: Session, thumbnail: Thumbnail) -> None:
        super().__init__()
        self._session = session
        self.shown: Finding | None = None
        self._texts: dict[str, CommentEdit] = {}
        self._sitting = ""
        """The field that is being edited and was saved already."""
        self.kind = inputs.ChoiceBox(tr("Kind of the finding"))
        self.kind.chosen.connect(lambda value: self._change("kind", value))
        self.place = basic.make_note()
        self.entries = {name: self._make_box(name, entry) for name, entry in FORM_ENTRIES.items()}
        self.comment = self._texts["comment"]
        self.key_frames = KeyFrames(session, thumbnail)
        self.origin = basic.make_note()
        self._arrange()
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
                offered = (inputs.Choice(option.value, tr(option.title or option.value)) for option in entry.options)
                box = inputs.ChoiceBox(tr(entry.spoken or entry.title), (inputs.Choice("", tr(entry.empty)), *offered))
                box.chosen.connect(lambda value: self._change(name, value))
            case "text":
                box = self._texts[name] = CommentEdit(entry)
                box.rested.connect(lambda: self._save_text(name))
                box.left.connect(lambda: self._leave_text(name))
        box.setToolTip(plain(tr(entry.tip)))
        return box

    def _arrange(self) -> None:
        rows = QFormLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setVerticalSpacing(4)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        rows.addRow(tr("Kind"), self.kind)
        for name, entry in FORM_ENTRIES.items():
            if name == "comment":  # stands above all others
                continue
            title = tr(entry.label or entry.title)
            if entry.has_own_line:
                rows.addRow(PlainLabel(title))
                rows.addRow(self.entries[name])
            else:
                rows.addRow(title, self.entries[name])
        basic.in_column(self.comment, self.place, rows, self.key_frames, self.origin, 1, of=self, margins=0, spacing=6)

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary."""
        self.kind.set_choices(inputs.class_choices(self._session.vocabulary, without=(NORMAL,)))
        self.kind.show_value(self.shown.kind if self.shown is not None else "")

    def show_finding(self, finding: Finding | None) -> None:
        """Show a finding; a comment that is being written stays until it is saved."""
        before, self.shown = self.shown, finding
        self.setEnabled(finding is not None)
        self.setVisible(finding is not None)
        if before is None or finding is None or before.finding_id != finding.finding_id:
            self._end_sitting()
        for name in self._texts:
            self._show_text(name, before, finding)
        self.key_frames.show_finding(finding)
        if finding is None:
            return
        self.kind.show_value(finding.kind)
        for name, box in self.entries.items():
            value = getattr(finding, name)
            if isinstance(box, inputs.ChoiceBox):
                box.show_value(value)
            elif isinstance(box, NumberBox) and box.value() != (value or 0.0):
                with QSignalBlocker(box):
                    box.setValue(value or 0.0)
        self.origin.setText(self._origin(finding))
        self.show_place()

    def show_place(self) -> None:
        """Show where the finding lies after the landmarks, or that this is not known."""
        reading, finding = self._session.reading, self.shown
        if reading is not None and finding is not None:
            place = place_of(reading.entries.landmarks, reading.index.video_seconds, finding.span.start)
            unknown = with_keys(tr("no landmark before it ({landmark_stomach} to {landmark_end})"))
            self.place.setText(tr("Place: {place}", place=unknown if place is None else place.words))

    def _origin(self, finding: Finding) -> str:
        """ "By reader, 2026-11-23 10:12 UTC; suggested by Model 1, not seen before the flag"."""
        when = finding.when_utc[:16].replace("T", " ")
        reader = finding.reader or tr("an unknown reader")
        message = tr("By {reader}, {time} UTC", reader=reader, time=when) if when else tr("By {reader}", reader=reader)
        if finding.model_id is None:
            return message
        titles = {model.model_id: model.title for model in self._session.library.models.all()}
        model = titles.get(finding.model_id, finding.model_id)
        return tr(_ORIGINS[finding.was_seen_before], by=message, model=model)

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
