"""Data by which the points of a map are coloured: labels, scores, regions, seen frames."""

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from training.errors import UserError
from training.files import csv_text
from wce_desktop.core.annotation import NORMAL, Label, regions
from wce_desktop.core.event import Scores
from wce_desktop.core.identity import is_random_id
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.study import names_apart
from wce_desktop.features.embedding_map import map_coloring
from wce_desktop.features.embedding_map.map_coloring import Coloring
from wce_desktop.features.embedding_map.map_points import MapPoints
from wce_desktop.library.lineage import Family
from wce_desktop.library.runs import Run
from wce_desktop.session import study_choice, study_files
from wce_desktop.session.session import Session

BY_LABEL, BY_SCORE, BY_STUDY, BY_PATIENT = "label", "score", "study", "patient"
BY_TIME, BY_REGION, BY_SEEN = "time", "region", "seen"
BY_ERROR, BY_DEVICE = "error", "device"
WAYS = {
    BY_LABEL: to_translate("Label"),
    BY_SCORE: to_translate("Score"),
    BY_ERROR: to_translate("Error"),
    BY_STUDY: to_translate("Study"),
    BY_PATIENT: to_translate("Patient"),
    BY_DEVICE: to_translate("Device"),
    BY_TIME: to_translate("Time"),
    BY_REGION: to_translate("Region"),
    BY_SEEN: to_translate("Seen"),
}
OF_STUDIES = (BY_LABEL, BY_STUDY, BY_PATIENT, BY_DEVICE, BY_ERROR)
"""What changes where studies or their records do."""
_REGION_CODES = {category.name: code for code, category in enumerate(map_coloring.REGIONS)}


Check = Callable[[], None]
LabelCodes = tuple[list[str], NDArray[np.int16]]


def color(
    session: Session, points: MapPoints, way: str = BY_LABEL, class_name: str = "", check: Check = lambda: None
) -> Coloring:
    """The colouring of a map; reads the library, so let another thread do it (`check` raises when it is to end)."""
    if way == BY_LABEL:
        return map_coloring.by_label(*label_codes(session, points, check), session.vocabulary)
    if way == BY_STUDY:
        return map_coloring.by_name(tr("Study"), study_names(session, points), points.study)
    if way == BY_TIME:
        return map_coloring.by_time(points.video_seconds)
    if way == BY_PATIENT:
        return _by_patient(session, points)
    if way == BY_DEVICE:
        return _by_device(session, points)
    if way == BY_SCORE:
        return _by_score(session, points, class_name, check)
    if way == BY_ERROR:
        return _by_error(session, points, check)
    return (_by_region if way == BY_REGION else _by_seen)(session, points, check)


def study_names(session: Session, points: MapPoints) -> list[str]:
    """The names of the map's studies, told apart; of deleted ones an id is shown that an import gave."""
    names = names_apart([study for study in session.library.studies.all() if study.study_id in points.study_ids])
    return [
        names.get(study_id, tr("Removed study") if is_random_id(study_id) else study_id)
        for study_id in points.study_ids
    ]


def known_ids(session: Session, points: MapPoints) -> frozenset[str]:
    """The map's studies that the library still holds."""
    return frozenset(study.study_id for study in session.library.studies.all()) & frozenset(points.study_ids)


def label_codes(session: Session, points: MapPoints, check: Check = lambda: None) -> LabelCodes:
    """Names, and for every point (N,) the row of its label's name, -1 without one.

    Of several labels a pathology wins over "normal", and of pathologies the first of the vocabulary: ours.
    """
    there = known_ids(session, points)
    labels: dict[str, tuple[Label, ...]] = {}
    for study_id in points.study_ids:
        check()
        labels[study_id] = session.library.annotations.labels(study_id) if study_id in there else ()
    names = _order({label.name for each in labels.values() for label in each}, session.vocabulary.names)
    codes = np.full(len(points), -1, dtype=np.int16)
    for study_id, given in labels.items():
        check()
        for label in sorted(given, key=lambda label: -names.index(label.name)):  # what wins is written last
            codes[points.rows_in(study_id, label.span)] = names.index(label.name)
    return names, codes


