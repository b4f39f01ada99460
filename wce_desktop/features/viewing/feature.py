"""Views of the frame, similar frames as one, and adaptive speed."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from wce_desktop.core.language import tr
from wce_desktop.core.similar import Similar, kept_frames, pace_of, skipped_frames
from wce_desktop.features.viewing.comparing_frames import SO_FAR, by_embeddings, by_pictures
from wce_desktop.session.reading import Reading
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.player.enhancement import NAMES, RAW
from wce_desktop.workspace import Connections, Feature, Workspace


class ViewingFeature(Feature):
    """Changes how frames are shown and in which order they are played; never what is stored."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._player = workspace.player
        self._similar: Similar | None = None
        self._is_by_embeddings = False
        self._kept: NDArray[np.bool_] | None = None
        self._pace: NDArray[np.float32] | None = None
        self._skipped: NDArray[np.bool_] | None = None
        self._keeping = FunctionThread(self)
        self._thread = FunctionThread(self)
        self._thread.returned.connect(workspace.guard(self._take))
        self._thread.partial_arrived.connect(workspace.guard(self._take_so_far))
        self._thread.failed.connect(self._fail)
        session, transport = self._session, self._player.transport
        transport.enhancement_requested.connect(workspace.guard(self.choose_enhancement))
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.scores_changed, self._refresh),
            (session.events_changed, self._apply),
            (session.seen_changed, self._show_skipped),
            (session.study_closed, self._forget),
        )

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return {
            "next_enhancement": self.next_enhancement,
            "as_recorded": partial(self.choose_enhancement, RAW),
            **{name: partial(self._toggle, name) for name in ("collapse_similar", "adaptive_speed")},
        }

    def start(self) -> None:
        """Show what is on."""
        self._show_state()

    # Views of the frame

    def next_enhancement(self) -> None:
        """The next view of the frame, as recorded after the last one."""
        at = NAMES.index(self._player.frame_view.enhancer.chosen.name)
        self.choose_enhancement(NAMES[(at + 1) % len(NAMES)])

    def choose_enhancement(self, name: str) -> None:
        """Show this view of the frame, also when the study is opened again."""
        reading = self._workspace.reading
        self._player.set_enhancement(name)
        if not self._session.library.read_only:
            files = self._session.files(reading.study)
            self._keeping.request(lambda _: files.keep_shown_view(name))

    # Similar frames and speed

    @property
    def is_collapsing(self) -> bool:
        """Whether similar frames are shown as one while playing."""
        return bool(self._session.settings["collapse_similar"])

    @property
    def is_adaptive(self) -> bool:
        """Whether the speed follows what changes."""
        return bool(self._session.settings["adaptive_speed"])

    def _toggle(self, key: str) -> None:
        try:
            self._session.settings.set(key, not self._session.settings[key])
        finally:  # also where the settings cannot be written
            self._show_state()
            self._refresh()

    def _show_state(self) -> None:
        self._workspace.menus.check({"collapse_similar": self.is_collapsing, "adaptive_speed": self.is_adaptive})
        self._player.transport.set_pace(is_collapsed=self.is_collapsing, is_adaptive=self.is_adaptive)

    def _study_opened(self) -> None:
        self._forget()
        reading = self._workspace.reading
        self._player.set_enhancement(reading.view)
        self._refresh()

    def _refresh(self) -> None:
        """Compare frames, at once where stored embeddings have come."""
        self._compare()
        self._apply()

    def _forget(self) -> None:
        self._thread.cancel()
        self._similar, self._is_by_embeddings = None, False
        self._kept = self._pace = self._skipped = None  # the player and the timeline have forgotten them, too

    def _compare(self) -> None:
        """Find similar frames of the open study, if that is wanted and not done; by embeddings as soon as there are."""
        reading = self._session.reading
        if reading is None or not (self.is_collapsing or self.is_adaptive):
            self._thread.cancel()
            return
        has_embeddings = reading.flags.embeddings is not None
        is_done = self._similar is not None and not self._thread.is_busy
        if (is_done or self._thread.is_busy) and self._is_by_embeddings == has_embeddings:
            return
        self._is_by_embeddings = has_embeddings
        self._thread.request(_work(reading))

    def _take_so_far(self, name: str, payload: Mapping[str, Any]) -> None:
        if name == SO_FAR:
            self._take(payload["similar"])

    def _take(self, similar: Similar) -> None:
        self._similar = similar
        self._apply()

    def _fail(self, outcome: Outcome) -> None:
        """Frames that cannot be compared are all shown, at one speed."""
        self._similar = None
        self._apply()
        message = tr("Similar frames could not be found: {reason}", reason=outcome.message)
        self._workspace.show_error(message, outcome.hint)

    def _apply(self) -> None:
        """Tell the player which frames to leave out and how fast to play; flags count, so after each change of them."""
        reading, similar = self._session.reading, self._similar
        kept = pace = None
        if reading is not None and similar is not None and len(similar.first) == reading.frame_count:
            kept = kept_frames(similar, reading.flags.flagged()) if self.is_collapsing else None
            pace = pace_of(similar, reading.flags.flag_tracks, reading.flags.threshold) if self.is_adaptive else None
        if not _is_equal(kept, self._kept):
            self._kept = kept
            self._player.set_kept_frames(kept)
            self._show_skipped()
        if not _is_equal(pace, self._pace):
            self._pace = pace
            self._player.set_pace(pace)

    def _show_skipped(self) -> None:
        """Mark on the timeline what was left out as similar; it stays marked when all frames are shown again."""
        reading, kept = self._session.reading, self._kept
        if reading is None or kept is None or len(kept) != reading.frame_count:
            return
        before = self._skipped
        now = skipped_frames(kept, reading.seen | reading.fast)
        self._skipped = now if before is None else now | before
        if before is None or not np.array_equal(before, self._skipped):
            self._workspace.timeline.set_skipped(self._skipped)


def _is_equal(first: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    return first is other or (first is not None and other is not None and np.array_equal(first, other))


def _work(reading: Reading) -> Callable[[Reporter], Similar]:
    """Comparing the frames of a reading, for a thread: what it needs is taken now."""
    file, path, index, view = reading.flags.embeddings, reading.study.path, reading.index, reading.flags.field_of_view
    if file is None:
        return lambda reporter: by_pictures(path, index, view, reporter)
    try:
        _ = file.embeddings, file.frame_index, file.mean_color  # mapped and read: the session may close the file
    except UserError:
        return lambda reporter: by_pictures(path, index, view, reporter)
    count = reading.frame_count
    return lambda reporter: by_embeddings(file, count, reporter)
