"""The finetuning window: what is learnt from, how it goes, and afterwards old and new side by side."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QStackedLayout, QWidget

from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.features.learning.view.comparison_view import ComparisonView
from wce_desktop.features.learning.view.finetune_panel import FinetunePanel, PresetRow
from wce_desktop.session.presets import built_in
from wce_desktop.widgets.window_size import fit_to_screen

PRESETS = tuple(PresetRow(preset.name, preset.title, preset.description) for preset in built_in("finetune"))


class FinetuneWindow(QDialog):
    """Stays open beside the main window, so that one can go on reading while the model learns."""

    def __init__(self, vocabulary: Vocabulary, preset: str, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Finetune")
        fit_to_screen(self, 720, 640)
        self.panel = FinetunePanel()
        self.comparison = ComparisonView()
        classes = {known.name: known for known in vocabulary}
        self.panel.set_classes(classes)
        self.comparison.set_classes(classes)
        self.panel.set_presets(PRESETS, preset)
        self._stack = QStackedLayout(self)
        self._stack.addWidget(self.panel)
        self._stack.addWidget(self.comparison)

    @property
    def is_comparing(self) -> bool:
        """True while old and new stand side by side."""
        return self._stack.currentWidget() is self.comparison

    def show_panel(self) -> None:
        """Show what is learnt from and how it goes."""
        self._stack.setCurrentWidget(self.panel)
        self.show()
        self.raise_()

    def show_comparison(self) -> None:
        """Show old and new side by side."""
        self._stack.setCurrentWidget(self.comparison)
        self.show()
        self.raise_()
