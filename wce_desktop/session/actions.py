"""The table of everything a reader can do: menus, shortcuts, tooltips, the keys page and the tests come from it."""

from collections.abc import Callable
from dataclasses import dataclass

from wce_desktop.session.session import Session

Condition = Callable[[Session], bool]


def always(_: Session) -> bool:
    """True: the action is never greyed out."""
    return True


def has_study(session: Session) -> bool:
    """True while a study is open."""
    return session.reading is not None


def has_events(session: Session) -> bool:
    """True while the open study has flagged events."""
    return session.reading is not None and bool(session.reading.events)


def has_model(session: Session) -> bool:
    """True when a model is in use."""
    return session.current_model is not None


def can_score(session: Session) -> bool:
    """True when a study is open and a model can score it."""
    return has_study(session) and has_model(session)


def has_scores(session: Session) -> bool:
    """True while the open study has scores."""
    return session.reading is not None and session.reading.scores is not None


def can_undo(session: Session) -> bool:
    """True when there is an edit to take back."""
    return session.undo_title is not None


def can_redo(session: Session) -> bool:
    """True when there is an edit to do again."""
    return session.redo_title is not None


@dataclass(frozen=True)
class Action:
    """One thing a reader can do.

    Attributes:
        action_id: what code calls it; a feature says by this name what it does.
        menu: the menu it stands in.
        title: what the menu says.
        shortcut: key sequences in Qt's portable spelling, separated by "; ".
        tip: one sentence, for the tooltip and the keys page.
        is_enabled: whether it makes sense now.
        is_checkable: whether the menu shows a tick.
    """

    action_id: str
    menu: str
    title: str
    shortcut: str
    tip: str
    is_enabled: Condition = always
    is_checkable: bool = False


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


MAP_ACTIONS: tuple[Action, ...] = (
    Action("show_map", "Explore", "Map…", "F6", "Walk around in a map of all frames: alike ones lie together."),
    Action("show_evolution", "Explore", "Evolution of a pretraining…", "Ctrl+F6",
           "How a pretraining moved the same frames, one kept step after the other."),
)  # fmt: skip


def _label_actions() -> tuple[Action, ...]:
    """One row for each digit key; the vocabulary's names are put into the titles by the window."""
    rows = [Action("label_0", "Reading", "Normal", "0", "Label the frame or marked span as normal.", has_study)]
    for digit in range(1, 10):
        tip = "Label the frame or marked span; again takes the label off."
        rows.append(Action(f"label_{digit}", "Reading", f"Class {digit}", str(digit), tip, has_study))
    return tuple(rows)


