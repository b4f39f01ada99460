"""After a fine-tuning: comparison of the new with the current model, and the choice between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from wce_desktop.core.vocabulary import ClassName
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.comparison import ComparisonTable, FlagChange, FlagChangesList
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import MUTED, RAISED, WARNING

_SPLITS = {
    "patients": "Evaluated on patients not used for training in this fine-tuning.",
    "time": "Evaluated on held-out sections of the same studies, because there are too few patients.",
}


class ComparisonView(QWidget):
    """Shows both models with a button to use either; earlier models stay available."""

    event_chosen = Signal(int)  # frame_index of a flag that appears or disappears
    new_model_chosen = Signal()
    old_model_kept = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes: Mapping[str, ClassName] = {}
        self._title = PlainLabel("New and current model")
        self._title.setStyleSheet("font-weight: bold")
        self._split = make_text(MUTED)
        self._warning = make_text()
        self._warning_box = QFrame()
        self._warning_box.setObjectName("warning")
        self._warning_box.setStyleSheet(f"QFrame#warning {{ background: {RAISED}; border-left: 4px solid {WARNING}; }}")
        self._table = ComparisonTable()
        self._changes = FlagChangesList()
        self._changes.event_chosen.connect(self.event_chosen)
        self._note = make_text(MUTED)
        self._keep = make_button("Keep old model", "Keep using the current model; the new one stays in the list")
        self._use = make_button("Use new model", "Score with the new model from now on; the old one stays in the list")
        self._use.setProperty("primary", True)
        self._keep.clicked.connect(self.old_model_kept)
        self._use.clicked.connect(self.new_model_chosen)
        self._arrange()

    def _arrange(self) -> None:
        inside = QHBoxLayout(self._warning_box)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.addWidget(self._warning)
        choice = QHBoxLayout()
        choice.addWidget(self._note, 1)
        choice.addWidget(self._keep)
        choice.addWidget(self._use)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        for widget in (self._title, self._split, self._warning_box, self._table):
            layout.addWidget(widget)
        layout.addWidget(self._changes, 1)
        layout.addLayout(choice)

    @property
    def cells(self) -> Mapping[tuple[str, str], str]:
        """The content of the table: (class, "auc" or a specificity such as "0.95") -> "0.81 → 0.93 ▲"."""
        return self._table.cells

    def set_classes(self, classes: Mapping[str, ClassName]) -> None:
        """Set titles and colours of the classes; call this first."""
        self._classes = classes

    def set_comparison(self, comparison: Mapping[str, Any], old_name: str = "", new_name: str = "") -> None:
        """Show the content of a run's comparison.json (see `training.commands.finetune`), with the models' names."""
        names = f": {new_name} and {old_name}" if old_name and new_name else ""
        self._title.setText(f"New and current model{names}")
        split = _SPLITS.get(comparison.get("split", ""), "There is no earlier model to compare with.")
        stages = comparison.get("stages") or {}
        self._split.setText(f"{split} {stages.get('sentence', '')}".strip())
        self._warning.setText(comparison.get("warning") or "")
        self._warning_box.setVisible(bool(self._warning.text()))
        self._table.show_comparison(comparison, self._classes)
        self.set_choice("")

    def set_flag_changes(self, study: str, changes: Sequence[FlagChange]) -> None:
        """List which flags of the open study appear and disappear."""
        self._changes.set_changes(study, changes, self._classes)

    def set_flags_message(self, sentence: str) -> None:
        """Show why there is no list of flags yet, for example while the open study is being scored."""
        self._changes.set_message(sentence)

    def set_choice(self, sentence: str) -> None:
        """Show what was chosen ("The new model is in use.") and disable the buttons; "" enables them again."""
        self._note.setText(sentence or "The current model stays in use until you choose.")
        for button in (self._keep, self._use):
            button.setEnabled(not sentence)

    def step(self, steps: int) -> None:
        """Go to the next (1) or the previous (-1) flag that changed."""
        self._changes.step(steps)
