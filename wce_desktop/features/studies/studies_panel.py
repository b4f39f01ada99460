"""The STUDIES panel: all studies of the library with their reading progress."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QResizeEvent
from PySide6.QtWidgets import QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from wce_desktop.core import counted, format_time, tr
from wce_desktop.core.study import Study
from wce_desktop.core.worklist import patient_text
from wce_desktop.library import Library
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, theme
from wce_desktop.widgets.plain_text import plain

MARGIN_PX = 5
STUDY_ROLE = Qt.ItemDataRole.UserRole
PATIENT_ROLE = Qt.ItemDataRole.UserRole + 1
PRESENT_ROLE = Qt.ItemDataRole.UserRole + 2


class StudyDelegate(QStyledItemDelegate):
    """Paints one study: a mark for its state, its patient, date and name, and a line on its state."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As high as the lines."""
        lines = 1 + min(len(index.data(STUDY_ROLE).name_parts), 2)
        return QSize(160, 2 * MARGIN_PX + lines * option.fontMetrics.lineSpacing())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a row."""
        study = index.data(STUDY_ROLE)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(theme.COLORS.selected))
        self._paint_mark(painter, QRect(rect.left() + 6, rect.center().y() - 5, 10, 10), study)
        line = rect.adjusted(24, MARGIN_PX, -6, 0)
        line.setHeight(option.fontMetrics.lineSpacing())
        first, *rest = study.name_parts
        painter.setPen(QColor(theme.COLORS.text))
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, _fitting(painter, (first,), line))
        painter.setPen(QColor(theme.COLORS.muted))
        small = QFont(painter.font())
        small.setPointSizeF(small.pointSizeF() * 0.9)
        painter.setFont(small)
        readers = index.data(PRESENT_ROLE)  # in place of the state, which the mark shows
        state = tr("read by {readers} now", readers=readers) if readers else study.state_text
        if rest:
            line.translate(0, line.height())
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, _fitting(painter, rest, line))
        line.translate(0, line.height())
        state = painter.fontMetrics().elidedText(state, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, state)
        painter.restore()

    def _paint_mark(self, painter: QPainter, rect: QRect, study: Study) -> None:
        """An empty ring for new, a full one for scored, a filling one while read, a tick when finished."""
        painter.setPen(QColor(theme.COLORS.muted if study.state == "finished" else theme.COLORS.accent))
        if study.state == "finished":
            painter.drawText(rect.adjusted(-4, -4, 4, 4), Qt.AlignmentFlag.AlignCenter, "✓")
            return
        painter.drawEllipse(rect)
        painter.setBrush(QColor(theme.COLORS.accent))
        if study.state == "scored":
            painter.drawEllipse(rect.adjusted(3, 3, -3, -3))
        elif study.state == "reading":
            painter.drawPie(rect, 90 * 16, -int(max(study.seen_share, 0.1) * 360) * 16)


def _fitting(painter: QPainter, parts: Sequence[str], line: QRect) -> str:
    """The parts in one line; the last one is shortened where it has no room."""
    *others, last = parts
    before, metrics = "".join(f"{part} · " for part in others), painter.fontMetrics()
    room = line.width() - metrics.horizontalAdvance(before)
    return before + metrics.elidedText(last, Qt.TextElideMode.ElideMiddle, room)


def describe_study(study: Study, patient: str, *, is_missing: bool) -> str:
    """A study in five lines: name, patient, progress, length, path; and whether its video is missing."""
    lines = [
        study.shown_name,
        tr("Patient: {patient}", patient=patient),
        study.state_text,
        f"{counted(study.frame_count, 'frame')}, {format_time(study.duration_seconds)}",
    ]
    lines.append(tr("{path}\nThe video was not found.", path=study.path) if is_missing else str(study.path))
    return "\n".join(lines)


def with_second_readings(library: Library) -> list[Study]:
    """All studies, each followed by the readings of its second readers."""
    second: dict[str | None, list[Study]] = {}
    for reading in library.studies.second_readings():
        second.setdefault(reading.second_of, []).append(reading)
    return [each for study in library.studies.all() for each in (study, *second.get(study.study_id, ()))]


class StudiesPanel(QWidget):
    """The list of studies; one is opened by a click or Enter."""

    study_chosen = Signal(object)
    menu_requested = Signal(object, QPoint)
    """Study and screen position of a right click on its row, after highlighting it."""

    def __init__(self, session: Session, asking: FunctionThread) -> None:
        """`asking` looks whether the videos are there: a share may answer late."""
        super().__init__()
        self._session, self._asking = session, asking
        asking.returned.connect(self._note_missing)
        self._to_ask: dict[str, Study] = {}
        self._missing: dict[str, bool] = {}  # whether a study's video was not there when it was asked for
        self._open_id = ""
        self._list = basic.make_list(tr("Studies"))
        self._list.setItemDelegate(StudyDelegate(self._list))
        self._list.itemClicked.connect(lambda item: self.study_chosen.emit(item.data(STUDY_ROLE)))
        self._list.itemActivated.connect(lambda item: self.study_chosen.emit(item.data(STUDY_ROLE)))
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._ask_for_menu)
        self._empty = basic.make_note(tr("No studies yet.\nDrop a video or a folder here."), is_centered=True)
        heading = basic.make_heading(tr("STUDIES"))
        basic.in_column(heading, (self._empty, 1), (self._list, 1), of=self, margins=(8, 10, 8, 4))
        self.refresh()

    def refresh(self) -> None:
        """Show the library's studies and which one is open; the study that is highlighted stays so."""
        studies = with_second_readings(self._session.library)
        chosen = self.highlighted
        for row, study in enumerate(studies):
            item = self._list.item(row) or QListWidgetItem(self._list)
            patient = patient_text(study.pseudonym, study.patient_id)
            if (item.data(STUDY_ROLE), item.data(PATIENT_ROLE)) != (study, patient):
                item.setText(study.shown_name)
                item.setData(STUDY_ROLE, study)
                item.setData(PATIENT_ROLE, patient)
                self._describe(item)
                self._to_ask[study.study_id] = study
        while self._list.count() > len(studies):
            self._list.takeItem(self._list.count() - 1)
        if self._to_ask:
            asked = tuple(self._to_ask.values())
            self._asking.request(lambda _: {study.study_id: not is_there(study.path) for study in asked})
        self._choose([study.study_id for study in studies], chosen.study_id if chosen is not None else "")
        self._list.setVisible(bool(studies))
        self._empty.setVisible(not studies)

    def _describe(self, item: QListWidgetItem) -> None:
        study = item.data(STUDY_ROLE)
        is_missing = self._missing.get(study.study_id, False)
        item.setToolTip(plain(describe_study(study, item.data(PATIENT_ROLE), is_missing=is_missing)))

    def _note_missing(self, missing: Mapping[str, bool]) -> None:
        self._missing |= missing
        self._to_ask.clear()
        for row in range(self._list.count()):
            self._describe(self._list.item(row))

    def show_present(self) -> None:
        """Show who else has a study open."""
        for row in range(self._list.count()):
            item = self._list.item(row)
            item.setData(PRESENT_ROLE, self._session.read_now_by(item.data(STUDY_ROLE).recording_id))

    def refresh_open(self) -> None:
        """Show how far the open study is read now; the library is not asked for all others."""
        reading = self._session.reading
        item = self._list.currentItem()
        if reading is None or item is None or item.data(STUDY_ROLE).study_id != reading.study.study_id:
            self.refresh()
            return
        item.setData(STUDY_ROLE, reading.study)
        self._describe(item)

    @property
    def is_empty(self) -> bool:
        """Whether the library has no studies."""
        return self._list.count() == 0

    def _choose(self, study_ids: Sequence[str], chosen: str) -> None:
        """Choose the study that is open, when another one was opened; else the one that was chosen, wherever it is."""
        if self._session.open_id != self._open_id:
            self._open_id = chosen = self._session.open_id
        row = study_ids.index(chosen) if chosen in study_ids else -1
        if row != self._list.currentRow():
            self._list.setCurrentRow(row)
            self._show_highlighted()

    def _show_highlighted(self) -> None:
        """Keep all lines of the highlighted study in sight."""
        if (item := self._list.currentItem()) is not None:
            self._list.scrollToItem(item)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep it in sight in a lower window, too."""
        super().resizeEvent(event)
        self._show_highlighted()

    def step(self, rows: int) -> Study | None:
        """Highlight the study so many rows below the highlighted one, and return it; None at the end of the list."""
        row = self._list.currentRow() + rows
        if not 0 <= row < self._list.count():
            return None
        self._list.setCurrentRow(row)
        return self.highlighted

    @property
    def highlighted(self) -> Study | None:
        """The study of the highlighted row."""
        item = self._list.currentItem()
        return item.data(STUDY_ROLE) if item else None

    def _ask_for_menu(self, at: QPoint) -> None:
        item = self._list.itemAt(at)
        if item is not None:
            self._list.setCurrentItem(item)
            self.menu_requested.emit(item.data(STUDY_ROLE), self._list.viewport().mapToGlobal(at))
