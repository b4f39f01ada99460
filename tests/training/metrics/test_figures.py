"""The figures of one model, and the sentence that says when not to believe it."""

import numpy as np
import pytest

from training.metrics.figures import AbsentFrames, class_figures, trust_warning

NAMES = ("normal", "polyp")
LABELS = np.array([0, 0, 1, 1])
PATIENTS = np.array(["A", "B", "A", "A"])
SCORES = np.array([[0.9, 0.1, 0.0], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.2, 0.8, 0.0]], dtype=np.float32)


def test_each_class_against_normal_and_any_against_normal() -> None:
    figures = class_figures(NAMES, LABELS, PATIENTS, ("normal", "polyp", "ulcer"), SCORES)
    assert figures["polyp"]["auc"] == pytest.approx(0.75)  # 0.2 loses to 0.3
    assert figures["any"]["auc"] == 1.0
    assert figures["polyp"]["sensitivity_at"] == {"0.95": 0.5, "0.90": 0.5, "0.80": 0.5}
    assert (figures["polyp"]["frames"], figures["polyp"]["positives"]) == (4, 2)
    assert (figures["polyp"]["patients"], figures["polyp"]["patients_with_positives"]) == (2, 1)


def test_a_class_that_the_model_does_not_know_has_no_figures() -> None:
    figures = class_figures(NAMES, LABELS, PATIENTS, ("normal", "ulcer"), SCORES[:, [0, 2]])
    assert figures["polyp"]["auc"] is None
    assert figures["polyp"]["positives"] == 2
    assert figures["any"]["auc"] is not None


def test_too_few_patients_and_frames_are_said() -> None:
    figures = class_figures(NAMES, LABELS, PATIENTS, NAMES, SCORES[:, :2])
    assert trust_warning(figures) == (
        "Too little data for reliable figures: the held-out figures are based on only 2 patients and only 2 polyp "
        "frames."
    )


def test_enough_patients_and_frames_need_no_warning() -> None:
    labels = np.array([0, 1] * 30)
    patients = np.array([f"P{k % 5}" for k in range(60)])
    scores = np.stack([1.0 - labels, labels], axis=1)
    assert trust_warning(class_figures(NAMES, labels, patients, NAMES, scores)) == ""


def test_a_frame_without_a_class_is_a_negative_of_that_class_only() -> None:
    absent = AbsentFrames(np.array([1, 1]), np.array(["Z", "Z"]))
    scores = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    plain = class_figures(NAMES, LABELS, PATIENTS, NAMES, SCORES)
    figures = class_figures(NAMES, LABELS, PATIENTS, NAMES, SCORES, absent, scores)
    assert {name: row for name, row in figures.items() if name != NAMES[1]} == {
        name: row for name, row in plain.items() if name != NAMES[1]
    }
    row, before = figures[NAMES[1]], plain[NAMES[1]]
    assert row["auc"] < before["auc"]
    assert (row["frames"], row["positives"], row["not_there"]) == (before["frames"] + 2, before["positives"], 2)
    assert row["patients"] == before["patients"] + 1
    normal = np.append(LABELS, [0, 0]), np.append(PATIENTS, ["Z", "Z"]), np.concatenate([SCORES, scores])
    assert row["auc"] == class_figures(NAMES, normal[0], normal[1], NAMES, normal[2])[NAMES[1]]["auc"]


def test_a_frame_with_two_classes_counts_once_for_any() -> None:
    labels, frame = np.array([0, 1, 2, 2]), np.array([0, 1, 1, 2])
    scores = np.array([[0.8, 0.1, 0.1], [0.1, 0.6, 0.3], [0.1, 0.6, 0.3], [0.1, 0.2, 0.7]])
    names, patients = ("normal", "polyp", "ulcer"), np.array(["a", "b", "b", "c"])
    figures = class_figures(names, labels, patients, names, scores, frame=frame)
    assert (figures["polyp"]["positives"], figures["ulcer"]["positives"]) == (1, 2)
    assert (figures["any"]["positives"], figures["any"]["frames"]) == (2, 3)


def test_a_class_without_frames_is_named_and_not_counted() -> None:
    labels = np.array([0, 1] * 30)
    patients = np.array([f"P{k % 5}" for k in range(60)])
    names = ("normal", "polyp", "ulcer")
    scores = np.stack([1.0 - labels, labels, np.zeros(60)], axis=1)
    assert trust_warning(class_figures(names, labels, patients, names, scores)) == (
        "Too little data for reliable figures: the held-out figures are based on no frame of ulcer."
    )
