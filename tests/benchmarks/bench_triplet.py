"""Batch-all triplet loss, forward and backward, against pytorch-metric-learning; and its memory on a large batch.

Run it with `python -m tests.benchmarks.bench_triplet`. It prints and asserts nothing. Both are measured in turns within
one run, and the best of each is taken: other work comes and goes on a shared machine.
"""

import argparse
import platform
import resource
import time
from collections.abc import Callable
from importlib.metadata import version

import torch
from pytorch_metric_learning.distances import LpDistance
from pytorch_metric_learning.losses import TripletMarginLoss
from torch import Tensor

from training.losses import BatchAllTripletLoss

MARGIN = 0.2
ROUNDS = 5
Loss = Callable[[Tensor, Tensor], Tensor]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--large", type=int, default=4096)
    parser.add_argument("--dimensions", type=int, default=128)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    options = parser.parse_args()
    name = torch.cuda.get_device_name() if options.device == "cuda" else f"{torch.get_num_threads()} threads"
    print(f"{options.device} ({name}), {platform.machine()}, torch {torch.__version__}")
    large_batch(options.large, options.dimensions, options.device)
    against_pytorch_metric_learning(options.batch, options.dimensions, options.device)


def batch(size: int, dimensions: int, device: str) -> tuple[Tensor, Tensor]:
    """Embeddings (B, D) whose triplets violate the margin often, labels (B,) of four classes."""
    generator = torch.Generator().manual_seed(0)
    embeddings = 0.1 * torch.randn(size, dimensions, generator=generator)
    labels = torch.randint(4, (size,), generator=generator)
    return embeddings.to(device), labels.to(device)


def against_pytorch_metric_learning(size: int, dimensions: int, device: str) -> None:
    """Same batch, both losses."""
    embeddings, labels = batch(size, dimensions, device)
    theirs = TripletMarginLoss(margin=MARGIN, distance=LpDistance(normalize_embeddings=False, power=2))
    best, values = [float("inf")] * 2, [0.0] * 2
    for _ in range(ROUNDS):
        for which, loss in enumerate((BatchAllTripletLoss(MARGIN), theirs)):
            seconds, values[which] = once(loss, embeddings, labels)
            best[which] = min(best[which], seconds)
    print(f"B = {size}, D = {dimensions}: ours {best[0] * 1e3:.1f} ms, ", end="")
    print(f"pytorch-metric-learning {version('pytorch-metric-learning')} {best[1] * 1e3:.0f} ms, ", end="")
    print(f"{best[1] / best[0]:.0f} times, values differ by {abs(values[0] / values[1] - 1):.1e}")


def large_batch(size: int, dimensions: int, device: str) -> None:
    """Time and peak memory of a batch whose triplets could not be enumerated."""
    embeddings, labels = batch(size, dimensions, device)
    once(BatchAllTripletLoss(MARGIN), embeddings[:64], labels[:64])
    before = peak_bytes(device)
    seconds, _ = once(BatchAllTripletLoss(MARGIN), embeddings, labels)
    matrix = 4 * size * size
    share = (peak_bytes(device) - before) / matrix
    print(f"B = {size}: {seconds * 1e3:.0f} ms, {share:.2f} times the memory of one float32 distance matrix")


def once(loss: Loss, embeddings: Tensor, labels: Tensor) -> tuple[float, float]:
    """Seconds of forward and backward, and the loss."""
    leaf = embeddings.clone().requires_grad_()
    started = time.perf_counter()
    value = loss(leaf, labels)
    torch.autograd.backward(value)
    found = value.item()
    if leaf.is_cuda:
        torch.cuda.synchronize()
    return time.perf_counter() - started, found


def peak_bytes(device: str) -> int:
    """The most memory that was held so far: of the device, else of this process."""
    if device == "cuda":
        return int(torch.cuda.max_memory_allocated())
    scale = 1 if platform.system() == "Darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


if __name__ == "__main__":
    main()
