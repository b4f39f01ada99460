"""What an import says of itself before anybody agrees to it."""

import json
import os
from pathlib import Path

import pytest

from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.annotation.vocabulary import load_vocabulary
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.features.exchange.import_review import importable_names, review_lines, source_notes
from wce_desktop.library.exchange import ImportPlan
from wce_desktop.session.places import resource

VOCABULARY = load_vocabulary(resource("labels", "default.json"))


def plan_of(source: Path, labels: dict[str, str]) -> ImportPlan:
    """New studies of ten frames, each with one label on four of them."""
    studies = tuple(Study(name, name, name, source / name, name, 10, 5.0) for name in labels)
    changes = {name: (Add(Label(f"l{name}", name, Span(2, 6), label)),) for name, label in labels.items()}
    return ImportPlan(source, studies, changes, ())


def test_totals_and_classes_without_a_key(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, {"a": "polyp", "b": "pylorus", "c": "polyp"})
    assert review_lines(plan, VOCABULARY) == [
        "In all: 3 new studies with 30 frames.",
        "Frames labelled: polyp 8, pylorus 4.",
        "Shown in grey under their own names, without a key: pylorus.",
    ]


def test_one_study_needs_no_total(tmp_path: Path) -> None:
    assert review_lines(plan_of(tmp_path, {"a": "polyp"}), VOCABULARY) == []


def test_an_export_says_where_it_comes_from(tmp_path: Path) -> None:
    record = {"data set": "KID 2", "licence": "academic use", "cite": "", "notes": ["No patients."]}
    (tmp_path / "export.json").write_text(json.dumps(record), encoding="utf-8")
    assert review_lines(plan_of(tmp_path, {"a": "polyp"}), VOCABULARY) == [
        "From KID 2, licence: academic use. Please cite its authors."
    ]
    assert source_notes(plan_of(tmp_path, {"a": "polyp"})) == ["No patients."]
    (tmp_path / "export.json").write_text("no json", encoding="utf-8")
    assert review_lines(plan_of(tmp_path, {"a": "polyp"}), VOCABULARY) == []


def test_the_readers_classes_come_first() -> None:
    names = importable_names(VOCABULARY)
    assert names[: len(VOCABULARY)] == VOCABULARY.names
    assert "pylorus" in names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"data set": "x", "notes": 3}', "\udcff"])
def test_a_crafted_record_of_an_export_says_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "export.json").write_bytes(text.encode(errors="surrogateescape"))
    assert source_notes(plan_of(tmp_path, {"a": "polyp"})) == []


def test_a_pipe_is_no_record_of_an_export(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "export.json")
    assert source_notes(plan_of(tmp_path, {"a": "polyp"})) == []
