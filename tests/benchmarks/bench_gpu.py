"""What a GPU computes here against plain torch: scoring, training steps, Score-CAM, neighbours, decoding.

Run it with `python -m tests.benchmarks.bench_gpu`; it is made to take less than eight minutes, prints one table and
asserts nothing. Peers are torch as it is (eager, channels last, compiled) and, where they are installed, TensorRT
(`torch_tensorrt`), pytorch-grad-cam, FAISS and torchcodec. Each part takes its turns until its share of the time is
over, and at least `--rounds`; medians and ranges are printed. Without a GPU it computes on the CPU.
"""

import argparse
import importlib
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tests.benchmarks.bench_pgcon_step import synchronise
from tests.benchmarks.bench_score_cam import TARGET, prepare, pytorch_grad_cam, read_frames
from tests.benchmarks.bench_scoring import say_machine, write_video
from training.compute.devices import best_precision
from training.compute.out_of_memory import Chunks
from training.compute.overlap import in_lanes
from training.compute.plan import choose_plan
from training.embeddings.inner_products import inner_products
from training.inference.explained_model import ExplainedModel
from training.inference.score_cam import score_cam
from training.inference.torch_engine import TorchEngine
from training.losses.info_nce import NTXentLoss
from training.methods.method import Method
from training.methods.simclr import SimClr
from training.methods.tl_ba import TripletBatchAll
from training.models.config import ModelConfig
from training.models.network import FrameClassifier, inference_network
from training.models.projection_head import Pretrainer
from training.optimisation.gradients import Gradients
from training.runs.reporter import SilentReporter
from training.video import open_source

Works = dict[str, Callable[[], object]]
PART_SECONDS = 30.0
NETWORKS = (("efficientnet_lite0", 224), ("resnet18", 224), ("resnet50", 256))
FRAMES = 512
STEP_FRAMES = 64
VECTORS = (500_000, 1280)
VIDEO_FRAMES = 600


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    say_machine()
    device = torch.device(options.device)
    print(f"{'':44} {'median':>10} {'least':>10} {'most':>10} {'ours / it':>10}")
    for backbone, side in NETWORKS:
        scoring(backbone, side, device, options.rounds)
    for backbone, side in NETWORKS:
        fine_tuning(backbone, side, device, options.rounds)
    backbone, side = NETWORKS[0]
    pretraining(backbone, side, device, options.rounds)
    explaining(*NETWORKS[-1], device, options.rounds)
    searching(device, options.rounds)
    decoding(device, options.rounds)


def scoring(backbone: str, side: int, device: torch.device, rounds: int) -> None:
    """Embeddings, scores and CAMs of prepared frames in main memory."""
    network = classifier(backbone, side).eval()
    plan = choose_plan(device.type)  # type: ignore[arg-type]
    engine = TorchEngine(inference_network(network), plan, lambda _: None)
    frames = np.random.default_rng(0).integers(0, 256, (FRAMES, side, side, 3), np.uint8)
    batches = [frames[start : start + plan.batch] for start in range(0, FRAMES, plan.batch)]
    plain = network.to(device).to(memory_format=torch.channels_last)

    def passes(module: Callable[[Tensor], Any], dtype: torch.dtype) -> Callable[[], object]:
        def run() -> None:
            with torch.inference_mode(), torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
                for batch in batches:
                    module(network.normalise(torch.from_numpy(batch).to(device)))[1].float().cpu()

        return run

    precision = best_precision(device)
    works: Works = {
        f"ours, {plan}": lambda: list(in_lanes(batches, engine.run, plan.lanes)),
        "torch, float32": passes(plain, torch.float32),
        f"torch, {precision}": passes(plain, precision),
    }
    if device.type == "cuda":  # on a processor compiling takes minutes
        works[f"torch, {precision}, compiled"] = passes(torch.compile(plain), precision)
    with optional(works, "TensorRT"):
        module: Any = importlib.import_module("torch_tensorrt").compile(
            plain.half(), inputs=[torch.zeros(plan.batch, 3, side, side, device=device, dtype=torch.half)]
        )
        works["TensorRT, float16"] = passes(lambda images: module(images.half()), torch.float32)
    in_turns(f"scoring, {backbone} {side}, frames/s", works, rounds, device, FRAMES)


