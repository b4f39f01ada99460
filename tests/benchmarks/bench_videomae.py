"""A step of VideoMAE at 90 % masking against the same ViT on all tokens.

    python -m tests.benchmarks.bench_videomae [--preset paper] [--clips 8] [--threads 2] [--device cpu]

Clips lie on the device. In turns within one run: the whole step (crops, masks, encoder on visible tokens, decoder,
loss, back), the same without crops and masks (clips that are packed already), and the encoder's forward and backward
on all tokens, without a decoder. The medians of the turns' ratios are told, and each part alone; on a CPU, which others
share, in seconds of CPU. Aim: at most 0.35.
"""

import argparse
from statistics import median

import torch

from tests.benchmarks.bench_pgcon_step import timed
from training.compute.out_of_memory import Chunks
from training.datasets.sequence_feed import SequenceBatch
from training.methods.videomae import VideoMae, VideoMaeSettings
from training.optimisation.gradients import Gradients
from training.pretraining.batches import PretrainBatches
from training.pretraining.config import pretrain_config
from training.runs.reporter import SilentReporter


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="small", choices=("small", "paper"))
    parser.add_argument("--clips", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    compare(parser.parse_args())


def compare(options: argparse.Namespace) -> None:
    """Print the ratios, and what each part takes."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(0)
    device = torch.device(options.device)
    config = pretrain_config(studies="-", out="-", method="videomae", preset=options.preset, sequences=options.clips)
    assert isinstance(config, VideoMaeSettings)
    network = VideoMae.make_network(config).to(device).train()
    method = VideoMae(network, config, autocast=torch.bfloat16 if device.type == "cuda" else None)
    batches = PretrainBatches(lambda _: clips_on(device, config), method, 0)
    gradients = Gradients(method, Chunks(), SilentReporter())
    images, targets = batches(0)
    clips, _ = method.unpack(images)
    sizes = method.encoder_config

    def whole() -> None:
        gradients(*batches(1))

    def without_crops() -> None:
        gradients(images, targets)

    def all_tokens() -> None:
        network.zero_grad(set_to_none=True)
        with method.precision(device):
            tokens = network.encoder.tokens(clips)
        tokens.float().sum().backward()  # type: ignore[no-untyped-call]

    parts = {
        "whole step": whole,
        "step without crops and masks": without_crops,
        "encoder on all tokens": all_tokens,
    }
    found: dict[str, list[float]] = {name: [] for name in parts}
    for turn in range(options.rounds + 1):
        for name, work in parts.items():
            taken = timed(work, device)
            if turn:  # the first one warms up
                found[name].append(taken)
    visible = sizes.tokens - int(config.masked_share * sizes.places) * sizes.times
    print(f"{options.preset}: {options.clips} clips, {visible} of {sizes.tokens} tokens visible, on {device}")
    for name in ("whole step", "step without crops and masks"):
        ratio = median(a / b for a, b in zip(found[name], found["encoder on all tokens"], strict=True))
        print(f"{name} / encoder on all tokens: {ratio:.3f} (median of {options.rounds} turns)")
    print(", ".join(f"{name} {1000 * median(times):.1f} ms" for name, times in found.items()))


def clips_on(device: torch.device, config: VideoMaeSettings) -> SequenceBatch:
    """Random frames of the size of a batch."""
    count, side = config.batch_frames, config.input_size
    frames = torch.randint(256, (count, side, side, 3), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    sequence = torch.arange(count) // config.sequence_length
    is_round = torch.ones(count, dtype=torch.bool)
    return SequenceBatch(
        frames.to(device), torch.arange(count, device=device), is_round, torch.full((count, 2), side), sequence
    )


if __name__ == "__main__":
    main()
