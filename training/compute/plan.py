"""How forward passes are computed: device, precision, batch, and how the cores are shared out. No torch on a CPU."""

import importlib.util
import os
import platform
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

from training.texts import Text

DeviceName = Literal["auto", "cpu", "cuda", "mps"]
Device = Literal["cpu", "cuda", "mps"]
Precision = Literal["float32", "bfloat16", "float16"]
MAX_LANES = 8
CPU_BATCH = 8
LARGE_FRAME_PX = 192
LARGE_FRAME_BATCH = 4
"""Of frames of this side and more: their activations stay in the cache."""
LIGHT_TRUNKS = ("efficientnet_lite0", "resnet18")
"""Those that gain from it, 0 to 15 % in different runs; the weights of larger ones are read for each pass."""
CUDA_BATCH = 64


@dataclass(frozen=True)
class ComputePlan:
    """What was chosen for this machine; `choose_plan` makes it."""

    device: Device
    precision: Precision
    """Of the trunk; pooling, classifier and CAMs are always float32."""
    batch: int
    """Frames in one forward pass."""
    lanes: int
    """Threads that each take a batch all the way; together they keep every core busy, which one pass over all
    cores does not."""
    threads_per_lane: int
    """Cores that one forward pass uses; 1 where the device is no CPU."""

    def __str__(self) -> str:
        return Text(
            "{device}, {precision}, batches of {batch}, {lanes} lanes",
            self.device,
            self.precision,
            self.batch,
            self.lanes,
        )


def inference_device(name: DeviceName) -> tuple[Device, str]:
    """The device for forward passes, and a sentence where it is not the one that was asked for.

    Torch, which takes seconds to import, is asked only where there may be a device that it can use.
    """
    may_have = {"cpu": False, "cuda": _may_have_cuda(), "mps": _may_have_mps()}
    if any(may_have.values()) if name == "auto" else may_have[name]:
        from training.compute.devices import choose_device

        device, note = choose_device(name)
        return cast(Device, device.type), note
    return "cpu", "" if name in ("auto", "cpu") else no_device(name)


def no_device(name: str) -> str:
    """The sentence for a device that is not there."""
    return Text("No {name} device was found on this computer; using the CPU.", name)


def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


def _may_have_mps() -> bool:
    return sys.platform == "darwin" and platform.machine() == "arm64" and _has_torch()


@lru_cache(maxsize=1)
def _may_have_cuda() -> bool:
    """Whether NVIDIA's driver is installed and finds a device."""
    import ctypes

    library = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"
    try:
        driver = ctypes.CDLL(library)
        count = ctypes.c_int(0)
        has_device = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except (OSError, AttributeError):
        return False
    return has_device and _has_torch()


def choose_plan(
    device: Device, *, batch: int | None = None, precision: str = "auto", lanes: int | None = None
) -> ComputePlan:
    """The fastest settings for the device whose scores are as good as float32's.

    Args:
        device: where the forward passes run.
        batch: frames in one pass, where the caller knows better.
        precision: "float32", "bfloat16" or "float16" where it is given, as by a file that is resumed.
        lanes: threads, where the caller knows better.
    """
    cores = usable_cores()
    lanes = lanes or min(MAX_LANES, cores)
    on_cpu = device == "cpu"
    return ComputePlan(
        device=device,
        precision=fastest_precision(device) if precision == "auto" else cast(Precision, precision),
        batch=batch or fastest_batch(device),
        lanes=lanes,
        threads_per_lane=max(1, cores // lanes) if on_cpu else 1,
    )


def fastest_batch(device: Device, backbone: str = "", side_px: int = 0) -> int:
    """Frames in one pass of a network on frames of this side."""
    if device != "cpu":
        return CUDA_BATCH
    return LARGE_FRAME_BATCH if backbone in LIGHT_TRUNKS and side_px >= LARGE_FRAME_PX else CPU_BATCH


_most_cores: list[int] = []


def limit_cores(count: int) -> None:
    """Use at most so many cores from now on, since other processes have the rest; 0: all."""
    _most_cores[:] = [count] if count else []


def usable_cores() -> int:
    """Cores that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min([cores, *_most_cores])


def fastest_precision(device: Device) -> Precision:
    """bfloat16 or float16 where the hardware computes in it, else float32."""
    if device != "cpu":
        import torch

        from training.compute.devices import best_precision

        return cast(Precision, str(best_precision(torch.device(device))).removeprefix("torch."))
    if not has_openvino():
        return "float32"
    capabilities = cpu_capabilities()
    # Emulated they are slower than float32.
    return "bfloat16" if "BF16" in capabilities else "float16" if "FP16" in capabilities else "float32"


def has_openvino() -> bool:
    """Whether OpenVINO is installed and has a plugin for this CPU."""
    return bool(cpu_capabilities())


@lru_cache(maxsize=1)
def cpu_capabilities() -> frozenset[str]:
    """What OpenVINO says that this CPU computes in, such as FP32 and BF16; empty where it cannot use it."""
    try:
        from training.compute.openvino import core

        return frozenset(core().get_property("CPU", "OPTIMIZATION_CAPABILITIES"))
    except (ImportError, OSError, RuntimeError):  # not for this platform
        return frozenset()


_LOCK = threading.Lock()
_limits: list[Any] = []
"""One entry for each block that runs; the first one is the limit, which holds for the whole process."""


@lru_cache(maxsize=1)
def _thread_pools(_modules: int) -> Any:
    """The thread pools of this process, looked for again once more modules are imported: finding them takes long."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit numpy and scipy to one thread while the block runs; blocks of several threads may overlap.

    On a busy machine with two cores a fit of 1,000 frames took a third of the time.
    """
    with _LOCK:
        pools = _thread_pools(len(sys.modules))
        _limits.append(_limits[0] if _limits else pools.limit(limits=1, user_api="blas"))
    try:
        yield
    finally:
        with _LOCK:
            limit = _limits.pop()
            if not _limits:
                limit.restore_original_limits()
