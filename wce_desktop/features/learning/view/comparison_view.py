"""After a fine-tuning: comparison of the new with the current model, and the choice between them."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.comparison import FlagCounts
from wce_desktop.core.language import to_translate, tr
from wce_desktop.widgets.basic import SidewaysArea, as_widget, in_column, in_row, make_button, make_fold, make_text
from wce_desktop.widgets.comparison import FlagChange, FlagChangesList
from wce_desktop.widgets.comparison_table import ComparisonTable
from wce_desktop.widgets.dialogs import agrees
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.window_size import make_scrolling

_SPLITS = {
    "patients": to_translate("Evaluated on patients not used for training in this fine-tuning."),
    "time": to_translate("Evaluated on held-out sections of the same studies, because there are too few patients."),
}
_NO_EARLIER = to_translate("There is no earlier model to compare with.")


def ask_use_worse(sentence: str, new_name: str, parent: QWidget | None = None) -> bool:
    """Ask whether a model that is worse is to be used; Enter and Escape mean no."""
    question = tr("{model} is worse than the current model. Use it anyway?", model=new_name)
    stays = tr("The current model stays in the list, so you can go back to it.")
    title = tr("Use new model")
    return agrees(parent, title, question, title, more=f"{tr(sentence)}\n\n{stays}")


class _Framed(QFrame):
    """A sentence beside a coloured line; hidden while it is empty."""

    def __init__(self, label: QLabel) -> None:
        super().__init__()
        self._label = label
        in_row(label, of=self, margins=(12, 8, 12, 8))

    def show_text(self, text: str, color: str) -> None:
        """Show a sentence."""
        self._label.setText(text)
        self.setStyleSheet(f"_Framed {{ background: {COLORS.raised}; border-left: 4px solid {color}; }}")
        self.setVisible(bool(text))


class ComparisonView(QWidget):
    """Shows both models with a button to use either; earlier models stay available.

    The button that the verdict recommends is the default one of the dialog: it is highlighted, and Enter presses it.
    """

    def __init__(self, classes: Mapping[str, ClassName]) -> None:
        """`classes`: titles and colours of the classes."""
        super().__init__()
        self._classes = classes
        self._title = make_text(COLORS.muted)
        self._verdict, self._warning = make_text(), make_text()
        self._verdict.setStyleSheet("font-weight: bold")
        self._verdict_box, self._warning_box = _Framed(self._verdict), _Framed(self._warning)
        self._split = make_text(COLORS.muted)
        self.table = ComparisonTable()
        self.changes = FlagChangesList()
        self._note = make_text(COLORS.muted)
        self.keep = make_button(tr("Keep old model"), tr("Keep using the current model; the new one stays in the list"))
        tip = tr("Score with the new model from now on; the old one stays in the list")
        self.use = make_button(tr("Use new model"), tip)
        self._close = make_button(tr("Close"), tr("Close this window"), lambda: self.window().close())
        for button in (*self.changes.buttons, self.keep, self.use, self._close):
            button.setAutoDefault(True)  # Enter presses the button with the focus, which is highlighted then
        self.recommended = self.keep
        # The middle scrolls: verdict and choice stay visible on a small screen.
        figures = SidewaysArea(self.table)
        self.figures = make_fold(tr("Figures"), self._split, figures)
        fold = (self.figures, 0, Qt.AlignmentFlag.AlignLeft)
        parts = self._warning_box, fold, self._split, figures, (self.changes, 1)
        middle = make_scrolling(as_widget(in_column(*parts, margins=0, spacing=12)))
        middle.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        choice = in_row((self._note, 1), self.keep, self.use, self._close)
        whole = self._title, self._verdict_box, (middle, 1), choice
        in_column(*whole, of=self, margins=(16, 14, 16, 14), spacing=12)

    def set_comparison(
        self, comparison: Mapping[str, Any], old_name: str = "", new_name: str = "", *, is_first: bool = False
    ) -> None:
        """Show the content of a run's comparison.json (see `training.finetuning.start`), with the models' names.

        `is_first`: no model is in use, so the new one is recommended.
        """
        title = tr("New and current model: {new} and {current}", new=new_name, current=old_name)
        self._title.setText(title if old_name and new_name else tr("New and current model"))
        verdict = comparison.get("verdict") or {}
        colors = {"better": COLORS.accent, "worse": COLORS.warning}  # the verdict's first word says the same
        self._verdict_box.show_text(tr(verdict.get("sentence", "")), colors.get(verdict.get("kind", ""), COLORS.muted))
        split = tr(_SPLITS.get(comparison.get("split", ""), _NO_EARLIER))
        stages = comparison.get("stages") or {}
        done, steps = comparison.get("stopped_after") or (0, 0)
        stopped = tr("Training was stopped after {done} of {steps} steps.", done=done, steps=steps) if steps else ""
        self._split.setText(" ".join(filter(None, (stopped, split, tr(stages.get("sentence", ""))))))
        self._warning_box.show_text(tr(comparison.get("warning") or ""), COLORS.warning)
        self.table.show_comparison(comparison, self._classes)
        self.figures.setChecked(True)
        self.set_choice("")
        # One of the two buttons is highlighted; a comparison without a verdict recommends the old model.
        self.recommended = self.use if is_first or verdict.get("kind") == "better" else self.keep
        self.recommended.setDefault(True)

    def set_flag_changes(self, study: str, changes: Sequence[FlagChange], counts: Sequence[FlagCounts] = ()) -> None:
        """Show which flags of the open study appear and disappear, in place of the figures, and how many there are."""
        if changes and not self.changes.has_changes:
            self.figures.setChecked(False)
        self.changes.set_changes(study, changes, self._classes, counts)

    def set_choice(self, sentence: str) -> None:
        """Show what was chosen ("The new model is in use."), with a button that closes; "" offers the choice again."""
        self._note.setText(sentence or tr("The current model stays in use until you choose."))
        had_focus = self.keep.hasFocus() or self.use.hasFocus()
        self._close.setVisible(bool(sentence))
        if sentence and had_focus:
            self._close.setFocus()
        for button in (self.keep, self.use):
            button.setVisible(not sentence)
