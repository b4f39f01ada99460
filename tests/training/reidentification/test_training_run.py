"""A training of re-identification as a whole: from boxes and from scores, resumed, and refused."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.training.reidentification.scored import FRAMES, settings, write_phantom, write_scores
from training.commands.common import find_command
from training.datasets.findings import LinkRow, read_boxes, write_boxes, write_links
from training.datasets.labels import read_labels, write_labels
from training.datasets.manifest import load_manifest
from training.errors import UserError
from training.files.csv_text import read_dicts
from training.files.safetensors import load_arrays
from training.models.folder import ModelFolder
from training.reidentification.linked import NO_TRACKLET
from training.reidentification.model import ReidModel
from training.reidentification.run_settings import ReidConfig
from training.reidentification.training_run import train_reid
from training.runs.reporter import SilentReporter


class Stops(SilentReporter):
    """Asks for a stop after a number of points."""

    def __init__(self, after: int = 10**9) -> None:
        self.stop_requested = False
        self.lines: list[str] = []
        self._left = after

    def partial(self, name: str, payload: Mapping[str, Any]) -> None:
        """Count."""
        self._left -= 1
        self.stop_requested = self._left <= 0

    def log(self, line: str) -> None:
        """Keep."""
        self.lines.append(line)


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_phantom(tmp_path_factory.mktemp("studies"))


@pytest.fixture(scope="module")
def finished(studies: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = tmp_path_factory.mktemp("runs") / "whole"
    result = train_reid(ReidConfig.checked(**settings(studies, run)), SilentReporter())
    assert (result["finished"], result["steps_done"], result["steps"]) == (True, 6, 6)
    return run


def curve(run: Path) -> list[dict[str, str]]:
    with (run / "metrics.csv").open(newline="", encoding="utf-8") as file:
        return [{name: value for name, value in row.items() if name != "images_per_second"} for row in read_dicts(file)]


def test_the_run_folder_says_what_was_trained_on(finished: Path) -> None:
    card = json.loads((finished / "card.json").read_text())
    assert card["kind"] == "re-identification"
    assert card["data"]["patients"] == 3
    assert card["data"]["held_out_patients"] == 1
    assert card["data"]["tracklets"] > 0
    assert set(card["split"]["training_patients"]).isdisjoint(card["split"]["held_out_patients"])
    assert card["limit"]["distance"] == ReidModel.open(finished).config.limit
    rows = curve(finished)
    assert [bool(row["single_frame_loss"]) for row in rows] == [True] * 3 + [False] * 3
    assert [bool(row["multi_view_loss"]) for row in rows] == [False] * 3 + [True] * 3
    assert not (finished / "crops.tmp").exists()
    assert ReidModel.open(finished).encoder().cls.shape == (16,)


@pytest.mark.parametrize("after", [2, 3, 4])
def test_stopped_and_resumed_equals_a_run_without_interruption(
    studies: Path, finished: Path, tmp_path: Path, after: int
) -> None:
    run = tmp_path / "run"
    stopped = train_reid(ReidConfig.checked(**settings(studies, run)), Stops(after))
    assert (stopped["finished"], stopped["steps_done"]) == (False, after)
    resumed = train_reid(ReidConfig.checked(**settings(studies, run, resume=True)), SilentReporter())
    assert resumed["finished"]
    assert curve(run) == curve(finished)
    ours, theirs = (load_arrays(each / "model" / "model.safetensors") for each in (run, finished))
    assert all(np.array_equal(ours[name], theirs[name]) for name in theirs)


def test_a_resumed_run_keeps_its_settings(studies: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    train_reid(ReidConfig.checked(**settings(studies, run)), Stops(1))
    with pytest.raises(UserError, match="started with views = 2, not 4"):
        train_reid(ReidConfig.checked(**settings(studies, run, resume=True, views=4)), SilentReporter())


def test_events_of_scored_frames_are_tracklets_and_a_study_without_events_is_said(
    studies: Path, tmp_path: Path
) -> None:
    *scored, quiet = load_manifest(studies / "manifest.json").studies
    for study in scored:
        write_scores(tmp_path / "scores" / f"{study.study_id}.h5", study.path)
    write_scores(tmp_path / "scores" / "quiet.h5", quiet.path, np.full((FRAMES, 3), 0.1, np.float32))
    given = settings(studies, tmp_path / "run", labels=None, boxes=None, embeddings=tmp_path / "scores")
    reporter = Stops()
    result = train_reid(ReidConfig.checked(**given), reporter)
    assert (result["tracklets"], result["patients"]) == (9, 3)
    assert any(line == f"Study {quiet.study_id} has no event at the threshold 0.5." for line in reporter.lines)
    with pytest.raises(UserError, match="None of 4 studies has a tracklet"):
        train_reid(ReidConfig.checked(**given | {"threshold": 0.99, "out": tmp_path / "other"}), SilentReporter())
    assert not (tmp_path / "other").exists()


def test_linked_tracklets_train_as_one_finding(studies: Path, finished: Path, tmp_path: Path) -> None:
    trained = json.loads((finished / "split.json").read_text())["training_patients"]
    study = next(one for one in load_manifest(studies / "manifest.json").studies if one.patient_id == trained[0])
    labels = [row for row in read_labels(studies / "labels.csv") if row.study_id == study.study_id and row.finding_id]
    first, *others = (row for row in labels if row.stop - row.start >= 3)
    other = next(row for row in others if row.finding_id != first.finding_id)
    ends = {"study_id": study.study_id, "other_study_id": study.study_id}
    link = LinkRow(
        **ends, frame_index=first.start, other_frame_index=other.start, is_same=True,
        name=first.label, other_name=other.label,
    )  # fmt: skip
    write_links(tmp_path / "links.csv", [link, link.model_copy(update={"other_frame_index": FRAMES + 5})])
    reporter, run = Stops(), tmp_path / "run"
    train_reid(ReidConfig.checked(**settings(studies, run, links=tmp_path / "links.csv")), reporter)
    assert any(
        "of these tracklets are linked as the same, findings that they show: 1." in line for line in reporter.lines
    )
    assert f"1 of 2 links {NO_TRACKLET}." in reporter.lines
    data = json.loads((run / "card.json").read_text())["data"]
    before = json.loads((finished / "card.json").read_text())["data"]
    assert data["sha256"] != before["sha256"], "other findings"
    assert data["linked_tracklets"] >= 2 > before["linked_tracklets"] == 0
    assert data["tracklets"] == before["tracklets"], "each tracklet trains, linked or not"
    assert (run / "inputs" / "links.csv").is_file()
    assert curve(run) != curve(finished)


def test_links_beside_the_labels_are_taken_and_empty_ones_change_nothing(
    studies: Path, finished: Path, tmp_path: Path
) -> None:
    shutil.copyfile(studies / "labels.csv", tmp_path / "labels.csv")
    write_links(tmp_path / "links.csv", [])
    run = tmp_path / "run"
    config = ReidConfig.checked(**settings(studies, run, labels=tmp_path / "labels.csv"))
    assert config.links_file == tmp_path / "links.csv"
    train_reid(config, Stops(2))
    assert curve(run) == curve(finished)[:2]
    resumed = ReidConfig.checked(**settings(studies, run, resume=True))
    assert train_reid(resumed, Stops(1))["steps_done"] == 3, "the links of the run folder are used, not others"
    assert curve(run) == curve(finished)[:3]


def test_unusable_links_are_refused(studies: Path, tmp_path: Path) -> None:
    (tmp_path / "links.csv").write_text("study_id,frame_index\nA,1\n", encoding="utf-8")
    assert "has no column other_study_id" in refusal(studies, tmp_path, links=tmp_path / "links.csv")


def test_boxes_without_findings_are_tracked(studies: Path, tmp_path: Path) -> None:
    boxes = [box.model_copy(update={"finding_id": ""}) for box in read_boxes(studies / "boxes.csv")]
    write_boxes(tmp_path / "boxes.csv", boxes)
    given = settings(studies, tmp_path / "run", labels=None, boxes=tmp_path / "boxes.csv")
    result = train_reid(ReidConfig.checked(**given), Stops(1))
    assert result["tracklets"] >= 3
    assert result["patients"] == 3


def refusal(folder: Path, tmp_path: Path, **changes: Any) -> str:
    """The sentence with which a training is refused."""
    with pytest.raises(UserError) as error:
        train_reid(ReidConfig.checked(**settings(folder, tmp_path / "run", **changes)), SilentReporter())
    assert not (tmp_path / "run").exists(), "nothing is left of a refused run"
    return error.value.message


def test_tracklets_of_one_frame_are_refused(studies: Path, tmp_path: Path) -> None:
    firsts = {row.study_id: row for row in reversed(read_boxes(studies / "boxes.csv"))}
    write_boxes(tmp_path / "boxes.csv", firsts.values())
    sentence = refusal(studies, tmp_path, boxes=tmp_path / "boxes.csv")
    assert sentence.startswith("None of ")
    assert "tracklets lasts 0 s with 3 confident" in sentence


def test_one_procedure_is_refused(studies: Path, tmp_path: Path) -> None:
    content = json.loads((studies / "manifest.json").read_text())
    first = content["studies"][0]
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"studies": [{**first, "path": str(studies / first["path"])}]}))
    assert "of one procedure" in refusal(studies, tmp_path, studies=manifest)


def test_overlapping_tracklets_of_one_finding_are_refused(studies: Path, tmp_path: Path) -> None:
    rows = read_labels(studies / "labels.csv")
    found = next(row for row in rows if row.finding_id and row.stop - row.start > 2)
    write_labels(tmp_path / "labels.csv", [*rows, found.model_copy(update={"start": found.start + 1})])
    assert "overlap in time" in refusal(studies, tmp_path, labels=tmp_path / "labels.csv")


def test_boxes_outside_the_frame_are_refused(studies: Path, tmp_path: Path) -> None:
    first, *others = read_boxes(studies / "boxes.csv")
    outside = [first.model_copy(update={"x_max": 500.0}), *others]
    write_boxes(tmp_path / "boxes.csv", outside)
    assert "beyond the frame" in refusal(studies, tmp_path, boxes=tmp_path / "boxes.csv")


def test_settings_that_do_not_fit_are_refused(studies: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="give boxes, with the labels"):
        ReidConfig.checked(studies=studies / "manifest.json", out=tmp_path)
    with pytest.raises(UserError, match="attention heads do not divide"):
        ReidConfig.checked(**settings(studies, tmp_path, heads=3))
    assert find_command("train-reid")[0] is ReidConfig


def test_an_altered_model_folder_is_refused(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished / "model", tmp_path / "model")
    config = tmp_path / "model" / "config.json"
    config.write_text(config.read_text().replace('"views": 2', '"views": 3'))
    with pytest.raises(UserError, match="wrong hash"):
        ReidModel.open(tmp_path / "model")


def test_models_of_another_kind_are_refused(finished: Path) -> None:
    with pytest.raises(UserError, match="is a re-identification model"):
        ModelFolder.open(finished)
    with pytest.raises(UserError, match="is not a re-identification model"):
        ReidModel.open(Path("resources/models/starter"))
