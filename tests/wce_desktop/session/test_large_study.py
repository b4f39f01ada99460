"""What keeps a large study quick says the same as the slow, obvious way, after any edits and moves of the threshold."""

from fractions import Fraction
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from training.video import FrameIndex
from wce_desktop.core.annotation.change import inverted
from wce_desktop.core.annotation.label import LabelTrack
from wce_desktop.core.annotation.labelling import apply_to_track, toggle_label
from wce_desktop.core.event import Event, Scores, highest_first
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.session.flags import Flags
from wce_desktop.session.reading import Entries, Place, Reading

FRAMES = 40
CLASSES = ("normal", "polyp", "blood")
TRACKS = arrays(np.float32, (FRAMES, 3), elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0, np.nan]))
MOVES = st.lists(
    st.tuples(st.sampled_from([0.0, 0.25, 0.3, 0.5, 0.75, 1.0]), st.integers(0, 4)), min_size=1, max_size=5
)


def slow_events(track: NDArray[np.float32], threshold: float, name: str, max_gap: int) -> list[Event]:
    groups: list[list[int]] = []
    for at, value in enumerate(track.tolist()):
        if value >= np.float32(threshold):
            if groups and at - groups[-1][-1] - 1 <= max_gap:
                groups[-1].append(at)
            else:
                groups.append([at])
    peaks = [max(group, key=lambda at: (track[at], -at)) for group in groups]
    return [
        Event(Span(group[0], group[-1] + 1), name, float(track[peak]), peak)
        for group, peak in zip(groups, peaks, strict=True)
    ]


def reading_of(tracks: NDArray[np.float32], seen: NDArray[np.bool_]) -> Reading:
    numbers = np.arange(FRAMES)
    index = FrameIndex(numbers / 2, numbers, np.ones(FRAMES, bool), Fraction(1, 2), np.zeros(0, np.int64))
    study = Study("s", "p", "name", Path("v.mp4"), frame_count=FRAMES)
    flags = Flags(FRAMES, threshold=0.5, max_gap=0)
    reading = Reading(study, index, Entries(FRAMES, LabelTrack()), flags, Place(), seen, fast=np.zeros_like(seen))
    reading.flags.set_scores(Scores(CLASSES, tracks, numbers.astype(np.int64)), None)
    return reading


@given(TRACKS, arrays(np.bool_, FRAMES), MOVES)
def test_after_any_moves_of_the_threshold_events_and_counts_are_those_of_the_slow_loop(
    tracks: NDArray[np.float32], seen: NDArray[np.bool_], moves: list[tuple[float, int]]
) -> None:
    tracks[0, 0] = 0.0  # of nothing but missing frames there are no scores
    reading = reading_of(tracks, seen)
    for threshold, max_gap in moves:
        reading.flags.threshold, reading.flags.max_gap = threshold, max_gap
        reading.flags.find_events()
        plain = [
            event
            for column, name in ((1, "polyp"), (2, "blood"))
            for event in slow_events(tracks[:, column], threshold, name, max_gap)
        ]
        by_time = sorted(plain, key=lambda event: event.span.start)
        assert list(reading.flags.events) == by_time
        assert list(reading.flags.events.ordered("score")) == sorted(by_time, key=lambda event: -event.peak_score)
        assert list(reading.flags.events.ordered("score").ordered("time")) == by_time
        flagged = [max(row, default=-1.0) >= np.float32(threshold) for row in np.nan_to_num(tracks[:, 1:], nan=-1.0)]
        assert reading.flags.flagged().tolist() == flagged
        assert reading.unseen(reading.flags.events).tolist() == [not seen[event.peak_frame] for event in by_time]


@given(arrays(np.float32, st.integers(0, 30), elements=st.sampled_from([-0.0, 0.0, 0.25, 0.5, 1.0])))
def test_highest_first_is_a_stable_sort(scores: NDArray[np.float32]) -> None:
    assert highest_first(scores).tolist() == np.argsort(-scores, kind="stable").tolist()


PRESS = st.tuples(st.integers(0, 60), st.integers(1, 20), st.sampled_from(["normal", "polyp", "blood"]), st.booleans())


@given(st.lists(PRESS, max_size=12))
def test_after_any_edits_and_undos_the_kept_counts_are_those_of_the_labels(
    presses: list[tuple[int, int, str, bool]],
) -> None:
    track = LabelTrack()
    for start, length, name, is_undone in presses:
        _, changes = toggle_label(track, Span(start, start + length), name, study_id="s", reader="r")
        apply_to_track(track, changes)
        if is_undone:
            apply_to_track(track, inverted(changes))
        counted: dict[str, int] = {}
        for label in track:
            counted[label.name] = counted.get(label.name, 0) + len(label.span)
        assert track.frame_counts == counted == LabelTrack(track).frame_counts
