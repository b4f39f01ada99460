"""Agreement of two readers against counting frame by frame."""

from itertools import combinations
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.annotation.agreement import (
    Difference,
    cohen_kappa,
    differences,
    finding_agreement,
    frame_agreement,
)
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import NORMAL, Label, LabelTrack
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span, SpanSet

FRAMES = 40
masks = st.lists(st.booleans(), min_size=FRAMES, max_size=FRAMES).map(np.array)


def track(study_id: str, **labelled: np.ndarray) -> LabelTrack:
    spans = {name: SpanSet.from_mask(mask) for name, mask in labelled.items()}
    return LabelTrack(Label(new_id(), study_id, span, name) for name, found in spans.items() for span in found)


def slow_kappa(first: list[object], second: list[object]) -> float:
    answers = sorted(set(first) | set(second), key=str)
    agreed = np.mean([one == other for one, other in zip(first, second, strict=True)])
    chance = sum(np.mean([one == a for one in first]) * np.mean([one == a for one in second]) for a in answers)
    return float((agreed - chance) / (1 - chance))


def test_a_published_example() -> None:
    """Fleiss, Levin & Paik, Statistical Methods for Rates and Proportions, the psychiatrists' example: 0.68."""
    table = {("p", "p"): 75, ("p", "n"): 1, ("p", "o"): 4, ("n", "p"): 5, ("n", "n"): 4, ("n", "o"): 1}
    table |= {("o", "p"): 0, ("o", "n"): 0, ("o", "o"): 10}
    pairs = [pair for pair, number in table.items() for _ in range(number)]
    assert cohen_kappa(pairs) == pytest.approx(0.68, abs=0.005)
    assert cohen_kappa(pairs) == pytest.approx(slow_kappa(*map(list, zip(*pairs, strict=True))))


def test_where_kappa_is_not_defined() -> None:
    assert cohen_kappa([]) is None
    assert cohen_kappa([("a", "a")] * 5) is None


@given(masks, masks, masks, masks)
def test_frames_are_counted_one_by_one(
    first: np.ndarray, second: np.ndarray, seen: np.ndarray, normal: np.ndarray
) -> None:
    one, other = track("a", polyp=first, **{NORMAL: normal & ~first}), track("b", polyp=second)
    found = frame_agreement(one, other, SpanSet.from_mask(seen))
    if not (first | second).any():
        assert found == ()
        return
    (agreement,) = found
    assert agreement.name == "polyp"
    counts = agreement.both, agreement.only_first, agreement.only_second, agreement.neither
    slow = (first & second, first & ~second, ~first & second, ~first & ~second)
    assert counts == tuple(int((mask & seen).sum()) for mask in slow)
    if agreement.kappa is not None:
        assert agreement.kappa == pytest.approx(slow_kappa(list(first[seen]), list(second[seen])))
    differ = np.zeros(FRAMES, dtype=bool)
    for each in differences(one, other, SpanSet.from_mask(seen)):
        part = slice(each.span.start, each.span.stop)
        assert (first if each.side == "first" else second)[part].all()
        differ[part] = True
    assert (differ == ((first ^ second) & seen)).all()


def finding(start: int, stop: int, kind: str = "polyp") -> Finding:
    return Finding.new(study_id="s", kind=kind, span=Span(start, stop))


def test_findings_match_by_their_frames() -> None:
    first = [finding(0, 10), finding(20, 30), finding(50, 60)]
    second = [finding(8, 26), finding(22, 30, "ulcer"), finding(80, 90)]
    found = finding_agreement(first, second)
    assert found.matched == ((first[0], second[0]), (first[1], second[1]))
    assert (found.only_first, found.only_second) == ((first[2],), (second[2],))
    assert found.positive_agreement == pytest.approx(4 / 6)
    assert found.kind_kappa == 0.0
    assert finding_agreement([], []).positive_agreement is None


spans = st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))


@given(st.lists(spans, max_size=5), st.lists(spans, max_size=5))
def test_no_finding_is_matched_twice_or_lost(first: list[Span], second: list[Span]) -> None:
    ours, theirs = ([finding(one.start, one.stop) for one in side] for side in (first, second))
    found = finding_agreement(ours, theirs)
    used = [one.finding_id for pair in found.matched for one in pair]
    used += [one.finding_id for one in (*found.only_first, *found.only_second)]
    assert sorted(used) == sorted(one.finding_id for one in (*ours, *theirs))
    assert all(one.span.intersects(other.span) for one, other in found.matched)
    for one, other in combinations([*found.only_first, *found.only_second], 2):
        if (one in ours) != (other in ours):
            assert not one.span.intersects(other.span)


def test_no_and_nothing_said_are_told_apart() -> None:
    def said(answer: Literal["yes", "no"], *spans: Span) -> list[Label]:
        return [Label(new_id(), "s", span, "ulcer", answer=answer) for span in spans]

    first = LabelTrack([*said("yes", Span(0, 10)), *said("no", Span(20, 26))])
    second = LabelTrack([*said("no", Span(2, 5), Span(24, 30)), *said("yes", Span(20, 22))])
    seen = SpanSet([Span(0, 40)])
    (agreement,) = frame_agreement(first, second, seen)
    assert (agreement.only_first, agreement.denied_by_second) == (10, 3)
    assert (agreement.only_second, agreement.denied_by_first) == (2, 2)
    assert (agreement.neither, agreement.denied_by_both) == (28, 2)
    assert differences(first, second, seen) == (
        Difference("ulcer", Span(0, 2), "first"),
        Difference("ulcer", Span(2, 5), "first", is_denied=True),
        Difference("ulcer", Span(5, 10), "first"),
        Difference("ulcer", Span(20, 22), "second", is_denied=True),
    )


def test_a_class_that_was_only_rejected_has_a_row() -> None:
    first, second = (LabelTrack([Label(new_id(), "s", Span(3, 6), "blood", answer="no")]) for _ in range(2))
    (agreement,) = frame_agreement(first, second, SpanSet([Span(0, 10)]))
    assert (agreement.name, agreement.both, agreement.denied_by_both, agreement.kappa) == ("blood", 0, 3, None)
