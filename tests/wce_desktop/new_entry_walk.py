"""Run by `test_new_entry` where a finding has four further entries: they go through all that handles findings."""

import json
from dataclasses import replace
from pathlib import Path

from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.reading.test_finding_form import choose, new_finding, stored
from tests.wce_desktop.library.exchange.clinical.reports import a_finding, a_study
from tests.wce_desktop.windows import main_window, press
from training.datasets.findings import read_findings
from wce_desktop.core.annotation.change import Remove
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.features.audit.sentences import sentence
from wce_desktop.features.reading.finding_form import CommentEdit, NumberEdit
from wce_desktop.features.report.model.anonymous import without_identity
from wce_desktop.features.report.model.frozen import frozen_content, is_same, shown_content
from wce_desktop.features.report.model.gathering import gather
from wce_desktop.library import Library
from wce_desktop.library.exchange import apply_import, plan_import
from wce_desktop.library.exchange.clinical.deidentified import Uids
from wce_desktop.library.exchange.clinical.fhir import diagnostic_report
from wce_desktop.library.exchange.clinical.structured_report import read_report, structured_report
from wce_desktop.library.exchange.exporting import export_library
from wce_desktop.library.exchange.finding_rows import FINDING_ROW
from wce_desktop.session.session import Session
from wce_desktop.widgets.chips import Chips
from wce_desktop.widgets.inputs import ChoiceBox

ENTERED = {"distance_cm": 42.5, "stigma": "pinpoint", "side": "left", "location_text": "behind the fold"}


def entered(finding: Finding) -> dict[str, object]:
    return {name: getattr(finding, name) for name in ENTERED}


def fill_in(window: object, form: object) -> None:
    for name, value in ENTERED.items():
        box = form.entries[name]  # type: ignore[attr-defined]
        match box:
            case ChoiceBox() | Chips():
                choose(box, str(value))
            case NumberEdit():
                box.setFocus()
                box.selectAll()
                QTest.keyClicks(box, str(value))
            case CommentEdit():
                QTest.keyClicks(box, str(value))
    form.save_texts()  # type: ignore[attr-defined]


def test_further_entries_go_everywhere(qtbot: QtBot, tmp_path: Path) -> None:
    with main_window(qtbot, tmp_path) as window:
        form = new_finding(qtbot, window)
        session = window.session
        assert session.reading is not None
        before = frozen_content(session, session.reading)
        fill_in(window, form)
        assert entered(stored(window)) == ENTERED
        shown = window.features.reading.findings._list.item(0).text()
        assert "42.5 cm, pinpoint, left, behind the fold" in shown
        press(window, "undo")  # the text, which was the last
        assert entered(stored(window)) == ENTERED | {"location_text": ""}
        press(window, "redo")
        _in_reports(session, before)
        folder = session.library.folder
    with Library.open(folder, "reader") as library:
        _in_files(library, tmp_path)


def _in_reports(session: Session, before: str) -> None:
    assert session.reading is not None
    rows = {row.name: row.text for row in gather(session).findings[0].rows}
    assert rows.items() >= {"Distance": "42.5 cm", "Stigma": "a pinpoint", "Side": "left"}.items()
    assert rows["Location"] == "behind the fold"
    record = session.library.studies.record(session.reading.study.study_id)
    taught = [without_identity(gather(session), record, frozenset(), with_free_text=free) for free in (False, True)]
    assert ["Location" in {row.name for row in report.findings[0].rows} for report in taught] == [False, True]
    now = frozen_content(session, session.reading)
    assert not is_same(before, now)
    older = json.loads(before)
    for finding in older["findings"]:
        for name in ENTERED:
            del finding[name]
    assert is_same(json.dumps(older), before), "a report that was signed before there was such an entry"
    assert shown_content(now)["findings"].popitem()[1].items() >= ENTERED.items()
    lines = [sentence(each, with_contents=True) for each in session.library.audit.entries()]
    assert any("distance" in line and "42.5" in line for line in lines)
    assert any("stigma entered as “pinpoint”" in line for line in lines)
    assert not any("fold" in sentence(each, with_contents=False) for each in session.library.audit.entries())


def _in_files(library: Library, folder: Path) -> None:
    (study,) = library.studies.all()
    (finding,) = library.annotations.findings(study.study_id)
    assert entered(finding.without_free_text()) == ENTERED | {"location_text": ""}
    export_library(library, folder / "out", has_free_text=True)
    (row,) = read_findings(folder / "out" / "findings.csv", None, FINDING_ROW)
    assert row.model_dump().items() >= ENTERED.items()
    labels = library.annotations.labels(study.study_id)
    library.annotations.edit(study.study_id, "remove", [*map(Remove, labels), Remove(finding)])
    apply_import(library, plan_import(library, folder / "out", ["polyp", "ulcer", "blood", "normal"]))
    (back,) = library.annotations.findings(study.study_id)
    assert entered(back) == ENTERED
    library.annotations.edit(study.study_id, "again", [Remove(back)])
    exported = a_study(replace(a_finding(), finding=replace(finding, study_id="s-01")))
    structured_report(exported, None, Uids()).save_as(folder / "report.dcm", enforce_file_format=True)
    assert entered(read_report(folder / "report.dcm")[1][0].finding) == ENTERED
    bundle = json.dumps(diagnostic_report(exported))
    for part in (
        '"value": 42.5, "unit": "cm"',
        '"code": "pinpoint", "display": "Pinpoint bleeding"',
        "behind the fold",
    ):
        assert part in bundle
