"""Asking for frames that look alike: by frame, span, region, image or selection; the strip follows the frame."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QTimer
from PySide6.QtGui import QGuiApplication

from training.errors import NothingToDoError
from training.runs.events import Outcome, Progress
from training.texts import Text
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours import bulk_labelling, neighbour_query, neighbour_search
from wce_desktop.features.neighbours.neighbour_strip import NeighbourStrip
from wce_desktop.features.neighbours.query_embedding import QueryEmbedding
from wce_desktop.features.neighbours.result_tiles import FoundTiles
from wce_desktop.session.completeness.protocol import HIDDEN
from wce_desktop.session.keys import key_of
from wce_desktop.session.study_choice import patients_note
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.basic import check_quietly
from wce_desktop.workspace import Part, Workspace

if TYPE_CHECKING:
    from wce_desktop.features.neighbours.feature import NeighboursFeature

ASKED_AFTER_MILLISECONDS = 150
IMAGE_FILTER = to_translate("Pictures (*.png *.jpg *.jpeg *.bmp *.tif *.tiff *.webp);;All files (*)")


class NeighbourStripSearch(Part):
    """Nothing is opened, read or searched while the strip is hidden."""

    def __init__(self, workspace: Workspace, shared: "NeighboursFeature") -> None:
        super().__init__(workspace, shared)
        self._shared = shared
        self.strip = NeighbourStrip(workspace.session.vocabulary, shared.pictures.get)
        self.strip.hide()
        self.settings = neighbour_query.SearchSettings()
        self.tiles = FoundTiles(self.strip, shared.facts, workspace.session.vocabulary, shared.tile)
        self._query: neighbour_query.Query | None = None
        self._is_following = True
        self._is_asked_last = False
        self._search = neighbour_search.NeighbourSearch(workspace.session)
        self._thread = FunctionThread(self)
        self._pause = QTimer(self, singleShot=True, interval=ASKED_AFTER_MILLISECONDS)
        self.embedding = QueryEmbedding(workspace, self)
        guard, strip = self._workspace.guard, self.strip
        workspace.escaped.connect(lambda: self.fold(True) if strip.isVisible() else None)
        self._pause.timeout.connect(guard(self._follow))
        self._thread.returned.connect(guard(self._show))
        self._thread.failed.connect(self._fail)
        self._thread.progressed.connect(self._show_progress)
        self._workspace.player.state_changed.connect(lambda is_playing, _: self.moved())
        self.embedding.started.connect(self._wait_for_model)
        self.embedding.embedded.connect(guard(self._ask))
        self.embedding.progressed.connect(strip.wait_for)
        self.embedding.failed.connect(self._fail)
        strip.tiles.opened.connect(guard(self._open))
        strip.filters.changed.connect(guard(self.change_settings))
        strip.follow.toggled.connect(guard(self._set_following))
        strip.voters.toggled.connect(lambda _: self.tiles.show())
        strip.suggestion.clicked.connect(guard(self.accept))
        strip.stop.clicked.connect(self.stop)
        strip.grid.clicked.connect(guard(self.as_grid))

    # What the reader asks for

    @property
    def is_shown(self) -> bool:
        """Whether the strip is unfolded."""
        return not self.strip.isHidden()

    @property
    def is_busy(self) -> bool:
        """True while an answer is awaited."""
        return super().is_busy or self._pause.isActive()

    @property
    def is_for_grid(self) -> bool:
        """Whether a grid is to show what was found: it is newer than what is selected, or nothing is selected."""
        is_newest = self._is_asked_last or not self._session.selection.count
        return self.is_shown and is_newest and (self.is_busy or bool(self.tiles.frames))

    def fold(self, is_folded: bool) -> None:
        """Hide the strip, or show it and follow the frame on screen."""
        self.strip.setVisible(not is_folded)
        self._workspace.menus.check({"toggle_neighbours": not is_folded})
        if is_folded:
            self.stop()
            self._query, self.tiles.found = None, None
        else:
            self._set_following(True)

    def ask_like_frame(self) -> None:
        """Ask for frames like the one on screen; where they are shown already, hide the strip."""
        query = neighbour_query.frame_query(self._workspace.reading)
        if self.is_shown and not self._is_following and query == self._query:
            self.fold(True)
        else:
            self.pin(query)

    def ask_elsewhere(self) -> None:
        """Frames of other patients like the one on screen; where that is shown already, of all studies again."""
        query = neighbour_query.frame_query(self._workspace.reading)
        is_shown = self.is_shown and self.settings.scope == "other patients" and query == self._query
        self._query = None  # the filter is set first, and must not ask for what was asked before
        self.strip.filters.change(replace(self.settings, scope="all" if is_shown else "other patients"))
        self.pin(query)

    def ask_image(self) -> None:
        """Ask for an image file, then for frames like it."""
        window, title = self._workspace.window, tr("Frames like this picture")
        chosen = self._workspace.files.ask_file(window, "pictures", title, tr(IMAGE_FILTER))
        if chosen is not None:
            self.embedding.ask_picture(chosen)

    def ask_copied(self) -> None:
        """Ask for frames like the picture, or the picture file, in the clipboard.

        Raises:
            NothingToDoError: there is none.
        """
        clipboard = QGuiApplication.clipboard()
        content: QMimeData | None = clipboard.mimeData()  # none where the clipboard is empty
        files = [url.toLocalFile() for url in content.urls() if url.isLocalFile()] if content is not None else []
        if files:
            self.embedding.ask_picture(Path(files[0]))
            return
        picture = clipboard.image()
        if picture.isNull():
            raise NothingToDoError("The clipboard holds no picture.", "Copy a picture or a picture file first.")
        self.embedding.ask_copied(picture)

    def change_settings(self, settings: neighbour_query.SearchSettings) -> None:
        """Ask again with other filters."""
        is_new = settings.scope == "other patients" != self.settings.scope
        is_research = self._session.settings["desk"] == "research"
        if is_new and is_research and (note := patients_note(self._session)):
            self._workspace.show_message(note)
        self.settings = settings
        if self._query is not None:
            self._ask(self._query)

    def accept(self) -> None:
        """Apply the label its neighbours suggest."""
        if self.is_busy:
            raise NothingToDoError(
                "Still searching for neighbours of this frame.",
                "Press {key} again in a moment.",
                key_of("accept_votes"),
            )
        own, name = neighbour_query.frames_to_accept(self._session, self.tiles.found)
        bulk_labelling.label_frames(self._session, own, name, model_id=self._session.model_id)

    def as_grid(self) -> None:
        """Select what was found and show it as a grid."""
        if self.is_busy:
            raise NothingToDoError(
                "Still searching for frames.", "Press {key} again in a moment.", key_of("show_selection")
            )
        frames: dict[str, list[int]] = {}
        for frame in self.tiles.frames:
            frames.setdefault(frame.neighbour.study_id, []).append(frame.neighbour.frame_index)
        self._session.select_frames(FrameSelection(frames))
        self._shared.grid.show()

    def selected(self) -> None:
        """Frames were selected after the last search; the grid shows them."""
        self._is_asked_last = False

    def stop(self) -> None:
        """Cancel the search."""
        self._pause.stop()
        self._thread.cancel()
        self.embedding.stop()
        if not self.is_shown:
            return
        if self.tiles.found is None:
            self.strip.show_message(
                tr("Stopped."), tr("Press {key} to find frames like the one on screen.", key=key_of("find_like_frame"))
            )
        else:
            self.tiles.show()

    # Following the frame on screen

    def moved(self) -> None:
        """Another frame is shown, or playback stopped: search after a short delay."""
        reading = self._session.reading
        if self.is_shown and (self._is_following or (reading is not None and reading.flags.is_hidden)):
            if self._workspace.player.is_playing:
                self._pause.stop()
            else:
                self._pause.start()

    def labels_changed(self) -> None:
        """Show labels as they are now; votes are computed again with the next search."""
        self._search.forget_labels()
        if self.is_shown:
            self.tiles.labels_changed()

    def model_changed(self) -> None:
        """Another model is in use: search again."""
        self.stop()
        self.tiles.found = None
        if self.is_shown and self._query is not None and self._query.vector is None:
            self._ask(self._query)
        elif self.is_shown:
            self.strip.show_message(tr("Another model is now in use."), tr("Search again."))

    def _set_following(self, is_following: bool) -> None:
        self._is_following = is_following
        check_quietly(self.strip.follow, is_following)
        if is_following and self.is_shown:
            self._follow()

    def _follow(self) -> None:
        reading = self._session.reading
        if reading is None:
            self.strip.show_message(tr("No study is open."), tr("Open a study to compare its frames."))
        elif reading.flags.is_hidden:
            self.tiles.found = self._query = None
            self.strip.show_message(tr(HIDDEN), tr("Similar frames are shown after it."))
        elif self.is_shown and not self._workspace.player.is_playing:
            self._ask(neighbour_query.frame_query(self._workspace.reading))

    def pin(self, query: neighbour_query.Query) -> None:
        """Search frames like these, and keep to them while the reader looks at the results."""
        self._unfold()
        self._is_asked_last = True
        self._ask(query)

    def _unfold(self) -> None:
        """Show the strip, which no longer follows the frame."""
        self.strip.show()
        self._workspace.menus.check({"toggle_neighbours": True})
        self._is_following = False
        check_quietly(self.strip.follow, False)

    def _open(self, study_id: str, frame_index: int) -> None:
        self._unfold()
        self._shared.open_frame(study_id, frame_index)

    # Asking

    def _ask(self, query: neighbour_query.Query) -> None:
        self._pause.stop()
        self.embedding.stop()
        self._query = query
        settings, model_id = self.settings, self._session.model_id
        self.strip.wait_for(tr("Looking for frames like {query}…", query=query.words))
        self._thread.request(lambda reporter: self._search.find(query, settings, model_id, reporter))

    def _show(self, result: neighbour_query.Found) -> None:
        self.tiles.found = result
        check_quietly(self.strip.voters, False)
        self.tiles.show()

    def _fail(self, outcome: Outcome) -> None:
        self.tiles.found = None
        names = {study.study_id: f"“{study.shown_name}”" for study in self._session.library.studies.all()}
        message = Text(outcome.message).with_values(names)  # the search knows their ids only
        self.strip.show_message(tr(message), tr(outcome.hint), is_error=True)

    def _show_progress(self, progress: Progress) -> None:
        """An index over a large library is built at the first question: a minute or more."""
        values = {"step": tr(progress.what), "unit": tr(progress.unit)}
        self.strip.wait_for(tr("{step}: {done} of {total} {unit}", done=progress.done, total=progress.total, **values))

    def _wait_for_model(self, query: neighbour_query.Query) -> None:
        """A model looks at a region or a picture first."""
        self._unfold()
        self._thread.cancel()
        self._pause.stop()
        self._query, self._is_asked_last = None, True
        self.strip.wait_for(tr("The model is processing {query}…", query=query.words))

    def close(self) -> None:
        """End the thread and close the files."""
        super().close()
        self._search.close()
