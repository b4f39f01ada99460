"""Patients differ, and no lesion gives itself away by the frame's mean colour."""

import numpy as np

from tests.training.phantom.studies import lively, rendered
from training.phantom.patient import PhantomConfig, make_patient


def test_patients_differ_in_colour_and_shape() -> None:
    patients = [make_patient(PhantomConfig(patient=number)) for number in range(20)]
    assert {patient.shape for patient in patients} == {"circle", "octagon"}
    bowel = np.array([patient.mucosa[1] for patient in patients])
    assert (bowel.std(axis=0) > 5).all()


def test_regions_look_different() -> None:
    frames, truths = rendered(PhantomConfig(frames=60, size_px=64, seed=1))
    colours = {
        region: np.median(
            [frames[truth.frame_index, 16:48, 16:48].mean() for truth in truths if truth.region == region]
        )
        for region in ("stomach", "small bowel", "colon")
    }
    assert len({round(float(value)) for value in colours.values()}) == 3


def test_mean_colour_alone_does_not_find_lesions() -> None:
    frames, truths = lively()
    redness = frames[..., 0].mean(axis=(1, 2)) / frames.mean(axis=(1, 2, 3))
    positive = np.array([any(seen.is_clear for seen in truth.sightings) for truth in truths])
    ranks = redness.argsort().argsort()
    auc = (ranks[positive].mean() - (positive.sum() - 1) / 2) / (~positive).sum()
    assert 0.1 < auc < 0.9
