"""Close-ups show what the box holds, and give nothing away by being close."""

import torch

from training.transforms.augment import CLOSEST, WIDEST, Augmentation, close_ups

NONE = [float("nan")] * 3


def maps(count: int) -> torch.Tensor:
    return torch.nn.functional.pad(torch.eye(2).expand(count, 2, 2), (0, 1))


def seeded() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def test_the_whole_box_is_in_the_picture() -> None:
    boxes = torch.tensor([[0.4, -0.3, 0.2]]).expand(300, 3)
    found = close_ups(maps(300), boxes, 1.0, seeded())
    side, centre = found[:, 0, 0], found[:, :, 2]
    assert float(side.min()) >= 0.2 * 1.2 - 1e-6
    assert float(side.max()) <= 0.8 + 1e-6
    # In units of half the frame, the box reaches 0.2 to each side of its centre and the close-up reaches `side`.
    off = (centre - torch.tensor([0.4, -0.3])).abs().amax(1)
    assert (off + 0.2 <= side + 1e-6).all()


def test_frames_without_a_box_get_close_ups_of_the_same_sizes() -> None:
    boxes = torch.tensor([[0.0, 0.0, 0.25]] * 500 + [NONE] * 500)
    found = close_ups(maps(1000), boxes, 1.0, seeded())[:, 0, 0]
    assert abs(float(found[:500].mean() - found[500:].mean())) < 0.02
    assert CLOSEST <= float(found.min()) <= float(found.max()) <= WIDEST


def test_only_the_share_asked_for_is_changed_and_nothing_without_boxes() -> None:
    boxes = torch.tensor([[0.0, 0.0, 0.25]] * 1000)
    changed = (close_ups(maps(1000), boxes, 0.3, seeded()) != maps(1000)).flatten(1).any(1)
    assert 0.25 < changed.float().mean() < 0.35
    assert torch.equal(close_ups(maps(4), torch.tensor([NONE] * 4), 1.0, seeded()), maps(4))


def test_a_close_up_reads_the_pixels_of_the_box_from_the_larger_frame() -> None:
    frames = torch.zeros(8, 64, 64, 3, dtype=torch.uint8)
    frames[:, 40:48, 40:48] = 255
    boxes = torch.tensor([[(44 - 32) / 32, (44 - 32) / 32, 8 / 64]]).expand(8, 3)
    still = Augmentation("none", False, 0.0, 0.0, 0.0, 0.0, close_up_share=1.0)
    images = still(frames, torch.ones(8, dtype=torch.bool), seeded(), size=32, boxes=boxes)
    assert images.shape == (8, 3, 32, 32)
    # A whole frame shows the box with 4 x 4 px; a close-up of at most 4 times its width with at least 8 x 8.
    assert (images[:, 0] > 0.5).flatten(1).sum(1).min() >= 64
    whole = still(frames, torch.ones(8, dtype=torch.bool), seeded(), size=32)
    assert whole.shape == (8, 3, 32, 32)
    torch.testing.assert_close(whole[:, :, 20:24, 20:24], torch.ones(8, 3, 4, 4))
