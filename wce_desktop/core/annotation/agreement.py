"""How far two readers of one study agree, per frame and per finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import NORMAL, LabelTrack
from wce_desktop.core.span import Span, SpanSet

Side = Literal["first", "second"]


def cohen_kappa(pairs: Iterable[tuple[object, object]]) -> float | None:
    """Cohen's kappa (Cohen 1960) of paired answers; None where chance alone agrees fully or there are no pairs."""
    counts = Counter(pairs)
    return kappa_of_counts({(first, second): number for (first, second), number in counts.items()})


def kappa_of_counts(counts: dict[tuple[object, object], int]) -> float | None:
    """Cohen's kappa of a table: how often the readers gave this pair of answers."""
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
    """Frames with the label of one class, of those that both readers have seen."""

    name: str
    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, label or no label; None where no reader or each reader labelled all of the frames."""
        return kappa_of_counts(
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


def frame_agreement(first: LabelTrack, second: LabelTrack, seen_by_both: SpanSet) -> tuple[FrameAgreement, ...]:
    """The agreement for each class that a reader used, sorted by name; "normal" is the absence of the others."""
    names = sorted((set(first.names) | set(second.names)) - {NORMAL})
    return tuple(_agreement(name, first, second, seen_by_both) for name in names)


def _agreement(name: str, first: LabelTrack, second: LabelTrack, seen: SpanSet) -> FrameAgreement:
    both = only_first = only_second = 0
    for span in seen:
        of_first, of_second = first.frames(name, span), second.frames(name, span)
        common = sum(of_second.within(piece).frame_count for piece in of_first)
        both += common
        only_first += of_first.frame_count - common
        only_second += of_second.frame_count - common
    neither = seen.frame_count - both - only_first - only_second
    return FrameAgreement(name, both, only_first, only_second, neither)


def differences(first: LabelTrack, second: LabelTrack, seen_by_both: SpanSet) -> tuple[Difference, ...]:
    """Where the readers differ, in order of time."""
    found = []
    for name in (set(first.names) | set(second.names)) - {NORMAL}:
        for span in seen_by_both:
            of_first, of_second = first.frames(name, span), second.frames(name, span)
            found += [Difference(name, piece, "first") for part in of_first for piece in of_second.missing_in(part)]
            found += [Difference(name, piece, "second") for part in of_second for piece in of_first.missing_in(part)]
    return tuple(sorted(found, key=lambda each: (each.span.start, each.name, each.side)))


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
        (_common(one.span, other.span), one.kind == other.kind, -one.span.start, one, other)
        for one in first
        for other in second
        if one.span.intersects(other.span)
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


def _common(one: Span, other: Span) -> int:
    both = one.intersect(other)
    return 0 if both is None else len(both)
