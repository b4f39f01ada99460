"""What may be wrong in the library: labels, copies and outliers among the frames that the model in use scored; no Qt.

Runs in a thread of the window.
"""

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from training.cleaning.listing import (
    NO_LABEL,
    SAMPLE,
    Frames,
    Kind,
    Suspect,
    chosen_rows,
    find_suspects,
    one_label,
)
from training.embeddings.file import EmbeddingFile
from training.embeddings.neighbour import StudyEmbeddings
from training.embeddings.neighbour_rows import open_rows
from training.errors import UserError
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core.annotation import Add, Change, Replace, ReportPart, part_of
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.neighbour_search import LabelTables
from wce_desktop.library import Library
from wce_desktop.session import demo
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session

WHOLE_LABEL = 0.5
"""From this share of doubted frames on the whole label is doubted (ours)."""


@dataclass(frozen=True)
class Entry:
    """One tile of a list.

    Attributes:
        kind: of the list.
        study_id, frame_index: the frame on the picture.
        frames: what keys label: the frame, both copies, or the doubted frames of one label.
        value: as of `Suspect`.
        other: study and frame of the copy; None for other kinds.
        label: the doubted label.
        suggested: the class that the scores say.
    """

    kind: Kind
    study_id: str
    frame_index: int
    frames: FrameSelection
    value: float
    other: tuple[str, int] | None = None
    label: str = ""
    suggested: str = ""

    @property
    def key(self) -> str:
        """By which it is known that this was looked at; names neither study nor frame."""
        text = f"{self.kind} {self.study_id} {self.frame_index} {self.label} {self.other}"
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def checked_keys(library: Library, study_ids: Collection[str]) -> frozenset[str]:
    """Of the entries of these studies that a reader found right."""
    parts = (part_of(library.annotations.report_parts(study_id), "checked") for study_id in study_ids)
    return frozenset(key for part in parts for key in _keys(part))


def keep_entry(library: Library, entry: Entry) -> Change:
    """The change that leaves an entry out of the list from now on."""
    old = part_of(library.annotations.report_parts(entry.study_id), "checked")
    content = {"entries": [*_keys(old), entry.key]}
    if old is not None:
        return Replace(old, replace(old, content=content))
    return Add(ReportPart.new(study_id=entry.study_id, kind="checked", content=content, reader=library.reader))


def _keys(part: ReportPart | None) -> list[str]:
    keys = part.content.get("entries") if part is not None else None
    return [str(key) for key in keys] if isinstance(keys, list) else []


@dataclass(frozen=True)
class Found:
    """The list of one kind, worst first, and what to say of it."""

    kind: Kind
    entries: tuple[Entry, ...]
    frames: int
    note: str


def find_entries(session: Session, kind: Kind, reporter: Reporter, sample: int = SAMPLE) -> Found:
    """Look through the frames of all studies that the model in use has scored.

    Raises:
        UserError: no study is scored, or labels are to be checked and there are too few.
    """
    labels = LabelTables(session.library)
    frames = _gathered(session, labels, sample, reporter)
    try:
        suspects, note = find_suspects(frames, kind, reporter)
    except UserError as error:
        if kind == "label" and _labelled_studies(session) - set(frames.study_ids):
            hint = Text("Score the other labelled studies with the model in use, too: {key}.", key_of("score_all"))
            raise UserError(error.message, hint) from error
        raise
    if kind == "label":
        return Found(kind, tuple(_by_label(frames, suspects, labels)), len(frames), note)
    return Found(kind, tuple(_entry(frames, suspect) for suspect in suspects), len(frames), note)


def _labelled_studies(session: Session) -> set[str]:
    shown = {study.study_id for study in session.library.studies.shown()}
    labelled = {count.study_id for count in session.library.annotations.label_counts_by_study()}
    return labelled & shown - set(demo.demo_labels(session).left_out)


