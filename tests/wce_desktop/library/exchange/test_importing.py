"""Imports: planned, counted, undoable; and refused with the file and the line."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.library.exchange.conftest import write_images
from training.datasets.local_paths import FILE_NAME
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, load_manifest, save_manifest, unknown_patients
from training.errors import UserError
from wce_desktop.core.annotation.change import Add, Remove
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.landmark import Landmark, Region
from wce_desktop.core.annotation.marking import add_finding
from wce_desktop.core.language import use_translations
from wce_desktop.core.span import Span
from wce_desktop.core.study import Study
from wce_desktop.library import Library
from wce_desktop.library.exchange import apply_import, export_library, plan_import

NAMES = ("normal", "polyp", "blood")
HEADER = "study_id,start,stop,label,finding_id,source\n"


def labels_file(folder: Path, rows: str, header: str = HEADER) -> Path:
    path = folder / "mine.csv"
    path.write_text(header + rows, encoding="utf-8")
    return path


def spoken(library: Library, study_id: str) -> set[tuple[int, int, str, str]]:
    return {(one.span.start, one.span.stop, one.name, one.source) for one in library.annotations.labels(study_id)}


def test_an_export_read_into_an_empty_library_says_the_same(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    study_id = read_study.study_id
    library.annotations.edit(study_id, "a", [Add(make_label(study_id, 20, 22, "blood"))])
    finding = Finding("f1", study_id, "polyp", Span(3, 6), 4.5, "sessile")
    library.annotations.edit(study_id, *add_finding(library.annotations.label_track(study_id), finding))
    library.annotations.edit(study_id, "b", [Add(Box("b1", study_id, 4, 1, 2, 9, 10, "polyp", "f1"))])
    library.annotations.edit(study_id, "c", [Add(Landmark("l1", study_id, Region.SMALL_BOWEL, 2))])
    library.annotations.mark_seen(study_id, [Span(0, 10)])
    library.studies.update(study_id, state="finished")
    export_library(library, tmp_path / "out", has_paths=True, has_free_text=True)
    with Library.open(tmp_path / "other", "colleague") as other:
        plan = plan_import(other, tmp_path / "out", NAMES)
        assert other.studies.all() == ()  # planning changes nothing
        assert plan.lines[1].startswith("P03a: 1 landmark, 1 finding, 4 labels on 12 frames, 1 box")
        assert apply_import(other, plan) == 1
        (found,) = other.studies.all()
        assert (found.study_id, found.patient_id, found.frame_count) == ("P03a", "P03", 30)
        implicit = {(0, 3, "normal", "implicit_normal"), (6, 10, "normal", "implicit_normal")}
        assert spoken(other, "P03a") == spoken(library, "P03a") | implicit
        (copied,) = other.annotations.findings("P03a")
        assert (copied.kind, copied.span, copied.size_mm, copied.morphology) == ("polyp", Span(3, 6), 4.5, "sessile")
        assert [mark.frame_index for mark in other.annotations.landmarks("P03a")] == [2]
        assert [(box.frame_index, box.x_max, box.finding_id) for box in other.annotations.boxes("P03a")] == [
            (4, 9.0, copied.finding_id)
        ]
        assert plan_import(other, tmp_path / "out", NAMES).is_empty


def test_an_import_is_one_step_to_undo(library: Library, read_study: Study, tmp_path: Path) -> None:
    mine = make_label("P03a", 0, 4)
    library.annotations.edit("P03a", "mine", [Add(mine)])
    path = labels_file(tmp_path, "P03a,2,6,polyp,,reader\nP03a,10,12,normal,,reader\n")
    apply_import(library, plan_import(library, path, NAMES))
    assert spoken(library, "P03a") == {
        (0, 4, "polyp", "reader"),
        (4, 6, "polyp", "reader"),
        (10, 12, "normal", "reader"),
    }
    assert library.annotations.undo_title("P03a") == "Import mine.csv: 2 labels on 4 frames"
    library.annotations.undo("P03a")
    assert library.annotations.labels("P03a") == (mine,)


def test_what_is_stored_of_an_import_stays_english(library: Library, read_study: Study, tmp_path: Path) -> None:
    use_translations({"{labels} on {frames}": "{labels} ({frames})", "{count} label": "{count} Kennzeichen"})
    try:
        plan = plan_import(library, labels_file(tmp_path, "P03a,2,6,polyp,,reader\n"), NAMES)
        assert plan.lines == ("P03a: 1 Kennzeichen (4 frames)",)
        apply_import(library, plan)
    finally:
        use_translations({})
    assert library.annotations.undo_title("P03a") == "Import mine.csv: 1 label on 4 frames"


def test_a_column_frame_index_may_stand_for_start_and_stop(library: Library, read_study: Study, tmp_path: Path) -> None:
    path = labels_file(tmp_path, "P03a,7,polyp\n\nP03a,8,blood\n", "study_id,frame_index,label\n")
    apply_import(library, plan_import(library, path, NAMES))
    assert spoken(library, "P03a") == {(7, 8, "polyp", "reader"), (8, 9, "blood", "reader")}


def test_normal_yields_and_labels_displace_it_in_any_order_of_rows(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    library.annotations.edit("P03a", "mine", [Add(make_label("P03a", 0, 10, "normal"))])
    path = labels_file(tmp_path, "P03a,0,20,normal,,reader\nP03a,8,12,polyp,,reader\n")
    plan = plan_import(library, path, NAMES)
    assert "labels replaced on" in plan.lines[0]
    apply_import(library, plan)
    assert {(start, stop, name) for start, stop, name, _ in spoken(library, "P03a")} == {
        (0, 8, "normal"),
        (8, 12, "polyp"),
        (12, 20, "normal"),
    }


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ("P03a,0,3,polyp,,reader\nP99,0,3,polyp,,reader\n", r"mine\.csv, line 3: there is no study 'P99'"),
        ("P03a,0,3,polyp,,reader\n\nP03a,0,3,nessie,,reader\n", r"mine\.csv, line 4: 'nessie' is not a known class"),
        ("P03a,28,31,polyp,,reader\n", r"mine\.csv, line 2: frame 30 lies past the end .* last frame is 29"),
        ("P03a,5,5,polyp,,reader\n", r"mine\.csv, line 2: a label must stop after its start"),
        ("P03a,five,6,polyp,,reader\n", r"mine\.csv, line 2: column start"),
        ("P03a,5,6,polyp,,guess\n", r"mine\.csv, line 2: column source"),
    ],
)
def test_a_bad_row_is_named_and_nothing_is_changed(
    library: Library, read_study: Study, tmp_path: Path, rows: str, said: str
) -> None:
    with pytest.raises(UserError, match=said):
        plan_import(library, labels_file(tmp_path, rows), NAMES)
    assert library.annotations.labels("P03a") == ()


def test_a_box_without_an_inside_is_named(library: Library, read_study: Study, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "boxes.csv").write_text(
        "study_id,frame_index,x_min,y_min,x_max,y_max,label\nP03a,3,-2,0,5,5,polyp\n", encoding="utf-8"
    )
    with pytest.raises(UserError, match=r"boxes\.csv, line 2: column x_min: .* greater than or equal to 0"):
        plan_import(library, tmp_path / "in", NAMES)


def test_a_finding_that_no_label_places_is_left_out_and_said(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "findings.csv").write_text(
        "finding_id,study_id,kind,size_mm,morphology\nf1,P03a,polyp,,\n", encoding="utf-8"
    )
    plan = plan_import(library, tmp_path / "in", NAMES)
    assert plan.is_empty
    left_out = "P03a: 1 finding left out, because neither its row nor a label gives its frames."
    assert plan.lines == ("Nothing new.", left_out)


def test_a_box_of_a_finding_that_is_left_out_has_none(library: Library, read_study: Study, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "findings.csv").write_text(FINDINGS + "f,P03a,polyp,,\n", encoding="utf-8")
    header, rows = BOXES.strip() + ",finding_id\n", "P03a,0,0,0,9,9,polyp,f\nP03a,0,0,0,8,8,polyp,nobody\n"
    (folder / "boxes.csv").write_text(header + rows, encoding="utf-8")
    apply_import(library, plan_import(library, folder, NAMES))
    assert [box.finding_id for box in library.annotations.boxes("P03a")] == [None, None]


def test_a_finding_id_that_another_study_uses_gets_a_new_one(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    library.studies.add(Path("other.mp4"), study_id="P04a", frame_count=30)
    taken = Finding("f1", "P04a", "blood", Span(0, 2))
    library.annotations.edit("P04a", "taken", [Add(taken)])
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "findings.csv").write_text("finding_id,study_id,kind\nf1,P03a,polyp\n", encoding="utf-8")
    (tmp_path / "in" / "labels.csv").write_text(HEADER + "P03a,3,5,polyp,f1,reader\n", encoding="utf-8")
    apply_import(library, plan_import(library, tmp_path / "in", NAMES))
    (made,) = library.annotations.findings("P03a")
    (label,) = library.annotations.labels("P03a")
    assert made.finding_id == label.finding_id != "f1"
    assert library.annotations.findings("P04a") == (taken,)


def test_a_study_is_known_again_by_its_content_under_another_id(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    read_study.path.rename(tmp_path / "in" / "frames")
    (tmp_path / "in" / "manifest.json").write_text(
        '{"studies": [{"study_id": "theirs", "patient_id": "X", "path": "frames"}]}', encoding="utf-8"
    )
    (tmp_path / "in" / "labels.csv").write_text(HEADER + "theirs,3,5,polyp,,reader\n", encoding="utf-8")
    apply_import(library, plan_import(library, tmp_path / "in", NAMES))
    assert [study.study_id for study in library.studies.all()] == ["P03a"]
    assert spoken(library, "P03a") == {(3, 5, "polyp", "reader")}


def test_an_export_without_its_list_of_paths_is_read_where_the_video_is_known(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    export_library(library, tmp_path / "out", has_paths=True)
    (tmp_path / "out" / FILE_NAME).unlink()
    manifest = tmp_path / "out" / "manifest.json"
    text = manifest.read_text(encoding="utf-8")
    assert str(read_study.path) not in text
    manifest.write_text(text.replace("P03a", "theirs"), encoding="utf-8")
    (tmp_path / "out" / "labels.csv").write_text(HEADER + "theirs,13,15,blood,,reader\n", encoding="utf-8")
    apply_import(library, plan_import(library, tmp_path / "out", NAMES))
    assert [study.study_id for study in library.studies.all()] == ["P03a"]
    assert (13, 15, "blood", "reader") in spoken(library, "P03a")
    manifest.write_text(
        text.replace("P03a", "other").replace('"fingerprint": "', '"fingerprint": "x'), encoding="utf-8"
    )
    with pytest.raises(UserError, match="study other is not in the library, and its file"):
        plan_import(library, tmp_path / "out", NAMES)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('"study_id": "new", "patient_id": "X", "path": "gone.mp4"', "its file .*gone.mp4 is missing"),
        ('"study_id": "../up", "patient_id": "X", "path": "frames"', r"the id '\.\./up' cannot be used"),
        ('"study_id": "new", "path": "frames"', "patient_id"),
    ],
)
def test_a_bad_manifest_is_named(library: Library, tmp_path: Path, entry: str, said: str) -> None:
    write_images(tmp_path / "in" / "frames")
    (tmp_path / "in" / "manifest.json").write_text(f'{{"studies": [{{{entry}}}]}}', encoding="utf-8")
    with pytest.raises(UserError, match=said):
        plan_import(library, tmp_path / "in", NAMES)
    assert library.studies.all() == ()


def test_nothing_to_import_is_said(library: Library, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has none of"):
        plan_import(library, tmp_path, NAMES)
    with pytest.raises(UserError, match="does not exist"):
        plan_import(library, tmp_path / "nowhere", NAMES)


def test_stills_of_nobody_known_stay_so_in_the_library(tmp_path: Path, library: Library) -> None:
    folder = tmp_path / "exported"
    patient = unknown_patients("kid2")
    stills = [
        StudyEntry(
            study_id=f"kid2-{size}", patient_id=patient, path=write_images(folder / str(size), size), kind="stills"
        )
        for size in (1, 2)
    ]
    save_manifest(folder / "manifest.json", Manifest(studies=tuple(stills)))
    apply_import(library, plan_import(library, folder, NAMES))
    assert {study.patient_id for study in library.studies.all()} == {patient}
    export_library(library, tmp_path / "again", has_paths=True)
    assert not any(study.has_time for study in load_manifest(tmp_path / "again" / "manifest.json").studies)


def test_runs_of_images_stay_apart_in_the_library_and_out_of_it(library: Library, tmp_path: Path) -> None:
    """Labelled images of a public set lie minutes apart: nothing may take them for a video again."""
    runs, entries = ((0, 4), (4, 20), (20, 30)), []
    for number, (name, kind) in enumerate((("R", "video"), ("S", "stills"), ("V", "video"))):
        spans = tuple(StudySpan(start=start, stop=stop) for start, stop in runs) if name == "R" else ()
        path = write_images(tmp_path / name, 40 * number)
        entries.append(StudyEntry(study_id=name, patient_id=name, path=path, spans=spans, kind=kind))  # type: ignore[arg-type]
    save_manifest(tmp_path / "manifest.json", Manifest(studies=tuple(entries)))
    apply_import(library, plan_import(library, tmp_path / "manifest.json", NAMES))
    assert {study.study_id: study.runs for study in library.studies.all()} == {
        "R": tuple(Span(*run) for run in runs),
        "S": (),
        "V": None,
    }
    library.annotations.edit("R", "landmark", [Add(Landmark("l1", "R", Region.COLON, 10))])
    export_library(library, tmp_path / "out", has_paths=True)
    written = load_manifest(tmp_path / "out" / "manifest.json")
    said = [(span.start, span.stop, span.region) for span in written["R"].spans]
    assert said == [(0, 4, ""), (4, 10, ""), (10, 20, "colon"), (20, 30, "colon")]
    assert [study.has_time for study in written.studies] == [True, False, True]
    assert written["V"].spans == ()
    library.annotations.edit("R", "none", [Remove(library.annotations.landmarks("R")[0])])
    export_library(library, tmp_path / "bare", has_paths=True)
    bare = load_manifest(tmp_path / "bare" / "manifest.json")["R"].spans
    assert [(span.start, span.stop) for span in bare] == list(runs)


FINDINGS = "finding_id,study_id,kind,size_mm,morphology\n"
BOXES = "study_id,frame_index,x_min,y_min,x_max,y_max,label\n"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"findings.csv": FINDINGS, "labels.csv": HEADER + "P03a,0,2,polyp,gone,\n"},
         r"labels\.csv, line 2: findings\.csv has no finding 'gone' of study 'P03a'"),
        ({"findings.csv": FINDINGS + "f,P03a,polyp,inf,\n"}, r"findings\.csv, line 2: column size_mm"),
        ({"findings.csv": FINDINGS + "f,P03a,polyp,nan,\n"}, r"findings\.csv, line 2: column size_mm"),
        ({"findings.csv": FINDINGS + "f,P03a,polyp,1,\nf,P03a,blood,1,\n"}, "f of study P03a is listed twice"),
        ({"boxes.csv": BOXES + "P03a,0,0,0,inf,9,polyp\n"}, r"boxes\.csv, line 2: column x_max"),
        ({"boxes.csv": BOXES + "P03a,0,0,0,5000,9,polyp\n"}, r"boxes\.csv, line 2: the box reaches beyond the frame"),
        ({"labels.csv": HEADER + "P03a,0,99999999,polyp,,\n"}, r"labels\.csv, line 2: frame 99,999,998 lies past"),
        ({"labels.csv": HEADER + f"P03a,0,{'9' * 400},polyp,,\n"}, r"labels\.csv, line 2: column stop"),
        ({"manifest.json": '{"studies": [{"study_id": "P03a", "patient_id": "P03", "path": "gone", '
                           '"spans": [{"start": 5, "stop": 5000, "region": "colon"}]}]}'},
         "A span of study P03a ends at frame 5000, past the end"),
    ],
)  # fmt: skip
def test_impossible_numbers_and_names_are_refused(
    library: Library, read_study: Study, tmp_path: Path, files: dict[str, str], said: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        plan_import(library, folder, NAMES)
    assert library.annotations.labels("P03a") == ()


@pytest.mark.parametrize("name", ["manifest.json", "labels.csv", "findings.csv", "boxes.csv", "links.csv"])
def test_a_pipe_in_the_folder_is_refused(library: Library, read_study: Study, tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(UserError, match="is a pipe"):
        plan_import(library, tmp_path, NAMES)


def test_a_labels_file_alone_keeps_the_findings_that_the_library_knows_and_tells_of_others(
    library: Library, read_study: Study, tmp_path: Path
) -> None:
    finding = Finding("f1", "P03a", "polyp", Span(3, 6))
    library.annotations.edit("P03a", *add_finding(library.annotations.label_track("P03a"), finding))
    path = labels_file(tmp_path, "P03a,6,8,polyp,f1,reader\nP03a,10,12,polyp,gone,reader\n")
    plan = plan_import(library, path, NAMES)
    assert "P03a: 1 label whose finding no file describes." in plan.left_out
    apply_import(library, plan)
    ids = {one.span.start: one.finding_id for one in library.annotations.labels("P03a")}
    assert ids[6] == "f1"
    assert ids[10] is None


DETAILED = (
    "finding_id,study_id,kind,size_mm,morphology,number,relevance,segment,start,stop,key_frames,when_utc,model_id,"
    "was_seen_before,comment\n"
)


def test_details_of_a_finding_come_from_its_row(library: Library, read_study: Study, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    row = "f1,P03a,polyp,4.5,0-Is sessile,few,P1,jejunum,3,9,4;7,2026-11-23T10:00:00+00:00,m1,False,seen twice\n"
    (tmp_path / "in" / "findings.csv").write_text(DETAILED + row, encoding="utf-8")
    apply_import(library, plan_import(library, tmp_path / "in", NAMES))
    (made,) = library.annotations.findings("P03a")
    assert (made.span, made.key_frames, made.number, made.relevance, made.segment) == (
        Span(3, 9),
        (4, 7),
        "few",
        "P1",
        "jejunum",
    )
    assert (made.when_utc, made.model_id, made.was_seen_before) == ("2026-11-23T10:00:00+00:00", "m1", False)
    assert (made.size_mm, made.morphology, made.comment) == (4.5, "0-Is sessile", "seen twice")


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ("f,P03a,polyp,,,,,,9,3,,,,,", "a finding must stop after its start"),
        ("f,P03a,polyp,,,,,,3,,,,,,", "start and stop are given together"),
        ("f,P03a,polyp,,,,,,3,900,,,,,", "frame 899 lies past the end"),
        ("f,P03a,polyp,,,,,,3,9,900,,,,", "frame 900 lies past the end"),
        ("f,P03a,polyp,,,,,,3,9,x,,,,", "column key_frames"),
        ("f,P03a,polyp,,,,P7,,3,9,,,,,", "column relevance"),
    ],
)
def test_impossible_details_are_refused_with_a_sentence(
    library: Library, read_study: Study, tmp_path: Path, cells: str, said: str
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "findings.csv").write_text(DETAILED + cells + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=said):
        plan_import(library, tmp_path / "in", NAMES)
    assert library.annotations.findings("P03a") == ()


def test_a_negative_label_goes_out_and_comes_back(library: Library, read_study: Study, tmp_path: Path) -> None:
    study_id = read_study.study_id
    negative = replace(make_label(study_id, 2, 6, "polyp"), answer="no")
    library.annotations.edit(study_id, "a", [Add(negative), Add(make_label(study_id, 4, 8, "blood"))])
    export_library(library, tmp_path / "out", has_paths=True)
    assert "P03a,2,6,polyp,no,,reader" in (tmp_path / "out" / "labels.csv").read_text(encoding="utf-8")
    with Library.open(tmp_path / "other", "colleague") as other:
        apply_import(other, plan_import(other, tmp_path / "out", NAMES))
        track = other.annotations.label_track("P03a")
        assert track.names == ("blood",)
        assert [label.span for label in track.negatives] == [Span(2, 6)]
        assert plan_import(other, tmp_path / "out", NAMES).is_empty
    assert [(row.name, row.new_frames) for row in library.annotations.label_counts_by_study()] == [("blood", 4)], (
        "a negative is no frame of its class"
    )
