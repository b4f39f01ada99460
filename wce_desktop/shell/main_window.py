"""The window: puts the panels together and lets each follow the session."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import QMessageBox

from training.errors import UserError
from wce_desktop.features.embedding_map.feature import MappingController
from wce_desktop.features.exchange.feature import ExchangeController
from wce_desktop.features.explain.boxing import BoxingController
from wce_desktop.features.explain.event_explaining import EventExplaining
from wce_desktop.features.explain.export import ExplanationExport
from wce_desktop.features.explain.feature import ExplainingController
from wce_desktop.features.job_list.feature import JobsController
from wce_desktop.features.learning.cross_validating import JudgingController
from wce_desktop.features.learning.feature import TeachingController
from wce_desktop.features.learning.finetuning import TrainingController
from wce_desktop.features.models.feature import RunsController
from wce_desktop.features.neighbours.feature import AlikeController
from wce_desktop.features.reading.feature import ReadingController
from wce_desktop.features.studies.feature import StudyController
from wce_desktop.features.studies.scoring import ScoringController
from wce_desktop.session.next_step import why_no_events
from wce_desktop.session.session import Session
from wce_desktop.shell.daily_backup import DailyBackup
from wce_desktop.shell.focus_keys import FocusKeys
from wce_desktop.shell.follow_session import FollowSession
from wce_desktop.shell.help import HelpController
from wce_desktop.shell.logging_setup import LOG
from wce_desktop.shell.menus import Menus
from wce_desktop.shell.reading_room import ReadingRoom
from wce_desktop.shell.view import ViewController
from wce_desktop.widgets.plain_text import plain

SEEN_SAVED_EVERY_MILLISECONDS = 2000


class MainWindow(ReadingRoom):
    """The reading room. What it shows comes from the session; what is asked of it goes through the controllers."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.is_flagged_only = False
        self.view = ViewController(self)
        self.explaining = ExplainingController(self)
        self.reading = ReadingController(self)
        self.boxing = BoxingController(self)
        explained = (self.explaining, self.boxing, EventExplaining(self), ExplanationExport(self))
        self.job_list = JobsController(self)
        self.scoring = ScoringController(self)
        self.training = TrainingController(self)
        self.teaching = TeachingController(self)
        self.runs = RunsController(self)
        self.judging = JudgingController(self)
        self.study = StudyController(self)
        self.exchange = ExchangeController(self)
        self.alike = AlikeController(self)
        self.mapping = MappingController(self)
        help_controller = HelpController(self)
        self.study.opened.connect(self.guard(self.scoring.score_when_opened))
        self._taught = (self.job_list, self.scoring, self.training, self.teaching, self.runs, self.judging)
        self._explored = (*explained, self.mapping, self.alike)
        controllers = (
            self.study,
            self.exchange,
            self.reading,
            *self._taught,
            self.view,
            *self._explored,
            help_controller,
        )
        self._arrange(self.alike.area)
        self.menus = Menus(self, session, controllers, self.guard)
        self.player.set_tips({name: action.toolTip() for name, action in self.menus.actions.items()})
        self.follow = FollowSession(self)
        self._focus_keys = FocusKeys(self, self.player)
        self.view.show_overlay()
        self.menus.check({"toggle_left": True, "toggle_right": True})
        self._seen_timer = QTimer(self, interval=SEEN_SAVED_EVERY_MILLISECONDS)
        self._seen_timer.timeout.connect(self.guard(session.save_place))
        self._seen_timer.start()
        self.daily_backup = DailyBackup(session.library, self)
        self.daily_backup.failed.connect(self.tell_error)
        self.player.setFocus()

    # What panels show together

    def show_labels_here(self) -> None:
        """Show the labels of the frame on screen on the frame and on the buttons below it."""
        reading = self.session.reading
        names = {label.name for label in reading.labels_here()} if reading else set()
        self.label_bar.show_labels(names, reading is not None)
        self.player.refresh_notes()

    def show_explanation(self) -> None:
        """Let the overlay show the explained class."""
        self.explaining.show(self.view.explained)

    def update_flagged_spans(self) -> None:
        """Let playing skip what is not flagged, or play everything."""
        reading = self.session.reading
        is_limited = reading is not None and self.is_flagged_only
        self.player.set_flagged_spans(reading.events.frames() if reading is not None and is_limited else None)
        self.menus.check({"play_flagged": self.is_flagged_only})

    def take_next_step(self) -> None:
        """Do what an empty list of flags offers."""
        _, title = why_no_events(self.session)
        steps = {
            "Open study…": self.study.open_files,
            "Add a model folder…": self.training.add_model,
            "Score this study": self.scoring.score_study,
            "Lower the threshold": self.reading.lower_threshold,
        }
        if title in steps:
            steps[title]()

    # What Qt asks

    @property
    def _is_frame_coming(self) -> bool:
        reading = self.session.reading
        return reading is not None and self.player.frame_index != reading.frame_index

    @property
    def is_idle(self) -> bool:
        """True when nothing is being opened, drawn or computed any more."""
        is_opening = self.study.is_opening or self._is_frame_coming or self.scoring.is_adding or self.exchange.is_busy
        at_work = (self.jobs, self.runs, self.judging, self.thumbnails, self.asker)
        exploring = (self.explaining, self.mapping, self.alike)
        return not (is_opening or any(part.is_busy for part in (*at_work, *exploring)))

    def showEvent(self, event: QShowEvent) -> None:
        """Begin without the side panels where there is no room for them."""
        super().showEvent(event)
        if not event.spontaneous():  # not each time the window comes back from the task bar
            self.view.fold_where_narrow()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        self._take_as_copy(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Take files, wherever over the window they are."""
        self._take_as_copy(event)

    def _take_as_copy(self, event: QDropEvent) -> None:
        """Never a move, whatever is proposed: a file manager deletes what it was told that we moved."""
        if event.mimeData().hasUrls():
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self._take_as_copy(event)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        self.guard(self.study.drop)(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while a job runs; then end threads first, the study next, the library last."""
        if self.jobs.is_busy and not self.job_list.may_close_now():
            event.ignore()
            return
        self._seen_timer.stop()
        self.daily_backup.close()
        self.findings.save_comment()
        self.follow.stop()
        self._focus_keys.stop()
        for part in (*self._explored, *self._taught, self.exchange, self.study):
            part.close()
        self.asker.close()
        self.jobs.shut_down()
        self.thumbnails.close()
        self.player.shutdown()
        self._leave_library()
        event.accept()

    def _leave_library(self) -> None:
        """Let the library go, also where the disk has no room for what was seen last."""
        try:
            self.session.close_study()
        except UserError as error:
            LOG.warning("closing: %s", error)
            said = f"{error}\n\nLabels are saved; what was seen last is not."
            QMessageBox.warning(self, "Not everything is kept", plain(said))
        finally:
            self.session.release_files()
            self.session.library.close()
