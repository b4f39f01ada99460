"""Runs and models: the window that shows them all, and what can be done with one."""

import shutil
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QTimer

from training.errors import UserError
from training.runs.reporter import Reporter
from wce_desktop.core.language import tr, tr_count
from wce_desktop.features.models import model_comparison, runs_window
from wce_desktop.features.models.markdown_card import write_markdown_card
from wce_desktop.library import Model, run_files, unfinished_runs
from wce_desktop.library.exchange import outside_runs
from wce_desktop.library.lineage import Family, what_depends_on
from wce_desktop.library.models import export_model
from wce_desktop.library.runs import Run
from wce_desktop.session import keys, presets
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import basic, comparison, dialogs
from wce_desktop.widgets.change_pictures import ChangePictures
from wce_desktop.workspace import Connections, Feature, Scorer, Workspace


class Trainings(Protocol):
    """The part of `features.learning` used here."""

    @property
    def prepared(self) -> Sequence[Run]:
        """The runs whose inputs are being written; they have no job yet."""

    @property
    def unfinished(self) -> Sequence[unfinished_runs.Unfinished]:
        """The training runs that can be resumed."""

    def resume(self, run_id: str) -> None:
        """Resume a training run or a cross-validation."""

    def cross_validate(self, model_id: str) -> None:
        """Cross-validate a model."""

    def new_experiment(self) -> None:
        """Ask for an experiment and run it."""

    def show_task(self, task: presets.Task, run_id: str = "") -> None:
        """Show the settings of a training task, with a pretrained model to start from."""

    def use_model(self, model_id: str) -> None:
        """Use a model."""

    def library_changed(self, deleted: str = "") -> None:
        """Models or runs were added or deleted; `deleted` names the deleted one."""


