"""Before a cross-validation: what it will do, in how many parts, or why it cannot begin."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from wce_desktop.features.learning.model.cross_validation import FEWEST_FOLDS, CrossValidation
from wce_desktop.jobs.wording import format_wait
from wce_desktop.widgets.basic import make_text, pad
from wce_desktop.widgets.theme import MUTED, WARNING
from wce_desktop.widgets.window_size import fit_to_screen


class CrossValidationDialog(QDialog):
    """Says what will be done and asks for the number of parts."""

    def __init__(self, plan: CrossValidation, part_seconds: float = 0.0, parent: QWidget | None = None) -> None:
        """`part_seconds` is how long one part is likely to take; 0: not known."""
        super().__init__(parent)
        self.setWindowTitle(f"Cross-validate {plan.model.title}")
        fit_to_screen(self, 520, 260)
        self._plan, self._part_seconds = plan, part_seconds
        self._folds = QSpinBox()
        self._folds.setAccessibleName("Parts")
        self._folds.setRange(FEWEST_FOLDS, max(plan.most_folds, FEWEST_FOLDS))
        self._folds.setValue(plan.most_folds)
        pad(self._folds)
        self._folds.valueChanged.connect(self._say)
        self._text = make_text(WARNING if plan.problem else "")
        self._time = make_text(MUTED)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.start = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.start.setText("Cross-validate")
        self.start.setEnabled(not plan.problem)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self._text)
        if not plan.problem:
            form = QFormLayout()
            form.addRow("Parts", self._folds)
            layout.addLayout(form)
            layout.addWidget(self._time)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self._say()

    @property
    def folds(self) -> int:
        """Into how many parts the patients are divided."""
        return self._folds.value()

    @property
    def said(self) -> str:
        """What it says."""
        return self._text.text()

    @property
    def time_said(self) -> str:
        """What it says of the time."""
        return self._time.text()

    def _say(self) -> None:
        plan = self._plan
        self._text.setText(f"{plan.problem}\n{plan.hint}" if plan.problem else "\n\n".join(plan.sentences))
        wait = f", about {format_wait(self.folds * self._part_seconds)} in all" if self._part_seconds else ""
        self._time.setText(
            f"{self.folds} trainings one after the other{wait}, in the background. The model itself is not changed."
        )
