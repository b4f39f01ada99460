"""A label, and the labels of one study indexed for fast lookup."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Literal, get_args

import numpy as np

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span, SpanSet

LabelSource = Literal["reader", "implicit_normal", "accepted_suggestion"]
Answer = Literal["yes", "no"]
SOURCES: tuple[LabelSource, ...] = get_args(LabelSource)
NORMAL = "normal"


@dataclass(frozen=True, slots=True)
class Label:
    """What a reader said of one class on the frames of a span: that it is there, or that it is not.

    Args:
        name: the class's name in the vocabulary, such as "polyp" or "normal".
        source: "reader"; "accepted_suggestion" when a model proposed it; "implicit_normal" for a seen, unlabelled
            frame of a finished study.
        finding_id: the finding it belongs to, or None.
        reader: who gave the label.
        model_id: the model that suggested it, or None.
        answer: "yes": the class is there; "no": it is not, which says nothing of other classes and is not "normal".
    """

    label_id: str
    study_id: str
    span: Span
    name: str
    source: LabelSource = "reader"
    finding_id: str | None = None
    reader: str = ""
    model_id: str | None = None
    answer: Answer = "yes"

    def __post_init__(self) -> None:
        if not self.name:
            raise ValueError("a label needs a name")
        if self.source not in SOURCES:
            raise ValueError(f"a label's source is one of {', '.join(SOURCES)}, not {self.source!r}")
        if self.answer not in ("yes", "no"):
            raise ValueError(f"a label's answer is yes or no, not {self.answer!r}")

    @property
    def is_from_rejecting(self) -> bool:
        """Whether an earlier version wrote "normal" because a model's suggestion was rejected.

        It wrote the reader as the source, and the model; a reader's own "normal" has no model.
        """
        return self.name == NORMAL and self.source == "reader" and self.model_id is not None

    def over(self, span: Span) -> Label:
        """A copy of the label, with a new id, for another span."""
        return replace(self, label_id=new_id(), span=span)


_START = attrgetter("span.start")


class LabelTrack:
    """The labels of one study by which a class is there; those of one name never overlap.

    Everything here but `add`, `remove` and `answers` is about these. Those by which a class is not there are a track
    of their own, `negatives`: whoever asks for labels cannot mistake one for the other.

    `at` takes O(log n) per name in use; `add` and `remove` one binary search and a shift within one list.
    """

    def __init__(self, labels: Iterable[Label] = (), answer: Answer = "yes") -> None:
        given = list(labels)
        self.negatives: LabelTrack = self if answer == "no" else LabelTrack(given, "no")
        self._by_name: dict[str, list[Label]] = {}
        self._frame_counts: dict[str, int] = {}
        for label in sorted((label for label in given if label.answer == answer), key=_START):
            row = self._by_name.setdefault(label.name, [])
            if row and row[-1].span.stop > label.span.start:
                raise ValueError(f"two labels {label.name!r} overlap at frame {label.span.start}")
            row.append(label)
        for name, row in self._by_name.items():
            self._frame_counts[name] = sum(len(label.span) for label in row)

    def add(self, label: Label) -> None:
        """Add a label.

        Raises:
            ValueError: when one of the same name covers some of its frames.
        """
        if label.answer == "no" and self.negatives is not self:
            self.negatives.add(label)
            return
        row = self._by_name.setdefault(label.name, [])
        at = bisect_left(row, label.span.start, key=_START)
        for neighbour in row[max(at - 1, 0) : at + 1]:
            if neighbour.span.intersects(label.span):
                raise ValueError(f"two labels {label.name!r} overlap at frame {label.span.start}")
        insort(row, label, key=_START)
        self._frame_counts[label.name] = self._frame_counts.get(label.name, 0) + len(label.span)

    def remove(self, label: Label) -> None:
        """Remove a label.

        Raises:
            KeyError: when it is not there.
        """
        if label.answer == "no" and self.negatives is not self:
            self.negatives.remove(label)
            return
        row = self._by_name.get(label.name, [])
        at = bisect_left(row, label.span.start, key=_START)
        if at >= len(row) or row[at].label_id != label.label_id:
            raise KeyError(label.label_id)
        self._frame_counts[label.name] -= len(row[at].span)
        del row[at]
        if not row:
            del self._by_name[label.name], self._frame_counts[label.name]

    def at(self, frame_index: int) -> tuple[Label, ...]:
        """The labels of one frame, at most one a name, in order of their names."""
        result = (self.named_at(name, frame_index) for name in sorted(self._by_name))
        return tuple(label for label in result if label is not None)

    def named_at(self, name: str, frame_index: int) -> Label | None:
        """The label `name` of one frame, or None."""
        row = self._by_name.get(name, [])
        at = bisect_right(row, frame_index, key=_START) - 1
        return row[at] if at >= 0 and frame_index in row[at].span else None

    def named(self, name: str) -> tuple[Label, ...]:
        """The labels `name`, in order of time."""
        return tuple(self._by_name.get(name, ()))

    def overlapping(self, name: str, span: Span) -> tuple[Label, ...]:
        """The labels `name` that hold at least one frame of `span`, in order of time."""
        row = self._by_name.get(name, [])
        first = max(bisect_right(row, span.start, key=_START) - 1, 0)
        if first < len(row) and not row[first].span.intersects(span):
            first += 1
        return tuple(row[first : bisect_left(row, span.stop, key=_START)])

    def frames(self, name: str, within: Span) -> SpanSet:
        """The frames of `within` that carry the label `name`."""
        return SpanSet(label.span for label in self.overlapping(name, within)).within(within)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in use, sorted."""
        return tuple(sorted(self._by_name))

    @property
    def frame_counts(self) -> dict[str, int]:
        """How many frames carry each name, sorted by name; kept up to date, so that reading it is cheap."""
        return dict(sorted(self._frame_counts.items()))

    def labelled(self) -> SpanSet:
        """The frames that carry any label."""
        return SpanSet(label.span for label in self)

    def answers(self) -> Iterator[Label]:
        """All labels, also those that say no."""
        yield from self
        yield from self.negatives

    def __len__(self) -> int:
        return sum(map(len, self._by_name.values()))

    def __iter__(self) -> Iterator[Label]:
        for name in self.names:
            yield from self._by_name[name]


def picture_frames(finding: Finding, labels: LabelTrack, frame_count: int) -> tuple[int, ...]:
    """The frames that stand for a finding, at least one: pictures, reports and jumps show the first.

    Its key frames in order; without any the middle one of the frames of its span that are labelled with its kind, or of
    the whole span where none is. Scores do not matter: another model must not change a report.

    Args:
        finding: of a study of `frame_count` frames.
        labels: of its study.
    """
    chosen = tuple(dict.fromkeys(frame for frame in finding.key_frames if 0 <= frame < frame_count))
    if chosen:
        return chosen
    start = min(finding.span.start, frame_count - 1)
    span = Span(start, max(min(finding.span.stop, frame_count), start + 1))
    labelled = labels.frames(finding.kind, span)
    frames = np.concatenate([np.arange(piece.start, piece.stop) for piece in labelled or SpanSet([span])])
    return (int(frames[(len(frames) - 1) // 2]),)
