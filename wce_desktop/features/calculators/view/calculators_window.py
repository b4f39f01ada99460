"""The window of the calculators: a tab for each."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from wce_desktop.core.annotation.report_part import PartKind
from wce_desktop.core.calculators import CALCULATORS
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.calculators.view.form_page import FormPage
from wce_desktop.features.calculators.view.koda_page import KodaPage
from wce_desktop.session.keys import with_keys
from wce_desktop.widgets.basic import make_text
from wce_desktop.widgets.inputs import TabWidget
from wce_desktop.widgets.theme import MUTED, WARNING
from wce_desktop.widgets.window_size import fit_to_screen

TABS: dict[PartKind, str] = {
    "lewis": to_translate("Lewis score"),
    "cecdai": "CECDAI",
    "koda": "KODA",
    "cc-clear": "CC-CLEAR",
}
KEYS = to_translate("Inputs are saved at once. {undo} undoes the last one.")


class CalculatorsWindow(QDialog):
    """Inputs are part of the study: they are saved at once and can be undone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Scores"))
        fit_to_screen(self, 860, 720)
        self.forms = {kind: FormPage(calculator) for kind, calculator in CALCULATORS.items()}
        self.koda = KodaPage()
        self.problem = make_text(WARNING)
        self.message = make_text(MUTED)
        self.tabs = TabWidget()
        self.tabs.setAccessibleName(tr("Scores"))
        for kind, title in TABS.items():
            self.tabs.addTab(self.koda if kind == "koda" else self.forms[kind], tr(title))
        self.tabs.currentChanged.connect(lambda _: self._focus_page())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.addWidget(self.problem)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self.message)
        self.show_problem("")
        self.show_message("")

    def show_problem(self, sentence: str) -> None:
        """Show what went wrong, or nothing."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def show_message(self, sentence: str) -> None:
        """Say what was undone and where, or why nothing was."""
        self.message.setText(sentence or with_keys(tr(KEYS)))

    def open(self) -> None:
        """Show the window in front."""
        self.show()
        self.raise_()
        self.activateWindow()

    def _focus_page(self) -> None:
        if self.tabs.currentWidget() is self.koda:
            self.koda.setFocus()
