"""Classes without labels: what keeps them, what is said of them, and which frames may serve."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.training.datasets.frames import labelled
from tests.training.finetuning.test_run import Listener, config, curve
from tests.training.pretraining.tiny_studies import write_tiny_studies
from training.datasets.labels import LabelRow, read_labels, write_labels
from training.datasets.split import Split
from training.finetuning.config import FinetuneConfig
from training.finetuning.start import finetune
from training.finetuning.training_set import Labelled, TrainingSet
from training.finetuning.unlabelled import candidates, choose, filled_up, held_out_frames, training_frames
from training.models.folder import ModelFolder
from training.models.network import load_network
from training.runs.reporter import SilentReporter

KINDS = ("normal", "polyp", "blood")


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Studies of other patients, in which polyps have no label."""
    folder = write_tiny_studies(tmp_path_factory.mktemp("new"), patients=4, frames=36, kinds=KINDS)
    content = (folder / "manifest.json").read_text().replace('"patient_id": "P', '"patient_id": "Q')
    (folder / "manifest.json").write_text(content)
    kept = [row for row in read_labels(folder / "labels.csv") if row.label != "polyp"]
    write_labels(folder / "labels.csv", kept)
    return folder


def asked(old: Path, studies: Path, out: Path, **fields: Any) -> FinetuneConfig:
    plain: dict[str, Any] = {
        "init": str(old),
        "input_size": None,
        "steps": 30,
        "learning_rate": 5e-3,
        "rehearsal_frames": 36,
        "evaluations": 0,
    }
    return config(studies, out, **{**plain, **fields})


