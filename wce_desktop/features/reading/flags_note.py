"""The note above the flags where so many frames are flagged that the list is of little use."""

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QToolButton, QWidget

from wce_desktop.core.clock import percent
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.score_text import score_text
from wce_desktop.session.session import Session
from wce_desktop.widgets.basic import make_button, make_text
from wce_desktop.widgets.plain_text import plain
from wce_desktop.widgets.theme import RAISED, WARNING

MANY = 0.2
"""Share of a study's frames (ours): above it a reader would have to look at one frame in five."""
TOP = 0.01


@dataclass(frozen=True)
class ManyFlags:
    """The flagged frames of a study: `flagged` of `frames`."""

    flagged: int
    frames: int

    @property
    def sentence(self) -> str:
        """ "735 of 1,265 frames are flagged (58 %). The scores of this model…"."""
        share = percent(round(self.flagged / self.frames, 2))
        return tr_count(
            "{flagged} of {count} frame are flagged ({share}), too many to look through.",
            "{flagged} of {count} frames are flagged ({share}), too many to look through.",
            self.frames,
            flagged=self.flagged,
            share=share,
        )


def many_flags(session: Session) -> ManyFlags | None:
    """What the note about too many flags says; None: few flags, or closed for this study and model."""
    reading = session.reading
    if reading is None or not reading.flags.flag_tracks or reading.flags.is_partial:
        return None
    if session.files(reading.study).is_note_dismissed(session.model_id):
        return None
    flagged = int(np.count_nonzero(reading.flags.flagged()))
    return ManyFlags(flagged, reading.frame_count) if flagged > MANY * reading.frame_count else None


class FlagsNote(QFrame):
    """Hidden unless there is something to say; after *Show top 1 %* it offers the way back."""

    top_requested = Signal()
    back_requested = Signal()
    finetune_requested = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("note")
        self.setStyleSheet(f"QFrame#note {{ background: {RAISED}; border-left: 4px solid {WARNING}; }}")
        self.setAccessibleName(tr("Note about the flags"))
        self._text = make_text()
        self.top = make_button(
            tr("Show top 1 %"), tr("Raise the threshold so that only the highest scores are flagged")
        )
        self.finetune = make_button(tr("Fine-tune…"), tr("Train a copy of the model on your labels ({finetune})"))
        self.back = make_button("", tr("Set the threshold as it was"))
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setToolTip(plain(tr("Do not show this again for this study and model")))
        self.close_button.setAccessibleName(tr("Close the note"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.setStyleSheet("padding: 0 5px")
        self.top.clicked.connect(self.top_requested)
        self.finetune.clicked.connect(self.finetune_requested)
        self.back.clicked.connect(self.back_requested)
        self.close_button.clicked.connect(self.dismissed)
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 6, 4, 6)
        grid.setSpacing(4)
        grid.addWidget(self._text, 0, 0, 1, 3)
        grid.addWidget(self.top, 1, 0)
        grid.addWidget(self.back, 1, 0)
        grid.addWidget(self.finetune, 1, 1)
        grid.addWidget(self.close_button, 1, 2)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 1)
        self.hide()

    def set_compact(self, is_compact: bool) -> None:
        """Show the buttons only, where there is little room; the sentence is then a tooltip."""
        self._text.setVisible(not is_compact)

    @property
    def text(self) -> str:
        """The shown sentence; empty if the note is hidden."""
        return "" if self.isHidden() else self._text.text()

    def show_many(self, many: ManyFlags | None, before: float | None) -> None:
        """Show that too many frames are flagged, or the way back.

        Args:
            many: None: not too many, or dismissed.
            before: the threshold in [0, 1] before *Show top 1 %*; None: it was not used.
        """
        if many is not None:
            self._text.setText(many.sentence)
        elif before is not None:
            self._text.setText(tr("Only the top 1 % is flagged."))
            self.back.setText(tr("Back to {threshold}", threshold=score_text(before)))
        self.setToolTip(plain(self._text.text()))
        self.top.setVisible(many is not None)
        self.back.setVisible(many is None)
        self.setVisible(many is not None or before is not None)
