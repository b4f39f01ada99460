from typing import Any

import pytest
import torch

from training.transforms.augment import ClipAugmentation

ALL: dict[str, Any] = {
    "rotations": "free", "brightness": 0.4, "contrast": 0.4, "saturation": 0.4, "hue": 0.1, "grey": 0.3, "blur": 0.5,
}  # fmt: skip


def frames(count: int = 6, times: int = 4, side: int = 24) -> torch.Tensor:
    """Clips whose frames are all alike."""
    one = torch.randint(256, (1, 1, side, side, 3), generator=torch.Generator().manual_seed(5), dtype=torch.uint8)
    return one.repeat(count, times, 1, 1, 1)


def views(clips: torch.Tensor, seed: int = 0, **strength: Any) -> torch.Tensor:
    is_round = torch.ones(len(clips), dtype=torch.bool)
    return ClipAugmentation(clips.shape[2], **strength)(clips, is_round, torch.Generator().manual_seed(seed))


def test_all_frames_of_a_clip_change_alike_and_clips_differ() -> None:
    found = views(frames(), **ALL)
    assert found.shape == (6, 4, 3, 24, 24)
    assert found.dtype == torch.float32
    assert float(found.min()) >= 0
    assert float(found.max()) <= 1 + 1e-6
    for clip in found:
        for frame in clip[1:]:
            torch.testing.assert_close(frame, clip[0], atol=1e-6, rtol=0)
    assert all((found[0, 0] - other[0]).abs().mean() > 0.01 for other in found[1:])


def test_each_clip_is_changed_on_its_own() -> None:
    """The parameters of a clip are those that it has alone, frame by frame."""
    clips = torch.randint(256, (2, 3, 16, 16, 3), generator=torch.Generator().manual_seed(1), dtype=torch.uint8)
    still = clips[:, 1:2].repeat(1, 3, 1, 1, 1)
    torch.testing.assert_close(views(clips, **ALL)[:, 1], views(still, **ALL)[:, 1])


def test_the_generator_alone_decides() -> None:
    assert torch.equal(views(frames(), **ALL), views(frames(), **ALL))
    assert not torch.equal(views(frames(), **ALL), views(frames(), seed=1, **ALL))


def test_without_strength_nothing_changes() -> None:
    found = views(frames(), least_area=1.0, flips=False)
    torch.testing.assert_close(found, frames().permute(0, 1, 4, 2, 3) / 255, atol=1e-5, rtol=0)


def test_flips_mirror_whole_clips_from_left_to_right() -> None:
    found, given = views(frames(20), least_area=1.0), frames(20).permute(0, 1, 4, 2, 3) / 255
    mirrored = [bool(torch.allclose(clip, there.flip(-1), atol=1e-5)) for clip, there in zip(found, given, strict=True)]
    kept = [bool(torch.allclose(clip, there, atol=1e-5)) for clip, there in zip(found, given, strict=True)]
    assert all(one != other for one, other in zip(mirrored, kept, strict=True))
    assert 0 < sum(mirrored) < 20


def test_crops_stay_inside_and_have_the_area() -> None:
    maps = ClipAugmentation(16, least_area=0.25, flips=False)._maps(
        500, torch.ones(500, dtype=torch.bool), torch.Generator().manual_seed(0)
    )
    side = maps[:, 0, 0]
    assert 0.5 <= float(side.min()) < 0.55
    assert 0.95 < float(side.max()) <= 1
    assert bool((maps[:, :, 2].abs() + side.unsqueeze(1) <= 1 + 1e-6).all())


def test_blur_equals_a_slow_loop() -> None:
    clips = frames(1, 1, 12)
    augmentation = ClipAugmentation(12, least_area=1.0, flips=False, blur=1.0)
    is_round = torch.ones(1, dtype=torch.bool)
    found = augmentation(clips, is_round, torch.Generator().manual_seed(3))[0, 0]
    kernel = _kernel_of(augmentation, clips, is_round)
    radius = len(kernel) // 2
    given = clips[0, 0].permute(2, 0, 1) / 255
    places = range(-radius, radius + 1)
    for y in range(12):
        for x in range(12):
            total = 0.0
            for dy in places:
                for dx in places:
                    pixel = given[0, min(max(y + dy, 0), 11), min(max(x + dx, 0), 11)]
                    total += kernel[dy + radius] * kernel[dx + radius] * float(pixel)
            assert float(found[0, y, x]) == pytest.approx(total, abs=1e-4)


def _kernel_of(augmentation: ClipAugmentation, clips: torch.Tensor, is_round: torch.Tensor) -> list[float]:
    """The kernel that a call drew, by watching it."""
    kept: list[torch.Tensor] = []
    draw = ClipAugmentation._kernels

    def watched(self: ClipAugmentation, *arguments: Any) -> torch.Tensor:
        kept.append(draw(self, *arguments))
        return kept[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ClipAugmentation, "_kernels", watched)
        augmentation(clips, is_round, torch.Generator().manual_seed(3))
    return [float(value) for value in kept[0][0]]
