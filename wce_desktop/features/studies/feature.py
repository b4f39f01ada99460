"""The Study menu: opening, and moving between studies."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtWidgets import QApplication

from training.datasets.synthetic import is_synthetic
from training.errors import NothingToDoError, UserError
from training.files import stores
from training.runs.events import Progress
from training.runs.reporter import Reporter
from training.texts import Text, join_texts
from training.video import NUMBERING, FrameIndex, is_study
from training.video.dicom.elements import SUFFIXES as DICOM_SUFFIXES
from training.video.folders import StudiesBelow
from training.video.formats import VIDEO_SUFFIXES
from wce_desktop.core.clock import counted, missing_frames_text
from wce_desktop.core.language import number_text, tr
from wce_desktop.core.study import Study
from wce_desktop.features.studies import opening
from wce_desktop.features.studies.importing import Importing
from wce_desktop.features.studies.scoring import Scoring
from wce_desktop.features.studies.studies_panel import StudiesPanel
from wce_desktop.features.studies.worklist import Worklist
from wce_desktop.library.exchange.source import FILES
from wce_desktop.session import keys, places
from wce_desktop.session.completeness import still_open
from wce_desktop.session.demo import add_demo_study
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs
from wce_desktop.widgets.plain_text import show_notice
from wce_desktop.workspace import Connections, Feature, Panel, Workspace, methods

SLOW_MILLISECONDS = 1000
"""A folder that has not answered by then is waited for, which is said."""
_Step: TypeAlias = Callable[[], object]
_SUFFIXES = sorted(VIDEO_SUFFIXES | DICOM_SUFFIXES)


def video_filter() -> str:
    """What the file dialog offers."""
    return tr("Videos ({suffixes});;All files (*)", suffixes=" ".join(f"*{suffix}" for suffix in _SUFFIXES))


class StudiesFeature(Feature):
    """Opens studies: known ones with their stored index, new ones while they are being indexed."""

    own_actions = (
        "open_files", "open_folder", "open_from_store", "open_demo", "continue_reading", "open_highlighted",
        "rename_study", "locate_study", "study_notes", "finish_reading",
    )  # fmt: skip
    demo_opened = Signal()
    """The demo study was opened for the first time: its strongest flag is to be shown, with the reason drawn."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._opening: Path | None = None
        self._is_beside = False  # what is being opened is not on screen yet
        self._notes_of, self._notes = "", list[str]()  # those of the file that were shown for this study
        self._new_demo = ""  # the demo study while nothing of it was seen
        self._second: Study | None = None  # the second reading that is being opened
        self._failure = ""  # why the last study could not be opened, as it is shown
        guard, fail = workspace.guard, lambda outcome: self._fail(UserError(outcome.message, outcome.hint))
        self._check = FunctionThread(self, returned=guard(self._show_checked), failed=workspace.show_failure)
        self.scoring = Scoring(workspace, self)
        self.importing = Importing(workspace, self)
        self.panel = StudiesPanel(workspace.session, FunctionThread(self))
        self.worklist = Worklist(workspace, self, guard(self.open_folder), self._ask_name)
        self.panels = (Panel(self.panel, "left", stretch=1),)
        workspace.open_study, workspace.open_files = self.open_study, self.drop
        player = workspace.player
        self._trial = FunctionThread(
            self, returned=guard(self._take_index), failed=fail, progressed=self._show_progress
        )
        self._passed_over: tuple[str, ...] = ()  # of the folder whose first study is being opened, in sentences
        self._search = FunctionThread(self, returned=guard(self._take_studies), failed=fail)
        self._loading = FunctionThread(self, returned=guard(self._show_loaded), failed=fail)
        self._asking = FunctionThread(self, returned=guard(self._go_on), failed=fail, progressed=self._show_progress)
        self._slow = QTimer(self, singleShot=True, interval=SLOW_MILLISECONDS)
        self._slow.timeout.connect(self._say_waiting)
        workspace.escaped.connect(guard(self._give_up_opening))
        player.index_ready.connect(workspace.guard(self._take_shown))
        player.failed.connect(self._fail_shown)
        player.empty_state.open_button.clicked.connect(lambda: workspace.menus.run("open_files"))
        player.empty_state.demo_button.clicked.connect(lambda: workspace.menus.run("open_demo"))
        player.empty_state.worklist_button.clicked.connect(lambda: workspace.menus.run("show_worklist"))
        player.empty_state.last.clicked.connect(lambda: workspace.menus.run("continue_reading"))
        self.panel.study_chosen.connect(workspace.guard(self.open_study))
        self.panel.menu_requested.connect(self._show_menu)
        session = workspace.session
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.study_closed, workspace.guard(self.panel.refresh)),  # while the library is away too:
            (session.study_closed, workspace.guard(self.start)),  # the views are told after this one
            (session.studies_changed, self.panel.refresh),
            (session.present_changed, self.panel.show_present),
            (session.studies_changed, self.start),
            (session.seen_saved, self.panel.refresh_open),
        )

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        steps = {"next_study": partial(self._step, 1), "previous_study": partial(self._step, -1)}
        scoring = methods(self.scoring, ("score_study", "score_all"))
        scoring |= methods(self.importing, ("import_embeddings",))
        return {**super().actions, **scoring, **methods(self.worklist, ("show_worklist", "show_removed")), **steps}

    @property
    def is_busy(self) -> bool:
        """True while a study is being opened or files are being added."""
        reading = self._session.reading
        is_coming = reading is not None and self._workspace.player.frame_index != reading.place.frame_index
        return self.is_opening or is_coming or self._search.is_busy or self.scoring.is_adding

    def start(self) -> None:
        """On the page without a study, offer to continue where reading stopped the last time, and the worklist."""
        study = self.last_read
        page = self._workspace.player.empty_state
        page.worklist_button.setVisible(not self.panel.is_empty)
        page.offer_last(study.shown_name if study is not None else "")

    @property
    def last_read(self) -> Study | None:
        """The study that was open last, if the library still has it."""
        study_id = self._session.settings["last_study"]
        return next((study for study in self._session.library.studies.all() if study.study_id == study_id), None)

    def _show_menu(self, study: Study, at: QPoint) -> None:
        """Offer what can be done with a study of the list; the keys' study stays the open one."""
        self._workspace.menus.show_context("study" if self._is_open(study) else "other study", at)

    def _study_opened(self) -> None:
        reading = self._session.reading
        if reading is not None and self._session.settings["last_study"] != reading.study.study_id:
            with contextlib.suppress(UserError):  # a library that cannot be written only loses the offer
                self._session.settings.set("last_study", reading.study.study_id)
        self.panel.refresh()
        if self.panel.isAncestorOf(QApplication.focusWidget() or self._workspace.window):
            self._workspace.player.setFocus()  # the study was chosen to be read: keys mean its frames

    @property
    def is_opening(self) -> bool:
        """True from the request to open a study until it is open or has failed."""
        return self._opening is not None

    def open_path(self, path: Path) -> None:
        """Open a video file or a folder of images; a folder of videos puts all of them into the list."""

        def look(reporter: Reporter) -> _Step:
            if not places.is_there(path):
                raise UserError(
                    "There is no file or folder “{path}”.",
                    "Check the name, or open it with {key}.",
                    path,
                    keys.key_of("open_files"),
                )
            place = stores.fetched(path, reporter)
            study = self._session.known_study(place)
            if study is not None:
                return partial(self._open_known, study)
            if (offer := self._workspace.images_at(place)) is not None:
                return partial(offer, partial(self._open_new, place if place.is_dir() else place.parent))
            return self._as_new(place)

        self._cancel_opening()
        self._ask(path, look)

    def _ask(self, path: Path, look: Callable[[Reporter], _Step]) -> None:
        """Begin to open a path: `look` asks the disk, or a share, which may answer late, for the next step."""
        self._opening = path
        self._workspace.player.transport.set_note(tr("opening {name}…", name=path.name))
        self._slow.start()
        self._asking.request(look)

    def _say_waiting(self) -> None:
        """Say that a share does not answer; what is open stays and can be read."""
        name = "" if self._opening is None else self._opening.name
        text = tr("Waiting for the folder of “{name}”. {key} stops waiting.", name=name, key=keys.key_of("clear_span"))
        self._workspace.show_message(text)

    def _give_up_opening(self) -> None:
        """Stop opening a study; what is open stays."""
        if self._asking.is_busy or self._trial.is_busy or self._loading.is_busy:
            self._cancel_opening()
            if self._session.reading is None:
                self._workspace.player.close_study()
            self._session.studies_changed.emit()  # it may be in the library already
            self._workspace.show_message(tr("Stopped opening."))

    def _go_on(self, step: _Step) -> None:
        self._slow.stop()
        self._opening = None
        self._workspace.player.transport.set_note("")
        step()

    def _open_new(self, path: Path) -> None:
        """Open what the library does not have, without the labels that lie beside it."""
        self._cancel_opening()
        self._ask(path, lambda _: self._as_new(path))

    def _as_new(self, path: Path) -> _Step:
        if path.is_dir() and not is_study(path):
            return partial(self._look_for_studies, [path])
        return partial(self._show, path.resolve(), None, is_rendered=is_synthetic(path))

    def open_study(self, study: Study) -> None:
        """Open a study of the library where it was left."""
        self._cancel_opening()
        self._open_known(study)

    def _open_known(self, study: Study) -> None:
        shown = self._session.library.studies.shown_to_reader(study)
        if self._is_open(shown):
            return

        def look(reporter: Reporter) -> _Step:
            if not places.is_there(shown.path):
                raise UserError("“{path}” was not found.", "Locate it: Study, Find a moved video.", shown.path)
            stores.fetched(shown.path, reporter)
            index = self._session.files(shown).load_index(shown.fingerprint)
            return partial(self._show, shown.path, index, shown, is_rendered=is_synthetic(shown.path))

        self._ask(shown.path, look)

    def _show(self, path: Path, index: FrameIndex | None, study: Study | None = None, *, is_rendered: bool) -> None:
        """Open a study; if another one is open, or the library's index is of no use, check first that it can be."""
        if not is_rendered:  # nobody signs the demo
            self._session.settle_reader(study)
        self._opening, self._second = path, study if study is not None and study.second_of else None
        self._is_beside = self._session.reading is not None or (study is not None and index is None)
        if self._is_beside:
            numbering = NUMBERING if study is None else study.frame_numbering
            self._workspace.player.transport.set_note(tr("opening {name}…", name=path.name))
            self._trial.request(lambda reporter: opening.try_opening(path, index, numbering, reporter))
        else:
            self._play(path, index, study.last_frame if study is not None else 0)

    def _play(self, path: Path, index: FrameIndex | None, frame_index: int) -> None:
        self._workspace.player.controller.reader.cache_bytes = self._session.settings["cache_mebibytes"] * 2**20
        self._workspace.player.open_path(path, index, frame_index)

    def _cancel_opening(self) -> None:
        """Cancel opening."""
        self._opening = self._second = None
        self._passed_over = ()
        self._trial.cancel()
        self._asking.cancel()
        self._slow.stop()
        self._loading.cancel()
        self._workspace.player.transport.set_note("")

    def _show_progress(self, progress: Progress) -> None:
        share = progress.fraction
        note = tr("opening…") if share is None else tr("opening {share}…", share=number_text(share, ".0%"))
        self._workspace.player.transport.set_note(note)

    def _is_open(self, study: Study) -> bool:
        reading = self._session.reading
        return reading is not None and reading.study.study_id == study.study_id and reading.study.path == study.path

    def leave(self) -> None:
        """Close the open study and everything that belongs to it."""
        self._workspace.messages.dismiss()
        self._workspace.leaving.emit()
        self._workspace.player.flush_seen()
        self._session.close_study()

    def drop(self, paths: Sequence[Path]) -> None:
        """Open what was dropped into the window; more than one study go into the list together."""
        if len(paths) == 1:
            self.open_path(paths[0])
        elif paths:
            self._look_for_studies(paths)

    def _look_for_studies(self, paths: Sequence[Path]) -> None:
        self._workspace.player.transport.set_note(tr("looking for studies…"))
        self._search.request(lambda reporter: (tuple(paths), opening.studies_in(paths, reporter)))

    def _take_studies(self, searched: tuple[tuple[Path, ...], StudiesBelow]) -> None:
        """Open the first of the studies, and queue all of them where a folder holds them or they are several."""
        paths, result = searched
        self._workspace.player.transport.set_note("")
        passed_over = result.left_out.sentences()
        if not result.paths and not paths[0].is_dir():
            self.open_path(paths[0])  # says why it cannot be read
        elif not result.paths and any((paths[0] / name).is_file() for name in FILES):
            raise UserError(
                "“{folder}” holds labels of studies, but no recordings.",
                "Open the recordings, then import the folder with Study > Import labels… ({key}).",
                paths[0].name,
                keys.key_of("import_labels"),
            )
        elif not result.paths:
            raise UserError(
                Text("“{folder}” contains neither images nor videos.", paths[0].name),
                join_texts(" ", [*passed_over, Text("Choose another folder.")]),
            )
        else:
            self.scoring.add_studies(list(result.paths), passed_over)
            self.open_path(result.paths[0])
            self._passed_over = passed_over

    def _take_shown(self, index: FrameIndex) -> None:
        """Handle the index of the shown study; the library may have it already."""
        if not self._is_beside:
            self._take_index(index)

    def _take_index(self, index: FrameIndex) -> None:
        if self._opening is not None:
            self._loading.request(partial(opening.load, self._session, self._opening, index, self._second))

    def _show_loaded(self, loaded: opening.Loaded) -> None:
        """Show a study that was read."""
        study, index = loaded.study, loaded.index
        self._opening = None
        self._session.studies_changed.emit()
        self._workspace.messages.take_back(self._failure)
        self._failure = ""
        if self._is_beside:
            self.leave()
            self._play(study.path, index, study.last_frame)
        self._session.open_study(study, index, loaded.stored)
        self._show_new_notes(study, loaded.new_notes)
        self._workspace.guard(self.scoring.score_when_opened)(study)
        if study.study_id == self._new_demo:
            self._new_demo = ""
            self.demo_opened.emit()
        if not (loaded.is_checked or self._session.library.read_only):
            self._check.request(partial(opening.check_index, self._session, study, index))

    def _show_new_notes(self, study: Study, new: Sequence[str]) -> None:
        """Show what is odd about the file."""
        new, self._passed_over = [*self._passed_over, *new], ()
        if study.study_id != self._notes_of:
            self._notes_of, self._notes = study.study_id, []
        self._notes += new
        if new or not self._notes:
            self._workspace.show_notes(self._notes)

    def study_notes(self) -> None:
        """Show everything that is odd about the file of the open study."""
        reading = self._session.reading
        notes = reading.index.notes if reading is not None else ()
        text = "\n\n".join(map(tr, notes)) or tr("There is nothing unusual about this file.")
        show_notice(self._workspace.window, tr("Notes on the file"), text)

    def _show_checked(self, checked: tuple[Study, FrameIndex, list[str]]) -> None:
        study, index, new_notes = checked
        reading = self._session.reading
        if reading is not None and reading.study.study_id == study.study_id:
            reading.index = index
            self._show_new_notes(study, new_notes)
        if len(index.missing):
            self._workspace.show_message(missing_frames_text(index.missing.tolist()))

    def _fail(self, error: UserError) -> None:
        """What was opened could not be: the open study stays open."""
        self._cancel_opening()
        if self._session.reading is None:
            self._workspace.player.close_study()
        self._workspace.show_error(error.message, error.hint)
        self._failure = self._workspace.messages.error

    def _fail_shown(self, error: UserError) -> None:
        """What the player shows can no longer be read: it is closed, so that keys label nothing."""
        if self._session.reading is not None:
            self._workspace.guard(self.leave)()
        self._fail(error)

    # Actions

    def open_files(self) -> None:
        """Ask for a video file."""
        chosen = self._workspace.files.ask_file(self._workspace.window, "studies", tr("Open study"), video_filter())
        if chosen is not None:
            self.open_path(chosen)

    def open_folder(self) -> None:
        """Ask for a folder of images, or of videos."""
        title = tr("Open a folder of images or of videos")
        chosen = self._workspace.files.ask_folder(self._workspace.window, "studies", title)
        if chosen is not None:
            self.open_path(chosen)

    def open_from_store(self) -> None:
        """Ask for the address of a study on an object store or a share."""
        label = tr("Address of the video, or of a folder of images, such as s3://bucket/P01.mp4:")
        address = dialogs.ask_text(self._workspace.window, tr("Open a study from a store"), label, tr("Open"))
        if address is not None and address.strip():
            self.open_path(stores.place_of(address.strip()))

    def open_demo(self) -> None:
        """Open the synthetic study with its scores; the first time at its strongest flag, with the reason drawn."""
        study = add_demo_study(self._session)
        self._new_demo = study.study_id if study.seen_frames == 0 and not self._is_open(study) else ""
        self.open_study(study)

    def continue_reading(self) -> None:
        """Open the study read last where reading stopped."""
        study = self.last_read
        if study is None:
            raise NothingToDoError("No study has been read yet.", "Open one with {key}.", keys.key_of("open_files"))
        self.open_study(study)

    def _highlighted(self) -> Study:
        study = self.panel.highlighted
        if study is None:
            raise NothingToDoError(
                "No study is highlighted.", "Choose one in the list of studies ({key}).", keys.key_of("toggle_left")
            )
        return study

    def open_highlighted(self) -> None:
        """Open the study that is highlighted in the list."""
        self.open_study(self._highlighted())

    def rename_study(self) -> None:
        """Ask for another name of the highlighted study; it is shown here and never exported."""
        self._ask_name(self._highlighted())

    def _ask_name(self, study: Study) -> None:
        window = self._workspace.window
        name = dialogs.ask_text(window, tr("Rename the study"), tr("Name"), tr("Rename"), study.name)
        if name is not None and name.strip():
            self.rename(study, name)

    def rename(self, study: Study, name: str) -> None:
        """Give a study another name."""
        self._session.rename_study(study, " ".join(name.split()))

    def _step(self, step: int) -> None:
        study = self.panel.step(step)
        if study is not None:
            self.open_study(study)

    def locate_study(self) -> None:
        """Ask for the new path of a video; its content identifies the study."""
        title = tr("Where is the video now?")
        chosen = self._workspace.files.ask_file(self._workspace.window, "studies", title, video_filter())
        if chosen is not None:
            self.locate(chosen)

    def locate(self, path: Path) -> None:
        """Open the study whose video was moved here."""

        def look(_: Reporter) -> _Step:
            study = self._session.known_study(path)
            if study is None:
                raise UserError(
                    "“{name}” does not match any study in this library.",
                    "Open it with {key} as a new study.",
                    path.name,
                    keys.key_of("open_files"),
                )
            return partial(self._open_known, study)

        self._cancel_opening()
        self._ask(path, look)

    def finish_reading(self) -> None:
        """Mark the reading as finished, after a question where something was not seen, or resume it."""
        reading = self._workspace.reading
        is_finished = reading.study.state != "finished"
        self._session.library.check_writable(Text("the state of the study"))
        if is_finished and not self._may_finish(still_open.still_open(reading)):
            return
        self._session.finish_reading(is_finished)
        message = tr(
            "Reading finished: frames seen count as normal unless labelled ({frames} seen).",
            frames=counted(reading.seen_in().seen, "frame"),
        )
        self._workspace.show_message(message if is_finished else tr("Reading resumed."))

    def _may_finish(self, open_points: still_open.Open) -> bool:
        """Ask where flags or frames were not seen or not answered, or are in no finding."""
        is_seen = not open_points.unseen_flags and not open_points.unseen_frames and not open_points.is_partly_scored
        if is_seen and not open_points.answer_words:
            return True
        self._workspace.player.pause()
        not_seen = () if is_seen else (open_points.flag_words, open_points.frame_words)
        more = "\n".join(filter(None, (*not_seen, *open_points.answer_words)))
        text = tr("Finish reading this study?")
        text = text if is_seen else tr("Finish reading this study? Parts of it were not seen.")
        window, stay = self._workspace.window, tr("Go on reading")
        return dialogs.agrees(window, tr("Finish reading"), text, tr("Finish"), stay, more=more)