def _gathered(session: Session, labels: LabelTables, sample: int, reporter: Reporter) -> Frames:
    studies, left_out = [], demo.demo_labels(session).left_out
    for study in session.library.studies.shown():
        files = session.files(study)
        path = files.scores_path(session.model_id)
        if study.study_id in left_out or not path.is_file() or files.is_hidden:
            continue
        try:
            EmbeddingFile.open(path, study.fingerprint).close()
        except UserError:  # one damaged file must not block the others
            continue
        studies.append(StudyEmbeddings(study.study_id, study.patient_id, path, study.fingerprint))
    if not studies or not session.model_id:
        raise UserError(
            "No study has been scored by the model in use.", "Score this study: {key}.", key_of("score_study")
        )
    rows = open_rows(studies, reporter.check)
    named = [labels.names(study.study_id) for study in studies]
    classes = tuple(sorted({name for each in named for names in each.values() for name in names}))
    label = np.array(
        [at for each, part in zip(named, rows.parts, strict=True) for at in one_label(each, part.frame_index, classes)],
        np.int64,
    )
    chosen = chosen_rows(label != NO_LABEL, sample)
    reporter.progress(0, len(chosen), "frames", "reading embeddings")
    vectors = rows.gather(chosen).astype(np.float32)
    finite = np.isfinite(vectors).all(axis=1)
    chosen = chosen[finite]
    return Frames(
        tuple(study.study_id for study in studies),
        tuple(study.patient_id for study in studies),
        np.searchsorted(rows.starts, chosen, side="right") - 1,
        np.concatenate([part.frame_index for part in rows.parts])[chosen],
        np.concatenate([part.video_seconds for part in rows.parts])[chosen],
        vectors[finite],
        classes,
        label[chosen],
    )


def _place(frames: Frames, row: int) -> tuple[str, int]:
    return frames.study_ids[int(frames.study[row])], int(frames.frame_index[row])


def _entry(frames: Frames, suspect: Suspect) -> Entry:
    study_id, frame = _place(frames, suspect.row)
    other = _place(frames, suspect.other) if suspect.other >= 0 else None
    chosen: dict[str, list[int]] = {study_id: [frame]}
    if other is not None:
        chosen.setdefault(other[0], []).append(other[1])
    label = frames.classes[int(frames.label[suspect.row])] if suspect.kind == "label" else ""
    return Entry(suspect.kind, study_id, frame, FrameSelection(chosen), suspect.value, other, label, suspect.suggested)


def _by_label(frames: Frames, suspects: Sequence[Suspect], labels: LabelTables) -> list[Entry]:
    """One entry for a label most of whose frames are doubted, with its worst frame; else one for each frame."""
    checked: dict[str, int] = {}  # label id -> frames that were checked
    for row in np.flatnonzero(frames.label != NO_LABEL).tolist():
        label = _label_at(frames, row, labels)
        checked[label[0]] = checked.get(label[0], 0) + 1
    doubted: dict[str, int] = {}
    for suspect in suspects:
        label_id = _label_at(frames, suspect.row, labels)[0]
        doubted[label_id] = doubted.get(label_id, 0) + 1
    entries, whole = list[Entry](), set[str]()
    for suspect in suspects:
        label_id, span = _label_at(frames, suspect.row, labels)
        entry = _entry(frames, suspect)
        if doubted[label_id] < WHOLE_LABEL * checked[label_id] or len(span) == 1:
            entries.append(entry)
        elif label_id not in whole:
            whole.add(label_id)
            chosen = FrameSelection({entry.study_id: np.arange(span.start, span.stop, dtype=np.int64)})
            entries.append(
                Entry(
                    "label", entry.study_id, entry.frame_index, chosen, entry.value, None, entry.label, entry.suggested
                )
            )
    return entries


def _label_at(frames: Frames, row: int, labels: LabelTables) -> tuple[str, range]:
    """Id and frames of the label of a row."""
    study_id, frame = _place(frames, row)
    label = labels.track(study_id).named_at(frames.classes[int(frames.label[row])], frame)
    assert label is not None, "the table was made of these labels"
    return label.label_id, range(label.span.start, label.span.stop)
