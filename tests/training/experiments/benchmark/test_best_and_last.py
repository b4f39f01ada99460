"""Best and last of a course that is judged along the way: which moment is kept, who chooses it, and who is asked."""

import numpy as np
from numpy.typing import NDArray

from training.experiments.benchmark.best_and_last import BestAndLast

LABELS = np.array([0, 1, 0, 1, 0, 1])
JUDGED, OTHERS = np.array([0, 1, 2, 3]), np.array([4, 5])


class Course:
    """Scores whose hits are given: at each moment the rows that it gets right."""

    def __init__(self, *right: set[int]) -> None:
        self.right, self.moment = right, 0
        self.asked: list[list[int]] = []

    def __call__(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """(m, 2)"""
        self.asked.append(rows.tolist())
        given = [LABELS[row] if row in self.right[self.moment] else 1 - LABELS[row] for row in rows.tolist()]
        return np.eye(2)[given]

    def judged_by(self, course_figures: BestAndLast) -> BestAndLast:
        """Judge at steps 10, 20, ..."""
        for moment in range(len(self.right)):
            self.moment = moment
            course_figures.evaluate(10 * (moment + 1), is_last=moment == len(self.right) - 1)
        return course_figures


def test_the_judged_frames_choose_the_best_moment_where_nobody_else_does_which_is_optimistic() -> None:
    course = Course({0}, {0, 1, 2}, {1, 2, 3}, {0, 1})
    found = course.judged_by(BestAndLast(course, LABELS, JUDGED)).found
    assert (found["best"]["accuracy"], found["best_step"]) == (0.75, 20), "of equal ones the first"
    assert found["last"]["accuracy"] == 0.5
    assert found["is_optimistic"]
    assert found["judgings"] == len(course.asked) == 4


def test_other_frames_choose_and_the_judged_ones_are_asked_only_then() -> None:
    course = Course({0, 1, 2, 3}, {4, 0}, {0, 1, 2, 3}, {4, 5, 0})
    found = course.judged_by(BestAndLast(course, LABELS, JUDGED, OTHERS)).found
    assert not found["is_optimistic"]
    assert (found["best"]["accuracy"], found["best_step"]) == (0.25, 40)
    assert found["last"] == found["best"]
    assert course.asked.count(OTHERS.tolist()) == 4
    assert course.asked.count(JUDGED.tolist()) == 3, "not at the third moment, which is no better and not the last"


def test_even_a_course_that_never_hits_has_a_best_moment() -> None:
    course = Course(set(), set())
    found = course.judged_by(BestAndLast(course, LABELS, JUDGED)).found
    assert (found["best"]["accuracy"], found["best_step"], found["last"]["accuracy"]) == (0.0, 10, 0.0)


def test_each_group_counts_once_where_groups_are_known() -> None:
    course = Course({0, 1, 2})
    groups = np.array(["a", "a", "a", "b"])
    assert course.judged_by(BestAndLast(course, LABELS, JUDGED, groups=groups)).found["last"]["group_accuracy"] == 0.5
    assert course.judged_by(BestAndLast(course, LABELS, JUDGED)).found["last"]["group_accuracy"] is None
