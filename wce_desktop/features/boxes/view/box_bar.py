"""The line below the frame while boxes are edited: the chosen box's class and finding, and buttons."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from wce_desktop.core.annotation.finding import Box
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.clock import format_time
from wce_desktop.core.language import to_translate, tr
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import make_button
from wce_desktop.widgets.choice_box import Choice, ChoiceBox, class_choices
from wce_desktop.widgets.plain_text import PlainLabel

HINT = to_translate(
    "Drag on the frame to draw a box. Tab: next box. Arrow keys: move, with Shift resize, with Ctrl ten pixels. "
    "1 to 9: name. Delete: remove. Ctrl and drag: move the frame. Escape: done."
)
NO_FINDING = to_translate("no finding")


class BoxBar(QWidget):
    """Shows what keys act on; emits what the reader wants."""

    new_requested = Signal()
    name_chosen = Signal(str)
    finding_chosen = Signal(str)
    remove_requested = Signal()
    done = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._title = PlainLabel()
        self.name = ChoiceBox(tr("Class of the box"))
        self.name.chosen.connect(self.name_chosen)
        self.finding = ChoiceBox(tr("Finding of the box"))
        self.finding.chosen.connect(self.finding_chosen)
        self.new = make_button(tr("New box"), tr("Put a box into the middle of the frame (D, Insert)"))
        self.new.clicked.connect(self.new_requested)
        self.remove = make_button(tr("Remove box"), tr("Remove the chosen box (Delete)"))
        self.remove.clicked.connect(self.remove_requested)
        self.leave = make_button(tr("Done"), tr("Stop editing boxes (Escape)"))
        self.leave.clicked.connect(self.done)
        for button in (self.new, self.remove, self.leave):
            button.setStyleSheet("QPushButton { padding: 3px 8px; }")
        line = QHBoxLayout(self)
        line.addWidget(self.new)
        line.addWidget(self._title)
        line.addWidget(self.name, 1)
        line.addWidget(self.finding, 1)
        line.addWidget(self.remove)
        line.addWidget(self.leave)
        line.setContentsMargins(8, 2, 8, 2)
        line.setSpacing(4)
        self.setToolTip(tr(HINT))
        self.show_classes()
        self.hide()

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary."""
        self.name.set_choices(class_choices(self._session.vocabulary, without=(NORMAL,)))

    def show_box(self, box: Box | None, next_name: str) -> None:
        """Show the chosen box; without one the class that the next box gets."""
        self._title.setText(tr("Box") if box is not None else tr("Next box"))
        self.name.show_value(next_name if box is None else box.name)
        self.finding.set_choices([Choice("", tr(NO_FINDING)), *self._findings()])
        self.finding.show_value("" if box is None else box.finding_id or "")
        self.finding.setEnabled(box is not None)
        self.remove.setEnabled(box is not None)

    def _findings(self) -> list[Choice]:
        reading, of = self._session.reading, self._session.vocabulary.of
        if reading is None:
            return []
        seconds = reading.index.video_seconds
        return [
            Choice(
                one.finding_id,
                tr(
                    "{finding} at {time}",
                    finding=of(one.kind).shown_title,
                    time=format_time(float(seconds[one.span.start])),
                ),
            )
            for one in sorted(reading.entries.findings, key=lambda one: one.span.start)
        ]
