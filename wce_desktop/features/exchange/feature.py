"""Export and import of labels and boxes, and of reports. An import is shown and confirmed before anything changes."""

from collections.abc import Callable, Collection
from functools import partial
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from training.datasets.public.catalogue import recognised
from training.datasets.public.layout import DataSet
from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.runs.events import Outcome
from training.runs.reporter import Cancelled, Reporter
from wce_desktop.core import counted, number_text, tr, tr_count
from wce_desktop.core.annotation.vocabulary import Vocabulary, with_new_classes
from wce_desktop.features.exchange.export_dialogs import ExportDialog, ReportDialog
from wce_desktop.features.exchange.images_dialog import ImagesDialog
from wce_desktop.features.exchange.images_review import added_sentence
from wce_desktop.features.exchange.import_dialogs import AnswersDialog, ImportDialog
from wce_desktop.features.exchange.import_review import importable_names, review_lines, source_notes
from wce_desktop.library import exchange
from wce_desktop.library.exchange.clinical.exporting import check_report_files, export_reports
from wce_desktop.session.classes import change_vocabulary
from wce_desktop.session.dicom_child import read_in_child, write_in_child
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs, waiting
from wce_desktop.widgets.plain_text import MessageBox, free_text_question, wants_free_text
from wce_desktop.workspace import Feature, Workspace

Read = exchange.ImportPlan | tuple[exchange.Survey, Callable[..., exchange.ImportPlan]]
"""A plan; or what has to be asked before, and what plans then."""
MOST_LINES = 12
"""Limit for small screens."""
MOST_NOTES = 3
"""Sentences about what is left out that one message has room for."""


def import_question(parent: QWidget | None, plan: exchange.ImportPlan, vocabulary: Vocabulary) -> QMessageBox:
    """A dialog that asks whether to apply an import plan; not by default."""
    about, notes = review_lines(plan, vocabulary), source_notes(plan)
    is_long = len(plan.lines) > MOST_LINES
    examples = plan.examples[:MOST_NOTES]
    shown = [*(about or plan.lines[: MOST_LINES - len(examples)]), *examples] if is_long else [*plan.lines, *about]
    box = MessageBox(parent, tr("Import labels"), "\n\n".join(["\n".join(shown), tr("Import this?")]))
    if is_long or notes:
        box.setDetailedText("\n\n".join([*notes, "\n".join(plan.lines)]))
    box.set_answers(tr("Import"))
    return box


def comments_question(parent: QWidget | None, count: int) -> MessageBox:
    """A dialog that asks whether the free text of so many findings is exported, too; not by default."""
    return free_text_question(
        parent,
        tr("Export labels"),
        tr_count(
            "{count} finding has a comment or other words of a reader. Such text may name a patient. Export it, too?",
            "{count} findings have comments or other words of a reader. Such text may name a patient. Export it, too?",
            count,
        ),
    )


