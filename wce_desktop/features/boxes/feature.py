"""Boxes on the frame: the mode in which they are drawn, moved, resized, named and assigned; each change is undone."""

from collections.abc import Callable, Mapping

from PySide6.QtWidgets import QWidget

from training.errors import NothingToDoError
from wce_desktop.core import boxes as plans
from wce_desktop.core import format_time, to_translate, tr
from wce_desktop.core.annotation import NORMAL, Add, Box, Replace
from wce_desktop.core.boxes import Edges, clipped
from wce_desktop.features.boxes.following import PREFIX, BoxFollowing
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, inputs
from wce_desktop.widgets.player.box_editor import BoxEditor, EditedBox
from wce_desktop.workspace import Connections, Feature, Workspace, methods

BRIEF = to_translate("Drag on the frame to draw a box. Tab: next, 1 to 9: name, Delete: remove, Escape: done.")
HINT = to_translate(
    "Drag on the frame to draw a box. Tab: next box. Arrow keys: move, with Shift resize, with Ctrl ten pixels. "
    "1 to 9: name. Delete: remove. Ctrl and drag: move the frame. Escape: done."
)
NO_FINDING = to_translate("no finding")


class BoxBar(QWidget):
    """Shows what keys act on, with the buttons of what can be done."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.name = inputs.ChoiceBox(tr("Class of the box"))
        self.finding = inputs.ChoiceBox(tr("Finding of the box"))
        self.new = basic.make_button(tr("New box"), tr("Put a box into the middle of the frame (D, Insert)"))
        self.remove = basic.make_button(tr("Remove"), tr("Remove the chosen box (Delete)"))
        self.follow = basic.make_button(tr("Follow"), tr("Propose this box on the frames around it ({follow_box})"))
        self.leave = basic.make_button(tr("Done"), tr("Stop editing boxes (Escape)"))
        for button in (self.new, self.follow, self.remove, self.leave):
            button.setStyleSheet("QPushButton { padding: 3px 8px; }")
        rows = (self.new, self.follow), ((self.name, 1),), ((self.finding, 1),), (self.remove, self.leave)
        basic.fit_rows(self, *rows)
        self.setToolTip(tr(HINT))
        self.show_classes()
        self.hide()

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary."""
        self.name.set_choices(inputs.class_choices(self._session.vocabulary, without=(NORMAL,)))

    def show_box(self, box: Box | None, next_name: str) -> None:
        """Show the chosen box; without one the class that the next box gets."""
        self.name.show_value(next_name if box is None else box.name)
        self.finding.set_choices([inputs.Choice("", tr(NO_FINDING)), *self._findings()])
        self.finding.show_value("" if box is None else box.finding_id or "")
        self.finding.setEnabled(box is not None)
        self.remove.setEnabled(box is not None)
        self.follow.setEnabled(box is not None)

    def _findings(self) -> list[inputs.Choice]:
        reading, of = self._session.reading, self._session.vocabulary.of
        if reading is None:
            return []
        seconds = reading.index.video_seconds
        return [
            inputs.Choice(
                finding.finding_id,
                f"{format_time(float(seconds[finding.span.start]))} · {of(finding.kind).shown_title}",
            )
            for finding in sorted(reading.entries.findings, key=lambda finding: finding.span.start)
        ]


Size = tuple[float, float]


