"""The choice of studies to train on."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from training.errors import UserError
from training.methods.registry import method_title
from training.pretraining.config import PretrainConfig
from training.texts import Text, count_text
from wce_desktop.core import counted, tr, tr_count
from wce_desktop.core.annotation.label import NORMAL
from wce_desktop.core.annotation.landmark import Region, examination, regions
from wce_desktop.core.study import Study, without_patient
from wce_desktop.core.worklist import patient_text
from wce_desktop.library import Library
from wce_desktop.session import keys, presets
from wce_desktop.session.places import is_there
from wce_desktop.session.session import Session
from wce_desktop.session.state import SessionState

USED_REGIONS = (Region.SMALL_BOWEL, Region.COLON)


@dataclass(frozen=True)
class StudyRow:
    """A study as the choice shows it."""

    study: Study
    patient: str  # the name that a reader wrote down, else the pseudonym
    label_count: int  # labels, of which a frame may have two
    labelled_frames: int  # frames under those labels
    used_frames: int  # that a pretraining would use: small bowel and colon where landmarks say where they are
    is_there: bool  # the video is where the library last saw it
    patient_entered: bool = True  # False where the study counts as a patient of its own: nobody has said whose it is


def patients_note_on(rows: Iterable[StudyRow]) -> str:
    """See `patients_note`; of these studies."""
    return note_on_files(sum(not row.patient_entered for row in rows))


def study_rows(session: Session) -> tuple[StudyRow, ...]:
    """Every study of the library."""
    library = session.library
    labels, frames = Counter[str](), Counter[str]()
    for row in library.annotations.label_counts_by_study():
        labels[row.study_id] += row.new
        frames[row.study_id] += row.new_frames
    unknown = without_patient(library.studies.all())
    return tuple(
        StudyRow(
            study=study,
            patient=shown_patient(library, study.patient_id),
            label_count=labels[study.study_id],
            labelled_frames=frames[study.study_id],
            used_frames=_used_frames(session, study),
            is_there=is_there(study.path),
            patient_entered=study.study_id not in unknown,
        )
        for study in library.studies.all()
    )


def _used_frames(session: Session, study: Study) -> int:
    landmarks = session.library.annotations.landmarks(study.study_id)
    result, whole = regions(landmarks, study.frame_count), examination(landmarks, study.frame_count)
    if not result:
        return len(whole) if whole else study.frame_count  # of no region, so it counts
    first, span = result[0]
    before = span.start if first == Region.COLON else 0  # the small bowel may begin anywhere in it
    return before + sum(len(span) for region, span in result if region in USED_REGIONS)


def suggested(rows: Sequence[StudyRow], task: presets.Task, left_out: Collection[str] = ()) -> frozenset[str]:
    """A first choice: the labelled studies to finetune on; to pretrain on, those of patients without any label.

    `left_out`: ids of labelled studies that a fine-tuning does not use.
    Where every patient has labels, all studies: then there is nothing to evaluate on, which the estimate says.
    """
    there = [row for row in rows if row.is_there]
    labelled = {row.study.patient_id for row in rows if row.label_count}
    if task == "finetune":
        used = frozenset(row.study.study_id for row in there if row.label_count or row.study.state == "finished")
        return used - frozenset(left_out)
    if task == "train-reid":
        scored = frozenset(row.study.study_id for row in there if row.study.state != "new" or row.label_count)
        return scored or frozenset(row.study.study_id for row in there)
    unlabelled = frozenset(row.study.study_id for row in there if row.study.patient_id not in labelled)
    return unlabelled or frozenset(row.study.study_id for row in there)


def evaluation_studies(rows: Sequence[StudyRow], chosen: Collection[str]) -> tuple[StudyRow, ...]:
    """The labelled studies of patients none of whose studies is chosen: kNN accuracy is measured on them."""
    trained_on = {row.study.patient_id for row in rows if row.study.study_id in chosen}
    return tuple(row for row in rows if row.label_count and row.is_there and row.study.patient_id not in trained_on)


def why_no_evaluation(rows: Sequence[StudyRow], chosen: Collection[str]) -> str:
    """Why kNN accuracy cannot be measured; empty where it can."""
    if evaluation_studies(rows, chosen):
        return ""
    if not any(row.label_count for row in rows):
        return tr("No labelled studies to evaluate on: no study has labels yet.")
    return tr("No labelled studies to evaluate on: every labelled patient has a ticked study or a missing video.")


def describe_choice(rows: Sequence[StudyRow], chosen: Collection[str]) -> str:
    """ "3 studies of 2 patients, 51,204 frames, 87 of them labelled"."""
    taken = [row for row in rows if row.study.study_id in chosen]
    patients = len({row.study.patient_id for row in taken})
    frames = sum(row.study.frame_count for row in taken)
    labelled = sum(row.labelled_frames for row in taken)
    text = tr(
        "{studies} of {patients}, {frames}, {labelled} labelled",
        studies=counted(len(taken), "study"),
        patients=counted(patients, "patient"),
        frames=counted(frames, "frame"),
        labelled=labelled,
    )
    note = patients_note_on(taken)
    return f"{text}. {note}" if note else text


def label_counts(session: Session, rows: Sequence[StudyRow]) -> dict[str, int]:
    """Labelled frames by class; "normal" also where a finished reading says it of what was seen and not labelled."""
    counts: dict[str, int] = {}
    chosen = {row.study.study_id for row in rows}
    for row in session.library.annotations.label_counts_by_study():
        if row.study_id in chosen:
            counts[row.name] = counts.get(row.name, 0) + row.new_frames
    for each in rows:
        if each.study.state == "finished":
            counts.setdefault(NORMAL, 1)
    return counts


def check_choice(session: Session, task: presets.Task, rows: Sequence[StudyRow]) -> None:
    """Raise `UserError` if these studies cannot be trained on, with what to do."""
    if not rows and not session.library.studies.all():
        raise UserError(
            "There are no studies yet.",
            "Open one in the main window ({key}), or drop a folder of them.",
            keys.key_of("open_files"),
        )
    if not rows:
        raise UserError("No study is ticked.", "Tick the studies to train on.")
    if task == "pretrain":
        if not any(row.used_frames for row in rows):
            raise UserError(
                "The ticked studies have no frames of the small bowel or colon.",
                "Check their landmarks ({key}, {second}).",
                keys.key_of("landmark_small_bowel"),
                keys.key_of("landmark_colon"),
            )
        return
    if task == "train-reid":
        _check_tracklets(session, rows)
        return
    counts = label_counts(session, rows)
    if not any(name != NORMAL for name in counts):
        raise UserError("The ticked studies have only normal labels.", "Label findings with 1 to 9.")
    if NORMAL not in counts:
        raise UserError("The ticked studies have no frames labelled normal.", "Label some with 0.")


def _check_tracklets(session: Session, rows: Sequence[StudyRow]) -> None:
    """Raise `UserError` where re-identification has too few patients with events or boxes."""
    usable = [
        row
        for row in rows
        if session.scores.is_scored(row.study) or session.library.annotations.boxes(row.study.study_id)
    ]
    if len({row.study.patient_id for row in usable}) < 2:
        raise UserError(
            "Re-identification learns from the flags of at least two patients.",
            "Score more of the ticked studies, or tick studies of other patients.",
        )


class TooFewStudiesError(UserError):
    """A batch wants sequences of more studies than are chosen."""


def check_sequences(config: PretrainConfig, rows: Sequence[StudyRow]) -> None:
    """Raise if a batch needs sequences of more studies than are chosen.

    Stills are no sequences: a method that learns from time leaves them out.
    """
    if config.method_class.needs_video:
        rows = [row for row in rows if row.study.runs != ()]
        if not rows:
            raise UserError(
                "The ticked studies are still images, but the method “{title}” needs consecutive frames.",
                "Tick a video, or choose another method.",
                Text(method_title(config.method)),
            )
    is_apart = config.sequence_source == "studies" and not config.each_span_is_a_study
    if is_apart and config.sequences > len(rows):
        raise TooFewStudiesError(
            count_text(
                "A batch takes {sequences:,} sequences from different studies, but {count:,} study is ticked.",
                "A batch takes {sequences:,} sequences from different studies, but {count:,} studies are ticked.",
                len(rows),
                config.sequences,
            ),
            "Tick more studies, or take the sequences from one study at a time.",
        )


def shown_patient(library: Library, patient_id: str) -> str:
    """What a reader calls a patient; without a name the id that an import gave, but never one that was made up here."""
    return patient_text(library.studies.patient_name(patient_id), patient_id)


def note_on_files(files: int) -> str:
    """The sentence of `training.datasets.manifest.patients_note`, in the window's language; empty for no files."""
    if not files:
        return ""
    return tr_count(
        "{count} file, patients not entered: results may be optimistic.",
        "{count} files, patients not entered: results may be optimistic.",
        files,
    )


def patients_note(session: SessionState, study_ids: Collection[str] | None = None) -> str:
    """ "3 files, patients not entered: results may be optimistic."; empty where all patients are known.

    Args:
        session: its library.
        study_ids: the studies that a result rests on; None for all.
    """
    result = without_patient(session.library.studies.all())
    return note_on_files(len(result if study_ids is None else result & frozenset(study_ids)))
