"""Export: studies as folders of images, and tables that the rest of the program reads."""

import csv
import json
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tests.training.datasets.public.trees import STUDY_A, STUDY_B, kvasir, mask, picture, text
from training.commands.studies import DatasetsCommand, run_datasets
from training.datasets.findings import read_boxes
from training.datasets.folds import make_folds
from training.datasets.image_set import read_image_set
from training.datasets.labelled_frames import collect_frames
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.datasets.split import split_frames
from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.runs.reporter import Cancelled, SilentReporter
from training.video import open_source


def export(name: str, folder: Path, out: Path, **settings: object) -> dict[str, object]:
    config = DatasetsCommand.model_validate(
        {"action": "export", "name": name, "folder": folder, "out": out, "partial": True, **settings}
    )
    return run_datasets(config, SilentReporter())


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_kvasir_as_studies(tmp_path: Path) -> None:
    result = export("kvasir-capsule", kvasir(tmp_path / "in"), tmp_path / "out")
    out = tmp_path / "out"
    manifest = load_manifest(out / "manifest.json")
    assert [(study.study_id, study.patient_id) for study in manifest.studies] == [
        (STUDY_A, STUDY_A),
        (STUDY_B, STUDY_B),
    ]
    # 7, 8, 9 follow each other, and so do 30, 31: two stretches of one recording
    assert [(span.start, span.stop) for span in manifest[STUDY_A].spans] == [(0, 3), (3, 5)]
    assert [(row.study_id, row.start, row.stop, row.label) for row in read_labels(out / "labels.csv")] == [
        (STUDY_A, 0, 2, "normal"),
        (STUDY_A, 2, 3, "blood"),
        (STUDY_A, 3, 5, "pylorus"),
        (STUDY_A, 4, 5, "erosion"),
        (STUDY_B, 0, 1, "polyp"),
        (STUDY_B, 1, 2, "reduced mucosal view"),
    ]
    assert all(study.has_time for study in manifest.studies)
    assert "kind" not in (out / "manifest.json").read_text(encoding="utf-8")
    boxes = [(row.study_id, row.frame_index, row.label, row.x_min, row.y_max) for row in read_boxes(out / "boxes.csv")]
    assert boxes == [(STUDY_A, 4, "erosion", 10, 25), (STUDY_B, 0, "polyp", 0, 20)]
    assert result["labels"] == {
        "normal": 2,
        "pylorus": 2,
        "blood": 1,
        "erosion": 1,
        "polyp": 1,
        "reduced mucosal view": 1,
    }


def test_a_frame_index_shows_the_image_that_was_labelled(tmp_path: Path) -> None:
    folder = kvasir(tmp_path / "in")
    export("kvasir-capsule", folder, tmp_path / "out")
    with closing(open_source(tmp_path / "out" / "studies" / STUDY_A)) as video:
        shown = [int(np.median(video.read(index))) for index in range(5)]
    by_name = {path.name: path for path in folder.rglob("*.jpg")}
    wanted = [picture_shade(by_name[f"{STUDY_A}_{number}.jpg"]) for number in (7, 8, 9, 30, 31)]
    assert shown == wanted


def picture_shade(path: Path) -> int:
    import cv2

    image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return int(np.median(image))


def test_images_csv_is_a_set_of_labelled_images(tmp_path: Path) -> None:
    export("kvasir-capsule", kvasir(tmp_path / "in"), tmp_path / "out")
    found = read_image_set(tmp_path / "out", tmp_path / "out" / "images.csv")
    assert found.labelled.classes[0] == "normal"
    assert {study.patient_id for study in found.labelled.studies} == {STUDY_A, STUDY_B}
    table = {row["filename"].rsplit("_", 1)[-1]: row["label"] for row in rows(tmp_path / "out" / "images.csv")}
    assert table["31.jpg"] == "erosion"
    assert "source" not in rows(tmp_path / "out" / "images.csv")[0]
    assert len(rows(tmp_path / "out" / "image_boxes.csv")) == 2
    splits = {row["filename"].rsplit("/", 1)[-1]: row["split"] for row in rows(tmp_path / "out" / "splits.csv")}
    assert splits == {
        f"{STUDY_A}_7.jpg": "0",
        f"{STUDY_B}_101.jpg": "0",
        f"{STUDY_A}_31.jpg": "1",
        f"{STUDY_A}_9.jpg": "1",
    }


