"""Values guessed from file names: a pattern, a preview of what it finds, and nothing set before *Set*."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6 import QtWidgets
from PySide6.QtGui import QColor

from training.errors import UserError
from wce_desktop.core import counted, to_translate, tr, tr_count
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.study import Study
from wce_desktop.features.patients.name_pattern import EXAMPLE, NAMES, Guess, NamePattern, facts_of
from wce_desktop.features.patients.record_fields import FIELDS, Value, shown
from wce_desktop.widgets import basic, dialogs, theme, window_size
from wce_desktop.widgets.plain_text import plain

EXPLANATION = to_translate(
    "Write the name of a file with placeholders: {names}. * stands for anything, / separates folders. "
    "A date may have a form: {form}.\n"
    "Example: {example} finds patient K123, date 2026-03-14 and capsule SB3 in K123_20260314_SB3.mp4."
)
TITLES = {field.name: field.title for field in FIELDS}


@dataclass(frozen=True)
class GuessRow:
    """One study of the preview."""

    study: Study
    record: Record
    guess: Guess

    @property
    def note(self) -> str:
        """Why nothing is set, or what is replaced."""
        if self.guess.problem:
            return self.guess.problem
        old = {name: shown(getattr(self.record, name)) for name in self.guess.values}
        lost = [old[name] for name, value in self.guess.values.items() if old[name] and old[name] != shown(value)]
        return tr("replaces {values}", values=", ".join(lost)) if lost else ""


class GuessDialog(window_size.DialogBase):
    """Asks for a pattern; `values` is what it finds in the names."""

    def __init__(
        self,
        studies: Sequence[Study],
        records: Mapping[str, Record],
        chosen: Sequence[str],
        pattern: str,
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__(tr("Fill from file names"), 920, 560, parent=parent)
        self._studies, self._records = studies, records
        self._chosen = frozenset(chosen)
        self.rows: list[GuessRow] = []
        self.pattern = QtWidgets.QLineEdit(pattern or EXAMPLE)
        self.pattern.setAccessibleName(tr("Pattern"))
        self.few = QtWidgets.QRadioButton(counted(len(chosen), "chosen study"))
        self.every = QtWidgets.QRadioButton(tr_count("all {count} study", "all {count} studies", len(studies)))
        self.by_name, self.by_file = (
            QtWidgets.QRadioButton(tr("file names, by the pattern")),
            QtWidgets.QRadioButton(tr("what the files say")),
        )
        self.preview = QtWidgets.QTableWidget(0, 1)
        self.said = basic.make_text(theme.COLORS.muted)
        self.set = basic.make_button(tr("Set"), tr("Set these values; one step for undo"))
        self.set.setProperty("primary", True)
        self._arrange()
        (self.few if self._chosen else self.every).setChecked(True)
        self.few.setEnabled(bool(self._chosen))
        self.by_name.setChecked(True)
        basic.as_row_list(self.preview, tr("Preview"))
        self.preview.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.NoSelection)
        self.pattern.textEdited.connect(lambda _: self.refresh())
        for group in self._groups:
            group.buttonClicked.connect(lambda _: self.refresh())
        dialogs.LeavesReturn(self)
        self.pattern.setFocus()
        self.refresh()

    def _arrange(self) -> None:
        self._groups, form = (QtWidgets.QButtonGroup(self), QtWidgets.QButtonGroup(self)), basic.Form()
        for group, title, buttons in zip(
            self._groups,
            (tr("Studies"), tr("From")),
            ((self.few, self.every), (self.by_name, self.by_file)),
            strict=True,
        ):
            for button in buttons:
                group.addButton(button)
            form.addRow(title, basic.in_row(*buttons, 1, spacing=16))
        names = ", ".join(f"{{{name}}}" for name in NAMES)
        explanation = basic.make_note(tr(EXPLANATION, names=names, form="{date:%d.%m.%Y}", example=EXAMPLE))
        form.addRow(tr("Pattern"), basic.in_column(self.pattern, explanation, margins=0, spacing=4))
        foot = basic.in_row((self.said, 1), dialogs.accept_buttons(self, self.set))
        basic.in_column(form, (self.preview, 1), foot, of=self)

    @property
    def values(self) -> dict[str, Mapping[str, Value]]:
        """What was found, by study and field; studies whose names say nothing are left out."""
        return {row.study.study_id: row.guess.values for row in self.rows if not row.guess.problem}

    def refresh(self) -> None:
        """Guess again, and show what is found."""
        self.rows = []
        self.pattern.setEnabled(self.by_name.isChecked())
        try:
            wanted = [each for each in self._studies if self.every.isChecked() or each.study_id in self._chosen]
            pattern = NamePattern(self.pattern.text()) if self.by_name.isChecked() else None
            for study in wanted:
                guess = pattern.guess(study.path) if pattern else facts_of(study.path)
                self.rows.append(GuessRow(study, self._records[study.study_id], guess))
            self._say(self._summary(), is_problem=not self.values)
        except UserError as error:
            self._say(tr(error), is_problem=True)
        self._fill()
        self.set.setText(tr_count("Set {count} study", "Set {count} studies", len(self.values)))
        self.set.setEnabled(bool(self.values))

    def _summary(self) -> str:
        result, asked = len(self.values), len(self.rows)
        if not result and self.by_name.isChecked():
            return tr("The pattern fits none of the names.")
        left = asked - result
        message = tr("{studies} will be set.", studies=counted(result, "study"))
        return f"{message} {tr('{count} will stay as they are.', count=left)}" if left else message

    def _say(self, sentence: str, *, is_problem: bool) -> None:
        basic.set_color(self.said, theme.COLORS.warning if is_problem else theme.COLORS.muted)
        self.said.setText(sentence)

    def _fill(self) -> None:
        named = {name for row in self.rows for name in row.guess.values}
        fields = [field.name for field in FIELDS if field.name in named]
        table = self.preview
        table.setColumnCount(len(fields) + 2)
        table.setHorizontalHeaderLabels([tr("File"), *(tr(TITLES[name]) for name in fields), tr("Note")])
        table.setRowCount(len(self.rows))
        for number, row in enumerate(self.rows):
            result = [shown(row.guess.values.get(name)) for name in fields]
            for column, text in enumerate((row.study.path.name, *result, row.note)):
                item = QtWidgets.QTableWidgetItem(text)
                item.setToolTip(plain(text))
                if row.guess.problem:
                    item.setForeground(QColor(theme.COLORS.warning if column else theme.COLORS.muted))
                table.setItem(number, column, item)
        header = table.horizontalHeader()
        header.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(len(fields) + 1, QtWidgets.QHeaderView.ResizeMode.Stretch)
