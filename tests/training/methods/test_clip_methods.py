"""VideoMAE and Colo-SCRL against slow references, on random frames."""

import math
from typing import Any

import pytest
import torch

from training.datasets.sequence_feed import SequenceBatch
from training.datasets.sequences import SequenceSampler, SequenceSpan
from training.errors import UserError
from training.methods.clip_method import clip_rows
from training.methods.colo_scrl import ColoScrl
from training.methods.videomae import VideoMae
from training.models.clip_encoder import cubes_of_clips
from training.optimisation.gradients import cached_gradients
from training.pretraining.config import PretrainConfig, pretrain_config

TINY = {"sequence_length": 4, "sequences": 3, "input_size": 32, "cube_size": 8, "width": 16, "blocks": 1, "heads": 2}


def config(method: str, **fields: Any) -> PretrainConfig:
    return pretrain_config(studies="s", out="o", method=method, preset="smoke", **{**TINY, **fields})


def frames(lengths: tuple[int, ...] = (4, 4, 4), size: int = 32) -> SequenceBatch:
    count = sum(lengths)
    pixels = torch.randint(256, (count, size, size, 3), generator=torch.Generator().manual_seed(1), dtype=torch.uint8)
    sequence = torch.repeat_interleave(torch.arange(len(lengths)), torch.tensor(lengths))
    is_round = torch.ones(count, dtype=torch.bool)
    return SequenceBatch(pixels, torch.arange(count), is_round, torch.full((count, 2), size), sequence)


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def mae(**fields: Any) -> VideoMae:
    torch.manual_seed(0)
    asked = config("videomae", masked_share=0.75, decoder_width=8, decoder_heads=2, **fields)
    return VideoMae(VideoMae.make_network(asked), asked)


def scrl(**fields: Any) -> ColoScrl:
    torch.manual_seed(0)
    asked = config("colo-scrl", projection=(8,), queue_keys=10, **fields)
    return ColoScrl(ColoScrl.make_network(asked), asked)


def test_rows_of_clips_repeat_the_last_frame_of_a_short_sequence() -> None:
    sequence = torch.tensor([0, 0, 0, 0, 2, 2, 3])  # nothing of sequence 1 decoded
    assert clip_rows(sequence, 4).tolist() == [[0, 1, 2, 3], [4, 5, 5, 5], [6, 6, 6, 6]]
    with pytest.raises(ValueError, match="sequences"):
        clip_rows(torch.empty(0, dtype=torch.int64), 4)


def test_a_clip_can_have_every_second_frame() -> None:
    method, read = mae(sequence_length=8, frame_step=2), frames((4, 3))  # the sampler has every second frame read
    clips, is_round = method.clips(read)
    assert torch.equal(clips[0], read.frames[[0, 1, 2, 3]])
    assert torch.equal(clips[1], read.frames[[4, 5, 6, 6]])
    assert is_round.shape == (2,)


@pytest.mark.parametrize("make", [mae, scrl])
def test_short_sequences_do_not_break_a_batch(make: Any) -> None:
    method = make()
    batch = method.batch(frames((4, 1, 3)), generator())
    assert len(batch.images) == len(batch.labels) == 3
    assert math.isfinite(method.losses(batch.images, batch.labels).total.item())


@torch.no_grad()
def test_reconstruction_loss_equals_a_slow_loop() -> None:
    method = mae()
    made = method.batch(frames(), generator())
    clips, masked = method.unpack(made.images)
    assert masked.sum(1).tolist() == [12, 12, 12]
    found = method.losses(made.images, made.labels)
    predicted = method.network(clips, masked).reconstruction
    encoder = method.network.encoder
    cubes = cubes_of_clips(clips * encoder.std + encoder.mean, method.encoder_config)
    total, count = 0.0, 0
    for clip in range(3):
        place = 0
        for time in range(2):
            for where in range(16):
                if not masked[clip, where]:
                    continue
                pixels = cubes[clip, 16 * time + where].view(-1, 3).double()
                wanted = (pixels - pixels.mean(0)) / (pixels.std(0) + 1e-6)
                total += float((predicted[clip, place].view(-1, 3) - wanted).square().sum())
                count += wanted.numel()
                place += 1
    assert found.total.item() == pytest.approx(total / count, rel=1e-4)


def test_masked_pixels_never_reach_the_encoder() -> None:
    method = mae()
    made = method.batch(frames(), generator())
    clips, masked = method.unpack(made.images)
    side = torch.nn.functional.interpolate(masked.float().view(3, 1, 4, 4), scale_factor=8).bool()
    other = torch.where(side.unsqueeze(1), torch.full_like(clips, 7.0), clips)
    before = method.network(clips, masked)
    after = method.network(other, masked)
    assert not torch.equal(other, clips)
    assert torch.equal(before.tokens, after.tokens)
    assert torch.equal(before.reconstruction, after.reconstruction)


