"""From labels to frames to learn from: a row for each frame and class, and what had to be left out is counted."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from training.datasets.labels import NORMAL, LabelRow
from training.datasets.manifest import Manifest, StudyEntry, check_spans
from training.errors import UserError
from training.texts import Text


@dataclass(frozen=True)
class LeftOut:
    """Labelled frames that cannot be used, by reason."""

    several_targets: int = 0
    """Frames with two or more target classes, where each frame must have one class; see `with_one_label`."""
    contradictory: int = 0
    """Frames that a reader called both normal and something else."""
    outside_spans: int = 0
    """Frames outside the spans that the manifest names for their study."""
    both_answers: int = 0
    """Frames of which it was said that a class is there, and that it is not."""

    def sentence(self) -> str:
        """Say what was left out and why; empty when nothing was."""
        parts = [
            Text("{count} {reason}", count, Text(reason))
            for count, reason in (
                (self.several_targets, "with several target classes"),
                (self.contradictory, "called both normal and something else"),
                (self.outside_spans, "outside the spans of the manifest"),
                (self.both_answers, "with both answers, yes and no, for one class"),
            )
            if count
        ]
        return Text("Labelled frames left out: {parts}.", parts) if parts else ""


@dataclass(frozen=True)
class LabelledFrames:
    """M rows, each a frame with one of its classes; sorted by study, time and class.

    A frame with several classes has a row for each of them, so that a training that draws class by class meets it as
    each. Its rows belong on one side of a split, and it is never a negative of a class that it has; see `frame_number`.

    `negatives` are frames of which it was said that a class is not there, which says nothing of other classes: one row
    for each frame and class, whose `label` is the class that is not there, in `classes` of their own. `select` leaves
    them out.
    """

    studies: tuple[StudyEntry, ...]
    classes: tuple[str, ...]
    """Class 0 is normal, where there is a normal class (`has_normal`)."""
    study: NDArray[np.int64]
    """(M,) index into `studies`."""
    frame_index: NDArray[np.int64]
    """(M,) 0-based frame of the study."""
    label: NDArray[np.int64]
    """(M,) index into `classes`."""
    left_out: LeftOut = field(default_factory=LeftOut)
    negatives: "LabelledFrames | None" = None

    def __len__(self) -> int:
        return len(self.label)

    def select(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> "LabelledFrames":
        """The frames of a mask (M,) or of indices, in that order."""
        return LabelledFrames(
            self.studies, self.classes, self.study[chosen], self.frame_index[chosen], self.label[chosen], self.left_out
        )

    @property
    def has_normal(self) -> bool:
        """Whether class 0 is normal; otherwise there are only kinds."""
        return self.classes[:1] == (NORMAL,)

    @property
    def frame_key(self) -> NDArray[np.int64]:
        """(M,) one number for each frame of each study, increasing."""
        return self.study << 32 | self.frame_index

    @property
    def frame_number(self) -> NDArray[np.int64]:
        """(M,) frame of each row, counted from 0; rows of one frame share it."""
        return np.asarray(np.unique(self.frame_key, return_inverse=True)[1], np.int64)

    @property
    def has_several_labels(self) -> bool:
        """Whether some frame has several classes."""
        return len(np.unique(self.frame_key)) < len(self)

    def with_one_label(self) -> "LabelledFrames":
        """Without the frames that have several classes, which are counted."""
        _, number, rows = np.unique(self.frame_key, return_inverse=True, return_counts=True)
        left_out = replace(self.left_out, several_targets=self.left_out.several_targets + int((rows > 1).sum()))
        return replace(self.select(rows[number] == 1), left_out=left_out, negatives=self.negatives)

    def by_rarest_class(self) -> "LabelledFrames":
        """Each frame once, as the one of its classes that has the fewest frames; in the order of `frame_number`."""
        counts = np.bincount(self.label, minlength=len(self.classes))
        order = np.lexsort((counts[self.label], self.frame_key))
        return self.select(order[np.unique(self.frame_key[order], return_index=True)[1]])

    def without_normal(self) -> "LabelledFrames":
        """The kinds alone: without class 0, which must be normal, and without its frames."""
        kinds = self.select(self.label > 0)
        return replace(kinds, classes=self.classes[1:], label=kinds.label - 1)

    def merged(self, name: str) -> "LabelledFrames":
        """Normal, and all kinds as one class called `name`; unchanged with one kind. Class 0 must be normal.

        Each frame is there once, in the order of `frame_number`.
        """
        if len(self.classes) <= 2:
            return self
        once = self.select(np.unique(self.frame_key, return_index=True)[1])
        classes, label = (self.classes[0], name), np.minimum(once.label, 1)
        return replace(once, classes=classes, label=label, negatives=self.negatives)

    @property
    def patients(self) -> NDArray[np.str_]:
        """(M,) patient of each frame."""
        ids = np.array([study.patient_id for study in self.studies], dtype=np.str_)
        return ids[self.study] if len(ids) else np.zeros(0, dtype=np.str_)

    @property
    def sources(self) -> NDArray[np.str_]:
        """(M,) data set or capsule make of each frame; "" where it is unknown."""
        names = np.array([study.source for study in self.studies], dtype=np.str_)
        return names[self.study] if len(names) else np.zeros(0, dtype=np.str_)

    def labels_among(self, classes: Sequence[str]) -> NDArray[np.int64]:
        """(M,) labels as indices of other classes, which contain these."""
        row = np.array([list(classes).index(name) for name in self.classes], dtype=np.int64)
        return row[self.label]

    def counts(self) -> dict[str, int]:
        """Frames of each class."""
        totals = np.bincount(self.label, minlength=len(self.classes))
        return dict(zip(self.classes, totals.tolist(), strict=True))


def target_classes(labels: Sequence[LabelRow], wanted: Sequence[str], *, needs_normal: bool = True) -> tuple[str, ...]:
    """The run's classes, normal first: those wanted, or every label there is, in order of appearance.

    Args:
        labels: of all frames.
        wanted: classes besides normal; empty: every label found.
        needs_normal: False leaves normal out, so that only kinds are classified.

    Raises:
        UserError: nothing but normal is labelled, no frame is normal, only one kind is there where normal is left out,
            or a wanted class has no label; each says what to label.
    """
    rejected = {row.label for row in labels if row.answer == "no"}
    labels = [row for row in labels if row.answer == "yes"]
    result = list(dict.fromkeys(row.label for row in labels if not row.is_normal))
    if wanted and set(wanted) == {NORMAL}:
        raise UserError(
            "A model cannot be trained on {normal} frames alone.",
            "Name other classes, or none to use every label.",
            Text(NORMAL),
        )
    targets = [name for name in dict.fromkeys(wanted) if name != NORMAL] or result
    hint = "A rejection says where a class is not. Label some frames with it, too, or leave out the class."
    for name in targets:
        if name not in result and name in rejected:
            raise UserError(
                "{name} was only rejected, never labelled, so the model cannot be trained for it.", hint, name
            )
        if name not in result:
            raise UserError(
                "No frame is labelled {name}, so the model cannot be trained for it.",
                "Label some frames, or leave out the class.",
                name,
            )
    if not targets and rejected:
        raise UserError(
            "Classes were only rejected: no frame has a label other than normal.",
            "A rejection says where a class is not. Label some frames on which a class is there, too.",
        )
    if not targets:
        raise UserError("No frame has a label other than normal.", "Label some frames of the other classes.")
    if not needs_normal:
        check_kinds(targets)
        return tuple(targets)
    if not any(row.is_normal for row in labels):
        raise UserError(
            "No frame is labelled normal. Frames without a label do not count as normal.",
            "Label some normal frames too, or finish the reading of a study. A benchmark also works without normal "
            "frames: --set normal_label=",
        )
    return (NORMAL, *targets)


def check_kinds(kinds: Sequence[str]) -> None:
    """Raise `UserError` where, without a normal class, there are fewer than two kinds."""
    if len(kinds) < 2:
        raise UserError(
            "Without a normal class there is only {kinds}, and a model needs at least two classes.",
            "Name at least two classes, or the label of normal frames.",
            ", ".join(kinds) or "nothing",
        )


def check_labels(manifest: Manifest, labels: Sequence[LabelRow], frame_counts: Mapping[str, int]) -> None:
    """Raise `UserError` for a label of an unknown study or past the end of its study, or such a span."""
    known = {study.study_id for study in manifest.studies}
    for row in labels:
        if row.study_id not in known:
            raise UserError(
                "The labels name the study {study_id}, which is not in the manifest.",
                "Add the study to the manifest, or remove its labels.",
                row.study_id,
            )
    check_ends(labels, frame_counts)
    for study in manifest.studies:
        if study.study_id in frame_counts:
            check_spans(study.study_id, study.spans, frame_counts[study.study_id])


def check_ends(labels: Sequence[LabelRow], frame_counts: Mapping[str, int]) -> None:
    """Raise `UserError` for a label past the end of its study; labels of studies without a count are passed over."""
    for row in labels:
        count = frame_counts.get(row.study_id)
        if count is not None and row.stop > count:
            raise UserError(
                "A label ({label}) of study {study_id} ends at frame {stop}, past the end of the study ({count} "
                "frames).",
                "Check that the labels belong to this file.",
                row.label,
                row.study_id,
                row.stop,
                count,
            )


def collect_frames(
    manifest: Manifest, labels: Sequence[LabelRow], frame_counts: Mapping[str, int], classes: Sequence[str]
) -> LabelledFrames:
    """Give each labelled frame its classes, a row for each; see `LeftOut` for frames that cannot be used.

    A reader's label outweighs `implicit_normal`. A label outside `classes` is not used, but it contradicts normal.
    Where it is said that a class is not there, of any class, a frame is not normal by `implicit_normal`.

    Args:
        manifest: studies.
        labels: rows; checked by `check_labels` first.
        frame_counts: study id -> frames of the study.
        classes: from `target_classes`, normal first; where they lack it, frames called normal are left out.
    """
    if NORMAL not in classes:
        return collect_frames(manifest, labels, frame_counts, (NORMAL, *classes)).without_normal()
    check_labels(manifest, labels, frame_counts)
    by_study: dict[str, list[LabelRow]] = {}
    for row in labels:
        by_study.setdefault(row.study_id, []).append(row)
    parts, negatives, left_out = [], [], LeftOut()
    absent = tuple(dict.fromkeys(row.label for row in labels if row.answer == "no"))
    for number, study in enumerate(manifest.studies):
        rows = by_study.get(study.study_id, [])
        if not rows:
            continue
        frames, classed, lost = _classes_of_frames(study, rows, frame_counts[study.study_id], classes)
        parts.append((np.full(len(frames), number, dtype=np.int64), frames, classed))
        normal = frames[classed == 0]
        frames, classed = _absent_classes(study, rows, frame_counts[study.study_id], absent, normal)
        negatives.append((np.full(len(frames), number, dtype=np.int64), frames, classed))
        left_out = LeftOut(*map(sum, zip(astuple(left_out), astuple(lost), strict=True)))
    more = LabelledFrames(manifest.studies, absent, *_joined(negatives)) if absent else None
    return LabelledFrames(manifest.studies, tuple(classes), *_joined(parts), left_out, more)


Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _joined(parts: Sequence[Columns]) -> Columns:
    """Study, frame and label of all parts."""
    columns = zip(*parts, strict=True) if parts else ([np.zeros(0, dtype=np.int64)],) * 3
    study, frames, label = (np.concatenate(column) for column in columns)
    return study, frames, label


def _absent_classes(
    study: StudyEntry,
    rows: Sequence[LabelRow],
    frame_count: int,
    absent: Sequence[str],
    normal: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Frames of one study (N,), and a class (N,) of `absent` that is not there; one row for each frame and class.

    Not those of which the opposite was said, too, and not the frames `normal` (M,), where no class is there anyway.
    """
    said = np.zeros((2, frame_count, len(absent)), dtype=bool)
    for row in rows:
        if row.label in absent:
            said[int(row.answer == "yes"), row.start : row.stop, absent.index(row.label)] = True
    usable = said[0] & ~said[1] & study.inside(frame_count)[:, None]
    usable[normal] = False
    frames, classed = np.nonzero(usable)
    return frames.astype(np.int64), classed.astype(np.int64)


