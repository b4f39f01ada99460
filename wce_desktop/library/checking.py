"""Checks everything that a library holds: database, frame indexes, scores with embeddings, models, reports, backups."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from training.embeddings.file import EmbeddingFile
from training.embeddings.header import OtherRecordingError, check_recording
from training.errors import UserError
from training.files import stores
from training.models.folder import ModelFolder
from training.runs.reporter import Reporter
from training.texts import Text
from training.video import FrameIndex
from wce_desktop.core.language import tr, tr_count
from wce_desktop.core.study import Study
from wce_desktop.library.backup import backup_file, signed_reports
from wce_desktop.library.evidence import audit_checking
from wce_desktop.library.evidence.audit_checking import Note
from wce_desktop.library.evidence.signature import SignedReport
from wce_desktop.library.library import Library
from wce_desktop.library.runs import Scoring
from wce_desktop.library.storage import database, failures, integrity, sqlite_file
from wce_desktop.library.studies import INDEX_NAME

ROWS = 4096
"""So many embeddings are read at once."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is wrong with one part of a library.

    Args:
        part: what it is, such as the name of a study.
        problem: a sentence, and what to do.
    """

    part: str
    problem: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What was checked, and what was found; `notes` are no problems."""

    studies: int
    files: int
    found: tuple[Found, ...]
    notes: tuple[Found, ...] = ()


def check_library(library: Library, reporter: Reporter, copies: Path | None = None) -> Checked:
    """Read all of a library; nothing is changed. Stops at `reporter.check()`.

    Args:
        library: the library.
        reporter: shows progress.
        copies: the folder that was chosen for copies of backups, with which the audit log is compared, too.
    """
    studies = (*library.studies.all(), *library.studies.second_readings(), *library.studies.removed())
    scorings = [scoring for scoring in library.models.scorings() if scoring.is_complete]
    steps = list(_steps(library, studies, scorings, copies))
    problems, notes = [], []
    for number, (part, step) in enumerate(steps):
        reporter.check()
        reporter.progress(number, len(steps), "files", tr("Checking {part}", part=part))
        try:
            for result in step(reporter):
                if isinstance(result, Note):
                    notes.append(Found(part, result.text))
                else:
                    problems.append(Found(part, result))
        except UserError as error:
            problems.append(Found(part, tr(error)))
        except OSError as error:
            problems.append(Found(part, tr("It cannot be read ({why}). Check the disk.", why=error.strerror or error)))
    return Checked(len(studies), len(steps), tuple(problems), tuple(notes))


Step = Callable[[Reporter], Sequence[str | Note]]


def _steps(
    library: Library, studies: tuple[Study, ...], scorings: list[Scoring], copies: Path | None
) -> Iterator[tuple[str, Step]]:
    if not library.is_on_server:
        yield tr("Database"), partial(_check_database, library.folder)
    yield tr("Rows of the database"), partial(_check_rows, library, studies)
    yield tr("Audit log"), partial(audit_checking.check_log, library, chosen=copies)
    names = {study.study_id: study for study in studies}
    titles = {model.model_id: model.title for model in library.models.all()}
    for study in studies:
        yield study.shown_name, partial(_check_study, library.folder, study)
    for scoring in scorings:
        owner = names.get(scoring.study_id)
        part = tr(
            "{study}, scores of {model}",
            study=owner.shown_name if owner else tr("A removed study"),
            model=titles.get(scoring.model_id, tr("a removed model")),
        )
        yield part, partial(_check_scores, scoring.path, owner)
    for model in library.models.all():
        yield tr("Model {title}", title=model.title), partial(_check_model, model.folder)
    for study in studies:
        for report in library.reports.signed(study.study_id):
            yield (
                tr("{name}, report version {version}", name=study.shown_name, version=report.version),
                partial(_check_report, library, report),
            )
    if signed_reports.report_key(library.folder):
        yield tr("Encryption of signed reports"), partial(_check_sealed, library.folder)
    if backups := backup_file.list_backups(library.folder):
        yield tr("Newest backup"), partial(_check_backup, backups[-1])


def _check_database(folder: Path, _: Reporter) -> list[str]:
    with (
        failures.sentences(folder, Text("checking the database")),
        closing(sqlite_file.open_file(folder / database.FILE_NAME, read_only=True)) as opened,
    ):
        problems = [str(row[0]) for row in opened.execute("PRAGMA integrity_check(10)") if row[0] != "ok"]
        missing = opened.execute("PRAGMA foreign_key_check").fetchall()
    if missing:
        problems.append(tr("{count} rows refer to something that is not there.", count=len(missing)))
    return [tr("{problem} Restore a backup.", problem=problem) for problem in problems]


def _check_rows(library: Library, studies: Sequence[Study], reporter: Reporter) -> list[str]:
    """The rows that break rules: they are left out wherever the program reads them."""
    problems = list(library.problems())
    for study in studies:
        reporter.check()
        library.reports.signed(study.study_id)
        problems += library.problems(study.study_id)
    return [tr("{problem}. This row is left out. Restore a backup.", problem=problem) for problem in problems]


def _check_study(folder: Path, study: Study, _: Reporter) -> list[str]:
    problems = []
    if not (study.path.exists() or stores.address_of(study.path)):
        problems.append(tr("The video is not where it was. Choose its new place with “Find a moved video”."))
    index = folder / "studies" / study.study_id / INDEX_NAME
    if index.exists():
        count = len(FrameIndex.load(index))
        if study.frame_count and count != study.frame_count:
            problems.append(
                tr(
                    "The index has {count} frames, the study {frame_count}. Open the study again.",
                    count=count,
                    frame_count=study.frame_count,
                )
            )
    return problems


def _check_scores(path: Path, study: Study | None, reporter: Reporter) -> list[str]:
    with EmbeddingFile.open(path) as file:
        problems = []
        if study is not None and study.frame_count and len(file) != study.frame_count:
            problems.append(
                tr(
                    "The file has {count} frames, the study {frame_count}. Score it again.",
                    count=len(file),
                    frame_count=study.frame_count,
                )
            )
        try:
            check_recording(path, file.header.video_fingerprint, "" if study is None else study.fingerprint)
        except OtherRecordingError:
            problems.append(tr("The scores belong to another recording. Score the study again."))
        _ = file.scores  # out of range: UserError
        missing = file.missing
        for start in range(0, len(file), ROWS):
            reporter.check()
            rows = np.isfinite(file.embeddings[start : start + ROWS]).all(axis=1)
            if not (rows | missing[start : start + ROWS]).all():
                return [*problems, tr("Embeddings are damaged. Score the study again.")]
        return problems


def _check_model(folder: Path, _: Reporter) -> list[str]:
    ModelFolder.open(folder)
    return []


def _check_report(library: Library, report: SignedReport, _: Reporter) -> list[str | Note]:
    result = library.reports.check(report)
    return [*result.problems, *map(Note, result.notes)]


def _check_sealed(folder: Path, _: Reporter) -> list[str]:
    count = len(signed_reports.files_to_convert(folder))
    problem = tr_count(
        "{count} file of signed reports is not encrypted. Lock the library and unlock it; this encrypts it.",
        "{count} files of signed reports are not encrypted. Lock the library and unlock it; this encrypts them.",
        count,
    )
    return [problem] if count else []


def _check_backup(path: Path, _: Reporter) -> list[str]:
    problem = integrity.damage(path)
    return [] if problem is None else [tr("The backup is damaged ({found}). Make a new one.", found=problem)]