def _order(used: set[str], vocabulary: tuple[str, ...]) -> list[str]:
    names = [name for name in vocabulary if name in used and name != NORMAL]
    return [*names, *sorted(used - set(vocabulary)), *([NORMAL] if NORMAL in used else [])]


def score_files(session: Session, points: MapPoints) -> dict[str, tuple[study_files.StudyFiles, Path]]:
    """The embedding file of the model in use by study of the map, and what opens it; only files that are there."""
    if not session.model_id:
        return {}
    studies = {study.study_id: study for study in session.library.studies.all()}
    files = {study_id: session.files(studies[study_id]) for study_id in points.study_ids if study_id in studies}
    places = {study_id: (own, own.scores_path(session.model_id)) for study_id, own in files.items()}
    return {study_id: (own, path) for study_id, (own, path) in places.items() if path.is_file()}


def scores_of(session: Session, points: MapPoints, class_name: str, check: Check = lambda: None) -> NDArray[np.float32]:
    """(N,) the score of a class by the model in use, of the highest pathology for ""; NaN if there is none."""
    scores = np.full(len(points), np.nan, dtype=np.float32)
    for rows, there, at, is_scored in _scored(session, points, check):
        if (track := _track(there, class_name)) is not None:
            scores[rows] = np.where(is_scored, track[at], np.nan)
    return scores


def _scored(
    session: Session, points: MapPoints, check: Check
) -> Iterator[tuple[NDArray[np.int64], Scores, NDArray[np.int64], NDArray[np.bool_]]]:
    """Of each study with scores: rows of the map, the scores, the place of each row in them, and whether it has one."""
    for study_id, (files, path) in score_files(session, points).items():
        check()
        try:
            with files.open_embeddings(path) as file:
                scores, frames = files.scores_in(file, session.model_id), file.frame_index
        except UserError:
            continue  # being scored, damaged, or of another recording: no score
        if scores is not None and len(scores.values):
            rows = points.rows_of(study_id)
            wanted = points.frame_index[rows]
            at = np.clip(np.searchsorted(frames, wanted), 0, len(frames) - 1)
            yield rows, scores, at, frames[at] == wanted


def predictions(
    session: Session, points: MapPoints, check: Check = lambda: None
) -> tuple[NDArray[np.str_], Run | None]:
    """(N,) the class with the highest score of each point, "" without scores, and the run that they come from.

    From the newest cross-validation of the model in use, whose scores are of models that never saw the patient; without
    one (None) the model's own.
    """
    classes = np.full(len(points), "", dtype="<U64")
    model = session.current_model
    for run in Family.of(session.library).evaluations(model) if model is not None else []:
        path = run.folder / "scores.csv"
        if path.is_file():
            for study_id, frame, name in _held_out(path, check):
                if study_id in points.study_ids:
                    rows = points.rows_of(study_id)
                    classes[rows[points.frame_index[rows] == frame]] = name
            return classes, run
    for rows, scores, at, is_there in _scored(session, points, check):
        is_scored = is_there & np.isfinite(scores.values[at]).all(axis=1)
        best = np.array(scores.classes, np.str_)[scores.values[at].argmax(axis=1)]
        classes[rows] = np.where(is_scored, best, "")
    return classes, None


def _held_out(path: Path, check: Check) -> Iterator[tuple[str, int, str]]:
    """Study, frame and the class with the highest score of each row of a cross-validation's scores.csv."""
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv_text.read_dicts(file):
            check()
            names = list(row)[list(row).index("label") + 1 :]
            yield row["study_id"], int(row["frame_index"]), max(names, key=lambda name: float(row[name]))


