"""Scoring of the open study, of all new ones, and of added files; flags of what is scored so far."""

import contextlib
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QTimer

from training.embeddings.writer import partial_path, partial_scores
from training.errors import UserError
from training.inference.scores_so_far import NAME, ScoredRows, read_rows
from training.models.folder import CONFIG, read_config
from training.planning.needs import scoring_needs
from training.planning.speed_book import SCORE
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from training.video import NUMBERING, FrameIndex, build_index, fingerprints_of
from wce_desktop.core import counted, needs
from wce_desktop.core.event import Scores
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.library import Model
from wce_desktop.session.keys import key_of
from wce_desktop.session.work import can_score, score_job, studies_to_score
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.threads.job import Job
from wce_desktop.widgets import dialogs
from wce_desktop.workspace import Connections, Part, Workspace

SHOWN_EVERY_MILLISECONDS = 1000  # finding the events of 500,000 frames takes a part of it


class ScoresSoFar(Part):
    """Collects what running jobs have scored, and shows it in the open study once a second at most."""

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self._rows: dict[tuple[str, str], list[ScoredRows]] = {}
        self._later = QTimer(self, singleShot=True, interval=SHOWN_EVERY_MILLISECONDS)
        self._later.timeout.connect(self.show)
        self._stopped = FunctionThread(self, returned=workspace.guard(lambda stopped: self._take(*stopped)))
        session = self._session
        self._connections = Connections(
            (session.study_opened, self._show_soon), (session.model_changed, self._show_soon)
        )

    def add(self, study_id: str, model_id: str, rows: ScoredRows) -> None:
        """Keep further scores of a study by a model; the open study shows them soon, the first ones at once."""
        held = self._rows.setdefault((study_id, model_id), [])
        if held and held[0].classes != rows.classes:
            held.clear()  # started again with another classifier
        held.append(rows)
        reading = self._session.reading
        if reading is not None and reading.study.study_id == study_id and not self._later.isActive():
            if not reading.flags.is_partial:
                self.show()
            self._later.start()

    def show(self) -> None:
        """Show what is there of the open study by the model in use."""
        reading = self._session.reading
        if reading is None:
            return
        study_id, model_id = reading.study.study_id, self._session.model_id
        if held := self._rows.get((study_id, model_id)):
            self._take(study_id, model_id, held)
        elif reading.flags.scores is None and model_id and not self._session.scores.is_being_scored:
            path, recording = self._session.files(reading.study).scores_path(model_id), reading.study.fingerprint
            self._stopped.request(lambda _: (study_id, model_id, _stopped_rows(path, recording)))

    def _take(self, study_id: str, model_id: str, held: list[ScoredRows]) -> None:
        if held and (scores := _joined(held)) is not None:
            self._session.scores.show_so_far(study_id, model_id, scores)

    def _show_soon(self) -> None:
        """The study that was opened may be scored in part by the model; its views are not all there yet."""
        self._later.start()

    def forget(self, study_id: str, model_id: str) -> None:
        """The scores are in the library, or were discarded."""
        if self._rows.pop((study_id, model_id), None) is not None:
            self._session.scores.forget_so_far(study_id)


def _stopped_rows(path: Path, recording: str) -> list[ScoredRows]:
    """What a scoring that was stopped, perhaps in an earlier session, has left of a study."""
    with contextlib.suppress(UserError, OSError):  # scoring again says what is wrong with it
        if (kept := partial_scores(path, recording)) is not None:
            return [ScoredRows(0, *kept)]
    return []


def _joined(held: list[ScoredRows]) -> Scores | None:
    """All rows in order of the frames, each frame once; the list becomes one item."""
    frames: NDArray[np.int64] = np.concatenate([np.arange(len(part.scores)) + part.first for part in held])
    values = np.concatenate([part.scores for part in held])
    result, place = np.unique(frames[::-1], return_index=True)  # the newest row of a frame
    values = values[::-1][place]
    if len(result) and result[-1] == result[0] + len(result) - 1:
        held[:] = [ScoredRows(int(result[0]), held[0].classes, values)]
    return Scores(held[0].classes, values, result) if len(result) else None


_NAMED_FAILURES = 3


