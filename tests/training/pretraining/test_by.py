"""The column that names the group of an image may have another name."""

from pathlib import Path

import pytest

from training.errors import UserError
from training.pretraining.studies import pretrain_images


def test_groups_stand_in_the_named_column(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        (tmp_path / name).touch()
    table = tmp_path / "labels.csv"
    table.write_text("filename,patient\na.png,P1\nb.png,P2\n")
    with pytest.raises(UserError, match="no images to pretrain on"):
        pretrain_images(tmp_path, table, ("P1", "P2"), "patient")
    pretrain_images(tmp_path, table, ("P1",), "patient")
    with pytest.raises(UserError, match="no column case"):
        pretrain_images(tmp_path, table, by="case")
