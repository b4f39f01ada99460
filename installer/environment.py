"""The environment that a bundle is made of: the tested versions, checked by hash, and this program as a wheel."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from installer.version import ROOT

REQUIREMENTS = ROOT / "installer" / "requirements"


class BuildError(Exception):
    """A package cannot be built here; the message is a sentence that says why and what to do."""


def run(command: Sequence[object], folder: Path = ROOT, **variables: str) -> None:
    """Run a command in a folder; `BuildError` with its last lines where it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode:
        last = "\n".join(done.stdout.decode(errors="replace").splitlines()[-30:])
        raise BuildError(f"“{' '.join(words[:4])} …” failed with status {done.returncode}:\n{last}")


def tool(name: str, source: str) -> str:
    """The path of a program that building needs; `BuildError` says where to get it (`source`)."""
    found = shutil.which(name)
    if found is None:
        raise BuildError(f"{name} is missing; {source}")
    return found


def uv() -> list[str]:
    """How uv is called here."""
    found = shutil.which("uv")
    if found is None:
        raise BuildError("uv is missing; install it with: pip install uv")
    return [found]


def python_of(environment: Path) -> Path:
    """The Python of a virtual environment."""
    return environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def make_environment(folder: Path, edition: str, torch: Sequence[str] = ()) -> Path:
    """Make the environment of an edition from nothing; returns its Python.

    Args:
        folder: where it is made; what is there is removed.
        edition: a file in `requirements`.
        torch: options for uv that say where another build of PyTorch comes from; it replaces the one that was checked.
    """
    shutil.rmtree(folder, ignore_errors=True)
    run([*uv(), "venv", "--quiet", "--python", sys.executable, folder])
    python = python_of(folder)
    wheels = folder / "wheel"
    run([*uv(), "build", "--quiet", "--wheel", "--out-dir", wheels])
    # Outside of the checkout: there uv would add the versions that pyproject.toml limits, which have no hashes.
    outside = Path(tempfile.gettempdir())
    install = [*uv(), "pip", "install", "--quiet", "--python", python]
    for name in (edition, "build"):
        run([*install, "--require-hashes", "-r", REQUIREMENTS / f"{name}.txt"], outside)
    if torch:
        run([*install, "--reinstall-package", "torch", "torch", *torch], outside)
    run([*install, "--no-deps", *wheels.glob("*.whl")], outside)
    return python
