"""The fields of the patient record of one or several studies."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLineEdit, QWidget

from training.errors import UserError
from wce_desktop.core.annotation.record import SEXES, Record
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.patients.model.fields import FIELDS, RecordField, shown
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.plain_text import PlainLabel, plain

SEVERAL = to_translate("(several values)")
"""Stands in a field of several studies whose values differ; it stays unless something is typed."""
_SEX_TITLES = {"": "", "female": to_translate("female"), "male": to_translate("male"), "other": to_translate("other")}


class RecordForm(QWidget):
    """Shows records and holds what was typed since; the values of several studies where they agree."""

    changed = Signal()
    """Something was typed or chosen."""
    left = Signal()
    """The focus leaves a field."""

    def __init__(self) -> None:
        super().__init__()
        self._shown: dict[str, str | None] = {}
        self.fields: dict[str, QLineEdit | QComboBox] = {}
        layout = QFormLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        layout.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        layout.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for known in FIELDS:
            made = self._combo() if known.name == "sex" else self._line(known)
            made.setToolTip(plain(tr(known.tip)))
            made.setAccessibleName(tr(known.title))
            made.installEventFilter(self)
            self.fields[known.name] = made
            label = PlainLabel(tr(known.title))
            label.setBuddy(made)
            layout.addRow(label, made)

    def _line(self, known: RecordField) -> QLineEdit:
        made = QLineEdit()
        made.textEdited.connect(lambda _: self.changed.emit())
        if known.name == "exam_date":
            made.setPlaceholderText(tr("YYYY-MM-DD"))
        return made

    def _combo(self) -> QComboBox:
        made = ComboBox()
        made.activated.connect(lambda _: self.changed.emit())
        return made

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say that the focus leaves a field."""
        if event.type() == QEvent.Type.FocusOut:
            self.left.emit()
        return super().eventFilter(watched, event)

    def show_records(self, records: Sequence[Record]) -> None:
        """Show what these records have in common; what was typed is forgotten."""
        for known in FIELDS:
            values = {shown(getattr(record, known.name)) for record in records}
            text = values.pop() if len(values) == 1 else None
            self._shown[known.name] = text if records else ""
            self._show(self.fields[known.name], self._shown[known.name], known)
        self.setEnabled(bool(records))

    def _show(self, field: QLineEdit | QComboBox, text: str | None, known: RecordField) -> None:
        if isinstance(field, QComboBox):
            field.clear()
            if text is None:
                field.addItem(tr(SEVERAL), SEVERAL)
            for sex in SEXES:
                field.addItem(tr(_SEX_TITLES[sex]), sex)
            field.setCurrentIndex(field.findData(SEVERAL if text is None else text))
            return
        field.setModified(False)
        if field.hasFocus() and _means(field.text(), text, known):
            return  # what is being typed stays as it is
        usual = tr("YYYY-MM-DD") if known.name == "exam_date" else ""
        field.setText(text or "")
        field.setPlaceholderText(tr(SEVERAL) if text is None else usual)

    def keep(self, typed: Mapping[str, str]) -> None:
        """These texts are saved as they were typed; they stay, and are no longer among `typed`."""
        self._shown.update(typed)

    @property
    def typed(self) -> Mapping[str, str]:
        """The texts of the fields that were changed, by field of `Record`."""
        found = {}
        for name, field in self.fields.items():
            text = str(field.currentData() or "") if isinstance(field, QComboBox) else field.text()
            if isinstance(field, QComboBox):
                is_changed = text != SEVERAL and text != self._shown.get(name)
            else:
                is_changed = field.isModified() and text != self._shown.get(name)
            if is_changed:
                found[name] = text
        return found


def _means(typed: str, text: str | None, known: RecordField) -> bool:
    """Whether what was typed is what the library has: without needless spaces, with the date in its order."""
    try:
        return shown(known.parse(typed)) == text
    except UserError:
        return False
