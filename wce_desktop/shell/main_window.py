"""The window: arranges the panels of the features, gives them menus, and closes them."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDropEvent
from PySide6.QtWidgets import QLabel, QMainWindow, QWidget

from training.errors import UserError
from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.core.memory import give_memory_back
from wce_desktop.library.storage.database import network_kind
from wce_desktop.library.storage.failures import is_reachable
from wce_desktop.session import keys
from wce_desktop.session.actions import ACTIONS, asks_files
from wce_desktop.session.model_notes import score_note
from wce_desktop.session.session import Session
from wce_desktop.shell.daily_backup import DailyBackup
from wce_desktop.shell.features import Features
from wce_desktop.shell.focus_keys import FocusKeys
from wce_desktop.shell.help import Help
from wce_desktop.shell.idle_lock import IdleLock
from wce_desktop.shell.logging_setup import FORMATTER, LOG
from wce_desktop.shell.menus import Menus
from wce_desktop.shell.window_page import MenuCorner, SidePanels, WindowPage
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.share_watch import ShareWatch
from wce_desktop.widgets import basic, window_size
from wce_desktop.widgets.banner import Banner, MessagesDialog
from wce_desktop.widgets.key_texts import give_keys, native_key
from wce_desktop.widgets.plain_text import PlainLabel, plain, show_notice
from wce_desktop.widgets.theme import COLORS, styled_at_end
from wce_desktop.workspace import Connections, Feature, Reopening, Workspace

SEEN_SAVED_EVERY_MILLISECONDS = 2000
RECONNECT_MILLISECONDS = 3000
"""So often a library whose disk is gone is looked for."""
TRIMMED_AFTER_MILLISECONDS = 3000
"""After a study was opened: its first events are grouped by then."""
MINIMUM_SIZE = (640, 400)
"""Everything fits down to 948 x 500, what a screen of 1920 x 1080 pixels at a scale of 2 has room for; below that the
side panels begin folded, and what has no room scrolls."""
DISCLAIMER = to_translate("research use only – not for diagnosis")


class MainWindow(QMainWindow):
    """The main window; features access it through `Workspace`."""

    @styled_at_end()
    def __init__(self, session: Session, further: Sequence[Callable[[Workspace], Feature]] = ()) -> None:
        """`further` make features beside those of the application."""
        super().__init__()
        basic.answer_screen_readers()
        self.session = session
        keys.use(keys.with_chosen(ACTIONS, keys.checked(session.settings.keys)), native_key)  # texts name them
        self.reopening: Reopening | None = None
        """What is to be done after this window was closed, before another one opens."""
        self._show_title()
        self.setAcceptDrops(True)
        self.setMinimumSize(*MINIMUM_SIZE)
        self.banner = Banner()
        self.messages = self._make_messages()
        self.workspace = Workspace(self, session, self.banner)
        self._hide_names()
        self.guard, self.show_message = self.workspace.guard, self.workspace.show_message
        self.show_error = self.workspace.show_error
        self.player, self.jobs = self.workspace.player, self.workspace.jobs
        self.features = Features(self.workspace)
        self._features = (*self.features, *(make(self.workspace) for make in further))
        self._side_panels = self._arrange()
        self.share = self._watch_share()
        self.menus = self._make_menus()
        for feature in self._features:
            feature.start()
        self._trimming = QTimer(self, interval=TRIMMED_AFTER_MILLISECONDS, singleShot=True)
        self._trimming.timeout.connect(give_memory_back)
        self._follow_session()
        timeline = self.workspace.timeline
        lanes = (timeline.detail, timeline.overview)
        give_keys(self.player, *lanes)
        places = (self.player.frame_view, *lanes)
        self._focus_keys = FocusKeys(self, self.player, places)
        self._seen_timer = QTimer(self, interval=SEEN_SAVED_EVERY_MILLISECONDS)
        self._seen_timer.timeout.connect(self.guard(session.save_place))
        self._seen_timer.start()
        self._reconnect_timer = QTimer(self, interval=RECONNECT_MILLISECONDS)
        self._reconnect_timer.timeout.connect(self._try_again)
        self._looking = FunctionThread(self, returned=self.guard(self._save_waiting))
        self.workspace.unreachable.connect(self._reconnect_timer.start)
        self.daily_backup = DailyBackup(session.library, self)
        self.daily_backup.failed.connect(self.show_error)
        self.daily_backup.checked.connect(self.features.safekeeping.copy_if_due)
        self.idle_lock = IdleLock(session, self._is_at_work, self.features.safekeeping.lock_library, self)
        self.player.setFocus()

    # Its parts

    def _make_messages(self) -> MessagesDialog:
        self._unread = basic.make_button("", tr("List all messages since the start ({show_messages})"))
        self._unread.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        messages = MessagesDialog(self._unread, self)
        self.banner.message_shown.connect(messages.add)
        self.banner.list_requested.connect(messages.open)
        self._unread.clicked.connect(messages.open)
        return messages

    def _arrange(self) -> SidePanels:
        """Put the panels of the features into the window."""
        panels = sorted(
            (panel for feature in self._features for panel in feature.panels), key=lambda panel: panel.order
        )

        def of(place: str) -> list[tuple[QWidget, int]]:
            return [(panel.widget, panel.stretch) for panel in panels if panel.place == place]

        self.saved = PlainLabel()
        self.saved.setStyleSheet(f"color: {COLORS.muted}; padding: 0 10px")
        for widget, _ in of("beside frame"):
            self.player.put_beside_frame(widget)
        tabs = {panel.title: panel.widget for panel in panels if panel.place == "right"}
        foot = ((self.banner, 6), *of("foot"), (self._unread, 0), (self.saved, 0))
        page = WindowPage(
            basic.stacked(*of("left")),
            self.player,
            of("below frame"),
            tabs,
            self.workspace.timeline,
            foot,
            tr(DISCLAIMER),
            [widget for widget, _ in of("foot")],
        )
        self.left, self.right = page.left, page.right
        self.setCentralWidget(window_size.make_scrolling(basic.stacked((self._make_read_only_line(), 0), (page, 1))))
        self._corner = MenuCorner(self.menuBar(), tr(DISCLAIMER))  # kept: the menu bar does not own it
        self._note_places = page.disclaimer, self._corner
        for_research = [panel.widget for panel in panels if panel.is_for_research]
        for_research.append(self.features.reading.flags.for_research)
        return SidePanels(self, page, self.player, self.session.settings, self._corner, for_research)

    def _make_read_only_line(self) -> QLabel:
        """A line that says why nothing can be saved; hidden if the library can be written."""
        why = self.session.library.read_only
        line = PlainLabel(tr("Read only: {why}. Labels, findings and scores cannot be saved.", why=why))
        line.setWordWrap(True)
        line.setStyleSheet(f"color: {COLORS.warning}; padding: 4px 12px")
        line.setVisible(bool(why))
        self.read_only_line = line
        return line

    def _make_menus(self) -> Menus:
        self.help = Help(self, self.session, self.messages, self.workspace)
        shell = (self._side_panels, self.help)
        handlers: dict[str, Callable[[], object]] = {"quit": self.close}
        for part in (*self._features, *shell):
            handlers |= part.actions
        rows = (*ACTIONS, *(row for feature in self._features for row in feature.rows))
        handlers |= {row.action_id: self._once_there(handlers[row.action_id]) for row in rows if asks_files(row)}
        menus = Menus(self, self.session, handlers, self.guard, rows)
        for one in (self.workspace, *shell):
            one.menus = menus
        self._side_panels.start(menus.actions)
        self.player.transport.requested.connect(menus.run)
        self.workspace.reopen = self._reopen
        self.workspace.show_panel = self._side_panels.show_tab
        self.workspace.leave_reading_mode = self._side_panels.leave_reading_mode
        menus.keys_changed = lambda: self.player.set_tips(menus.tips)
        menus.keys_changed()
        return menus

    def _once_there(self, step: Callable[[], object]) -> Callable[[], None]:
        """The step, taken once the share with the library's files answers."""
        return lambda: self.share.take(self.guard(step))

    def _watch_share(self) -> ShareWatch:
        share = ShareWatch(self)
        text = tr("Waiting for the folder of the library. {key} stops waiting.", key=keys.key_of("clear_span"))
        share.waiting.connect(lambda: self.show_message(text))
        self.workspace.escaped.connect(share.give_up)
        if network_kind(self.session.library.folder):
            share.watch(self.session.library.folder)
        return share

    # Slots of the session

    def _follow_session(self) -> None:
        session, menus = self.session, self.menus
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.study_closed, self.guard(self._study_closed)),
            (session.events_changed, menus.refresh_but_history),
            (session.events_changed, self._trim_soon),
            (session.annotations_changed, menus.refresh),
            (session.model_changed, menus.refresh),
            (session.model_changed, self._show_note),
            (session.studies_changed, self._show_title),
            (session.scores_changed, self._show_note),
            (session.live_changed, self._show_note),
            (session.scores_changed, self._show_refused_scores),
            (session.vocabulary_changed, menus.show_classes),
            (session.studies_changed, menus.refresh),
            (session.studies_changed, self._hide_names),
            (session.saved, self.show_saved),
            (session.remarked, self.show_message),
        )

    def _hide_names(self) -> None:
        """Keep the names of the library's studies out of the log."""
        FORMATTER.know(self.session.library.studies.all())

    def _trim_soon(self) -> None:
        self._trimming.start()

    def _study_opened(self) -> None:
        assert self.session.reading is not None
        self._trim_soon()
        study = self.session.reading.study
        self._show_title()
        self._show_note()
        self.menus.refresh()
        self.show_problems(study.study_id)
        self._show_refused_scores()

    def _show_refused_scores(self) -> None:
        reading = self.session.reading
        if reading is not None and (refused := reading.flags.refusal) is not None:
            self.show_error(refused.message, refused.hint)

    def _study_closed(self) -> None:
        self._show_title()
        self._show_note()
        self.menus.refresh()

    def _show_title(self) -> None:
        """Name the program, the patient and the date of the examination, and say that nothing can be saved."""
        parts = ["wce_desktop"]
        if (reading := self.session.reading) is not None:
            record = self.session.library.studies.record(reading.study.study_id)
            parts += [record.pseudonym or reading.study.name, record.exam_date]
        parts.append(tr("read only") if self.session.library.read_only else "")
        self.setWindowTitle(" – ".join(filter(None, parts)))

    def _show_note(self) -> None:
        """Say what must be known of the scores: what the model was trained on, or that the flags are live."""
        for place in self._note_places:
            place.show_note(score_note(self.session))

    def show_problems(self, study_id: str = "") -> None:
        """Say which rows of the library, or of a study, break its rules and are therefore not shown.

        And which signed reports of an encrypted library could not be encrypted.
        """
        if (left := self.session.library.readable) and not study_id:
            text = tr_count(
                "{count} file could not be encrypted and stayed readable: {name}.",
                "{count} files could not be encrypted and stayed readable, among them {name}.",
                len(left),
                name=left[0].relative_to(self.session.library.folder),
            )
            self.show_error(text, tr("Free some disk space or check the folder's permissions, then start again."))
        problems = self.session.library.problems(study_id)
        if not problems:
            return
        for problem in problems:
            LOG.warning("set aside: %s", problem)
        text = tr_count(
            "The library holds {count} row that cannot be shown: {problem}.",
            "The library holds {count} rows that cannot be shown: {problem} (and {more} more, see the log).",
            len(problems),
            problem=problems[0],
            more=len(problems) - 1,
        )
        self.show_error(text, tr("They stay in the library. Restore a backup to recover them."))

    def show_saved(self, title: str) -> None:
        """Say that an edit is on disk, or that it waits for the server."""
        journal = self.session.library.journal
        if journal is not None and (unsent := len(journal.unsent)):
            text = tr_count("{count} edit not yet on the server", "{count} edits not yet on the server", unsent)
        else:
            text = tr("saved {time}", time=f"{datetime.now():%H:%M:%S}")  # noqa: DTZ005 - the reader's own clock
        self.saved.setText(text)
        self.saved.setToolTip(plain(tr(title)))

    # What Qt asks

    @property
    def is_idle(self) -> bool:
        """True when nothing is being opened, drawn or computed any more."""
        parts = (*self._features, self.workspace.thumbnails, self.workspace.inference)
        return not any(part.is_busy for part in parts)

    def _is_at_work(self) -> bool:
        return self.player.is_playing or self.features.patients.has_unsaved or not self.is_idle

    def dragEnterEvent(self, event: QDropEvent) -> None:
        """Take files, never to move them, whatever is proposed: a file manager would delete the moved file."""
        if event.mimeData().hasUrls():
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()

    dragMoveEvent = dragEnterEvent  # noqa: N815 - Qt's name

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.dragEnterEvent(event)
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:  # nothing but what lies on this computer can be opened
            self.guard(self.workspace.open_files)(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask while a job runs; then end threads first, the study next, the library last."""
        if self._waits_to_close() or not all(feature.may_close() for feature in self._features):
            event.ignore()
            return
        self._side_panels.leave_reading_mode()
        self._seen_timer.stop()
        self._reconnect_timer.stop()
        self._looking.close()
        self.share.close()
        self.daily_backup.close()
        self.idle_lock.close()
        self._focus_keys.stop()
        for feature in reversed(self._features):
            feature.close()
        self._connections.close()
        self.workspace.close()
        self._leave_library()
        event.accept()

    def _waits_to_close(self) -> bool:
        """Whether the share is waited for, since threads that ask it end only then; not when asked a second time."""
        if self.share.answers or self.share.is_waiting or self.workspace.is_ending:
            return False
        self.share.take(self.close)
        return True

    def _try_again(self) -> None:
        """Look whether the disk of the library is back, or its server."""
        library = self.session.library
        if not library.is_offline and not self._looking.is_busy:
            self._looking.request(lambda _: is_reachable(library.folder))

    def _save_waiting(self, is_back: bool) -> None:
        """Save what waits once the library is back."""
        if is_back and not self.session.library.is_offline:
            self._reconnect_timer.stop()
            self.session.save_place()
            self.workspace.show_reachable()

    def _reopen(self, reopening: Reopening) -> None:
        self.reopening = reopening
        if not self.close():
            self.reopening = None

    def _leave_library(self) -> None:
        """Close the library, also if the last seen frames cannot be saved."""
        try:
            self.session.close_study()
        except UserError as error:
            LOG.warning("closing: %s", error)
            text = tr("{error}\n\nLabels are saved; the frames seen last are not.", error=error)
            if not self.workspace.is_ending:
                show_notice(self, tr("Not everything was saved"), text)
        finally:
            self.session.release_files()
            self.session.library.close()
