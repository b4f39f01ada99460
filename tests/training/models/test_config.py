"""What a model's config accepts."""

import pytest
from pydantic import ValidationError

from training.models.config import ModelConfig


def test_sizes_follow_from_backbone_and_input() -> None:
    config = ModelConfig(backbone="resnet50", classes=("normal", "polyp"), input_size=225)
    assert config.embedding_size == 2048
    assert config.cam_size == 8


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"classes": ("polyp", "normal")}, "first class must be"),
        ({"classes": ("normal", "polyp", "polyp")}, "must be unique"),
        ({"classes": ("normal",)}, "at least 2"),
        ({"classes": ("normal", "polyp"), "std": (0.2, 0.0, 0.2)}, "positive"),
        ({"classes": ("normal", "polyp"), "model_id": "../up"}, "pattern"),
        ({"classes": ("normal", "polyp"), "backbone": "vgg"}, "resnet18"),
        ({"classes": ("normal", "polyp"), "schema_version": 2}, "1"),
        ({"classes": ("normal", "polyp"), "speed": 2}, "Extra"),
    ],
)
def test_what_cannot_be_a_model_is_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        ModelConfig.model_validate(fields)
