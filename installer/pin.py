"""Writes the requirements of both editions, with hashes: `python -m installer.pin`, after the tests have passed.

The versions are those of the environment that runs it; no registry is named in the files.
"""

import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

from installer.environment import REQUIREMENTS, run, uv
from installer.version import ROOT

BUILD = ("pyinstaller", "cyclonedx-python-lib[json-validation]")
EXTRAS = {"reading": (), "full": ("--extra", "training")}


def main() -> int:
    """Write all files."""
    with tempfile.TemporaryDirectory() as name:
        tested, build = Path(name) / "tested.txt", Path(name) / "build.in"
        installed = sorted({f"{one.name}=={one.version}" for one in distributions() if one.name != "wce-desktop"})
        tested.write_text("\n".join(installed), encoding="utf-8")
        build.write_text("\n".join(BUILD), encoding="utf-8")
        options = ["--constraint", tested, "--generate-hashes", "--no-emit-index-url", "--no-header", "--no-annotate",
                   "--universal", "--python-version", "3.11", "--quiet"]  # fmt: skip
        for edition, extras in EXTRAS.items():
            source = ROOT / "pyproject.toml"
            run([*uv(), "pip", "compile", source, *extras, *options, "-o", REQUIREMENTS / f"{edition}.txt"])
        run([*uv(), "pip", "compile", build, *options, "-o", REQUIREMENTS / "build.txt"])
    return subprocess.run(["git", "diff", "--stat", REQUIREMENTS], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
