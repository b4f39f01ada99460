"""Two models on the same frames: figures, intervals, flags and events."""

import numpy as np

from training.metrics.comparison import EvaluatedFrames, ModelScores, compare, flag_counts, unlabelled_changes


def frames_of(patients: int, each: int = 10) -> EvaluatedFrames:
    """Of each patient half normal frames, half polyps, one after the other."""
    return EvaluatedFrames(
        names=("normal", "polyp"),
        labels=np.tile(np.repeat([0, 1], each // 2), patients),
        patients=np.repeat([f"P{number}" for number in range(patients)], each),
        studies=np.repeat(np.arange(patients), each),
        frame_index=np.tile(np.arange(each), patients),
    )


def model(frames: EvaluatedFrames, strength: float, classes: tuple[str, ...] = ("normal", "polyp")) -> ModelScores:
    """Scores that rise with the label by `strength`, and otherwise by chance."""
    chance = np.random.default_rng(3).random(len(frames.labels))
    track = (strength * frames.labels + chance) / (strength + 1)
    rest = [np.zeros_like(track)] * (len(classes) - 2)
    return ModelScores("m", classes, np.stack([1 - track, track, *rest], axis=1).astype(np.float32))


def test_it_holds_both_models_and_what_the_split_says() -> None:
    frames = frames_of(2)
    told = compare(frames, model(frames, 1, ("normal", "ulcer")), model(frames, 1), "time", "By time only.")
    assert told["classes"] == ["polyp"]
    assert told["old"]["polyp"]["auc"] is None
    assert told["new"]["polyp"]["auc"] > 0.9
    assert told["any"]["new"]["auc"] == told["new"]["polyp"]["auc"]
    assert told["warning"].startswith("Too little data")
    assert told["warning"].endswith("By time only.")
    assert (told["intervals"], told["unlabelled"]) == ({}, {})
    assert told["verdict"]["kind"] == "unknown"


def test_with_enough_patients_a_better_model_is_better_and_the_reverse_is_worse() -> None:
    frames = frames_of(8)
    weak, strong = model(frames, 0.3), model(frames, 2)
    up = compare(frames, weak, strong, "patients", "")
    assert up["verdict"] == {"kind": "better", "sentence": "Better for polyp."}
    assert up["intervals"]["polyp"]["auc"][0] > 0
    down = compare(frames, strong, weak, "patients", "")
    assert down["verdict"]["kind"] == "worse"
    assert down["intervals"]["polyp"]["auc"][1] < 0
    same = compare(frames, strong, strong, "patients", "")
    assert same["verdict"] == {"kind": "same", "sentence": "The same for polyp."}


def test_with_few_patients_no_model_is_better_and_a_clear_loss_is_named() -> None:
    frames = frames_of(4)
    weak, strong = model(frames, 0.1), model(frames, 5)
    assert compare(frames, weak, strong, "patients", "")["verdict"] == {
        "kind": "unknown",
        "sentence": "Cannot be told: only 4 patients with a finding were held out.",
    }
    assert compare(frames, strong, weak, "patients", "")["verdict"]["sentence"].startswith("Worse: sensitivity for")


def test_a_class_that_the_old_model_does_not_know_is_compared_with_chance() -> None:
    frames = frames_of(8)
    told = compare(frames, model(frames, 2, ("normal", "ulcer")), model(frames, 2), "patients", "")
    assert told["verdict"] == {"kind": "better", "sentence": "Better for polyp (new)."}


def test_flags_are_counted_in_frames_and_events_within_a_study() -> None:
    frames = EvaluatedFrames(
        ("normal", "polyp"), np.zeros(6, np.int64), np.array(list("AAAABB")), np.array([0, 0, 0, 0, 1, 1]),
        np.array([0, 4, 9, 10, 0, 11]),
    )  # fmt: skip
    track = np.array([0.9, 0.5, 0.9, 0.4, 0.9, 0.1], np.float32)
    old = ModelScores("old", ("normal", "polyp"), np.stack([1 - track, track], axis=1))
    new = ModelScores("new", ("normal", "blood"), np.zeros((6, 2), np.float32))
    told = flag_counts(frames, old, new)
    # Frames 0 and 4 have three others between them: one event; 9 has four.
    assert told["classes"]["polyp"] == {"old": {"frames": 4, "events": 3}, "new": None}
    assert told["classes"]["blood"] == {"old": None, "new": {"frames": 0, "events": 0}}
    assert (told["rate"], told["max_gap_frames"], told["frames"]) == (None, 3, 6), "too few normal frames: from 0.5 on"


def test_both_models_flag_as_many_of_the_normal_frames_whatever_their_scores() -> None:
    random = np.random.default_rng(0)
    labels = np.repeat([0, 1], [400, 20])
    track = (random.random(420) + labels).astype(np.float32) / 2
    frames = EvaluatedFrames(("normal", "polyp"), labels, np.full(420, "A"), np.zeros(420, int), 9 * np.arange(420))
    old, new = (
        ModelScores("m", ("normal", "polyp"), np.stack([1 - scores, scores], axis=1))
        for scores in (track, track * np.float32(0.1))
    )
    told = flag_counts(frames, old, new)
    assert told["rate"] == 0.005
    counts = told["classes"]["polyp"]
    assert counts["old"] == counts["new"], "no score of the new model reaches 0.5"
    assert counts["old"]["frames"] == 21, "20 frames with it, and one normal frame of 400, of which 2 may"
    change = unlabelled_changes(["polyp"], old, new, labels == 0)["polyp"]
    assert (change["old_flagged"], change["new_flagged"]) == (21, 21)