def test_boxes_of_masks_and_shares_are_in_pixels_and_cut_at_the_edge(tmp_path: Path) -> None:
    picture(tmp_path / "kid" / "vascular" / "1.png")
    mask(tmp_path / "kid" / "vascular" / "1m.png", [(3, 4, 20, 30), (30, 40, 48, 48), (0, 0, 2, 2)])
    export("kid2", tmp_path / "kid", tmp_path / "out")
    boxes = [(box.x_min, box.y_min, box.x_max, box.y_max) for box in read_boxes(tmp_path / "out" / "boxes.csv")]
    assert sorted(boxes) == [(3, 4, 20, 30), (30, 40, 48, 48)]  # four pixels are a speck
    picture(tmp_path / "see" / "image00001.jpg", size=(40, 80))
    text(tmp_path / "see" / "image00001.txt", "0 0.9 0.5 0.4 0.5\n0 1.5 0.5 0.4 0.5\n0 0.5 0.5 0.0 0.5\n")
    result = export("see-ai", tmp_path / "see", tmp_path / "out2")
    assert "2 boxes are empty and are left out (such as in image00001.jpg)." in str(result["notes"])
    (box,) = read_boxes(tmp_path / "out2" / "boxes.csv")
    assert (box.x_min, box.y_min, box.x_max, box.y_max, box.label) == (56, 10, 80, 30, "angiectasia")


def test_images_without_recordings_are_a_study_for_each_size(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "polyp" / "1.png")
    picture(tmp_path / "in" / "normal" / "1.png")
    picture(tmp_path / "in" / "normal" / "2.png", size=(40, 60))
    result = export("folders", tmp_path / "in", tmp_path / "out")
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert [study.study_id for study in manifest.studies] == ["folders-48x48", "folders-60x40"]
    names = sorted(path.name for path in (tmp_path / "out" / "studies" / "folders-48x48").iterdir())
    assert names == ["normal-1.png", "polyp-1.png"]
    assert result["patients known"] is False
    assert {study.patient_id for study in manifest.studies} == {"folders-patients-unknown"}
    assert {study.kind for study in manifest.studies} == {"stills"}
    said = " ".join(map(str, result["notes"]))  # type: ignore[call-overload]
    assert "2 of 2 studies consist of still images" in said
    assert "folders-patients-unknown, so that a split by patient keeps them together" in said
    assert {row["group"] for row in rows(tmp_path / "out" / "images.csv")} == {""}


def test_sources_are_studies_of_their_own_and_a_column(tmp_path: Path) -> None:
    for source, kind in (("AIIMS", "Worms"), ("SEE-AI", "Polyp"), ("SEE-AI", "Normal"), ("KVASIR", "Normal")):
        name = f"{STUDY_A}_7.jpg" if source == "KVASIR" else "1.jpg"
        picture(tmp_path / "in" / "training" / kind / source / name)
    export("capsule-vision-2024", tmp_path / "in", tmp_path / "out")
    manifest = load_manifest(tmp_path / "out" / "manifest.json")
    assert {study.study_id: study.source for study in manifest.studies} == {
        STUDY_A: "KVASIR",
        "capsule-vision-2024-SEE-AI-48x48": "SEE-AI",
        "capsule-vision-2024-AIIMS-48x48": "AIIMS",
    }
    assert {row["source"] for row in rows(tmp_path / "out" / "images.csv")} == {"KVASIR", "SEE-AI", "AIIMS"}


