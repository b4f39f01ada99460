"""Files that are shipped with the program: vocabularies of labels, and the papers' figures."""

from pathlib import Path

_BESIDE = Path(__file__).resolve().parents[2]


def resources_folder(needed: str, beside: Path = _BESIDE) -> Path:
    """`resources` of the checkout, or what an installed wheel has of it.

    Args:
        needed: a path that must exist in it, such as "labels/terms.json".
        beside: the folder that holds the package `training`.

    Raises:
        FileNotFoundError: the installation is incomplete.
    """
    for folder in (beside / "wce_desktop" / "_resources", beside / "resources"):
        if (folder / needed).exists():
            return folder
    raise FileNotFoundError(f"no {needed} beside {beside}: the installation is incomplete")
