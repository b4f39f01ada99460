"""The question before an import: what it would add; of many studies the sum, with each under *Show Details*."""

from PySide6.QtWidgets import QMessageBox, QWidget

from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.features.exchange.import_review import review_lines, source_notes
from wce_desktop.library.exchange import ImportPlan
from wce_desktop.widgets.plain_text import MessageBox

MOST_LINES = 12
"""More would not fit on a small screen."""


def import_question(parent: QWidget | None, plan: ImportPlan, vocabulary: Vocabulary) -> QMessageBox:
    """A dialog that asks whether to take a plan in; Yes or No, No by default."""
    about, notes = review_lines(plan, vocabulary), source_notes(plan)
    is_long = len(plan.lines) > MOST_LINES
    shown = about if is_long else [*plan.lines, *about]
    box = MessageBox(parent)
    box.setIcon(QMessageBox.Icon.Question)
    box.setWindowTitle("Import labels")
    box.setText("\n\n".join(["\n".join(shown), "Take this in?"]))
    if is_long or notes:
        box.setDetailedText("\n\n".join([*notes, "\n".join(plan.lines)]))
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    box.setDefaultButton(QMessageBox.StandardButton.No)
    return box
