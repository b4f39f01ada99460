"""The list of frames to label next, of studies and of images."""

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest
import torch

from tests.onnx_files import write_onnx
from tests.tiny_backbone import make_trunk
from tests.training.embeddings.studies import write_study
from tests.training.experiments.benchmark.small_sets import write_images
from training.commands.shell import main
from training.commands.suggest import SuggestCommand, run_suggest
from training.errors import NothingToDoError, UserError
from training.models.imported import Description, import_classifier
from training.runs.reporter import SilentReporter


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Two studies of 40 frames along a line; the second one lies farther out."""
    line = np.zeros((40, 4))
    line[:, 0] = np.arange(40)
    return [write_study(tmp_path, name, line + shift * np.eye(4)[0]).path for name, shift in (("a", 0), ("b", 100))]


def listed(folder: Path, **settings: object) -> list[dict[str, str]]:
    config = SuggestCommand.checked(**{"out": folder / "next.csv", **settings})
    run_suggest(config, SilentReporter())
    with config.out.open() as file:
        return list(csv.DictReader(file))


def test_frames_far_from_labels_come_first(files: list[Path], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("study_id,start,stop,label\na,0,40,normal\nb,0,2,blood\n")
    rows = listed(tmp_path, embeddings=files, labels=labels, count=3)
    assert (rows[0]["study_id"], rows[0]["label"], rows[0]["nearest_label"]) == ("b", "", "blood")
    assert int(rows[0]["start"]) >= 38
    assert int(rows[0]["stop"]) == int(rows[0]["start"]) + 1
    assert 0 <= float(rows[0]["undecided"]) <= 1


def test_labels_of_studies_without_a_file_are_named(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("study_id,start,stop,label\na,0,40,normal\nP01,0,2,blood\n")
    given = ["suggest", "--labels", str(labels), "--embeddings"]
    assert main([*given, str(files[0]), "--embeddings", str(files[1]), "--out", str(tmp_path / "1.csv")]) == 0
    assert "No file is of these studies, so their labels are not used: P01." in "".join(capsys.readouterr())
    with pytest.raises(UserError, match="these are of P01, a"):
        listed(tmp_path, embeddings=files[1:], labels=labels)


def test_without_labels_frames_are_spread(files: list[Path], tmp_path: Path) -> None:
    rows = listed(tmp_path, embeddings=files, count=2)
    assert {row["study_id"] for row in rows} == {"a", "b"}
    assert rows[0]["nearest_label"] == ""


def test_everything_labelled_is_said(files: list[Path], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("study_id,start,stop,label\na,0,40,normal\nb,0,40,blood\n")
    with pytest.raises(NothingToDoError, match="Every frame carries a label"):
        listed(tmp_path, embeddings=files, labels=labels)


def test_images_that_are_not_labelled_are_listed_with_pictures(tmp_path: Path) -> None:
    folder = write_images(tmp_path / "set")
    with (folder / "labels.csv").open() as file:
        rows = list(csv.DictReader(file))
    labels = tmp_path / "few.csv"
    given = [(row["filename"], row["label"] if place < 8 else "", row["group"]) for place, row in enumerate(rows[:20])]
    labels.write_text("\n".join(["filename,label,group", *(",".join(row) for row in given)]) + "\n")
    pictures = tmp_path / "next.png"
    result = listed(
        tmp_path, images=folder / "images", labels=labels, init="random", count=6, pictures=pictures, device="cpu"
    )
    assert 0 < len(result) <= 6
    assert not {row["filename"] for row in result} & {row["filename"] for row in rows[:8]}
    assert {row["group"] for row in result} <= {"", *(row["group"] for row in rows)}
    sheet = cv2.imread(str(pictures))
    assert sheet is not None
    assert sheet[:150].max() > 60
    labels.write_text(labels.read_text().replace("group", "patient", 1))
    again = listed(
        tmp_path,
        images=folder / "images",
        labels=labels,
        by="patient",
        init="random",
        count=6,
        device="cpu",
        overwrite=True,
    )
    assert [row["patient"] for row in again] == [row["group"] for row in result]


def test_weights_of_another_backbone_embed_the_images(tmp_path: Path) -> None:
    folder, weights = write_images(tmp_path / "set"), tmp_path / "theirs.pth"
    torch.save(make_trunk().state_dict(), weights)
    given = {"images": folder / "images", "count": 2, "device": "cpu", "init": str(weights)}
    assert len(listed(tmp_path, **given, backbone="tiny")) == 2
    with pytest.raises(UserError, match=r"--set backbone="):
        listed(tmp_path, **given)


def test_a_classifier_of_another_program_embeds_the_images(tmp_path: Path) -> None:
    described = Description(classes=("polyp", "clean", "blood"), normal="clean", activation="softmax")
    file, model = write_onnx(tmp_path / "theirs.onnx"), tmp_path / "model"
    import_classifier(file, described, model, "theirs", SilentReporter())
    folder = write_images(tmp_path / "set")
    assert len(listed(tmp_path, images=folder / "images", init=str(model), count=3, device="cpu")) == 3


def test_what_cannot_be_listed_is_refused(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Give either embedding files"):
        listed(tmp_path, embeddings=files, images=tmp_path)
    with pytest.raises(UserError, match="need the manifest of the recordings"):
        listed(tmp_path, embeddings=files, pictures=tmp_path / "next.png")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="There are no images"):
        listed(tmp_path, images=tmp_path / "empty")


def test_a_list_is_replaced_and_another_file_is_not(files: list[Path], tmp_path: Path) -> None:
    arguments = ["suggest", "--embeddings", str(files[0]), "--count", "2", "--out", str(tmp_path / "next.csv")]
    assert main(arguments) == 0
    assert main(arguments) == 0
    (tmp_path / "next.csv").write_text("a,b\n")
    assert main(arguments) == 1
