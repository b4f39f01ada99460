"""What leaving out the taps that see only padding saves on small tiles: a ResNet's forward and backward, in turns.

python -m tests.benchmarks.bench_single_window [--tiles 576] [--side 32] [--backbone resnet18] [--precision bfloat16]
"""

import argparse
from functools import partial
from statistics import median

import torch
from torch import nn

from tests.benchmarks.bench_pgcon_step import timed
from training.methods.pgcon_heads import use_single_windows
from training.models.backbones import find_backbone


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiles", type=int, default=576)
    parser.add_argument("--side", type=int, default=32)
    parser.add_argument("--backbone", default="resnet18", choices=("resnet18", "resnet50"))
    parser.add_argument("--precision", default="bfloat16", choices=("bfloat16", "float32"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    compare(parser.parse_args())


def compare(options: argparse.Namespace) -> None:
    """Print the median ratio of the rounds, and what each took."""
    torch.set_num_threads(options.threads)
    tiles = torch.randn(options.tiles, 3, options.side, options.side).contiguous(memory_format=torch.channels_last)
    trunks = {
        name: find_backbone(options.backbone).make_trunk().to(memory_format=torch.channels_last)
        for name in ("plain", "ours")
    }
    use_single_windows(trunks["ours"])

    def step(trunk: nn.Module) -> None:
        with torch.autocast("cpu", torch.bfloat16, enabled=options.precision == "bfloat16"):
            answer = trunk(tiles)
        answer.float().square().mean().backward()

    found: dict[str, list[float]] = {name: [] for name in trunks}
    for turn in range(options.rounds + 1):
        for name, trunk in trunks.items():
            taken = timed(partial(step, trunk), torch.device("cpu"))
            if turn:  # the first one warms up
                found[name].append(taken)
    ratio = median(ours / plain for plain, ours in zip(found["plain"], found["ours"], strict=True))
    print(f"{options.tiles} tiles of {options.side} px, {options.backbone}, {options.precision}:", end=" ")
    print(
        f"ours / plain {ratio:.2f}, ",
        ", ".join(f"{name} {1000 * median(taken):.0f} ms" for name, taken in found.items()),
    )


if __name__ == "__main__":
    main()
