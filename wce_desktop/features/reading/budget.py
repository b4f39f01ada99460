"""The review budget beside the threshold: the share of the frames to flag, and what that would find."""

from training.errors import UserError
from wce_desktop.core.clock import counted, percent
from wce_desktop.features.reading.model.review_budget import budget_of, threshold_of_top
from wce_desktop.features.reading.view.review_budget_bar import ReviewBudgetBar
from wce_desktop.workspace import Workspace


class BudgetBar:
    """Sets the threshold so that the top frames are flagged."""

    def __init__(self, workspace: Workspace, bar: ReviewBudgetBar) -> None:
        self._workspace, self._session, self._bar = workspace, workspace.session, bar
        bar.share_chosen.connect(workspace.guard(self.show_top))
        bar.cross_validation_requested.connect(lambda: workspace.menus.run("cross_validate"))
        for signal in (self._session.model_changed, self._session.runs_changed):
            signal.connect(self.show_budget)
        self.show_budget()

    def stop(self) -> None:
        """Listen no more."""
        for signal in (self._session.model_changed, self._session.runs_changed):
            signal.disconnect(self.show_budget, missing_ok=True)

    def show_budget(self) -> None:
        """Say beside the threshold what the present model's newest cross-validation found."""
        model = self._session.current_model
        budget = budget_of(self._session.library, model) if model is not None else None
        self._bar.show_budget(budget, has_model=model is not None, tip=budget.source if budget else "")

    def show_top_frames(self) -> None:
        """Flag the share of the frames that stands beside the threshold."""
        self._bar.show_top()

    def choose_review_budget(self) -> None:
        """Let a share be typed."""
        self._workspace.show_panel("FLAGS")
        self._bar.box.setFocus()
        self._bar.box.selectAll()

    def show_top(self, share: float) -> None:
        """Set the threshold so that this share of the frames is flagged, and say how many these are."""
        reading = self._session.reading
        threshold = threshold_of_top(reading, share) if reading is not None else None
        if reading is None or threshold is None:
            raise UserError("There are no scores whose top could be shown.", "Open a study and score it first (S).")
        self._session.set_threshold(threshold)
        self._session.settings.set("review_percent", round(share * 100, 1))
        count = int(reading.flagged().sum())
        is_tied = count > share * reading.frame_count + 1
        ties = " More than that, because some have equal scores." if is_tied else ""
        self._workspace.tell(
            f"The top {percent(share)}: {counted(count, 'frame')} of {reading.frame_count:,} flagged.{ties}"
        )
        self._workspace.player.setFocus()