ACTIONS: tuple[Action, ...] = (
    Action("open_files", "Study", "Open study…", "Ctrl+O", "Open a video file."),
    Action("open_folder", "Study", "Open folder of images…", "Ctrl+Shift+O", "Open a folder of images as one study."),
    Action("open_demo", "Study", "Open the demo study", "Ctrl+D", "Open a synthetic study with scores."),
    Action("next_study", "Study", "Next study", "Ctrl+PgDown", "Open the next study of the list."),
    Action("previous_study", "Study", "Previous study", "Ctrl+PgUp", "Open the previous study of the list."),
    Action("locate_study", "Study", "Find a moved video…", "Ctrl+L", "Say where the video of a study is now."),
    Action("export_labels", "Study", "Export labels…", "Ctrl+E", "Write manifest, labels, findings and boxes as CSV."),
    Action("import_labels", "Study", "Import labels…", "Ctrl+I", "Read a manifest with labels, findings and boxes."),
    Action("finish_reading", "Study", "Finish or resume reading", "Ctrl+Return",
           "Mark the reading as finished: what was seen and not labelled counts as normal.", has_study),
    Action("quit", "Study", "Quit", "Ctrl+Q", "Close the window; labels are saved already."),
    Action("toggle_play", "Reading", "Play or pause", "Space", "Play the study, or pause.", has_study),
    Action("step_forward", "Reading", "Next frame", "Right", "One frame on.", has_study),
    Action("step_back", "Reading", "Previous frame", "Left", "One frame back.", has_study),
    Action("jump_forward", "Reading", "Ten frames on", "Ctrl+Right", "Ten frames on.", has_study),
    Action("jump_back", "Reading", "Ten frames back", "Ctrl+Left", "Ten frames back.", has_study),
    Action("go_first", "Reading", "First frame", "Home", "Go to the first frame.", has_study),
    Action("go_last", "Reading", "Last frame", "End", "Go to the last frame.", has_study),
    Action("faster", "Reading", "Faster", "Up", "Play faster.", has_study),
    Action("slower", "Reading", "Slower", "Down", "Play slower.", has_study),
    Action("play_back", "Reading", "Play backwards", "Shift+Space", "Play towards the start, or pause.", has_study),
    Action("go_to", "Reading", "Go to frame or time…", "Ctrl+G", "Type 31,204 or 1:44:01.", has_study),
    Action("next_unseen_event", "Reading", "Next event not seen", "N", "Next event not seen yet.", has_events),
    Action("previous_unseen_event", "Reading", "Previous event not seen", "P", "Previous event not seen yet.",
           has_events),
    Action("next_event", "Reading", "Next event", "Shift+N", "Next event, seen or not.", has_events),
    Action("previous_event", "Reading", "Previous event", "Shift+P", "Previous event, seen or not.", has_events),
    Action("play_flagged", "Reading", "Play flagged frames only", "F", "Skip what is below the threshold.",
           has_events, is_checkable=True),
    *_label_actions(),
    Action("mark_start", "Reading", "Span starts here", "I", "Start of the span to label.", has_study),
    Action("mark_stop", "Reading", "Span ends here", "O", "End of the span to label.", has_study),
    Action("clear_span", "Reading", "Forget the span", "Escape",
           "Label single frames again; close a message; end what is being explained."),
    Action("accept_event", "Reading", "Accept the suggestion", "Return; Enter",
           "Label the event's frames with the suggested class.", has_events),
    Action("reject_event", "Reading", "Reject the suggestion", "Backspace", "Label the event's frames as normal.",
           has_events),
    Action("new_finding", "Reading", "New finding here", "M", "Make a finding of the marked span or frame.", has_study),
    Action("landmark_stomach", "Reading", "Stomach starts here", "Ctrl+1", "First frame of the stomach.", has_study),
    Action("landmark_small_bowel", "Reading", "Small bowel starts here", "Ctrl+2", "First frame of the small bowel.",
           has_study),
    Action("landmark_colon", "Reading", "Colon starts here", "Ctrl+3", "First frame of the colon.", has_study),
    Action("lower_threshold", "Reading", "Lower the threshold", "[", "Show more flags.", has_study),
    Action("raise_threshold", "Reading", "Raise the threshold", "]", "Show fewer flags.", has_study),
    Action("show_top_frames", "Reading", "Show the top frames", "T",
           "Flag the share of the frames with the highest scores: the review budget.", has_scores),
    Action("choose_review_budget", "Reading", "Review budget…", "Shift+T", "Type which share of the frames to show.",
           has_scores),
    Action("undo", "Reading", "Undo", "Ctrl+Z", "Take the last edit back.", can_undo),
    Action("redo", "Reading", "Redo", "Ctrl+Shift+Z", "Do the edit again.", can_redo),
    *EXPLAIN_ACTIONS,
    *ALIKE_ACTIONS,
    *MAP_ACTIONS,
    Action("score_study", "Train", "Score this study", "S", "Let the model score every frame.", can_score),
    Action("score_all", "Train", "Score all new studies", "Ctrl+Shift+S", "Queue every study that has no scores.",
           has_model),
    Action("finetune", "Train", "Finetune…", "Ctrl+T", "Teach the model with the labels given."),
    Action("train", "Train", "Pretrain and finetune…", "Ctrl+Shift+T",
           "Choose studies, method and every parameter; watch a training, or go on with one."),
    Action("choose_model", "Train", "Runs and models…", "Ctrl+M",
           "Every model and every run: use, compare, export, delete, or take an earlier one back."),
    Action("add_model", "Train", "Add a model folder…", "Ctrl+Shift+M", "Copy a model into the library."),
    Action("export_model", "Train", "Export the model…", "Ctrl+Shift+E", "Copy the folder of the model in use.",
           has_model),
    Action("cross_validate", "Train", "Cross-validate the model…", "Ctrl+Shift+V",
           "Repeat the way it learnt for parts of your patients, and judge it on those it never saw.", has_model),
    Action("stop_job", "Train", "Stop the running job", "Ctrl+.", "Finish the running step and keep what is done."),
    Action("show_jobs", "Train", "Jobs and their logs", "Ctrl+J", "What runs, what waits, what ended."),
    Action("toggle_overlay", "View", "Show why (CAM)", "C", "Draw on the frame why it was flagged.", has_study,
           is_checkable=True),
    Action("overlay_weaker", "View", "Weaker overlay", "Shift+C", "Make the overlay more transparent.", has_study),
    Action("overlay_stronger", "View", "Stronger overlay", "Ctrl+Shift+C", "Make the overlay more opaque.", has_study),
    Action("next_class", "View", "Next class to explain", "V", "Show the overlay of the next class.", has_study),
    Action("one_view", "View", "One frame", "Alt+1", "Show one frame.", has_study),
    Action("two_views", "View", "Two frames", "Alt+2", "Show two successive frames.", has_study),
    Action("four_views", "View", "Four frames", "Alt+4", "Show four successive frames.", has_study),
    Action("zoom_in", "View", "Zoom in", "+; =", "Make the frame larger.", has_study),
    Action("zoom_out", "View", "Zoom out", "-", "Make the frame smaller.", has_study),
    Action("zoom_fit", "View", "Fit", "Ctrl+0", "Fit the frame into the window.", has_study),
    Action("zoom_timeline_in", "View", "Zoom the timeline in", "Ctrl++; Ctrl+=", "Show less time.", has_study),
    Action("zoom_timeline_out", "View", "Zoom the timeline out", "Ctrl+-", "Show more time.", has_study),
    Action("show_flags", "View", "Flags", "F2", "Show the flagged events."),
    Action("show_findings", "View", "Findings", "F3", "Show the findings and labels."),
    Action("show_explain", "View", "Explain", "F4", "Show why the frame was flagged."),
    Action("sort_events", "View", "Order flags by time or score", "Ctrl+R", "Switch the order of the flags.",
           has_study),
    Action("toggle_left", "View", "Studies", "F9", "Fold the studies away.", is_checkable=True),
    Action("toggle_right", "View", "Flags and findings", "F10", "Fold the flags away.", is_checkable=True),
    Action("only_frame", "View", "Frame and timeline only", "F11", "Fold everything else away.", is_checkable=True),
    Action("show_keys", "Help", "All keys", "F1", "List every key."),
    Action("find_action", "Help", "Find an action…", "Ctrl+K", "Find any action by its name."),
    Action("show_settings", "Help", "Settings…", "Ctrl+,", "Change how reading works."),
    Action("show_messages", "Help", "Messages", "Ctrl+Shift+J", "List what was told since the window opened."),
    Action("show_log", "Help", "Where the log is", "Ctrl+Shift+L", "Show the file in which errors leave their trace."),
    Action("about", "Help", "About", "Shift+F1", "Version, licence of parts, and what this is not for."),
)  # fmt: skip

MENUS = ("Study", "Reading", "Explore", "Train", "View", "Help")
