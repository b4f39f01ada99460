"""Whether so many frames are flagged that the list of flags is of little use, and what was said about it."""

from dataclasses import dataclass

import numpy as np

from wce_desktop.core.clock import percent
from wce_desktop.core.language import tr_count
from wce_desktop.session.session import Session

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
