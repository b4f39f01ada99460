"""Frames that look alike: the rows of the table of actions about neighbours, selections, and what to label next."""

from wce_desktop.session.action import Action, has_model, has_study

ALIKE_ACTIONS: tuple[Action, ...] = (
    Action("toggle_neighbours", "Explore", "Frames that look alike", "F5",
           "Show below the frame which frames look like it, whenever playing stops; again folds them away.",
           is_checkable=True),
    Action("find_like_frame", "Explore", "Find frames like this one", "A",
           "Ask for frames like the one on screen, and stay with them while looking at them.", has_study),
    Action("find_like_elsewhere", "Explore", "Find frames like this one in other patients", "Alt+A",
           "Ask for frames of other patients like the one on screen; again searches all studies.", has_study),
    Action("find_like_span", "Explore", "Find frames like the span", "Shift+A",
           "Ask for frames like the mean of the marked span, or of the event on screen.", has_study),
    Action("find_like_region", "Explore", "Find frames like a region…", "Ctrl+Shift+A",
           "Draw a box on the frame and ask for frames that look like what is in it.", has_study),
    Action("find_like_image", "Explore", "Find frames like a picture…", "Ctrl+Alt+A",
           "Choose a picture from disk and ask for frames like it.", has_model),
    Action("accept_votes", "Explore", "Accept the neighbours' label", "Y",
           "Label what was asked for as its labelled neighbours say.", has_study),
    Action("show_selection", "Explore", "Selected frames as a grid", "G",
           "Look through the frames found or selected last, label all, add to a finding, export."),
    Action("what_to_label", "Explore", "What to label next", "L",
           "Go through the frames that would teach the model most; while doing so: skip this one.", has_model),
    Action("end_labelling", "Explore", "End labelling what is next", "Shift+L",
           "Leave the queue of frames to label; the labels given stay."),
)  # fmt: skip
