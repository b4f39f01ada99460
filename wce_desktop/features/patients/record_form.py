"""The parts of the window of patient records: the studies to choose from, and the fields of those chosen."""

from collections.abc import Collection, Mapping, Sequence

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QObject, Qt, Signal
from PySide6.QtGui import QColor

from training.errors import UserError
from wce_desktop.core.annotation.record import SEXES, Record
from wce_desktop.core.identity import is_random_id
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.features.patients.record_fields import FIELDS, RecordField, shown
from wce_desktop.widgets import basic, inputs, theme
from wce_desktop.widgets.plain_text import PlainLabel, plain

COLUMNS = (
    to_translate("Study"),
    to_translate("Patient"),
    to_translate("Born"),
    to_translate("Date"),
    to_translate("Capsule"),
)
NOT_ENTERED = to_translate("not entered")
_ID = Qt.ItemDataRole.UserRole


class RecordTable(QtWidgets.QTableWidget):
    """A row for each study; Shift and Ctrl choose several."""

    chosen_changed = Signal()

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(0, len(COLUMNS), parent)
        basic.as_row_list(self, tr("Studies and their patients"), [tr(title) for title in COLUMNS])
        self.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QtWidgets.QHeaderView.ResizeMode.Stretch)
        header.setMinimumSectionSize(header.sectionSizeHint(0))
        self._studies: Sequence[Study] = ()
        self.itemSelectionChanged.connect(self.chosen_changed)

    def show_studies(self, studies: Sequence[Study], records: Mapping[str, Record]) -> None:
        """Show these studies; what was chosen stays so."""
        chosen = self.chosen
        self._studies = tuple(studies)
        self.setRowCount(len(studies))
        for number, study in enumerate(studies):
            record = records[study.study_id]
            patient = record.pseudonym or _given_id(record) or tr(NOT_ENTERED)
            texts = (study.name, patient, shown(record.birth_year), record.exam_date)
            for column, text in enumerate((*texts, record.capsule)):
                item = QtWidgets.QTableWidgetItem(text)
                item.setData(_ID, study.study_id)
                item.setToolTip(plain(f"{study.name}\n{study.path}" if column == 0 else text))
                if column == 1 and not record.is_named:
                    item.setForeground(QColor(theme.COLORS.muted))
                self.setItem(number, column, item)
        self.choose(chosen)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The ids of the studies in the chosen rows, from top to bottom."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        return tuple(str(item.data(_ID)) for row in rows if (item := self.item(row, 0)) is not None)

    def choose(self, study_ids: Collection[str]) -> None:
        """Choose the rows of these studies and no others."""
        model, wanted = self.selectionModel(), QItemSelection()
        rows = [number for number, study in enumerate(self._studies) if study.study_id in study_ids]
        for row in rows:
            wanted.select(self.model().index(row, 0), self.model().index(row, len(COLUMNS) - 1))
        if rows:
            model.setCurrentIndex(self.model().index(rows[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        model.select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def choose_folder(self) -> None:
        """Choose all studies whose files lie in a folder of a chosen one."""
        chosen = set(self.chosen)
        folders = {study.path.parent for study in self._studies if study.study_id in chosen}
        self.choose([study.study_id for study in self._studies if study.path.parent in folders])


def _given_id(record: Record) -> str:
    """What an import, or the demo, calls a patient without a name; empty for an id that was made up here."""
    return "" if is_random_id(record.patient_id) else record.patient_id


SEVERAL = to_translate("(several values)")
"""Stands in a field of several studies whose values differ; it stays unless something is typed."""
_SEX_TITLES = {"": "", "female": to_translate("female"), "male": to_translate("male"), "other": to_translate("other")}


class RecordForm(QtWidgets.QWidget):
    """Shows records and holds what was typed since; the values of several studies where they agree."""

    changed = Signal()
    """Something was typed or chosen."""
    left = Signal()
    """The focus leaves a field."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, str | None] = {}
        self.fields: dict[str, QtWidgets.QLineEdit | QtWidgets.QComboBox] = {}
        layout = basic.Form(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for record_field in FIELDS:
            widget = inputs.ComboBox() if record_field.name == "sex" else self._line(record_field)
            if isinstance(widget, inputs.ComboBox):
                widget.activated.connect(lambda _: self.changed.emit())
            widget.setToolTip(plain(tr(record_field.tip)))
            widget.setAccessibleName(tr(record_field.title))
            widget.installEventFilter(self)
            self.fields[record_field.name] = widget
            label = PlainLabel(tr(record_field.title))
            label.setBuddy(widget)
            layout.addRow(label, widget)

    def _line(self, record_field: RecordField) -> QtWidgets.QLineEdit:
        edit = QtWidgets.QLineEdit()
        edit.textEdited.connect(lambda _: self.changed.emit())
        if record_field.name == "exam_date":
            edit.setPlaceholderText(tr("YYYY-MM-DD"))
        return edit

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say that the focus leaves a field."""
        if event.type() == QEvent.Type.FocusOut:
            self.left.emit()
        return super().eventFilter(watched, event)

    def show_records(self, records: Sequence[Record]) -> None:
        """Show what these records have in common; what was typed is forgotten."""
        for record_field in FIELDS:
            values = {shown(getattr(record, record_field.name)) for record in records}
            text = values.pop() if len(values) == 1 else None
            self._shown[record_field.name] = text if records else ""
            self._show(self.fields[record_field.name], self._shown[record_field.name], record_field)
        given = {_given_id(record) for record in records}
        if len(given) == 1 and (name := given.pop()):
            self.fields["pseudonym"].setPlaceholderText(name)
        self.setEnabled(bool(records))

    def _show(
        self, field: QtWidgets.QLineEdit | QtWidgets.QComboBox, text: str | None, record_field: RecordField
    ) -> None:
        if isinstance(field, QtWidgets.QComboBox):
            several = [(tr(SEVERAL), SEVERAL)] if text is None else []
            sexes = ((tr(_SEX_TITLES[sex]), sex) for sex in SEXES)
            basic.fill_box(field, (*several, *sexes), SEVERAL if text is None else text)
            return
        field.setModified(False)
        if field.hasFocus() and _means(field.text(), text, record_field):
            return  # what is being typed stays as it is
        usual = tr("YYYY-MM-DD") if record_field.name == "exam_date" else ""
        field.setText(text or "")
        field.setPlaceholderText(tr(SEVERAL) if text is None else usual)

    def keep(self, typed: Mapping[str, str]) -> None:
        """These texts are saved as they were typed; they stay, and are no longer among `typed`."""
        self._shown.update(typed)

    @property
    def typed(self) -> Mapping[str, str]:
        """The texts of the fields that were changed, by field of `Record`."""
        values = {}
        for name, field in self.fields.items():
            text = str(field.currentData() or "") if isinstance(field, QtWidgets.QComboBox) else field.text()
            is_edited = text != SEVERAL if isinstance(field, QtWidgets.QComboBox) else field.isModified()
            if is_edited and text != self._shown.get(name):
                values[name] = text
        return values


def _means(typed: str, text: str | None, record_field: RecordField) -> bool:
    """Whether what was typed is what the library has: without needless spaces, with the date in its order."""
    try:
        return shown(record_field.parse(typed)) == text
    except UserError:
        return False
