"""Asks before a study, or a patient with all studies, is removed: what is deleted, and what has learned from it."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QRadioButton, QVBoxLayout, QWidget

from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.session.removing import RemovalFacts
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import WARNING
from wce_desktop.widgets.window_size import fit_to_screen

AGREE = to_translate("I understand that this cannot be undone")


class RemovalDialog(QDialog):
    """`facts` is what was agreed to, once it is accepted."""

    def __init__(
        self,
        study: Study,
        of_patient: Sequence[Study],
        facts_of: Callable[[Sequence[Study]], RemovalFacts],
        parent: QWidget | None = None,
    ) -> None:
        """`of_patient`: all studies of the patient, this one among them."""
        super().__init__(parent)
        self.setWindowTitle(tr("Remove a study"))
        fit_to_screen(self, 620, 420)
        self._facts_of = facts_of
        self.one = QRadioButton(tr("only this study"))
        self.every = QRadioButton(
            tr_count("the {count} study of this patient", "all {count} studies of this patient", len(of_patient))
        )
        self.one.setChecked(True)
        self._choices = {self.one: (study,), self.every: tuple(of_patient)}
        title = PlainLabel(tr("Remove “{study}” with everything derived from it?", study=study.name))
        title.setWordWrap(True)
        title.setStyleSheet("font-weight: bold")
        self.said = make_text()
        self.agree = QCheckBox(tr(AGREE))
        self.remove = make_button(tr("Remove"), tr("Remove it for good"))
        self.remove.setStyleSheet(f"QPushButton:enabled {{ color: {WARNING} }}")
        self.cancel = make_button(tr("Cancel"), tr("Change nothing"))
        self.cancel.setDefault(True)
        layout = QVBoxLayout(self)
        layout.addWidget(title)
        for button in self._choices:
            button.setVisible(len(of_patient) > 1)
            button.toggled.connect(lambda is_on: self._show() if is_on else None)
            layout.addWidget(button)
        layout.addWidget(self.said)
        layout.addStretch(1)
        layout.addWidget(self.agree)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.remove)
        layout.addLayout(row)
        self.agree.toggled.connect(self.remove.setEnabled)
        self.remove.clicked.connect(self.accept)
        self.cancel.clicked.connect(self.reject)
        self._show()
        self.cancel.setFocus()

    def _show(self) -> None:
        chosen = next(studies for button, studies in self._choices.items() if button.isChecked())
        self.facts = self._facts_of(chosen)
        self.said.setText("\n\n".join(self.facts.sentences))
        self.agree.setChecked(False)
        self.remove.setEnabled(False)
        self.remove.setText(tr_count("Remove {count} study", "Remove {count} studies", len(chosen)))
