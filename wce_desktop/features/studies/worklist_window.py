"""The window of the worklist: search and status above the table, what can be done with a study below."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLineEdit, QMenu, QTableView, QWidget

from wce_desktop.core import counted, tr, tr_count
from wce_desktop.core.language import number_text
from wce_desktop.core.worklist import STATUS_TITLES, STATUSES, WorklistRow
from wce_desktop.features.studies.worklist_model import COLUMNS, DATE, PATIENT, SUSPECTED, WorklistModel
from wce_desktop.session.completeness.reading_facts import ReadingFacts
from wce_desktop.session.removing import ERASED_AFTER
from wce_desktop.widgets import basic, inputs, key_texts, window_size

WIDTHS = (220, 100, 100, 210, 130, 70, 100, 90, 110)
"""At least; a longer title in another language has its room."""
LEAST_PX = 70
BY_ACTION = ("show_report", "second_reading", "compare_readings", "edit_record", "rename_study")
"""Actions of the main window, with their keys."""
SEVERAL = ("edit_record", "remove", "bring_back")
"""What can be done with several studies at once."""


class WorklistTable(QTableView):
    """A row for each study; Shift and Ctrl choose several, Return opens one."""

    opened = Signal()
    search_requested = Signal()
    removed = Signal()

    def __init__(self, model: WorklistModel) -> None:
        super().__init__()
        self.setModel(model)
        basic.as_row_list(self, tr("Worklist"))
        self.setWordWrap(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 10)
        header = self.horizontalHeader()
        for column, width in zip(range(len(COLUMNS)), WIDTHS, strict=True):
            self.setColumnWidth(column, max(width, header.sectionSizeHint(column)))
        header.setMinimumSectionSize(LEAST_PX)  # of patients, whose column has the room that is left
        header.setSectionResizeMode(PATIENT, QHeaderView.ResizeMode.Stretch)
        self.setSortingEnabled(True)
        self.sortByColumn(DATE, Qt.SortOrder.DescendingOrder)
        self.doubleClicked.connect(lambda _: self.opened.emit())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens, Del removes, a slash searches."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.opened.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.removed.emit()
        elif event.text() == "/":
            self.search_requested.emit()
        else:
            super().keyPressEvent(event)


class WorklistWindow(window_size.DialogBase):
    """Does not block the main window; independent of the library."""

    requested = Signal(str, object)
    """What to do: "open", "files", "remove", "bring_back" or an action of the main window; and ids of studies."""

    def __init__(
        self, add_folder: Callable[[], object], undo: Sequence[QAction], parent: QWidget | None = None
    ) -> None:
        """`add_folder` asks for a folder whose studies are added; `undo` are undo and redo for this window."""
        super().__init__(tr("Worklist"), 1400, 680, parent=parent, flags=Qt.WindowType.Window)
        self.model = WorklistModel()
        self.table = WorklistTable(self.model)
        self.words = QLineEdit(clearButtonEnabled=True)
        self.words.setPlaceholderText(tr("Search patient, study, date or reader (Ctrl+F)"))
        self.words.setAccessibleName(tr("Search the worklist"))
        self.status = inputs.ComboBox()
        self.status.setAccessibleName(tr("Status"))
        titles = [(tr(STATUS_TITLES[status]), status) for status in STATUSES]
        basic.fill_box(self.status, [(tr("Every status"), ""), *titles, (tr("blood suspected"), SUSPECTED)], "")
        self._count, self._message = basic.make_note(), basic.make_text()
        self._message.hide()
        self.addActions(list(undo))
        self._steps = self._make_steps()
        self._add = basic.make_button(tr("Add a folder…"), tr("Add the studies of a folder to the library"), add_folder)
        self._buttons = {
            name: basic.make_button(self._steps[name].text(), tip, self._steps[name].trigger, is_primary=name == "open")
            for name, tip in (
                ("open", tr("Open the chosen study where reading stopped (Return)")),
                ("edit_record", tr("Enter patient, date and reader of the chosen studies")),
                ("remove", tr("Remove the chosen studies; they can be brought back (Del)")),
                ("bring_back", tr("Let the chosen studies be there again, with everything that was entered")),
            )
        }
        top = basic.in_row((self.words, 1), self.status)
        self._menu = QMenu(self)
        self._menu.setAccessibleName(tr("Menu of the chosen studies"))
        self._menu.addActions(list(self._steps.values()))
        more = basic.make_button(tr("More"), tr("Everything that can be done with the chosen studies"))
        more.setMenu(self._menu)
        foot = basic.in_row((self._count, 1), self._add, more, *reversed(self._buttons.values()))
        basic.in_column(top, (self.table, 1), self._message, foot, of=self)
        self._connect()
        self._show_choice()

    def _make_steps(self) -> dict[str, QAction]:
        titles = {
            "open": tr("Open"),
            "show_report": tr("Report…"),
            "second_reading": tr("Read as a second reader…"),
            "compare_readings": tr("Compare two readings…"),
            "edit_record": tr("Patient record…"),
            "rename_study": tr("Rename the study…"),
            "files": tr("Show in the file manager"),
            "remove": tr("Remove"),
            "bring_back": tr("Bring back"),
        }
        steps = {}
        for name, title in titles.items():
            steps[name] = QAction(title, self)
            if name in BY_ACTION:
                key_texts.borrow_key(steps[name], name)
            steps[name].triggered.connect(lambda _=False, name=name: self.requested.emit(name, self.chosen))
        steps["remove"].setShortcut(QKeySequence("Del"))
        self.addActions(list(steps.values()))
        return steps

    def _connect(self) -> None:
        self.words.textChanged.connect(lambda _: self._filter())
        self.words.returnPressed.connect(self._open_match)
        self.status.currentIndexChanged.connect(lambda _: self._filter())
        self.table.opened.connect(self._steps["open"].trigger)
        self.table.search_requested.connect(self.search)
        self.table.removed.connect(self._steps["remove"].trigger)
        self.table.customContextMenuRequested.connect(self._show_menu)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._show_choice())
        self.model.modelReset.connect(self._show_choice)
        QShortcut(QKeySequence.StandardKey.Find, self).activated.connect(self.search)
        self.words.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down in the search field goes on in the table."""
        is_down = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Down
        if is_down and event.type() == QEvent.Type.KeyPress:
            self.go_to_table()
        return is_down and event.type() == QEvent.Type.KeyPress

    def search(self) -> None:
        """Go to the search field."""
        self.words.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.words.selectAll()

    def go_to_table(self) -> None:
        """Go on in the table, at its first row where none is chosen."""
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if self.model.shown and not self.chosen:
            self._choose((self.model.shown[0].study_id,))

    def _open_match(self) -> None:
        """Open the only study that matches the search; of several one is chosen in the table first."""
        self.go_to_table()
        if len(self.model.shown) == 1:
            self._steps["open"].trigger()

    def show_rows(self, rows: Sequence[WorklistRow], study_id: str = "") -> None:
        """Show the studies of the library; those that were chosen stay so.

        Args:
            study_id: to be chosen where none is.
        """
        chosen = self.chosen
        self.model.show_rows(rows)
        self._choose(chosen or (study_id,))

    def note_facts(self, facts: Iterable[tuple[str, ReadingFacts | None]]) -> None:
        """Show what was counted."""
        self.model.note_facts(facts)
        if self.status.currentData() == SUSPECTED:
            self.show_rows(self.model.rows)

    def show_message(self, message: str) -> None:
        """Show what was done, until the next search."""
        self._message.setText(message)
        self._message.setVisible(bool(message))

    def _filter(self) -> None:
        chosen = self.chosen
        self.show_message("")
        self.model.filter(self.words.text(), str(self.status.currentData() or ""))
        self._choose(chosen)

    def _choose(self, study_ids: Sequence[str]) -> None:
        wanted, selection = set(study_ids), QItemSelection()
        rows = [at for at, row in enumerate(self.model.shown) if row.study_id in wanted]
        for at in rows:
            selection.select(self.model.index(at, 0), self.model.index(at, len(COLUMNS) - 1))
        if rows:
            at_first = self.model.index(rows[0], 0)
            self.table.selectionModel().setCurrentIndex(at_first, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.table.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.table.scrollTo(at_first)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the studies in the chosen rows, from top to bottom."""
        return tuple(self.model.shown[row].study_id for row in self._chosen_rows())

    def _chosen_rows(self) -> list[int]:
        """From the ranges: Qt takes half a second to list 10,000 rows one by one."""
        ranges = self.table.selectionModel().selection()
        spans = (ranges.at(number) for number in range(ranges.count()))
        return sorted({row for span in spans for row in range(span.top(), span.bottom() + 1)})

    @property
    def shows_removed(self) -> bool:
        """Whether the removed studies are listed, instead of those that are there."""
        return bool(self.status.currentData() == "removed")

    def _show_choice(self) -> None:
        """Enable what can be done with the chosen studies, and count them."""
        chosen, shown, is_removed = len(self._chosen_rows()), len(self.model.shown), self.shows_removed
        for name, step in self._steps.items():
            has_place = name in ("remove", "bring_back") if is_removed else name != "bring_back"
            step.setVisible(has_place)
            step.setEnabled(has_place and (chosen == 1 or (chosen > 1 and name in SEVERAL)))
        self._add.setVisible(not is_removed)
        self._steps["remove"].setText(tr("Erase…") if is_removed else tr("Remove"))
        for name, button in self._buttons.items():
            button.setEnabled(self._steps[name].isEnabled())
            button.setVisible(self._steps[name].isVisible())
            button.setText(self._steps[name].text())
        if is_removed:
            days = number_text(ERASED_AFTER.days)
            text = tr_count(
                "{count} removed study. It is erased after {days} days.",
                "{count} removed studies. Each is erased {days} days after it was removed.",
                shown,
                days=days,
            )
            self._count.setText(text if shown else tr("No removed study."))
            return
        studies = sum(not row.removed_utc for row in self.model.rows)
        if not studies:
            self._count.setText(tr("No studies yet. Add a folder, or drop one into the main window."))
            return
        if not shown:
            self._count.setText(tr("No study matches. Change the words or the status above."))
            return
        text = tr("{shown} of {studies}", shown=number_text(shown), studies=counted(studies, "study"))
        more = tr("{count} chosen", count=number_text(chosen)) if chosen else ""
        self._count.setText("  ·  ".join(filter(None, (text, more))))

    def _show_menu(self, at: QPoint) -> None:
        if self.table.indexAt(at).isValid():
            self._menu.popup(self.table.viewport().mapToGlobal(at))
