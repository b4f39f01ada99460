"""The reading room: its panels, where they stand, and how it tells the reader something."""

from collections.abc import Callable
from datetime import datetime

from psygnal import EmitLoopError
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget

from training.errors import UserError
from wce_desktop.core.clock import counted
from wce_desktop.features.explain.view.event_strip import EventStrip
from wce_desktop.features.explain.view.explain_panel import ExplainPanel
from wce_desktop.features.job_list.jobs_panel import JobsPanel
from wce_desktop.features.learning.view.model_panel import ModelPanel
from wce_desktop.features.reading.view.findings_panel import FindingsPanel
from wce_desktop.features.reading.view.flags_panel import FlagsPanel
from wce_desktop.features.reading.view.label_bar import LabelBar
from wce_desktop.features.studies.studies_panel import StudiesPanel
from wce_desktop.session.session import Session
from wce_desktop.shell.banner import Banner
from wce_desktop.shell.logging_setup import LOG, meant_for_reader
from wce_desktop.shell.messages_dialog import MessagesDialog
from wce_desktop.shell.window_page import WindowPage
from wce_desktop.threads.inference_asker import InferenceAsker
from wce_desktop.threads.job_center import JobCenter
from wce_desktop.widgets.basic import stacked
from wce_desktop.widgets.job_widgets import make_button
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.player.player_view import PlayerView
from wce_desktop.widgets.player.thumbnails import Thumbnails
from wce_desktop.widgets.theme import BACKGROUND, MUTED, WARNING
from wce_desktop.widgets.timeline import TimelineView

MINIMUM_SIZE = (640, 400)
"""Nothing is cut off down to 948 x 500, what a screen of 1920 x 1080 pixels at a scale of 2 has room for; below that
the side panels begin folded."""
DISCLAIMER = "research use only – not for diagnosis"


class ReadingRoom(QMainWindow):
    """The panels around the frame. They show what the session holds; what they ask for goes to controllers."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.show_title()
        self.setAcceptDrops(True)
        self.setMinimumSize(*MINIMUM_SIZE)
        self.jobs = JobCenter(self, check=session.library.check_writable)
        self.thumbnails = Thumbnails(self)
        self.asker = InferenceAsker(self, device=lambda: str(session.settings["device"]))
        self._make_panels()

    def _make_panels(self) -> None:
        self.player = PlayerView()
        self.banner = Banner()
        self._unread = make_button("", "Show what went wrong (Ctrl+Shift+J)")
        self._unread.setStyleSheet(f"color: {WARNING}")
        self._unread.setFlat(True)
        self._unread.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.messages = MessagesDialog(self._unread, self)
        self.banner.said.connect(self.messages.add)
        self.banner.list_requested.connect(self.messages.open)
        self._unread.clicked.connect(self.messages.open)
        self.timeline = TimelineView()
        self.label_bar = LabelBar(self.session.vocabulary)
        self.studies = StudiesPanel(self.session)
        self.model = ModelPanel(self.session)
        self.flags = FlagsPanel(self.session, self.thumbnails.get)
        self.findings = FindingsPanel(self.session)
        self.explain = ExplainPanel(self.session)
        self.event_strip = EventStrip(self.player.frame_view.overlay, self.thumbnails.get)
        self.jobs_panel = JobsPanel()
        self.saved = PlainLabel()
        self.saved.setStyleSheet(f"color: {MUTED}; padding: 0 10px")

    def _arrange(self, strip: QWidget) -> None:
        """Put the panels into the window; `strip` lies below the label buttons."""
        left = stacked((self.studies, 1), (self.model, 0))
        center = stacked((self.player, 1), (self.event_strip, 0), (self.label_bar, 0), (strip, 0))
        tabs = {"FLAGS": self.flags, "FINDINGS": self.findings, "EXPLAIN": self.explain}
        foot = ((self.banner, 3), (self.jobs_panel, 2), (self._unread, 0), (self.saved, 0))
        page = WindowPage(left, center, tabs, self.timeline, foot)
        self.left, self.right = page.left, page.right
        self.setCentralWidget(stacked((self._make_read_only_line(), 0), (page, 1)))
        self._disclaimer = PlainLabel(DISCLAIMER)  # kept: the menu bar does not own its corner
        self._disclaimer.setStyleSheet(f"color: {MUTED}; background: {BACKGROUND}; padding: 4px 12px")
        self.menuBar().setCornerWidget(self._disclaimer)

    def _make_read_only_line(self) -> QLabel:
        """Says for as long as the window is open that nothing can be saved, and why; hidden where everything can."""
        why = self.session.library.read_only
        line = PlainLabel(f"Read only: {why}. Labels, findings and scores cannot be saved.")
        line.setWordWrap(True)
        line.setStyleSheet(f"color: {WARNING}; padding: 4px 12px")
        line.setVisible(bool(why))
        self.read_only_line = line
        return line

    def show_title(self, study: str = "") -> None:
        """Name the open study in the title, and that nothing can be saved."""
        state = "read only" if self.session.library.read_only else ""
        self.setWindowTitle(" – ".join(filter(None, (study, "wce_desktop", state))))

    # Telling the reader

    def tell_problems(self, study_id: str = "") -> None:
        """Say which rows of the library, or of a study, break its rules and are therefore not shown."""
        problems = self.session.library.problems(study_id)
        if not problems:
            return
        for problem in problems:
            LOG.warning("set aside: %s", problem)
        more = f" (and {len(problems) - 1} more, see the log)" if len(problems) > 1 else ""
        self.tell_error(
            f"The library holds {counted(len(problems), 'row')} that cannot be shown: {problems[0]}{more}.",
            "They stay in the library. Restore a backup if they should be sound.",
        )

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
        self.saved.setToolTip(plain(title))
