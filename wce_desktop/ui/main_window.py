"""The window: puts the panels together and lets each follow the session."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from psygnal import EmitLoopError
from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QMessageBox

from training.errors import UserError
from wce_desktop.app.next_step import why_no_events
from wce_desktop.app.session import Session
from wce_desktop.core.span import SpanSet
from wce_desktop.ui.banner import Banner
from wce_desktop.ui.controllers.alike_controller import AlikeController
from wce_desktop.ui.controllers.boxing_controller import BoxingController
from wce_desktop.ui.controllers.event_explaining import EventExplaining
from wce_desktop.ui.controllers.explaining_controller import ExplainingController
from wce_desktop.ui.controllers.explanation_export import ExplanationExport
from wce_desktop.ui.controllers.help_controller import HelpController
from wce_desktop.ui.controllers.jobs_controller import JobsController
from wce_desktop.ui.controllers.judging_controller import JudgingController
from wce_desktop.ui.controllers.mapping_controller import MappingController
from wce_desktop.ui.controllers.reading_controller import ReadingController
from wce_desktop.ui.controllers.runs_controller import RunsController
from wce_desktop.ui.controllers.scoring_controller import ScoringController
from wce_desktop.ui.controllers.study_controller import StudyController
from wce_desktop.ui.controllers.teaching_controller import TeachingController
from wce_desktop.ui.controllers.training_controller import TrainingController
from wce_desktop.ui.controllers.view_controller import ViewController
from wce_desktop.ui.explain.event_strip import EventStrip
from wce_desktop.ui.explain.explain_panel import ExplainPanel
from wce_desktop.ui.findings_panel import FindingsPanel
from wce_desktop.ui.flags_panel import FlagsPanel
from wce_desktop.ui.follow_session import FollowSession
from wce_desktop.ui.inference_asker import InferenceAsker
from wce_desktop.ui.job_center import JobCenter
from wce_desktop.ui.jobs_panel import JobsPanel
from wce_desktop.ui.label_bar import LabelBar
from wce_desktop.ui.logging_setup import LOG, meant_for_reader
from wce_desktop.ui.menus import Menus
from wce_desktop.ui.model_panel import ModelPanel
from wce_desktop.ui.player.player_view import PlayerView
from wce_desktop.ui.studies_panel import StudiesPanel
from wce_desktop.ui.theme import BACKGROUND, MUTED
from wce_desktop.ui.thumbnails import Thumbnails
from wce_desktop.ui.timeline import TimelineView
from wce_desktop.ui.window_page import WindowPage, stacked

SEEN_SAVED_EVERY_MILLISECONDS = 2000
MINIMUM_SIZE = (1024, 700)
DISCLAIMER = "research use only – not for diagnosis"


class MainWindow(QMainWindow):
    """The reading room. What it shows comes from the session; what is asked of it goes through the controllers."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.is_flagged_only = False
        self.setWindowTitle("wce_desktop")
        self.setAcceptDrops(True)
        self.setMinimumSize(*MINIMUM_SIZE)
        self.jobs = JobCenter(self)
        self.thumbnails = Thumbnails(self)
        self.asker = InferenceAsker(self, device=lambda: str(session.settings["device"]))
        self._make_panels()
        self.view = ViewController(self)
        self.explaining = ExplainingController(self)
        self.reading = ReadingController(self)
        self.boxing = BoxingController(self)
        self._explained = (self.explaining, self.boxing, EventExplaining(self), ExplanationExport(self))
        self.job_list = JobsController(self)
        self.scoring = ScoringController(self)
        self.training = TrainingController(self)
        self.teaching = TeachingController(self)
        self.runs = RunsController(self)
        self.judging = JudgingController(self)
        self.study = StudyController(self)
        self.alike = AlikeController(self)
        self.mapping = MappingController(self)
        help_controller = HelpController(self)
        self.study.opened.connect(self.guard(self.scoring.score_when_opened))
        taught = (self.job_list, self.scoring, self.training, self.teaching, self.runs, self.judging)
        explored = (*self._explained, self.alike, self.mapping)
        controllers = (self.study, self.reading, *taught, self.view, *explored, help_controller)
        self._arrange()
        self.menus = Menus(self, session, controllers, self.guard)
        self.player.set_tips({name: action.toolTip() for name, action in self.menus.actions.items()})
        self.follow = FollowSession(self)
        self.view.show_overlay()
        self.menus.check({"toggle_left": True, "toggle_right": True})
        self._seen_timer = QTimer(self, interval=SEEN_SAVED_EVERY_MILLISECONDS)
        self._seen_timer.timeout.connect(self.guard(session.save_place))
        self._seen_timer.start()
        self.player.setFocus()

    def _make_panels(self) -> None:
        self.player = PlayerView()
        self.banner = Banner(self.player)
        self.timeline = TimelineView()
        self.label_bar = LabelBar(self.session.vocabulary)
        self.studies = StudiesPanel(self.session)
        self.model = ModelPanel(self.session)
        self.flags = FlagsPanel(self.session, self.thumbnails.get)
        self.findings = FindingsPanel(self.session)
        self.explain = ExplainPanel(self.session)
        self.event_strip = EventStrip(self.player.frame_view.overlay, self.thumbnails.get)
        self.jobs_panel = JobsPanel()
        self.saved = QLabel()
        self.saved.setStyleSheet(f"color: {MUTED}; padding: 0 10px")

    def _arrange(self) -> None:
        left = stacked((self.studies, 1), (self.model, 0))
        center = stacked((self.player, 1), (self.event_strip, 0), (self.label_bar, 0), (self.alike.area, 0))
        tabs = {"FLAGS": self.flags, "FINDINGS": self.findings, "EXPLAIN": self.explain}
        page = WindowPage(left, center, tabs, self.timeline, (self.jobs_panel, self.saved))
        self.left, self.right = page.left, page.right
        self.setCentralWidget(page)
        self._disclaimer = QLabel(DISCLAIMER)  # kept: the menu bar does not own its corner
        self._disclaimer.setStyleSheet(f"color: {MUTED}; background: {BACKGROUND}; padding: 4px 12px")
        self.menuBar().setCornerWidget(self._disclaimer)

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
        spans = None
        if reading is not None and self.is_flagged_only:
            spans = list(SpanSet(event.span for event in reading.events))
        self.player.set_flagged_spans(spans)
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

    # Telling the reader

    def guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot: an error that is meant for the reader is told, a bug goes on to the log."""

        def guarded(*arguments: object) -> None:
            try:
                step(*arguments)
            except (UserError, EmitLoopError) as error:
                told = meant_for_reader(error)
                if told is None:
                    raise
                self.tell_error(told.message, told.hint)

        return guarded

    def tell(self, sentence: str) -> None:
        """Show a remark for some seconds."""
        self.banner.show_remark(sentence)

    def tell_error(self, message: str, hint: str = "") -> None:
        """Show what went wrong and what to do."""
        self.banner.show_error(message, hint)

    def tell_saved(self, title: str) -> None:
        """Say that an edit is on disk."""
        self.saved.setText(f"saved {datetime.now():%H:%M:%S}")  # noqa: DTZ005 - the reader's own clock
        self.saved.setToolTip(title)

    # What Qt asks

    @property
    def _is_frame_coming(self) -> bool:
        reading = self.session.reading
        return reading is not None and self.player.frame_index != reading.frame_index

    @property
    def is_idle(self) -> bool:
        """True when nothing is being opened, drawn or computed any more."""
        is_opening = self.study.is_opening or self._is_frame_coming or self.scoring.is_adding
        return not (
            is_opening
            or any(
                part.is_busy
                for part in (
                    self.jobs,
                    self.runs,
                    self.judging,
                    self.thumbnails,
                    self.asker,
                    self.explaining,
                    self.mapping,
                    self.alike,
                )
            )
        )

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        self.guard(self.study.drop)(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while a job runs; then end threads first, the study next, the library last."""
        if self.jobs.is_busy and not self.job_list.may_close_now():
            event.ignore()
            return
        self._seen_timer.stop()
        self.findings.save_comment()
        self.follow.stop()
        for part in (
            *self._explained,
            self.mapping,
            self.alike,
            self.job_list,
            self.scoring,
            self.training,
            self.teaching,
            self.runs,
            self.judging,
            self.study,
        ):
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
            QMessageBox.warning(self, "Not everything is kept", said)
        finally:
            self.session.library.close()
