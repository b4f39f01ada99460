"""Augmentation of 72 frames in one pass, against torchvision v2 with the same operations frame by frame.

Run it with `python -m tests.benchmarks.bench_augmentation`. It prints and asserts nothing. Both are measured in turns
within one run, by the clock and in seconds of CPU, and the best of each is taken: other work comes and goes on a shared
machine.
"""

import argparse
import platform
import time
from collections.abc import Callable
from importlib.metadata import version

import torch
from torch import Tensor
from torchvision.transforms import v2

from training.methods.simclr import SimClrSettings

ROUNDS = 7


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=72)
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    torch.set_num_threads(options.threads or torch.get_num_threads())
    name = torch.cuda.get_device_name() if options.device == "cuda" else f"{torch.get_num_threads()} threads"
    print(f"{options.device} ({name}), {platform.machine()}, torch {torch.__version__}")
    generator = torch.Generator().manual_seed(0)
    frames = torch.randint(
        256, (options.frames, options.size, options.size, 3), dtype=torch.uint8, generator=generator
    ).to(options.device)
    compare(frames, generator)


def compare(frames: Tensor, generator: torch.Generator) -> None:
    """Time both on the same frames, with the default settings of a pretraining."""
    settings = SimClrSettings.model_validate({})
    augment, theirs = settings.augmentation(), frame_by_frame(settings)
    is_round = torch.ones(len(frames), dtype=torch.bool)
    ways: dict[str, Callable[[], Tensor]] = {
        "one pass": lambda: augment(frames, is_round, generator),
        "frame by frame": lambda: torch.stack([theirs(frame) for frame in frames.permute(0, 3, 1, 2)]),
    }
    best = {name: [float("inf"), float("inf")] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            best[name] = [min(pair) for pair in zip(best[name], once(way), strict=True)]
    ours, others = best.values()
    print(f"{len(frames)} frames of {frames.shape[1]} px: {ours[0] * 1e3:.0f} ms in one pass, ", end="")
    print(f"{others[0] * 1e3:.0f} ms with torchvision {version('torchvision')} v2 frame by frame: ", end="")
    print(f"{others[0] / ours[0]:.1f} times ({others[1] / ours[1]:.1f} times in seconds of CPU)")


def frame_by_frame(config: SimClrSettings) -> v2.Transform:
    """The same operations of torchvision, on uint8 as its documentation advises, and float at the end."""
    return v2.Compose(
        [
            v2.RandomRotation(180, interpolation=v2.InterpolationMode.BILINEAR),
            v2.RandomHorizontalFlip(),
            v2.ColorJitter(config.brightness, config.contrast, config.saturation, config.hue),
            v2.RandomGrayscale(config.grey),
            v2.ToDtype(torch.float32, scale=True),
        ]
    )


def once(way: Callable[[], Tensor]) -> tuple[float, float]:
    """Seconds by the clock and of CPU, until the device is done."""
    started, used = time.perf_counter(), time.process_time()
    if way().is_cuda:
        torch.cuda.synchronize()
    return time.perf_counter() - started, time.process_time() - used


if __name__ == "__main__":
    main()