@pytest.fixture(scope="module")
def kept_run(old: Path, studies: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    run, listener = tmp_path_factory.mktemp("kept") / "run", Listener()
    return run, finetune(asked(old, studies, run), listener), listener.said


def comparison(run: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((run / "comparison.json").read_text())
    return content


def test_a_class_without_labels_is_kept_and_has_a_row(
    kept_run: tuple[Path, dict[str, Any], str], old: Path, studies: Path, tmp_path: Path
) -> None:
    run, _, _ = kept_run
    row = comparison(run)["unlabelled"]["polyp"]
    assert set(row) == {"frames", "old_flagged", "new_flagged", "agreement"}
    assert row["frames"] == 36  # 24 with labels, 12 without
    assert row["old_flagged"] >= 10
    assert abs(row["new_flagged"] - row["old_flagged"]) <= 2
    assert row["agreement"] > 0.98
    finetune(asked(old, studies, tmp_path / "lost", rehearsal_frames=0), SilentReporter())
    lost = comparison(tmp_path / "lost")["unlabelled"]["polyp"]
    assert lost["agreement"] < row["agreement"] - 0.02, "otherwise this test shows nothing"


def test_log_and_card_say_what_kept_it(
    kept_run: tuple[Path, dict[str, Any], str], old: Path, studies: Path, tmp_path: Path
) -> None:
    run, result, said = kept_run
    sentence = "Classes of the model without labels in this run: polyp. 36 frames keep what the old model knew of them."
    assert sentence in said
    assert ModelFolder.open(Path(result["model"])).card["unlabelled_sentence"] == sentence
    listener = Listener()
    finetune(asked(old, studies, tmp_path / "run", steps=1, rehearsal_frames=0), listener)
    assert "may have forgotten them" in listener.said
    assert "rehearsal" in (run / "metrics.csv").read_text().splitlines()[0].split(",")


def test_no_frame_of_a_held_out_patient_and_no_labelled_one_is_rehearsed(
    kept_run: tuple[Path, dict[str, Any], str],
) -> None:
    split = json.loads((kept_run[0] / "split.json").read_text())
    used = {
        study.replace("P", "Q").removesuffix("-study"): frames for study, frames in split["rehearsed_frames"].items()
    }
    assert set(used) == set(split["training_patients"])
    assert all(frames == list(range(12, 24)) for frames in used.values())


@pytest.mark.parametrize("method", ["tl-ba", "tl-bh", "cross-entropy"])
def test_every_method_stops_and_resumes_to_the_same_model(
    method: str, old: Path, studies: Path, tmp_path: Path
) -> None:
    whole = finetune(asked(old, studies, tmp_path / "whole", steps=4, method=method), SilentReporter())
    part = asked(old, studies, tmp_path / "part", steps=4, method=method)
    assert not finetune(part, Listener(stop_after=2))["finished"]
    rest = finetune(part.model_copy(update={"resume": True}), SilentReporter())
    assert curve(tmp_path / "whole") == curve(tmp_path / "part")
    states = [load_network(ModelFolder.open(Path(one["model"]))).state_dict() for one in (whole, rest)]
    assert all(torch.equal(states[0][name], states[1][name]) for name in states[0])


def test_a_run_of_an_older_version_resumes_without_rehearsal(old: Path, studies: Path, tmp_path: Path) -> None:
    part = asked(old, studies, tmp_path / "part", steps=4, rehearsal_frames=0)
    finetune(part, Listener(stop_after=2))
    file = tmp_path / "part" / "config.json"
    content = json.loads(file.read_text())
    for name in ("rehearsal_frames", "rehearsal_share", "rehearsal_weight"):
        del content["config"][name]
    file.write_text(json.dumps(content))
    resumed = config(studies, tmp_path / "part", init=str(old), input_size=None, steps=None, resume=True)
    finetune(resumed, SilentReporter())
    finetune(asked(old, studies, tmp_path / "whole", steps=4, rehearsal_frames=0), SilentReporter())
    assert curve(tmp_path / "part") == curve(tmp_path / "whole")


def test_both_stages_keep_it(old: Path, studies: Path, tmp_path: Path) -> None:
    settings = {"learning_rate": 1e-9, "batch_norm": "frozen"}
    result = finetune(asked(old, studies, tmp_path / "run", steps=1, **settings), SilentReporter())
    assert result["stages"]["agreement"]["linear"]["polyp"] > 0.98
    row = comparison(tmp_path / "run")["unlabelled"]["polyp"]
    assert row["agreement"] > 0.98
    assert abs(row["new_flagged"] - row["old_flagged"]) <= 2


def test_one_patient_is_compared_on_the_studies_of_the_training_and_told(
    old: Path, studies: Path, tmp_path: Path
) -> None:
    rows = [row for row in read_labels(studies / "labels.csv") if row.study_id == "P0-study"]
    write_labels(tmp_path / "labels.csv", rows)
    one = asked(old, studies, tmp_path / "run", steps=1, labels=tmp_path / "labels.csv")
    finetune(one, SilentReporter())
    told = comparison(tmp_path / "run")
    assert told["split"] == "time"
    assert "Nobody is held out" in told["unlabelled_note"]
    assert told["unlabelled"]["polyp"]["frames"] > 12, "the labelled frames are fewer"


def test_the_highest_scores_are_chosen_and_the_others_evenly() -> None:
    scores = np.zeros((100, 2), dtype=np.float32)
    scores[[7, 8], 0] = 0.9
    scores[[50], 1] = 0.8
    chosen = choose(scores, 8)
    assert {7, 8, 50} <= set(chosen.tolist())
    assert len(chosen) == len(set(chosen.tolist())) == 8
    assert np.diff(chosen).max() <= 50
    assert choose(scores[:3], 8).tolist() == [0, 1, 2]
    assert choose(scores[:0], 8).tolist() == []


def data(kind: Any, held_out: range, spans: Any = (), more: Sequence[LabelRow] = ()) -> TrainingSet:
    """One study of 100 frames: 0 to 9 and 90 to 99 have labels."""
    frames = labelled([("A", 0, 5, 0), ("A", 5, 10, 1), ("A", 90, 95, 0), ("A", 95, 100, 1)])
    frames = replace(frames, studies=(frames.studies[0].model_copy(update={"spans": spans}),))
    apart = np.isin(frames.frame_index, list(held_out))
    split = Split(kind, ~apart, apart, ("A",), ("A",) if kind == "time" else ("B",), gap_frames=5)
    rows = [LabelRow(study_id="study of A", start=start, stop=start + 10, label="x") for start in (0, 90)]
    return TrainingSet(split, Labelled(frames, (*rows, *more), {"study of A": 100}), frames, frames)


def test_frames_near_held_out_blocks_of_time_are_not_rehearsed() -> None:
    known = training_frames(data("time", range(90, 100)), 1000).frame_index
    assert known.tolist() == list(range(10, 50))  # 50 and later are nearer to the held-out block
    assert training_frames(data("patients", range(0)), 1000).frame_index.tolist() == list(range(10, 90))
    assert len(training_frames(data("patients", range(0)), 8)) == 8
    assert held_out_frames(data("time", range(90, 100)), 1000).frame_index.tolist() == list(range(10, 90))
    assert len(held_out_frames(data("patients", range(0)), 1000)) == 0


def test_a_network_that_forgets_is_not_kept(old: Path, studies: Path, tmp_path: Path) -> None:
    forgetting = asked(old, studies, tmp_path / "run", steps=6, learning_rate=0.1)
    result = finetune(forgetting, SilentReporter())
    agreement = result["stages"]["agreement"]
    assert agreement["network"]["polyp"] < agreement["linear"]["polyp"], "otherwise this test shows nothing"
    assert result["stages"]["used"] == "linear"
    assert comparison(tmp_path / "run")["unlabelled"]["polyp"]["agreement"] == agreement["linear"]["polyp"]


def test_labelled_frames_stand_in_unless_the_old_model_contradicts_the_label(
    old: Path, studies: Path, tmp_path: Path
) -> None:
    """All frames of the studies have labels; the polyps among them are called normal."""
    rows = [replaced for row in read_labels(studies / "labels.csv") for replaced in with_polyps_as_normal(row)]
    write_labels(tmp_path / "labels.csv", rows)
    run = tmp_path / "run"
    finetune(asked(old, studies, run, labels=tmp_path / "labels.csv", rehearsal_frames=1000), SilentReporter())
    used = json.loads((run / "split.json").read_text())["rehearsed_frames"]
    shown = [frame for frames in used.values() for frame in frames]
    assert len(shown) >= 60
    assert sum(12 <= frame < 24 for frame in shown) <= 3, "on these the old model says polyp"


def with_polyps_as_normal(row: LabelRow) -> list[LabelRow]:
    return [row, row.model_copy(update={"start": 12, "stop": 24})] if row.label == "normal" else [row]


def test_too_few_frames_without_labels_are_filled_up_in_order() -> None:
    without = training_frames(data("patients", range(0)), 8)
    training = data("patients", range(0)).training
    found = filled_up(without, training, 12)
    assert len(found) == 12
    assert (np.diff(found.frame_index) > 0).all()
    assert filled_up(without, training, 8).frame_index.tolist() == without.frame_index.tolist()


def test_frames_of_which_a_class_was_rejected_are_not_rehearsed() -> None:
    rejected = [
        LabelRow(study_id="study of A", start=start, stop=stop, label="x", answer="no")
        for start, stop in ((4, 6), (10, 80))
    ]
    training = data("patients", range(0), more=rejected)
    assert training_frames(training, 1000).frame_index.tolist() == list(range(80, 90))
    assert candidates(training, 1000).frame_index.tolist() == [0, 1, 2, 3, 6, 7, 8, 9, *range(80, 100)]
