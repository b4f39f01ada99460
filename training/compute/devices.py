"""Torch's devices: which there are, in which precision they compute, and how batches get there."""

from collections.abc import Callable, Sequence
from typing import Literal

import torch
from torch import Tensor

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


class OntoDevice:
    """On CUDA from pinned memory in a stream of its own: in the computing stream a copy would wait for the step."""

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self._stream = torch.cuda.Stream(device) if device.type == "cuda" else None  # type: ignore[no-untyped-call]

    def __call__(self, tensors: Sequence[Tensor]) -> tuple[list[Tensor], torch.cuda.Event | None]:
        """Copies on the device, and the event to `join` before they are used (None: they are there).

        What is given may be overwritten as soon as this returns, whichever the device.
        """
        if self._stream is None:
            return [tensor.to(self.device, copy=True) for tensor in tensors], None
        with torch.cuda.stream(self._stream):
            # Pinning copies; torch keeps pinned memory until the copies from it are done.
            copies = [tensor.pin_memory().to(self.device, non_blocking=True) for tensor in tensors]
            return copies, self._stream.record_event()

    def join(self, tensors: Sequence[Tensor], ready: torch.cuda.Event | None) -> None:
        """Have the computing stream of this thread wait for copies, and their memory wait for that stream."""
        if ready is None:
            return
        stream = torch.cuda.current_stream(self.device)
        stream.wait_event(ready)
        for tensor in tensors:
            tensor.record_stream(stream)
