"""`wce-desktop import|export` as somebody at a shell meets it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.training.datasets.public.trees import picture
from training.datasets import local_paths
from wce_desktop.core.annotation.change import Add
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.annotation.label import Label
from wce_desktop.core.identity import new_id
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.shell.cli.exchange_cli import main


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A library with one study and one label."""
    with Library.open(tmp_path / "library", "reader") as library:
        library.studies.add(tmp_path / "video.mp4", study_id="P03a", patient_id="P03", frame_count=100)
        library.annotations.edit("P03a", "a", [Add(Label(new_id(), "P03a", Span(3, 6), "polyp", reader="reader"))])
    return tmp_path / "library"


def test_export_says_what_it_wrote(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--library", str(folder), str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.startswith("1 study, 1 label on 3 frames, ")
    assert (tmp_path / "out" / "labels.csv").is_file()


def test_export_says_what_it_leaves_out(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library.open(folder, "reader") as library:
        library.annotations.edit("P03a", "b", [Add(Label("l-odd", "P03a", Span(9, 12), "polyp", reader="reader"))])
    with closing(sqlite3.connect(folder / "library.sqlite")) as raw, raw:
        raw.execute("PRAGMA ignore_check_constraints=ON")
        raw.execute("UPDATE labels SET stop = 7 WHERE label_id = 'l-odd'")
    assert main(["export", "--library", str(folder), str(tmp_path / "out")]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("1 study, 1 label on 3 frames, ")
    assert captured.err.startswith("Not exported, invalid in the library: P03a, label l-odd: ")


def test_export_of_no_library_makes_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "--library", str(tmp_path / "none"), str(tmp_path / "out")]) == 1
    assert capsys.readouterr().err == f"There is no library in {tmp_path / 'none'}.\nGive its folder with --library.\n"
    assert not (tmp_path / "none").exists()


def test_import_changes_nothing_before_it_is_agreed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("study_id,start,stop,label\nP03a,5,9,polyp\n", encoding="utf-8")
    assert main(["import", "--library", str(folder), str(rows)]) == 0
    assert capsys.readouterr().out == "P03a: 1 label on 3 frames\nNothing was changed. Add --yes to do it.\n"
    assert main(["import", "--library", str(folder), str(rows), "--yes", "--reader", "Zoë"]) == 0
    assert "Done" in capsys.readouterr().out
    with Library.open(folder, "reader") as library:
        assert [(one.span, one.reader) for one in library.annotations.labels("P03a")] == [
            (Span(3, 6), "reader"),
            (Span(6, 9), "Zoë"),
        ]
    assert main(["import", "--library", str(folder), str(rows), "--yes"]) == 0
    assert capsys.readouterr().out == "Nothing new.\n"


def test_a_bad_row_is_one_sentence_on_stderr(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("study_id,start,stop,label\nP99,5,9,polyp\n", encoding="utf-8")
    assert main(["import", "--library", str(folder), str(rows), "--yes"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines()[0] == f"{rows}, line 2: there is no study 'P99'."


def test_a_library_open_elsewhere_is_said(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Library.open(folder, "reader"):
        assert main(["export", "--library", str(folder), str(tmp_path / "out")]) == 1
    assert "already open in another window" in capsys.readouterr().err


def test_wrong_usage_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["export"])
    assert caught.value.code == 2
    assert "FOLDER" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["import", "export"])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "the name is empty"),
        ("x" * 5000, "cannot name a folder"),
        ("~nobody-here/x", "cannot name a folder"),
    ],
)
def test_a_library_needs_a_name(
    command: str, name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--library", name, str(tmp_path / "out")])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_readers_name_that_cannot_be_stored_is_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["import", "--library", str(folder), "--reader", "\udcff", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("The reader's name contains characters that cannot be stored.\n")


@pytest.mark.parametrize("options", [[], ["--comments"], ["--paths"]])
def test_free_text_and_places_of_videos_are_exported_on_request(
    folder: Path, tmp_path: Path, options: list[str]
) -> None:
    with Library.open(folder, "reader") as library:
        finding = Finding("f-1", "P03a", "polyp", Span(3, 6), comment="of Ada", segment="where Ada said")
        library.annotations.edit("P03a", "f", [Add(finding)])
    assert main(["export", "--library", str(folder), *options, str(tmp_path / "out")]) == 0
    table = (tmp_path / "out" / "findings.csv").read_text(encoding="utf-8")
    assert table.count("Ada") == (2 if "--comments" in options else 0)
    assert (tmp_path / "out" / local_paths.FILE_NAME).exists() == ("--paths" in options)


def test_labelled_images_are_imported_with_the_classes_that_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("normal/1.png", "polyps/2.png", "foam/3.png"):
        picture(tmp_path / "set" / name)
    call = ["import", "--library", str(tmp_path / "library"), str(tmp_path / "set")]
    assert main(call) == 0
    shown = capsys.readouterr().out
    assert "polyps: 1, polyp\n" in shown
    assert "Not a class here, left out: foam. Name their class: --class THEIRS=OURS." in shown
    assert shown.endswith("Nothing was changed. Add --yes to do it.\n")
    assert main([*call, "--yes", "--class", "foam=other"]) == 0
    assert "Imported: 1 study with 3 labelled frames." in capsys.readouterr().out
    with Library.open(tmp_path / "library", "reader") as library:
        assert set(library.annotations.class_counts()) == {"normal", "polyp", "other"}


def test_classes_of_a_labels_file_are_those_that_are_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = tmp_path / "rows.csv"
    text = "study_id,start,stop,label\nP03a,0,2,Polypoid growth\nP03a,3,4,bubbles\nP03a,5,6,foam\n"
    rows.write_text(text, encoding="utf-8")
    call = ["import", "--library", str(folder), str(rows), "--yes", "--class", "Polypoid growth=polyp"]
    assert main([*call, "--class", "bubbles="]) == 1
    assert f"{rows}, line 4: 'foam' is not a known class." in capsys.readouterr().err
    with Library.open(folder, "reader") as library:
        before = library.annotations.class_counts()["polyp"]
    assert main([*call, "--class", "bubbles=", "--class", "foam="]) == 0
    with Library.open(folder, "reader") as library:
        counts = library.annotations.class_counts()
    assert counts["polyp"] == before + 1
    assert not {"bubbles", "foam", ""} & counts.keys()


def test_patients_of_class_folders_are_found_in_file_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("normal/P1_1.png", "normal/P2_1.png", "polyp/P1_2.png", "polyp/P2_2.png", "polyp/P3_2.png")
    for name, shade in zip(names, (40, 60, 80, 100, 100), strict=True):  # those of the last group are others' as well
        picture(tmp_path / "set" / name, shade)
    call = ["import", "--library", str(tmp_path / "library"), str(tmp_path / "set"), "--yes", "--group-by"]
    assert main([*call, "("]) == 1
    assert "is no regular expression" in capsys.readouterr().err
    assert main([*call, "Q[0-9]"]) == 1
    assert "The pattern 'Q[0-9]' is in no path, such as normal/P1_1.png." in capsys.readouterr().err
    assert main([*call, "/([^/]+)_"]) == 0
    assert "They are of 3 groups" in capsys.readouterr().out
    with Library.open(tmp_path / "library", "reader") as library:
        studies = library.studies.all()
    assert sorted(study.pseudonym for study in studies) == ["set / P1", "set / P2", "set / P3"]
    assert len({study.patient_id for study in studies}) == 3


def test_two_groups_with_the_same_images_are_one_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, shade in (
        ("normal/P1_1.png", 50),
        ("polyp/P1_2.png", 90),
        ("normal/P2_1.png", 50),
        ("polyp/P2_2.png", 90),
    ):
        picture(tmp_path / "set" / name, shade)
    call = ["import", "--library", str(tmp_path / "library"), str(tmp_path / "set"), "--yes"]
    assert main([*call, "--group-by", "P."]) == 0
    assert "Imported: 1 study with 2 labelled frames. 1 study was in the library already" in capsys.readouterr().out
