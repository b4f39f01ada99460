"""The vocabulary, and the one that ships."""

import json
from pathlib import Path

import pytest

from wce_desktop.core.vocabulary import ClassName, Vocabulary, load_vocabulary
from wce_desktop.session.places import resource

NORMAL = ClassName("normal", "Normal", "0", "#999999", "bar")


def test_the_vocabulary_that_ships() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    assert [one.key for one in vocabulary] == list("0123456789")
    assert vocabulary.names[:5] == ("normal", "polyp", "angiectasia", "ulcer", "blood")
    looks = {(one.color, one.shape) for one in vocabulary}
    assert len(looks) == len({one.shape for one in vocabulary}) == len(vocabulary)


def test_a_key_finds_its_class() -> None:
    vocabulary = Vocabulary((NORMAL,))
    assert vocabulary.by_key("0") == NORMAL
    assert vocabulary.by_key("7") is None


def test_a_foreign_class_is_shown_under_its_own_name() -> None:
    vocabulary = Vocabulary((NORMAL,))
    assert "pylorus_open" not in vocabulary
    assert vocabulary.of("pylorus_open").title == "pylorus open"


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ((), "normal"),
        ((NORMAL, NORMAL), "share a name"),
        ((NORMAL, ClassName("polyp", "Polyp", "0", "#999999", "bar")), "share a key"),
    ],
)
def test_classes_that_clash_are_refused(classes: tuple[ClassName, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Vocabulary(classes)


@pytest.mark.parametrize(
    "change", [{"color": "red"}, {"shape": "cat"}, {"key": "12"}, {"key": "x"}, {"name": ""}, {"size": 3}]
)
def test_a_bad_file_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    entry = {"name": "normal", "title": "Normal", "key": "0", "color": "#999999", "shape": "bar"} | change
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"classes": [entry]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"mine\.json is not a vocabulary"):
        load_vocabulary(path)
