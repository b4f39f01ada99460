"""Resources are found beside the code, from a checkout and from an installed wheel alike."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from wce_desktop.session import places

ROOT = Path(__file__).resolve().parents[3]


def test_in_a_checkout() -> None:
    assert places.resources_folder() == ROOT / "resources"
    assert places.resource("labels", "default.json").is_file()


def test_what_is_missing_is_named() -> None:
    with pytest.raises(FileNotFoundError, match=r"nothing\.json"):
        places.resource("labels", "nothing.json")


def test_where_a_wheel_puts_them(tmp_path: Path) -> None:
    """A wheel holds the package with `_resources` inside (pyproject.toml, force-include), and nothing beside it."""
    package = tmp_path / "site-packages" / "wce_desktop"
    core = ("__init__", "language")
    needed = ("__init__.py", "session/__init__.py", "session/places.py", *(f"core/{name}.py" for name in core))
    for name in needed:
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "wce_desktop" / name, package / name)
    shutil.copytree(ROOT / "resources" / "labels", package / "_resources" / "labels")
    code = "from wce_desktop.session.places import resource; print(resource('labels', 'default.json'))"
    said = subprocess.run(
        [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, {str(package.parent)!r}); {code}"],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert said.stdout.strip() == str(package / "_resources" / "labels" / "default.json")
