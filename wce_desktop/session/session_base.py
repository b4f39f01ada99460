"""What every part of the session shares: its signals, what is open, what is selected."""

from psygnal import Signal

from training.errors import UserError
from wce_desktop.core.selection import FrameSelection
from wce_desktop.core.span import SpanSet
from wce_desktop.core.vocabulary import Vocabulary
from wce_desktop.library import Library, Model
from wce_desktop.session.reading import Reading
from wce_desktop.session.settings import Settings


class SessionBase:
    """The session's signals and what it holds; see `Session`."""

    studies_changed = Signal()
    study_opened = Signal()
    study_closed = Signal()
    seen_saved = Signal()
    frame_changed = Signal(int)
    scores_changed = Signal()
    events_changed = Signal()
    undone = Signal(object)  # the Edit that was taken back, of the open study or of `undo_study`
    annotations_changed = Signal(object)  # the Edit that was made, or None when everything was read again
    seen_changed = Signal()
    span_changed = Signal()
    selection_changed = Signal()
    model_changed = Signal()
    scoring_changed = Signal()
    explained_changed = Signal()
    runs_changed = Signal()  # a run of the library was begun, has ended, or was deleted
    saved = Signal(str)
    remarked = Signal(str)

    def __init__(self, library: Library, settings: Settings, vocabulary: Vocabulary) -> None:
        self.library = library
        self.settings = settings
        self.vocabulary = vocabulary
        self.reading: Reading | None = None
        self.current_model: Model | None = library.current_model
        self.selection = FrameSelection()
        self.undo_study = ""
        """Of which study undo takes the last edit back; "" for the open one, and after every edit."""
        self.scoring: frozenset[tuple[str, str]] = frozenset()
        """Study and model of each scoring that waits or runs; see `set_scoring`."""
        self.explained: str | None = None
        """The class that the overlay explains; see `explain`."""
        self._unsaved_seen = SpanSet()
        self._last_edit_id: int | None = None

    def _open(self) -> Reading:
        if self.reading is None:
            raise UserError("No study is open.", "Open a study first.")
        return self.reading
