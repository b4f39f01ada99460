"""Where and how things are computed: device, precision, memory layout, and how the cores are shared out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import torch

from training.runs.reporter import Reporter

DeviceName = Literal["auto", "cpu", "cuda", "mps"]
MAX_LANES = 8
CPU_BATCH = 8
"""Small enough that a ResNet's activations stay in the cache: 8 beat 2, 4, 16 and 32 on two AVX512-BF16 cores."""
CUDA_BATCH = 64


@dataclass(frozen=True)
class ComputePlan:
    """What was chosen for this machine; `choose_plan` makes it."""

    device: torch.device
    precision: torch.dtype
    """Of the trunk; pooling, classifier and CAMs are always float32."""
    batch: int
    """Frames in one forward pass."""
    lanes: int
    """Threads that each take a batch all the way; together they keep every core busy, which one pass over all
    cores does not."""
    threads_per_lane: int
    """Cores that one forward pass uses; 1 where the device is no CPU."""

    @property
    def precision_name(self) -> str:
        """ "float32", "bfloat16" or "float16"."""
        return str(self.precision).removeprefix("torch.")

    def __str__(self) -> str:
        return f"{self.device.type}, {self.precision_name}, batches of {self.batch}, {self.lanes} lanes"


def choose_device(name: DeviceName) -> tuple[torch.device, str]:
    """The device that was asked for, or the CPU with a sentence that says why ("" where nothing is to be said)."""
    has: dict[str, Callable[[], bool]] = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if name == "auto":
        return torch.device(next((device for device, is_there in has.items() if is_there()), "cpu")), ""
    if name in has and not has[name]():
        return torch.device("cpu"), f"No {name} device was found on this computer; using the CPU."
    return torch.device(name), ""


def choose_plan(
    device: torch.device, *, batch: int | None = None, precision: str = "auto", lanes: int | None = None
) -> ComputePlan:
    """The fastest settings for the device whose scores are as good as float32's.

    Args:
        device: where the forward passes run.
        batch: frames in one pass, where the caller knows better.
        precision: "float32", "bfloat16" or "float16" where it is given, as by a file that is resumed.
        lanes: threads, where the caller knows better.
    """
    cores = torch.get_num_threads()
    lanes = lanes or min(MAX_LANES, cores)
    chosen = best_precision(device) if precision == "auto" else getattr(torch, precision)
    on_cpu = device.type == "cpu"
    return ComputePlan(
        device=device,
        precision=chosen,
        batch=batch or (CPU_BATCH if on_cpu else CUDA_BATCH),
        lanes=lanes,
        threads_per_lane=max(1, cores // lanes) if on_cpu else 1,
    )


def best_precision(device: torch.device) -> torch.dtype:
    """bfloat16 where the hardware computes in it, float16 on older CUDA devices, else float32."""
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported(including_emulation=False) else torch.float16
    if device.type == "cpu" and cpu_has_bfloat16():
        return torch.bfloat16
    return torch.float32


def cpu_has_bfloat16() -> bool:
    """Whether the CPU multiplies bfloat16 in hardware (AVX512-BF16 or AMX); emulated it is slower than float32."""
    # These names are private to torch; where a version lacks them, float32 is always right.
    probes = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    has_onednn = bool(torch.backends.mkldnn.is_available())  # type: ignore[no-untyped-call]
    return has_onednn and any(getattr(torch.cpu, name, bool)() for name in probes)


def training_device(name: DeviceName, reporter: Reporter) -> torch.device:
    """The requested device, or the CPU with a line to the reporter."""
    device, sentence = choose_device(name)
    if sentence:
        reporter.log(sentence)
    return device


def choose_autocast(precision: Literal["auto", "float32", "bfloat16"], device: torch.device) -> torch.dtype | None:
    """The type for autocast, None for plain float32; `auto` takes bfloat16 where the hardware multiplies it.

    Never float16: its gradients would need scaling.
    """
    wanted = best_precision(device) if precision == "auto" else getattr(torch, precision)
    return torch.bfloat16 if wanted == torch.bfloat16 else None


@contextmanager
def threads_shared_out() -> Iterator[None]:
    """The lanes set torch's number of threads, also for threads made later; put it back at the end."""
    before = torch.get_num_threads()
    try:
        yield
    finally:
        torch.set_num_threads(before)
