"""A card in a corner of the frame with the main fields of a finding that was just made or accepted."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget

from wce_desktop.core.annotation.change import Edit
from wce_desktop.core.annotation.finding import CARD_ENTRIES, Finding
from wce_desktop.core.language import tr
from wce_desktop.features.reading.finding_form import CommentEdit, FindingForm, NumberEdit
from wce_desktop.features.reading.findings_panel import has_frame
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, key_texts, theme
from wce_desktop.workspace import Connections, Part, Workspace

FIELDS = "kind", *CARD_ENTRIES
WIDTH_PX, EDGE_PX, TOP_PX = 236, 6, 44
"""At the left the card leaves the suggestions at the top of the frame free."""
OF_THE_FRAME = (
    *range(Qt.Key.Key_0, Qt.Key.Key_9 + 1),
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End,
)  # fmt: skip
"""Keys that mean something else while a study is looked through than in the field of the class."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FindingCard(QFrame):
    """Tab and Enter go from field to field, digits choose class and chips, but not the class of a
    suggestion that was just accepted before a field was chosen; other single keys mean the window's actions
    except in the texts. Enter in the last field, Ctrl+Return and Escape close it.
    """

    ended = Signal(bool)
    """Whether by Escape."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._around = parent
        self.is_entered = True
        """False: until a field was chosen, keys of the frame do not change the class."""
        self.setObjectName("card")
        colors = theme.COLORS
        self.setStyleSheet(
            f"QFrame#card {{ background: {colors.panel}; border: 1px solid {colors.border}; border-radius: 6px; }}"
        )
        self.setAccessibleName(tr("New finding"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self.form = FindingForm(session, FIELDS)
        for field in self.form.fields:
            key_texts.keep_ways_out(field)
            field.installEventFilter(self)
            if not isinstance(field, CommentEdit | NumberEdit):
                key_texts.give_keys(field)
        basic.in_column(self.form, of=self, margins=8)
        self.setMinimumWidth(WIDTH_PX)
        self.hide()

    def put(self, is_left: bool, is_top: bool) -> None:
        """Lie in a corner of the frame; at its right, over the panel, where the frame is too narrow for both."""
        self.adjustSize()
        room, window = self._around.rect(), self._around.window()
        edge = self._around.mapTo(window, room.bottomRight())
        if room.width() < 2 * self.width() and window.width() - edge.x() > self.width():
            self._move_to(window, edge + QPoint(EDGE_PX, -min(self.height(), edge.y())))
            return
        x = EDGE_PX if is_left else room.width() - self.width() - EDGE_PX
        y = (TOP_PX if is_left else EDGE_PX) if is_top else room.height() - self.height() - EDGE_PX
        self._move_to(self._around, QPoint(max(x, 0), max(y, 0)))

    def _move_to(self, parent: QWidget, place: QPoint) -> None:
        if self.parentWidget() is not parent:
            is_shown, focused = not self.isHidden(), self.focusWidget()
            self.setParent(parent)  # hides it
            self.setVisible(is_shown)
            if is_shown and focused is not None:
                focused.setFocus()
        self.move(place)
        self.raise_()

    def focusNextPrevChild(self, is_next: bool) -> bool:
        """Tab goes round the fields of the card."""
        self.is_entered = True
        fields = [field for field in self.form.fields if not field.isHidden()]
        here = next((at for at, field in enumerate(fields) if field.hasFocus()), -1)
        reason = Qt.FocusReason.TabFocusReason if is_next else Qt.FocusReason.BacktabFocusReason
        fields[(here + (1 if is_next else -1)) % len(fields)].setFocus(reason)
        return True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Escape in a field; a click into one, and keys that would change a class by accident."""
        if event.type() == QEvent.Type.MouseButtonPress:
            self.is_entered = True
        if isinstance(event, QKeyEvent) and not self.is_entered and event.key() in OF_THE_FRAME:
            event.accept()
            return True
        if not isinstance(event, QKeyEvent) or event.key() not in (*ENTER, Qt.Key.Key_Escape):
            return False
        is_new_line = event.modifiers() & Qt.KeyboardModifier.ShiftModifier and watched is self.form.comment
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress or is_new_line:
            return False
        is_last = watched is self.form.comment or bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if event.key() == Qt.Key.Key_Escape or is_last:
            self.ended.emit(event.key() == Qt.Key.Key_Escape)
        else:
            self.focusNextPrevChild(True)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Not a click on the frame below."""
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Nor is the wheel a step to another frame."""
        event.accept()


