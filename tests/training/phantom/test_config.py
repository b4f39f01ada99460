"""Configs refuse what cannot be rendered, in a sentence."""

from typing import Any

import pytest

from training.errors import UserError
from training.phantom.patient import PhantomConfig, pass_random, patient_random


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"frames": 1}, "1 frames"),
        ({"size_px": 47}, "47 px"),
        ({"size_px": 65}, "65 px"),
        ({"size_px": 4096}, "4096 px"),
        ({"seed": -1}, "Seed -1"),
        ({"patient": -2}, "patient -2"),
        ({"passes": 3}, "of 3"),
        ({"passes": 2, "pass_index": 2}, "Pass 2"),
        ({"positive_share": 0.9}, "0.9"),
        ({"rest_share": 0.95}, "0.95"),
        ({"frames_per_second": 0}, "0 frames a second"),
        ({"frames_per_second": 61}, "61 frames a second"),
        ({"speed": 0.05}, "speed of 0.05"),
        ({"speed": 3.0}, "speed of 3.0"),
    ],
)
def test_a_value_out_of_range_is_named(wrong: dict[str, Any], named: str) -> None:
    with pytest.raises(UserError, match=named) as caught:
        PhantomConfig(**wrong)
    assert caught.value.hint


def test_ids_tell_patient_and_pass() -> None:
    assert PhantomConfig(patient=2).study_id == "P03"
    assert PhantomConfig(patient=2, passes=2, pass_index=1).study_id == "P03b"
    assert PhantomConfig(patient=2, passes=2, pass_index=1).patient_id == "P03"


def test_passes_share_the_patients_chance_and_not_their_own() -> None:
    first, second = (PhantomConfig(passes=2, pass_index=index) for index in (0, 1))
    assert patient_random(first, "x").random() == patient_random(second, "x").random()
    assert pass_random(first, "x").random() != pass_random(second, "x").random()
    assert patient_random(first, "x").random() != patient_random(first, "y").random()