def test_sizes_of_images_are_not_split_as_if_they_were_patients(tmp_path: Path) -> None:
    for kind in ("polyp", "normal"):
        for side in range(40, 46):
            picture(tmp_path / "in" / kind / f"{side}.png", size=(side, side))
    export("folders", tmp_path / "in", tmp_path / "out")
    manifest, labels = load_manifest(tmp_path / "out" / "manifest.json"), read_labels(tmp_path / "out" / "labels.csv")
    assert len(manifest.studies) == 6
    frames = collect_frames(manifest, labels, dict.fromkeys((row.study_id for row in labels), 2), ("normal", "polyp"))
    with pytest.raises(UserError, match="normal is labelled in 1 patient; polyp is labelled in 1 patient: too few"):
        make_folds(frames, 2, 0, "patients")
    split = split_frames(frames, 0.4, 0, 0)
    assert split.kind == "time"
    assert split.sentence.startswith("The patients of the labelled images are unknown (folders-patients-unknown): ")
    assert "come from images that may be of the same patients and are too optimistic" in split.sentence


@pytest.mark.parametrize("files", ["link", "copy"])
def test_linked_and_copied(tmp_path: Path, files: str) -> None:
    picture(tmp_path / "in" / "polyp" / "1.png")
    export("folders", tmp_path / "in", tmp_path / "out", files=files)
    (there,) = (tmp_path / "out" / "studies").rglob("*.png")
    assert there.samefile(tmp_path / "in" / "polyp" / "1.png") == (files == "link")
    assert there.read_bytes() == (tmp_path / "in" / "polyp" / "1.png").read_bytes()


def test_an_export_is_taken_up_again_and_other_folders_are_left_alone(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "polyp" / "1.png")
    export("folders", tmp_path / "in", tmp_path / "out")
    picture(tmp_path / "in" / "polyp" / "2.png")
    (tmp_path / "in" / "polyp" / "1.png").unlink()
    assert export("folders", tmp_path / "in", tmp_path / "out")["images"] == 1
    assert [path.name for path in (tmp_path / "out" / "studies").rglob("*.png")] == ["2.png"]
    text(tmp_path / "mine" / "thesis.txt", "")
    with pytest.raises(UserError, match="is not empty"):
        export("folders", tmp_path / "in", tmp_path / "mine")
    with pytest.raises(UserError, match="lies inside the data set"):
        export("folders", tmp_path / "in", tmp_path / "in" / "out")


@pytest.mark.parametrize("name", ["labels.csv", "manifest.json", "images.csv", "export.json"])
def test_a_table_that_somebody_has_edited_is_left_alone(name: str, tmp_path: Path) -> None:
    picture(tmp_path / "in" / "polyp" / "1.png")
    out = tmp_path / "out"
    export("folders", tmp_path / "in", out)
    edited = (out / name).read_text(encoding="utf-8").rstrip() + " "
    (out / name).write_text(edited, encoding="utf-8")
    with pytest.raises(ForeignFileError, match=name):
        export("folders", tmp_path / "in", out)
    assert (out / name).read_text(encoding="utf-8") == edited
    assert (out / "studies").is_dir()
    export("folders", tmp_path / "in", out, overwrite=True)
    assert (out / name).read_text(encoding="utf-8") != edited


def test_a_label_in_no_vocabulary_is_asked_for(tmp_path: Path) -> None:
    picture(tmp_path / "in" / "zebra" / "1.png")
    with pytest.raises(UserError, match=r"The label zebra \(1 images\) is in no vocabulary") as caught:
        export("folders", tmp_path / "in", tmp_path / "out")
    assert '--set also=\'{"zebra": "other"}\'' in caught.value.hint
    assert not (tmp_path / "out").exists()
    assert export("folders", tmp_path / "in", tmp_path / "out", also={"zebra": "other"})["labels"] == {"other": 1}


def test_half_a_download_is_refused_unless_wanted(tmp_path: Path) -> None:
    folder = kvasir(tmp_path / "in")
    with pytest.raises(UserError, match="is not complete: 7 of 47,229 images were found"):
        export("kvasir-capsule", folder, tmp_path / "out", partial=False)
    cut = folder / "labelled_images" / "Polyp" / f"{STUDY_B}_100.jpg"
    cut.write_bytes(cut.read_bytes()[:-40])
    result = export("kvasir-capsule", folder, tmp_path / "out")
    assert (result["images"], result["complete"]) == (6, False)
    assert any("1 files are incomplete images" in str(note) for note in result["notes"])  # type: ignore[attr-defined]


