"""Which of the files that PyInstaller found the program never uses."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

UNUSED = re.compile(
    r"PySide6/(Qt/)?plugins/(egldeviceintegrations|generic|networkinformation|printsupport|tls)/"
    r"|PySide6/Qt/lib/libQt6EglF|openvino/frontend/(jax|paddle|pytorch|onnx|tensorflow)/"
    r"|platforms/(lib)?q(eglfs|linuxfb|minimal|minimalegl|vkkhrdisplay|vnc)\."
    r"|platformthemes/(lib)?qgtk3\."
    r"|openvino/libs/.*(_gpu_plugin|_npu_plugin|_auto_batch_plugin|_(pytorch|tensorflow|tensorflow_lite|paddle|jax)_frontend|npu_compiler)"
    r"|torch/(include|share|test)/|torch/bin/(?!torch_shm_manager)"
    r"|torch/lib/(lib)?(aoti_custom_ops|backend_with_compiler|jitbackend_test|torchbind_test)\."
)
"""Qt's plugins for devices without a desktop, for GTK (it would bring all of GTK) and for the network, which nothing
uses; OpenVINO's for GPUs and NPUs, and its readers of models other than ONNX; PyTorch's own tests and what compiles
extensions of it."""
SYSTEM = ("/usr/", "/lib")

Entry = tuple[str, str, str]
"""Name in the bundle, source file, kind: what PyInstaller lists."""


def without_unused(entries: Iterable[Entry]) -> list[Entry]:
    """Leave out what is never used."""
    return [entry for entry in entries if not UNUSED.search(_place(entry))]


def needed_libraries(entries: Iterable[Entry]) -> list[Entry]:
    """Leave out what is never used, and then the system libraries that only it needed."""
    kept = without_unused(entries)
    if not sys.platform.startswith("linux"):
        return kept
    from PyInstaller.depend.bindepend import get_imports

    links = [entry for entry in kept if entry[2] == "SYMLINK"]
    kept = [entry for entry in kept if entry[2] != "SYMLINK"]
    by_name = {PurePosixPath(name).name: source for name, source, _ in kept}
    waiting = [source for _, source, _ in kept if not source.startswith(SYSTEM)]
    needed = set(waiting)
    while waiting:
        for name, _ in get_imports(waiting.pop()):
            source = by_name.get(Path(name).name)
            if source is not None and source not in needed:
                needed.add(source)
                waiting.append(source)
    return [*(entry for entry in kept if entry[1] in needed), *links]


def _place(entry: Entry) -> str:
    """Where a file lies in the bundle; of a link, what it leads to."""
    return (entry[1] if entry[2] == "SYMLINK" else entry[0]).replace("\\", "/")
