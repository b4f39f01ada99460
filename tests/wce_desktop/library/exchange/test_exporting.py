"""What is written, and what never is."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from training.datasets.findings import read_findings
from training.datasets.local_paths import FILE_NAME
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.files.written import RECORD
from wce_desktop.core.annotation.change import Add, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.marking import add_finding
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import export_library
from wce_desktop.library.exchange.exporting import training_labels
from wce_desktop.library.exchange.finding_rows import FINDING_ROW


def test_the_files(library: Library, read_study: Study, tmp_path: Path) -> None:
    study_id = read_study.study_id
    library.annotations.edit(study_id, "b", [Add(make_label(study_id, 20, 22, "blood"))])
    finding = Finding("f1", study_id, "polyp", Span(3, 6), 4.5, "sessile")
    library.annotations.edit(study_id, *add_finding(library.annotations.label_track(study_id), finding))
    library.annotations.edit(study_id, "c", [Add(Box("b1", study_id, 4, 1, 2, 9.5, 10, "polyp", "f1"))])
    library.annotations.edit(study_id, "d", [Add(Landmark("l1", study_id, Region.SMALL_BOWEL, 2))])
    summary = export_library(library, tmp_path / "out", has_paths=True, has_free_text=True)
    assert (
        summary.counts["studies"],
        summary.counts["labels"],
        summary.counts["labelled_frames"],
        summary.counts["findings"],
        summary.counts["boxes"],
    ) == (
        1,
        2,
        5,
        1,
        1,
    )
    read = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert read.pop(RECORD)
    assert str(read_study.path) in read.pop(FILE_NAME)
    assert sorted(read) == ["boxes.csv", "findings.csv", "labels.csv", "links.csv", "manifest.json"]
    assert read["labels.csv"].splitlines() == [
        "study_id,start,stop,label,answer,finding_id,source",
        "P03a,3,6,polyp,yes,f1,reader",
        "P03a,20,22,blood,yes,,reader",
    ]
    assert read["findings.csv"].splitlines() == [
        "finding_id,study_id,kind,size_mm,morphology,start,stop",
        "f1,P03a,polyp,4.5,sessile,3,6",
    ]
    assert read["boxes.csv"].splitlines()[1] == "P03a,4,1.0,2.0,9.5,10.0,polyp,f1"
    assert read["links.csv"].splitlines() == [
        "study_id,frame_index,other_study_id,other_frame_index,is_same,name,other_name,reader"
    ]
    (entry,) = json.loads(read["manifest.json"])["studies"]
    assert entry["spans"] == [{"start": 0, "stop": 2}, {"start": 2, "stop": 30, "region": "small bowel"}]
    assert load_manifest(tmp_path / "out" / "manifest.json")["P03a"].path == read_study.path


def test_seen_unlabelled_frames_are_normal_only_once_reading_is_finished(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    study_id = read_study.study_id
    library.annotations.edit(study_id, "a", [Add(make_label(study_id, 5, 8))])
    library.annotations.mark_seen(study_id, [Span(0, 10)])
    assert export_library(library, tmp_path / "before").counts["implicit_normal_frames"] == 0
    library.studies.update(study_id, state="finished")
    assert export_library(library, tmp_path / "after").counts["implicit_normal_frames"] == 7
    assert (tmp_path / "after" / "labels.csv").read_text(encoding="utf-8").splitlines()[1:] == [
        "P03a,0,5,normal,yes,,implicit_normal",
        "P03a,5,8,polyp,yes,,reader",
        "P03a,8,10,normal,yes,,implicit_normal",
    ]


def test_frames_of_which_a_class_was_rejected_are_not_normal(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    study_id = read_study.study_id
    rejected = replace(make_label(study_id, 5, 8, "ulcer"), answer="no")
    library.annotations.edit(study_id, "a", [Add(rejected)])
    library.annotations.mark_seen(study_id, [Span(0, 10)])
    library.studies.update(study_id, state="finished")
    assert export_library(library, tmp_path / "out").counts["implicit_normal_frames"] == 7
    assert (tmp_path / "out" / "labels.csv").read_text(encoding="utf-8").splitlines()[1:] == [
        "P03a,0,5,normal,yes,,implicit_normal",
        "P03a,5,8,ulcer,no,,reader",
        "P03a,8,10,normal,yes,,implicit_normal",
    ]
    assert [(row.start, row.stop, row.label, row.answer) for row in training_labels(library)[1]] == [
        (0, 5, "normal", "yes"),
        (5, 8, "ulcer", "no"),
        (8, 10, "normal", "yes"),
    ]


def test_names_stay_at_home(library: Library, read_study: Study, tmp_path: Path) -> None:
    record = library.studies.record("P03a")
    library.annotations.edit(
        "P03a", "Edit the patient record", [Replace(record, replace(record, pseudonym="Ada Lovelace"))]
    )
    library.studies.update("P03a", name="Lovelace 2026", path=tmp_path / "v.mp4")
    export_library(library, tmp_path / "out")
    for path in (tmp_path / "out").iterdir():
        assert "Lovelace" not in path.read_text(encoding="utf-8")


def test_only_the_studies_that_were_named(library: Library, read_study: Study, tmp_path: Path) -> None:
    other = library.studies.add(Path("other.mp4"), study_id="P04a", frame_count=10)
    library.annotations.edit("P04a", "a", [Add(make_label("P04a", 0, 1))])
    assert export_library(library, tmp_path / "out", [read_study.study_id]).counts["labels"] == 0
    assert export_library(library, tmp_path / "out", [other.study_id]).counts["labels"] == 1
    with pytest.raises(UserError, match="no study 'P05a'"):
        export_library(library, tmp_path / "out", ["P05a"])


def test_a_folder_that_cannot_be_written(library: Library, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file", encoding="utf-8")
    with pytest.raises(UserError, match="cannot be written"):
        export_library(library, tmp_path / "out")


@pytest.mark.parametrize("name", ["manifest.json", "labels.csv", "findings.csv", "boxes.csv", "links.csv"])
def test_files_of_somebody_else_are_left_alone(name: str, library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / name).write_text("mine", encoding="utf-8")
    with pytest.raises(ForeignFileError, match=name):
        export_library(library, folder)
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == {name: "mine"}
    export_library(library, folder, overwrite=True)
    export_library(library, folder)  # they are the program's own now
    (folder / name).write_text("edited since", encoding="utf-8")
    with pytest.raises(ForeignFileError, match=name):
        export_library(library, folder)


def test_frames_before_the_mouth_and_after_the_end_are_in_no_span(library: Library, tmp_path: Path) -> None:
    library.studies.add(tmp_path / "a.mp4", study_id="R", frame_count=100)

    def spans() -> list[tuple[int, int, str]]:
        manifest, _ = training_labels(library)
        return [(span.start, span.stop, span.region) for span in manifest["R"].spans]

    library.annotations.edit("R", "end", [Add(Landmark("l1", "R", Region.END, 89))])
    assert spans() == [(0, 90, "")]
    library.annotations.edit("R", "mouth", [Add(Landmark("l2", "R", Region.OESOPHAGUS, 10))])
    assert spans() == [(10, 90, "oesophagus")]
    library.annotations.edit("R", "colon", [Add(Landmark("l3", "R", Region.COLON, 60))])
    assert spans() == [(10, 60, "oesophagus"), (60, 90, "colon")]


def test_details_of_findings_are_written_and_comments_only_when_asked_for(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    finding = replace(
        Finding.new(study_id="P03a", kind="polyp", span=Span(3, 6), key_frames=(3, 5), model_id="m1", reader="r"),
        number="single",
        relevance="P2",
        segment="jejunum",
        was_seen_before=True,
        comment="Mrs Lovelace asked",
    )
    library.annotations.edit("P03a", "f", [Add(finding)])
    export_library(library, tmp_path / "without")
    export_library(library, tmp_path / "with", has_free_text=True)
    (without,) = read_findings(tmp_path / "without" / "findings.csv", None, FINDING_ROW)
    assert (without.start, without.stop, without.key_frame_indices) == (3, 6, (3, 5))
    assert without.model_dump(include={"number", "relevance", "segment"}) == {
        "number": "single",
        "relevance": "P2",
        "segment": "jejunum",
    }
    assert (without.model_id, without.was_seen_before, without.when_utc) == ("m1", True, finding.when_utc)
    assert "Lovelace" not in (tmp_path / "without" / "findings.csv").read_text(encoding="utf-8")
    (written,) = read_findings(tmp_path / "with" / "findings.csv")
    assert written.comment == "Mrs Lovelace asked"


@pytest.mark.parametrize("field", [0, 1, 2])
def test_no_free_text_of_a_finding_is_written_unless_asked_for(
    library: Library, read_study: Study, tmp_path: Path, field: int
) -> None:
    finding = Finding.new(study_id="P03a", kind="polyp", span=Span(3, 6), reader="r")
    comment, morphology, segment = ("seen by Mrs Lovelace" if at == field else "" for at in range(3))
    library.annotations.edit(
        "P03a", "f", [Add(replace(finding, comment=comment, morphology=morphology, segment=segment))]
    )
    export_library(library, tmp_path / "without")
    export_library(library, tmp_path / "with", has_free_text=True)
    texts = [(tmp_path / name / "findings.csv").read_text(encoding="utf-8") for name in ("without", "with")]
    assert ["Lovelace" in text for text in texts] == [False, True]


def test_the_places_of_videos_are_written_on_request_and_go_with_the_next_export(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    export_library(library, out)
    assert not (out / FILE_NAME).exists()
    with pytest.raises(UserError, match="does not say where") as caught:
        load_manifest(out / "manifest.json")
    assert "--paths" in caught.value.hint
    export_library(library, out, has_paths=True)
    assert load_manifest(out / "manifest.json")["P03a"].path == read_study.path
    export_library(library, out)
    assert not (out / FILE_NAME).exists()
