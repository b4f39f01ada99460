"""The interface between the window and the features."""

import shutil
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal, Protocol

import numpy as np
from psygnal import EmitLoopError, SignalInstance
from PySide6.QtCore import QObject, QPoint, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget
from shiboken6 import isValid

from training.errors import NothingToDoError, UserError
from training.files.scratch import make_scratch_folder
from training.models.folder import CONFIG
from training.runs.events import Outcome
from wce_desktop.core.annotation.change import Item
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.jobs.spec import JobSpec
from wce_desktop.library import Model
from wce_desktop.library.errors import ConflictError, UnreachableLibraryError
from wce_desktop.session.actions import Action
from wce_desktop.session.keys import key_of
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.session.work import place_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.inference_client import IDLE_SECONDS, KEPT_SECONDS, InferenceClient
from wce_desktop.threads.job import Job
from wce_desktop.threads.job_queue import JobQueue
from wce_desktop.widgets.banner import Banner
from wce_desktop.widgets.dialogs import FileDialogs
from wce_desktop.widgets.frame_pictures import Thumbnails
from wce_desktop.widgets.key_texts import borrow_key
from wce_desktop.widgets.player.player_view import PlayerView
from wce_desktop.widgets.timeline import TimelineView


class Menus(Protocol):
    """The window's actions; see `shell.menus`."""

    def show_research(self, is_shown: bool) -> None:
        """Offer what only the research desk needs, or leave it out."""

    def refresh(self) -> None:
        """Enable what can be done now."""

    def check(self, states: Mapping[str, bool]) -> None:
        """Set the ticks of checkable actions."""

    def of_menu(self, menu: str, further: Collection[str] = ()) -> list[QAction]:
        """The actions of one menu, and further ones by their ids."""

    def of_ids(self, action_ids: Sequence[str]) -> list[QAction]:
        """Actions by their ids."""

    def run(self, action_id: str) -> None:
        """Do what an action of the table does."""

    def show_context(self, context: str, at: QPoint) -> None:
        """Show the menu of what was clicked, of `session.actions.CONTEXTS`, at a place on the screen."""


class Scorer(Protocol):
    """Scores studies; see `features.studies.scoring`."""

    def is_scoring(self, study: Study, model_id: str) -> bool:
        """Whether a job that scores a study with a model waits or runs."""

    def score(self, study: Study) -> None:
        """Score a study with the model in use."""

    def submit_score(self, study: Study, model: Model, title: str = "") -> None:
        """Queue the scoring of a study with any model."""


@dataclass(frozen=True)
class Reopening:
    """Work on the library while no window has it open; afterwards a window opens again.

    Attributes:
        doing: shown meanwhile, such as "Restoring a backup…".
        work: gets the library's folder and a function to call with what is done and the total; returns the folder to
            open, and a remark to show there.
    """

    doing: str
    work: Callable[[Path, Callable[[int, int], None]], tuple[Path, str]]


def error_for_reader(error: BaseException | None) -> UserError | None:
    """The sentence behind an error: itself, or what a listener of a signal raised; None for a bug."""
    while error is not None and not isinstance(error, UserError):
        error = error.__cause__
    return error


def guard(step: Callable[..., object], show: Callable[[UserError], object]) -> Callable[..., None]:
    """`step` as a slot: an error that is meant for the reader is given to `show`, a bug goes on to the log.

    A step of a QObject that was deleted does nothing, as if its connection had ended.
    """
    method: object = step
    while isinstance(method, partial):  # some arguments are given already
        method = method.func
    owner = getattr(method, "__self__", None)

    def guarded(*arguments: object) -> None:
        if isinstance(owner, QObject) and not isValid(owner):
            return
        try:
            step(*arguments)
        except (UserError, EmitLoopError) as error:
            shown = error_for_reader(error)
            if shown is None:
                raise
            show(shown)

    return guarded


