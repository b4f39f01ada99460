"""Who descends from whom, and what a deletion would orphan."""

import json
from pathlib import Path

import pytest

from tests.wce_desktop.sessions import write_model
from wce_desktop.library import Library
from wce_desktop.library.lineage import Family, origin_words, training_patients, what_depends_on


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """ImageNet -> Pretrained 1 -> Fine-tuned 1 -> Fine-tuned 2, with a cross-validation and a failed run."""
    library = Library.open(tmp_path / "library", "reader")
    base = library.runs.add("Pretrained 1", kind="pretrain", run_id="r-base")
    card = {"method": "time-triplet", "lineage": {"init": "imagenet"}, "split": {"training_patients": ["P1"]}}
    (base.folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    library.runs.add("Fine-tuned 1", base_run_id="r-base", run_id="r-1")
    library.models.register(write_model(tmp_path, "m1"), title="Fine-tuned 1", run_id="r-1")
    library.runs.add("Fine-tuned 2", base_model_id="m1", run_id="r-2")
    library.models.register(write_model(tmp_path, "m2", 1.0), title="Fine-tuned 2", parent_id="m1", run_id="r-2")
    library.runs.add("Cross-validation 1", base_model_id="m2", kind="evaluate", run_id="r-cv")
    library.runs.add("Fine-tuned 3", base_model_id="m2", run_id="r-3")
    library.runs.finish("r-3", "failed", {}, "The disk is full.")
    return library


@pytest.fixture
def family(library: Library) -> Family:
    found = Family.of(library)
    library.close()
    return found


def test_a_lineage_goes_back_to_the_first_weights(family: Family) -> None:
    titles = [step.title for step in family.lineage(family.models["m2"])]
    assert titles == [
        "ImageNet weights",
        "Pretrained 1 · Time (Pascual et al.)",
        "Fine-tuned 1 · test",
        "Fine-tuned 2 · test",
    ]
    assert [step.link for step in family.lineage(family.models["m2"])] == ["", "r-base", "m1", "m2"]
    assert [step.title for step in family.lineage(family.runs["r-cv"])][-2:] == [
        "Fine-tuned 2 · test",
        "Cross-validation 1",
    ]


def test_a_linear_classifier_is_not_named_after_the_method_that_did_not_run(family: Family) -> None:
    model = family.models["m2"]
    for used, words in (
        ("linear", "Linear classifier"),
        ("network", "Triplets, all of a batch (TL_BA, Laiz et al.)"),
    ):
        card = {"method": {"name": "tl-ba"}, "stages": {"used": used}}
        (model.folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
        assert family.lineage(model)[-1].title == f"Fine-tuned 2 · {words}"


def test_a_deleted_ancestor_is_named(family: Family) -> None:
    left = Family([family.models["m2"]], [])
    assert [step.title for step in left.lineage(family.models["m2"])] == ["m1 (deleted)", "Fine-tuned 2 · test"]


def test_what_a_deletion_would_orphan_is_said(family: Family) -> None:
    assert what_depends_on(family, family.runs["r-3"]) == []
    (children,) = what_depends_on(family, family.runs["r-base"])
    assert "Derived from it: Fine-tuned 1" in children
    assert len(what_depends_on(family, family.models["m2"], scored_studies=3)) == 3
    assert "Fine-tuned 3" in what_depends_on(family, family.models["m2"])[0]
    (curves,) = what_depends_on(family, family.runs["r-2"])
    assert curves.startswith("The model Fine-tuned 2 was trained by it.")


def test_training_patients_are_those_of_card_and_split(family: Family) -> None:
    base = family.runs["r-base"]
    (base.folder / "split.json").write_text('{"training_patients": ["P2"], "earlier_patients": ["P3"]}', "utf-8")
    assert training_patients(base) == {"P1", "P2", "P3"}


def test_patients_from_whom_only_the_classifier_learned_count_too(family: Family) -> None:
    base = family.runs["r-base"]
    (base.folder / "card.json").write_text('{"split": {"classifier_patients": ["P9"]}}', "utf-8")
    assert training_patients(base) == {"P9"}


def test_origins_in_words() -> None:
    assert origin_words({"init": "file", "file": "a.pth"}) == "weights file a.pth"
    assert origin_words({"init": "random"}) == "random weights"
    assert origin_words({}) == ""
