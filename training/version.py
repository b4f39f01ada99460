"""The version of this program: `pyproject.toml` is the one place that says it."""

import re
from functools import cache
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version
from pathlib import Path

DISTRIBUTION = "wce-desktop"
UNKNOWN = "unknown"


@cache
def version() -> str:
    """The version, such as "0.1.0": of the checkout that runs, otherwise of the installed distribution."""
    project = Path(__file__).resolve().parents[1] / "pyproject.toml"
    try:
        found = re.search(r'^version = "([^"]+)"', project.read_text(encoding="utf-8"), flags=re.MULTILINE)
    except OSError:
        found = None
    if found is not None:
        return found[1]
    try:
        return installed_version(DISTRIBUTION)
    except PackageNotFoundError:
        return UNKNOWN
