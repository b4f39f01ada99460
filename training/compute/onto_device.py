"""Copies batches to a device in a thread of their own, while the device computes."""

from collections.abc import Sequence

import torch
from torch import Tensor


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
