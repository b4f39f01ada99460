"""Suggested findings: grouped after scoring and after each change of the threshold; joined and split with keys."""

from collections.abc import Callable

from PySide6.QtGui import QImage

from training.errors import NothingToDoError, UserError
from training.runs.events import Outcome
from training.texts import Text
from wce_desktop.core import percent, to_translate, tr, tr_count
from wce_desktop.core.annotation import change, landmark, link, marking
from wce_desktop.core.event import Event
from wce_desktop.features.suggested_findings import audit_page, by_model
from wce_desktop.features.suggested_findings.grouping import Grouped, Grouping
from wce_desktop.features.suggested_findings.overview import Overview
from wce_desktop.session import frame_facts, keys, run_models
from wce_desktop.session.completeness import protocol
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs, frame_pictures
from wce_desktop.workspace import Connections, Feature, Workspace

STORED_TITLE = to_translate("How alike frames look, and time")


class SuggestedFindingsFeature(Feature):
    """Groups events in a thread; the newest events win."""

    own_actions = (
        "group_events", "group_by", "join_findings", "split_finding", "show_overview", "show_parts", "link_earlier",
        "reject_earlier", "audit_frames", "end_first_pass",
    )  # fmt: skip

    def __init__(
        self,
        workspace: Workspace,
        answer_part: Callable[[Event, bool], object],
        go_to_event: Callable[[Event], object],
    ) -> None:
        """`answer_part` accepts or rejects a flag, as the list of flags does; `go_to_event` shows its frame."""
        super().__init__(workspace)
        self._answer_part, self._go_to_event = answer_part, go_to_event
        self._at, self._comes_back = 0, False
        self._overview_of = ""  # the study whose overview was shown first, as the protocol says
        self._audited: int | None = None  # a frame of the audit that was opened, from which Escape goes back
        self._find_at: int | None = None  # on which a finding is entered once it is shown
        self._joining: tuple[str, Event] | None = None  # the study and what is to be joined with another finding of it
        self._embedding = by_model.Embedding(workspace)
        self._embedding.embedded.connect(workspace.guard(self.regroup))
        self._pictures = frame_pictures.FramePictures(self)
        self._pictures.arrived.connect(self._earlier_picture_arrived)
        guard = workspace.guard
        self._thread = FunctionThread(self, returned=guard(self._show), failed=self._fail)
        self.overview = overview = Overview(workspace.session, workspace.thumbnails.get, self._earlier_picture)
        workspace.player.add_page(overview)
        self.audit = audit = audit_page.AuditPage(workspace.session, workspace.thumbnails.get, guard)
        workspace.player.add_page(audit)
        audit.opened.connect(guard(self._open_audited))
        audit.finding_requested.connect(guard(self._find_audited))
        audit.left.connect(self._leave_overview)
        workspace.thumbnails.arrived.connect(lambda _: audit.tiles.viewport().update())
        overview.answered.connect(guard(self._answer))
        overview.opened.connect(guard(self._open_frame))
        overview.parts_requested.connect(guard(self.show_parts))
        overview.left.connect(self._leave_overview)
        overview.earlier.same.clicked.connect(guard(lambda *_: self.link_earlier()))
        overview.earlier.other.clicked.connect(guard(lambda *_: self.reject_earlier()))
        workspace.escaped.connect(guard(self._escaped))
        workspace.thumbnails.arrived.connect(lambda _: overview.tiles.viewport().update())
        session = self._session
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.events_changed, self._events_changed),
            (session.grouping_changed, self._grouping_changed),
            (session.annotations_changed, self._annotations_changed),
            (session.suggested_changed, self._refresh_overview),
            (session.frame_changed, self._frame_changed),
            (session.study_closed, self._study_closed),
        )

    @property
    def is_busy(self) -> bool:
        """True while events are grouped, or frames compared."""
        return super().is_busy or self._pictures.is_busy

    def group_events(self) -> None:
        """Group events into suggested findings, or list them one by one."""
        self._session.settings.set("group_events", not self._session.settings["group_events"])
        self.regroup()

    def group_by(self) -> None:
        """Ask what groups flags: a re-identification model, or stored embeddings and time."""
        runs = run_models.reid_runs(self._session.library)
        if not runs:
            raise UserError(
                "There is no re-identification model yet.",
                "Train one: {key}, Learn which flags show the same finding. None comes with the program: none trained "
                "on synthetic patients was measurably better on real recordings.",
                keys.key_of("train"),
            )
        titles = [tr(STORED_TITLE), *(tr("Model: {model}", model=run.title) for run in runs)]
        chosen = run_models.grouping_run(self._session)
        now = 0 if chosen is None else 1 + [run.run_id for run in runs].index(chosen.run_id)
        window, asked = self._workspace.window, tr("Group flags by")
        title = dialogs.ask_text(window, asked, asked, tr("Group"), titles[now], titles)
        if title is not None:
            at = titles.index(title)
            self._session.scores.group_by(runs[at - 1].run_id if at else "")

    def _grouping_changed(self) -> None:
        self._embedding.forget()
        self.regroup()

    def regroup(self) -> None:
        """Group the events of the open study again."""
        is_wanted = bool(self._session.settings["group_events"])
        self._workspace.menus.check({"group_events": is_wanted})
        reading = self._session.reading
        grouping = Grouping.of(self._session) if is_wanted and reading is not None else None
        self._session.is_grouping = grouping is not None
        if grouping is not None:
            self._thread.request(grouping.find)
            return
        self._thread.cancel()
        if reading is not None and reading.flags.suggested is not None:
            self._session.scores.set_suggested(None)

    def join_findings(self) -> None:
        """Choose the suggested finding on screen; a second time join it with the one chosen before."""
        event, study_id = self._event_here(), self._workspace.reading.study.study_id
        chosen = self._joining
        if chosen is None:
            self._joining = study_id, event
            self._session.scores.set_joining(event)
            key = keys.key_of("join_findings")
            text = tr("Go to the flag that shows the same finding and press {key} again. Esc cancels.", key=key)
            self._workspace.show_message(text)
            return
        self._cancel_joining()
        if chosen[0] != study_id:
            raise UserError("These are flags of two studies.", "Join flags of one study.")
        reading = self._workspace.reading
        flags = reading.flags
        first, second = flags.parts_of(flags.current(chosen[1]) or chosen[1]), flags.parts_of(event)
        if event in first:
            raise NothingToDoError("These are parts of one suggested finding already.", "Choose a part of another one.")
        self._apply(marking.join(reading.entries.links, first, second, study_id=study_id, reader=self._reader))
        self._workspace.show_message(tr("Join {count} parts of a finding.", count=len(first) + len(second)))

    def split_finding(self) -> None:
        """Take the part on screen out of its suggested finding."""
        event, reading = self._event_here(), self._workspace.reading
        others = [part for part in reading.flags.parts_of(event) if part != event]
        if not others:
            raise NothingToDoError("This suggested finding has one part only.", "Go to a finding with several parts.")
        study_id = reading.study.study_id
        self._apply(marking.split(reading.entries.links, event, others, study_id=study_id, reader=self._reader))
        message = tr_count("Split a part from {count} other.", "Split a part from {count} others.", len(others))
        self._workspace.show_message(message)

    def show_overview(self) -> None:
        """Show the suggested findings as tiles in place of the frame, or the frame again."""
        if self.overview.isVisible():
            self._leave_overview()
        else:
            self._show_overview()

    def show_parts(self) -> None:
        """Show the parts of the suggested finding on screen, or of the highlighted tile, as tiles."""
        event = self._event_here()
        if not self.overview.isVisible():
            self._show_overview()
        self.overview.show_parts(event)

    def audit_frames(self) -> None:
        """Show the audit of unseen frames in place of the frame, or the frame again."""
        if self.audit.isVisible():
            self._leave_overview()
            return
        self._session.save_seen()
        _ = self.audit.audit  # raises where there is nothing to audit
        self._audited = self._find_at = None
        self._at = self._workspace.player.playback.position
        self._workspace.player.show_page(self.audit)
        self._set_frame_shown(False)
        self.audit.refresh()
        self.audit.setFocus()

    def end_first_pass(self) -> None:
        """Show the flags that the protocol hides, after a question."""
        reading = self._workspace.reading
        if not reading.flags.is_hidden:
            raise NothingToDoError("No flags are hidden.", "The protocol is chosen in the settings.")
        self._session.library.check_writable(Text("the reading protocol"))
        self._session.save_seen()
        share = percent(protocol.share_seen(self._session, reading.study))
        question = tr("{share} was seen. Finish the first pass and show the flags? The report says this.", share=share)
        if reading.flags.is_hidden and dialogs.agrees(
            self._workspace.window, tr("Finish the first pass"), question, tr("Finish")
        ):
            protocol.note(self._session, reading.study, protocol.FIRST_PASS)
            self._session.scores.follow_protocol()

    def _open_audited(self, frame: int) -> None:
        """Show a frame of the audit; Escape comes back."""
        self._leave_overview()
        self._audited, self._comes_back = frame, False
        self._workspace.go_to_frame(frame)

    def _find_audited(self, frame: int) -> None:
        """Show a frame of the audit, and enter a finding on it."""
        is_there = self._workspace.reading.place.frame_index == frame
        self._open_audited(frame)
        if is_there:
            self._workspace.menus.run("new_finding")
        else:
            self._find_at = frame

    def link_earlier(self) -> None:
        """Link the suggested finding on screen with the finding of an earlier study that looks like it."""
        self._answer_earlier(is_same=True)

    def reject_earlier(self) -> None:
        """Say that the suggested finding on screen is not the finding of the earlier study."""
        self._answer_earlier(is_same=False)

    def _answer_earlier(self, *, is_same: bool) -> None:
        event, reading = self._event_here(), self._workspace.reading
        assert reading.flags.suggested is not None
        earlier = reading.flags.suggested.earlier_of(event)
        if earlier is None:
            raise NothingToDoError(
                "No finding of an earlier study looks like this one.",
                "Findings are compared where a re-identification model groups flags (Reading > Group flags by).",
            )
        of = {"study_id": reading.study.study_id, "reader": self._reader}
        links, main = reading.entries.links, reading.flags.main_of(event)
        self._apply(marking.link_earlier(links, main, earlier, **of, is_same=is_same))
        message = tr("Link with a {kind} of an earlier study.", kind=earlier.finding.kind)
        other = tr("Not the {kind} seen earlier.", kind=earlier.finding.kind)
        self._workspace.show_message(message if is_same else other)

    def close(self) -> None:
        """End the threads and disconnect."""
        super().close()
        self._embedding.blockSignals(True)
        self._pictures.close()

    @property
    def _reader(self) -> str:
        return self._session.library.reader

    def _event_here(self) -> Event:
        reading = self._workspace.reading
        if self._session.is_grouping:
            raise NothingToDoError("The flags are being grouped into findings.", "Press the key again in a moment.")
        if reading.flags.suggested is None:
            is_on = bool(self._session.settings["group_events"])
            turn_on = Text("Turn on Reading > Group flags into findings ({key}).", keys.key_of("group_events"))
            raise NothingToDoError(
                "The flags are not grouped into findings.", "This study is not scored." if is_on else turn_on
            )
        if self.overview.isVisible() and self.overview.current is not None:
            return self.overview.current
        # What was chosen in the list, also while its frame is on its way; it may be of an earlier threshold.
        chosen = None if self._workspace.player.is_settled else reading.flags.chosen
        event = reading.event_here() if chosen is None else reading.flags.current(chosen)
        if event is None:
            key = keys.key_of("next_unseen_event")
            raise NothingToDoError("No event is flagged on this frame.", "Press {key} to go to the next one.", key)
        return event

    def _apply(self, plan: change.Plan) -> None:
        if not plan.changes:
            raise NothingToDoError("These flags are linked that way already.", "Label the frames instead.")
        self._session.edits.apply(plan.title, plan.changes)

    def _show(self, result: Grouped) -> None:
        reading, run = self._session.reading, run_models.grouping_run(self._session)
        if reading is None or result.suggested.events is not reading.flags.events:  # newer events are on their way
            return
        self._session.is_grouping = False
        self._session.scores.set_suggested(result.suggested)
        self._show_overview_first()
        if run is not None:
            for study in result.missing:
                self._embedding.request(study, run, reading)

    def _show_overview_first(self) -> None:
        """Show the overview of a study that was just opened, where the protocol says so and flags are not answered."""
        reading, is_first = self._workspace.reading, self._overview_of != self._session.open_id
        self._overview_of = self._session.open_id
        is_wanted = is_first and self._session.settings["protocol"] == "ai_first"
        if is_wanted and reading.unanswered(reading.flags.events).any():
            self._show_overview()

    def _study_opened(self) -> None:
        if self._workspace.reading.flags.scores is None:  # flags that come later do not take the place of the frame
            self._overview_of = self._session.open_id
        self.regroup()
        if not self._session.is_grouping:
            self._show_overview_first()

    def _events_changed(self) -> None:
        self._cancel_joining()
        self.regroup()
        self._refresh_overview()

    def _study_closed(self) -> None:
        self._cancel_joining()
        self._thread.cancel()
        self._pictures.close()
        self._session.is_grouping = self._comes_back = False
        self._session.is_frame_shown = True
        self._audited = self._find_at = None
        self._overview_of = ""
        self.overview.forget()
        self.audit.forget()

    def _annotations_changed(self, edit: change.Edit | None) -> None:
        if edit is None or edit.touches(link.Link):
            self.regroup()
        self.audit.refresh()
        if edit is None or edit.touches(landmark.Landmark):
            self._refresh_overview()
        elif self.overview.isVisible():
            self.overview.show_answers()

    # The overview

    def _show_overview(self) -> None:
        reading, player = self._workspace.reading, self._workspace.player
        self._at, self._comes_back = player.playback.position, False
        player.show_page(self.overview)
        self._set_frame_shown(False)
        self.overview.refresh()
        here = reading.event_here()
        if here is not None:
            self.overview.highlight(here)
        self.overview.setFocus()

    def _leave_overview(self) -> None:
        self._cancel_joining()
        self._workspace.player.show_page(None)
        self._set_frame_shown(True)
        self._workspace.player.setFocus()

    def _set_frame_shown(self, is_shown: bool) -> None:
        """Nothing is entered for a frame that lies behind the overview."""
        self._session.is_frame_shown = is_shown
        self._workspace.menus.refresh()

    def _answer(self, event: Event, is_accepted: bool) -> None:
        self._answer_part(event, is_accepted)
        self.overview.go_on(event)

    def _open_frame(self, event: Event) -> None:
        """Show the frame of a tile; Escape comes back to the tile."""
        self._leave_overview()
        self._comes_back = True
        self._go_to_event(event)

    def _refresh_overview(self) -> None:
        if self.overview.isVisible():
            self.overview.refresh()

    def _frame_changed(self, frame_index: int) -> None:
        """A frame that was asked for elsewhere takes the place of the overview."""
        if (self.overview.isVisible() or self.audit.isVisible()) and frame_index != self._at:
            self._leave_overview()
        if self._find_at is not None:
            is_there, self._find_at = self._find_at == frame_index, None
            if is_there:
                self._workspace.menus.run("new_finding")

    def _escaped(self) -> None:
        """Escape comes back from a frame that was opened in the overview, unless it has something else to end."""
        reading = self._session.reading
        if self._joining is not None or (reading is not None and reading.place.is_span_marked):
            self._cancel_joining()
        elif self._audited is not None and reading is not None:
            self.audit_frames()
        elif self._comes_back and reading is not None:
            self._show_overview()

    def _earlier_picture(self, study_id: str, frame_index: int) -> QImage | None:
        """The picture of a frame of an earlier study; None until it has arrived."""
        if not self._pictures.is_open:
            self._pictures.open(frame_facts.FramePlaces(self._session))
        return self._pictures.get(study_id, frame_index)

    def _earlier_picture_arrived(self, study_id: str, frame_index: int) -> None:
        if self.overview.isVisible():
            self.overview.earlier.show_picture(study_id, frame_index)

    def _cancel_joining(self, _: object = None) -> None:
        self._joining = None
        self._session.scores.set_joining(None)

    def _fail(self, outcome: Outcome) -> None:
        self._session.is_grouping = False
        self._workspace.show_error(outcome.message, outcome.hint)
