"""Asks whether the labels that came with a finding are removed with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from wce_desktop.core import SpanSet, tr, tr_count
from wce_desktop.core.annotation import Label, shown_name
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.widgets.plain_text import MessageBox


class RemovalQuestion(MessageBox):
    """Enter removes finding and labels, Escape nothing. `open` does not block the window; it deletes itself."""

    decided = Signal(bool)
    """The finding is to be removed; whether the labels that came with it are, too."""

    def __init__(
        self, finding: Finding, with_it: Sequence[Label], others: Sequence[Label], parent: QWidget | None = None
    ) -> None:
        name = shown_name(finding.kind)
        question = tr_count(
            "Remove the finding {name} with the labels that came with it ({count} frame)?",
            "Remove the finding {name} with the labels that came with it ({count} frames)?",
            SpanSet(label.span for label in with_it).frame_count,
            name=name,
        )
        stay = tr_count(
            "Labels on {count} frame were there before the finding and stay.",
            "Labels on {count} frames were there before the finding and stay.",
            SpanSet(label.span for label in others).frame_count,
        )
        question = question if with_it else tr("Remove the finding {name}?", name=name)
        super().__init__(parent, tr("Remove finding"), question, stay if others else "")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        role = QMessageBox.ButtonRole.DestructiveRole
        both = self.addButton(tr("Remove finding and labels"), role) if with_it else None
        only = self.addButton(tr("Remove finding only") if with_it else tr("Remove finding"), role)
        only.clicked.connect(lambda: self.decided.emit(False))
        if both is not None:
            both.clicked.connect(lambda: self.decided.emit(True))
        self.setDefaultButton(both or only)
        cancel = self.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setEscapeButton(cancel)
