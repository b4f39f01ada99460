import math

import pytest
import torch
from pydantic import ValidationError

from training.models.clip_config import SMALL, ClipEncoderConfig
from training.models.clip_encoder import (
    MASK_TOKEN_DEVIATION,
    ClipEncoder,
    MaskedAutoencoder,
    clips_of_cubes,
    cubes_of_clips,
    sine_positions,
)

TINY = ClipEncoderConfig(frames=4, input_size=16, cube_frames=2, cube_size=8, width=16, blocks=2, heads=2)


def clips(count: int = 2, config: ClipEncoderConfig = TINY) -> torch.Tensor:
    shape = (count, config.frames, 3, config.input_size, config.input_size)
    return torch.randn(shape, generator=torch.Generator().manual_seed(0))


def test_cubes_equal_a_slow_loop_and_go_back() -> None:
    found, given = cubes_of_clips(clips(), TINY), clips()
    assert found.shape == (2, 8, 2 * 8 * 8 * 3)
    number = 0
    for time in range(2):
        for row in range(2):
            for column in range(2):
                part = given[1, 2 * time : 2 * time + 2, :, 8 * row : 8 * row + 8, 8 * column : 8 * column + 8]
                expected = [
                    float(part[frame, channel, y, x])
                    for frame in range(2)
                    for y in range(8)
                    for x in range(8)
                    for channel in range(3)
                ]
                assert found[1, number].tolist() == expected
                number += 1
    assert torch.equal(clips_of_cubes(found, TINY), given)


def test_positions_equal_a_slow_loop() -> None:
    found = sine_positions(5, 6)
    for number in range(5):
        for column in range(6):
            angle = number / 10_000 ** (2 * (column // 2) / 6)
            expected = math.cos(angle) if column % 2 else math.sin(angle)
            assert float(found[number, column]) == pytest.approx(expected, abs=1e-6)


def test_linear_layer_on_cubes_is_a_convolution_with_kernel_equal_to_stride() -> None:
    encoder, given = ClipEncoder(TINY), clips()
    kernel = encoder.embed.weight.view(16, 2, 8, 8, 3).permute(0, 4, 1, 2, 3)
    convolved = torch.nn.functional.conv3d(given.transpose(1, 2), kernel, encoder.embed.bias, stride=(2, 8, 8))
    expected = convolved.flatten(2).transpose(1, 2)
    torch.testing.assert_close(encoder.embed(cubes_of_clips(given, TINY)), expected, atol=1e-5, rtol=1e-5)


def test_embedding_is_the_mean_of_the_tokens() -> None:
    encoder = ClipEncoder(TINY)
    assert encoder(clips()).shape == (2, 16)
    torch.testing.assert_close(encoder(clips()), encoder.tokens(clips()).mean(1))


def test_visible_tokens_do_not_depend_on_hidden_cubes() -> None:
    encoder, given = ClipEncoder(TINY), clips()
    visible = torch.tensor([[1, 5], [0, 4]])
    before = encoder.tokens(given, visible)
    cubes = cubes_of_clips(given, TINY)
    kept = cubes.clone().fill_(100.0)
    for row in range(2):
        kept[row, visible[row]] = cubes[row, visible[row]]
    assert before.shape == (2, 2, 16)
    assert torch.equal(encoder.tokens(clips_of_cubes(kept, TINY), visible), before)
    everything = torch.arange(8).expand(2, -1)
    torch.testing.assert_close(encoder.tokens(given, everything), encoder.tokens(given))


def test_blocks_start_different() -> None:
    first, second = ClipEncoder(TINY).blocks.layers
    assert not torch.equal(first.linear1.weight, second.linear1.weight)


def test_starts_as_videomae() -> None:
    torch.manual_seed(0)
    network = MaskedAutoencoder(TINY, 8, 1, 2)
    for part in (network.encoder.blocks, network.decoder.blocks, network.decoder.predict):
        for name, parameter in part.named_parameters():
            if parameter.ndim > 1:  # Glorot's uniform rule
                limit = math.sqrt(6 / sum(parameter.shape))
                assert 0.9 * limit < parameter.abs().max() <= limit, name
            else:
                assert torch.equal(parameter, torch.full_like(parameter, float(name.endswith("weight")))), name
    assert network.decoder.mask_token.abs().max() <= MASK_TOKEN_DEVIATION


def test_default_has_the_size_of_vit_b() -> None:
    with torch.device("meta"):
        encoder = ClipEncoder(ClipEncoderConfig())
    block = 12 * 768**2 + 13 * 768
    expected = (2 * 16 * 16 * 3 + 1) * 768 + 12 * block + 2 * 768
    assert sum(parameter.numel() for parameter in encoder.parameters()) == expected == 86_236_416
    assert encoder.config.tokens == 8 * 14 * 14


def test_small_has_256_tokens() -> None:
    assert ClipEncoderConfig(**SMALL).tokens == 256


def test_normalises_frames() -> None:
    frames = torch.zeros(1, 4, 16, 16, 3, dtype=torch.uint8)
    frames[0, 2, 3, 5] = torch.tensor([255, 51, 0], dtype=torch.uint8)
    made = ClipEncoder(TINY).normalise(frames)
    assert made.shape == (1, 4, 3, 16, 16)
    assert made[0, 2, :, 3, 5].tolist() == pytest.approx([(1 - 0.485) / 0.229, (0.2 - 0.456) / 0.224, -0.406 / 0.225])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"frames": 15}, "multiple"),
        ({"input_size": 100}, "multiple"),
        ({"heads": 7}, "multiple"),
        ({"cube_size": 2, "input_size": 1024}, "cubes"),
        ({"width": 9, "heads": 3}, "even"),
    ],
)
def test_refuses_sizes_that_do_not_fit(fields: dict[str, int], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        ClipEncoderConfig(**fields)


def test_refuses_clips_of_another_length() -> None:
    with pytest.raises(ValueError, match="clips must be"):
        ClipEncoder(TINY)(clips()[:, :3])
