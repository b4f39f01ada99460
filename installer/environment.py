"""The environment that a bundle is made of: the tested versions, checked by hash, and this program as a wheel."""

import os
import re
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


TORCH_FROM = "the CPU build of PyTorch for the full edition: a wheel, a folder of wheels, or the address of an index"
PYTORCH = re.compile(r"^(torch|triton|nvidia-[\w-]+|cuda-[\w-]+)==([^\s;]+)")
"""PyTorch in a file of requirements, and what only its CUDA build needs."""


def without_pytorch(requirements: str) -> tuple[str, str]:
    """A file of requirements without PyTorch and CUDA, and the version of PyTorch that it had."""
    entries = re.split(r"\n(?=\S)", requirements)
    versions = {found[1]: found[2] for entry in entries if (found := PYTORCH.match(entry))}
    return "\n".join(entry for entry in entries if not PYTORCH.match(entry)), versions["torch"]


def pytorch_from(place: str, version: str) -> list[str]:
    """What uv is told to install PyTorch from a wheel, from a folder of wheels, or from the address of an index.

    A wheel or a folder may hold another version than the one that was tested; an index has many.
    """
    path = Path(place).absolute()
    if path.is_file():
        return [str(path)]
    if path.is_dir():
        return ["--no-index", "--find-links", str(path), "torch"]
    if "://" in place:
        return ["--index-url", place, f"torch=={version}"]
    raise BuildError(f"There is no PyTorch at {place}; name a wheel, a folder of wheels, or the address of an index.")


def chosen_requirements(edition: str, torch_from: str | None) -> tuple[str, list[str]]:
    """The requirements of an edition, and what installs another build of PyTorch (`pytorch_from`) if there is one.

    Raises:
        BuildError: the edition has no PyTorch, or there is none at that place.
    """
    text = (REQUIREMENTS / f"{edition}.txt").read_text(encoding="utf-8")
    if torch_from is None:
        return text, []
    if edition != "full":
        raise BuildError("Only the full edition has PyTorch; add --edition full.")
    text, version = without_pytorch(text)
    return text, pytorch_from(torch_from, version)


def make_environment(folder: Path, edition: str, torch_from: str | None = None) -> Path:
    """Make the environment of an edition from nothing; returns its Python.

    Args:
        folder: where it is made; what is there is removed.
        edition: a file in `requirements`.
        torch_from: where another build of PyTorch comes from (`pytorch_from`), instead of the one that was checked by
            hash; the CUDA libraries of that one are left out too.
    """
    text, torch = chosen_requirements(edition, torch_from)
    shutil.rmtree(folder, ignore_errors=True)
    run([*uv(), "venv", "--quiet", "--python", sys.executable, folder])
    python = python_of(folder)
    wheels = folder / "wheel"
    run([*uv(), "build", "--quiet", "--wheel", "--out-dir", wheels])
    # Outside of the checkout: there uv would add the versions that pyproject.toml limits, which have no hashes.
    outside = Path(tempfile.gettempdir())
    # Without dependencies: the files name all of them, and `check` finds what another build of PyTorch needs besides.
    install = [*uv(), "pip", "install", "--quiet", "--python", python, "--no-deps"]
    (folder / "requirements.txt").write_text(text, encoding="utf-8")
    for file in (folder / "requirements.txt", REQUIREMENTS / "build.txt"):
        run([*install, "--require-hashes", "-r", file], outside)
    if torch:
        run([*install, *torch], outside)
    run([*install, *wheels.glob("*.whl")], outside)
    run([*uv(), "pip", "check", "--quiet", "--python", python], outside)
    return python