class ModelsFeature(Feature):
    """Shows runs and models, compares two, copies them out and deletes them."""

    own_actions = ("choose_model", "export_model")

    def __init__(
        self, workspace: Workspace, trainings: Trainings, scorer: Scorer, show_errors: Callable[[str], object]
    ) -> None:
        """`show_errors`: of the run of this name."""
        super().__init__(workspace)
        self._show_errors = show_errors
        self._trainings, self._scorer = trainings, scorer
        self._pair: tuple[Model, Model] | None = None
        self._comparison = model_comparison.ModelComparison()
        self._comparing = FunctionThread(
            self, workspace.guard(self._show_comparison), lambda outcome: self.dialog.compare.say(tr(str(outcome)))
        )
        self._dialog: runs_window.RunsWindow | None = None
        self._curves = FunctionThread(self, lambda curves: self.dialog.curves.show_curves(curves))
        self._copying = FunctionThread(
            self, lambda path: workspace.show_message(tr("Exported to {path}.", path=path)), workspace.show_failure
        )
        self._adding = FunctionThread(self, workspace.guard(self._run_added), workspace.show_failure)
        self._soon = QTimer(self, singleShot=True, interval=0)  # after the other listeners of the job
        self._soon.timeout.connect(workspace.guard(self.refresh))
        workspace.jobs.ended.connect(lambda _: self._soon.start())
        session = self._session
        self._connections = Connections(
            (session.model_changed, self._refresh_soon),
            (session.study_opened, self._refresh_soon),
            (session.study_closed, self._refresh_soon),
            (session.runs_changed, self.refresh),
        )

    def _refresh_soon(self) -> None:
        self._soon.start()

    # The window

    @property
    def dialog(self) -> runs_window.RunsWindow:
        """The window of runs and models, made when first needed."""
        if self._dialog is None:
            classes = {known.name: known for known in self._session.vocabulary}
            settings = self._session.settings
            self._dialog = runs_window.RunsWindow(classes, settings["run_columns"], self._workspace.window)
            guard, dialog = self._workspace.guard, self._dialog
            dialog.chosen_changed.connect(guard(self._follow_choice))
            dialog.pages.currentChanged.connect(guard(self._compare_chosen))
            dialog.tree.opened.connect(guard(self._open))
            dialog.tree.columns_changed.connect(lambda columns: settings.set("run_columns", columns))
            dialog.add.clicked.connect(guard(self.import_model))
            dialog.add_run.clicked.connect(guard(self.import_run))
            dialog.experiment.clicked.connect(guard(self._trainings.new_experiment))
            for button, step in (
                (dialog.use, self.use),
                (dialog.export, self.export),
                (dialog.delete, self.delete),
                (dialog.resume, self.resume),
                (dialog.finetune, partial(self._trainings.show_task, "finetune")),
                (dialog.group, self.group_by),
                (dialog.places, self.compare_by),
                (dialog.cross_validate, self._trainings.cross_validate),
                (dialog.errors, self._show_errors),
            ):
                button.clicked.connect(guard(lambda *_, of=button, step=step: step(str(of.property("item")))))
            dialog.compare.score.clicked.connect(guard(self._score_missing))
            flags = dialog.compare.flags
            flags.event_chosen.connect(guard(self._workspace.go_to_frame))
            self._pictures = ChangePictures(self._session, self._workspace.thumbnails.get)
            flags.picture = self._pictures.picture
            self._workspace.thumbnails.arrived.connect(lambda _: flags.show_pictures())
        return self._dialog

    def choose_model(self) -> None:
        """Show all runs and models, the one in use chosen."""
        dialogs.bring_to_front(self.dialog)
        self.refresh()
        self.dialog.tree.setFocus()

    def refresh(self) -> None:
        """Read the list again, where it is on screen."""
        if self._dialog is not None and self._dialog.isVisible():
            family, studies = Family.of(self._session.library), self._session.library.studies.all()
            patients = {study.patient_id: study.pseudonym for study in studies if study.pseudonym}
            self._dialog.card.names = patients | {study.study_id: study.shown_name for study in studies}
            self._dialog.show_family(family, self._live(), self._resumable(family))

    def _live(self) -> frozenset[str]:
        """The runs with a waiting, running or prepared job."""
        return self._workspace.jobs.written_names | {run.run_id for run in self._trainings.prepared}

    def _resumable(self, family: Family) -> frozenset[str]:
        live = self._live()
        trainings = {item.run.run_id for item in self._trainings.unfinished}
        evaluations = {run.run_id for run in family.runs.values() if unfinished_runs.can_resume_evaluation(run)}
        return frozenset((trainings | evaluations) - live)

    # What is chosen

    def _follow_choice(self) -> None:
        """Read the curves of what is chosen, and compare where two are."""
        family, chosen = self.dialog.family, self.dialog.chosen
        runs = {run.run_id: run for item in chosen if (run := family.run_of(item)) is not None}
        titles = [run.title for run in runs.values()]
        folders = {  # runs with equal titles also get their date and time
            run.title if titles.count(run.title) == 1 else f"{run.title}, {run.created_utc[:19]}": run.folder
            for run in runs.values()
        }
        basic.show_text(self.dialog.curves.note, tr("Reading the curves…"))
        self._curves.request(lambda _: {title: run_files.read_curves(folder) for title, folder in folders.items()})
        self._compare_chosen()

    def _compare_chosen(self, _: int = 0) -> None:
        """Measure the two chosen models on the same labels, while that page is on screen."""
        page, chosen = self.dialog.compare, self.dialog.chosen
        if len(chosen) != 2 or self.dialog.pages.currentWidget() is not page:
            return
        first, second = (self.dialog.family.model_of(item) if isinstance(item, Run) else item for item in chosen)
        if first is None or second is None or first == second:
            page.say(tr("Only models can be evaluated; for runs, settings and curves are compared."))
            return
        page.say(tr("Evaluating both on the labels of the library…"))
        self._pair, self._comparison, session = (first, second), model_comparison.ModelComparison(), self._session
        self._comparing.request(
            lambda reporter: model_comparison.compare_models(session, first, second, reporter.check)
        )

    def _show_comparison(self, found: model_comparison.ModelComparison) -> None:
        self._comparison, reading = found, self._session.reading
        assert self._pair is not None
        self.dialog.compare.show_comparison(found)
        changes = model_comparison.changed_flags(self._session, *self._pair)
        if reading is not None and changes is not None:
            seconds = reading.index.video_seconds
            self._pictures.show(*(model.model_id for model in self._pair))
            rows = [comparison.FlagChange(kind, event, float(seconds[event.peak_frame])) for kind, event in changes]
            self.dialog.compare.show_flags(reading.study.shown_name, rows)

    def _score_missing(self) -> None:
        """Queue the scorings that the comparison needs."""
        models = {model.model_id: model for model in self._pair or ()}
        for study_id, model_id in self._comparison.unscored:
            study, model = self._session.library.studies.get(study_id), models[model_id]
            if not self._scorer.is_scoring(study, model_id):
                title = tr("scoring {study} with {model}", study=study.shown_name, model=model.title)
                self._scorer.submit_score(study, model, title)
        text = tr_count(
            "{count} scoring queued; compare again when it is done.",
            "{count} scorings queued; compare again when it is done.",
            len(self._comparison.unscored),
        )
        self._workspace.show_message(text)

    # What can be done with one

    def _open(self, name: str) -> None:
        """Enter on a model takes it into use."""
        item = self.dialog.family.find(name)
        if isinstance(item, Model) and not item.is_current:
            self.use(name)

    def use(self, model_id: str) -> None:
        """Use a model."""
        self._trainings.use_model(model_id)
        self.refresh()

    def import_model(self) -> None:
        """Ask for a model folder and copy it into the library; the model in use does not change."""
        self._workspace.add_model(self.dialog, self._model_added)

    def _model_added(self, model: Model) -> None:
        self._trainings.library_changed()
        self.refresh()
        self.dialog.tree.choose([model.model_id])

    def import_run(self) -> None:
        """Ask for a run folder of the shell and copy it into the library, its model too."""
        chosen = self._workspace.files.ask_folder(self.dialog, "models", tr("Add a run folder"))
        if chosen is not None:
            outside_runs.check_run(chosen)
            self._workspace.show_message(tr("Copying {model}…", model=chosen.name))
            library, classes = self._session.library, self._session.vocabulary.names
            self._adding.request(lambda _: outside_runs.add_run(library, chosen, classes))

    def _run_added(self, run: Run) -> None:
        self._trainings.library_changed()
        self._session.runs_changed.emit()
        self.refresh()
        self.dialog.tree.choose([run.run_id])
        models = [model for model in self._session.library.models.all() if model.run_id == run.run_id]
        sentences = [tr("{item} was added.", item=run.title), *(model.renamed_text for model in models)]
        self._workspace.show_message(" ".join(filter(None, sentences)))

    def export_model(self) -> None:
        """Copy the folder of the model in use to another place."""
        model = self._session.current_model
        if model is not None:
            self.export(model.model_id)

    def export(self, model_id: str) -> None:
        """Copy a model folder to another place."""
        model = Family.of(self._session.library).models[model_id]
        title = tr("Export {model} into", model=model.title)
        chosen = self._workspace.files.ask_folder(self._workspace.window, "models", title)
        if chosen is not None:
            self._workspace.show_message(tr("Copying {model}…", model=model.title))

            def copied(_: Reporter) -> Path:
                target = export_model(model, chosen)
                write_markdown_card(model, target)
                return target

            self._copying.request(copied)

    def resume(self, run_id: str) -> None:
        """Resume a training run or a cross-validation."""
        self._trainings.resume(run_id)
        self.refresh()

    def group_by(self, run_id: str) -> None:
        """Let a re-identification model group flags."""
        self._session.scores.group_by(run_id)
        title = Family.of(self._session.library).runs[run_id].title
        self._workspace.show_message(tr("“{model}” groups flags into findings from now on.", model=title))

    def compare_by(self, run_id: str) -> None:
        """Let a clip model compare places."""
        self._session.scores.compare_by(run_id)
        title = Family.of(self._session.library).runs[run_id].title
        key = keys.key_of("find_place")
        text = tr("“{model}” compares places from now on. Search for a place with {key}.", model=title, key=key)
        self._workspace.show_message(text)

    def delete(self, name: str) -> None:
        """Delete a model or a run, after saying what depends on it."""
        library = self._session.library
        family = Family.of(library)
        item = family.find(name)
        if item is None:
            raise UserError("That is no longer in the library.")
        starts = {start for run in self._trainings.prepared for start in (run.base_model_id, run.base_run_id)}
        read = {str(job.spec.config.get(key) or "") for job in self._workspace.jobs.open for key in ("model", "init")}
        if name in self._live() | starts or item.folder in map(Path, read):  # by a job that scores or starts with it
            raise UserError(
                "{item} is being used by a job.", "Stop the job first ({key}).", item.title, keys.key_of("show_jobs")
            )
        scored = sum(scoring.model_id == name for scoring in library.models.scorings())
        if not self._may_delete(item, what_depends_on(family, item, scored)):
            return
        if isinstance(item, Model):
            library.models.delete(name)
        else:
            library.runs.delete(name)
            shutil.rmtree(run_files.inputs_folder(item.folder), ignore_errors=True)
        self._trainings.library_changed(deleted=name)
        self._session.runs_changed.emit()
        self._workspace.show_message(tr("{item} was deleted.", item=item.title))

    def _may_delete(self, item: Model | Run, depends: list[str]) -> bool:
        """Ask; `Cancel` is what Enter presses."""
        more = "\n\n".join([*depends, tr("This cannot be undone.")])
        question = tr("Delete {item}?", item=item.title)
        return dialogs.agrees(self.dialog, tr("Delete"), question, tr("Delete"), more=more)
