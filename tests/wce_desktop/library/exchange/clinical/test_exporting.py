"""What is written of a library, where, and what never is."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pydicom
import pytest
from pydantic import TypeAdapter

from tests.wce_desktop.library.exchange.clinical.reports import (
    add_findings,
    round_frame,
    round_study,
    secrets_in,
    vocabulary,
)
from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.runs.reporter import Cancelled, SilentReporter
from wce_desktop.core.annotation.change import Remove
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.exchange import apply_import, plan_import
from wce_desktop.library.exchange.clinical.content import ExportedStudy, exported_study
from wce_desktop.library.exchange.clinical.exporting import ReportFormat, export_reports
from wce_desktop.library.exchange.clinical.structured_report import read_report

BOTH: tuple[ReportFormat, ...] = ("dicom", "fhir")
DICOM, FHIR = BOTH[:1], BOTH[1:]
NAMES = ["s-01-key-frames.dcm", "s-01-report.dcm", "s-01-report.fhir.json"]


def test_the_files_hold_the_findings_masked_and_nobodys_name(library: Library, tmp_path: Path) -> None:
    study = round_study(library, tmp_path)
    add_findings(library, study.study_id)
    out = tmp_path / "out"
    summary = export_reports(library, out, BOTH, vocabulary())
    assert summary.sentence == f"1 report with 2 findings and 3 key frames written to {out}."
    assert sorted(path.name for path in out.glob("[!.]*")) == NAMES
    for path in out.iterdir():
        assert not secrets_in(path.read_bytes())
    image = pydicom.dcmread(out / NAMES[0])
    assert list(image.PageNumberVector) == [12, 15, 22]  # the polyp without key frames: its middle
    shown = image.pixel_array[0]
    assert not shown[:8, :32].any()  # the writing
    np.testing.assert_array_equal(shown[40:56, 40:56], cv2.cvtColor(round_frame(11), cv2.COLOR_BGR2RGB)[40:56, 40:56])
    _, (first, second) = read_report(out / NAMES[1])
    assert first.region == "small bowel"
    ulcer, polyp = first.finding, second.finding
    assert (ulcer.kind, ulcer.span, ulcer.size_mm) == ("ulcer", Span(10, 16), 4.5)
    assert (ulcer.segment, ulcer.morphology, ulcer.relevance) == ("jejunum", "0-IIc slightly depressed", "P2")
    assert ulcer.key_frames == (11, 14)
    assert ulcer.comment == ""
    assert (polyp.kind, polyp.key_frames, polyp.segment, polyp.morphology) == ("polyp", (), "", "")
    assert json.loads((out / NAMES[2]).read_text("utf-8"))["resourceType"] == "Bundle"


def test_a_report_is_imported_again_without_loss(library: Library, tmp_path: Path) -> None:
    study = round_study(library, tmp_path)
    add_findings(library, study.study_id)
    before = {one.finding_id: one for one in library.annotations.findings(study.study_id)}
    export_reports(library, tmp_path / "out", DICOM, vocabulary(), has_free_text=True)
    path = tmp_path / "out" / NAMES[1]
    assert plan_import(library, path, vocabulary().names).is_empty  # all of it is there
    library.annotations.edit(study.study_id, "remove", [Remove(one) for one in before.values()])
    apply_import(library, plan_import(library, path, vocabulary().names))
    for one in library.annotations.findings(study.study_id):
        assert replace(one, reader="", when_utc="") == replace(before[one.finding_id], reader="", when_utc="")
    assert len(library.annotations.findings(study.study_id)) == 2


def test_a_report_that_is_none_is_not_imported(library: Library, tmp_path: Path) -> None:
    study = round_study(library, tmp_path)
    add_findings(library, study.study_id)
    export_reports(library, tmp_path / "out", DICOM, vocabulary())
    with pytest.raises(UserError, match="not a report that this program wrote"):
        plan_import(library, tmp_path / "out" / NAMES[0], vocabulary().names)


def test_free_text_is_written_on_request(library: Library, tmp_path: Path) -> None:
    add_findings(library, round_study(library, tmp_path).study_id)
    summary = export_reports(library, tmp_path / "out", FHIR, vocabulary(), has_free_text=True)
    text = (tmp_path / "out" / NAMES[2]).read_text("utf-8")
    assert "look at Mrs Lovelace" in text
    assert "left of Mayfair" in text
    assert "Dr. Babbage" not in text
    assert "comments are included" in summary.notes[0]


def test_content_goes_through_json_unchanged(library: Library, tmp_path: Path) -> None:
    study = round_study(library, tmp_path)
    add_findings(library, study.study_id)
    made, _ = exported_study(library, study, vocabulary())
    adapter = TypeAdapter(ExportedStudy)
    assert adapter.validate_python(json.loads(json.dumps(adapter.dump_python(made, mode="json")))) == made
    assert made.is_masked
    assert not made.is_lossy


def test_files_are_replaced_only_where_they_are_ours(library: Library, tmp_path: Path) -> None:
    add_findings(library, round_study(library, tmp_path).study_id)
    out = tmp_path / "out"
    export_reports(library, out, FHIR, vocabulary())
    export_reports(library, out, FHIR, vocabulary())
    (out / NAMES[2]).write_text("mine")
    with pytest.raises(ForeignFileError):
        export_reports(library, out, FHIR, vocabulary())
    assert (out / NAMES[2]).read_text() == "mine"
    export_reports(library, out, FHIR, vocabulary(), overwrite=True)
    assert "DiagnosticReport" in (out / NAMES[2]).read_text("utf-8")


def test_what_cannot_be_exported_says_why(library: Library, tmp_path: Path) -> None:
    study = round_study(library, tmp_path)
    with pytest.raises(UserError, match="No study has findings"):
        export_reports(library, tmp_path / "out", FHIR, vocabulary())
    with pytest.raises(UserError, match="a DICOM report needs at least one"):
        export_reports(library, tmp_path / "out", DICOM, vocabulary(), ("s-01",))
    add_findings(library, study.study_id)
    with pytest.raises(UserError, match="no study 'x'"):
        export_reports(library, tmp_path / "out", FHIR, vocabulary(), ("x",))
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a file"):
        export_reports(library, tmp_path / "file", FHIR, vocabulary())
    study.path.rename(tmp_path / "moved")
    with pytest.raises(UserError, match=r"No report could be written\. s-01 is left out"):
        export_reports(library, tmp_path / "out", FHIR, vocabulary())
    assert not list((tmp_path / "out").glob("*")) if (tmp_path / "out").exists() else True


def test_a_key_frame_that_is_gone_is_left_out_and_counted(library: Library, tmp_path: Path) -> None:
    study = round_study(library, tmp_path)
    (study.path / "011.png").write_bytes(b"no picture")
    add_findings(library, study.study_id)
    summary = export_reports(library, tmp_path / "out", DICOM, vocabulary(), ("s-01",))
    assert "1 key frame cannot be decoded" in summary.notes[0]
    assert list(pydicom.dcmread(tmp_path / "out" / NAMES[0]).PageNumberVector) == [15, 22]
    assert read_report(tmp_path / "out" / NAMES[1])[1][0].finding.key_frames == (11, 14)


class Stopping(SilentReporter):
    """Asks to end at once."""

    def check(self) -> None:
        raise Cancelled


def test_it_can_be_cancelled(library: Library, tmp_path: Path) -> None:
    add_findings(library, round_study(library, tmp_path).study_id)
    with pytest.raises(Cancelled):
        export_reports(library, tmp_path / "out", FHIR, vocabulary(), reporter=Stopping())
    assert not (tmp_path / "out").exists()
