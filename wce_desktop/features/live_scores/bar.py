"""The line below the frame while live scores are on: what they stand on, and what can be done with them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QToolButton

from wce_desktop.core.language import tr, tr_count
from wce_desktop.widgets.key_texts import set_tip
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.widgets.theme import ACCENT
from wce_desktop.widgets.turning_row import TurningRow


class LiveBar(TurningRow):
    """Shows the state of the live scores.

    Signals:
        flags_toggled: whether they flag frames.
    """

    flags_toggled = Signal(bool)
    keep_requested = Signal()
    score_requested = Signal()
    end_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Live scores"))
        title = PlainLabel(tr("Live scores"))
        title.setStyleSheet(f"color: {ACCENT}; font-weight: bold")
        self.text = PlainLabel()
        self.score = _button("", tr("Score these studies with the model in use, so that their labels take part"))
        self.flags = _button(
            tr("Use for flags"), tr("Flag frames by the live scores instead of the model's ({flag_by_live})")
        )
        self.flags.setCheckable(True)
        self.keep = _button(tr("Keep as model…"), tr("Make a model of these scores and compare it ({keep_live_model})"))
        self.end = _button(tr("End"), tr("Hide the live scores; labels are kept ({live_scores})"))
        self.score.clicked.connect(self.score_requested)
        self.flags.clicked.connect(self.flags_toggled)
        self.keep.clicked.connect(self.keep_requested)
        self.end.clicked.connect(self.end_requested)
        self.arrange(self.text, (self.score, self.flags, self.keep, self.end), title)
        self.show_state("", has_head=False)

    def show_state(self, text: str, *, has_head: bool, not_scored: int = 0) -> None:
        """Show what the scores stand on, or why there are none.

        Args:
            text: a sentence.
            has_head: whether there are scores, to flag by and to keep.
            not_scored: labelled studies that take no part because they are not scored.
        """
        self.text.setText(text)
        self.flags.setEnabled(has_head)
        self.keep.setEnabled(has_head)
        self.score.setText(tr_count("Score {count} labelled study", "Score {count} labelled studies", not_scored))
        self.score.setVisible(bool(not_scored))

    def show_flags(self, are_by_live: bool) -> None:
        """Show whether the live scores flag frames."""
        self.flags.setChecked(are_by_live)


def _button(text: str, tip: str) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    set_tip(made, tip)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    made.setStyleSheet("padding: 2px 8px")
    return made