class Workspace(QObject):
    """What a feature needs of the window: the open study, the player, background work and messages."""

    escaped = Signal()
    """Escape was pressed: stop computing for the frame."""
    unreachable = Signal()
    """The disk or the server of the library is gone."""
    conflicted = Signal()
    """Another reader changed what an edit would have changed."""
    leaving = Signal()
    """The open study is about to be closed."""

    def __init__(self, window: QMainWindow, session: Session, messages: Banner) -> None:
        super().__init__(window)
        self.window = window
        """The parent of dialogs."""
        self.session = session
        self.is_ending = False
        """Whether the system ends the program: nothing may be asked any more."""
        self.messages, self._while_away = messages, ""
        self.files = FileDialogs(session.settings)
        self.player = PlayerView()
        self.timeline = TimelineView()
        self.thumbnails = Thumbnails(window)
        self.jobs = JobQueue(
            window, check=session.library.check_writable, place=lambda spec: place_of(session.settings, spec)
        )
        self.inference = InferenceClient(
            window,
            device=lambda: str(session.settings["device"]),
            idle_seconds=lambda: KEPT_SECONDS if session.settings["keep_model_ready"] else IDLE_SECONDS,
        )
        self.menus: Menus
        self.open_study: Callable[[Study], None]
        """Opens a study of the library where it was left; raises `UserError` where its video is gone."""
        self.open_files: Callable[[Sequence[Path]], None]
        """Opens what was dropped into the window."""
        self.edit_records: Callable[[Sequence[str]], None]
        """Shows the patient records of studies, by their ids."""
        self.remove_studies: Callable[[Sequence[str], QWidget], None]
        """Removes studies; erases those that were removed before after a question in this window."""
        self.images_at: Callable[[Path], Callable[[Callable[[], object]], object] | None]
        """In any thread: what offers to import a folder of labelled images, or to open it without the labels, which
        its argument does; None where the path is something else."""
        self.reopen: Callable[[Reopening], None]
        """Closes the window (asking while a job runs), does work on the library, and opens a window again."""
        self.show_panel: Callable[[str], str]
        """Brings a panel of the right side to the front by its title; returns the title of the one before."""
        self.leave_reading_mode: Callable[[], None]
        """Shows the side panels and bars again where they were hidden by the reading mode."""

    @property
    def reading(self) -> Reading:
        """The open study; `UserError` where none is."""
        reading = self.session.reading
        if reading is None:
            raise NothingToDoError("No study is open.", "Open one with {key}.", key_of("open_files"))
        return reading

    def add_model(self, parent: QWidget, added: Callable[[Model], object]) -> None:
        """Ask for a model folder, or one with an ONNX file, and copy it into the library; `added` gets the model."""
        chosen = self.files.ask_folder(parent, "models", tr("Add a model folder"))
        classifiers = sorted(chosen.glob("*.onnx")) if chosen is not None else []
        if chosen is None:
            return
        if not classifiers or (chosen / CONFIG).exists():
            self._register(chosen, added)
            return
        scratch = make_scratch_folder("model")

        def ended(job: Job) -> None:
            try:
                if job.outcome is not None and job.outcome.kind == "done":
                    self._register(scratch / "model", added)
            finally:
                shutil.rmtree(scratch, ignore_errors=True)

        config = {"path": str(classifiers[0]), "out": str(scratch / "model")}
        title = tr("importing {name}", name=classifiers[0].name)
        self.jobs.submit(JobSpec(title, "import-classifier", config, "light")).ended.connect(self.guard(ended))

    def _register(self, folder: Path, added: Callable[[Model], object]) -> None:
        model = self.session.library.models.register(folder, classes=self.session.vocabulary.names)
        added(model)
        if model.renamed_text:
            self.show_message(model.renamed_text)

    def guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`guard` with the messages of the main window; that there is nothing to do is a remark and no error."""
        return guard(step, self._show_caught)

    def _show_caught(self, error: UserError) -> None:
        if isinstance(error, NothingToDoError):
            self.show_message(str(error))
            return
        self.show_error(error.message, error.hint)
        if isinstance(error, UnreachableLibraryError):
            self._wait_for_library()
        if isinstance(error, ConflictError):
            self.conflicted.emit()

    def share_undo(
        self, owner: QObject, say: Callable[[str], None], kinds: tuple[type[Item], ...] = ()
    ) -> list[QAction]:
        """Undo and redo with their keys, for a window of its own.

        Args:
            owner: keeps the actions.
            say: shows in that window what was undone, and where, or why nothing was.
            kinds: what the window edits: an edit of anything else is not undone there. Empty: every edit is.
        """

        def made(action_id: str, step: Callable[[tuple[type[Item], ...]], None]) -> QAction:
            action = QAction(action_id.capitalize(), owner)
            borrow_key(action, action_id)
            action.triggered.connect(lambda: self._say_what(partial(step, kinds), say))
            return action

        return [made("undo", self.session.edits.undo), made("redo", self.session.edits.redo)]

    def _say_what(self, step: Callable[[], None], say: Callable[[str], None]) -> None:
        """Take a step, and show in a window what the session remarks, or what went wrong."""
        self.session.remarked.connect(say)
        try:
            step()
        except (UserError, EmitLoopError) as error:
            shown = error_for_reader(error)
            if shown is None:
                raise
            say(tr(shown))
        finally:
            self.session.remarked.disconnect(say)

    def show_message(self, sentence: str, *, can_undo: bool = False) -> None:
        """Show a remark for some seconds, with a button that undoes the last edit as long as that is the last one."""
        edit_id = self.session.edits.undo_id if can_undo else None
        self.messages.show_remark(tr(sentence), None if edit_id is None else partial(self._undo_if_last, edit_id))

    def _undo_if_last(self, edit_id: int) -> None:
        """Undo an edit, unless there was another one since."""
        if self.session.edits.undo_id == edit_id:
            self.menus.run("undo")

    def show_notes(self, notes: Sequence[str]) -> None:
        """Show what is odd about the open study's file until it is closed; an empty list takes back what is shown."""
        self.messages.show_notes(" ".join(map(tr, notes)))

    def show_error(self, message: str, hint: str = "") -> None:
        """Show what went wrong and what to do; while the library's server is away, until it is back."""
        self.messages.show_error(tr(message), tr(hint))
        if self.session.library.is_offline:
            self._wait_for_library()

    def _wait_for_library(self) -> None:
        self._while_away = self.messages.error
        self.unreachable.emit()

    def show_reachable(self) -> None:
        """Take back what was shown because the library could not be reached."""
        self.messages.take_back(self._while_away)
        text = tr("The library can be reached again. Repeat what could not be saved.")
        self.show_message(text if self.session.library.journal is None else tr("The library can be reached again."))

    def show_failure(self, outcome: Outcome) -> None:
        """Show why work in another thread failed."""
        self.show_error(outcome.message, outcome.hint)

    def close(self) -> None:
        """Stop background work, after the features are closed."""
        self.inference.close()
        self.jobs.shut_down()
        self.thumbnails.close()
        self.player.shutdown()

    def go_to_frame(self, frame_index: int) -> None:
        """Show a frame of the open study, the nearest one for a number beyond its ends; playing pauses."""
        self.player.pause()
        self.player.show_frame(int(np.clip(frame_index, 0, self.reading.frame_count - 1)))