def fine_tuning(backbone: str, side: int, device: torch.device, rounds: int) -> None:
    """One step of TL_BA with AdamW, all layers, from frames on the device; plain torch has cross-entropy alone."""
    images = torch.randn(STEP_FRAMES, 3, side, side, device=device).contiguous(memory_format=torch.channels_last)
    labels = torch.randint(0, 4, (STEP_FRAMES,), device=device)
    network = classifier(backbone, side)
    method = TripletBatchAll(network.to(device), classifier_gradient=True, normalise=True, autocast=autocast_of(device))
    train_steps(
        f"fine-tuning, {backbone} {side}, frames/s", method, images, labels,
        lambda module: nn.functional.cross_entropy(module(images)[1].float(), labels), rounds,
    )  # fmt: skip


def pretraining(backbone: str, side: int, device: torch.device, rounds: int) -> None:
    """One step of SimCLR with AdamW, from views on the device."""
    images = torch.randn(STEP_FRAMES, 3, side, side, device=device).contiguous(memory_format=torch.channels_last)
    labels = torch.zeros(STEP_FRAMES, dtype=torch.int64, device=device)
    method = SimClr(Pretrainer(backbone).to(device), autocast=autocast_of(device))
    loss = ntxent_loss()
    train_steps(
        f"SimCLR, {backbone} {side}, frames/s", method, images, labels,
        lambda module: loss(module(images).projection.float()), rounds,
    )  # fmt: skip


def train_steps(
    title: str, method: Method, images: Tensor, labels: Tensor, loss: Callable[[Any], Tensor], rounds: int
) -> None:
    """Steps of a method, and of its network in plain torch."""
    device, precision = images.device, best_precision(images.device)
    network: Any = method.network.to(memory_format=torch.channels_last).train()
    gradients = Gradients(method, Chunks(), SilentReporter())
    optimizer = torch.optim.AdamW(network.parameters(), 1e-5)

    def ours() -> None:
        gradients(images, labels)
        optimizer.step()

    def plain(module: Any, dtype: torch.dtype) -> Callable[[], None]:
        def step() -> None:
            optimizer.zero_grad(set_to_none=True)
            with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
                total = loss(module)
            total.backward()  # type: ignore[no-untyped-call]
            optimizer.step()

        return step

    works: Works = {
        f"ours, {method.autocast or torch.float32}": ours,
        "torch, float32": plain(network, torch.float32),
        f"torch, {precision}": plain(network, precision),
    }
    if device.type == "cuda":
        works[f"torch, {precision}, compiled"] = plain(torch.compile(network), precision)
    in_turns(title, works, rounds, device, len(images))


def explaining(backbone: str, side: int, device: torch.device, rounds: int) -> None:
    """Exact Score-CAM of one frame."""
    network = classifier(backbone, side).eval()
    prepared = prepare(read_frames(None, 1)[0], side)
    model = ExplainedModel(inference_network(network), choose_plan(device.type))  # type: ignore[arg-type]
    works: Works = {f"ours, {model.plan}": lambda: score_cam(model, prepared, TARGET)}
    network = network.to(device)
    theirs = pytorch_grad_cam(network, network.normalise(torch.from_numpy(prepared[None]).to(device)))
    if theirs is not None:
        works["pytorch-grad-cam"] = theirs
    in_turns(f"Score-CAM, {backbone} {side}, maps/s", works, rounds, device, 1)