def _track(scores: Scores, class_name: str) -> NDArray[np.float32] | None:
    wanted = [name for name in scores.classes if (name == class_name if class_name else name != NORMAL)]
    return np.max([scores.standard(name) for name in wanted], axis=0) if wanted else None


def _by_score(session: Session, points: MapPoints, class_name: str, check: Check) -> Coloring:
    reading = session.reading
    threshold = reading.flags.threshold if reading is not None else session.settings["threshold"]
    name = session.vocabulary.of(class_name).shown_title if class_name else ""
    title = tr("Score, {name}", name=name) if name else tr("Highest score")
    return map_coloring.by_score(title, scores_of(session, points, class_name, check), float(threshold))


def _by_error(session: Session, points: MapPoints, check: Check) -> Coloring:
    try:
        predicted, run = predictions(session, points, check)
    except (ValueError, KeyError, csv.Error) as error:
        raise UserError("The scores of the cross-validation cannot be read.", "Cross-validate again.") from error
    names, codes = label_codes(session, points, check)
    label = np.array([*names, ""], np.str_)[codes]
    is_normal, says_normal = label == NORMAL, predicted == NORMAL
    kinds = [
        (label == "") | (predicted == ""),
        label == predicted,
        is_normal & ~says_normal,
        ~is_normal & says_normal,
    ]
    note = tr("Scores of the model in use, which may have learned from these frames.")
    if run is not None:
        note = tr("Scores of “{run}”, by models that did not learn from the patient.", run=run.title)
    return map_coloring.by_error(np.select(kinds, range(4), 4).astype(np.uint8), note)


def _by_device(session: Session, points: MapPoints) -> Coloring:
    """By the capsule of the patient record, or the source that an import named."""
    studies = {study.study_id: study for study in session.library.studies.all()}
    devices = [
        (session.library.studies.record(each).capsule or studies[each].source if each in studies else "")
        or tr("Unknown")
        for each in points.study_ids
    ]
    names = sorted(set(devices))
    rows = np.array([names.index(device) for device in devices], dtype=np.int32)
    return map_coloring.by_name(tr("Device"), names, rows[points.study])


def _by_patient(session: Session, points: MapPoints) -> Coloring:
    library = session.library
    owners = {study.study_id: study.patient_id for study in library.studies.all()}
    patients = [owners.get(study_id, "unknown") for study_id in points.study_ids]
    names = sorted(set(patients))
    rows = np.array([names.index(patient) for patient in patients], dtype=np.int32)
    titles = [tr("Unknown patient") if name == "unknown" else _patient_title(session, name) for name in names]
    coloring = map_coloring.by_name(tr("Patient"), titles, rows[points.study])
    return replace(coloring, note=study_choice.patients_note(session, points.study_ids))


def _patient_title(session: Session, patient_id: str) -> str:
    """What a patient is called; without a name by a study, since the map tells patients apart."""
    if session.library.studies.patient_name(patient_id) or not is_random_id(patient_id):
        return study_choice.shown_patient(session.library, patient_id)
    study = next(study for study in session.library.studies.all() if study.patient_id == patient_id)
    return tr("Patient of {study}", study=study.shown_name)


def _by_region(session: Session, points: MapPoints, check: Check) -> Coloring:
    codes = np.zeros(len(points), dtype=np.uint8)
    counts = {study.study_id: study.frame_count for study in session.library.studies.all()}
    for study_id in points.study_ids:
        check()
        marks = session.library.annotations.landmarks(study_id) if study_id in counts else ()
        for region, span in regions(marks, counts.get(study_id, 0)):
            codes[points.rows_in(study_id, span)] = _REGION_CODES[region]
    return map_coloring.by_region(codes)


def _by_seen(session: Session, points: MapPoints, check: Check) -> Coloring:
    seen = np.zeros(len(points), dtype=bool)
    for study_id in known_ids(session, points):
        check()
        for span in session.library.annotations.seen(study_id):
            seen[points.rows_in(study_id, span)] = True
    return map_coloring.by_seen(seen)
