"""Choosing a model: every one that the library holds, with what it descends from; none is ever lost."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from wce_desktop.library import Model
from wce_desktop.ui.widgets import make_list, make_note

MODEL_ROLE = Qt.ItemDataRole.UserRole


def describe_model(model: Model, models: Sequence[Model]) -> str:
    """Two lines: its title and whether it is in use; its classes, its day and what it was finetuned from."""
    parent = next((known.title for known in models if known.model_id == model.parent_id), "")
    classes = ", ".join(name for name in model.classes if name != "normal")
    origin = f"finetuned from {parent}" if parent else "as it came"
    used = "   (in use)" if model.is_current else ""
    return f"{model.title}{used}\n{classes} · {model.created_utc[:10]} · {origin}"


class ModelsDialog(QDialog):
    """The list of models; `chosen` is the one to use, or None."""

    def __init__(self, models: Sequence[Model], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Models")
        self.resize(560, 380)
        self.chosen: Model | None = None
        self.is_adding = False
        self._list = make_list("Models")
        self._list.setSpacing(3)
        for model in reversed(models):
            item = QListWidgetItem(describe_model(model, models), self._list)
            item.setData(MODEL_ROLE, model)
            if model.is_current:
                self._list.setCurrentItem(item)
        self._list.itemActivated.connect(lambda _: self._use())
        hint = make_note("Scores of other models stay on disk: taking a model back brings its flags back at once.")
        use = QPushButton("Use this model")
        use.setDefault(True)
        use.setEnabled(bool(models))
        use.clicked.connect(self._use)
        add = QPushButton("Add a model folder…")
        add.clicked.connect(self._add)
        buttons = QHBoxLayout()
        buttons.addWidget(add)
        buttons.addStretch(1)
        buttons.addWidget(use)
        layout = QVBoxLayout(self)
        layout.addWidget(self._list, 1)
        layout.addWidget(hint)
        layout.addLayout(buttons)

    def _use(self) -> None:
        item = self._list.currentItem()
        if item is not None:
            self.chosen = item.data(MODEL_ROLE)
            self.accept()

    def _add(self) -> None:
        self.is_adding = True
        self.accept()