def test_files_that_are_no_pictures_are_refused_in_a_set_that_cannot_be_counted(tmp_path: Path) -> None:
    text(tmp_path / "in" / "polyp" / "1.png", "no picture")
    picture(tmp_path / "in" / "polyp" / "2.png")
    with pytest.raises(UserError, match=r"1 files are incomplete images \(polyp/1\.png\)"):
        export("folders", tmp_path / "in", tmp_path / "out", partial=False)


def test_the_record_says_where_it_comes_from(tmp_path: Path) -> None:
    export("kvasir-capsule", kvasir(tmp_path / "in"), tmp_path / "out", classes=("polyp",))
    said = json.loads((tmp_path / "out" / "export.json").read_text(encoding="utf-8"))
    assert said["licence"] == "CC BY 4.0"
    assert said["read as"] == {"Polyp": "polyp (1)"}
    assert said["left out"] == {"normal": 2, "blood": 1, "erosion": 1, "pylorus": 2, "reduced mucosal view": 1}
    assert said["images"] == 1


def test_regions_are_those_of_a_passage(tmp_path: Path) -> None:
    lines = [
        "frame,stomach,small intestine",
        *(f"{number},{int(number < 3)},{int(number >= 3)}" for number in range(6)),
    ]
    text(tmp_path / "galar" / "Labels" / "3.csv", "\n".join(lines) + "\n")
    for number in range(6):
        picture(tmp_path / "galar" / "3" / f"frame_{number:06d}.PNG")
    export("galar", tmp_path / "galar", tmp_path / "out")
    (study,) = load_manifest(tmp_path / "out" / "manifest.json").studies
    assert [(span.start, span.stop, span.region) for span in study.spans] == [(0, 3, "stomach"), (3, 6, "small bowel")]
    text(tmp_path / "galar" / "Labels" / "3.csv", "\n".join([*lines[:-1], "5,1,0"]) + "\n")
    export("galar", tmp_path / "galar", tmp_path / "out")
    (study,) = load_manifest(tmp_path / "out" / "manifest.json").studies
    assert study.spans == ()  # it comes back to the stomach


def test_a_list_of_images_is_no_passage(tmp_path: Path) -> None:
    for kind in ("normal-colon", "normal-stomach"):
        picture(tmp_path / "kid" / kind / f"{kind}.png")
    export("kid2", tmp_path / "kid", tmp_path / "out")
    (study,) = load_manifest(tmp_path / "out" / "manifest.json").studies
    assert study.spans == ()


class StopsAtOnce(SilentReporter):
    """Somebody pressed Ctrl-C."""

    stop_requested = True


def test_a_stopped_export_leaves_no_manifest_and_goes_on(tmp_path: Path) -> None:
    for number in range(3):
        picture(tmp_path / "in" / "polyp" / f"{number}.png")
    out = tmp_path / "out"
    export("folders", tmp_path / "in", out, files="copy")
    wish = {"action": "export", "name": "folders", "folder": tmp_path / "in", "out": out, "files": "copy"}
    with pytest.raises(Cancelled):
        run_datasets(DatasetsCommand.model_validate({**wish, "resume": True}), StopsAtOnce())
    assert not (out / "manifest.json").exists()
    study = out / "studies" / "folders-48x48"
    kept = (study / "0.png").stat().st_ino
    (study / "1.png").write_bytes(b"half")
    picture(study / "stray.png")
    with pytest.raises(ForeignFileError, match=r"stray\.png"):
        export("folders", tmp_path / "in", out, files="copy", resume=True)
    assert (study / "stray.png").exists()
    export("folders", tmp_path / "in", out, files="copy", resume=True, overwrite=True)
    assert (study / "0.png").stat().st_ino == kept
    assert sorted(path.name for path in study.iterdir()) == ["0.png", "1.png", "2.png"]
    assert (study / "1.png").read_bytes() == (tmp_path / "in" / "polyp" / "1.png").read_bytes()
    assert (out / "manifest.json").exists()