def _indexed(path: Path, known: Mapping[str, int], reporter: Reporter) -> FrameIndex:
    """The index of a file, by the numbering of the study that it is; `known` has those of the library's contents."""
    newest, *older = fingerprints_of(path)
    numberings = [known[content] for content in older if known.get(content, NUMBERING) < NUMBERING]
    return build_index(path, reporter, numbering=known.get(newest, next(iter(numberings), NUMBERING)))


class Scoring(Part):
    """Queues studies for a model and brings their scores in; files that are added are indexed one after the other."""

    def __init__(self, workspace: Workspace, owner: Part) -> None:
        super().__init__(workspace, owner)
        self._jobs = workspace.jobs
        self._scoring: dict[tuple[str, str], Job] = {}  # study and model, of jobs that have not ended
        self._so_far = ScoresSoFar(workspace, self)
        self._waiting: deque[Path] = deque()
        self._indexing: Path | None = None
        self._thread = FunctionThread(self, workspace.guard(self._take_index), self._keep_failure)
        self._failures: list[UserError] = []  # of the files that are being added

    def score_study(self) -> None:
        """Score the open study."""
        if self._session.reading is not None:
            self.score(self._session.reading.study)

    def score_all(self) -> None:
        """Queue every study that has no scores."""
        scoring, model = self._session.scoring, self._session.current_model
        studies = [
            each for each in studies_to_score(self._session) if (each.study_id, self._session.model_id) not in scoring
        ]
        if not studies:
            self._workspace.show_message(tr("Every study has been scored by this model, or waits for it."))
        elif len(studies) == 1 or model is None or self._agrees(studies, model):
            for study in studies:
                self.score(study)

    def _agrees(self, studies: Sequence[Study], model: Model) -> bool:
        """Say what it takes to score so many studies, and ask."""
        frames, session = sum(study.frame_count for study in studies), self._session
        device, network = session.settings["device"], read_config(model.folder / CONFIG)
        needed = scoring_needs(len(studies), frames, network, device, session.speeds)
        room = needed.disk_bytes, needs.free_bytes(session.library.folder)
        sentences = (
            tr_count(
                "{frames} of {count} study.",
                "{frames} of {count} studies.",
                len(studies),
                frames=counted(frames, "frame"),
            ),
            needs.time_sentence(needed.seconds, needed.doubt),
            needs.room_sentence(*room, needed.memory_bytes),
        )
        if session.settings["score_on"] == "cluster":  # speed and memory are those of this computer
            sentences = sentences[0], tr("They are scored on the cluster."), needs.room_sentence(*room)
        title, accept = tr("Score new studies"), tr("Start scoring")
        return dialogs.agrees(self._workspace.window, title, "\n".join(sentences), accept, by_default=True)

    def score(self, study: Study) -> None:
        """Queue one study for the current model; a study that waits already is not queued twice."""
        model = self._session.current_model
        if model is None:
            raise UserError("There is no model to score with.", "Add one: Train, Add a model folder.")
        if not can_score(self._session, study, model):
            raise UserError(
                "The embeddings of “{model}” were imported: it has no network that could score this study.",
                "Import the embeddings of this study ({key}), or use another model.",
                model.title,
                key_of("import_embeddings"),
            )
        if not self.is_scoring(study, model.model_id):
            self.submit_score(study, model)

    def _score_new(self, study: Study) -> None:
        """Score a study that was just added, where the model in use can and has not."""
        model = self._session.current_model
        if model is not None and not self._session.scores.is_scored(study) and can_score(self._session, study, model):
            self.score(study)

    def submit_score(self, study: Study, model: Model, title: str = "") -> None:
        """Queue one study for any model of the library."""
        job = self._jobs.submit(score_job(self._session, study, model, title))
        self._scoring[study.study_id, model.model_id] = job
        job.partial_arrived.connect(self._workspace.guard(partial(self._take_rows, study.study_id, model.model_id)))
        job.ended.connect(self._workspace.guard(partial(self._job_ended, study.study_id, model.model_id)))
        self._session.scores.set_scoring(frozenset(self._scoring))

    def is_scoring(self, study: Study, model_id: str) -> bool:
        """Whether a job that scores this study with this model waits or runs."""
        return (study.study_id, model_id) in self._session.scoring

    def score_when_opened(self, study: Study) -> None:
        """Queue a study that was just opened for the first time, if the settings say so."""
        is_wanted = self._session.settings["score_when_opened"] and study.state == "new"
        if is_wanted and not self._session.library.read_only:
            self._score_new(study)

    def add_studies(self, paths: list[Path], passed_over: Sequence[str] = ()) -> None:
        """Index many files in the background and queue each for scoring; `passed_over` is what is not, in sentences."""
        self._waiting.extend(paths)
        if self._indexing is None:
            self._index_next()
        message = tr_count(
            "{count} study being added and queued for scoring.",
            "{count} studies being added and queued for scoring.",
            len(paths),
        )
        self._workspace.show_message(" ".join([message, *map(tr, passed_over)]))

    @property
    def is_adding(self) -> bool:
        """True while files are being indexed."""
        return self._indexing is not None

    def close(self) -> None:
        """Forget what waits and end what runs."""
        self._waiting.clear()
        super().close()

    def _index_next(self) -> None:
        self._indexing = path = self._waiting.popleft() if self._waiting else None
        if path is not None:
            numberings = {study.fingerprint: study.frame_numbering for study in self._session.library.studies.all()}
            self._thread.request(lambda reporter: _indexed(path, numberings, reporter))

    def _keep_failure(self, outcome: Outcome) -> None:
        self._index_next()
        self._failures.append(UserError(outcome.message, outcome.hint))
        self._show_failures()

    def _show_failures(self) -> None:
        """Once all files were looked at, name those that cannot be read in one message."""
        if self.is_adding or not self._failures:
            return
        failures, self._failures = self._failures, []
        if len(failures) == 1:
            self._workspace.show_error(failures[0].message, failures[0].hint)
            return
        reasons = " ".join(tr(error.message) for error in failures[:_NAMED_FAILURES])
        more = " …" if len(failures) > _NAMED_FAILURES else ""
        text = tr("{count} files could not be added. {reasons}", count=len(failures), reasons=reasons + more)
        self._workspace.show_error(text, tr(failures[0].hint))

    def _take_index(self, index: FrameIndex) -> None:
        path = self._indexing
        assert path is not None
        self._index_next()
        self._show_failures()
        self._score_new(self._session.add_study(path, index))

    def _job_ended(self, study_id: str, model_id: str, job: Job) -> None:
        """Bring in the scores of a job that scored every frame; what a stopped one scored stays shown."""
        outcome = job.outcome
        if self._scoring.get((study_id, model_id)) is job:
            del self._scoring[study_id, model_id]
        self._session.scores.set_scoring(frozenset(self._scoring))
        if job.is_discarded:
            study = self._session.library.studies.get(study_id)
            partial_path(self._session.files(study).scores_path(model_id)).unlink(missing_ok=True)
            self._so_far.forget(study_id, model_id)
            return
        if outcome is None or outcome.kind != "done" or not outcome.result.get("complete", True):
            if outcome is not None and outcome.kind == "done" and model_id == self._session.model_id:
                message = tr(
                    "Stopped: {job}. What is scored stays; score the study again to continue.", job=job.spec.title
                )
                self._workspace.show_message(message)
            return
        self._note_speed(job, model_id)
        self._session.scores.scored(study_id, model_id)
        self._so_far.forget(study_id, model_id)
        if model_id == self._session.model_id:
            self._workspace.show_message(tr("Done: {job}.", job=job.spec.title))

    def _note_speed(self, job: Job, model_id: str) -> None:
        """Keep what this computer took, for the next question."""
        model = next((each for each in self._session.library.models.all() if each.model_id == model_id), None)
        if model is None or job.outcome is None or job.spec.cluster or job.spec.config.get("reuse"):
            return
        with contextlib.suppress(UserError):
            network, result, speeds = read_config(model.folder / CONFIG), job.outcome.result, self._session.speeds
            place = self._session.settings["device"], network.backbone, network.input_size
            speeds.note_scoring(*place, result.get("frames_per_second"))
            speeds.note_memory(*place, SCORE, result.get("memory_bytes"))

    def _take_rows(self, study_id: str, model_id: str, name: str, payload: Mapping[str, Any]) -> None:
        """Keep the scores that a running job reports; what cannot be read is not worth a message."""
        if name == NAME:
            with contextlib.suppress(ValueError):
                self._so_far.add(study_id, model_id, read_rows(payload))
