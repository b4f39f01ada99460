"""CSV tables and manifests: what is read, and how a bad file is told."""

import json
from pathlib import Path

import pytest

from training.datasets import local_paths
from training.datasets.findings import BoxRow, FindingRow, read_boxes, read_findings, write_boxes, write_findings
from training.datasets.labels import LabelRow, read_answers, read_labels, write_labels
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, load_manifest, save_manifest
from training.datasets.pretraining_spans import COLUMNS, LabelledImage, read_labelled_images
from training.datasets.table import write_rows
from training.errors import UserError


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_survive_writing_and_reading(tmp_path: Path) -> None:
    rows = [
        LabelRow(study_id="P1, left", start=3, stop=9, label="polyp", finding_id="f1"),
        LabelRow(study_id="P2", start=0, stop=1, label="normal", source="implicit_normal"),
    ]
    write_labels(tmp_path / "labels.csv", rows)
    assert read_labels(tmp_path / "labels.csv") == rows


def test_a_frame_index_stands_for_a_span_of_one(tmp_path: Path) -> None:
    path = written(tmp_path / "labels.csv", "\ufeffstudy_id, frame_index,label\nA,7,blood\n")
    assert read_labels(path) == [LabelRow(study_id="A", start=7, stop=8, label="blood")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("study_id,start,stop\nA,0,1\n", "no column label"),
        ("study_id,start,stop,label\nA,0,1,polyp\nA,5,5,polyp\n", r"labels.csv, line 3: a label must stop"),
        ("study_id,start,stop,label\nA,zero,1,polyp\n", r"line 2: column start"),
        ("study_id,start,stop,label\nA,,,polyp\n", r"line 2: start and stop, or frame_index"),
        ("study_id,start,stop,label,source\nA,0,1,polyp,guessed\n", r"line 2: column source"),
        ("study_id,frame_index,label\nA,-1,polyp\n", r"line 2: .*greater than or equal to 0"),
        ("", "no column study_id"),
    ],
)
def test_a_bad_row_is_named_with_file_and_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        read_labels(written(tmp_path / "labels.csv", text))


def test_a_file_that_is_missing_or_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"nowhere\.csv cannot be read"):
        read_labels(tmp_path / "nowhere.csv")
    (tmp_path / "binary.csv").write_bytes(b"\xff\x00\x81")
    with pytest.raises(UserError, match="not a valid CSV file: its text has no known encoding"):
        read_labels(tmp_path / "binary.csv")


def test_findings_boxes_and_images_survive_writing_and_reading(tmp_path: Path) -> None:
    findings = [FindingRow(finding_id="f", study_id="A", kind="polyp", size_mm=6.5, morphology="sessile")]
    findings.append(FindingRow(finding_id="g", study_id="A", kind="ulcer"))
    boxes = [BoxRow(study_id="A", frame_index=4, x_min=1.5, y_min=2, x_max=8, y_max=9, label="polyp")]
    images = [LabelledImage(filename="a.jpg", label="normal", group="12")]
    write_findings(tmp_path / "f.csv", findings)
    write_boxes(tmp_path / "b.csv", boxes)
    write_rows(tmp_path / "i.csv", COLUMNS, images)
    assert read_findings(tmp_path / "f.csv") == findings
    assert read_boxes(tmp_path / "b.csv") == boxes
    assert "finding_id" not in (tmp_path / "b.csv").read_text(encoding="utf-8")
    boxes.append(boxes[0].model_copy(update={"finding_id": "f"}))
    write_boxes(tmp_path / "b.csv", boxes)
    assert read_boxes(tmp_path / "b.csv") == boxes
    assert read_labelled_images(tmp_path / "i.csv") == images


def test_a_box_inside_out_is_refused(tmp_path: Path) -> None:
    text = "study_id,frame_index,x_min,y_min,x_max,y_max,label\nA,1,9,0,3,4,polyp\n"
    with pytest.raises(UserError, match="line 2: a box needs x_min < x_max"):
        read_boxes(written(tmp_path / "boxes.csv", text))


@pytest.mark.parametrize("rate", ["0", "-1", "1001", "NaN", '"fast"'])
def test_a_rate_that_is_none_is_refused(rate: str, tmp_path: Path) -> None:
    text = f'{{"studies": [{{"study_id": "A", "patient_id": "A", "path": "a", "images_per_second": {rate}}}]}}'
    with pytest.raises(UserError, match="is not usable"):
        load_manifest(written(tmp_path / "manifest.json", text))


