"""After a fine-tuning: the comparison of the new with the current model, and the reader's choice between them."""

import shutil
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.features.learning.model.candidate import Candidate, register_candidate, study_changes
from wce_desktop.features.learning.model.starts import Start
from wce_desktop.features.learning.view.comparison_view import ask_use_worse
from wce_desktop.features.learning.view.finetune_window import FinetuneWindow
from wce_desktop.jobs.job import Job
from wce_desktop.library import Model
from wce_desktop.library.runs.run_files import inputs_folder
from wce_desktop.library.storage.database import now_utc
from wce_desktop.library.work import Run
from wce_desktop.session.reading import Reading
from wce_desktop.widgets.comparison import FlagChange
from wce_desktop.workspace import Scorer, Workspace

if TYPE_CHECKING:
    from wce_desktop.features.learning.finetuning import Finetuning

SHOWN_AFTER_MILLISECONDS = 200  # not while a threshold is dragged


class Comparing(QObject):
    """Registers the new model, scores the open study with it and shows what would change; replaces nothing."""

    def __init__(self, workspace: Workspace, training: "Finetuning", scorer: Scorer) -> None:
        super().__init__(training)
        self._workspace = workspace
        self._session = workspace.session
        self._training, self._scorer = training, scorer
        self._run: Run | None = None
        self._labels_until = ""
        self.job_id = ""
        self.candidate: Candidate | None = None  # until the reader chooses
        self._soon = QTimer(self, singleShot=True, interval=SHOWN_AFTER_MILLISECONDS)
        self._soon.timeout.connect(workspace.guard(self.show_changes))

    def follow(self, dialog: FinetuneWindow) -> None:
        """Connect the buttons of the comparison, and update it with the open study."""
        self._session.study_opened.connect(self._study_opened)
        self._session.study_closed.connect(self.show_changes)
        self._session.events_changed.connect(self._show_changes_soon)
        guard = self._workspace.guard
        dialog.comparison.new_model_chosen.connect(guard(self.use_new))
        dialog.comparison.old_model_kept.connect(guard(self.keep_old))
        dialog.comparison.event_chosen.connect(guard(self._workspace.go_to_frame))

    @property
    def run(self) -> Run | None:
        """The fine-tuning that was started last."""
        return self._run

    def start_run(self, start: Start) -> Run:
        """Add a fine-tuning to the library; labels made from now on are not part of it."""
        library = self._session.library
        self._labels_until = now_utc()
        count = sum(run.kind == "finetune" for run in library.runs.all()) + 1
        self._run = library.runs.add(
            f"Fine-tuned {count}", base_model_id=start.model_id or None, base_run_id=start.run_id or None
        )
        self.candidate = None
        return self._run

    def resume_run(self, run: Run) -> None:
        """Mark a fine-tuning as resumed; it uses the labels that existed when it was first started."""
        self._labels_until = run.created_utc
        self._run = self._session.library.runs.resume(run.run_id)
        self.candidate = None

    def fail_run(self, message: str = "") -> None:
        """Mark the run as failed: its training data could not be written."""
        if self._run is not None:
            self._session.library.runs.finish(self._run.run_id, "failed", {}, message)
            self._run = None

    def finetuning_ended(self, job: Job) -> None:
        """Add the new model to the library and show it beside the old one."""
        outcome, run = job.outcome, self._run
        assert outcome is not None
        if run is None:
            return
        shutil.rmtree(inputs_folder(run.folder), ignore_errors=True)  # the run keeps copies
        message = outcome.message if outcome.kind == "failed" else ""
        self._session.library.runs.finish(run.run_id, outcome.kind, outcome.result or {}, message)
        if outcome.kind != "done":
            return
        self.candidate = register_candidate(self._session, run, self._labels_until)
        if self._workspace.jobs.queue.is_closed:  # the window is closing
            return
        self._training.dialog.comparison.set_comparison(
            self.candidate.comparison,
            self.candidate.old_title,
            self.candidate.model.title,
            is_first=self._session.current_model is None,
        )
        self._training.dialog.show_comparison(takes_focus=False)
        self._score_open_study()

    def _score_open_study(self) -> None:
        """Queue jobs for the missing scores of both models, which the list of changed flags needs."""
        candidate, reading = self.candidate, self._session.reading
        if candidate is not None and reading is not None:
            study, model = reading.study, candidate.model
            if self._session.current_model is not None and reading.flags.scores is None:
                self._scorer.score(study)
            if not self._has_new_scores(study, model) and not self._scorer.is_scoring(study, model.model_id):
                self._scorer.submit_score(
                    study, model, tr("scoring {study} with {model}", study=study.name, model=model.title)
                )
        self.show_changes()

    def _has_new_scores(self, study: Study, model: Model) -> bool:
        return self._session.files(study).has_scores(model.model_id)

    def _study_opened(self) -> None:
        if self._training.dialog.isVisible() and self._training.dialog.is_comparing:
            self._score_open_study()
        self.show_changes()

    def _show_changes_soon(self) -> None:
        self._soon.start()

    def show_changes(self) -> None:
        """Show which flags of the open study appear and disappear, or why that is not known."""
        self._soon.stop()
        candidate, reading = self.candidate, self._session.reading
        view = self._training.dialog.comparison
        if candidate is None:
            view.set_flags_message("")
        elif reading is None:
            view.set_flag_changes("", ())
        elif missing := self._missing_scores(reading, candidate.model):
            view.set_flags_message(missing)
        else:
            seconds = reading.index.video_seconds
            found = study_changes(self._session, candidate)
            events = [FlagChange.of(kind, event, seconds) for kind, event in found.events]
            view.set_flag_changes(reading.study.name, events, found.counts)

    def _missing_scores(self, reading: Reading, model: Model) -> str:
        """A sentence saying which scores of the open study are missing; empty when none are."""
        name, known = reading.study.name, self._has_new_scores(reading.study, model)
        if not known and self._scorer.is_scoring(reading.study, model.model_id):
            return tr("{study} is being scored with the new model…", study=name)
        if not known:
            return tr("{study} has not been scored with the new model.", study=name)
        if reading.flags.scores is None:
            return tr("{study} has no scores of the current model yet.", study=name)
        return ""

    def use_new(self) -> None:
        """Use the new model, after a question if it is worse; the old one stays available."""
        if self.candidate is not None and self._is_wanted(self.candidate):
            chosen, self.candidate = self.candidate.model, None
            self._training.use_model(chosen.model_id)
            self._training.dialog.comparison.set_choice(tr("{model} is in use.", model=chosen.title))
            reading = self._session.reading
            if reading is not None and not self._session.scores.is_scored(reading.study):
                self._scorer.score(reading.study)

    def _is_wanted(self, candidate: Candidate) -> bool:
        """Ask before a worse model is used; False too if it was deleted meanwhile."""
        if candidate.verdict.get("kind") != "worse" or self._session.current_model is None:
            return True
        dialog = self._training.dialog
        is_sure = ask_use_worse(candidate.verdict.get("sentence", ""), candidate.model.title, dialog)
        return is_sure and self.candidate is candidate

    def forget(self, model_id: str) -> None:
        """Withdraw the choice: the model was deleted."""
        if self.candidate is not None and self.candidate.model.model_id == model_id:
            self.candidate = None
            self._training.dialog.comparison.set_choice(tr("The new model was deleted. Nothing has changed."))
            self.show_changes()

    def keep_old(self) -> None:
        """Keep the old model; the new one stays in the list."""
        if self.candidate is not None:
            self.candidate = None
            model = self._session.current_model
            self._training.dialog.comparison.set_choice(
                tr("{model} stays in use.", model=model.title) if model else tr("No model is in use.")
            )
