"""The table of everything a reader can do: menus, shortcuts, tooltips, the keys page and the tests come from it."""

from collections.abc import Callable
from dataclasses import dataclass

from wce_desktop.app.session import Session

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
        action_id: what code calls it; the window has a method of this name.
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
    Action("clear_span", "Reading", "Forget the span", "Escape", "Label single frames again; close a message."),
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
    Action("show_log", "Help", "Where the log is", "Ctrl+Shift+L", "Show the file in which errors leave their trace."),
    Action("about", "Help", "About", "Shift+F1", "Version, licence of parts, and what this is not for."),
)  # fmt: skip

MENUS = ("Study", "Reading", "Train", "View", "Help")
