"""Finds the resources of the application: vocabularies, icons, the demo model."""

from pathlib import Path

import wce_desktop

_PACKAGE = Path(wce_desktop.__file__).resolve().parent


def resources_folder() -> Path:
    """The resources of an installed wheel (`wce_desktop/_resources`), or those of the checkout (`resources`).

    Raises:
        FileNotFoundError: when the installation is incomplete.
    """
    for folder in (_PACKAGE / "_resources", _PACKAGE.parent / "resources"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no resources beside {_PACKAGE}: the installation is incomplete")


def resource(*parts: str) -> Path:
    """One of the resources, such as `resource("labels", "default.json")`.

    Raises:
        FileNotFoundError: when it is missing.
    """
    path = resources_folder().joinpath(*parts)
    if not path.exists():
        raise FileNotFoundError(f"the installation lacks {path}")
    return path
