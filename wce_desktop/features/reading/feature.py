"""The Reading menu: playing, stepping, events, labels, findings, landmarks, undo."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from PySide6.QtCore import QPoint

from training.errors import NothingToDoError, UserError
from wce_desktop.core.annotation import Finding, Label, Region
from wce_desktop.core.clock import format_time, parse_position
from wce_desktop.core.event import Event
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.reading import annotating
from wce_desktop.features.reading.budget import BudgetBar
from wce_desktop.features.reading.events import next_event, next_open, why_no_events
from wce_desktop.features.reading.finding_card import Describing
from wce_desktop.features.reading.findings_panel import FindingsPanel, has_frame
from wce_desktop.features.reading.flags_panel import FlagsPanel
from wce_desktop.features.reading.going_on import GoingOn
from wce_desktop.features.reading.label_bar import LabelBar
from wce_desktop.features.reading.removal_question import RemovalQuestion
from wce_desktop.features.reading.unfamiliar import UnfamiliarFrames
from wce_desktop.features.reading.views import ReadingViews
from wce_desktop.session.classes import switch_off
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import dialogs
from wce_desktop.workspace import Feature, Panel, Workspace, methods

THRESHOLD_STEP = 0.05
JUMP_FRAMES = 10
TIMELINE_ZOOM = 1.5
TOOLS = ("mark_start", "mark_stop", "new_finding", "undo")
"""Actions with a button below those of the classes."""
VIEWS = {"one_view": 1, "two_views": 2, "four_views": 4}
OWN = ("go_to", "clear_span", "new_finding", "comment_finding", "remove_finding", "toggle_key_frame")


class ReadingFeature(Feature):
    """Handles the reading actions; `ReadingViews` shows their effects."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._player = workspace.player
        self.go_to_frame, self.label = workspace.go_to_frame, partial(annotating.label_here, workspace.session)
        session, guard = workspace.session, workspace.guard
        self.flags = FlagsPanel(session, workspace.thumbnails.get)
        self.findings = FindingsPanel(session, workspace.thumbnails.get)
        self.label_bar = LabelBar(session.vocabulary)
        self.panels = (
            Panel(self.flags, "right", to_translate("FLAGS")),
            Panel(self.findings, "right", to_translate("FINDINGS"), order=1),
            Panel(self.label_bar, "beside frame"),
        )
        self._views = ReadingViews(workspace, self)
        self._going_on = GoingOn(workspace, self._views)
        self._unfamiliar = UnfamiliarFrames(workspace, self, self.flags)
        self.budget = BudgetBar(workspace, self, self.flags.budget)
        workspace.leaving.connect(self.findings.form.save_texts)
        workspace.timeline.frame_requested.connect(guard(self._go_on_timeline))
        workspace.timeline.event_requested.connect(guard(self.go_to_event))
        workspace.timeline.menu_requested.connect(guard(self._show_timeline_menu))
        workspace.player.menu_requested.connect(lambda at: workspace.menus.show_context("frame", at))
        workspace.player.frame_view.answer_requested.connect(guard(self._answer_on_frame))
        workspace.timeline.threshold_changed.connect(guard(session.scores.set_threshold))
        self.flags.threshold_changed.connect(guard(session.scores.set_threshold))
        self.flags.event_chosen.connect(guard(self.go_to_event))
        self.flags.menu_requested.connect(lambda at: workspace.menus.show_context("flag", at))
        self.flags.list.answer_requested.connect(guard(self.answer))
        self.flags.further.answered.connect(guard(partial(annotating.answer_part, session)))
        self.flags.next_step.clicked.connect(guard(self._take_next_step))
        self.findings.finding_chosen.connect(guard(self._go_to_finding))
        change = partial(annotating.change_finding, session)
        self.findings.form.changed.connect(guard(change))
        self.findings.form.refused.connect(workspace.show_message)
        self.describing = Describing(workspace, self, change)
        self.findings.remove_requested.connect(guard(self.remove_finding))
        self.findings.remove.clicked.connect(guard(self.remove_finding))
        self.findings.menu_requested.connect(lambda at: workspace.menus.show_context("finding", at))
        self.findings.new.clicked.connect(guard(self.new_finding))
        key_frames = self.findings.key_frames
        key_frames.frame_chosen.connect(guard(self.go_to_frame))
        key_frames.add.clicked.connect(guard(self.toggle_key_frame))
        key_frames.toggle_requested.connect(
            guard(lambda frame: annotating.toggle_key_frame(session, self._finding_here(), frame))
        )
        workspace.player.upright_changed.connect(self.label_bar.set_symbols)
        self.label_bar.label_requested.connect(guard(self.label))

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        session, player, timeline = self._session, self._player, self._workspace.timeline
        return {
            **methods(self, OWN),
            **methods(player, ("faster", "slower", "zoom_in", "zoom_out", "zoom_fit")),
            **methods(self._going_on, self._going_on.own_actions),
            **methods(session.edits, ("undo", "redo")),
            **methods(self.budget, ("show_top_frames", "choose_review_budget")),
            **{f"label_{digit}": partial(self._label_by_key, str(digit)) for digit in range(10)},
            **{name: partial(player.set_views, count) for name, count in VIEWS.items()},
            **{f"landmark_{mark.name.lower()}": partial(annotating.set_landmark, session, mark) for mark in Region},
            "go_first": partial(self.go_to_frame, 0),
            "go_last": lambda: self.go_to_frame(self._workspace.reading.frame_count - 1),
            "next_unseen_event": self._go_to_next_open,
            "previous_unseen_event": partial(self._go_to_next_open, backwards=True),
            "next_finding": partial(self._go_to_next_finding, 1),
            "previous_finding": partial(self._go_to_next_finding, -1),
            "next_event": self._go_to_next,
            "previous_event": partial(self._go_to_next, backwards=True),
            "lower_threshold": partial(self._shift_threshold, -THRESHOLD_STEP),
            "raise_threshold": partial(self._shift_threshold, THRESHOLD_STEP),
            "mark_start": partial(annotating.mark_start, session),
            "mark_stop": partial(annotating.mark_stop, session),
            "accept_event": lambda: self.answer(self._event_here(), is_accepted=True),
            "reject_event": lambda: self.answer(self._event_here(), is_accepted=False),
            "reject_and_go_on": self._reject_and_go_on,
            "switch_off_class": self._switch_off,
            "toggle_play": player.toggle,
            "play_back": partial(player.toggle, -1),
            "step_forward": partial(player.step, 1),
            "step_back": partial(player.step, -1),
            "jump_forward": partial(player.step, JUMP_FRAMES),
            "jump_back": partial(player.step, -JUMP_FRAMES),
            "play_flagged": self._views.toggle_flagged_only,
            "sort_events": self.flags.switch_order,
            "zoom_timeline_in": partial(timeline.zoom, 1 / TIMELINE_ZOOM),
            "zoom_timeline_out": partial(timeline.zoom, TIMELINE_ZOOM),
        }

    def start(self) -> None:
        """Add the buttons of the most frequent edits."""
        self.label_bar.set_tools(self._workspace.menus.of_ids(TOOLS))

    def close(self) -> None:
        """Save the comment being written and disconnect."""
        self.findings.form.save_texts()
        self.describing.close_card()
        super().close()

    def _take_next_step(self) -> None:
        """Run the action that an empty list of flags offers."""
        _, _, action_id = why_no_events(self._session)
        if action_id:
            self._workspace.menus.run(action_id)

    # Playing and moving

    def go_to(self) -> None:
        """Ask for a frame number or a time."""
        reading = self._workspace.reading
        middle = reading.frame_count // 2
        asked = tr(
            "Frame (1 to {last}) or time, such as {frame} or {time}",
            last=reading.frame_count,
            frame=middle + 1,
            time=format_time(float(reading.index.video_seconds[middle])),
        )
        text = dialogs.ask_text(self._workspace.window, tr("Go to"), asked, tr("Go"))
        if text is not None and text.strip():
            self.go_to_text(text)

    def go_to_text(self, text: str) -> None:
        """Go to a frame number counted from 1, or to a time."""
        reading = self._workspace.reading
        try:
            position = parse_position(text)
        except ValueError as error:
            raise UserError(str(error)) from error
        if isinstance(position, int):
            if position >= reading.frame_count:
                raise UserError("The study ends at frame {frame:,}.", "Type a smaller number.", reading.frame_count)
            self.go_to_frame(position)
            return
        seconds = reading.index.video_seconds
        if position > seconds[-1]:
            last = format_time(float(seconds[-1]))
            raise UserError("The study ends at {time}.", "Type an earlier time.", last)
        self.go_to_frame(int(np.searchsorted(seconds, position, side="left")))

    def _go_to_finding(self, finding: Finding) -> None:
        """Show the frame that shows a finding best, with its class explained."""
        self._explain(finding.kind)
        self.go_to_frame(self._workspace.reading.entries.frames_of(finding)[0])

    def _go_to_next_finding(self, by: int) -> None:
        finding = self.findings.step(by)
        if finding is None:
            last, first = tr("There is no later finding."), tr("There is no earlier finding.")
            self._workspace.show_message(last if by > 0 else first)
        else:
            self._go_to_finding(finding)

    # Events

    def _go_to_next(self, *, backwards: bool = False) -> None:
        reading = self._workspace.reading
        event = next_event(reading.flags.events, self._player.position, backwards=backwards)
        if event is not None:
            self.go_to_event(event)

    def _go_to_next_open(self, *, backwards: bool = False) -> None:
        """Go to the next flag without an answer."""
        event, message = next_open(self._workspace.reading, self._player.position, backwards=backwards)
        if event is not None:
            self.go_to_event(event)
        if message:
            self._workspace.show_message(message)

    def go_to_event(self, event: Event) -> None:
        """Show the frame for which an event was flagged, with its class explained."""
        self._session.choose_event(event)
        self._explain(event.name)
        self.go_to_frame(event.peak_frame)

    def _explain(self, name: str) -> None:
        """Explain a class that the model knows: the live scores and the reader can have further ones."""
        if name in self._workspace.reading.flags.pathology_names:
            self._session.explain(name)

    def _go_on_timeline(self, frame_index: int) -> None:
        """Show a frame that was clicked on the timeline; a flagged one with a class explained that it is flagged as."""
        here = self._workspace.reading.flags.events.at(frame_index)
        if here and self._session.explained not in [event.name for event in here]:
            self._session.choose_event(here[0])
            self._explain(here[0].name)
        self.go_to_frame(frame_index)

    def _shift_threshold(self, by: float) -> None:
        self._session.scores.set_threshold(self._workspace.reading.flags.threshold + by)

    # Labels, findings, landmarks

    def _label_by_key(self, key: str) -> None:
        """Label the marked span or the frame on screen with the class that has this key."""
        entry = self._session.vocabulary.by_key(key)
        if entry is None:
            raise NothingToDoError("No class has the key {key}.", "Give it to one: Study > Classes…", key)
        self.label(entry.name)

    def clear_span(self) -> None:
        """Clear the marked span, close a message, and stop computing an explanation; else leave the reading mode."""
        reading = self._session.reading
        is_marking = reading is not None and (reading.place.marked_start, reading.place.marked_stop) != (None, None)
        is_told = bool(self._workspace.messages.text)
        self._workspace.messages.dismiss()
        self._workspace.escaped.emit()  # before what the reading mode hides is there again
        if not is_marking and not is_told:
            self._workspace.leave_reading_mode()
        if reading is not None:
            self._session.mark_span(None, None)

    def _event_here(self) -> Event:
        """The event that is highlighted in the list, also while its frame is on its way."""
        event = self.flags.highlighted or self._workspace.reading.event_here()
        if event is None:
            raise NothingToDoError(
                "No event is flagged on this frame.",
                "Press {key} to go to the next event.",
                key_of("next_unseen_event"),
            )
        return event

    def answer(self, event: Event, is_accepted: bool) -> None:
        """Accept or reject an event, or of its suggested finding the part on screen; then offer the further parts."""
        part = annotating.answer(self._session, event, is_accepted=is_accepted)
        self.flags.further.offer(part)
        finding = annotating.finding_of(self._workspace.reading, part) if is_accepted else None
        if finding is not None:
            self.describing.open(finding)

    def _reject_and_go_on(self) -> None:
        """Reject the event on screen, unless it is already; then go to the next event that is not seen.

        While that one is on its way nothing happens: nobody has seen what would be rejected.
        """
        if not self._player.is_settled:
            return
        reading, event = self._workspace.reading, self._event_here()
        if reading.answer(annotating.part_here(reading, event)) != "rejected":
            self.answer(event, is_accepted=False)
        self._go_to_next_open()

    def _switch_off(self) -> None:
        """Show nothing of the class of the event here any more."""
        name = self._event_here().name
        switch_off(self._session, name)
        values = {"title": self._session.vocabulary.of(name).shown_title, "key": key_of("edit_classes")}
        self._workspace.show_message(tr("“{title}” is switched off. Classes… ({key}) switches it on again.", **values))

    def _answer_on_frame(self, frame_index: int, name: str, is_accepted: bool) -> None:
        """Answer the suggestion of a class that is shown on a frame."""
        for event in self._workspace.reading.flags.events.at(frame_index):
            if event.name == name:
                self.answer(event, is_accepted)

    def _show_timeline_menu(self, frame_index: int, event: Event | None, at: QPoint) -> None:
        """Go to what was clicked, then offer what can be done with it."""
        if event is None:
            self.go_to_frame(frame_index)
        else:
            self.go_to_event(event)
        self._workspace.menus.show_context("timeline" if event is None else "event", at)

    def _finding_here(self, frame: int = -1) -> Finding:
        """The finding that is highlighted in the list; with a frame first the one that has it."""
        every, chosen = self._workspace.reading.entries.findings, self.findings.chosen
        here = [finding for finding in every if has_frame(finding, frame)]
        finding = chosen if chosen is not None and (chosen in here or not here) else next(iter(here), None)
        if finding is None:
            raise NothingToDoError(
                "No finding is highlighted.", "Choose one in the list of findings ({key}).", key_of("show_findings")
            )
        return finding

    def toggle_key_frame(self) -> None:
        """Make the frame on screen a key frame of the highlighted finding, or of the one here; or no longer.

        The only key frame stays: of a new finding the frame on screen is one already.
        """
        frame, chosen = self._workspace.reading.place.frame_index, self.findings.chosen
        finding = chosen or self._finding_here(frame)
        if finding.key_frames == (frame,):
            raise NothingToDoError(
                "The frame on screen is the only key frame of the finding.", "Delete in the strip removes it."
            )
        annotating.toggle_key_frame(self._session, finding, frame)

    def comment_finding(self) -> None:
        """Put the cursor into the comment of the finding on screen, else go to the highlighted one and into its."""
        self._workspace.show_panel("FINDINGS")
        self.findings.setFocus()  # without a finding, what is typed next means no action of the window
        frame = self._workspace.reading.place.frame_index
        finding = self._finding_here(frame)
        if not has_frame(finding, frame):
            self._go_to_finding(finding)
        self.findings.choose(finding)

    def remove_finding(self) -> None:
        """Remove the highlighted finding, after asking whether the labels that came with it go too."""
        finding = self._finding_here()
        with_it, others = self._session.library.annotations.labels_of_finding(finding)
        box = RemovalQuestion(finding, with_it, others, self._workspace.window)
        box.decided.connect(self._workspace.guard(partial(self._remove, finding, with_it)))
        box.open()

    def _remove(self, finding: Finding, with_it: Sequence[Label], takes_labels: bool) -> None:
        """Remove a finding if it is still there, and the labels that came with it if asked for."""
        reading = self._session.reading
        if reading is not None and finding in reading.entries.findings:
            annotating.remove_finding(self._session, finding, with_it if takes_labels else ())

    def new_finding(self) -> None:
        """Make a finding of the span, event or frame here and open its card; one that is here already is shown."""
        edits = self._session.edits
        before = edits.undo_id
        finding = annotating.new_finding(self._session)
        added_by = None if edits.undo_id == before else edits.undo_id
        self.describing.open(finding, asks_class=True, added_by=added_by)
