"""The sentence below the table of two models about frames on which a class was rejected."""

from wce_desktop.widgets.comparison_table import counted_on


def test_rejections_are_counted_with_what_they_mean() -> None:
    comparison = {"new": {"ulcer": {"not_there": 12}, "polyp": {"auc": 0.9}}}
    said = counted_on(comparison)
    assert "for the figures of this class only" in said
    assert "not ulcer 12" in said.lower()
    assert "polyp" not in said.lower()


def test_without_rejections_nothing_is_said_of_them() -> None:
    assert counted_on({"new": {"polyp": {"auc": 0.9}}}) == ""