class BoxesFeature(Feature):
    """Turns what the editor emits into edits of the open study."""

    own_actions = ("draw_boxes", "follow_box")

    @property
    def actions(self) -> Mapping[str, Callable[[], object]]:
        """See `session.actions`."""
        return {**super().actions, **methods(self.following, ("keep_followed", "discard_followed"))}

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._name = ""
        """The class of the next box."""
        self.editor = BoxEditor(workspace.player.frame_view)
        self.bar = BoxBar(workspace.session)
        self.following = BoxFollowing(workspace, self, self._refresh)
        workspace.player.put_below_tools(self.bar)
        guard, editor, bar = workspace.guard, self.editor, self.bar
        editor.drawn.connect(guard(self._draw))
        editor.reshaped.connect(guard(self._reshape))
        editor.removed.connect(guard(self._remove))
        editor.named.connect(guard(self._name_by_key))
        editor.chosen.connect(lambda _: self._show_chosen())
        editor.left.connect(guard(self._escape))
        bar.new.clicked.connect(guard(self.draw_boxes))
        bar.name.chosen.connect(guard(self._choose_name))
        bar.finding.chosen.connect(guard(self._assign))
        bar.remove.clicked.connect(guard(lambda: editor.removed.emit(editor.chosen_id)))
        bar.follow.clicked.connect(guard(self.follow_box))
        bar.leave.clicked.connect(self.leave)
        session, self._apply = workspace.session, workspace.session.edits.apply_plan
        self._connections = Connections(
            (session.frame_changed, self._refresh),
            (session.annotations_changed, self._refresh),
            (session.study_closed, self.leave),
            (session.vocabulary_changed, bar.show_classes),
            (session.vocabulary_changed, self._refresh),
        )
        workspace.player.views_changed.connect(self._refresh)

    @property
    def is_editing(self) -> bool:
        """Whether boxes are edited now."""
        return not self.editor.isHidden()

    def draw_boxes(self) -> None:
        """Begin to edit boxes; while they are edited, put a box into the middle of the frame."""
        frames = self._workspace.player.frame_view.frames
        if not frames or frames[0].picture is None:
            raise NothingToDoError("There is no frame on screen to draw on.", "Go to a frame that can be read.")
        if self.is_editing:
            self.editor.draw_in_middle()
            self.editor.setFocus()
            self._workspace.menus.check({"draw_boxes": True})
            return
        self._workspace.player.pause()
        self._name = self._kind_here() or self._name
        self.bar.show()
        self.editor.begin()
        self._refresh()
        self._show_chosen()
        self._workspace.menus.check({"draw_boxes": True})
        self._workspace.show_message(tr(BRIEF))

    def follow_box(self) -> None:
        """Propose the chosen box, or the only one on the frame on screen, on the frames around it."""
        reading = self._workspace.reading
        here = [box for box in reading.entries.boxes if box.frame_index == reading.place.frame_index]
        self.following.follow_box(here[0] if len(here) == 1 and not self.editor.chosen_id else self._chosen())

    def leave(self) -> None:
        """Stop editing boxes."""
        if self.is_editing:
            self.editor.end()
            self.bar.hide()
            self._workspace.messages.take_back(tr(BRIEF))
            self._workspace.menus.check({"draw_boxes": False})

    def _escape(self) -> None:
        """Discard the boxes that follow, else stop editing."""
        if not self.following.discard():
            self.leave()

    # What the editor emits

    def _draw(self, frame_index: int, edges: Edges, size: Size) -> None:
        reading, reader = self._workspace.reading, self._session.library.reader
        study_id = reading.study.study_id
        plan = plans.draw_box(
            edges, size, frame_index, self._name, reading.entries.findings, study_id=study_id, reader=reader
        )
        self._apply(plan)
        for change in plan.changes:
            if isinstance(change, Add) and isinstance(change.new, Box):
                self.editor.choose(change.new.box_id)

    def _remove(self, box_id: str) -> None:
        if box_id.startswith(PREFIX):
            self.following.end_at(int(box_id.removeprefix(PREFIX)))
        else:
            self._apply(plans.remove_box(self._box(box_id)))

    def _reshape(self, box_id: str, edges: Edges, size: Size, goes_on: bool) -> None:
        if box_id.startswith(PREFIX):
            self.following.correct(int(box_id.removeprefix(PREFIX)), clipped(edges, *size) or edges)
            return
        plan = plans.reshape_box(self._box(box_id), edges, size)
        if goes_on and len(plan.changes) == 1:
            (change,) = plan.changes
            if isinstance(change, Replace) and self._session.edits.extend(change):
                return
        self._apply(plan)

    def _name_by_key(self, box_id: str, key: str) -> None:
        entry = self._session.vocabulary.by_key(key)
        if entry is not None and entry.name != NORMAL:
            self._choose_name(entry.name, box_id)

    def _choose_name(self, name: str, box_id: str = "") -> None:
        self._name = name
        if (box_id := box_id or self.editor.chosen_id) and not box_id.startswith(PREFIX):
            self._apply(plans.name_box(self._box(box_id), name, self._workspace.reading.entries.findings))
        self.editor.setFocus()

    def _assign(self, finding_id: str) -> None:
        findings = {finding.finding_id: finding for finding in self._workspace.reading.entries.findings}
        self._apply(plans.assign_box(self._chosen(), findings.get(finding_id)))
        self.editor.setFocus()

    # Inside

    def _chosen(self) -> Box:
        return self._box(self.editor.chosen_id)

    def _box(self, box_id: str) -> Box:
        box = next((box for box in self._workspace.reading.entries.boxes if box.box_id == box_id), None)
        if box is None:
            raise NothingToDoError("No box is chosen.", "Click one, or press Tab.")
        return box

    def _kind_here(self) -> str:
        """What the next box probably shows: the frame's label, the finding here, or the flag here."""
        reading = self._workspace.reading
        frame = reading.place.frame_index
        every, event = reading.entries.findings, reading.event_here()
        findings = [finding.kind for finding in every if frame in finding.span or frame in finding.key_frames]
        labels = [label.name for label in reading.labels_here()]
        flagged = event.name if event is not None else ""
        names = [*findings, *labels, flagged, self._name, *(entry.name for entry in self._session.vocabulary)]
        return next((name for name in names if name not in ("", NORMAL)), "")

    def _refresh(self, _: object = None) -> None:
        if not self.is_editing:
            return
        reading = self._session.reading
        self.editor.set_boxes([] if reading is None else self._edited(reading))
        self._show_chosen()

    def _edited(self, reading: Reading) -> list[EditedBox]:
        shown = {frame.frame_index for frame in self._workspace.player.frame_view.frames}
        of = self._session.vocabulary.of
        every: list[tuple[str, Box | plans.SuggestedBox]]
        every = [(box.box_id, box) for box in reading.entries.boxes if box.frame_index in shown]
        every += [(f"{PREFIX}{frame}", box) for frame in shown for box in self.following.at(frame)]
        return [
            EditedBox(box_id, box.frame_index, (box.x_min, box.y_min, box.x_max, box.y_max), of(box.name).color)
            for box_id, box in every
        ]

    def _show_chosen(self) -> None:
        reading, chosen = self._session.reading, self.editor.chosen_id
        boxes = reading.entries.boxes if reading is not None else ()
        self.bar.show_box(next((box for box in boxes if box.box_id == chosen), None), self._name)
