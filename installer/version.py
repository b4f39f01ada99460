"""The program's version: `pyproject.toml` is the one place that says it."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def version() -> str:
    """The version in `pyproject.toml`, such as "0.1.0"."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])
