"""After a fine-tuning: comparison of the new with the current model, and the choice between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMessageBox, QScrollArea, QVBoxLayout, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.comparison import FlagCounts
from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.basic import SidewaysArea, make_button, make_text
from wce_desktop.widgets.comparison import FlagChange, FlagChangesList
from wce_desktop.widgets.comparison_table import ComparisonTable
from wce_desktop.widgets.plain_text import MessageBox
from wce_desktop.widgets.theme import COLORS

_SPLITS = {
    "patients": to_translate("Evaluated on patients not used for training in this fine-tuning."),
    "time": to_translate("Evaluated on held-out sections of the same studies, because there are too few patients."),
}
_NO_EARLIER = to_translate("There is no earlier model to compare with.")


def ask_use_worse(sentence: str, new_name: str, parent: QWidget | None = None) -> bool:
    """Ask whether a model that is worse is to be used; Enter and Escape mean no."""
    box = MessageBox(parent)
    box.setWindowTitle(tr("Use new model"))
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(
        tr("{model} is worse than the current model. Use it anyway?", model=new_name)
        if new_name
        else tr("The new model is worse than the current model. Use it anyway?")
    )
    stays = tr("The current model stays in the list, so you can go back to it.")
    box.setInformativeText(f"{tr(sentence)}\n\n{stays}")
    box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No)
    box.setDefaultButton(QMessageBox.StandardButton.No)
    answer = box.exec()
    box.deleteLater()
    return answer == QMessageBox.StandardButton.Yes


class ComparisonView(QWidget):
    """Shows both models with a button to use either; earlier models stay available.

    The button that the verdict recommends is the default one of the dialog: it is highlighted, and Enter presses it.
    """

    event_chosen = Signal(int)  # frame_index of a flag that appears or disappears
    new_model_chosen = Signal()
    old_model_kept = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._classes: Mapping[str, ClassName] = {}
        self._title = make_text(COLORS.muted)
        self._verdict = make_text()
        self._verdict_box = QFrame()
        self._verdict_box.setObjectName("verdict")
        self._split = make_text(COLORS.muted)
        self._warning = make_text()
        self._warning_box = QFrame()
        self._warning_box.setObjectName("warning")
        self._warning_box.setStyleSheet(
            f"QFrame#warning {{ background: {COLORS.raised}; border-left: 4px solid {COLORS.warning}; }}"
        )
        self._table = ComparisonTable()
        self._changes = FlagChangesList()
        self._changes.event_chosen.connect(self.event_chosen)
        self._note = make_text(COLORS.muted)
        self._keep = make_button(
            tr("Keep old model"), tr("Keep using the current model; the new one stays in the list")
        )
        self._use = make_button(
            tr("Use new model"), tr("Score with the new model from now on; the old one stays in the list")
        )
        self._close = make_button(tr("Close"), tr("Close this window"))
        for button in (*self._changes.buttons, self._keep, self._use, self._close):
            button.setAutoDefault(True)  # Enter presses the button with the focus, which is highlighted then
        self._keep.clicked.connect(self.old_model_kept)
        self._use.clicked.connect(self.new_model_chosen)
        self._close.clicked.connect(lambda: self.window().close())
        self.recommended = self._keep
        self._arrange()

    def _arrange(self) -> None:
        for box, text in ((self._verdict_box, self._verdict), (self._warning_box, self._warning)):
            inside = QHBoxLayout(box)
            inside.setContentsMargins(12, 8, 12, 8)
            inside.addWidget(text)
        choice = QHBoxLayout()
        choice.addWidget(self._note, 1)
        choice.addWidget(self._keep)
        choice.addWidget(self._use)
        choice.addWidget(self._close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setSpacing(12)
        layout.addWidget(self._title)
        layout.addWidget(self._verdict_box)
        layout.addWidget(self._make_middle(), 1)
        layout.addLayout(choice)

    def _make_middle(self) -> QScrollArea:
        """What is between verdict and choice; both stay visible on a small screen."""
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for widget in (self._split, self._warning_box, SidewaysArea(self._table)):
            column.addWidget(widget)
        column.addWidget(self._changes, 1)
        area = QScrollArea(widgetResizable=True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(middle)
        return area

    def focus_choice(self) -> None:
        """Give the highlighted button the focus."""
        self.recommended.setFocus()

    @property
    def cells(self) -> Mapping[tuple[str, str], str]:
        """The content of the table: (class, figure) -> "0.81 → 0.93 ▲".

        A figure is "auc", a specificity such as "0.95", "flagged" or "events".
        """
        return self._table.cells

    def set_classes(self, classes: Mapping[str, ClassName]) -> None:
        """Set titles and colours of the classes; call this first."""
        self._classes = classes

    def set_comparison(
        self, comparison: Mapping[str, Any], old_name: str = "", new_name: str = "", *, is_first: bool = False
    ) -> None:
        """Show the content of a run's comparison.json (see `training.finetuning.start`), with the models' names.

        `is_first`: no model is in use, so the new one is recommended.
        """
        self._title.setText(
            tr("New and current model: {new} and {current}", new=new_name, current=old_name)
            if old_name and new_name
            else tr("New and current model")
        )
        self._show_verdict(comparison.get("verdict") or {})
        split = tr(_SPLITS.get(comparison.get("split", ""), _NO_EARLIER))
        stages = comparison.get("stages") or {}
        self._split.setText(f"{split} {tr(stages.get('sentence', ''))}".strip())
        self._warning.setText(tr(comparison.get("warning") or ""))
        self._warning_box.setVisible(bool(self._warning.text()))
        self._table.show_comparison(comparison, self._classes)
        self.set_choice("")
        self._recommend_new(is_first or (comparison.get("verdict") or {}).get("kind") == "better")

    def _show_verdict(self, verdict: Mapping[str, str]) -> None:
        colors = {"better": COLORS.accent, "worse": COLORS.warning}  # the verdict's first word says the same
        color = colors.get(verdict.get("kind", ""), COLORS.muted)
        self._verdict.setText(tr(verdict.get("sentence", "")))
        self._verdict.setStyleSheet("font-weight: bold")
        self._verdict_box.setStyleSheet(
            f"QFrame#verdict {{ background: {COLORS.raised}; border-left: 4px solid {color}; }}"
        )
        self._verdict_box.setVisible(bool(self._verdict.text()))

    def _recommend_new(self, is_new: bool) -> None:
        """Highlight one of the two buttons; a comparison without a verdict recommends the old model."""
        self.recommended = self._use if is_new else self._keep
        self.recommended.setDefault(True)

    def set_flag_changes(self, study: str, changes: Sequence[FlagChange], counts: Sequence[FlagCounts] = ()) -> None:
        """List which flags of the open study appear and disappear, and how many there are."""
        self._changes.set_changes(study, changes, self._classes, counts)

    def set_flags_message(self, sentence: str) -> None:
        """Show why there is no list of flags yet, for example while the open study is being scored."""
        self._changes.set_message(sentence)

    def set_choice(self, sentence: str) -> None:
        """Show what was chosen ("The new model is in use."), with a button that closes; "" offers the choice again."""
        self._note.setText(sentence or tr("The current model stays in use until you choose."))
        had_focus = self._keep.hasFocus() or self._use.hasFocus()
        self._close.setVisible(bool(sentence))
        if sentence and had_focus:
            self._close.setFocus()
        for button in (self._keep, self._use):
            button.setVisible(not sentence)

    def step(self, steps: int) -> None:
        """Go to the next (1) or the previous (-1) flag that changed."""
        self._changes.step(steps)
