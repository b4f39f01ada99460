"""Grouping by a re-identification model: files that a job has written, read in a thread; and these jobs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from training.errors import UserError
from training.models.folder import SUMS
from training.reidentification.model import JointEmbedding, ReidModel
from training.reidentification.study_vectors import StudyVectors
from training.video import FrameIndex
from wce_desktop.core import event, suggested
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.language import tr
from wce_desktop.core.study import Study
from wce_desktop.library.runs import Run
from wce_desktop.session import places, run_models
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.threads.job import Job
from wce_desktop.workspace import Workspace

Asked = tuple[str, str, str, float, int]
"""Study, run, scoring model, threshold and number of findings."""


class Embedding(QObject):
    """Queues one job for a study at a time; what has failed is not tried again until something changes."""

    embedded = Signal()
    """The frames of a study were embedded."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._session, self._jobs = workspace.session, workspace.jobs
        self._newest: dict[str, Job] = {}  # by study
        self._asked: set[Asked] = set()

    def request(self, study: Study, run: Run, reading: Reading) -> None:
        """Embed the flagged frames of a study and its findings, unless a job does so or did not succeed."""
        library = self._session.library
        findings = len(library.annotations.findings(study.study_id))
        asked = study.study_id, run.run_id, self._session.model_id, reading.flags.threshold, findings
        newest = self._newest.get(study.study_id)
        is_possible = not library.read_only and places.is_there(study.path)
        if asked in self._asked or (newest is not None and not newest.has_ended) or not is_possible:
            return
        self._asked.add(asked)
        spec = run_models.embed_job(self._session, study, run, reading.flags)
        job = self._newest[study.study_id] = self._jobs.submit(spec)
        job.ended.connect(self._job_ended)

    def forget(self) -> None:
        """Try everything again."""
        self._asked.clear()

    def _job_ended(self, job: Job) -> None:
        if job.outcome is not None and job.outcome.kind == "done":
            self.embedded.emit()


Array = NDArray[np.float32]


@lru_cache(maxsize=1)
def _open_model(folder: Path, _: int) -> tuple[ReidModel, JointEmbedding]:
    """The model of a run's folder, opened and checked anew when its sums are of another time."""
    model = ReidModel.open(folder)
    return model, model.joint()


@dataclass(frozen=True)
class StudyPart:
    """A study whose embedded frames are needed, with the findings confirmed in it.

    Attributes:
        vectors: the file of its embedded frames, which may be missing.
        index: the file of its frames' times.
    """

    study: Study
    vectors: Path
    index: Path
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class Vectors:
    """The vectors of a study's events, and what of earlier studies looks like them.

    Attributes:
        of_events: (E, D) of length 1.
        limit: events up to this distance are one finding.
        means: how events are grouped, in words.
        findings: of earlier studies, with the vector (D,) of each.
    """

    of_events: Array
    limit: float
    means: str
    findings: tuple[tuple[suggested.EarlierFinding, Array], ...]


@dataclass(frozen=True)
class ByModel:
    """What is needed to group the events of the open study by a model.

    Attributes:
        run: of the model.
        earlier: earlier studies of the patient that have findings and were scored.
        threshold: at which events were found.
        is_live: frames are flagged by live scores, whose frames are not embedded.
    """

    run: Run
    here: StudyPart
    earlier: tuple[StudyPart, ...]
    threshold: float
    is_live: bool

    @classmethod
    def of(cls, session: Session, reading: Reading) -> "ByModel | None":
        """What the open study has now; None where no model was chosen."""
        run = run_models.grouping_run(session)
        if run is None:
            return None

        def part(study: Study, findings: Sequence[Finding] = ()) -> StudyPart:
            files = session.files(study)
            return StudyPart(study, files.reid_path(run.run_id, session.model_id), files.index_path, tuple(findings))

        earlier = [
            part(study, findings)
            for study in run_models.earlier_studies(session, reading.study)
            if (findings := session.library.annotations.findings(study.study_id)) and session.scores.is_scored(study)
        ]
        is_live = reading.flags.by_live and reading.flags.live is not None
        return cls(run, part(reading.study), tuple(earlier), reading.flags.threshold, is_live)

    def find(
        self, events: event.EventList, rows: NDArray[np.int64], check: Callable[[], None]
    ) -> tuple[Vectors | None, list[Study]]:
        """The vectors of the events, and the studies whose frames have to be embedded first.

        Args:
            events: E of them, in order of time.
            rows: of the events that get a vector; the others' are zero.
            check: called often; may raise to give up.

        Returns:
            None for the vectors where frames of the open study are missing, or flags come from live scores.

        Raises:
            UserError: the model is damaged.
        """
        sums = self.run.folder / "model" / SUMS
        model, joint = _open_model(self.run.folder, sums.stat().st_mtime_ns if sums.is_file() else 0)
        if self.is_live:
            return None, []
        here = self._open(self.here, model)
        if here is None or here.floor > self.threshold:
            return None, [self.here.study]
        names, views = events.class_names, model.config.views
        spans = np.stack((events.classes[rows], events.starts[rows], events.stops[rows]), axis=1).tolist()
        frames = [here.of(names[number], start, stop) for number, start, stop in spans]
        vectors = np.zeros((len(events), model.config.encoder.embedding), np.float32)
        vectors[rows] = _of_length_one(joint.of_tracklets(frames, views, check))
        result, missing = [], []
        for part in self.earlier:
            check()
            there = self._open(part, model)
            wanted = {(finding.span.start, finding.span.stop, finding.kind) for finding in part.findings}
            if there is None or not wanted <= set(there.findings):
                missing.append(part.study)
                continue
            shown = [there.of(each.kind, each.span.start, each.span.stop) for each in part.findings]
            of_findings = _of_length_one(joint.of_tracklets(shown, views, check))
            seconds = _seconds(part)
            for finding, vector in zip(part.findings, of_findings, strict=True):
                frame = finding.key_frames[0] if finding.key_frames else finding.span.start + len(finding.span) // 2
                at = float(seconds[frame]) if frame < len(seconds) else float("nan")
                earlier = suggested.EarlierFinding(part.study.study_id, part.study.shown_name, finding, frame, at, 0.0)
                result.append((earlier, vector))
        means = tr("by the re-identification model “{model}”", model=self.run.title)
        return Vectors(vectors, model.config.limit, means, tuple(result)), missing

    def _open(self, part: StudyPart, model: ReidModel) -> StudyVectors | None:
        """The embedded frames of a study; None where there are none of this model and video."""
        if not part.vectors.is_file():
            return None
        try:
            vectors = StudyVectors.open(part.vectors)
        except UserError:  # damaged: made anew
            return None
        is_of_both = (vectors.model_sha256, vectors.fingerprint) == (model.sha256, part.study.fingerprint)
        return vectors if is_of_both else None


def _seconds(part: StudyPart) -> NDArray[np.float64]:
    try:
        return FrameIndex.load(part.index).video_seconds
    except UserError:
        return np.zeros(0)


def _of_length_one(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9), np.float32)
