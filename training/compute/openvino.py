"""OpenVINO without its telemetry: import it from here only.

It brings a package that reports every import to its makers over the network, and writes into the home folder. Without
that package OpenVINO uses a stub that does nothing.
"""

import sys

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # its import now fails

import openvino  # noqa: E402
from openvino import opset13 as ops  # noqa: E402

__all__ = ["openvino", "ops"]
