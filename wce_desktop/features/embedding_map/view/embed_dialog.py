"""Dialog that asks for the pretrained model, space and studies to embed for a map."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QVBoxLayout, QWidget

from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.embedding_map.model.map_sources import SPACES
from wce_desktop.library.work import Run
from wce_desktop.session.keys import with_keys
from wce_desktop.session.study_choice import StudyRow
from wce_desktop.widgets.basic import make_button, make_heading, make_text
from wce_desktop.widgets.inputs import ComboBox
from wce_desktop.widgets.study_table import StudyTable
from wce_desktop.widgets.theme import MUTED, WARNING
from wce_desktop.widgets.window_size import fit_to_screen

NO_RUN = to_translate("There is no pretrained model yet. Train one: Train, Pretrain and fine-tune ({train}).")
NOTE = to_translate("Takes as long as scoring. When it is done, choose the pretrained model under “Embeddings of”.")


class EmbedDialog(QDialog):
    """Non-modal; `embed_requested` carries the run, the space, and the ids of the ticked studies."""

    embed_requested = Signal(object, str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Compute embeddings with a pretrained model"))
        fit_to_screen(self, 560, 420)
        self._runs: Sequence[Run] = ()
        self.run, self.space = ComboBox(), ComboBox()
        for space, title in SPACES.items():
            self.space.addItem(tr(title), space)
        self.studies = StudyTable()
        self.studies.setAccessibleName(tr("Studies to compute embeddings for"))
        self.problem, note = make_text(WARNING), make_text(MUTED)
        note.setText(tr(NOTE))
        self.start = make_button(tr("Compute"), tr("Queue one job for each study (Ctrl+Enter)"))
        self.start.setProperty("primary", True)
        self.start.setShortcut("Ctrl+Return")
        self.start.clicked.connect(self._ask)
        form = QFormLayout()
        for title, box in ((tr("&Pretrained model"), self.run), (tr("&Embeddings"), self.space)):
            box.setAccessibleName(title.replace("&", ""))
            form.addRow(title, box)
        foot = QHBoxLayout()
        foot.addWidget(self.problem, 1)
        foot.addWidget(self.start)
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(make_heading(tr("STUDIES")))
        column.addWidget(self.studies, 1)
        column.addWidget(note)
        column.addLayout(foot)

    def show_choices(self, runs: Sequence[Run], rows: Sequence[StudyRow]) -> None:
        """Offer these, every study ticked."""
        self._runs = runs
        self.run.clear()
        for run in runs:
            self.run.addItem(run.title, run.run_id)
        self.studies.set_rows(rows, {row.study.study_id for row in rows})
        self.problem.setText("" if runs else with_keys(tr(NO_RUN)))
        self.start.setEnabled(bool(runs))

    def _ask(self) -> None:
        at = self.run.currentIndex()
        if 0 <= at < len(self._runs):
            self.embed_requested.emit(self._runs[at], str(self.space.currentData()), self.studies.chosen)