class Describing(Part):
    """Opens the card, writes what is entered at once, and closes it when the frame of the finding is left."""

    def __init__(
        self, workspace: Workspace, owner: QObject, change: Callable[[Finding, Finding, bool], object]
    ) -> None:
        """`change` writes a finding: as it was, as it shall be, and whether this goes on with the last edit."""
        super().__init__(workspace, owner)
        self.card = FindingCard(workspace.session, workspace.player.frame_view)
        self._added_by: int | None = None
        """The edit that added the finding for which the card was opened."""
        self._corner = (False, False)  # whether left, whether at the top
        self._before: QWidget | None = None
        """What had the focus when the card opened, where its keys are those of the frame."""
        self.card.form.changed.connect(workspace.guard(change))
        self.card.form.refused.connect(workspace.show_message)
        self.card.ended.connect(workspace.guard(self._end))
        workspace.leaving.connect(self.close_card)
        workspace.escaped.connect(workspace.guard(lambda: self._end(True)))
        workspace.player.frame_view.resized.connect(lambda _: self._place())
        session = self._session
        self._connections = Connections(
            (session.frame_changed, self._frame_changed),
            (session.study_closed, self.close_card),
            (session.annotations_changed, self._annotations_changed),
            (session.vocabulary_changed, self.card.form.show_classes),
        )

    def open(self, finding: Finding, *, asks_class: bool = False, added_by: int | None = None) -> None:
        """Show the card of a finding and put the cursor into it; nothing where none of its frames is on screen.

        Args:
            finding: as it is stored.
            asks_class: a digit chooses the class at once; otherwise a field must be chosen first.
            added_by: the edit that added it; Escape undoes it as long as it is the last one.
        """
        reading = self._session.reading
        is_on_screen = self._workspace.player.frame_view.isVisible()
        if reading is None or not is_on_screen or not has_frame(finding, reading.place.frame_index):
            return
        self.close_card()
        focused = QApplication.focusWidget()
        is_list = focused is not None and key_texts.gives_keys(focused) and focused.window() is self._workspace.window
        self._before = focused if is_list else None
        self.card.form.show_finding(finding)
        self._choose_corner(finding)
        self.card.is_entered = asks_class
        self._added_by = added_by
        self.card.show()
        self._place()
        self.card.form.kind.setFocus(Qt.FocusReason.OtherFocusReason)

    def close_card(self) -> None:
        """Close the card; what was entered is written."""
        if self.card.isHidden():
            return
        had_focus = self.card.isAncestorOf(QApplication.focusWidget() or self._workspace.window)
        self.card.form.save_texts()
        self.card.hide()
        self.card.form.show_finding(None)
        self._added_by = None
        if had_focus:
            (self._before or self._workspace.player).setFocus()
        self._before = None

    def _end(self, is_escaped: bool) -> None:
        if self.card.isHidden():
            return
        self.card.form.save_texts()
        if not is_escaped and (number := self.card.form.refused_number) is not None:
            number.setFocus()
            return
        edits, added_by = self._session.edits, self._added_by
        self.close_card()
        if is_escaped and added_by is not None and edits.undo_id == added_by:
            edits.undo()

    def _choose_corner(self, finding: Finding) -> None:
        """The corner opposite to the strongest evidence of the finding's class; without any, below right."""
        reading = self._workspace.reading
        cam = reading.flags.stored_cam(finding.kind, reading.place.frame_index)
        self._corner = (False, False)
        if cam is not None and np.isfinite(cam).any():
            row, column = divmod(int(np.nanargmax(cam)), cam.shape[1])
            self._corner = (2 * column >= cam.shape[1], 2 * row >= cam.shape[0])

    def _place(self) -> None:
        """In a corner without the strongest evidence, if possible where the card hides no text of the recording."""
        is_left, is_top = self._corner
        for corner in (self._corner, (is_left, not is_top), (not is_left, is_top), self._corner):
            self.card.put(*corner)
            if self._workspace.player.frame_view.is_blank(QRectF(self.card.geometry())):
                return

    def _frame_changed(self, frame_index: int) -> None:
        finding = self.card.form.shown
        if finding is not None and not has_frame(finding, frame_index):
            self.close_card()

    def _annotations_changed(self, edit: Edit | None) -> None:
        """Show the finding as it is now; one that was removed has no card."""
        shown, reading = self.card.form.shown, self._session.reading
        if shown is None or reading is None or (edit is not None and not edit.touches(Finding)):
            return
        now = next((each for each in reading.entries.findings if each.finding_id == shown.finding_id), None)
        self.card.form.show_finding(now)
        if now is None:
            self.close_card()
        else:
            self._place()
