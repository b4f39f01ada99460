"""Asks whether the labels that came with a finding are removed with it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.vocabulary import shown_name
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.span import SpanSet
from wce_desktop.widgets.plain_text import MessageBox


class RemovalQuestion(MessageBox):
    """Enter removes finding and labels, Escape nothing. `open` does not block the window; it deletes itself."""

    decided = Signal(bool)
    """The finding is to be removed; whether the labels that came with it are, too."""

    def __init__(
        self, finding: Finding, with_it: Sequence[Label], others: Sequence[Label], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setIcon(QMessageBox.Icon.Question)
        self.setWindowTitle(tr("Remove finding"))
        name = shown_name(finding.kind)
        self.setText(
            tr_count(
                "Remove the finding {name} with the labels that came with it ({count} frame)?",
                "Remove the finding {name} with the labels that came with it ({count} frames)?",
                _frames(with_it),
                name=name,
            )
            if with_it
            else tr("Remove the finding {name}?", name=name)
        )
        stay = tr_count(
            "Labels on {count} frame were there before the finding and stay.",
            "Labels on {count} frames were there before the finding and stay.",
            _frames(others),
        )
        self.setInformativeText(stay if others else "")
        role = QMessageBox.ButtonRole.DestructiveRole
        both = self.addButton(tr("Remove finding and labels"), role) if with_it else None
        only = self.addButton(tr("Remove finding only") if with_it else tr("Remove finding"), role)
        only.clicked.connect(lambda: self.decided.emit(False))
        if both is not None:
            both.clicked.connect(lambda: self.decided.emit(True))
        self.setDefaultButton(both or only)
        cancel = self.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        self.setEscapeButton(cancel)


def _frames(labels: Sequence[Label]) -> int:
    return SpanSet(label.span for label in labels).frame_count
