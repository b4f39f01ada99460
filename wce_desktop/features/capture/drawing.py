"""Drawing on the frame: the bar below it, and what the editor emits as edits that can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QButtonGroup, QLineEdit, QWidget

from training.errors import NothingToDoError
from wce_desktop.core import to_translate, tr
from wce_desktop.core.annotation import Change, Remove, Replace, part_of
from wce_desktop.core.boxes import Edges
from wce_desktop.core.drawings import COLOR, CORNERS, MOST_LETTERS, Drawings, Shape, ShapeKind
from wce_desktop.session.edits import part_change
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic
from wce_desktop.widgets.player.box_editor import EditedBox
from wce_desktop.widgets.player.drawing_editor import DrawingEditor
from wce_desktop.workspace import Connections, Part, Workspace

BRIEF = to_translate("Drag on the frame to draw. A: arrow, C: circle, T: text, Delete: remove, Escape: done.")
HINT = to_translate(
    "Drag on the frame to draw. A: arrow, C: circle, T: text. Insert: one in the middle. Tab: next. Arrow keys: move, "
    "with Shift resize. Return: turn an arrow, change a text. Delete: remove. Escape: done."
)
TOOLS: dict[ShapeKind, tuple[str, str]] = {
    "arrow": (to_translate("Arrow"), to_translate("Draw an arrow: drag to where it points (A)")),
    "circle": (to_translate("Circle"), to_translate("Draw a circle (C)")),
    "text": (to_translate("Text"), to_translate("Drag a box, then type the text (T)")),
}
DRAWN: dict[ShapeKind, str] = {
    "arrow": to_translate("Draw an arrow"),
    "circle": to_translate("Draw a circle"),
    "text": to_translate("Write on a frame"),
}
TEXT_PX = 110
CHANGED = to_translate("Change what is drawn on a frame")
REMOVED = to_translate("Remove what is drawn on a frame")


def drawing_change(session: Session, drawings: Drawings) -> Change:
    """The change that gives the open study these drawings."""
    reading = session.opened()
    old = part_of(reading.entries.report_parts, "drawings")
    if old is not None and not drawings.content:
        return Remove(old)
    return part_change(reading, "drawings", drawings.content, session.library.reader)


class DrawingBar(QWidget):
    """The tools, and the words of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.tools = {kind: basic.make_button(tr(title), tr(tip)) for kind, (title, tip) in TOOLS.items()}
        self._group = QButtonGroup(self)  # one of them is down
        for button in self.tools.values():
            button.setCheckable(True)
            self._group.addButton(button)
        self.text = QLineEdit(maxLength=MOST_LETTERS, placeholderText=tr("Text"))
        self.text.setAccessibleName(tr("Text on the frame"))
        self.text.setMinimumWidth(TEXT_PX)
        self.remove = basic.make_button(tr("Remove"), tr("Remove the chosen arrow, circle or text (Delete)"))
        self.leave = basic.make_button(tr("Done"), tr("Stop drawing (Escape)"))
        buttons = *self.tools.values(), self.remove, self.leave
        for button in buttons:
            button.setStyleSheet("QPushButton { padding: 3px 8px; }")
        rows = tuple(self.tools.values()), ((self.text, 1),), (self.remove, self.leave)
        basic.fit_rows(self, *rows)
        self.setToolTip(tr(HINT))
        self.hide()


