import pytest
import torch

from tests.training.models.test_clip_encoder import TINY, clips
from training.models.clip_encoder import MaskedAutoencoder, clips_of_cubes, cubes_of_clips, tube_masks, tube_numbers


def network() -> MaskedAutoencoder:
    torch.manual_seed(3)
    return MaskedAutoencoder(TINY, 8, 1, 2)


def masks(share: float = 0.5, count: int = 2) -> torch.Tensor:
    return tube_masks(count, TINY.places, share, torch.Generator().manual_seed(2))


@pytest.mark.parametrize(("places", "share", "masked"), [(64, 0.9, 57), (196, 0.9, 176), (16, 0.9, 14), (4, 0.5, 2)])
def test_masks_have_an_exact_count_and_differ_between_clips(places: int, share: float, masked: int) -> None:
    found = tube_masks(6, places, share, torch.Generator().manual_seed(0))
    assert found.shape == (6, places)
    assert found.sum(1).tolist() == [masked] * 6
    assert len({tuple(row) for row in found.tolist()}) > 1
    assert torch.equal(found, tube_masks(6, places, share, torch.Generator().manual_seed(0)))


def test_every_place_is_masked_equally_often() -> None:
    often = tube_masks(4000, 10, 0.3, torch.Generator().manual_seed(0)).float().mean(0)
    assert (often - 0.3).abs().max() < 0.04


def test_a_map_holds_for_all_times() -> None:
    masked, found = masks(), tube_numbers(masks(), TINY.times)
    for row in range(2):
        expected = [
            time * TINY.places + place
            for time in range(TINY.times)
            for place in range(TINY.places)
            if masked[row, place]
        ]
        assert found[row].tolist() == expected
    with pytest.raises(ValueError, match="equally many"):
        tube_numbers(torch.tensor([[True, False], [True, True]]), 2)


def test_the_encoder_sees_visible_cubes_only_and_the_decoder_predicts_the_others() -> None:
    made, masked = network(), masks()
    before = made(clips(), masked)
    hidden = tube_numbers(masked, TINY.times)
    assert before.reconstruction.shape == (2, hidden.shape[1], TINY.cube_numbers)
    cubes = cubes_of_clips(clips(), TINY)
    changed = cubes.scatter(1, hidden.unsqueeze(2).expand(-1, -1, cubes.shape[2]), 9.0)
    after = made(clips_of_cubes(changed, TINY), masked)
    assert torch.equal(after.tokens, before.tokens)
    assert torch.equal(after.reconstruction, before.reconstruction)
    seen = clips_of_cubes(torch.where(changed == 9.0, changed, changed + 0.1), TINY)
    assert not torch.equal(made(seen, masked).tokens, before.tokens)


def test_masked_cubes_differ_by_their_positions() -> None:
    found = network()(clips(1), masks(count=1)).reconstruction[0]
    assert not torch.allclose(found[0], found[1])


def test_all_weights_get_a_gradient() -> None:
    made = network()
    made(clips(), masks()).reconstruction.square().sum().backward()
    assert all(weight.grad is not None for weight in made.parameters())
