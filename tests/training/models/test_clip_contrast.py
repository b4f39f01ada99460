import numpy as np
import torch

from tests.training.models.test_clip_encoder import TINY, clips
from training.losses.info_nce import KeyQueue
from training.models.clip_encoder import ClipContrast, ClipEncoder


def network() -> ClipContrast:
    torch.manual_seed(1)
    return ClipContrast(TINY, (12, 6), KeyQueue(7, 6))


def test_both_encoders_start_alike_and_only_one_is_trained() -> None:
    made = network()
    torch.testing.assert_close(made.query(clips()), made.key(clips()))
    torch.testing.assert_close(made.query(clips()).norm(dim=1), torch.ones(2))
    assert all(weight.requires_grad for weight in made.query.parameters())
    assert not any(weight.requires_grad for weight in made.key.parameters())


def test_the_key_encoder_follows_as_equation_3_says() -> None:
    made = network()
    expected = {name: weight.numpy().astype(np.float64) for name, weight in made.key.state_dict().items()}
    for step in range(5):
        with torch.no_grad():
            for weight in made.query.parameters():
                weight.add_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(step)))
        made.follow_(0.9)
        for name, weight in made.query.state_dict().items():
            slow, fast = expected[name].reshape(-1), weight.numpy().reshape(-1)
            for place in range(len(slow)):
                slow[place] = 0.9 * slow[place] + 0.1 * fast[place]
    for name, weight in made.key.state_dict().items():
        np.testing.assert_allclose(weight.numpy(), expected[name], rtol=1e-4, atol=1e-5)


def test_an_encoder_is_loaded_into_both() -> None:
    made, other = network(), ClipEncoder(TINY)
    made.load_encoder(other)
    assert torch.equal(made.query.encoder.embed.weight, other.embed.weight)
    assert torch.equal(made.key.encoder.embed.weight, other.embed.weight)
