from pathlib import Path

import pytest

from training.errors import UserError
from training.files.json_text import MAX_DEPTH, parse_json, read_json, read_json_object


def test_values_are_read() -> None:
    assert parse_json('{"a": [1, 2.5, null, "x"]}') == {"a": [1, 2.5, None, "x"]}


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}', "{", ""])
def test_what_is_no_standard_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_json(text)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 100_000])
def test_deep_nesting_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="nested deeper"):
        parse_json("[" * depth + "]" * depth)


def test_nesting_up_to_the_bound_is_read() -> None:
    assert parse_json("[" * MAX_DEPTH + "]" * MAX_DEPTH) is not None


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("{")

    with pytest.raises(UserError, match=r"card\.json is not a valid model card"):
        read_json(tmp_path / "card.json", "model card")


def test_an_object_is_asked_for(tmp_path: Path) -> None:
    (tmp_path / "card.json").write_text("[1]")

    with pytest.raises(UserError, match="JSON object"):
        read_json_object(tmp_path / "card.json")
