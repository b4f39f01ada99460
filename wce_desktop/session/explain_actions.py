"""Explaining a frame: the rows of the table of actions that ask why it was flagged."""

from wce_desktop.session.action import Action, can_score, has_study

EXPLAIN_ACTIONS: tuple[Action, ...] = (
    Action("explain_frame", "Explore", "Explain this frame", "E",
           "Show why, by the chosen method; what is not there yet is computed.", can_score),
    Action("explain_event", "Explore", "Explain the whole event", "Shift+E",
           "A strip of explanations over the event or the marked span; again folds it away.", can_score),
    Action("next_method", "Explore", "Next method of explaining", "Shift+V",
           "CAM, quick Score-CAM, or exact Score-CAM.", has_study),
    Action("toggle_contour", "Explore", "Line around the strongest evidence", "Alt+C",
           "Draw a line around what the model saw most of the class in.", has_study, is_checkable=True),
    Action("side_by_side", "Explore", "Frame alone beside it", "B",
           "Show the frame without anything over it beside the explained one.", has_study, is_checkable=True),
    Action("suggest_boxes", "Explore", "Suggest boxes", "W",
           "Draw boxes around the strongest evidence, as suggestions.", can_score),
    Action("accept_boxes", "Explore", "Accept the suggested boxes", "Shift+W",
           "Keep the suggested boxes of this frame with your labels.", has_study),
    Action("reject_boxes", "Explore", "Reject the suggested boxes", "Ctrl+W",
           "Take the suggested boxes of this frame away.", has_study),
    Action("export_explanation", "Explore", "Export the explanation…", "Ctrl+Alt+E",
           "Write what is seen as a picture, masked outside the field of view.", has_study),
    Action("export_coco", "Explore", "Export boxes (COCO)…", "Ctrl+Alt+C",
           "Write all boxes of the study, accepted and suggested, for a detector to learn from.", has_study),
)  # fmt: skip
