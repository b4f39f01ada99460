"""`python -m training datasets` as somebody at a shell meets it."""

import csv
import re
from pathlib import Path

import pytest

from tests.training.datasets.public.trees import kvasir, picture
from training.commands.shell import main
from training.datasets.public.catalogue import DATA_SETS


def test_list_names_every_set_with_its_page_and_licence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets", "list"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for one in DATA_SETS.values():
        assert one.name in said
        assert one.where in said
        assert one.licence != "see its page"
        assert f"licence {one.licence}" in said
    assert "not verified" in said


def test_check_shows_labels_and_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = kvasir(tmp_path / "kvasir")
    next((folder / "labelled_images" / "Polyp").iterdir()).unlink()
    picture(folder / "labelled_images" / "Polyp" / "stray.jpg")
    assert main(["datasets", "check", "kvasir-capsule", str(folder)]) == 0
    said = capsys.readouterr().out
    lines = [line.split() for line in said.splitlines()]
    assert ["-", "1", "Polyp", "polyp"] in lines
    assert ["2", "-", "Pylorus", "pylorus"] in lines
    assert "1 file is missing" in said


def test_check_counts_boxes_that_enclose_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = kvasir(tmp_path / "kvasir") / "metadata.csv"
    table.write_text(table.read_text("utf-8").replace("0;0;20;0;20;20;0;20", "0;0;20;0;20;0;0;0"), "utf-8")
    assert main(["datasets", "check", "kvasir-capsule", str(table.parent)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 box is empty and is left out" in said
    assert re.search(r"boxes:? 1\b", said)


def test_check_names_labels_that_are_in_no_vocabulary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture(tmp_path / "in" / "zebra" / "1.png")
    assert main(["datasets", "check", "folders", str(tmp_path / "in")]) == 0
    said = capsys.readouterr().out
    assert "zebra" in said
    assert "(not in the vocabulary)" in said
    assert main(["datasets", "check", "folders", str(tmp_path / "in"), "--set", 'also={"zebra": "polyp"}']) == 0
    assert "(not in the vocabulary)" not in capsys.readouterr().out


def test_check_names_images_that_are_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b", "c"):
        picture(tmp_path / "in" / "polyp" / f"{name}.jpg")
    cut = tmp_path / "in" / "polyp" / "b.jpg"
    cut.write_bytes(cut.read_bytes()[:-20])
    whole = tmp_path / "in" / "polyp" / "c.jpg"  # with long segments of an application before the picture
    content = whole.read_bytes()
    whole.write_bytes(content[:2] + 6 * (b"\xff\xe2\xff\xff" + bytes(65_533)) + content[2:])
    assert main(["datasets", "check", "folders", str(tmp_path / "in")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "1 image is cut short or of an unknown kind: polyp/b.jpg" in said
    assert re.search(r"complete:? no", said)


def test_a_preset_is_a_choice_of_classes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for kind in ("inflammatory", "vascular", "polypoid", "normal-colon", "normal-stomach", "ampulla-of-vater"):
        picture(tmp_path / "kid" / kind / "1.png")
    out = tmp_path / "out"
    arguments = [str(tmp_path / "kid"), "--preset", "fs-kid2", "--set", "partial=true", "--out", str(out)]
    assert main(["datasets", "export", "kid2", *arguments]) == 0
    capsys.readouterr()
    rows = list(csv.DictReader((out / "images.csv").read_text(encoding="utf-8").splitlines()))
    assert sorted(row["label"] for row in rows) == ["inflammation", "normal", "polyp", "vascular lesion"]
    assert not any("stomach" in row["filename"] or "ampulla" in row["filename"] for row in rows)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check"], "name the data set"),
        (["check", "kid9"], "name the folder"),
        (["check", "kid9", "."], "no data set 'kid9'"),
        (["export", "kid2", "."], "name the folder to export to"),
        (["mend", "kid2", "."], "setting action cannot be used"),
        (["check", "kid2", "nowhere"], "no file or folder 'nowhere'"),
        (["check", "kid2", ".", "--set", "classes=polyp", "--set", "kinds=finding"], "either classes or kinds"),
    ],
)
def test_what_is_wrong_is_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["datasets", *arguments]) == 1
    assert said.lower() in capsys.readouterr().err.lower()
