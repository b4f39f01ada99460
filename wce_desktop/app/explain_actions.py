"""Explaining a frame: the rows of the table of actions that ask why it was flagged."""

from wce_desktop.app.action import Action, has_study

EXPLAIN_ACTIONS: tuple[Action, ...] = (
    Action("next_method", "Explore", "Next method of explaining", "Shift+V",
           "CAM, Score-CAM of the strongest channels, or exact Score-CAM.", has_study),
    Action("toggle_contour", "Explore", "Line around the strongest evidence", "Alt+C",
           "Draw a line around what the model saw most of the class in.", has_study, is_checkable=True),
    Action("side_by_side", "Explore", "Frame alone beside it", "B",
           "Show the frame without anything over it beside the explained one.", has_study, is_checkable=True),
)  # fmt: skip
