"""The three views of a batch of 64 frames in one pass, against OpenCV frame by frame on the CPU.

Run it with `python -m tests.benchmarks.bench_pgcon_views`. It prints and asserts nothing. OpenCV does what one would
write with it: CIELAB and the greatest a* in 8 bits, one warp and one colour matrix for each view and tile, with the
same turns, mirrors, zooms, gains, saturations, hues, greys and contrasts; its results become tensors. Both are measured
in turns within one run, by the clock and in seconds of CPU, and the best of each is taken: other work comes and goes on
a shared machine.
"""

import argparse
import time
from collections.abc import Callable

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.transforms.augment import Augmentation
from training.transforms.bank_views import PriorViews
from training.transforms.view_batch import T_D, T_P, T_WIN

ROUNDS = 15
PRIOR, TILE, WIN = 120, 64, 120
LUMA = np.array([0.299, 0.587, 0.114], np.float32)
TO_YIQ = np.array([LUMA, (0.596, -0.274, -0.322), (0.211, -0.523, 0.312)])
FROM_YIQ = np.linalg.inv(TO_YIQ)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=64)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    cv2.setNumThreads(options.threads)
    name = torch.cuda.get_device_name() if options.device == "cuda" else f"{options.threads} threads"
    print(f"{options.device} ({name}), torch {torch.__version__}, OpenCV {cv2.__version__}")
    frames = tissue(options.frames, options.size)
    compare(frames, options.device)


def tissue(count: int, size: int) -> Tensor:
    """(B, S, S, 3) uint8: smooth reddish pictures with noise, black outside the circle."""
    generator = torch.Generator().manual_seed(0)
    coarse = (
        torch.rand(count, 3, 12, 12, generator=generator) * torch.tensor([200.0, 120.0, 80.0]).view(1, 3, 1, 1) + 40
    )
    smooth = torch.nn.functional.interpolate(coarse, size=size, mode="bicubic")
    noisy = smooth + 4 * torch.randn(smooth.shape, generator=generator)
    return (noisy * torch.from_numpy(circle(size) / 255)).clamp(0, 255).byte().permute(0, 2, 3, 1).contiguous()