class Drawing(Part):
    """Turns what the editor emits into edits; a shape is named by its frame and its number on it."""

    def __init__(self, workspace: Workspace, owner: QObject) -> None:
        super().__init__(workspace, owner)
        self.editor, self.bar = DrawingEditor(workspace.player.frame_view), DrawingBar()
        guard, editor, bar = workspace.guard, self.editor, self.bar
        editor.drawn.connect(guard(self._draw))
        editor.reshaped.connect(guard(self._reshape))
        editor.removed.connect(guard(self._remove))
        editor.chosen.connect(guard(self._show_chosen))
        editor.tool_chosen.connect(self.choose_tool)
        editor.turned.connect(guard(self._turn))
        editor.left.connect(self.leave)
        for kind, button in bar.tools.items():
            button.clicked.connect(lambda _, kind=kind: self.choose_tool(kind))
        bar.text.editingFinished.connect(guard(self._keep_text))
        bar.text.returnPressed.connect(editor.setFocus)
        bar.remove.clicked.connect(guard(lambda: editor.removed.emit(editor.chosen_id)))
        bar.leave.clicked.connect(self.leave)
        session = workspace.session
        self._connections = Connections(
            (session.frame_changed, self._refresh),
            (session.annotations_changed, self._refresh),
            (session.study_closed, self.leave),
        )
        workspace.player.views_changed.connect(self._refresh)

    def draw_on_frame(self) -> None:
        """Begin to draw; while drawing, put another shape into the middle."""
        frames = self._workspace.player.frame_view.frames
        if not frames or frames[0].picture is None:
            raise NothingToDoError("There is no frame on screen to draw on.", "Go to a frame that can be read.")
        if self.is_drawing:
            self.editor.draw_in_middle()
        else:
            self._workspace.player.pause()
            self.bar.show()
            self.editor.begin()
            self._refresh()
            self.choose_tool(self.editor.tool)
            self._show_chosen("")
            self._workspace.show_message(tr(BRIEF))
        self._workspace.menus.check({"draw_on_frame": True})

    @property
    def is_drawing(self) -> bool:
        """Whether the frame is drawn on now."""
        return not self.editor.isHidden()

    def leave(self) -> None:
        """Stop drawing."""
        if self.is_drawing:
            self.editor.end()
            self.bar.hide()
            self._workspace.messages.take_back(tr(BRIEF))
            self._workspace.menus.check({"draw_on_frame": False})

    def choose_tool(self, kind: ShapeKind) -> None:
        """Choose what a drag draws."""
        self.editor.tool = kind
        self.bar.tools[kind].setChecked(True)
        self.editor.setFocus()

    # What the editor emits

    def _draw(self, frame: int, edges: Edges, _: object) -> None:
        kind, shapes = self.editor.tool, self._shapes(frame)
        text = tr("Text") if kind == "text" else ""
        self._apply(DRAWN[kind], frame, (*shapes, Shape(kind, *edges, self.editor.tip, text)))
        self.editor.choose(f"{frame}:{len(shapes)}")
        if kind == "text":
            self._type()

    def _reshape(self, shape_id: str, edges: Edges, _: object, goes_on: bool) -> None:
        self._replace(shape_id, lambda shape: shape.within(edges), goes_on=goes_on)

    def _turn(self, shape_id: str) -> None:
        if self._chosen is not None and self._chosen.kind == "text":
            self._type()
        else:
            self._replace(shape_id, lambda shape: replace(shape, tip=(shape.tip + 1) % len(CORNERS)))

    def _remove(self, shape_id: str) -> None:
        if self._chosen is None:
            raise NothingToDoError("Nothing is chosen.", "Click what is drawn, or press Tab.")
        frame, at = _place(shape_id)
        self.editor.choose("")
        self._apply(REMOVED, frame, (shape for number, shape in enumerate(self._shapes(frame)) if number != at))

    def _type(self) -> None:
        self.bar.text.setFocus()
        self.bar.text.selectAll()

    def _keep_text(self) -> None:
        shape, text = self._chosen, self.bar.text.text().strip()
        if shape is not None and shape.kind == "text" and text and text != shape.text:
            self._replace(self.editor.chosen_id, lambda shape: replace(shape, text=text))

    # Inside

    @property
    def _chosen(self) -> Shape | None:
        if not self.editor.chosen_id:
            return None
        frame, at = _place(self.editor.chosen_id)
        return self._shapes(frame)[at]

    def _shapes(self, frame: int) -> tuple[Shape, ...]:
        return self._workspace.reading.entries.drawings.shapes.get(frame, ())

    def _replace(self, shape_id: str, change: Callable[[Shape], Shape], *, goes_on: bool = False) -> None:
        frame, at = _place(shape_id)
        shapes = list(self._shapes(frame))
        shapes[at] = change(shapes[at])
        self._apply(CHANGED, frame, shapes, goes_on=goes_on)

    def _apply(self, title: str, frame: int, shapes: Iterable[Shape], *, goes_on: bool = False) -> None:
        drawings = self._workspace.reading.entries.drawings.with_shapes(frame, shapes)
        change, edits = drawing_change(self._session, drawings), self._session.edits
        if not (goes_on and isinstance(change, Replace) and edits.extend(change)):
            edits.apply(title, [change])

    def _refresh(self, _: object = None) -> None:
        reading = self._session.reading
        if not self.is_drawing or reading is None:
            return
        drawings = reading.entries.drawings
        boxes = [
            EditedBox(f"{frame.frame_index}:{at}", frame.frame_index, shape.edges, COLOR)
            for frame in self._workspace.player.frame_view.frames
            for at, shape in enumerate(drawings.shapes.get(frame.frame_index, ()))
        ]
        self.editor.set_boxes(boxes)
        self._show_chosen(self.editor.chosen_id)

    def _show_chosen(self, _: str) -> None:
        shape = self._chosen
        self.bar.remove.setEnabled(shape is not None)
        self.bar.text.setEnabled(shape is not None and shape.kind == "text")
        if not self.bar.text.hasFocus():
            self.bar.text.setText("" if shape is None else shape.text)


def _place(shape_id: str) -> tuple[int, int]:
    """The frame of a shape, and its number there."""
    frame, _, at = shape_id.partition(":")
    return int(frame), int(at)
