"""What a card says of the images that a model was trained on."""

from pathlib import Path

import pytest

from training.datasets.synthetic import is_synthetic, trained_on
from training.phantom.record import truth_path


@pytest.fixture
def phantom(tmp_path: Path) -> Path:
    """A video with its ground truth, as the phantom writes it."""
    video = tmp_path / "P01.mp4"
    truth_path(video).write_text("{}", encoding="utf-8")
    return video


def test_a_study_with_its_ground_truth_is_synthetic(phantom: Path) -> None:
    assert is_synthetic(phantom)
    assert not is_synthetic(phantom.with_name("P02.mp4"))
    assert is_synthetic(phantom.with_name("P01")), "a folder of images, too"


@pytest.mark.parametrize(
    ("lineage", "synthetic", "real", "both"),
    [
        ({"init": "random"}, "synthetic", "real", "mixed"),
        ({"init": "imagenet"}, "synthetic", "real", "mixed"),
        ({"init": "model", "trained_on": "synthetic"}, "synthetic", "mixed", "mixed"),
        ({"init": "model", "trained_on": "real"}, "mixed", "real", "mixed"),
        ({"init": "pretrained", "trained_on": "mixed"}, "mixed", "mixed", "mixed"),
        ({"init": "model"}, None, None, None),
        ({"init": "file"}, None, None, None),
        ({"init": "model", "trained_on": "no such word"}, None, None, None),
    ],
)
def test_a_model_inherits_what_its_start_was_trained_on(
    phantom: Path, lineage: dict[str, str], synthetic: str, real: str, both: str
) -> None:
    other = phantom.with_name("patient.mp4")
    assert trained_on([phantom], lineage) == synthetic
    assert trained_on([other], lineage) == real
    assert trained_on([phantom, other], lineage) == both
