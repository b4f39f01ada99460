"""The joint embedding without torch against the encoder in torch."""

from pathlib import Path

import numpy as np
import pytest
import torch

from tests import tiny_backbone
from training.errors import UserError
from training.reidentification.config import EncoderConfig
from training.reidentification.encoder import MultiViewEncoder, SingleFrameEncoder
from training.reidentification.model import AT_ONCE, JointEmbedding
from training.runs.checkpoint import write_tensors

CONFIG = EncoderConfig(backbone=tiny_backbone.TINY.name, embedding=32, heads=4, feed_forward=24, projection_hidden=20)


def encoder_of() -> MultiViewEncoder:
    torch.manual_seed(1)
    made = MultiViewEncoder(SingleFrameEncoder(CONFIG)).eval()
    for parameter in made.parameters():  # norms and biases start at ones and zeros, which would hide mistakes
        torch.nn.init.normal_(parameter, std=0.3)
    return made


def written(folder: Path, encoder: MultiViewEncoder) -> Path:
    path = folder / "model.safetensors"
    write_tensors(path, {name: tensor.contiguous() for name, tensor in encoder.state_dict().items()}, {})
    return path


def test_it_equals_the_encoder_in_torch(tmp_path: Path) -> None:
    encoder = encoder_of()
    joint = JointEmbedding.open(written(tmp_path, encoder), CONFIG)
    rng = np.random.default_rng(0)
    views = rng.normal(size=(5, 8, 32)).astype(np.float32)
    mask = np.arange(8) < np.array([[8], [1], [3], [5], [8]])
    with torch.inference_mode():
        expected = encoder.of_embeddings(torch.from_numpy(views), torch.from_numpy(mask)).numpy()
    np.testing.assert_allclose(joint(views, mask), expected, atol=1e-5)


def test_a_vector_for_each_tracklet_whatever_its_length(tmp_path: Path) -> None:
    joint = JointEmbedding.open(written(tmp_path, encoder_of()), CONFIG)
    rng = np.random.default_rng(0)
    embeddings = [rng.normal(size=(at % 7, 32)).astype(np.float32) for at in range(AT_ONCE + 9)]
    found = joint.of_tracklets(embeddings, 4)
    assert found.shape == (AT_ONCE + 9, 32)
    assert not found[0].any(), "a tracklet without frames has no vector"
    alone = joint(embeddings[3][None], np.ones((1, 3), np.bool_))
    np.testing.assert_allclose(found[3], alone[0], atol=1e-5)


def test_weights_of_another_encoder_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, encoder_of())
    with pytest.raises(UserError, match="does not hold the encoder"):
        JointEmbedding.open(path, CONFIG.model_copy(update={"blocks": 4}))