def circle(size: int) -> NDArray[np.uint8]:
    """(S, S) 255 inside the circle that touches the sides, less a rim."""
    mask = np.zeros((size, size), np.uint8)
    cv2.circle(mask, (size // 2, size // 2), size // 2 - round(0.02 * size), 255, -1)
    return mask


def compare(frames: Tensor, device: str) -> None:
    """Time both on the same frames with the default settings."""
    views, generator = PriorViews(), torch.Generator().manual_seed(0)
    is_round, there = torch.ones(len(frames), dtype=torch.bool), frames.to(device)
    pictures, mask, random = frames.numpy(), circle(frames.shape[1]), np.random.default_rng(0)
    ways: dict[str, Callable[[], object]] = {
        "one pass": lambda: views(there, is_round, generator),
        "OpenCV": lambda: frame_by_frame(pictures, mask, random),
    }
    best = {name: [float("inf"), float("inf")] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            best[name] = [min(pair) for pair in zip(best[name], once(way, device), strict=True)]
    ours, others = best.values()
    print(f"{len(frames)} frames of {frames.shape[1]} px: {ours[0] * 1e3:.1f} ms in one pass, ", end="")
    print(f"{others[0] * 1e3:.1f} ms with OpenCV frame by frame: {others[0] / ours[0]:.2f} times as fast ", end="")
    print(f"({others[1] / ours[1]:.2f} times in seconds of CPU)")


def frame_by_frame(
    pictures: NDArray[np.uint8], mask: NDArray[np.uint8], random: np.random.Generator
) -> tuple[Tensor, ...]:
    """The same views of every frame, one after the other."""
    views = [of_frame(picture, mask, random) for picture in pictures]
    return tuple(torch.from_numpy(np.stack(column)).movedim(-1, -3) for column in zip(*views, strict=True))


def of_frame(
    picture: NDArray[np.uint8], mask: NDArray[np.uint8], random: np.random.Generator
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Prior view, nine tiles, WIN view: (P, P, 3), (9, t, t, 3), (W, W, 3) float32."""
    size = len(picture)
    side = round(0.28 * size)
    _, _, _, (x, y) = cv2.minMaxLoc(cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)[:, :, 1], mask)
    left, top = (int(np.clip(place - side // 2, 0, size - side)) for place in (x, y))
    prior = changed(picture, (left, top, side), PRIOR, T_P, random)
    cell = size // 3
    tiles = np.empty((9, TILE, TILE, 3), np.float32)
    for place, number in enumerate(random.permutation(9)):
        column, row = int(number) % 3 * cell, int(number) // 3 * cell
        near = column < left + side and left < column + cell and row < top + side and top < row + cell
        crop = column + int(random.integers(cell // 4)), row + int(random.integers(cell // 4)), cell * 3 // 4
        tiles[place] = changed(picture, crop, TILE, T_P if near else T_D, random)
    hidden = picture.copy()
    hidden[top : top + side, left : left + side] = 0
    small = cv2.resize(hidden, (WIN, WIN), interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False)
    return prior, tiles, changed(small, (0, 0, WIN), WIN, T_WIN, random, is_free=True)


def changed(
    picture: NDArray[np.uint8],
    square: tuple[int, int, int],
    side: int,
    how: Augmentation,
    random: np.random.Generator,
    is_free: bool = False,
) -> NDArray[np.float32]:
    """Turned, mirrored, zoomed and resized in one warp; one colour matrix; contrast around the mean."""
    left, top, length = square
    turn = 2 * np.pi * random.random() if is_free else np.pi / 2 * random.integers(4)
    scale = length / side / random.uniform(1 - how.zoom, 1 + how.zoom)
    cos, sin, mirror = np.cos(turn) * scale, np.sin(turn) * scale, random.choice([-1.0, 1.0])
    linear = np.array([[cos * mirror, -sin], [sin * mirror, cos]])
    shift = np.array([left + (length - 1) / 2, top + (length - 1) / 2]) - linear @ np.full(2, (side - 1) / 2)
    warp = np.concatenate([linear, shift[:, None]], 1)
    read = cv2.warpAffine(picture, warp, (side, side), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
    result = cv2.transform(read.astype(np.float32), colour_matrix(how, random))
    if how.contrast:
        factor = random.uniform(1 - how.contrast, 1 + how.contrast)
        result = factor * result + (1 - factor) * float((result @ LUMA).mean())
    return np.clip(result, 0.0, 1.0)


def colour_matrix(how: Augmentation, random: np.random.Generator) -> NDArray[np.float32]:
    """(3, 3) gain, white balance, saturation, hue and grey of one view."""
    gain = random.uniform(1 - how.brightness, 1 + how.brightness)
    balance = random.uniform(1 - how.white_balance, 1 + how.white_balance, (3, 1))
    kept = random.uniform(1 - how.saturation, 1 + how.saturation)
    pure = np.eye(3)
    if how.hue:
        angle = 2 * np.pi * random.uniform(-how.hue, how.hue)
        cos, sin = np.cos(angle), np.sin(angle)
        pure = FROM_YIQ @ np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]) @ TO_YIQ
    if random.random() < how.grey:
        kept, balance = 0.0, np.ones((3, 1))
    return (gain / 255 * balance * (kept * pure + (1 - kept) * LUMA)).astype(np.float32)


def once(way: Callable[[], object], device: str) -> tuple[float, float]:
    """Seconds by the clock and of CPU, until the device is done."""
    started, used = time.perf_counter(), time.process_time()
    way()
    if device == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - started, time.process_time() - used


if __name__ == "__main__":
    main()
