"""Where the files are that are shipped with the program."""

from pathlib import Path

import pytest

from training.files.inputs import resources_folder


def test_an_installed_wheel_has_them_inside_the_application(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="installation is incomplete"):
        resources_folder("published", tmp_path)
    inside = tmp_path / "wce_desktop" / "_resources"
    (inside / "published").mkdir(parents=True)
    assert resources_folder("published", tmp_path) == inside


def test_the_checkout_has_them_beside_the_packages() -> None:
    assert (resources_folder("published/laiz-table6.csv") / "published" / "laiz-table6.csv").is_file()
