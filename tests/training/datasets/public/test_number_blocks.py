"""Blocks of numbers as patients, from the files of a set to the groups of its export."""

import csv
from pathlib import Path
from typing import Any

from tests.training.datasets.public.trees import picture
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.public.layout import PublishedImage, PublishedSet
from training.datasets.public.number_blocks import with_blocks, with_groups
from training.runs.reporter import SilentReporter


def studies(*images: PublishedImage, size: int = 100) -> list[str]:
    return [image.study for image in with_blocks(PublishedSet(images), size, "set").images]


def test_images_that_name_no_recording_get_the_block_of_their_number() -> None:
    named = PublishedImage("a/other_00001.jpg", ("normal",), study="R1")
    blocks = studies(*(PublishedImage(f"a/image{number:05}.jpg", ()) for number in (0, 99, 100, 12_345)), named)
    assert blocks == ["set-00000", "set-00000", "set-00100", "set-12300", "R1"]
    assert studies(PublishedImage("image7.jpg", (), source="KID"), size=5) == ["KID-00005"]


def test_images_without_a_number_stay_unknown() -> None:
    found = with_blocks(PublishedSet((PublishedImage("7/image.jpg", ()),)), 100, "set")
    assert (found.images[0].study, found.notes) == ("", ())


def test_an_export_has_them_as_groups_and_says_so(tmp_path: Path) -> None:
    for kind, numbers in {"Normal": (1, 2, 150), "Polyp": (3, 151)}.items():
        for number in numbers:
            picture(tmp_path / "set" / "training" / kind / "SEE-AI" / f"image{number:05}.jpg")
    given: dict[str, Any] = {
        "name": "capsule-vision-2024",
        "folder": tmp_path / "set",
        "partial": True,
        "number_blocks": 100,
    }
    result = run_datasets(DatasetsCommand(action="export", out=tmp_path / "out", **given), SilentReporter())
    assert any("blocks of 100 successive numbers" in note for note in result["notes"])
    assert result["patients known"]
    with (tmp_path / "out" / "images.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["label"], row["group"], row["source"]) for row in csv.DictReader(file)]
    assert sorted(set(rows)) == [
        ("normal", "SEE-AI-00000", "SEE-AI"),
        ("normal", "SEE-AI-00100", "SEE-AI"),
        ("polyp", "SEE-AI-00000", "SEE-AI"),
        ("polyp", "SEE-AI-00100", "SEE-AI"),
    ]


def test_a_pattern_finds_the_patients_of_images_that_name_none() -> None:
    images = [PublishedImage(path, ()) for path in ("polyp/P07_1.jpg", "normal/P08_2.jpg", "normal/other.jpg")]
    found = PublishedSet((*images, PublishedImage("polyp/P09_3.jpg", (), "R1")))
    groups = [(image.study, image.patient) for image in with_groups(found, "/([^/]+)_").images]
    assert groups == [("P07", "P07"), ("P08", "P08"), ("", ""), ("R1", "")]
    assert with_groups(found, "P0.").images[0].study == "P07"
    assert with_groups(found, "") is found
