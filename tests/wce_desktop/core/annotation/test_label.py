"""The label track against a dictionary of sets, which is slow and obvious."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wce_desktop.core.annotation.label import Label, LabelTrack
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span

NAMES = ("blood", "normal", "polyp")


def label(start: int, stop: int, name: str = "polyp") -> Label:
    return Label(new_id(), "s", Span(start, stop), name)


steps = st.lists(st.tuples(st.sampled_from(NAMES), st.integers(0, 30), st.integers(1, 6), st.booleans()), max_size=40)


@given(steps)
def test_lookups_agree_with_a_dictionary_of_sets(taken: list[tuple[str, int, int, bool]]) -> None:
    track = LabelTrack()
    slow: dict[str, set[int]] = {name: set() for name in NAMES}
    for name, start, length, is_removal in taken:
        span = Span(start, start + length)
        covered = set(range(span.start, span.stop))
        if is_removal:
            for found in track.overlapping(name, span):
                track.remove(found)
                slow[name] -= set(range(found.span.start, found.span.stop))
        elif slow[name] & covered:
            with pytest.raises(ValueError, match="overlap"):
                track.add(label(span.start, span.stop, name))
        else:
            track.add(label(span.start, span.stop, name))
            slow[name] |= covered
    for frame in range(40):
        assert [found.name for found in track.at(frame)] == [name for name in NAMES if frame in slow[name]]
    window = Span(10, 20)
    for name in NAMES:
        inside = {frame for span in track.frames(name, window) for frame in range(span.start, span.stop)}
        assert inside == slow[name] & set(range(10, 20))
    assert track.labelled().frame_count == len(set().union(*slow.values()))


def test_a_track_is_the_same_however_it_was_made() -> None:
    labels = [label(5, 9), label(0, 5), label(3, 4, "blood")]
    grown = LabelTrack()
    for one in labels:
        grown.add(one)
    assert list(LabelTrack(labels)) == list(grown)
    assert len(grown) == 3


def test_overlapping_labels_are_refused_also_at_once() -> None:
    with pytest.raises(ValueError, match="overlap at frame 4"):
        LabelTrack([label(0, 5), label(4, 6)])


def test_removing_what_is_not_there_is_a_bug() -> None:
    track = LabelTrack([label(0, 5)])
    with pytest.raises(KeyError):
        track.remove(label(0, 5))


def test_a_label_checks_itself() -> None:
    with pytest.raises(ValueError, match="needs a name"):
        Label("1", "s", Span(0, 1), "")
    with pytest.raises(ValueError, match="source"):
        Label("1", "s", Span(0, 1), "polyp", "guess")  # type: ignore[arg-type]
