"""How far two readers of one study agree, per frame and per finding."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import NORMAL, LabelTrack
from wce_desktop.core.span import Span, SpanSet

Side = Literal["first", "second"]


def cohen_kappa(pairs: Iterable[tuple[object, object]] | Mapping[tuple[object, object], int]) -> float | None:
    """Cohen's kappa (Cohen 1960) of paired answers, or of how often each pair was given.

    None where chance alone agrees fully or there are no pairs.
    """
    counts = Counter(pairs)
    total = sum(counts.values())
    if total == 0:
        return None
    first: Counter[object] = Counter()
    second: Counter[object] = Counter()
    for (one, other), number in counts.items():
        first[one] += number
        second[other] += number
    agreed = sum(number for (one, other), number in counts.items() if one == other) / total
    by_chance = sum(first[answer] * second[answer] for answer in first) / total**2
    return None if by_chance == 1.0 else (agreed - by_chance) / (1.0 - by_chance)


@dataclass(frozen=True, slots=True)
class FrameAgreement:
    """Frames with the label of one class, of those that both readers have seen.

    Attributes:
        only_first, only_second: labelled by one reader; the other said that the class is not there, or nothing.
        denied_by_second: those of `only_first` on which the second reader said that the class is not there.
        denied_by_first: those of `only_second` on which the first reader said so.
        denied_by_both: those of `neither` on which both readers said so.
    """

    name: str
    both: int
    only_first: int
    only_second: int
    neither: int
    denied_by_second: int = 0
    denied_by_first: int = 0
    denied_by_both: int = 0

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, label or no label; None where no reader or each reader labelled all of the frames."""
        return cohen_kappa(
            {
                (True, True): self.both,
                (True, False): self.only_first,
                (False, True): self.only_second,
                (False, False): self.neither,
            }
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """Successive frames that both have seen and only one has labelled with a class."""

    name: str
    span: Span
    side: Side
    """Who has labelled them."""
    is_denied: bool = False
    """Whether the other reader said that the class is not there, rather than nothing."""


def frame_agreement(first: LabelTrack, second: LabelTrack, seen_by_both: SpanSet) -> tuple[FrameAgreement, ...]:
    """The agreement for each class that a reader used, or said not to be there, sorted by name.

    "normal" is the absence of the others.
    """
    used = (track.names for reader in (first, second) for track in (reader, reader.negatives))
    names = sorted({name for track in used for name in track} - {NORMAL})
    return tuple(_agreement(name, first, second, seen_by_both) for name in names)


def _agreement(name: str, first: LabelTrack, second: LabelTrack, seen: SpanSet) -> FrameAgreement:
    totals = np.zeros(6, np.int64)
    for span in seen:
        of_first, of_second = first.frames(name, span), second.frames(name, span)
        no_first, no_second = first.negatives.frames(name, span), second.negatives.frames(name, span)
        common = _common_frames(of_first, of_second)
        totals += (
            common,
            of_first.frame_count - common,
            of_second.frame_count - common,
            _common_frames(of_first, no_second),
            _common_frames(of_second, no_first),
            _common_frames(no_first, no_second),
        )
    both, only_first, only_second, *denied = totals.tolist()
    neither = seen.frame_count - both - only_first - only_second
    return FrameAgreement(name, both, only_first, only_second, neither, *denied)


def _common_frames(first: SpanSet, second: SpanSet) -> int:
    return sum(second.within(piece).frame_count for piece in first)


def differences(first: LabelTrack, second: LabelTrack, seen_by_both: SpanSet) -> tuple[Difference, ...]:
    """Where the readers differ, in order of time; apart where the other reader said no, and where nothing."""
    result: list[Difference] = []
    for name in (set(first.names) | set(second.names)) - {NORMAL}:
        for span in seen_by_both:
            result += _only_one(name, first, second, span, "first")
            result += _only_one(name, second, first, span, "second")
    return tuple(sorted(result, key=lambda each: (each.span.start, each.name, each.side)))


def _only_one(name: str, labelled: LabelTrack, other: LabelTrack, span: Span, side: Side) -> list[Difference]:
    """The frames of a span that one reader has labelled and the other has not."""
    result = []
    for part in labelled.frames(name, span):
        for piece in other.frames(name, span).missing_in(part):
            denied = other.negatives.frames(name, piece)
            result += [Difference(name, one, side, is_denied=True) for one in denied]
            result += [Difference(name, one, side) for one in denied.missing_in(piece)]
    return result


@dataclass(frozen=True, slots=True)
class FindingAgreement:
    """The findings of both readers; two match if their frames overlap, each finding with at most one other."""

    matched: tuple[tuple[Finding, Finding], ...]
    only_first: tuple[Finding, ...]
    only_second: tuple[Finding, ...]

    @property
    def positive_agreement(self) -> float | None:
        """2 m / (2 m + a + b): m findings of both, a and b of one reader; None without findings.

        No kappa: how many findings neither reader saw is not known.
        """
        total = 2 * len(self.matched) + len(self.only_first) + len(self.only_second)
        return 2 * len(self.matched) / total if total else None

    @property
    def kind_kappa(self) -> float | None:
        """Cohen's kappa of the kinds of matched findings; None where it is not defined."""
        return cohen_kappa((one.kind, other.kind) for one, other in self.matched)


def finding_agreement(first: Sequence[Finding], second: Sequence[Finding]) -> FindingAgreement:
    """Match findings by their common frames: the largest overlap first, then the same kind, then the earlier one."""
    pairs = [
        (len(both), one.kind == other.kind, -one.span.start, one, other)
        for one in first
        for other in second
        if (both := one.span.intersect(other.span)) is not None
    ]
    taken: set[str] = set()
    matched = []
    for *_, one, other in sorted(pairs, key=lambda pair: pair[:3], reverse=True):
        if not {one.finding_id, other.finding_id} & taken:
            taken |= {one.finding_id, other.finding_id}
            matched.append((one, other))
    return FindingAgreement(
        tuple(sorted(matched, key=lambda pair: pair[0].span.start)),
        tuple(one for one in first if one.finding_id not in taken),
        tuple(other for other in second if other.finding_id not in taken),
    )
