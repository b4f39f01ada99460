import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.errors import UserError
from training.files import json_text
from training.files.json_text import MAX_DEPTH, parse_json, parse_large_object, read_json, read_json_object


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


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


def ignore(_done: int, _total: int) -> None:
    """Nothing asks it to end."""


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=5), st.sampled_from([None, 1, "\t"]))
def test_an_object_read_in_parts_is_the_same(value: dict[str, object], indent: int | str | None) -> None:
    assert parse_large_object(json.dumps(value, indent=indent), ignore) == value


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "1", "{", '{"a"', '{"a":', '{"a": [', '{"a": [1', '{"a": [1,]}', '{"a": 1,}', '{"a": 1} x'),
        *("{a: 1}", "{1: 2}", '{"a": [NaN]}', '{"a" 1}', '{"a": [1 2]}', '{"a": 1 "b": 2}', "{,}"),
        '{"a": [' + "[" * 100_000,
    ],
)
def test_what_is_no_object_of_json_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_large_object(text, ignore)


def test_an_object_read_in_parts_can_be_stopped_and_has_the_same_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    text = json.dumps({"a": [{"name": number} for number in range(5000)]})
    asked: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> None:
        asked.append((done, total))
        if len(asked) == 2:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        parse_large_object(text, stop)
    assert 0 < asked[0][0] < asked[1][0] < asked[1][1] == len(text)
    monkeypatch.setattr(json_text, "MAX_CONTAINERS", 4000)
    with pytest.raises(ValueError, match="more than 4,000 lists and objects"):
        parse_large_object(text, ignore)


def test_entries_share_their_names() -> None:
    text = json.dumps({"a": [{"a rather long name of a value": None} for _ in range(20_000)]})
    tracemalloc.start()
    parse_large_object(text, ignore)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / 20_000 < 260
