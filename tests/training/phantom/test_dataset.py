"""The written data set: readable tables, videos with the right frames, resumable, stoppable."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from tests.training.phantom.studies import rendered
from training.datasets.findings import read_boxes, read_findings
from training.datasets.labels import read_labels
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.files.outputs import ForeignFileError
from training.phantom.dataset import write_studies
from training.phantom.patient import PhantomConfig
from training.phantom.record import truth_path
from training.runs.reporter import Cancelled, SilentReporter

SMALL = {"frames": 40, "size_px": 48, "seed": 2, "positive_share": 0.2}


class Listener(SilentReporter):
    """Remembers progress; asks to stop or cancels once enough was heard."""

    def __init__(self, stop_after: int = 10**9, cancel_after: int = 10**9) -> None:
        self.heard: list[tuple[int, int, str, str]] = []
        self.lines: list[str] = []
        self._stop_after, self._cancel_after = stop_after, cancel_after

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]  # a plain attribute in the silent one
        return len(self.heard) >= self._stop_after

    def check(self) -> None:
        if len(self.heard) >= self._cancel_after:
            raise Cancelled

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        self.heard.append((done, total, unit, what))

    def log(self, line: str) -> None:
        self.lines.append(line)


def _write(folder: Path, studies: int = 2, reporter: SilentReporter | None = None, **more: Any) -> Path:
    return write_studies(folder, studies=studies, reporter=reporter or SilentReporter(), **{**SMALL, **more})


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two passes through one patient and one through another."""
    folder = tmp_path_factory.mktemp("phantom")
    _write(folder, studies=3, passes=2)
    return folder


def _truth(data: Path, study: str) -> Mapping[str, Any]:
    truth: Mapping[str, Any] = json.loads(truth_path(data / "videos" / f"{study}.mp4").read_text("utf-8"))
    return truth


def test_the_manifest_names_patients_and_regions(data: Path) -> None:
    manifest = load_manifest(data / "manifest.json")
    assert [(study.study_id, study.patient_id) for study in manifest.studies] == [
        ("P01a", "P01"),
        ("P01b", "P01"),
        ("P02a", "P02"),
    ]
    for study in manifest.studies:
        assert study.path.is_file()
        assert [span.region for span in study.spans] == ["stomach", "small bowel", "colon"]
        assert [span.start for span in study.spans][1:] == [span.stop for span in study.spans][:-1]
        assert (study.spans[0].start, study.spans[-1].stop) == (0, 40)
    assert json.loads((data / "manifest.json").read_text())["studies"][0]["path"] == "videos/P01a.mp4"


def test_labels_are_the_truth_frame_by_frame(data: Path) -> None:
    rows = read_labels(data / "labels.csv")
    for study in ("P01a", "P02a"):
        said: list[set[str]] = [set() for _ in range(40)]
        for row in rows:
            for frame in range(row.start, row.stop) if row.study_id == study else ():
                said[frame].add(row.label)
        assert [sorted(names) for names in said] == [frame["labels"] for frame in _truth(data, study)["frames"]]
    assert {row.source for row in rows} == {"reader"}
    assert {row.label for row in rows} > {"normal"}


def test_findings_and_boxes_belong_to_labels(data: Path) -> None:
    rows = read_labels(data / "labels.csv")
    findings = {finding.finding_id: finding for finding in read_findings(data / "findings.csv")}
    assert set(findings) == {row.finding_id for row in rows if row.label != "normal"}
    for finding in findings.values():
        assert finding.size_mm is not None
        assert finding.morphology in ("sessile", "pedunculated", "undefined")
    labelled = {(row.study_id, frame, row.label) for row in rows for frame in range(row.start, row.stop)}
    boxes = read_boxes(data / "boxes.csv")
    assert boxes
    assert {box.finding_id for box in boxes} == set(findings)
    assert {(box.study_id, box.frame_index, box.label) for box in boxes} == {
        key for key in labelled if key[2] != "normal"
    }


def test_the_video_holds_the_rendered_frames(data: Path) -> None:
    config = PhantomConfig(40, 2, 48, 0, 2, 0, 0.2)
    frames, _ = rendered(config)
    with av.open(str(data / "videos" / "P01a.mp4")) as container:
        decoded = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
        assert container.streams.video[0].average_rate == 2
    assert len(decoded) == 40
    for shown, wanted in zip(decoded, frames, strict=True):
        assert np.abs(shown.astype(int) - wanted).mean() < 8


def test_rate_of_video_clock_and_truth(tmp_path: Path) -> None:
    _write(tmp_path, studies=1, frames_per_second=10, speed=0.5, alike=True, positive_share=0.4)
    with av.open(str(tmp_path / "videos" / "P01.mp4")) as container:
        assert container.streams.video[0].average_rate == 10
    truth = _truth(tmp_path, "P01")
    assert truth["frames_per_second"] == 10
    assert {lesion["pits"] for lesion in truth["lesions"]} <= {"round", "tubular"}
    kept = (tmp_path / "videos" / "P01.mp4").stat().st_mtime_ns
    _write(tmp_path, studies=1, frames_per_second=10, speed=0.5, alike=True, positive_share=0.4)
    assert (tmp_path / "videos" / "P01.mp4").stat().st_mtime_ns == kept


