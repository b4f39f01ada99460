"""The labelling queue: shows a frame, waits for its label, goes to the next one; and the line that says how far."""

from PySide6.QtCore import QTimer

from training.runs.events import Outcome, Progress
from wce_desktop.core import counted, tr
from wce_desktop.core.annotation.change import Edit
from wce_desktop.core.annotation.labelling import changed_labels
from wce_desktop.features.neighbours.frame_access import FrameAccess
from wce_desktop.features.neighbours.what_next import NextFrame, WhatNext
from wce_desktop.session.keys import key_of
from wce_desktop.session.model_notes import score_note
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, theme
from wce_desktop.widgets.plain_text import PlainLabel
from wce_desktop.workspace import Part, Workspace


class NextBar(basic.TurningRow):
    """Shows the frame to label next, with its reason."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("What to label next"))
        self.place = PlainLabel()
        self.place.setStyleSheet(f"color: {theme.COLORS.accent}; font-weight: bold")
        self.reason = PlainLabel()
        self.skip = basic.bar_button(tr("Skip L"), tr("Skip this frame without a label"))
        self.end = basic.bar_button(tr("End"), tr("Leave the queue; labels are kept ({end_labelling})"))
        self.arrange(self.reason, (self.skip, self.end), self.place)

    def show_item(self, number: int, count: int, reason: str) -> None:
        """Show the frame `number` (from 0) of `count`, and why it is asked for."""
        self.place.setText(tr("Label: {number} of {count}", number=number + 1, count=count))
        self.reason.setText(reason)
        self.skip.setEnabled(True)

    def show_waiting(self, what: str) -> None:
        """Say what is waited for; “End” gives it up."""
        self.place.setText(what)
        self.reason.setText("")
        self.skip.setEnabled(False)


class LabellingQueue(Part):
    """A queue in memory; leaving it only loses the order of the frames."""

    def __init__(self, workspace: Workspace, shared: FrameAccess) -> None:
        super().__init__(workspace, shared)
        self._shared = shared
        self.bar = NextBar()
        self.bar.hide()
        self.queue: tuple[NextFrame, ...] = ()
        self.at = 0
        self._labelled = 0
        self._given: list[tuple[int, int]] = []
        """Place in the queue and edit of each label that undo would undo next."""
        self._thread = FunctionThread(self, workspace.guard(self._start), self._fail)
        self._thread.progressed.connect(self._show_progress)
        self._moving_on = QTimer(self, singleShot=True, interval=0)
        self._moving_on.timeout.connect(workspace.guard(self._move_on))
        self.bar.skip.clicked.connect(workspace.guard(self.start_or_skip))
        self.bar.end.clicked.connect(self.end)

    @property
    def current(self) -> NextFrame | None:
        """The frame that is asked for now."""
        return self.queue[self.at] if self.at < len(self.queue) else None

    def start_or_skip(self) -> None:
        """Work out what to label; while a queue is worked through, leave this frame and go to the next."""
        if self.current is not None:
            self._move_on()
        elif not self._thread.is_busy:
            self.bar.show_waiting(tr("Looking for the frames whose labels would help the model most…"))
            self.bar.show()
            self._thread.request(WhatNext(self._session).find)

    def end(self) -> None:
        """Leave the queue; labels stay."""
        self._thread.cancel()
        self._moving_on.stop()
        message = tr("{frames} labelled.", frames=counted(self._labelled, "frame")) if self.queue else ""
        if self._labelled:
            message += " " + tr("Fine-tune the model on them: {key}.", key=key_of("finetune"))
        self.queue, self.at, self._labelled = (), 0, 0
        self._forget_given()
        self.bar.hide()
        if message:
            self._workspace.show_message(message)

    def studies_changed(self) -> None:
        """Drop frames of studies that were removed, or in which the reading protocol hides suggestions now."""
        if self.queue:
            wanted, files = {item.study_id for item in self.queue}, self._session.files
            shown = (study for study in self._session.library.studies.shown() if study.study_id in wanted)
            there = {study.study_id for study in shown if not files(study).is_hidden}
            is_over = self.current is not None and self.current.study_id not in there
            self.queue = (*self.queue[: self.at], *(item for item in self.queue[self.at :] if item.study_id in there))
            if is_over:
                self.end()

    def edited(self, edit: Edit | None) -> None:
        """An edit was made: where it labels the frame that is asked for, the next one is shown."""
        item = self.current
        if edit is None or item is None:
            return
        added, _ = changed_labels(edit.changes)
        if edit.study_id == item.study_id and any(item.frame_index in label.span for label in added):
            self._labelled += 1
            self._given.append((self.at, edit.edit_id))
            self._moving_on.start()
        if self._is_of_queue(edit):
            self._aim_undo()
        else:
            self._forget_given()

    def undone(self, edit: Edit) -> None:
        """An edit was undone: where it was the label given last, its frame is asked for again."""
        if self._given and self._is_of_queue(edit):
            self.at, _ = self._given.pop()
            self._labelled -= 1
            self._moving_on.stop()
            self._show()
            self._aim_undo()

    def _is_of_queue(self, edit: Edit) -> bool:
        return bool(self._given) and self._given[-1][1] == edit.edit_id and not edit.group_id

    def _aim_undo(self) -> None:
        """Undo applies to the study of the last label, which may differ from the next frame's."""
        self._session.undo_study = self.queue[self._given[-1][0]].study_id if self._given else ""

    def _forget_given(self) -> None:
        self._given, self._session.undo_study = [], ""

    def _start(self, queue: tuple[NextFrame, ...]) -> None:
        self.queue, self.at, self._labelled = queue, 0, 0
        self._forget_given()
        if queue:
            self._show()
        else:
            self.end()
            self._workspace.show_message(tr("There are no more frames to suggest."))

    def _move_on(self) -> None:
        self.at += 1
        if self.current is None:
            self.end()
        else:
            self._show()

    def _show(self) -> None:
        item = self.current
        assert item is not None
        study = self._session.library.studies.get(item.study_id)
        note = tr("live scores") if self._session.scores.are_flags_live else score_note(self._session, study)
        self.bar.show_item(self.at, len(self.queue), f"{item.reason} ({note})" if note else item.reason)
        self._shared.open_frame(item.study_id, item.frame_index)

    def _show_progress(self, progress: Progress) -> None:
        studies = counted(progress.total, "study")
        self.bar.show_waiting(
            tr("Looking for frames to label: {done} of {studies}", done=progress.done, studies=studies)
        )

    def _fail(self, outcome: Outcome) -> None:
        self.bar.hide()
        self._workspace.show_error(outcome.message, outcome.hint)
