"""The vocabulary: every published name has a term, and a stranger has none."""

import json
from pathlib import Path

import pytest

from training.datasets.public.box_files import NAMES
from training.datasets.public.catalogue import DATA_SETS, find_data_set
from training.datasets.public.class_folders import KINDS_2
from training.datasets.public.contents import labels_folder, term_names, vocabulary
from training.datasets.public.galar import UNREAD
from training.errors import UserError

LABELS = Path(__file__).parents[4] / "resources" / "labels"
FILES = sorted(path.stem for path in (LABELS / "published").glob("*.json"))
GALAR = ("bubbles", "dirt", "reduced view", "z-line", "active bleeding", "CED", "celiac", "cancer", "lymphangioectasis")


@pytest.mark.parametrize("name", FILES)
def test_every_published_name_stands_for_a_term(name: str) -> None:
    known = vocabulary(name)
    given = json.loads((LABELS / "published" / f"{name}.json").read_text(encoding="utf-8"))["labels"]
    assert {known.of(label).name for label in given if known.of(label)} == set(given.values())  # type: ignore[union-attr]


def test_the_readers_classes_are_terms() -> None:
    default = json.loads((LABELS / "default.json").read_text(encoding="utf-8"))["classes"]
    assert {one["name"] for one in default} <= set(term_names())


@pytest.mark.parametrize(
    ("name", "labels"),
    [("see-ai", (*NAMES, "normal")), ("kid", KINDS_2), ("galar", GALAR), ("kvasir-capsule", ("Blood - hematin",))],
)
def test_the_names_that_readers_give_are_known(name: str, labels: tuple[str, ...]) -> None:
    assert [label for label in labels if vocabulary(name).of(label) is None] == []
    assert not set(UNREAD) & set(GALAR)


def test_spelling_is_forgiven_and_strangers_are_not() -> None:
    known = vocabulary("kvasir-capsule")
    for label in ("Foreign Body", "foreign_body", "foreign-body", "Foreign  body"):
        term = known.of(label)
        assert term is not None
        assert term.name == "foreign body"
    assert known.of("Zebra") is None
    assert known.of("") is None


def test_further_names_win() -> None:
    known = vocabulary("folders", {"Zebra": "other", "polyps": "tumor"})
    assert [known.of(label).name for label in ("zebra", "polyps")] == ["other", "tumor"]  # type: ignore[union-attr]
    with pytest.raises(UserError, match="'zebra': there is no such term"):
        vocabulary("folders", {"Zebra": "zebra"})


def test_a_term_says_what_it_is() -> None:
    term = vocabulary("kvasir-capsule").of("Pylorus")
    assert term is not None
    assert (term.kind, term.heading, term.standard) == ("landmark", "Landmarks", "MST 3.0")


def test_a_data_set_that_there_is_not() -> None:
    assert find_data_set("kid2") is DATA_SETS["kid2"]
    with pytest.raises(UserError, match="no data set 'kid3'"):
        find_data_set("kid3")


def test_an_installed_wheel_has_them_inside_the_application(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="installation is incomplete"):
        labels_folder(tmp_path)
    inside = tmp_path / "wce_desktop" / "_resources" / "labels"
    inside.mkdir(parents=True)
    (inside / "terms.json").write_text("{}", encoding="utf-8")
    assert labels_folder(tmp_path) == inside
    assert labels_folder() == LABELS
