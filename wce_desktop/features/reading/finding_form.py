"""The details of the chosen finding, edited in place: each change is one undo step, typing without a pause too."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, QTimer, Signal
from PySide6.QtWidgets import QFormLayout, QPlainTextEdit, QVBoxLayout, QWidget

from training.datasets.findings import MAX_SIZE_MM
from wce_desktop.core.annotation.finding import MORPHOLOGIES, NUMBERS_SHOWN, SEGMENTS, Finding
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.features.reading.finding_words import RELEVANCE_TITLES, origin_words, place_words
from wce_desktop.features.reading.key_frames import KeyFrames, Thumbnail
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import make_note, pad
from wce_desktop.widgets.choice_box import Choice, ChoiceBox, class_choices
from wce_desktop.widgets.number_box import DecimalBox
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.typing_pause import TypingPause

UNKNOWN = to_translate("not entered")


class CommentEdit(QPlainTextEdit):
    """A text field that emits signals when the reader pauses typing and when the focus leaves."""

    rested = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setPlaceholderText(tr("Comment"))
        self.setAccessibleName(tr("Comment of the finding"))
        self.setFixedHeight(64)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files dropped here are handled by the window
        self._rest = TypingPause(self)
        self._rest.reached.connect(self.rested)
        self.textChanged.connect(self._rest.start)

    def focusOutEvent(self, event: object) -> None:
        """Emit a signal, so that the comment is saved."""
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.left.emit()


class SizeBox(DecimalBox):
    """A size in mm; empty where it was not measured."""

    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Size of the finding in mm"))
        self.setRange(0, MAX_SIZE_MM)
        self.setDecimals(1)
        self.setSuffix(" mm")
        self.setSpecialValueText(tr("not measured"))
        self.setToolTip(tr("Largest diameter in mm; 0: not measured"))
        pad(self)

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


class FindingForm(QWidget):
    """Shows one finding; emits what it shall become."""

    changed = Signal(object, object, bool)  # old, new, whether it goes on with the last change

    def __init__(self, session: Session, thumbnail: Thumbnail) -> None:
        super().__init__()
        self._session = session
        self._shown: Finding | None = None
        self._sitting = ""
        """The field that is being edited and was saved already."""
        self.kind = ChoiceBox(tr("Kind of the finding"))
        self.place = make_note()
        self.segment = ChoiceBox(tr("Segment"), _choices(SEGMENTS, to_translate("as the landmark says")))
        self.size_mm = SizeBox()
        self.number = ChoiceBox(tr("Number"), _choices(NUMBERS_SHOWN))
        self.morphology = ChoiceBox(tr("Morphology (Paris)"), _choices(MORPHOLOGIES))
        relevance = [Choice(value, tr(title)) for value, title in RELEVANCE_TITLES.items()]
        self.relevance = ChoiceBox(tr("Relevance for bleeding (Saurin)"), relevance)
        self.comment = CommentEdit()
        self.key_frames = KeyFrames(session, thumbnail)
        self.origin = make_note()
        for name in ("kind", "segment", "number", "morphology", "relevance"):
            box: ChoiceBox = getattr(self, name)
            box.chosen.connect(lambda value, name=name: self._change(name, value))
        self.size_mm.valueChanged.connect(lambda value: self._change("size_mm", value or None, goes_on=True))
        self.size_mm.left.connect(self._end_sitting)
        self.comment.rested.connect(self.save_comment)
        self.comment.left.connect(self._leave_comment)
        self.morphology.setToolTip(tr("Paris classification of superficial lesions, where it applies"))
        self.relevance.setToolTip(
            tr("Whether it explains bleeding (Saurin et al. 2003): P0 no, P1 uncertain, P2 likely")
        )
        self._arrange()
        self.show_classes()

    def _arrange(self) -> None:
        rows = QFormLayout()
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setVerticalSpacing(4)
        rows.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for title, widget in (
            (tr("Kind"), self.kind),
            (tr("Segment"), self.segment),
            (tr("Size"), self.size_mm),
            (tr("Number"), self.number),
        ):
            rows.addRow(title, widget)
        for title, widget in (
            (tr("Paris classification (polyps)"), self.morphology),
            (tr("Potential for bleeding (Saurin)"), self.relevance),
        ):
            rows.addRow(PlainLabel(title))  # a line of its own: it has no room beside the field
            rows.addRow(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.comment)
        column.addWidget(self.place)
        column.addLayout(rows)
        column.addWidget(self.key_frames)
        column.addWidget(self.origin)
        column.addStretch(1)

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary."""
        self.kind.set_choices(class_choices(self._session.vocabulary, without=(NORMAL,)))
        self.kind.show_value(self._shown.kind if self._shown is not None else "")

    @property
    def shown(self) -> Finding | None:
        """The finding whose details are shown."""
        return self._shown

    def show_finding(self, finding: Finding | None) -> None:
        """Show a finding; a comment that is being written stays until it is saved."""
        before, self._shown = self._shown, finding
        self.setEnabled(finding is not None)
        self.setVisible(finding is not None)
        if before is None or finding is None or before.finding_id != finding.finding_id:
            self._end_sitting()
        self._show_comment(before, finding)
        self.key_frames.show_finding(finding)
        if finding is None:
            return
        for name in ("kind", "segment", "number", "morphology", "relevance"):
            box: ChoiceBox = getattr(self, name)
            box.show_value(getattr(finding, name))
        with QSignalBlocker(self.size_mm):
            if self.size_mm.value() != (finding.size_mm or 0.0):
                self.size_mm.setValue(finding.size_mm or 0.0)
        self.origin.setText(origin_words(self._session, finding))
        self.show_place()

    def show_place(self) -> None:
        """Show where the finding lies after the landmarks."""
        reading = self._session.reading
        if reading is not None and self._shown is not None:
            self.place.setText(tr("Place: {place}", place=place_words(reading, self._shown)))

    def _show_comment(self, before: Finding | None, finding: Finding | None) -> None:
        text = finding.comment if finding else ""
        is_same = finding is not None and before is not None and finding.finding_id == before.finding_id
        if is_same and before is not None and text in (before.comment, self.comment.toPlainText().strip()):
            return
        if self.comment.toPlainText() != text:
            self.comment.setPlainText(text)

    def save_comment(self) -> None:
        """Ask for the comment to be kept as it is written, if that is new."""
        self._change("comment", self.comment.toPlainText().strip(), goes_on=True)

    def _leave_comment(self) -> None:
        self.save_comment()
        self._end_sitting()

    def _end_sitting(self) -> None:
        self._sitting = ""

    def _change(self, name: str, value: object, *, goes_on: bool = False) -> None:
        """Ask for one detail to become another value; with `goes_on` further changes of it are the same step."""
        finding = self._shown
        if finding is None or getattr(finding, name) == value:
            return
        is_going_on = goes_on and self._sitting == name
        self._sitting = name if goes_on else ""
        detail: dict[str, Any] = {name: value}
        self.changed.emit(finding, replace(finding, **detail), is_going_on)


def _choices(values: Iterable[str], unknown: str = UNKNOWN) -> list[Choice]:
    return [Choice("", tr(unknown)), *(Choice(value, tr(value)) for value in values)]
