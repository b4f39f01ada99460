"""A fine-tuning on a folder of labelled images, whose groups are never on both sides."""

import csv
import json
from pathlib import Path

import pytest

from tests.training.evaluation.test_image_sources import config_of, write_set
from training.commands.shell import main
from training.datasets.image_set import as_studies, read_image_set
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.finetuning.config import finetune_config
from training.finetuning.start import finetune
from training.models.folder import ModelFolder
from training.runs.reporter import SilentReporter

QUICK = ["--init", "random", "--device", "cpu", "--set", "backbone=tiny", "--set", "steps=2", "--set", "input_size=32"]
QUICK += ["--set", "batch_size=8", "--set", "least_frames=1", "--set", "threads=1"]


@pytest.fixture
def images(tmp_path: Path) -> Path:
    rows = write_set(tmp_path)
    config_of(tmp_path, [[row[0], row[1].replace("normal", "clean"), *row[2:]] for row in rows if row[3] != "Z"])
    return tmp_path


def command(folder: Path, *more: str) -> list[str]:
    given = ["--images", folder / "images", "--labels", folder / "images.csv", "--out", folder / "run"]
    return ["finetune", *map(str, given), "--set", "normal_label=clean", *QUICK, *more]


def test_a_folder_of_images_becomes_a_model(images: Path) -> None:
    assert main(command(images)) == 0
    card = ModelFolder.open(images / "run" / "model").card
    assert card["classes"] == ["normal", "polyp", "blood"]
    split = card["split"]
    sides = [set(split[name]) for name in ("training_patients", "held_out_patients")]
    assert split["kind"] == "patients"
    assert sides[0] | sides[1] == {"X0", "X1", "X2", "Y0", "Y1", "Y2"}
    assert not sides[0] & sides[1]
    studies = load_manifest(images / "run" / "inputs" / "manifest.json").studies
    assert {(study.patient_id, study.source) for study in studies} >= {("X0", "X"), ("Y2", "Y")}
    assert card["data"]["labelled"] == {"normal": 12, "polyp": 12, "blood": 12}
    assert main(command(images, "--resume")) == 0, "a finished run is said to be finished"


def test_the_column_of_the_patient_can_be_named(images: Path) -> None:
    table = images / "images.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("group,", "patient,", 1), encoding="utf-8")
    assert main(command(images)) == 1
    assert main(command(images, "--by", "patient")) == 0
    split = ModelFolder.open(images / "run" / "model").card["split"]
    assert {*split["training_patients"], *split["held_out_patients"]} == {"X0", "X1", "X2", "Y0", "Y1", "Y2"}
    assert main(command(images, "--by", "patient", "--resume")) == 0


def test_every_label_stays_with_its_image(images: Path) -> None:
    main(command(images))
    with (images / "run" / "inputs" / "labels.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    studies = {study.study_id: study for study in load_manifest(images / "run" / "inputs" / "manifest.json").studies}
    placed = set()
    for row in rows:
        image = sorted(studies[row["study_id"]].path.iterdir())[int(row["start"])].resolve()
        placed.add((image.name, row["label"]))
    with (images / "images.csv").open(encoding="utf-8", newline="") as file:
        given = {(row["filename"], label) for row in csv.DictReader(file) for label in row["label"].split("|")}
    assert placed == {(name, "normal" if label == "clean" else label) for name, label in given}


def test_a_group_of_two_sources_is_one_patient_with_two_studies(images: Path) -> None:
    with (images / "images.csv").open(encoding="utf-8", newline="") as file:
        rows = [[row["filename"], row["label"], "all", row["source"]] for row in csv.DictReader(file)]
    config_of(images, rows)
    labelled = read_image_set(images / "images", images / "images.csv", normal_label="clean")
    files = [images / "images" / name for name in labelled.filenames]
    manifest, places = as_studies(labelled.labelled, files, images / "folders")
    assert [(study.patient_id, study.source) for study in manifest.studies] == [("all", "X"), ("all", "Y")]
    assert len(set(places)) == len(files)


def test_a_run_that_was_killed_while_its_images_were_linked_is_resumed(images: Path) -> None:
    run = images / "run"
    (run / "inputs").mkdir(parents=True)
    given = {"images": images / "images", "labels": images / "images.csv", "normal_label": "clean", "out": run}
    config = finetune_config(**given)
    (run / "config.json").write_text(json.dumps({"command": "finetune", "config": config.model_dump(mode="json")}))
    assert main(command(images, "--resume")) == 0
    assert (run / "model" / "card.json").is_file()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"studies": "manifest.json"}, "give either studies"),
        ({"images": None}, "give either studies"),
        ({"boxes": "boxes.csv"}, "boxes are of studies"),
        ({"images": "nowhere"}, "There is no folder nowhere"),
        ({"normal_label": "healthy"}, "no image is labelled healthy"),
    ],
)
def test_what_does_not_fit_is_a_sentence(images: Path, changes: dict[str, str | None], message: str) -> None:
    given = {"images": images / "images", "labels": images / "images.csv", "normal_label": "clean"}
    with pytest.raises(UserError, match=message):
        finetune(finetune_config(**{**given, "out": images / "run", **changes}), SilentReporter())
    assert not (images / "run").exists()
