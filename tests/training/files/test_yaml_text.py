"""YAML from elsewhere: hostile files are refused at once, however they are built."""

import contextlib
import time
from pathlib import Path

import pytest

from training.datasets.annotations.yolo import names_of
from training.errors import UserError
from training.files.markup_text import MAX_YAML_BYTES, read_yaml_object, yaml_object

LAUGHS = "a: &a [x, x]\n" + "".join(f"{b}: &{b} [*{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))


def test_every_value_is_a_text() -> None:
    assert yaml_object("a: 1\nb: yes\nc: [2026-01-01, ~]") == {"a": "1", "b": "yes", "c": ["2026-01-01", "~"]}
    assert yaml_object("") == yaml_object("just words") == yaml_object("- a") == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (LAUGHS, "references"),
        ("[" * 100_000, "nest"),
        ("a: " + "{a: " * 40, "nested"),
        ("a: " + "{a: " * 1000, "nest"),
        ("a: [", "line 2"),
        ("a: !!python/object/apply:os.system [[", "line"),
        ("? [a]\n: b", "it cannot be read|unhashable"),
        ("a: \x00", "it cannot be read|not allowed"),
    ],
)
def test_hostile_texts_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        yaml_object(text)


def test_no_object_is_made() -> None:
    assert yaml_object("a: !!python/object/apply:os.getcwd []") == {"a": []}


@pytest.mark.parametrize(
    "text",
    [
        "names:\n - a" + " " * 200_000 + "b",
        "names:\n - " + "a " * 100_000,
        "names: [" + "'a" * 100_000,
        "names: [" + '"' * 200_000,
        "names:" + " -" * 100_000,
    ],
)
def test_200_kilobytes_never_take_long(text: str) -> None:
    started = time.perf_counter()
    with contextlib.suppress(ValueError):
        names_of(yaml_object(text))
    assert time.perf_counter() - started < 2


def test_a_file_has_a_largest_size_and_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "data.yaml"
    path.write_text("#" * (MAX_YAML_BYTES + 1))
    with pytest.raises(UserError, match="too large"):
        read_yaml_object(path, "list of classes")
    path.write_text("names: [")
    with pytest.raises(UserError, match="is not a valid list of classes"):
        read_yaml_object(path, "list of classes")
