"""Pseudo-labels and sequences: what is near in time, what is never near, and which frames a batch holds."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from training.datasets.manifest import Manifest, StudyEntry, StudySpan, unknown_patients
from training.datasets.pretraining_spans import pretraining_spans
from training.datasets.sequences import (
    STUDY_STRIDE,
    FrameSequence,
    SequenceSampler,
    SequenceSource,
    SequenceSpan,
    pseudo_labels,
)
from training.errors import UserError


@given(
    gammas=st.tuples(st.integers(0, 10_000), st.integers(0, 10_000)),
    deltas=st.tuples(st.integers(0, STUDY_STRIDE), st.integers(0, STUDY_STRIDE)),
    window=st.integers(0, 5000),
)
@settings(max_examples=80, deadline=None)
def test_frames_of_two_studies_are_never_positives(
    gammas: tuple[int, int], deltas: tuple[int, int], window: int
) -> None:
    positions = np.array([max(deltas)], dtype=np.int64)
    if max(deltas) + window >= STUDY_STRIDE:
        with pytest.raises(UserError, match="do not stay below"):
            pseudo_labels(gammas[0], positions, window)
        return
    first, second = (
        int(pseudo_labels(gamma, np.array([delta], dtype=np.int64), window)[0])
        for gamma, delta in zip(gammas, deltas, strict=True)
    )
    is_positive = abs(first - second) <= window
    assert is_positive == (gammas[0] == gammas[1] and abs(deltas[0] - deltas[1]) <= window)


def test_the_papers_condition_alone_is_not_enough() -> None:
    # M is greater than the largest position, and yet the end of study 0 is near to the start of study 1.
    last, first = 999_999, STUDY_STRIDE + 0
    assert abs(last - first) <= 9
    with pytest.raises(UserError):
        pseudo_labels(0, np.array([last]), 9)
    assert pseudo_labels(0, np.array([999_990]), 9).tolist() == [999_990]


def test_pseudo_labels_are_whole_numbers_of_64_bits() -> None:
    labels = pseudo_labels(np.array([0, 17, 9000]), np.array([5, 5, 6]), 9)
    assert labels.dtype == np.int64
    assert labels.tolist() == [5, 17_000_005, 9_000_000_006]


def spans(*lengths: int, one_study: bool = False) -> list[SequenceSpan]:
    """A span of each length; with gaps between them where they are of one study."""
    made, at = [], 10
    for number, length in enumerate(lengths):
        study = 0 if one_study else number
        made.append(SequenceSpan(study, study, at, at + length))
        at += length + 5
    return made


SOURCES: tuple[SequenceSource, ...] = ("studies", "resample", "anywhere")


@given(
    lengths=st.lists(st.integers(1, 60), min_size=1, max_size=5),
    length=st.integers(1, 30),
    count=st.integers(1, 5),
    source=st.sampled_from(SOURCES),
    one_study=st.booleans(),
    step=st.integers(0, 10_000),
)
@settings(max_examples=80, deadline=None)
def test_sequences_stay_in_their_span_and_share_no_frame(
    lengths: list[int], length: int, count: int, source: SequenceSource, one_study: bool, step: int
) -> None:
    made = spans(*lengths, one_study=one_study)
    try:
        sampler = SequenceSampler(made, length, count, source, window=9, seed=3)
    except UserError as error:
        said = error.message
        assert "cannot be drawn from" in said or "No study holds" in said
        return
    drawn = sampler.batch(step)
    assert len(drawn) == count
    seen: set[tuple[int, int]] = set()
    for part in drawn:
        home = next(span for span in made if span.study == part.study and span.start <= part.start < span.stop)
        assert part.stop <= home.stop
        assert len(part) == min(length, len(home))
        frames = {(part.study, int(position)) for position in part.positions}
        assert not frames & seen
        seen |= frames
    studies = {part.study for part in drawn}
    if source == "studies":
        assert len(studies) == count
    if source == "resample":
        assert len(studies) == 1
    assert sampler.batch(step) == drawn
    assert sum(map(len, drawn)) <= sampler.length * sampler.sequences


def test_a_step_depends_on_seed_and_step_alone() -> None:
    one, other = (SequenceSampler(spans(500, 500), 72, seed=seed) for seed in (0, 1))
    again = SequenceSampler(spans(500, 500), 72, seed=0)
    assert [one.batch(step) for step in range(20)] == [again.batch(step) for step in range(20)]
    assert [one.batch(step) for step in range(20)] != [other.batch(step) for step in range(20)]
    assert one.batch(3, attempt=1) != one.batch(3)


def test_every_frame_is_drawn_and_studies_in_proportion_to_their_frames() -> None:
    sampler = SequenceSampler(spans(30, 90), 6)
    drawn = [sampler.batch(step)[0] for step in range(1500)]
    assert sum(part.study == 1 for part in drawn) == pytest.approx(0.75 * 1500, abs=80)
    seen = {(part.study, int(position)) for part in drawn for position in part.positions}
    assert len(seen) == 120


def test_sequences_of_one_study_lie_everywhere_in_it() -> None:
    sampler = SequenceSampler(spans(40), 6, 3, "resample")
    starts = [part.start for step in range(800) for part in sampler.batch(step)]
    assert set(starts) == set(range(10, 10 + 40 - 6 + 1))


def test_frames_of_two_sequences_of_one_study_within_the_window_are_positives() -> None:
    near = FrameSequence(0, 4, 100, 110).labels(9), FrameSequence(0, 4, 112, 120).labels(9)
    assert abs(int(near[0][-1]) - int(near[1][0])) <= 9


def test_a_batch_that_cannot_be_is_told() -> None:
    with pytest.raises(UserError, match="3 sequences from different studies cannot be drawn from 2"):
        SequenceSampler(spans(90, 90), 9, 3)
    with pytest.raises(UserError, match="No study holds 3 sequences of 40 frames"):
        SequenceSampler(spans(90, 90), 40, 3, "resample")
    with pytest.raises(UserError, match="no frames to pretrain on"):
        SequenceSampler([], 9)
    with pytest.raises(UserError, match="smaller window"):
        SequenceSampler([SequenceSpan(0, 0, 0, STUDY_STRIDE)], 9)


def manifest(*studies: tuple[StudySpan, ...]) -> Manifest:
    return Manifest(
        studies=tuple(
            StudyEntry(study_id=f"S{k}", patient_id=f"P{k}", path=Path(f"{k}.mp4"), spans=parts)
            for k, parts in enumerate(studies)
        )
    )


def test_only_small_bowel_and_colon_count_where_regions_are_known() -> None:
    known = (
        StudySpan(start=0, stop=10, region="stomach"),
        StudySpan(start=10, stop=60, region="small bowel"),
        StudySpan(start=60, stop=90, region="colon"),
    )
    unknown = (StudySpan(start=5, stop=20),)
    made, said = pretraining_spans(manifest(known, (), unknown), {"S0": 90, "S1": 40, "S2": 30})
    assert made == (
        SequenceSpan(0, 0, 10, 60),
        SequenceSpan(0, 0, 60, 90),
        SequenceSpan(1, 1, 0, 40),
        SequenceSpan(2, 2, 5, 20),
    )
    assert said == "25 of 160 frames are left out: they are in no span of small bowel or colon."
    assert pretraining_spans(manifest(()), {"S0": 9})[1] == ""


def test_what_lies_before_stomach_or_small_bowel_never_counts() -> None:
    """As the application writes it: what lies before the first landmark is a span of no region."""
    mouth = (
        StudySpan(start=0, stop=5),
        StudySpan(start=5, stop=30, region="stomach"),
        StudySpan(start=30, stop=50, region="small bowel"),
    )
    stomach = (StudySpan(start=0, stop=20), StudySpan(start=20, stop=50, region="small bowel"))
    unsaid = (StudySpan(start=0, stop=20), StudySpan(start=20, stop=50, region="colon"))
    made, said = pretraining_spans(manifest(mouth, stomach, unsaid), {"S0": 50, "S1": 50, "S2": 50})
    assert [(span.study, span.start, span.stop) for span in made] == [(0, 30, 50), (1, 20, 50), (2, 0, 20), (2, 20, 50)]
    assert said.startswith("50 of 150 frames are left out")


def test_spans_that_share_frames_are_told() -> None:
    shared = (StudySpan(start=20, stop=40), StudySpan(start=0, stop=21, region="colon"))
    with pytest.raises(UserError, match=r"Two spans of study S0 share frames: \[0, 21\) and \[20, 40\)"):
        pretraining_spans(manifest(shared), {"S0": 40})


def test_each_span_can_be_a_study_of_its_own() -> None:
    runs = tuple(StudySpan(start=10 * k, stop=10 * k + 10) for k in range(3))
    made, _ = pretraining_spans(manifest(runs, (), runs[:1]), {"S0": 30, "S1": 7, "S2": 30}, each_span_is_a_study=True)
    assert [span.gamma for span in made] == [0, 1, 2, 3, 4]
    assert [span.study for span in made] == [0, 0, 0, 1, 2]
    # The last frame of one run and the first of the next are one file's neighbours, and yet negatives.
    before, after = pseudo_labels(0, np.array([9]), 9), pseudo_labels(1, np.array([10]), 9)
    assert abs(int(before[0]) - int(after[0])) > 9


def test_a_span_past_the_end_is_told() -> None:
    with pytest.raises(UserError, match="study S0 ends at frame 50, past the end"):
        pretraining_spans(manifest((StudySpan(start=0, stop=50),)), {"S0": 40})


def test_stills_are_left_out_where_time_teaches() -> None:
    video = StudyEntry(study_id="V", patient_id="P", path=Path("v.mp4"))
    stills = StudyEntry(study_id="S", patient_id="P", path=Path("s"), kind="stills")
    unknown = StudyEntry(study_id="U", patient_id=unknown_patients("kid2"), path=Path("u"))
    three, counts = Manifest(studies=(stills, video, unknown)), {"V": 40, "S": 30, "U": 7}
    made, said = pretraining_spans(three, counts, needs_time=True)
    assert made == (SequenceSpan(1, 0, 0, 40),)
    assert said.startswith("37 of 77 frames are left out: they are still images")
    made, said = pretraining_spans(three, counts)
    assert [span.study for span in made] == [0, 1, 2]
    assert said == ""
