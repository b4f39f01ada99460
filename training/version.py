"""The version of this program, of which `pyproject.toml` is the one place, and of its rules for numbering frames."""

import platform
import re
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

DISTRIBUTION = "wce-desktop"
UNKNOWN = "unknown"

NUMBERING = 3
"""The newest rules by which frames are found, put in order and shown in shape: what labels and boxes hang on."""
FIRST_NUMBERING = 1
"""The rules before there were several: of studies whose numbering is not known."""
IMAGE_NUMBERING = 3
"""The first rules by which images are turned upright, each picture of a file is a frame, masks are none, times in names
are put in order, and WebP files and DICOM series are read."""

ORDER_NUMBERING = 3
"""The first rules by which no frames are lost between parts of a transport stream whose counts do not start at 0, and
broken time stamps give way to the order in which the decoder shows pictures."""


@cache
def version() -> str:
    """The version, such as "0.1.0": of the checkout that runs, otherwise of the installed distribution."""
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    try:
        result = re.search(r'^version = "([^"]+)"', project.read_text(encoding="utf-8"), flags=re.MULTILINE)
    except OSError:
        result = None
    if result is not None:
        return result[1]
    try:
        return installed_version(DISTRIBUTION)
    except PackageNotFoundError:
        return UNKNOWN


def versions() -> dict[str, str]:
    """For cards: of this program, of Python, and of torch if it was used."""
    torch = sys.modules.get("torch")
    used = {"wce_desktop": version(), "python": platform.python_version()}
    return {**used, **({"torch": str(torch.__version__)} if torch else {})}