@torch.no_grad()
def test_contrast_equals_a_slow_loop() -> None:
    method = scrl(temperature=0.2)
    made = method.batch(frames(), generator())
    with torch.no_grad():
        for weight in method.network.key.parameters():  # other than the query encoder
            weight.add_(0.1 * torch.randn(weight.shape, generator=generator(3)))
    vectors = method.embed(made.images)
    found = method.losses_of(vectors, made.labels)
    queue, total = method.network.queue.keys.double(), 0.0
    for clip in range(3):
        query = method.network.query(made.images[clip : clip + 1, 0])[0].double()
        key = method.network.key(made.images[clip : clip + 1, 1])[0].double()
        own = math.exp(float(query @ key) / 0.2)
        others = sum(math.exp(float(query @ queue[row]) / 0.2) for row in range(10))
        total -= math.log(own / (own + others))
    assert found.total.item() == pytest.approx(total / 3, rel=1e-4)
    closer = (vectors[:, 0] @ method.network.queue.keys.T) > (vectors[:, 0] * vectors[:, 1]).sum(1, keepdim=True)
    assert method.violating_share == pytest.approx(float(closer.float().mean()))


def test_keys_enter_the_queue_after_the_gradient_and_the_key_encoder_follows_after_the_step() -> None:
    method = scrl(key_momentum=0.5)
    made = method.batch(frames(), generator())
    before = method.network.queue.keys.clone()
    losses = method.losses(made.images, made.labels)
    assert torch.equal(method.network.queue.keys, before)
    losses.total.backward()  # type: ignore[no-untyped-call]
    assert all(weight.grad is None for weight in method.network.key.parameters())
    assert all(weight.grad is not None for weight in method.network.query.parameters())
    with torch.no_grad():
        expected = method.network.key(made.images[:, 1])
    method.settle()
    torch.testing.assert_close(method.network.queue.keys[:3], expected)
    assert torch.equal(method.network.queue.keys[3:], before[3:])
    method.settle()  # nothing is left of the batch
    assert int(method.network.state_dict()["queue.place"]) == 3
    fast, slow = method.network.query.state_dict()["head.0.weight"], method.network.key.state_dict()["head.0.weight"]
    fast.add_(1.0)
    method.after_step()
    torch.testing.assert_close(slow, fast - 0.5)


@pytest.mark.parametrize("make", [mae, scrl])
def test_gradients_in_chunks_are_those_of_the_whole_batch(make: Any) -> None:
    method = make()
    made = method.batch(frames(), generator())
    losses = method.losses(made.images, made.labels)
    losses.total.backward()
    whole = [weight.grad.clone() for weight in method.network.parameters() if weight.requires_grad]
    method.network.zero_grad()
    again = cached_gradients(method, made.images, made.labels, 2)
    assert again.total.item() == pytest.approx(losses.total.item(), rel=1e-5)
    for weight, expected in zip((w for w in method.network.parameters() if w.requires_grad), whole, strict=True):
        torch.testing.assert_close(weight.grad, expected, atol=1e-5, rtol=1e-4)


def test_a_queue_longer_than_there_are_clips_is_told() -> None:
    spans = [SequenceSpan(0, 0, 0, 21), SequenceSpan(1, 1, 0, 3)]  # 5 clips of 4 frames, and one short one
    sampler = SequenceSampler(spans, 4, 2, "anywhere")
    assert ColoScrl.warning(scrl().settings.model_copy(update={"queue_keys": 6}), sampler) == ""
    assert "holds 7 keys, but the frames make only 6 clips" in ColoScrl.warning(
        scrl().settings.model_copy(update={"queue_keys": 7}), sampler
    )


def test_stated_values_are_the_papers() -> None:
    first, second = (pretrain_config(studies="s", out="o", method=name) for name in ("videomae", "colo-scrl"))
    assert first.model_dump()["masked_share"] == 0.9
    assert (second.optimizer, second.schedule, second.epochs) == ("adam", "plateau", 500)
    for made in (first, second):
        assert made.init == "random"
        assert (made.encoder_config().frames, made.input_size) == (16, 224)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("method", "fields", "said"),
    [
        ("videomae", {"masked_share": 0.001}, "masks none or all"),
        ("videomae", {"cube_size": 10}, "multiple"),
        ("videomae", {"decoder_width": 30, "decoder_heads": 4}, "decoder"),
        ("videomae", {"schedule": "plateau"}, "needs a validation loss"),
        ("simclr", {"schedule": "plateau"}, "needs a validation loss"),
        ("colo-scrl", {"validation_share": 0.0}, "needs a validation loss"),
        ("colo-scrl", {"evaluations": 0}, "needs a validation loss"),
        ("colo-scrl", {"projection": ()}, "projection head"),
        ("colo-scrl", {"frame_step": 3}, "not a multiple of frame_step"),
        ("colo-scrl", {"studies": None, "images": "i"}, "needs video"),
    ],
)
def test_refuses_settings_in_a_sentence(method: str, fields: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        pretrain_config(**{"studies": "s", "out": "o", "method": method, **fields})
