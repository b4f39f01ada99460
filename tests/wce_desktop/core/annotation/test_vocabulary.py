"""The vocabulary, and the one that ships."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from wce_desktop.core.annotation.vocabulary import (
    ClassName,
    Vocabulary,
    load_vocabulary,
    removed_in_use,
    shown_name,
    title_of,
)
from wce_desktop.core.language import in_english
from wce_desktop.session.places import resource

NORMAL = ClassName("normal", "Normal", "0", "#999999", "bar")


def test_the_vocabulary_that_ships() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    assert [one.key for one in vocabulary if one.key] == list("0123456789")
    assert vocabulary.names[:5] == ("normal", "polyp", "angiectasia", "ulcer", "blood")
    looks = {(one.color, one.shape) for one in vocabulary}
    assert len(looks) == len(vocabulary)
    assert len({one.shape for one in vocabulary if one.key}) == 10
    assert all(one.code == "" for one in vocabulary)  # none is known for certain
    assert vocabulary.of("polyp").term_words == "MST 3.0: Protruding lesions: Polyp (no published code)"
    assert vocabulary.of("other").term_words == "not known"


def test_classes_stand_below_their_parents() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    tree = [(depth, one.name) for depth, one in vocabulary.tree()]
    assert len(tree) == len(vocabulary)
    at = tree.index((0, "inflammation"))
    assert tree[at : at + 3] == [(0, "inflammation"), (1, "ulcer"), (1, "erosion")]
    assert tree[at + 3] == (2, "aphtha")
    assert [one.name for one in vocabulary.path("aphtha")] == ["inflammation", "erosion", "aphtha"]


def test_it_is_written_as_it_is_read_and_changes_for_whoever_holds_it() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    copied = Vocabulary.from_json(json.loads(json.dumps(vocabulary.to_json())))
    assert copied.classes == vocabulary.classes
    with pytest.raises(ValueError, match="share a name"):
        copied.replace((NORMAL, NORMAL))
    assert copied.classes == vocabulary.classes
    copied.replace((NORMAL,))
    assert copied.names == ("normal",)


def test_classes_in_use_that_would_go_are_named() -> None:
    used = {"polyp": 3, "blood": 2, "ulcer": 0}
    assert removed_in_use(("normal", "polyp", "ulcer", "blood"), ("normal", "blood"), used) == {"polyp": 3}


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
        ((NORMAL, ClassName("polyp", "Polyp", "", "#999999", "bar", "lesion")), "'lesion', is no class"),
        ((NORMAL, ClassName("polyp", "Polyp", "", "#999999", "bar", "polyp")), "'polyp' stands below itself"),
        ((NORMAL, ClassName("polyp", "Polyp", "", "#999999", "bar", "normal")), "cannot stand below 'normal'"),
    ],
)
def test_classes_that_clash_are_refused(classes: tuple[ClassName, ...], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Vocabulary(classes)


@pytest.mark.parametrize(
    "change",
    [
        {"color": "red"},
        {"shape": "cat"},
        {"key": "12"},
        {"key": "x"},
        {"name": ""},
        {"size": 3},
        {"standard": "ICD"},
        {"code": 5},
        {"title": "a\nb"},
    ],
)
def test_a_bad_file_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    entry = {"name": "normal", "title": "Normal", "key": "0", "color": "#999999", "shape": "bar"} | change
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"classes": [entry]}), encoding="utf-8")
    with pytest.raises(ValueError, match=r"mine\.json is not a vocabulary"):
        load_vocabulary(path)


def test_in_english_classes_are_shown_as_they_are_stored() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    assert all(one.shown_title == one.title and shown_name(one.name) == one.name for one in vocabulary)
    assert vocabulary.of("tumor").title_in_sentence == "tumor or mass"
    assert title_of("z-line", None) == "Z-line"


@pytest.mark.usefixtures("in_german")
def test_a_title_that_ships_is_translated_and_what_is_stored_is_not() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    before = vocabulary.to_json()
    blood = vocabulary.of("blood")
    assert (blood.shown_title, blood.title_in_sentence, blood.title, blood.name) == ("Blut", "Blut", "Blood", "blood")
    assert vocabulary.of("lymphoid follicle").shown_title == "Lymphfollikel"
    assert [shown_name(name) for name in ("blood", "normal", "mine")] == ["Blut", "normal", "mine"]
    assert [title_of("ulcer", None), title_of("mine", None), title_of("blood", blood)] == ["Ulkus", "Mine", "Blut"]
    assert vocabulary.to_json() == before
    with in_english():
        assert blood.shown_title == "Blood"


@pytest.mark.usefixtures("in_german")
def test_a_class_that_the_reader_named_is_shown_as_named() -> None:
    vocabulary = load_vocabulary(resource("labels", "default.json"))
    assert replace(vocabulary.of("blood"), title="Ulcer").shown_title == "Ulcer"
    assert ClassName("mine", "Blood", "", "#999999", "bar").shown_title == "Blood"


@pytest.mark.usefixtures("in_german")
def test_every_class_that_ships_has_a_german_title() -> None:
    shipped = load_vocabulary(resource("labels", "default.json"))
    terms = json.loads(resource("labels", "terms.json").read_text(encoding="utf-8"))["terms"]
    same = {"normal", "polyp", "erosion", "pylorus"}
    names = {*shipped.names, *(term["name"] for term in terms)} - same
    assert {name for name in names if shown_name(name) == name} == set()
    assert {one.name for one in shipped if one.shown_title == one.title} == {"normal", "polyp", "erosion"}
