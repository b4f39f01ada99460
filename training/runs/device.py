"""Where to compute and how precisely: the device that is asked for, and bfloat16 where it is quick."""

from typing import Literal

import torch

from training.runs.reporter import Reporter

DeviceName = Literal["auto", "cpu", "cuda", "mps"]


def choose_device(name: DeviceName, reporter: Reporter) -> torch.device:
    """The device asked for; one that is not there is said and replaced by the CPU."""
    cuda, mps = torch.cuda.is_available(), torch.backends.mps.is_available()
    if name == "auto":
        return torch.device("cuda" if cuda else "mps" if mps else "cpu")
    if (name == "cuda" and not cuda) or (name == "mps" and not mps):
        reporter.log(f"There is no {name} device here; training goes on with the CPU.")
        return torch.device("cpu")
    return torch.device(name)


def choose_autocast(precision: Literal["auto", "float32", "bfloat16"], device: torch.device) -> torch.dtype | None:
    """The type for autocast, None for plain float32; `auto` takes bfloat16 where the hardware multiplies it."""
    if precision == "auto":
        return torch.bfloat16 if _is_quick_at_bfloat16(device) else None
    return torch.bfloat16 if precision == "bfloat16" else None


def _is_quick_at_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.get_device_capability(device)[0] >= 8
    if device.type == "cpu":
        return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())
    return False
