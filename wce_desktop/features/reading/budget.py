"""The review budget: the share of the frames to flag, and its estimated sensitivity."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from training.errors import UserError
from wce_desktop.core import percent, tr, tr_count
from wce_desktop.core.rates import threshold_text
from wce_desktop.features.reading.review_budget import NOT_MEASURED, ReviewBudget, budget_of, threshold_of_top
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import why_not_cross_validated
from wce_desktop.widgets import basic, inputs, key_texts, theme
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.workspace import Connections, Part, Workspace


class ShareBox(inputs.DecimalBox):
    """A share in per cent; Enter shows the frames."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter shows the frames, and leaves."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.interpretText()
            self.entered.emit()
            self.clearFocus()  # so that the next digit is a label
        else:
            super().keyPressEvent(event)


class ReviewBudgetBar(QWidget):
    """Shows the review budget and emits requests; independent of the session."""

    def __init__(self, percent: float) -> None:
        """`percent` is what stands in the box at first."""
        super().__init__()
        self._budget: ReviewBudget | None = None
        self._has_model = self._is_compact = False
        self.box = ShareBox(decimals=1, minimum=0.1, maximum=100.0, singleStep=0.5, suffix=" %", value=percent)
        self.box.setKeyboardTracking(False)
        self.box.setAccessibleName(tr("Share of the frames to review"))
        key_texts.set_tip(
            self.box,
            tr("Set the threshold so that this share is flagged ({show_top_frames}; {choose_review_budget} to type)"),
        )
        basic.pad(self.box)
        self.box.valueChanged.connect(self._say)
        self.show_top = basic.make_button(tr("Show"), tr("Flag the frames with the highest scores ({show_top_frames})"))
        self.note = basic.make_note()
        tip = tr("Estimate the sensitivity on the labelled patients of the library ({cross_validate})")
        self.measure = basic.make_button(tr("Cross-validate…"), tip)
        self._before = PlainLabel(tr("Show the top"))
        row = basic.in_row(self._before, (self.box, 1), self.show_top)
        basic.in_column(row, self.note, (self.measure, 0, Qt.AlignmentFlag.AlignLeft), of=self, margins=0, spacing=4)
        self.show_budget(None, has_model=False, tip="")

    @property
    def share(self) -> float:
        """The share in the box, in (0, 1]."""
        return self.box.value() / 100

    def show_budget(self, budget: ReviewBudget | None, *, has_model: bool, tip: str) -> None:
        """Show the newest cross-validation of the current model, or that there is none."""
        self._budget, self._has_model = budget, has_model
        self.note.setToolTip(plain(tip))
        self._say()

    def set_enabled(self, has_scores: bool) -> None:
        """Enable the button only if there are scores."""
        for widget in (self.box, self.show_top):
            widget.setEnabled(has_scores)
        self._before.setStyleSheet("" if has_scores else f"color: {theme.COLORS.muted}")

    def set_compact(self, is_compact: bool) -> None:
        """Show the share alone, where there is little room."""
        if is_compact != self._is_compact:
            self._is_compact = is_compact
            self._say()

    def _say(self) -> None:
        is_unknown = self._has_model and self._budget is None
        self.measure.setVisible(is_unknown and not self._is_compact)
        self.note.setVisible(self._has_model and not self._is_compact)
        self.note.setText(self._budget.sentence(self.share) if self._budget else tr(NOT_MEASURED))


class BudgetBar(Part):
    """Sets the threshold so that the top frames are flagged."""

    def __init__(self, workspace: Workspace, owner: Part, bar: ReviewBudgetBar) -> None:
        super().__init__(workspace, owner)
        self._bar = bar
        bar.box.entered.connect(workspace.guard(self.show_top))
        bar.show_top.clicked.connect(workspace.guard(self.show_top))
        bar.measure.clicked.connect(lambda: workspace.menus.run("cross_validate"))
        self._is_live = False
        self._top: tuple[str, float, float] | None = None  # study, threshold of the top frames, and the one before
        self._connections = Connections(
            (self._session.live_changed, self._live_changed),
            (self._session.model_changed, self.show_budget),
            (self._session.runs_changed, self.show_budget),
        )
        self.show_budget()

    def show_budget(self) -> None:
        """Show the newest cross-validation of the current model; none where the live scores flag frames."""
        model = None if self._is_live else self._session.current_model
        if why_not_cross_validated(model):
            model = None
        budget = budget_of(self._session.library, model) if model is not None else None
        self._bar.show_budget(budget, has_model=model is not None, tip=budget.source if budget else "")

    def _live_changed(self) -> None:
        """Look for the cross-validation only where that is needed, not after each label."""
        is_live = self._session.scores.are_flags_live
        if is_live != self._is_live:
            self._is_live = is_live
            self.show_budget()

    def show_top_frames(self) -> None:
        """Flag the chosen share of the frames; a second time flag at the threshold of before."""
        before = self._before()
        if before is None:
            self.show_top()
            return
        self._top = None
        flags = self._workspace.reading.flags
        self._session.scores.set_threshold(before)
        self._workspace.show_message(
            tr("The threshold is {threshold} again.", threshold=threshold_text(before, flags.scale))
        )

    def _before(self) -> float | None:
        """The threshold before the top frames were shown; None where they are not shown."""
        reading = self._session.reading
        shown = None if reading is None else (reading.study.study_id, reading.flags.threshold)
        return self._top[2] if self._top is not None and self._top[:2] == shown else None

    def choose_review_budget(self) -> None:
        """Move the focus to the share."""
        self._workspace.show_panel("FLAGS")
        self._bar.box.setFocus()
        self._bar.box.selectAll()

    def show_top(self) -> None:
        """Set the threshold so that the share in the box is flagged, and say how many frames these are."""
        reading, share = self._session.reading, self._bar.share
        threshold = threshold_of_top(reading, share) if reading is not None else None
        if reading is None or threshold is None:
            raise UserError(
                "This study has no scores yet.", "Open a study and score it ({key}).", key_of("score_study")
            )
        before = self._before()
        before = reading.flags.threshold if before is None else before
        self._session.scores.set_threshold(threshold)
        self._top = reading.study.study_id, reading.flags.threshold, before
        self._session.settings.set("review_percent", round(share * 100, 1))
        count = int(reading.flags.flagged().sum())
        is_tied = count > share * reading.frame_count + 1
        message = tr_count(
            "The top {share}: {count} frame of {frames} flagged.",
            "The top {share}: {count} frames of {frames} flagged.",
            count,
            share=percent(share),
            frames=reading.frame_count,
        )
        ties = [tr("Slightly more, because some frames have equal scores.")] if is_tied else []
        self._workspace.show_message(" ".join([message, *ties]))
        self._workspace.player.setFocus()
