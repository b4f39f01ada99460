"""The audit log as a table with filters, one line in full, what is stored of it, and a table for other programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from training.errors import writing
from training.files.csv_text import write_csv
from wce_desktop.core import counted, in_english, local_time, to_translate, tr
from wce_desktop.features.audit.sentences import full_sentence, known_as, sentence, with_names
from wce_desktop.library.audit import AuditEntry
from wce_desktop.widgets import basic, inputs, plain_text, window_size

COLUMNS = ("when_utc", "reader", "study_id", "what", "action", "kind", "item_id", "model_id")


def search_text(entry: AuditEntry) -> str:
    """Everything of a line that words are looked for in, in small letters."""
    parts = (
        entry.when_utc, entry.reader, entry.title, entry.action, entry.kind, entry.model_id or "",
        entry.study_id or "", sentence(entry),
    )  # fmt: skip
    return " ".join(parts).casefold()


def matching(
    entries: Iterable[AuditEntry],
    *,
    study_id: str = "",
    reader: str = "",
    words: str = "",
    text: Callable[[AuditEntry], str] = search_text,
) -> list[AuditEntry]:
    """The lines of a study and a reader ("" for all) that hold all of these words, newest first.

    `text` gives what words are looked for in; a window keeps it from one key press to the next.
    """
    wanted = words.casefold().split()
    return [
        entry
        for entry in reversed(list(entries))
        if (not study_id or entry.study_id == study_id)
        and (not reader or entry.reader == reader)
        and all(word in text(entry) for word in wanted)
    ]


def write_log(entries: Sequence[AuditEntry], path: Path) -> None:
    """Write lines as CSV: who did what to which item, as a sentence. Names of studies and files, free text and what is
    known of a patient are left out.

    Raises:
        UserError: the file cannot be written.
    """
    with writing(path), in_english():
        rows = (
            (
                entry.when_utc, entry.reader, entry.study_id or "", sentence(entry, with_contents=False),
                entry.action, entry.kind, entry.item_id, entry.model_id or "",
            )
            for entry in entries
        )  # fmt: skip
        write_csv(path, COLUMNS, rows, clean=True)


HEADER = (to_translate("When"), to_translate("Reader"), to_translate("Study"), to_translate("What was done"))
MOST_ROWS = 5000
"""Of more, the newest are shown; the export has all."""


class AuditWindow(window_size.DialogBase):
    """Does not block the main window; emits `export_requested` with the lines that the filters let through."""

    export_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Audit log"), 980, 620, parent=parent)
        self._entries: Sequence[AuditEntry] = ()
        self._names: Mapping[str, str] = {}
        self._found: list[AuditEntry] = []
        self.studies, self.readers = _choice(tr("Study")), _choice(tr("Reader"))
        self.words = QtWidgets.QLineEdit()
        self.words.setPlaceholderText(tr("Words, such as polyp or 2026-11"))
        self.words.setAccessibleName(tr("Words to look for"))
        self.words.setClearButtonEnabled(True)
        self.table = QtWidgets.QTableWidget(0, len(HEADER))
        self.details = QtWidgets.QPlainTextEdit()
        self.raw = QtWidgets.QCheckBox(tr("Show what is &stored"))
        self.raw.setToolTip(tr("The item before and after the change, as the library stores it (JSON)"))
        self._texts: dict[int, str] = {}
        self._count = basic.make_note()
        self.export = basic.make_button(
            tr("Export…"), tr("Save the lines shown as a table (CSV), without names of studies and contents")
        )
        for box in (self.studies, self.readers):
            box.currentIndexChanged.connect(self._filter)
        self.words.textChanged.connect(self._filter)
        self.raw.toggled.connect(lambda _: self._show_details(self.table.currentRow()))
        self.export.clicked.connect(lambda: self.export_requested.emit(self._found))
        basic.as_row_list(self.table, tr("Audit log"), [tr(title) for title in HEADER])
        header = self.table.horizontalHeader()
        header.setStretchLastSection(True)
        for column, width in enumerate((150, 110, 220)):
            self.table.setColumnWidth(column, width)
        self.table.currentCellChanged.connect(self._show_details)
        self.details.setReadOnly(True)
        self.details.setAccessibleName(tr("The chosen line in full"))
        self.details.setPlaceholderText(tr("Choose a line to read it in full."))
        top = basic.in_row((self.studies, 2), (self.readers, 1), (self.words, 2))
        foot = basic.in_row((self._count, 1), self.raw, self.export)
        basic.in_column(top, (self.table, 3), (self.details, 1), foot, of=self)

    def show_entries(self, entries: Sequence[AuditEntry], names: Mapping[str, str], study_id: str) -> None:
        """Show the log.

        Args:
            entries: oldest first.
            names: what studies, models and runs are called, by their ids.
            study_id: show only this study's lines at first; "" for all.
        """
        self._entries, self._names, self._texts = entries, names, {}
        study_ids = list(dict.fromkeys(entry.study_id for entry in entries if entry.study_id))
        studies = [(known_as(study_id, names), study_id) for study_id in study_ids]
        basic.fill_box(self.studies, [(tr("All studies"), ""), *studies], study_id)
        readers = sorted({entry.reader for entry in entries if entry.reader})
        basic.fill_box(self.readers, [(tr("All readers"), ""), *((reader, reader) for reader in readers)], "")
        self._filter()

    def _filter(self) -> None:
        study_id, reader = self.studies.currentData() or "", self.readers.currentData() or ""
        self._found = matching(
            self._entries, study_id=study_id, reader=reader, words=self.words.text(), text=self._text
        )
        shown = self._found[:MOST_ROWS]
        self.table.setColumnHidden(2, bool(study_id))  # it is named above
        self.table.setRowCount(0)
        self.table.setRowCount(len(shown))
        for number, entry in enumerate(shown):
            study = known_as(entry.study_id or "", self._names)
            texts = (
                local_time(entry.when_utc, has_seconds=True),
                entry.reader,
                study,
                sentence(with_names(entry, self._names)),
            )
            plain_text.fill_row(self.table, number, texts)
        message = counted(len(self._found), "line")
        self._count.setText(
            message
            if len(shown) == len(self._found)
            else tr("The newest {shown} of {lines} are shown.", shown=MOST_ROWS, lines=message)
        )
        self.export.setEnabled(bool(self._found))
        self._show_details(-1)

    def _show_details(self, row: int, *_: int) -> None:
        entry = self._found[row] if 0 <= row < min(len(self._found), MOST_ROWS) else None
        if entry is None:
            self.details.setPlainText("")
            return
        study = known_as(entry.study_id or "", self._names)
        parts = [
            full_sentence(with_names(entry, self._names), local_time(entry.when_utc, has_seconds=True), study),
            tr("Part of the step “{title}”.", title=tr(entry.title)),
        ]
        if self.raw.isChecked():
            sides = ((tr("Before"), entry.before), (tr("After"), entry.after))
            parts += [f"{name}: {json.dumps(each, ensure_ascii=False, indent=1)}" for name, each in sides if each]
        self.details.setPlainText("\n".join(parts))

    def _text(self, entry: AuditEntry) -> str:
        """What words are looked for in, kept: a long log is searched at every key press."""
        if entry.audit_id not in self._texts:
            self._texts[entry.audit_id] = search_text(with_names(entry, self._names))
        return self._texts[entry.audit_id]


def _choice(name: str) -> QtWidgets.QComboBox:
    box = inputs.ComboBox()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box
