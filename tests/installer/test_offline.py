"""The folder of wheels: a folder that holds something is left alone."""

from pathlib import Path

import pytest

from installer.environment import BuildError
from installer.offline.__main__ import make


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    kept = tmp_path / "letter.txt"
    kept.write_text("mine", encoding="utf-8")
    with pytest.raises(BuildError, match="not an empty folder"):
        make(tmp_path, "reading")
    assert kept.read_text(encoding="utf-8") == "mine"
