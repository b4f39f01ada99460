"""A random sample of the frames that nobody saw, shown as a grid: what it says of all of them goes into the report."""

import secrets
from collections.abc import Callable
from dataclasses import replace

from training.errors import NothingToDoError
from wce_desktop.core import to_translate, tr
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.unseen_sample import UnseenSample, draw_sample
from wce_desktop.session.edits import part_change
from wce_desktop.session.keys import key_of
from wce_desktop.session.unseen import check_of, check_sentence, unseen_frames
from wce_desktop.widgets import dialogs
from wce_desktop.workspace import Feature, Workspace

FRAMES = 300
"""Without a finding among them, fewer than 1 % of the frames show one, at 95 %."""


class UnseenCheckFeature(Feature):
    """Draws the sample, shows it, and notes that the reader has looked at all of it."""

    own_actions = ("check_unseen", "finish_check")

    def __init__(self, workspace: Workspace, show_one_by_one: Callable[[str, str, Callable[[], str]], None]) -> None:
        """`show_one_by_one` shows the selected frames as a grid, with a sentence; the key of an action ends it."""
        super().__init__(workspace)
        self._show_one_by_one = show_one_by_one

    def check_unseen(self) -> None:
        """Show the sample, which is drawn first where there is none, or where another one is asked for."""
        reading = self._workspace.reading
        sample = check_of(reading)
        if sample is not None and sample.is_finished:
            question = tr("{result} Draw other frames?", result=check_sentence(reading, sample))
            if not dialogs.agrees(self._workspace.window, tr("Check of unseen frames"), question, tr("Draw")):
                return
            sample = None
        sample = sample or self._draw()
        self._session.select_frames(FrameSelection({reading.study.study_id: sample.frames}))
        hint = tr("Label or open each frame that shows a finding. Then press {key}.", key=key_of("finish_check"))
        self._show_one_by_one(hint, "finish_check", self.finish_check)

    def finish_check(self) -> str:
        """All frames of the sample were looked at: the result, which is returned, goes into the report."""
        reading = self._workspace.reading
        sample = check_of(reading)
        if sample is None:
            raise NothingToDoError("No frames are being checked.", "Begin with {key}.", key_of("check_unseen"))
        if not sample.is_finished:
            self._store(to_translate("Finish the check of unseen frames"), replace(sample, is_finished=True))
        sentence = check_sentence(reading, sample)
        self._workspace.show_message(sentence)
        return sentence

    def _draw(self) -> UnseenSample:
        frames, is_small_bowel = unseen_frames(self._workspace.reading)
        if not len(frames):
            raise NothingToDoError("Every frame was seen or flagged.", "There is nothing to check.")
        drawn = draw_sample(frames, FRAMES, secrets.randbits(32))
        sample = UnseenSample(tuple(drawn.tolist()), len(frames), is_small_bowel)
        self._store(to_translate("Draw frames for a check"), sample)
        return sample

    def _store(self, title: str, sample: UnseenSample) -> None:
        reading = self._workspace.reading
        change = part_change(reading, "sample", sample.content, self._session.library.reader)
        self._session.edits.apply(title, [change])