@dataclass(frozen=True)
class Panel:
    """A widget of a feature in the main window.

    Attributes:
        widget: the panel.
        place: the left column, the column at the right of the frame, the rows below it, the tabs at the right, or the
            line at the foot.
        title: of a tab.
        order: from left to right, and from top to bottom, among the panels of one place.
        stretch: its share of the room that is left.
        is_for_research: whether only the research desk shows it.
    """

    widget: QWidget
    place: Literal["left", "beside frame", "below frame", "right", "foot"]
    title: str = ""
    order: int = 0
    stretch: int = 0
    is_for_research: bool = False


class Connections:
    """Slots that are connected with signals of the session, and disconnected together."""

    def __init__(self, *pairs: tuple[SignalInstance, Callable[..., object]]) -> None:
        self._pairs = pairs
        for signal, slot in pairs:
            signal.connect(slot)

    def close(self) -> None:
        """Disconnect what is still connected."""
        for signal, slot in self._pairs:
            signal.disconnect(slot, missing_ok=True)


class Part(QObject):
    """A part of a feature, with what it needs of the window; timers, threads and parts in it are its children."""

    def __init__(self, workspace: Workspace, owner: QObject | None = None) -> None:
        super().__init__(owner or workspace)
        self._workspace, self._session = workspace, workspace.session
        self._connections = Connections()
        self._dialog: QWidget | None = None
        """A window of this part, made when first needed and closed with it."""

    @property
    def is_busy(self) -> bool:
        """True while something is opened, drawn or computed that a picture of the window should wait for."""
        return any(child.is_busy for child in self.children() if isinstance(child, FunctionThread | Part))

    def close(self) -> None:
        """Disconnect from the session, stop background work, and close the window."""
        self._connections.close()
        if self._dialog is not None:
            self._dialog.close()
        for child in self.children():
            if isinstance(child, QTimer):
                child.stop()
            elif isinstance(child, FunctionThread | Part):
                child.close()


class Feature(Part):
    """A part of the application; the main window loops over its features and does not depend on any of them."""

    panels: Sequence[Panel] = ()
    rows: Sequence[Action] = ()
    """Additional actions, besides those of `session.actions`."""
    own_actions: Sequence[str] = ()
    """Ids of the actions that are methods of the same names."""

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """What each action that is this feature's does, by action id."""
        return methods(self, self.own_actions)

    def may_close(self) -> bool:
        """Whether the window may be closed; asks the reader if needed."""
        return True

    def start(self) -> None:
        """Begin, once panels and menus are there."""


def methods(owner: object, names: Sequence[str]) -> dict[str, Callable[[], object]]:
    """Handlers of actions with the same names as these methods."""
    return {name: getattr(owner, name) for name in names}