def searching(device: torch.device, rounds: int) -> None:
    """Products of a query and all rows: ours on the processor from main memory, where there is always room for them."""
    rows = np.random.default_rng(0).standard_normal(VECTORS, dtype=np.float32).astype(np.float16)
    query = rows[7].astype(np.float32)
    works: Works = {"ours, processor, float16": lambda: inner_products(rows, query)}
    with optional(works, "torch on the device"):
        held, asked = torch.from_numpy(rows).to(device), torch.from_numpy(rows[7]).to(device)
        works["torch, float16, rows on the device"] = lambda: (held @ asked).cpu()
    with optional(works, "FAISS"):
        faiss: Any = importlib.import_module("faiss")
        index = faiss.IndexScalarQuantizer(rows.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
        index.add(rows.astype(np.float32))
        works["FAISS, processor, float16"] = lambda: index.search(query[None], 10)
    in_turns(f"products of {VECTORS[0]:,} x {VECTORS[1]:,}, queries/s", works, rounds, torch.device("cpu"), 1)


def decoding(device: torch.device, rounds: int) -> None:
    """All frames of a video in order; ours on the processor, which keeps damage at its own frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = write_video(Path(folder) / "study.mp4", VIDEO_FRAMES)

        def ours() -> int:
            with open_source(path) as source:
                return sum(1 for _ in source.iterate())

        works: Works = {"ours, processor": ours}
        with optional(works, "torchcodec"):
            decoders: Any = importlib.import_module("torchcodec.decoders")
            for where in {"cpu", device.type}:
                works[f"torchcodec, {where}"] = lambda where=where: sum(  # type: ignore[misc]
                    1 for _ in decoders.VideoDecoder(str(path), device=where)
                )
        in_turns("decoding 320 x 320, frames/s", works, rounds, device, VIDEO_FRAMES)


def in_turns(title: str, works: Works, rounds: int, device: torch.device, count: int) -> None:
    """Measure by turns and print a row each; `count` things are done by one call. Those that fail are left out."""
    print(title, flush=True)
    for name, work in list(works.items()):
        with optional(works, name):
            work()  # the first pass chooses kernels, and compiles
            synchronise(device)
    rates: dict[str, list[float]] = {name: [] for name in works}
    until, turn = time.perf_counter() + PART_SECONDS / 2, 0
    while turn < rounds or (time.perf_counter() < until and turn < 20 * rounds):
        for name, work in works.items():
            synchronise(device)
            started = time.perf_counter()
            work()
            synchronise(device)
            rates[name].append(count / (time.perf_counter() - started))
        turn += 1
    ours = median(next(iter(rates.values())))
    for name in works:
        middle = median(rates[name])
        print(f"  {name:42} {middle:10.1f} {min(rates[name]):10.1f} {max(rates[name]):10.1f} {ours / middle:10.2f}")


@contextmanager
def optional(works: Works, name: str) -> Iterator[None]:
    """A peer that is not installed, or cannot compute here, is named and left out; ours is never left out."""
    try:
        yield
    except Exception as error:
        if name == next(iter(works)):
            raise
        works.pop(name, None)
        print(f"  {name}: left out ({type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''})")


def classifier(backbone: str, side: int) -> FrameClassifier:
    """An untrained network with four classes."""
    torch.manual_seed(0)
    return FrameClassifier(ModelConfig(backbone=backbone, classes=("normal", "a", "b", "c"), input_size=side))


def autocast_of(device: torch.device) -> torch.dtype | None:
    """What trainings compute in there."""
    return torch.bfloat16 if best_precision(device) == torch.bfloat16 else None


def ntxent_loss() -> Callable[[Tensor], Tensor]:
    """lightly's loss where it is installed, else ours."""
    try:
        theirs: Any = importlib.import_module("lightly.loss").NTXentLoss(temperature=0.1)
    except ImportError:
        return NTXentLoss(0.1)
    return lambda vectors: theirs(*vectors.chunk(2))


if __name__ == "__main__":
    main()
