"""Torch's devices: which there are, and in which precision they compute."""

from collections.abc import Callable
from typing import Literal

import torch

from training.compute.plan import DeviceName, no_device
from training.runs.reporter import Reporter


def choose_device(name: DeviceName) -> tuple[torch.device, str]:
    """The device that was asked for, or the CPU with a sentence that says why ("" where nothing is to be said)."""
    has: dict[str, Callable[[], bool]] = {"cuda": torch.cuda.is_available, "mps": torch.backends.mps.is_available}
    if name == "auto":
        return torch.device(next((device for device, is_there in has.items() if is_there()), "cpu")), ""
    if name in has and not has[name]():
        return torch.device("cpu"), no_device(name)
    return torch.device(name), ""


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
