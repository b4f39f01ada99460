"""Tables with whatever delimiter."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.datasets.public.trees import text
from training.datasets.public.files import read_delimited
from training.errors import UserError
from training.files.delimited import DELIMITERS


@pytest.mark.parametrize("delimiter", DELIMITERS)
def test_any_delimiter(tmp_path: Path, delimiter: str) -> None:
    path = text(tmp_path / "t.csv", f"\ufeffa{delimiter} b {delimiter}c\n1{delimiter}two words{delimiter}\n\n3\n")
    assert read_delimited(path, ("a", "b")) == [{"a": "1", "b": "two words", "c": ""}, {"a": "3", "b": "", "c": ""}]


@given(cells=st.lists(st.text("ab;,|\t ", min_size=1).map(str.strip), min_size=2, max_size=2))
def test_a_cell_may_hold_the_other_delimiters(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    path = text(tmp_path_factory.mktemp("t") / "t.csv", "x;y\n" + ";".join(f'"{cell}"' for cell in cells) + "\n")
    rows = [dict(zip("xy", cells, strict=True))] if any(cells) else []  # an empty line is no row
    assert read_delimited(path, ("x", "y")) == rows


def test_what_is_no_table_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        read_delimited(tmp_path / "none.csv", ("a",))
    with pytest.raises(UserError, match="no column a; its first line is “x:y”"):
        read_delimited(text(tmp_path / "colon.csv", "x:y\n1:2\n"), ("a", "x"))
    with pytest.raises(UserError, match="line 3: 3 cells where the first line names 2"):
        read_delimited(text(tmp_path / "long.csv", "a,b\n1,2\n1,2,3\n"), ("a", "b"))
    with pytest.raises(UserError, match="no column a"):
        read_delimited(text(tmp_path / "empty.csv", ""), ("a",))
    (tmp_path / "binary.csv").write_bytes(b"a,b\n\xff\x81\n")
    with pytest.raises(UserError, match="this is not a CSV file"):
        read_delimited(text(tmp_path / "huge.csv", "a,b\n" + "x" * 200_000), ("a",))
    with pytest.raises(UserError, match="its text has no known encoding"):
        read_delimited(tmp_path / "binary.csv", ("a",))
