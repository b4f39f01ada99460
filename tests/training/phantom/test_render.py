"""Frames are deterministic, look round, and show lesions where the truth says."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.training.phantom.studies import LIVELY, SIZE_PX, lively, rendered
from training.phantom.patient import CLASSES, REGIONS, PhantomConfig
from training.phantom.plan import make_plan
from training.phantom.render import Renderer

SHORT = PhantomConfig(frames=12, seed=3, size_px=48)
USUAL_MEANS = [78.827, 83.702, 77.467, 82.127]
"""Of each quarter of `LIVELY`, from the version before frame rate, speed and alike lesions were added."""


def test_the_same_config_gives_the_same_bytes_in_any_order() -> None:
    frames, truths = rendered(SHORT)
    renderer = Renderer(make_plan(SHORT))
    for index in (7, 2, 11):
        frame, truth = renderer.frame(index)
        assert np.array_equal(frame, frames[index])
        assert truth == truths[index]


@pytest.mark.parametrize("other", [{"seed": 4}, {"patient": 1}, {"passes": 2, "pass_index": 1}])
def test_another_config_gives_other_frames(other: dict[str, Any]) -> None:
    frames, _ = rendered(SHORT)
    changed, _ = rendered(replace(SHORT, **other))
    assert np.abs(frames.astype(int) - changed).mean() > 5


def test_the_field_of_view_is_black_outside_and_lit_inside() -> None:
    frames, _ = lively()
    assert frames.shape == (LIVELY.frames, SIZE_PX, SIZE_PX, 3)
    assert frames.dtype == np.uint8
    assert frames[:, :6, -6:].max() < 12
    middle = frames[:, 20:44, 20:44].reshape(LIVELY.frames, -1)
    assert middle.max(axis=1).min() > 40
    red, green, blue = frames[:, 20:44, 20:44].reshape(-1, 3).mean(axis=0)
    assert red > green > blue  # mucosa


def test_the_clock_changes_every_second_frame() -> None:
    frames, _ = lively()
    corner = frames[:, -6:, :12].max(axis=3)
    assert corner.max(axis=(1, 2)).min() > 100
    same = [np.array_equal(corner[index], corner[index + 1]) for index in range(0, 40, 2)]
    assert all(same)
    assert len({shown.tobytes() for shown in corner[:20]}) == 10


def test_truth_is_consistent() -> None:
    _, truths = lively()
    assert [truth.frame_index for truth in truths] == list(range(LIVELY.frames))
    assert [truth.region for truth in truths] == sorted((truth.region for truth in truths), key=REGIONS.index)
    for truth in truths:
        assert set(truth.labels) <= set(CLASSES)
        for seen in truth.sightings:
            left, top, right, bottom = seen.box
            assert 0 <= left < right <= SIZE_PX
            assert 0 <= top < bottom <= SIZE_PX
            assert 0 < seen.area_share <= (right - left) * (bottom - top) / (0.7 * SIZE_PX**2)


def test_lesions_are_seen_clearly_and_about_as_often_as_wanted() -> None:
    _, truths = lively()
    clear = [index for index, truth in enumerate(truths) if any(seen.is_clear for seen in truth.sightings)]
    assert 0.08 <= len(clear) / LIVELY.frames <= 0.4
    ids = {seen.lesion_id for truth in truths for seen in truth.sightings}
    assert ids <= {lesion.lesion_id for lesion in make_plan(LIVELY).lesions}
    assert len(ids) >= 2


def test_boxes_point_at_the_lesions() -> None:
    """Without its lesions the same study differs inside the boxes, and hardly elsewhere."""
    frames, truths = lively()
    plan = make_plan(LIVELY)
    bare = Renderer(replace(plan, lesions=()))
    inside, outside = [], []
    for truth in [truth for truth in truths if any(seen.is_clear for seen in truth.sightings)][:12]:
        frame, nothing = bare.frame(truth.frame_index)
        assert nothing.sightings == ()
        change = np.abs(frame.astype(int) - frames[truth.frame_index]).mean(axis=2)
        boxes = np.zeros(change.shape, bool)
        for left, top, right, bottom in (seen.box for seen in truth.sightings):
            boxes[top:bottom, left:right] = True
        inside.append(change[boxes].mean())
        outside.append(change[~boxes].mean())
    assert np.median(inside) > 4 * np.median(outside)


def test_no_lesions_without_a_share() -> None:
    assert make_plan(replace(SHORT, positive_share=0.0)).lesions == ()


def test_passes_of_a_patient_share_their_lesions_and_not_their_motion() -> None:
    first, second = (make_plan(replace(SHORT, frames=80, passes=2, pass_index=index)) for index in (0, 1))
    assert first.lesions
    assert first.lesions == second.lesions
    assert first.patient == second.patient
    assert not np.allclose(first.motion.depth, second.motion.depth)


def test_two_frames_are_enough() -> None:
    frames, truths = rendered(PhantomConfig(frames=2, size_px=48))
    assert len(frames) == len(truths) == 2


def test_frames_of_the_usual_settings_are_those_of_before() -> None:
    """Settings that came later leave them as they were; lossy steps may round otherwise on another machine."""
    frames, _ = lively()
    means = frames.reshape(4, 40, -1).mean(axis=(1, 2))
    assert means == pytest.approx(USUAL_MEANS, abs=0.05)
