"""OpenVINO without its telemetry: import it from here only.

It brings a package that reports every import to its makers over the network, and writes into the home folder. Without
that package OpenVINO uses a stub that does nothing. Its converter of other frameworks' models, a quarter of the time of
an import, is left out too: graphs are built here.
"""

import sys
import warnings
from functools import cache
from typing import Any

sys.modules["openvino_telemetry"] = None  # type: ignore[assignment]  # its import now fails
sys.modules["openvino.tools.ovc"] = None  # type: ignore[assignment]

import openvino  # noqa: E402
from openvino import opset13 as ops  # noqa: E402

tuple(openvino.Shape([1]))
"""The type of its iterators is made at their first use; lanes that did so at once would, rarely, make it twice, and
`tuple(tensor.shape)` in OpenVINO then raises TypeError."""

__all__ = ["core", "frontend", "openvino", "ops", "traced"]


@cache
def core() -> openvino.Core:
    """The process's one `Core`, which is never destroyed.

    Its CPU plugin gives the thread that makes it another stack for signals. Destroyed in another thread, it frees that
    stack and leaves it in use, and the next signal (Ctrl-C) ends the process with a segmentation fault (2026.4).
    """
    return openvino.Core()


def frontend(framework: str) -> Any:
    """OpenVINO's reader of another framework's models; its package imports the telemetry that is left out here."""
    from openvino.frontend import FrontEndManager

    return FrontEndManager().load_by_framework(framework)


def traced(module: Any, example: Any) -> openvino.Model:
    """A torch module, or a script of one, as a graph, from tracing it with an example input; its first dimension may
    be any.

    Raises:
        RuntimeError: an operation cannot be converted.
    """
    from openvino.frontend.pytorch.ts_decoder import TorchScriptPythonDecoder

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that it will do without tracing one day
        decoder = TorchScriptPythonDecoder(module, example_input=example)  # must live until it is converted
    reader = frontend("pytorch")
    model: openvino.Model = reader.convert(reader.load(decoder))
    model.inputs[0].node.set_partial_shape(openvino.PartialShape([-1, *example.shape[1:]]))
    model.validate_nodes_and_infer_types()
    return model
