"""Two studies side by side that step together: a frame in one, and the frame at the same time later or earlier in the
other.
"""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from wce_desktop.core import format_time, to_translate, tr
from wce_desktop.core.annotation.vocabulary import Vocabulary
from wce_desktop.features.places.study_view import ShownStudy, StudyView
from wce_desktop.widgets.basic import in_column, in_row, in_splitter, make_button, make_note
from wce_desktop.widgets.player.player_view import PlayerView

TOGETHER_TIP = to_translate("Both step and play with the same time between them. Off: each steps by itself. (U)")


class PairView(QWidget):
    """The active study, where the mouse was used last, steps by frames; the other one follows by time."""

    link_requested = Signal(bool)
    """Whether the frames on screen show the same place."""
    frames_changed = Signal()

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__()
        self.left = StudyView(vocabulary, tr("This study"), tr("No study is open."))
        self.right = StudyView(vocabulary, tr("The other study"), tr("Choose a place in the list."))
        self._active = self.left
        self._offset_seconds = 0.0
        for view in (self.left, self.right):
            view.frame_requested.connect(lambda frame, view=view: self._go(view, frame))
            view.steps_requested.connect(self.step)
            view.used.connect(lambda view=view: self.set_active(view))
            view.frame_changed.connect(lambda frame, view=view: self._came(view, frame))
            view.player.state_changed.connect(lambda *_: self._show_state())
        self.together = QCheckBox(tr("Step together"))
        self.together.setToolTip(tr(TOGETHER_TIP))
        self.together.setChecked(True)
        self.together.toggled.connect(self._lock)
        self._between = make_note()
        self._between.setWordWrap(False)
        self.play_button = make_button("", tr("Play both, or pause (Space); Ctrl+Up faster, Ctrl+Down slower"))
        self.play_button.clicked.connect(self.toggle)
        self.same = make_button(tr("This is the same place"), tr("Link the two frames on screen as the same place (Y)"))
        self.same.setProperty("primary", True)
        self.different = make_button(tr("Not the same place"), tr("Note that the two frames show different places (N)"))
        self.same.clicked.connect(lambda: self.link_requested.emit(True))
        self.different.clicked.connect(lambda: self.link_requested.emit(False))
        studies = in_splitter((self.left, 0), (self.right, 0), sizes=(500, 500))
        row = in_row(self.play_button, self.together, self._between, 1, self.different, self.same)
        in_column((studies, 1), row, of=self, margins=0)
        self.set_active(self.left)
        self._show_state()

    # What is compared

    def open_pair(self, left: ShownStudy | None, left_frame: int, right: ShownStudy | None, right_frame: int) -> None:
        """Show two places; for None a side stays with the study that it shows, if any."""
        self.pause()
        for view, study, frame_index in ((self.left, left, left_frame), (self.right, right, right_frame)):
            if study is not None:
                view.open(study, frame_index)
            else:
                view.show_frame(frame_index)
        self._lock()
        self._show_state()

    def clear_right(self, sentence: str) -> None:
        """Show no other study, and say why."""
        self.right.clear(sentence)
        self._show_state()

    @property
    def is_pair(self) -> bool:
        """Whether there are two studies."""
        return self.left.study is not None and self.right.study is not None

    @property
    def is_settled(self) -> bool:
        """Whether both show the frames that were asked for last."""
        return self.left.is_settled and self.right.is_settled

    # Moving

    def set_active(self, view: StudyView) -> None:
        """Let this study step by frames."""
        self._active = view
        for each in (self.left, self.right):
            each.set_active(each is view)

    def step(self, frames: int) -> None:
        """Go some frames on, or back; beyond the ends to the first or last one."""
        self._go(self._active, self._active.position + frames)

    def toggle(self) -> None:
        """Play both, or pause."""
        if self.is_playing:
            self.pause()
            return
        self._active.player.play()
        if not self.together.isChecked() and self.is_pair:
            self._other(self._active).player.play()

    def both(self, step: Callable[[PlayerView], object]) -> None:
        """Let both players do something, such as play faster."""
        for view in (self.left, self.right):
            step(view.player)

    def pause(self) -> None:
        """Stop both at what is on screen."""
        self.both(lambda player: player.pause())

    def zoom(self, step: int) -> None:
        """Enlarge (1) or shrink (-1) both frames, or fit them (0)."""
        self.both(lambda player: (player.zoom_fit, player.zoom_in, player.zoom_out)[step]())

    @property
    def is_playing(self) -> bool:
        """Whether one of them plays."""
        return self.left.player.is_playing or self.right.player.is_playing

    def _other(self, view: StudyView) -> StudyView:
        return self.right if view is self.left else self.left

    def _go(self, view: StudyView, frame_index: int) -> None:
        """Go to a frame of one study; the other one follows."""
        if view.study is None:
            return
        self.pause()
        view.show_frame(max(0, min(frame_index, len(view.study.video_seconds) - 1)))
        self._follow(view, view.position)

    def _follow(self, view: StudyView, frame_index: int) -> None:
        """Bring the other study to the time of a frame of this one."""
        if not (self.is_pair and self.together.isChecked()):
            return
        assert view.study is not None
        seconds = float(view.study.video_seconds[frame_index])
        other = self._other(view)
        other.show_frame(
            other.frame_at(seconds + (self._offset_seconds if view is self.left else -self._offset_seconds))
        )

    def _came(self, view: StudyView, frame_index: int) -> None:
        if view is self._active and view.player.is_playing:
            self._follow(view, frame_index)
        self.frames_changed.emit()
        self._show_between()

    def _lock(self) -> None:
        """Keep the time between the two frames from now on."""
        if self.is_pair:
            self._offset_seconds = self.right.seconds - self.left.seconds
        self._show_between()

    def _show_state(self) -> None:
        rate = self.left.player.playback.rate_fps
        self.play_button.setText(tr("Pause") if self.is_playing else tr("Play, {rate} fps", rate=rate))
        self.play_button.setEnabled(self.left.study is not None)
        for widget in (self.together, self.same, self.different):
            widget.setEnabled(self.is_pair)
        self._show_between()

    def _show_between(self) -> None:
        """How the frame at the right lies to that at the left, in time."""
        seconds, text = self.right.seconds - self.left.seconds if self.is_pair else 0.0, ""
        if abs(seconds) >= 1:
            time = format_time(abs(seconds))
            later, earlier = tr("{time} later at the right", time=time), tr("{time} earlier at the right", time=time)
            text = later if seconds > 0 else earlier
        self._between.setText(text)
