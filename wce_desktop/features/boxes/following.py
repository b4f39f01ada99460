"""A box that follows the lesion through its visit: proposed on each frame, corrected on any, confirmed as a whole."""

from collections.abc import Callable, Mapping
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from training.errors import NothingToDoError, UserError
from training.runs.events import Outcome, Progress
from training.runs.reporter import Reporter
from training.video import FrameMissing, open_source
from training.video.box_tracking import track
from wce_desktop.core import Span, tr, tr_count
from wce_desktop.core.annotation import Box
from wce_desktop.core.boxes import Edges, SuggestedBox, keep_followed
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Connections, Part, Workspace

MOST_FRAMES = 300
"""A box follows at most so far in each direction."""
PREFIX = "followed-"
"""Of the editor's id of a proposed box, before the number of its frame."""


class BoxFollowing(Part):
    """Proposed boxes of one lesion; they are not labels, and are dropped when the study is closed."""

    def __init__(self, workspace: Workspace, owner: Part, show: Callable[[], object]) -> None:
        """`show` shows the boxes of the frame on screen."""
        super().__init__(workspace, owner)
        self._show = show
        self._origin: Box | None = None
        self._keys: dict[int, Edges] = {}
        self._boxes: dict[int, Edges] = {}
        self._visit = Span(0, 1)
        self._following = Span(0, 1)
        self._thread = FunctionThread(self, workspace.guard(self._take), self._fail, self._show_progress)
        workspace.escaped.connect(workspace.guard(self.discard))
        self._connections = Connections(
            (self._session.annotations_changed, self._follow_origin),
            (self._session.study_closed, self._forget),
        )

    def at(self, frame_index: int) -> tuple[SuggestedBox, ...]:
        """What is proposed on a frame: one box or none."""
        edges, origin = self._boxes.get(frame_index), self._origin
        if edges is None or origin is None or frame_index == origin.frame_index:
            return ()
        return (SuggestedBox(frame_index, *edges, origin.name, 0.0, "", ""),)

    def follow_box(self, origin: Box) -> None:
        """Propose where a box lies on the frames around it, until it is lost or its finding or label ends."""
        self._forget()
        reading = self._workspace.reading
        self._origin = origin
        self._visit = visit_of(reading, origin)
        self._keys = {origin.frame_index: _edges(origin)}
        self._request(self._visit)

    def correct(self, frame_index: int, edges: Edges) -> None:
        """Make a frame a key frame with this box; it is followed again up to the key frames beside it."""
        self._keys[frame_index] = edges
        before = max((key for key in self._keys if key < frame_index), default=self._visit.start)
        after = min((key for key in self._keys if key > frame_index), default=self._visit.stop - 1)
        self._boxes[frame_index] = edges
        self._request(Span(before, after + 1))

    def end_at(self, frame_index: int) -> None:
        """Propose nothing on a frame and on those beyond it, seen from the box that was drawn."""
        origin = self._origin
        if origin is None:
            return
        if frame_index > origin.frame_index:
            self._visit = Span(self._visit.start, frame_index)
        else:
            self._visit = Span(frame_index + 1, self._visit.stop)
        self._keys = {key: edges for key, edges in self._keys.items() if key in self._visit}
        self._boxes = {frame: edges for frame, edges in self._boxes.items() if frame in self._visit}
        self._changed()

    def keep_followed(self) -> None:
        """Keep all proposed boxes with the labels, as one edit."""
        origin, reading = self._origin, self._workspace.reading
        if origin is None:
            raise NothingToDoError("No box follows a lesion.", "Choose a box and press {key}.", key_of("follow_box"))
        if self._thread.is_busy:
            raise UserError("The box is still being followed.", "Wait for it, or press Escape to discard it.")
        plan = keep_followed(origin, self._boxes, reading.entries.boxes, self._session.library.reader)
        self._session.edits.apply_plan(plan)
        self._forget()

    def discard_followed(self) -> None:
        """Propose no boxes any more."""
        if not self.discard():
            raise NothingToDoError("No box follows a lesion.", "Choose a box and press {key}.", key_of("follow_box"))

    def discard(self) -> bool:
        """Discard all proposed boxes; False where there were none."""
        has_boxes = self._origin is not None
        self._forget()
        return has_boxes

    def _forget(self) -> None:
        self._thread.cancel()
        self._origin, self._keys, self._boxes = None, {}, {}
        self._changed()

    def _changed(self) -> None:
        self._show()
        self._workspace.player.refresh_notes()

    # The thread

    def _request(self, span: Span) -> None:
        """Follow on these frames; what a request that runs was to follow is followed again."""
        if self._thread.is_busy:
            span = Span(min(span.start, self._following.start), max(span.stop, self._following.stop))
        self._following = span
        reading = self._workspace.reading
        keys = {key: edges for key, edges in self._keys.items() if key in span}
        path, index = reading.study.path, reading.index

        def work(reporter: Reporter) -> dict[int, Edges]:
            seen: set[int] = set()
            with open_source(path, index=index) as source:
                last = np.zeros((source.height_px, source.width_px, 3), np.uint8)

                def read(frame: int) -> NDArray[np.uint8]:
                    nonlocal last
                    reporter.check()
                    seen.add(frame)
                    reporter.progress(len(seen), len(span), "frames", "following the box")
                    with suppress(FrameMissing):  # the box stays where it is
                        last = source.read(frame)
                    return last

                return track(read, keys, span.start, span.stop - 1)

        self._thread.request(work)
        self._changed()

    def _take(self, boxes: Mapping[int, Edges]) -> None:
        """Show what was followed."""
        outside = {frame: edges for frame, edges in self._boxes.items() if frame not in self._following}
        self._boxes = {frame: edges for frame, edges in (outside | dict(boxes)).items() if frame in self._visit}
        self._changed()
        self._workspace.show_message(self.sentence)

    @property
    def sentence(self) -> str:
        """How far the box follows, and what can be done."""
        return tr_count(
            "The box follows on {count} further frame. {keep} keeps it, Escape discards it.",
            "The box follows on {count} further frames. {keep} keeps them, Escape discards them.",
            max(0, len(self._boxes) - 1),
            keep=key_of("keep_followed"),
        )

    def _show_progress(self, progress: Progress) -> None:
        if progress.done % 25 == 0 and self._origin is not None:
            self._workspace.show_message(
                tr(
                    "Following the box: frame {done} of {total}. Escape stops.",
                    done=progress.done,
                    total=progress.total,
                )
            )

    def _fail(self, outcome: Outcome) -> None:
        self._forget()
        self._workspace.show_error(outcome.message, outcome.hint)

    def _follow_origin(self, _: object = None) -> None:
        """The box that was drawn is the first key frame: follow again where it was changed, no more where removed."""
        origin, reading = self._origin, self._session.reading
        if origin is None or reading is None:
            return
        now = next((box for box in reading.entries.boxes if box.box_id == origin.box_id), None)
        if now is None:
            self._forget()
            return
        self._origin = now
        if _edges(now) != _edges(origin):
            self.correct(now.frame_index, _edges(now))


def visit_of(reading: Reading, box: Box) -> Span:
    """The frames on which a box may follow: of its finding, else of a label of its class, else those around it."""
    frame = box.frame_index
    spans = [finding.span for finding in reading.entries.findings if finding.finding_id == box.finding_id]
    spans += [label.span for label in reading.entries.labels.at(frame) if label.name == box.name]
    spans = [span for span in spans if frame in span and len(span) > 1] or [Span(0, reading.frame_count)]
    return Span(max(spans[0].start, frame - MOST_FRAMES), min(spans[0].stop, frame + MOST_FRAMES + 1))


def _edges(box: Box) -> Edges:
    return box.x_min, box.y_min, box.x_max, box.y_max
