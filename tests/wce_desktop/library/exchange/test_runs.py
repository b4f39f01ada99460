"""Runs of images: what a manifest's spans say of time."""

from pathlib import Path

import pytest

from tests.wce_desktop.library.exchange.conftest import FRAMES, write_images
from training.datasets.manifest import Manifest, StudyEntry, StudySpan, save_manifest
from training.video import fingerprint
from wce_desktop.core.span import Span
from wce_desktop.library import Library
from wce_desktop.library.exchange import apply_import, export_library, plan_import
from wce_desktop.library.exchange.planning import runs_of


@pytest.mark.parametrize(
    ("spans", "runs"),
    [
        ([(0, 3, ""), (3, 30, "")], [(0, 3), (3, 30)]),
        ([(5, 9, "")], [(0, 5), (5, 9), (9, 30)]),  # frames of no span stay in the study
        ([(0, 10, ""), (10, 20, "small bowel"), (20, 30, "colon")], None),  # landmarks
        ([(0, 10, "colon"), (10, 30, "colon")], [(0, 10), (10, 30)]),
        ([(0, 31, "")], None),
        ([(10, 31, ""), (0, 12, "")], [(0, 10), (10, 12), (12, 30)]),  # past the end, and over another
        ([], None),
    ],
)
def test_spans_of_images_cut_a_study_into_runs(
    tmp_path: Path, spans: list[tuple[int, int, str]], runs: list[tuple[int, int]] | None
) -> None:
    said = tuple(StudySpan(start=start, stop=stop, region=region) for start, stop, region in spans)
    entry = StudyEntry(study_id="S", patient_id="P", path=tmp_path, spans=said)
    assert runs_of(entry, FRAMES) == (None if runs is None else tuple(Span(*run) for run in runs))
    assert runs_of(entry.model_copy(update={"path": tmp_path / "video.mp4"}), FRAMES) is None
    assert runs_of(entry.model_copy(update={"kind": "stills"}), FRAMES) == ()


def test_a_study_that_was_there_before_learns_its_runs_once(library: Library, tmp_path: Path) -> None:
    path = write_images(tmp_path / "images")
    library.studies.add(path, study_id="mine", patient_id="P", fingerprint=fingerprint(path), frame_count=FRAMES)
    spans = (StudySpan(start=0, stop=4), StudySpan(start=4, stop=30))
    entry = StudyEntry(study_id="theirs", patient_id="P", path=path, spans=spans)
    save_manifest(tmp_path / "manifest.json", Manifest(studies=(entry,)))
    plan = plan_import(library, tmp_path / "manifest.json", ())
    assert plan.lines == ("mine: its images are consecutive only within 2 sequences",)
    assert not plan.is_empty
    apply_import(library, plan)
    assert library.studies.get("mine").runs == (Span(0, 4), Span(4, 30))
    assert plan_import(library, tmp_path / "manifest.json", ()).is_empty


def test_stills_are_told_before_they_are_noted(library: Library, tmp_path: Path) -> None:
    path = write_images(tmp_path / "images")
    library.studies.add(path, study_id="S", patient_id="P", fingerprint=fingerprint(path), frame_count=FRAMES)
    entry = StudyEntry(study_id="S", patient_id="P", path=path, kind="stills")
    save_manifest(tmp_path / "manifest.json", Manifest(studies=(entry,)))
    plan = plan_import(library, tmp_path / "manifest.json", ())
    assert plan.lines == ("S: its images are separate stills, not consecutive frames",)
    apply_import(library, plan)
    export_library(library, tmp_path / "out", has_paths=True)
    assert '"kind": "stills"' in (tmp_path / "out" / "manifest.json").read_text(encoding="utf-8")
