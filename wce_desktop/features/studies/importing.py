"""Importing embeddings or scores that another program computed: of which study and model they are, and the job."""

from collections.abc import Sequence
from pathlib import Path

from PySide6 import QtWidgets
from PySide6.QtCore import QRegularExpression, Qt
from PySide6.QtGui import QRegularExpressionValidator

from training.errors import UserError
from training.models.config import MODEL_ID
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.study import Study, names_apart
from wce_desktop.library.run_files import is_imported
from wce_desktop.session.work import import_job
from wce_desktop.threads.job import Job
from wce_desktop.widgets import basic, dialogs, inputs, theme, window_size
from wce_desktop.widgets.plain_text import plain
from wce_desktop.workspace import Part, Workspace

FILES = to_translate("Tables (*.npy *.npz *.h5 *.hdf5 *.parquet *.csv *.tsv);;All files (*)")


class OwnEmbeddingsDialog(window_size.DialogBase):
    """Asks of which study and model a file is."""

    def __init__(
        self,
        file: Path,
        studies: Sequence[Study],
        models: Sequence[str],
        open_id: str,
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        """`models`: ids of those whose embeddings were imported before, newest first."""
        super().__init__(tr("Import embeddings or scores"), 560, parent=parent)
        named = next((s.study_id for s in studies if file.stem in (s.study_id, s.title, s.path.stem)), open_id)
        self.study = inputs.ComboBox()
        basic.fill_box(self.study, [(name, study_id) for study_id, name in names_apart(studies).items()], named)
        self.model = inputs.ComboBox()
        self.model.setEditable(True)
        self.model.addItems(list(models))
        field = self.model.lineEdit()
        assert field is not None
        field.setPlaceholderText(tr("such as {example}", example="dinov2-vits14"))
        self.model.setToolTip(plain(tr("One model for all studies whose embeddings the same network computed")))
        self.uses = QtWidgets.QCheckBox(tr("&Take the model into use"))
        self.uses.setChecked(True)
        note = basic.make_text(theme.COLORS.muted)
        note.setText(
            tr(
                "Map, similar frames, timeline and live scores use them. The model has no network: it cannot score "
                "other studies or explain a frame."
            )
        )
        self.go_on = basic.make_button(tr("&Import"), tr("Check the file and bring it into the library"))
        self.go_on.setProperty("primary", True)
        field.setValidator(QRegularExpressionValidator(QRegularExpression(MODEL_ID), field))
        self.model.editTextChanged.connect(lambda _: self.go_on.setEnabled(field.hasAcceptableInput()))
        self.go_on.setEnabled(bool(models))
        form = basic.Form()
        shown = basic.make_text(text=file.name)
        form.addRow(tr("File"), shown)
        form.addRow(tr("&Study"), self.study)
        form.addRow(tr("&Model"), self.model)
        form.addRow("", self.uses)
        basic.in_column(form, note, 1, dialogs.accept_buttons(self, self.go_on), of=self)
        self.go_on.setDefault(True)
        if not models:
            self.model.setFocus()


class Importing(Part):
    """One import at a time: its model may be new, and is there once it has ended."""

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self._job: Job | None = None

    def import_embeddings(self) -> None:
        """Ask for a file, and of which study and model it is; import it in a job."""
        library, window = self._session.library, self._workspace.window
        studies = library.studies.all()
        if not studies:
            raise UserError("The library has no study.", "Open the study of these embeddings first.")
        if self._job is not None:
            raise UserError("Another import is still running.", "Wait until it is done.")
        library.check_writable(tr("an import"))
        file = self._workspace.files.ask_file(window, "models", tr("Embeddings or scores of a study"), tr(FILES))
        if file is None:
            return
        models = [model.model_id for model in reversed(library.models.all()) if is_imported(model)]
        dialog = OwnEmbeddingsDialog(file, studies, models, self._session.open_id, window)
        dialog.accepted.connect(self._workspace.guard(lambda: self._begin(file, dialog)))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _begin(self, file: Path, dialog: OwnEmbeddingsDialog) -> None:
        study, model_id = self._session.library.studies.get(str(dialog.study.currentData())), dialog.model.currentText()
        is_used = dialog.uses.isChecked()
        self._job = job = self._workspace.jobs.submit(import_job(self._session, study, file, model_id))
        job.ended.connect(self._workspace.guard(lambda ended: self._end(ended, study, model_id, is_used)))

    def _end(self, job: Job, study: Study, model_id: str, is_used: bool) -> None:
        self._job = None
        if job.outcome is None or job.outcome.kind != "done":
            return
        library = self._session.library
        library.models.register(library.folder / "models" / model_id)
        self._session.scores.scored(study.study_id, model_id)
        if is_used and self._session.model_id != model_id:
            self._session.scores.use_model(model_id)
        self._session.runs_changed.emit()
        text = tr("{model} is imported for {study}.", model=model_id, study=study.shown_name)
        self._workspace.show_message(text)
