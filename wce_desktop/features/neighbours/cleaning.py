"""Cleaning labels: fills the window with what may be wrong, and does what keys and buttons ask for."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from training.cleaning.listing import Kind
from training.errors import NothingToDoError
from training.runs.events import Outcome, Progress
from training.texts import Text
from wce_desktop.core import capital, counted, number_text, to_translate, tr
from wce_desktop.core.annotation import Label, ReportPart
from wce_desktop.features.neighbours import bulk_labelling, suspects
from wce_desktop.features.neighbours.clean_window import CleanWindow
from wce_desktop.features.neighbours.frame_access import FrameAccess
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import frame_tile
from wce_desktop.widgets.dialogs import bring_to_front
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.workspace import Part, Workspace

NOTHING = {
    "label": to_translate("No label seems to be wrong."),
    "duplicate": to_translate("No two frames of different studies look the same."),
    "outlier": to_translate("No frame lies far from all others."),
}


class Cleaning(Part):
    """The lists are computed when first shown, and again when asked for."""

    def __init__(self, workspace: Workspace, shared: FrameAccess) -> None:
        super().__init__(workspace, shared)
        self._shared = shared
        self.window: CleanWindow | None = None
        self._results: dict[Kind, suspects.Found] = {}
        self._pairs: dict[tuple[str, int], tuple[str, int]] = {}
        self._thread = FunctionThread(self, workspace.guard(self._take), self._fail, self._show_progress)

    def show(self) -> None:
        """Show the window, and look for what it shows."""
        if self.window is None:
            self.window = self._dialog = self._make()
        bring_to_front(self.window)
        self._show_kind(self.window.shown_kind)

    def labels_changed(self) -> None:
        """Leave out what was answered."""
        if self.window is not None and self.window.isVisible():
            self._show()

    def repaint(self) -> None:
        """A picture has arrived."""
        if self.window is not None and self.window.isVisible():
            self.window.tiles.viewport().update()

    def forget(self) -> None:
        """Another model is in use, or there are other studies: look again when shown next."""
        self._results.clear()
        self._thread.cancel()
        if self.window is not None and self.window.isVisible():
            self._show_kind(self.window.shown_kind)

    def _make(self) -> CleanWindow:
        guard = self._guard
        steps: dict[str, Callable[[], object]] = {
            "suggested": guard(self.relabel_as_suggested),
            "remove": guard(partial(self._label, "")),
            "keep": guard(self.keep),
            "other": guard(self._open_other),
        }
        steps |= {f"label_{digit}": guard(partial(self._label_by_key, digit)) for digit in "0123456789"}
        window = CleanWindow(self._session.vocabulary, self._picture, steps, self._workspace.window)
        window.kind_chosen.connect(guard(self._show_kind))
        window.sort.currentIndexChanged.connect(lambda _: self._show())
        window.opened.connect(guard(self._shared.open_frame))
        window.again.clicked.connect(guard(self._look_again))
        window.stop.clicked.connect(self._stop)
        window.addActions(self._workspace.share_undo(self, window.show_message, (Label, ReportPart)))
        return window

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        return self._shared.guarded_in(lambda: self.window, step)

    # The lists

    def _show_kind(self, kind: Kind) -> None:
        if kind in self._results:
            self._show()
            return
        assert self.window is not None
        self.window.show_entries((), self._no_tile, "", "")
        self.window.show_progress(None, tr("Looking through the frames of all scored studies…"))
        session = self._session
        self._thread.request(lambda reporter: suspects.find_entries(session, kind, reporter))

    def _look_again(self) -> None:
        self._results.clear()
        if self.window is not None:
            self._show_kind(self.window.shown_kind)

    def _take(self, found: suspects.Found) -> None:
        self._results[found.kind] = found
        self._pairs |= {(each.study_id, each.frame_index): each.other for each in found.entries if each.other}
        if self.window is not None:
            self.window.show_progress(None)
            self.window.show_message(tr(found.note))
            self._show()

    def _show(self) -> None:
        window = self.window
        found = self._results.get(window.shown_kind) if window is not None else None
        if window is None or found is None:
            return
        checked = suspects.checked_keys(self._session.library, {entry.study_id for entry in found.entries})
        entries = [entry for entry in found.entries if entry.key not in checked and self._is_open(entry)]
        if window.sort.currentData() == "study":
            entries.sort(key=lambda entry: (self._shared.facts.of(entry.study_id, 0).study_name, entry.frame_index))
        elif window.sort.currentData() == "label":
            entries.sort(key=lambda entry: self._shared.facts.of(entry.study_id, entry.frame_index).labels)
        title = tr(
            "{count} listed, {frames} compared", count=number_text(len(entries)), frames=counted(found.frames, "frame")
        )
        window.show_entries(entries, partial(self._tile, tuple(entries)), title, tr(NOTHING[found.kind]))

    def _is_open(self, entry: suspects.Entry) -> bool:
        """Whether an entry still has the label that was doubted."""
        if self._shared.facts.study(entry.study_id) is None:
            return False
        labels = self._shared.facts.of(entry.study_id, entry.frame_index).labels
        return not entry.label or entry.label in labels

    def _tile(self, entries: tuple[suspects.Entry, ...], row: int) -> frame_tile.FrameTile:
        entry = entries[row]
        fact = self._shared.facts.of(entry.study_id, entry.frame_index)

        def title(name: str) -> str:
            return self._session.vocabulary.of(name).shown_title

        if entry.label:
            words = f"{title(entry.label)} → {title(entry.suggested)}"
            more = counted(entry.frames.count, "frame")
        elif entry.other is not None:
            other = self._shared.facts.of(*entry.other)
            names_of = [", ".join(map(title, each.labels)) or tr("no label") for each in (fact, other)]
            words, more = other.caption, " | ".join(names_of)
        else:
            words = tr("{times} × usual distance", times=number_text(entry.value, ".1f"))
            more = ", ".join(map(title, fact.labels)) or tr("no label")
        sentence = f"{fact.sentence}; {words}; {more}"
        return self._shared.tile(fact, f"{fact.caption}\n{words}\n{more}", sentence, "")

    def _no_tile(self, row: int) -> frame_tile.FrameTile:
        raise IndexError(row)

    def _picture(self, study_id: str, frame_index: int) -> QImage | None:
        """The picture of a frame; in the list of copies both beside each other."""
        get, address = self._shared.pictures.get, (study_id, frame_index)
        if self.window is None or self.window.shown_kind != "duplicate" or address not in self._pairs:
            return get(*address)
        first, second = get(*address), get(*self._pairs[address])
        if first is None or second is None:
            return None
        both = first, second
        side = max(1, *(max(each.width(), each.height()) for each in both))
        picture = QImage(2 * side, side, QImage.Format.Format_RGB32)
        picture.fill(QColor(Qt.GlobalColor.black))
        painter = QPainter(picture)
        for at, each in enumerate(both):
            if not each.isNull():
                draw_fitting(painter, QRect(at * side, 0, side, side), each)
        painter.end()
        return picture

    # What can be done with an entry

    @property
    def _current(self) -> suspects.Entry:
        entry = self.window.current if self.window is not None else None
        if entry is None:
            raise NothingToDoError("Nothing is chosen.")
        return entry

    def relabel_as_suggested(self) -> None:
        """Give the frames of the highlighted entry the class that is suggested."""
        if not self._current.suggested:
            raise NothingToDoError("No class is suggested here.", "Label it yourself: keys 0 to 9.")
        self._label(self._current.suggested)

    def keep(self) -> None:
        """Say that the highlighted entry is right; it leaves the list for good."""
        entry = self._current
        change = suspects.keep_entry(self._session.library, entry)
        self._session.edits.apply_to_studies(Text("Checked as right"), {entry.study_id: [change]})
        assert self.window is not None
        self.window.show_message(tr("Left out as right. {key} undoes it.", key=key_of("undo")))

    def _label_by_key(self, digit: str) -> None:
        entry = self._session.vocabulary.by_key(digit)
        if entry is not None:
            self._label(entry.name)

    def _label(self, name: str) -> None:
        entry = self._current
        said = bulk_labelling.replace_labels(self._session, entry.frames, name)
        assert self.window is not None
        if not self.window.isActiveWindow():  # the main window asked who works here
            bring_to_front(self.window)
        self.window.show_message(said)

    def _open_other(self) -> None:
        entry = self._current
        self._shared.open_frame(*(entry.other or (entry.study_id, entry.frame_index)))

    # The thread

    def _stop(self) -> None:
        self._thread.cancel()
        if self.window is not None:
            self.window.show_progress(None)
            self.window.show_message(tr("Stopped."))

    def _show_progress(self, progress: Progress) -> None:
        if self.window is not None:
            self.window.show_progress(progress, f"{capital(tr(progress.what))}…")

    def _fail(self, outcome: Outcome) -> None:
        if self.window is not None:
            self.window.show_progress(None)
            self.window.show_entries((), self._no_tile, "", tr(str(outcome)))
            self.window.show_message("")
