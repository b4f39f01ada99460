"""Videos of a set: labelled where its images are found in them, whatever the set counts from."""

from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.training.datasets.public.trees import HEADER, STUDY_A, STUDY_B, text
from tests.videos import numbered_frame, write_video
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.findings import read_boxes
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.runs.reporter import SilentReporter

FRAMES = 40


def kvasir_with_video(folder: Path, first: int, shown: dict[int, str]) -> Path:
    """A recording whose frame 0 has the number `first`; labelled images of some of its frames, and one more video."""
    rows = [
        f"{STUDY_A}_{number}.jpg;{STUDY_A};{number};Luminal;{label};1;1;9;1;9;9;1;9" for number, label in shown.items()
    ]
    text(folder / "metadata.csv", "\n".join([HEADER, *rows]) + "\n")
    (folder / "labelled_images").mkdir()
    for number in shown:
        image = folder / "labelled_images" / f"{STUDY_A}_{number}.jpg"
        cv2.imwrite(str(image), numbered_frame(number - first))
    for part, name in (("labelled_videos", STUDY_A), ("unlabelled_videos", STUDY_B)):
        (folder / part).mkdir()
        write_video(folder / part / f"{name}.mp4", FRAMES)
    return folder


def export(folder: Path, out: Path) -> dict[str, Any]:
    wish = {"action": "export", "name": "kvasir-capsule", "folder": folder, "out": out, "partial": True, "videos": True}
    return run_datasets(DatasetsCommand.model_validate(wish), SilentReporter())


@pytest.mark.parametrize("first", [0, 1, -1])
def test_labels_go_to_the_frames_that_the_images_show(tmp_path: Path, first: int) -> None:
    shown = {5: "Polyp", 6: "Polyp", 20: "Erosion", 33: "Ulcer"}
    result = export(kvasir_with_video(tmp_path / "in", first, shown), tmp_path / "out")
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert [(study.study_id, study.patient_id) for study in manifest.studies] == [
        (f"{STUDY_A}-video", STUDY_A),
        (f"{STUDY_B}-video", STUDY_B),
    ]
    assert all(study.path.is_file() and not study.spans for study in manifest.studies)
    rows = [
        (row.study_id, row.start + first, row.stop + first, row.label)
        for row in read_labels(tmp_path / "out" / "labels.csv")
    ]
    assert rows == [
        (f"{STUDY_A}-video", 5, 7, "polyp"),
        (f"{STUDY_A}-video", 20, 21, "erosion"),
        (f"{STUDY_A}-video", 33, 34, "ulcer"),
    ]
    boxes = read_boxes(tmp_path / "out" / "boxes.csv")
    assert [box.frame_index + first for box in boxes] == [5, 6, 20, 33]
    assert "2 videos were exported as studies, 1 of them with labels." in result["notes"]
    assert len(list((tmp_path / "out" / "studies").rglob("*.jpg"))) == 4  # images.csv still names them


def test_images_that_are_not_found_stay_a_study_of_their_own(tmp_path: Path) -> None:
    result = export(kvasir_with_video(tmp_path / "in", 7, {12: "Polyp", 19: "Ulcer", 30: "Polyp"}), tmp_path / "out")
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert [study.study_id for study in manifest.studies] == [STUDY_A, f"{STUDY_A}-video", f"{STUDY_B}-video"]
    assert {row.study_id for row in read_labels(tmp_path / "out" / "labels.csv")} == {STUDY_A}
    assert any(str(note).startswith("In 1 videos the labelled images could not be located") for note in result["notes"])
