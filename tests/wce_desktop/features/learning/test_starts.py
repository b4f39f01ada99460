"""What a fine-tuning of the model in use starts from, and which model is then its parent."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wce_desktop.library.conftest import make_label
from tests.wce_desktop.sessions import add_study, make_session, write_model
from wce_desktop.core.annotation.change import Add
from wce_desktop.features.learning.changed_flags import register_candidate
from wce_desktop.features.learning.model.starts import Start, default_start, starts
from wce_desktop.library.run_files import encodes_clips, read_curves
from wce_desktop.library.runs import Run
from wce_desktop.library.unfinished_runs import can_start_from
from wce_desktop.session.session import Session


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """A model of synthetic images is in use; a real study has a label."""
    made = make_session(tmp_path)
    assert made.current_model is not None
    (made.current_model.folder / "card.json").write_text(json.dumps({"trained_on": "synthetic"}), encoding="utf-8")
    study = add_study(made, tmp_path)
    made.library.annotations.edit(study.study_id, "label", [Add(make_label(study.study_id, 7, 8, "polyp"))])
    yield made
    made.library.close()


def test_imagenet_weights_have_no_parent(session: Session) -> None:
    assert default_start(session, "default") == Start("ImageNet weights", "imagenet")


def test_the_classifier_of_the_model_in_use_has_it_as_its_parent(session: Session) -> None:
    model = session.current_model
    assert model is not None
    assert default_start(session, "linear") == Start(model.title, str(model.folder), model.model_id)


def test_a_candidate_without_a_parent_is_compared_with_the_model_in_use(session: Session, tmp_path: Path) -> None:
    run = session.library.runs.add("Fine-tuned 1")
    write_model(tmp_path / "made", "new", 0.5).rename(run.folder / "model")
    model = session.current_model
    assert model is not None
    (run.folder / "comparison.json").write_text(json.dumps({"old_model": model.model_id}), encoding="utf-8")
    candidate = register_candidate(session, run, "")
    assert candidate.model.parent_id is None
    assert candidate.old_title == model.title


def pretrained(session: Session, title: str, method: str) -> Run:
    """A pretraining that left weights."""
    run = session.library.runs.add(title, kind="pretrain")
    (run.folder / "kept").mkdir(parents=True)
    (run.folder / "kept" / "step-000010.safetensors").touch()
    (run.folder / "config.json").write_text(json.dumps({"command": "pretrain", "config": {"method": method}}))
    return run


def test_encoders_of_clips_and_networks_of_frames_start_from_their_own_kind(session: Session) -> None:
    frames, clips = pretrained(session, "Frames", "simclr"), pretrained(session, "Clips", "videomae")
    assert (encodes_clips(frames), encodes_clips(clips)) == (False, True)
    assert (can_start_from(frames), can_start_from(clips)) == (True, False)
    random = Start("Random weights", "random")
    from_clips = Start("Pretraining: Clips", str(clips.folder), run_id=clips.run_id)
    assert starts(session, "pretrain", "videomae") == (random, from_clips)
    assert starts(session, "pretrain", "colo-scrl") == (from_clips, random)  # as published
    for found in (starts(session, "pretrain", "simclr"), starts(session, "finetune", "tl-ba")):
        assert frames.run_id in {start.run_id for start in found}
        assert clips.run_id not in {start.run_id for start in found}


def test_the_validation_loss_of_a_run_is_among_its_curves(session: Session) -> None:
    run = pretrained(session, "Clips", "colo-scrl")
    (run.folder / "validation.csv").write_text("step,loss\n0,2.5\n10,1.5\n")
    assert read_curves(run.folder)["Validation loss"].values.tolist() == [2.5, 1.5]
