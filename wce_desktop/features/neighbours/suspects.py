"""What may be wrong in the library: labels, copies and outliers among the frames that the model in use scored; no Qt.

Runs in a thread of the window.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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
from training.files import json_text
from training.files.outputs import written_beside
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core.selection import FrameSelection
from wce_desktop.features.neighbours.neighbour_search import LabelTables
from wce_desktop.session import demo
from wce_desktop.session.keys import key_of
from wce_desktop.session.session import Session

KEPT_FILE = "checked.json"
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


class KeptEntries:
    """What a reader has looked at and found right; stored in the library's folder, in the order of the answers."""

    def __init__(self, library: Path) -> None:
        self._path = library / KEPT_FILE
        try:
            stored = json_text.read_json_object(self._path).get("checked")
        except (UserError, OSError):
            stored = None
        self._keys: list[str] = [str(key) for key in stored] if isinstance(stored, list) else []

    def __contains__(self, entry: Entry) -> bool:
        return entry.key in self._keys

    def add(self, entry: Entry) -> None:
        """Leave it out of the list from now on."""
        self._save([*self._keys, entry.key])

    def remove(self, entry: Entry) -> None:
        """Show it again."""
        self._save([key for key in self._keys if key != entry.key])

    def _save(self, keys: list[str]) -> None:
        try:
            with written_beside(self._path) as beside:
                beside.write_text(json.dumps({"checked": keys}), encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            raise UserError("{path} cannot be written ({reason}).", "Check the disk.", self._path, reason) from error
        self._keys = keys


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