def test_a_manifest_keeps_relative_paths_and_gives_whole_ones(tmp_path: Path) -> None:
    study = StudyEntry(
        study_id="P03a",
        patient_id="P03",
        path=tmp_path / "videos" / "p03.mp4",
        spans=(StudySpan(start=812, stop=40211, region="small bowel"),),
    )
    save_manifest(tmp_path / "manifest.json", Manifest(studies=(study,)), keeps_paths=True)
    assert json.loads((tmp_path / "manifest.json").read_text())["studies"][0]["path"] == "videos/p03.mp4"
    loaded = load_manifest(tmp_path / "manifest.json")
    assert loaded.studies == (study,)
    assert loaded["P03a"] is loaded.studies[0]
    with pytest.raises(KeyError):
        loaded["P04"]


def test_a_manifest_holds_no_path_and_finds_its_files_by_the_list_beside_it(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    studies = [
        StudyEntry(study_id=name, patient_id="P", path=place / f"{name}-MEIER.mp4")
        for name, place in (("a", folder), ("b", tmp_path))
    ]
    for name, some in (("one.json", studies), ("two.json", studies[1:])):
        save_manifest(folder / name, Manifest(studies=tuple(some)))
        assert "MEIER" not in (folder / name).read_text(encoding="utf-8")
    loaded = load_manifest(folder / "one.json")
    assert [study.path for study in loaded.studies] == [study.path for study in studies]
    assert load_manifest(folder / "two.json")["b"].path == studies[1].path
    local_paths.forget(folder, "b")
    assert "b-MEIER" not in (folder / local_paths.FILE_NAME).read_text(encoding="utf-8")
    with pytest.raises(UserError, match="does not say where the file of study b is"):
        load_manifest(folder / "two.json")
    assert not load_manifest(folder / "two.json", needs_files=False)["b"].path.exists()


def test_the_source_of_a_study_is_written_only_where_it_is_known(tmp_path: Path) -> None:
    studies = (
        StudyEntry(study_id="a", patient_id="P", path=tmp_path / "a", source="SEE-AI"),
        StudyEntry(study_id="b", patient_id="P", path=tmp_path / "b"),
    )
    save_manifest(tmp_path / "m.json", Manifest(studies=studies))
    assert load_manifest(tmp_path / "m.json").studies == studies
    assert (tmp_path / "m.json").read_text(encoding="utf-8").count('"source"') == 1


@pytest.mark.parametrize("content", ["", "[]", '{"manifests": 3}', '{"manifests": {"m.json": {"a": 4}}}'])
def test_a_damaged_list_of_paths_is_a_sentence(tmp_path: Path, content: str) -> None:
    study = StudyEntry(study_id="a", patient_id="P", path=tmp_path / "a")
    save_manifest(tmp_path / "m.json", Manifest(studies=(study,)))
    (tmp_path / local_paths.FILE_NAME).write_text(content, encoding="utf-8")
    with pytest.raises(UserError, match="does not say where the file of study a is"):
        load_manifest(tmp_path / "m.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "m.json is not usable"),
        ('{"studies": [{"study_id": "a", "path": "x"}]}', r"studies.0.patient_id: Field required"),
        ('{"studies": [{"study_id": "a", "patient_id": "p", "path": "x"},'
         '{"study_id": "a", "patient_id": "p", "path": "y"}]}', "study a is listed twice"),
        ('{"studies": [{"study_id": "a", "patient_id": "p", "path": "x", "spans": [{"start": 5, "stop": 5}]}]}',
         "must stop after its start"),
    ],
)  # fmt: skip
def test_a_bad_manifest_is_told(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        load_manifest(written(tmp_path / "m.json", text))


def test_a_missing_manifest_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load_manifest(tmp_path / "m.json")


def test_that_a_class_is_not_there_gives_a_frame_no_class(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    rows = [
        LabelRow(study_id="a", start=0, stop=4, label="polyp"),
        LabelRow(study_id="a", start=4, stop=6, label="ulcer", answer="no"),
        LabelRow(study_id="a", start=6, stop=8, label="normal", answer="no"),
    ]
    write_labels(path, rows)
    assert read_answers(path) == rows
    assert read_labels(path) == rows[:1], "neither an ulcer, nor normal"


def test_names_of_columns_may_be_written_in_other_ways(tmp_path: Path) -> None:
    path = written(tmp_path / "labels.csv", "Study ID;START;Stop;label;;\nA;7;8;blood;;\nB;1;2;blood;;;;\n")
    assert [row.study_id for row in read_labels(path)] == ["A", "B"]


def test_a_frame_that_start_and_stop_contradict_is_refused(tmp_path: Path) -> None:
    header = "study_id,frame_index,start,stop,label\n"
    assert read_labels(written(tmp_path / "a.csv", header + "A,3,3,4,polyp\n"))[0].stop == 4
    with pytest.raises(UserError, match="line 2: frame_index 3 is not what start and stop say"):
        read_labels(written(tmp_path / "b.csv", header + "A,3,5,9,polyp\n"))
