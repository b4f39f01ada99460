"""Every third-party package that the two packages import is declared in pyproject.toml."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
OURS = ("training", "wce_desktop")
NOT_INSTALLED = {"mlflow": "mlflow-skinny"}
"""Module of an extra that the tests do without -> its distribution."""
DYNAMIC = {"import_module", "find_spec"}
"""Calls that name a module in a string."""


def imported_by(source: str) -> Iterator[str]:
    """The top-level names of every absolute import in a source text, also inside functions and as literal strings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if function in DYNAMIC and isinstance(node.args[0].value, str):
                yield node.args[0].value.partition(".")[0]


def normalized(name: str) -> str:
    """A distribution's name as packaging tools compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def declared() -> set[str]:
    """The distributions in `project.dependencies` and its extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *(line for extra in project["optional-dependencies"].values() for line in extra)]
    return {normalized(re.split(r"[^\w.-]", line, maxsplit=1)[0]) for line in lines}


NAMED = {"umap": ["umap-learn"]}
"""Distributions of other names, where they are not installed."""


@pytest.mark.parametrize("package", OURS)
def test_every_third_party_import_is_declared(package: str) -> None:
    distributions, names = {**NAMED, **packages_distributions()}, declared()
    undeclared: dict[str, list[str]] = {}
    for file in sorted((ROOT / package).rglob("*.py")):
        for name in set(imported_by(file.read_text(encoding="utf-8"))) - set(sys.stdlib_module_names) - set(OURS):
            if not names & {normalized(found) for found in distributions.get(name, [NOT_INSTALLED.get(name, name)])}:
                undeclared.setdefault(name, []).append(str(file.relative_to(ROOT)))
    assert undeclared == {}


def test_imports_are_found_wherever_they_stand() -> None:
    source = """
import a.b as c
from . import own
from .own import also_own
def late():
    from d.e import f
    import_module("g.h")
    importlib.util.find_spec("i")
    import_module(name)
"""
    assert sorted(imported_by(source)) == ["a", "d", "g", "i"]