def test_landmarks_are_first_frames(data: Path) -> None:
    truth = _truth(data, "P02a")
    regions = [frame["region"] for frame in truth["frames"]]
    assert truth["landmarks"] == {region: regions.index(region) for region in ("stomach", "small bowel", "colon")}


def test_finished_studies_are_kept_and_others_rendered_again(tmp_path: Path) -> None:
    _write(tmp_path, studies=1)
    video = tmp_path / "videos" / "P01.mp4"
    before = video.stat().st_mtime_ns
    listener = Listener()
    _write(tmp_path, studies=2, reporter=listener)
    assert video.stat().st_mtime_ns == before
    assert {what for *_, what in listener.heard} == {"rendering P02"}
    _write(tmp_path, studies=1, seed=3)
    assert video.stat().st_mtime_ns != before


def test_a_damaged_truth_is_rendered_again(tmp_path: Path) -> None:
    _write(tmp_path, studies=1)
    truth = tmp_path / "videos" / "P01.truth.json"
    whole = truth.read_text()
    truth.write_text(whole[:100])
    _write(tmp_path, studies=1)
    assert truth.read_text() == whole


def test_stop_finishes_the_study_at_work(tmp_path: Path) -> None:
    listener = Listener(stop_after=2)
    manifest = load_manifest(_write(tmp_path, studies=3, reporter=listener))
    assert [study.study_id for study in manifest.studies] == ["P01"]
    assert listener.heard[-1] == (40, 40, "frames", "rendering P01")
    assert any("stopped" in line for line in listener.lines)


def test_cancel_leaves_nothing_new(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        _write(tmp_path, studies=2, reporter=Listener(cancel_after=2))
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(UserError, match="file"):
        _write(tmp_path / "file", studies=1)


def test_no_studies_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="0 studies"):
        _write(tmp_path, studies=0)


@pytest.mark.parametrize("many", [{"studies": 10**12}, {"studies": 10_001}, {"studies": 0}, {"frames": 10**9}])
def test_absurd_numbers_are_refused_before_anything_is_begun(tmp_path: Path, many: Any) -> None:
    with pytest.raises(UserError, match="cannot be rendered"):
        write_studies(tmp_path / "out", reporter=SilentReporter(), **{"studies": 1, "frames": 40, **many})
    assert not (tmp_path / "out").exists()


def test_studies_that_do_not_fit_on_the_disk_are_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = shutil.disk_usage(tmp_path)._replace(free=5_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda place: free)
    with pytest.raises(UserError, match=r"2,000 studies of 40 frames need some 0\.2 GB; .* has 0\.0 GB left"):
        write_studies(tmp_path / "out", studies=2000, frames=40, reporter=SilentReporter())
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "name", ["labels.csv", "manifest.json", "boxes.csv", "videos/P01.mp4", "videos/P01.truth.json"]
)
def test_files_of_somebody_else_are_left_alone(name: str, tmp_path: Path) -> None:
    (tmp_path / "videos").mkdir()
    (tmp_path / name).write_text("mine", encoding="utf-8")
    listener = Listener()
    with pytest.raises(ForeignFileError, match=Path(name).name):
        _write(tmp_path, studies=2, reporter=listener)
    assert listener.heard == []  # said before anything is rendered
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / name]
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"
    _write(tmp_path, studies=1, frames=12, overwrite=True)
    assert (tmp_path / name).read_bytes() != b"mine"


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one study."""
    return _write(tmp_path_factory.mktemp("one"), studies=1).parent


def test_a_table_that_was_edited_is_left_alone(one: Path, tmp_path: Path) -> None:
    shutil.copytree(one, tmp_path, dirs_exist_ok=True)
    labels = tmp_path / "labels.csv"
    labels.write_text(edited := labels.read_text(encoding="utf-8") + "P01,1,2,polyp,,reader\n", encoding="utf-8")
    with pytest.raises(ForeignFileError, match=r"labels\.csv"):
        _write(tmp_path, studies=1)
    assert labels.read_text(encoding="utf-8") == edited


@pytest.mark.parametrize(
    ("key", "value"), [("landmarks", None), ("landmarks", {"stomach": "x"}), ("frames", ["x"]), ("lesions", [{"a": 1}])]
)
def test_a_truth_that_was_damaged_is_a_sentence(key: str, value: Any, one: Path, tmp_path: Path) -> None:
    shutil.copytree(one, tmp_path, dirs_exist_ok=True)
    path = next((tmp_path / "videos").glob("*.truth.json"))
    truth = json.loads(path.read_text(encoding="utf-8"))
    if value is None:
        del truth[key]
    else:
        truth[key] = value
    path.write_text(json.dumps(truth), encoding="utf-8")
    with pytest.raises(UserError, match="is damaged"):
        _write(tmp_path, studies=1)
