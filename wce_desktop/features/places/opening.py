"""Opens two places side by side; studies are read in a thread."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.span import Span
from wce_desktop.features.places.pair_view import PairView
from wce_desktop.features.places.study_view import ShownStudy, StudyReader
from wce_desktop.session.frame_facts import NeverOpenedError
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread

NO_PLACE = to_translate("Choose a place in the list.")


@dataclass(frozen=True)
class Pair:
    """Two places to show side by side; without `right_id` only the left one. The spans are marked."""

    left_id: str
    left_frame: int
    right_id: str = ""
    right_frame: int = 0
    left_span: Span | None = None
    right_span: Span | None = None


Read = dict[str, ShownStudy | UserError]


class PairOpening(QObject):
    """The newest pair wins. A study that cannot be read is said in its place and passed on as an error."""

    opened = Signal()
    """Other studies are shown."""

    def __init__(self, session: Session, view: PairView, fail: Callable[[str, str], object], parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._view, self._fail = session, view, fail
        self._failed: tuple[str, Pair] | None = None  # a study that was never opened, and what was to be shown of it
        self._thread = FunctionThread(self)
        self._thread.returned.connect(lambda found: self._show(*found))
        self._thread.failed.connect(lambda outcome: fail(tr(outcome.message), tr(outcome.hint)))

    @property
    def is_busy(self) -> bool:
        """True while studies are read."""
        return self._thread.is_busy

    @property
    def left_id(self) -> str:
        """The study at the left, or ""."""
        study = self._view.left.study
        return study.study_id if study is not None else ""

    def open(self, pair: Pair) -> None:
        """Show two places; studies that are not shown yet are read first."""
        self._failed = None
        sides = (self._view.left, pair.left_id), (self._view.right, pair.right_id)
        wanted = [study_id for side, study_id in sides if study_id and not side.shows(study_id)]
        if wanted:
            reader = StudyReader(self._session)
            self._thread.request(lambda _: (pair, _read(reader, wanted)))
        else:
            self._thread.cancel()
            self._show(pair, {})

    def retry(self, study_id: str) -> None:
        """A study was opened in the main window: show it, if it could not be shown because it never was."""
        if self._failed is not None and self._failed[0] == study_id:
            self.open(self._failed[1])

    def close(self) -> None:
        """End the thread."""
        self._thread.close()

    def _show(self, pair: Pair, read: Read) -> None:
        view = self._view
        studies: list[ShownStudy | None] = []
        for study_id, side in ((pair.left_id, view.left), (pair.right_id, view.right)):
            found = read.get(study_id)
            if isinstance(found, UserError):
                is_new = isinstance(found, NeverOpenedError)
                self._failed = (study_id, pair) if is_new else self._failed
                side.clear(tr(str(found)), to_open=study_id if is_new else "")
                self._fail(tr(found.message), tr(found.hint))
            studies.append(found if isinstance(found, ShownStudy) else None)
        if not pair.right_id:
            view.right.clear(tr(NO_PLACE))
        view.open_pair(studies[0], pair.left_frame, studies[1], pair.right_frame)
        view.left.set_marked(pair.left_span)
        view.right.set_marked(pair.right_span)
        self.opened.emit()


def _read(reader: StudyReader, study_ids: list[str]) -> Read:
    found: Read = {}
    for study_id in study_ids:
        try:
            found[study_id] = reader.read(study_id)
        except UserError as error:
            found[study_id] = error
    return found