class ExchangeFeature(Feature):
    """Works in a thread: a public data set of 47,000 images takes 15 seconds, an export of pictures longer."""

    own_actions = ("export_labels", "import_labels", "export_clinical")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        workspace.images_at = lambda path: None if self._session.library.read_only else self._images_at(path)
        self._waiting = waiting.Waiting(workspace.window)
        self._show: Callable[..., object] = workspace.show_message
        """Takes what the work in the thread returns."""
        self._thread = FunctionThread(
            self, returned=workspace.guard(self._end), failed=self._fail, progressed=self._waiting.show_progress
        )

    def close(self) -> None:
        """Stop background work."""
        super().close()
        self._waiting.end()

    def _start(
        self,
        title: str,
        words: str,
        work: Callable[[Reporter], object],
        show: Callable[..., object],
        stopped: str = "",
    ) -> None:
        """Begin work in the thread; `show` takes its result.

        Args:
            title, words: of the dialog meanwhile.
            stopped: said at once where the reader stops the work; empty: it ends by itself and returns what is done.
        """
        self._show = show
        self._waiting.begin(title, words, partial(self._cancel, stopped) if stopped else self._thread.stop)
        self._thread.request(work)

    def _end(self, result: object) -> None:
        self._waiting.end()
        self._show(result)

    def _cancel(self, stopped: str) -> None:
        self._thread.cancel()
        self._waiting.end()
        self._workspace.show_message(stopped)

    def _fail(self, outcome: Outcome) -> None:
        self._waiting.end()
        self._session.edits.reload()  # studies imported before the failure stay
        self._session.studies_changed.emit()
        if outcome.kind == "cancelled":
            self._workspace.show_message(tr("Stopped. Files that were written already stay."))
        else:
            self._workspace.show_failure(outcome)

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    # Export

    def export_labels(self) -> None:
        """Ask for format and studies, then for a folder, and write."""
        dialog = ExportDialog(self._session.open_id, len(self._session.library.studies.all()), self._workspace.window)
        dialog.accepted.connect(self._workspace.guard(partial(self._export, dialog)))
        self._open(dialog)

    def _export(self, asked: ExportDialog) -> None:
        studies, format_ = (asked.study_id,) if asked.study_id else None, asked.format
        with_normal, has_paths = asked.with_normal.isChecked(), asked.has_paths
        chosen = self._workspace.files.ask_folder(self._workspace.window, "labels", tr("Export into this folder"))
        if chosen is None:
            return
        self._session.save_seen()
        if format_.name == "csv":
            self._export_tables(chosen, studies, has_paths=has_paths)
            return
        place = place_for_export(chosen, format_.name)
        library, names = self._session.library, importable_names(self._session.vocabulary)
        self._start(
            tr("Export"),
            tr("Writing {format}…", format=tr(format_.title)),
            lambda reporter: exchange.export_annotations(
                library, place, format_, names, studies, with_normal=with_normal, reporter=reporter
            ),
            lambda summary: self._show_written(summary, MOST_NOTES),
            tr("Nothing was exported."),
        )

    def _export_tables(self, folder: Path, studies: Collection[str] | None, *, has_paths: bool) -> None:
        """Ask whether comments and other free text are written, too, then write."""
        library = self._session.library
        shown = studies or [study.study_id for study in library.studies.all()]
        findings = [finding for study_id in shown for finding in library.annotations.findings(study_id)]
        with_text = sum(finding != finding.without_free_text() for finding in findings)
        has_free_text = wants_free_text(comments_question(self._workspace.window, with_text)) if with_text else False
        if has_free_text is None:
            return
        write = partial(exchange.export_library, library, folder, studies, has_free_text=has_free_text)
        try:
            self._show_written(write(has_paths=has_paths))
        except ForeignFileError as error:
            if self._may_replace(error, tr("Export labels")):
                self._show_written(write(has_paths=has_paths, overwrite=True))

    def _may_replace(self, error: ForeignFileError, title: str) -> bool:
        question = f"{tr(error.message)}\n\n{tr('Replace the files in this folder?')}"
        return dialogs.agrees(self._workspace.window, title, question, tr("Replace"), by_default=True)

    def _show_written(self, summary: exchange.ExportSummary, most_notes: int | None = None) -> None:
        self._workspace.show_message(" ".join([summary.sentence, *summary.notes[:most_notes]]))

    def export_clinical(self) -> None:
        """Ask for formats and a folder, and write the report of the open study as DICOM and FHIR."""
        reading, library, vocabulary = self._session.reading, self._session.library, self._session.vocabulary
        if reading is None:
            return
        window, studies = self._workspace.window, (reading.study.study_id,)
        findings = library.annotations.findings(reading.study.study_id)
        dialog = ReportDialog(len(findings), sum(bool(finding.comment) for finding in findings), window)
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return
        folder = self._workspace.files.ask_folder(window, "reports", tr("Export the report into this folder"))
        if folder is None:
            return
        formats, has_free_text, overwrite = dialog.formats, dialog.free_text.isChecked(), False
        try:
            check_report_files(folder, studies, formats)
        except ForeignFileError as error:
            if not (overwrite := self._may_replace(error, tr("Export report"))):
                return
        write = partial(export_reports, library, folder, formats, vocabulary, studies, write=write_in_child)
        self._start(
            tr("Export report"),
            tr("Writing the report…"),
            lambda reporter: write(has_free_text=has_free_text, overwrite=overwrite, reporter=reporter),
            self._show_written,
        )

    # Import

    def import_labels(self) -> None:
        """Ask for a file or folder, show what would be imported, and import it after confirmation."""
        dialog = ImportDialog(self._workspace.files, self._workspace.window)
        dialog.path_chosen.connect(self._workspace.guard(self._read))
        self._open(dialog)

    def _read(self, path: Path) -> None:
        library, names = self._session.library, importable_names(self._session.vocabulary)
        if (data_set := recognised(path)) is not None:
            self._read_published(path, data_set)
            return
        if (offer := self._images_at(path)) is not None:
            offer(None)
            return

        def read(reporter: Reporter) -> Read:
            files = exchange.find_annotations(path, reporter)
            if not files:
                return exchange.plan_import(
                    library, path, names, reporter, report_reader=lambda place: read_in_child(place, reporter)
                )
            asked = exchange.survey(files, library.studies.all(), names, exchange.AnnotationChoice())
            plan = partial(exchange.plan_annotations, library, path, files, names)
            return (asked, plan) if asked.needs_answers else plan(None, reporter)

        self._plan(tr("Reading what would be imported…"), read)

    def _read_published(self, path: Path, data_set: DataSet) -> None:
        """Ask where the studies of a public data set are to be, write them there, and go on as with other files."""
        library, names = self._session.library, importable_names(self._session.vocabulary)
        library.check_writable("an import")
        title = tr("Folder for the studies of {title}", title=data_set.title)
        chosen = self._workspace.files.ask_folder(self._workspace.window, "studies", title)
        if chosen is not None:
            place = place_for_export(chosen, data_set.name)
            plan = partial(exchange.plan_published, library, path, data_set, place, names)
            self._plan(tr("Reading {title}…", title=data_set.title), plan)

    # Labelled images

    def _images_at(self, path: Path) -> Callable[[Callable[[], object] | None], None] | None:
        """What offers to import a folder, or a table, of labelled images; None where the path is something else."""
        data_set = exchange.reader_for(path, importable_names(self._session.vocabulary))
        return None if data_set is None else partial(self._offer_images, path, data_set)

    def _offer_images(self, path: Path, data_set: DataSet, open_plain: Callable[[], object] | None) -> None:
        """Read labelled images and ask what to import.

        Args:
            open_plain: opens the images without their labels, where that is offered, too.
        """
        self._session.library.check_writable("an import")
        self._start(
            tr("Import labelled images"),
            tr("Reading the images…"),
            lambda reporter: exchange.read_labelled_folder(path, data_set, reporter),
            partial(self._ask_about_images, open_plain=open_plain),
            tr("Nothing was imported."),
        )

    def _ask_about_images(self, folder: exchange.LabelledFolder, open_plain: Callable[[], object] | None) -> None:
        vocabulary, guard = self._session.vocabulary, self._workspace.guard
        dialog = ImagesDialog(
            folder,
            importable_names(vocabulary),
            vocabulary,
            may_open=open_plain is not None,
            parent=self._workspace.window,
        )
        dialog.accepted.connect(guard(lambda: self._add_images(folder, dialog.words, dialog.own_classes)))
        dialog.rejected.connect(guard(lambda: open_plain() if dialog.opens_plain and open_plain else None))
        self._open(dialog)

    def _add_images(self, folder: exchange.LabelledFolder, words: exchange.Meanings, own: Collection[str]) -> None:
        library = self._session.library

        def add(reporter: Reporter) -> exchange.Added | None:
            try:
                return exchange.add_labelled_images(library, folder, words, reporter)
            except Cancelled:
                return None

        self._start(tr("Import labelled images"), tr("Importing…"), add, partial(self._show_added, own=own))

    def _show_added(self, added: exchange.Added | None, own: Collection[str]) -> None:
        """Show what was added, and offer to fine-tune the model on it."""
        if added is None:
            self._workspace.show_message(tr("Nothing was imported."))
            return
        if not added.study_ids:
            self._workspace.show_message(tr("The library has these images already. Nothing was imported."))
            return
        self._session.edits.reload()
        self._session.studies_changed.emit()
        if new := [name for name in own if name not in self._session.vocabulary]:
            change_vocabulary(self._session, with_new_classes(self._session.vocabulary, new))
        more = tr("Fine-tune the model on these labels now? You can also do it later: menu Train.")
        box = MessageBox(self._workspace.window, tr("Import labelled images"), added_sentence(added), more)
        finetune = box.addButton(tr("Fine-tune…"), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(tr("Later"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(finetune)
        box.exec()
        is_wanted = box.clickedButton() is finetune
        box.deleteLater()
        if is_wanted:
            self._workspace.menus.run("finetune")

    def _plan(self, words: str, work: Callable[[Reporter], object]) -> None:
        self._start(tr("Import labels"), words, work, self._go_on, tr("Nothing was imported."))

    def _go_on(self, result: Read) -> None:
        """Show a plan, or ask what the annotation files do not say before they are planned."""
        if isinstance(result, exchange.ImportPlan):
            self._ask(result)
            return
        asked, plan = result
        studies, vocabulary = self._session.library.studies.all(), self._session.vocabulary
        if not studies:
            raise UserError("The library has no study yet.", "Open the recording that was annotated first.")
        words = tr("Working out what would change…")
        dialog = AnswersDialog(asked, studies, importable_names(vocabulary), vocabulary, self._workspace.window)
        dialog.accepted.connect(self._workspace.guard(lambda: self._plan(words, partial(plan, dialog.choice))))
        self._open(dialog)

    def _ask(self, plan: exchange.ImportPlan) -> None:
        window, library = self._workspace.window, self._session.library
        if plan.is_empty:
            self._workspace.show_message(" ".join([tr("There is nothing new to import."), *plan.left_out[:MOST_NOTES]]))
        elif import_question(window, plan, self._session.vocabulary).exec() == QMessageBox.StandardButton.Yes:
            self._start(
                tr("Import labels"),
                tr("Importing…"),
                lambda reporter: exchange.apply_import(library, plan, reporter),
                lambda edits: self._show_imported(edits, len(plan.changes)),
            )

    def _show_imported(self, edits: int, wanted: int) -> None:
        self._session.edits.reload()
        self._session.studies_changed.emit()
        message = tr("Imported.")
        if edits < wanted:
            message = tr(
                "Stopped. Imported: {done} of {total}; {key} takes each back.",
                done=number_text(edits),
                total=counted(wanted, "study"),
                key=key_of("undo"),
            )
        elif edits:
            message = tr("Imported. Each study's import can be undone with {key}.", key=key_of("undo"))
        self._workspace.show_message(message)


def place_for_export(chosen: Path, name: str) -> Path:
    """The folder itself where it is empty, else a new one inside of it, called after the format."""
    try:
        is_empty = not any(chosen.iterdir())
    except OSError:
        return chosen  # whatever is wrong with it is said when it is written
    if is_empty:
        return chosen
    places = (chosen / (name if number == 1 else f"{name}-{number}") for number in count(1))
    return next(place for place in places if not place.exists())
