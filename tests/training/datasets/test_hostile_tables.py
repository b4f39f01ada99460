"""Crafted and damaged tables and manifests: each is refused in a sentence that names the file and the line."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from training.datasets.findings import FindingRow, check_findings, read_boxes, read_findings
from training.datasets.image_set import read_image_set
from training.datasets.labels import LabelRow, read_labels
from training.datasets.manifest import load_manifest
from training.datasets.pretraining_spans import read_labelled_images, read_video_frames
from training.datasets.public.files import read_numbered, read_yolo
from training.errors import UserError
from training.experiments.explanations.explainers import read_image_boxes
from training.experiments.reproduce.published import published_figures

LABELS = "study_id,start,stop,label,finding_id,source\n"
FINDINGS = "finding_id,study_id,kind,size_mm,morphology\n"
BOXES = "study_id,frame_index,x_min,y_min,x_max,y_max,label\n"
IMAGE_BOXES = "filename,x_min,y_min,x_max,y_max\n"
MANIFEST = '{"studies": [{"study_id": "A", "patient_id": "P", "path": "a.mp4"%s}]}'

READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "labels": (read_labels, LABELS),
    "findings": (read_findings, FINDINGS),
    "boxes": (read_boxes, BOXES),
    "images": (read_labelled_images, "filename,label,group\n"),
    "video frames": (read_video_frames, "frame_index,run,filename\n"),
    "image boxes": (read_image_boxes, IMAGE_BOXES),
    "published": (published_figures, "table,row,figure,text,source\n"),
}


def written(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("name", READERS)
def test_a_pipe_a_device_and_a_folder_are_no_table(name: str, tmp_path: Path) -> None:
    read, _ = READERS[name]
    os.mkfifo(tmp_path / "pipe.csv")
    for path, what in ((tmp_path / "pipe.csv", "a pipe"), (Path("/dev/zero"), "a device"), (tmp_path, "a folder")):
        with pytest.raises(UserError, match=what):
            read(path)


@pytest.mark.parametrize("name", READERS)
def test_what_is_no_csv_is_refused_with_its_line(name: str, tmp_path: Path) -> None:
    read, header = READERS[name]
    row = ",".join("1" for _ in header.split(",")) + "\n"
    crafted: dict[str | bytes, str] = {
        b"": "has no column",
        header.encode("utf-16")[:-1]: "no known encoding",
        header + row.replace("1", "a\0b", 1): "line 2: there is a control character",
        header + row.replace("1", "x" * 200_000, 1): r"line 2: this is not a CSV file \(field larger",
        header + "1,1\n": "line 2: 2 cells where the first line names",
        header + row.strip() + ",1\n": "line 2: .* cells where the first line names",
        header.strip() + "," + header + row.strip() + "," + row: "has two columns",
    }
    for content, said in crafted.items():
        with pytest.raises(UserError, match=said) as error:
            read(written(tmp_path / "crafted.csv", content))
        assert "crafted.csv" in error.value.message


@pytest.mark.parametrize(
    ("name", "row"),
    [
        *(("labels", f"A,{start},{stop},polyp,,") for start, stop in
          (("-1", "5"), ("5", "5"), ("5", "4"), ("0", "1e3"), ("0", "9" * 400), ("0", "9" * 5000), ("0", str(10**18)),
           ("nan", "5"), ("inf", "5"))),
        *(("findings", f"f,A,polyp,{size},") for size in ("inf", "nan", "-1", "0", "1e309", "9" * 400, "1e6")),
        *(("boxes", f"A,0,{box},polyp") for box in
          ("5,0,4,9", "5,0,5,9", "nan,0,4,9", "0,0,inf,9", "-1,0,4,9", "0,0,1e300,9", f"0,0,{'9' * 400},9")),
        *(("boxes", f"A,{frame},0,0,4,9,polyp") for frame in ("-1", "1.5", str(10**18), "9" * 400)),
        *(("image boxes", f"a.png,{box}") for box in ("5,0,4,9", "nan,0,4,9", "0,0,inf,9", "0,0,1e300,9")),
        *(("video frames", f"{frame},r,a.png") for frame in ("-1", str(10**18), "9" * 400)),
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_are_refused_with_the_line(name: str, row: str, tmp_path: Path) -> None:
    read, header = READERS[name]
    with pytest.raises(UserError, match=r"table\.csv, line 2:") as error:
        read(written(tmp_path / "table.csv", f"{header}{row}\n"))
    assert len(error.value.message) < 500


def test_a_finding_and_a_frame_that_stand_twice_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="the finding f of study A is listed twice"):
        read_findings(written(tmp_path / "f.csv", FINDINGS + "f,A,polyp,,\nf,B,polyp,,\nf,A,ulcer,,\n"))
    with pytest.raises(UserError, match="frame 3 is listed twice"):
        read_video_frames(written(tmp_path / "v.csv", "frame_index,run,filename\n3,r,a.png\n3,r,b.png\n"))


def test_a_label_of_a_finding_that_is_not_there_is_refused() -> None:
    labels = [LabelRow(study_id="A", start=0, stop=1, label="polyp", finding_id="gone")]
    findings = [FindingRow(finding_id="gone", study_id="B", kind="polyp")]
    with pytest.raises(UserError, match=r"names the finding gone, which is not in .*findings\.csv"):
        check_findings(labels, findings, Path("findings.csv"))
    check_findings(labels, [FindingRow(finding_id="gone", study_id="A", kind="polyp")], Path("findings.csv"))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[" * 100_000, "nested deeper"),
        ('{"studies": NaN}', "NaN is not a JSON number"),
        ("[]", "the file"),
        (MANIFEST % f', "spans": [{{"start": 0, "stop": {10**18}}}]', "studies.0.spans.0.stop: a number is at most"),
        (MANIFEST % f', "spans": [{{"start": 0, "stop": {"9" * 400}}}]', "studies.0.spans.0.stop"),
        (MANIFEST % f', "spans": [{{"start": 0, "stop": {"9" * 5000}}}]', "it is not JSON"),
        (MANIFEST % (', "spans": [{"start": -1, "stop": 5}]'), "studies.0.spans.0.start"),
        (MANIFEST.replace('"A"', '"A\\u0000"') % "", "studies.0.study_id: a text has no control characters"),
        (MANIFEST.replace("a.mp4", "a\\u0000") % "", "studies.0.path: a path has"),
        (MANIFEST.replace("a.mp4", "x" * 5000) % "", "studies.0.path: a path has"),
        ((MANIFEST % "").encode("utf-16"), "not UTF-8"),
    ],
)  # fmt: skip
def test_a_crafted_manifest_is_refused_with_its_field(content: str | bytes, said: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=said) as error:
        load_manifest(written(tmp_path / "m.json", content))
    assert "m.json" in error.value.message


def test_a_pipe_is_no_manifest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "m.json")
    with pytest.raises(UserError, match="is a pipe, not a manifest"):
        load_manifest(tmp_path / "m.json")


def test_tables_of_public_sets_are_checked_alike(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for read in (lambda path: read_numbered(path, ("a",)), lambda path: read_yolo(path, ("bleeding",))):
        with pytest.raises(UserError, match=r"pipe\.txt cannot be read.*: .* is a pipe"):
            read(tmp_path / "pipe.txt")
        with pytest.raises(UserError, match=r"line 2.* (holds a null byte|control character)"):
            read(written(tmp_path / "nul.txt", "a;b\n1;\0\n"))
    with pytest.raises(UserError, match=r"line 3: this is not a CSV file \(field larger"):
        read_numbered(written(tmp_path / "long.txt", "a;b\n1;2\n1;" + "x" * 200_000), ("a",))


def test_a_class_named_twice_is_one_class(tmp_path: Path) -> None:
    for name in ("a.png", "b.png"):
        written(tmp_path / name, b"x")
    labels = written(tmp_path / "labels.csv", "filename,label,group\na.png,normal,1\nb.png,polyp,2\n")
    assert read_image_set(tmp_path, labels, classes=("polyp", "polyp")).labelled.classes == ("normal", "polyp")


@pytest.mark.parametrize("column", ["filename", "label", "group"])
def test_a_name_of_thousands_of_characters_is_refused(column: str, tmp_path: Path) -> None:
    cells = {"filename": "a.png", "label": "normal", "group": "1"} | {column: "1" * 5000}
    text = "filename,label,group\n" + ",".join(cells.values()) + "\nb.png,polyp,2\n"
    labels = written(tmp_path / "labels.csv", text)
    with pytest.raises(UserError, match=f"line 2: column {column}: .*4096"):
        read_image_set(tmp_path, labels, normal_label="normal")
