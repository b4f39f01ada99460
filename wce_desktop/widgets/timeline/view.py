"""The timeline as the window uses it: setters for what a study is, signals for what the reader wants."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6 import QtCore, QtGui, QtWidgets

from wce_desktop.core import Span, SpanSet, decimation, tr
from wce_desktop.core.annotation import Answer, Finding, Label, Landmark, Vocabulary
from wce_desktop.core.event import Event, EventList
from wce_desktop.widgets.basic import in_column, value_changed
from wce_desktop.widgets.timeline import axis, content, detail, overview, popup
from wce_desktop.widgets.timeline.lane import Lane

UNLIMITED_PX = 16_777_215  # Qt's own
LINK_REACH_PX = 6
"""The popup names the links whose marks lie this near to the pointer."""


def _shares(values: NDArray[np.float32]) -> decimation.MeanColors | None:
    """Values (N,) in [0, 1] along the study, in 0 to 255."""
    grey = np.rint(255 * values).astype(np.uint8)
    return decimation.MeanColors(np.repeat(grey[:, None], 3, axis=1)) if len(values) else None


class TimelineView(QtWidgets.QWidget):
    """Detail above, overview below. Independent of the library; it only emits signals.

    Signals:
        frame_requested: frame_index; a click or a drag. The cursor moves when `set_cursor` says so.
        event_requested: the flagged event (`core.event.Event`) whose mark in the overview was clicked.
        threshold_changed: score in [0, 1], while the line is dragged; already shown.
        threshold_committed: score in [0, 1], on release.
        landmark_moved: Region and frame_index, when its line was dragged; `set_landmarks` says whether it stays there.
        menu_requested: frame_index, the flagged event there (`core.event.Event`) or None, and global position; a right
            click.
    """

    frame_requested = QtCore.Signal(int)
    threshold_changed = QtCore.Signal(float)
    threshold_committed = QtCore.Signal(float)
    landmark_moved = QtCore.Signal(object, int)
    event_requested = QtCore.Signal(object)
    menu_requested = QtCore.Signal(int, object, QtCore.QPoint)

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content.Content()
        self.detail = detail.DetailLane(self.content, self)
        self.overview = overview.OverviewLane(self.content, self)
        self.popup = popup.FramePopup(self.content, self)
        in_column((self.detail, 1), self.overview, of=self, margins=0, spacing=2)
        self.setAccessibleName(tr("Timeline"))
        for lane in (self.detail, self.overview):
            lane.frame_requested.connect(self.frame_requested)
            lane.window_requested.connect(self.set_window)
            lane.menu_requested.connect(self._ask_for_menu)
            lane.hovered.connect(partial(self._hover, lane))
        self._is_whole_only = False
        self.overview.resized.connect(self._hold_height)
        self.overview.event_requested.connect(self.event_requested)
        self.overview.landmark_moved.connect(self.landmark_moved)
        self.detail.threshold_changed.connect(self._change_threshold)
        self.detail.threshold_committed.connect(self.threshold_committed)

    def set_pictures(self, pictures: popup.ThumbnailProvider) -> None:
        """Where pictures of frames come from: for the pointer, and for landmarks and findings."""
        self.popup.provider = pictures
        self.overview.set_pictures(pictures)

    def picture_ready(self, frame: int) -> None:
        """The picture of a frame that was asked for can be shown now."""
        self.popup.picture_ready(frame)
        self.overview.picture_ready(frame)

    def set_whole_only(self, is_whole_only: bool) -> None:
        """Show the overview alone, as low as it can be; or the detail, too."""
        self.detail.setVisible(not is_whole_only)
        self.overview.set_low(is_whole_only)
        self._is_whole_only = is_whole_only
        self._hold_height()

    def _hold_height(self) -> None:
        """Alone, the overview has its own height; the splitter above gives the rest to the frame."""
        self.setMaximumHeight(self.overview.height() if self._is_whole_only else UNLIMITED_PX)

    spoken_role = QtGui.QAccessible.Role.Slider

    @property
    def spoken_value(self) -> str:
        """What a screen reader says: the frame on screen, its scores, and whether it was seen."""
        return self.content.words

    def sizeHint(self) -> QtCore.QSize:
        """Small enough to leave the frame its place."""
        return QtCore.QSize(900, self.detail.sizeHint().height() + self.overview.sizeHint().height() + 2)

    # What a study is

    def set_study(self, frame_count: int, video_seconds: NDArray[np.float64] | None = None) -> None:
        """Begin with a study of N frames; everything of the one before is forgotten.

        Args:
            frame_count: N; 0 shows that no study is open.
            video_seconds: (N,) float64, not decreasing; without it the axis counts frames.

        Raises:
            ValueError: the times are not as many as the frames.
        """
        if video_seconds is not None and len(video_seconds) != frame_count:
            raise ValueError(f"{frame_count} frames need as many times, got {video_seconds.shape}")
        fresh = content.Content(frame_count, video_seconds, self.content.style, threshold=self.content.threshold)
        vars(self.content).update(vars(fresh))
        self.popup.dismiss()
        self._show(axis.FrameWindow.opening(frame_count))
        self.overview.fit()
        self._repaint()

    def set_vocabulary(self, vocabulary: Vocabulary) -> None:
        """Titles, colours and shapes of the classes."""
        self.content.style = vocabulary.of
        self._repaint()

    def set_tracks(self, tracks: Sequence[content.Track]) -> None:
        """One score track per class, each as long as the study; none means not scored yet.

        Raises:
            ValueError: a track's length differs from the study's.
        """
        for track in tracks:
            if len(track.values) != self.content.frame_count:
                raise ValueError(
                    f"track {track.name!r} has {len(track.values)} scores for {self.content.frame_count} frames"
                )
        self.content.tracks = tuple(tracks)
        values = [track.values for track in tracks]
        self.content.pyramid = decimation.MinMaxPyramid(np.stack(values, axis=1)) if values else None
        self._repaint()

    def set_no_scores(self, why: str) -> None:
        """Say in place of the tracks why a study has none yet; empty: it was not scored."""
        if why != self.content.no_scores:
            self.content.no_scores = why
            self.detail.invalidate("scores")

    def set_colors(self, colors: NDArray[np.uint8] | None) -> None:
        """Mean tissue colours (M, 3) uint8 RGB, spread evenly over the study, any M >= 1; None when not known yet."""
        self.content.colors = decimation.MeanColors(colors) if colors is not None and len(colors) else None
        self.overview.invalidate("colors")

    def set_visible_mucosa(self, visible: NDArray[np.float32] | None, has_view: NDArray[np.bool_] | None) -> None:
        """(N,) the share of each frame that shows mucosa, and (N,) bool which show any; None when not known."""
        self.content.visible, self.content.has_view = visible, has_view
        self.content.hidden = None if visible is None else _shares(1 - np.nan_to_num(visible, nan=1.0))
        self.overview.invalidate("colors", "share", "bowel")

    def set_blood(self, marked: NDArray[np.bool_] | None) -> None:
        """(N,) bool, the frames that the blood indicator marks; None when not known."""
        self.content.blood = marked
        self.overview.invalidate("colors")

    def set_unfamiliar(self, marks: NDArray[np.float32] | None) -> None:
        """(N,) 1 for frames that look unlike the model's training, 0 for others, NaN; None when not known."""
        self.content.unfamiliar = marks
        self.content.unlike = None if marks is None else _shares(np.nan_to_num(marks))
        self.overview.invalidate("unlike", "keys")
        self.overview.fit()

    def set_events(self, events: EventList) -> None:
        """The flagged events, in any order."""
        self.content.events = events.ordered("time")
        self.content.note_seen_events()
        self.detail.invalidate("ground")
        self.overview.invalidate("events")

    def set_chains(self, chains: Iterable[Sequence[Event]]) -> None:
        """The suggested findings that have several parts, each with its parts in order of time."""
        self.content.chains = tuple(chains)
        self.detail.invalidate("ground")

    def set_labels(self, labels: Iterable[Label]) -> None:
        """All labels of the study, also those that say no."""
        spans: dict[Answer, dict[str, list[Span]]] = {"yes": {}, "no": {}}
        for label in labels:
            spans[label.answer].setdefault(label.name, []).append(label.span)
        for answer, table in self._label_tables.items():
            table.clear()
            table.update({name: content.SpanTable.of(each) for name, each in sorted(spans[answer].items())})
        self.detail.invalidate("labels")

    def change_labels(self, added: Iterable[Label] = (), removed: Iterable[Label] = ()) -> None:
        """Some labels came or went; quick, however many others there are. Raises KeyError for one that is not there."""
        for label in removed:
            self._label_tables[label.answer][label.name].remove(label.span)
        for label in added:
            self._label_tables[label.answer].setdefault(label.name, content.SpanTable.of(())).add(label.span)
        self.detail.invalidate("labels")

    @property
    def _label_tables(self) -> dict[Answer, dict[str, content.SpanTable]]:
        return {"yes": self.content.labels, "no": self.content.negatives}

    def set_findings(self, findings: Iterable[Finding]) -> None:
        """All findings of the study."""
        self.content.findings = tuple(findings)
        self.detail.invalidate("findings")
        self.overview.fit()

    def set_landmarks(self, landmarks: Iterable[Landmark]) -> None:
        """The first frames of the regions."""
        self.content.landmarks = tuple(landmarks)
        self.overview.invalidate("regions", "bowel")
        self.overview.fit()

    def set_links(self, links: Iterable[content.LinkMark]) -> None:
        """The places that are linked with places of other studies."""
        self.content.links = tuple(links)
        self.detail.invalidate("findings")
        self.overview.invalidate("colors")

    def set_seen(self, seen: SpanSet | NDArray[np.bool_] | None, fast: NDArray[np.bool_] | None = None) -> None:
        """The frames seen, as spans or as (N,) bool; a mask is kept, not copied: call again after a change.

        `fast`: (N,) bool, frames that were played too fast to count as seen.
        """
        self.content.seen = seen.to_mask(self.content.frame_count) if isinstance(seen, SpanSet) else seen
        self.content.fast = fast
        self.detail.invalidate("seen")
        self.overview.invalidate("seen", "share", "keys", "bowel")
        if self.content.note_seen_events():
            self.detail.invalidate("ground")
            self.overview.invalidate("events")

    def set_skipped(self, skipped: NDArray[np.bool_] | None) -> None:
        """(N,) bool, the frames that were left out as similar while playing; None where there are none."""
        self.content.skipped = skipped
        self.detail.invalidate("seen")
        self.overview.invalidate("seen", "keys")

    # What moves

    def set_threshold(self, threshold: float, words: Callable[[float], str] | None = None) -> None:
        """The score at and above which a frame is flagged, in [0, 1], and what writes it."""
        self.content.threshold_words = words or self.content.threshold_words
        if threshold != self.content.threshold:
            self.content.threshold = threshold
            self.detail.invalidate("scores")
            self.detail.update()

    def set_cursor(self, frame: int) -> None:
        """The frame on screen; the detail turns a page where it would leave it, and keeps its zoom."""
        before, self.content.cursor = self.content.cursor, frame
        if before != frame:
            self._show(self.detail.window_shown.following(frame, self.content.frame_count))
            self.detail.cursor_moved(before, frame)
            self.overview.cursor_moved(before, frame)
            value_changed(self)

    def set_marked_span(self, span: Span | None) -> None:
        """The span between I and O, or None."""
        self.content.marked = span
        self.detail.update()
        self.overview.update()

    def set_selected(self, frames: NDArray[np.int64]) -> None:
        """(n,) the selected frames of the study, in order."""
        self.content.selected = frames
        self.detail.update()
        self.overview.update()

    # Where the detail is

    def set_window(self, start: float, stop: float) -> None:
        """Show the frames `[start, stop)` in the detail, as far as the study has them."""
        self._show(axis.FrameWindow(start, stop).kept_inside(self.content.frame_count))

    def zoom(self, factor: float) -> None:
        """Show `factor` times as many frames, the cursor staying where it is."""
        window = self.detail.window_shown.following(self.content.cursor, self.content.frame_count)
        self._show(window.zoomed(factor, self.content.cursor + 0.5, self.content.frame_count))

    def show_all(self) -> None:
        """Show the whole study in the detail."""
        self._show(axis.FrameWindow.whole(self.content.frame_count))

    # The popup

    def hideEvent(self, event: QtGui.QHideEvent) -> None:
        """The popup goes with the timeline."""
        self.popup.dismiss()
        super().hideEvent(event)

    def changeEvent(self, event: QtCore.QEvent) -> None:
        """The popup does not stay over another window."""
        if event.type() == QtCore.QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.popup.dismiss()
        super().changeEvent(event)

    def _hover(self, lane: Lane, frame: int, at: QtCore.QPointF) -> None:
        if frame < 0:
            self.popup.dismiss()
        else:
            reach = LINK_REACH_PX / max(lane.axis.px_per_frame, 1e-9)
            self.popup.describe(frame, at.toPoint(), self.mapToGlobal(QtCore.QPoint(0, 0)).y(), reach)

    def _ask_for_menu(self, frame: int, reach: float, at: QtCore.QPoint) -> None:
        self.popup.dismiss()
        events = self.content.events
        beside = np.maximum(np.maximum(events.starts - frame, frame - (events.stops - 1)), 0)
        self.menu_requested.emit(frame, content.nearest(events, beside, reach), at)

    def _change_threshold(self, threshold: float) -> None:
        self.set_threshold(threshold)
        self.threshold_changed.emit(threshold)

    def _show(self, window: axis.FrameWindow) -> None:
        if window == self.detail.window_shown:
            return
        self.detail.window_shown = self.overview.window_shown = window
        self.detail.invalidate("ruler", "ground", "scores", "labels", "findings", "seen")
        self.detail.update()  # the gaps between the layers, too: the cursor stood in them
        self.overview.update()

    def _repaint(self) -> None:
        self.detail.invalidate()
        self.overview.invalidate()
