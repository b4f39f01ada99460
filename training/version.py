"""The version of this program, of which `pyproject.toml` is the one place, and of its rules for numbering frames.

What a card says of the program and of the computer that a result comes from.
"""

import hashlib
import os
import platform
import re
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

DISTRIBUTION = "wce-desktop"
UNKNOWN = "unknown"
ROOT = Path(__file__).resolve().parents[1]
_LIBRARIES = ("torch", "torchvision", "timm", "numpy", "scipy", "sklearn", "openvino", "cv2", "av", "h5py")
"""Modules whose versions are recorded where they were used."""

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
    try:
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        result = re.search(r'^version = "([^"]+)"', text, flags=re.MULTILINE)
    except OSError:
        result = None
    if result is not None:
        return result[1]
    try:
        return installed_version(DISTRIBUTION)
    except PackageNotFoundError:
        return UNKNOWN


@cache
def commit() -> str:
    """The git commit of the checkout that runs, "… with changes" where files differ from it; otherwise empty."""
    if not (ROOT / ".git").exists():
        return ""
    try:
        head, status = (_git(*arguments) for arguments in (("rev-parse", "HEAD"), ("status", "--porcelain", "-uno")))
    except (OSError, subprocess.SubprocessError):  # no git, or a checkout of somebody else
        return ""
    return f"{head} with changes" if status else head


@cache
def code_digest() -> str:
    """Digest of the source of `training`, by which two computers know that they have the same."""
    digest = hashlib.sha256()
    folder = Path(__file__).resolve().parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _git(*arguments: str) -> str:
    command = ["git", "--no-optional-locks", "-C", str(ROOT), *arguments]
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=10).stdout.strip()


def versions() -> dict[str, str]:
    """For cards: of this program with its commit, of Python, and of the libraries that were used."""
    used = {name: getattr(sys.modules.get(name), "__version__", "") for name in _LIBRARIES}
    ours = {"wce_desktop": version(), "commit": commit(), "python": platform.python_version()}
    return {name: str(value) for name, value in (ours | used).items() if value}


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.processor() or platform.machine())


def made_with(*, has_name: bool) -> dict[str, dict[str, Any]]:
    """For cards: `versions`, and of the `computer` system, processor, cores, and GPU if torch was used.

    `has_name`: also the name of the computer, which may hold that of a person.
    """
    torch = sys.modules.get("torch")
    computer = {"system": platform.platform(), "processor": processor(), "cores": os.cpu_count() or 1}
    computer |= {"gpu": torch.cuda.get_device_name()} if torch is not None and torch.cuda.is_available() else {}
    return {"computer": computer | ({"name": platform.node()} if has_name else {}), "versions": versions()}
