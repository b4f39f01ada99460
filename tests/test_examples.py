"""The examples of the documentation run, and the notebooks are those of the scripts."""

import ast
import importlib.util
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.warm_python import warm_python

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = sorted((ROOT / "docs" / "examples").glob("*.py"))


def test_there_are_seven() -> None:
    assert len(EXAMPLES) == 7


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs(script: Path) -> None:
    # A short name: below it the workers of a `DataLoader` make sockets, whose paths may have 107 characters only.
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [*warm_python(), "-W", "error", str(script)],
            cwd=ROOT,
            env={**os.environ, "TMPDIR": folder, "TEMP": folder, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=170,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_the_notebook_is_that_of_the_script(script: Path) -> None:
    spec = importlib.util.spec_from_file_location("notebooks", ROOT / "docs" / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    notebooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(notebooks)
    text = script.read_text(encoding="utf-8")
    assert script.with_suffix(".ipynb").read_text(encoding="utf-8") == notebooks.notebook_of(text)


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_uses_public_names_only(script: Path) -> None:
    allowed = {"training", "training.losses", "training.methods", "training.models"}
    for node in ast.walk(ast.parse(script.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        assert not {name for name in names if name.startswith(("training", "wce_desktop"))} - allowed