def _classes_of_frames(
    study: StudyEntry, rows: Sequence[LabelRow], frame_count: int, classes: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64], LeftOut]:
    """Frames of one study (M,) with their classes (M,), a row for each frame and class, and what was left out."""
    carried = np.zeros((frame_count, len(classes)), dtype=bool)
    refused = np.zeros_like(carried)
    read_normal, other, answered = (np.zeros(frame_count, dtype=bool) for _ in range(3))
    for row in rows:
        span = slice(row.start, row.stop)
        if row.answer == "no":
            answered[span] = True
            if row.label in classes:
                refused[span, classes.index(row.label)] = True
        elif row.is_normal:
            carried[span, 0] = True
            read_normal[span] |= row.source != "implicit_normal"
        elif row.label in classes:
            carried[span, classes.index(row.label)] = True
        else:
            other[span] = True
    carried[answered & ~read_normal, 0] = False
    both = (carried & refused).any(axis=1)
    is_target = carried[:, 1:].any(axis=1)
    contradictory = read_normal & (is_target | other)
    carried[is_target | other, 0] = False
    usable = carried.any(axis=1) & ~contradictory
    lost_by_answers = int((usable & both).sum())
    usable &= ~both
    inside = study.inside(frame_count)
    lost = LeftOut(0, int(contradictory.sum()), int((usable & ~inside).sum()), lost_by_answers)
    frames, classed = np.nonzero(carried & (usable & inside)[:, None])
    return frames.astype(np.int64), classed.astype(np.int64), lost
