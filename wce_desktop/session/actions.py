"""The table of all actions. Menus, context menus, shortcuts, tooltips, the keys page and tests are built from it."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from wce_desktop.session.session import Session

CONDITIONS: Mapping[str, Callable[[Session], bool]] = {
    "study": lambda session: session.reading is not None,
    "first": lambda session: session.reading is None or session.reading.study.second_of is None,
    "events": lambda session: session.reading is not None and bool(session.reading.flags.events),
    "scores": lambda session: session.reading is not None and bool(session.reading.flags.flag_tracks),
    "findings": lambda session: session.reading is not None and bool(session.reading.entries.findings),
    "studies": lambda session: bool(session.library.studies.all()),
    "model": lambda session: session.current_model is not None,
    "undo": lambda session: session.edits.undo_title is not None,
    "redo": lambda session: session.edits.redo_title is not None,
}
"""What an action may need: an open study, also with flagged events, scores or findings; studies in the library; a model
in use; an edit to undo or redo. "first": no second reading is open, which must not show what the first reader entered.
"""


@dataclass(frozen=True)
class Group:
    """A heading in the table: the rows below it, up to the next one, stand together in their menu.

    Attributes:
        title: of the submenu.
        is_submenu: whether they are a submenu; else they stand between two separators.
    """

    title: str
    is_submenu: bool = False


@dataclass(frozen=True)
class Action:
    """One thing a reader can do.

    Attributes:
        action_id: the name in code, to which a feature connects its handler.
        menu: the menu that contains it.
        title: the text in the menu.
        shortcut: key sequences in Qt's portable spelling, separated by "; ".
        tip: one sentence, for the tooltip and the keys page.
        needs: keys of `CONDITIONS`, separated by a space.
        is_checkable: whether the menu shows a check mark.
        group: the heading above it in the table.
    """

    action_id: str
    menu: str
    title: str
    shortcut: str
    tip: str
    needs: str = ""
    is_checkable: bool = False
    group: Group = Group("")

    def is_enabled(self, session: Session) -> bool:
        """Whether it is available now."""
        return all(CONDITIONS[need](session) for need in self.needs.split())


_TABLE: tuple[Action | Group, ...] = (
    Group("Open"),
    Action("open_files", "Study", "Open study…", "Ctrl+O", "Open a video file."),
    Action("open_folder", "Study", "Open folder of images…", "Ctrl+Shift+O", "Open a folder of images as one study."),
    Action("open_demo", "Study", "Open the demo study", "Ctrl+D", "Open a synthetic study with scores."),
    Action("continue_reading", "Study", "Continue reading", "Ctrl+Shift+D",
           "Open the study read last, where reading stopped.", "studies"),
    Group("Studies"),
    Action("open_highlighted", "Study", "Open the highlighted study", "",
           "Open the study that is highlighted in the list.", "studies"),
    Action("next_study", "Study", "Next study", "Ctrl+PgDown", "Open the next study of the list."),
    Action("previous_study", "Study", "Previous study", "Ctrl+PgUp", "Open the previous study of the list."),
    Action("rename_study", "Study", "Rename the study…", "Ctrl+F2", "Give the highlighted study another name.",
           "studies"),
    Action("locate_study", "Study", "Find a moved video…", "Ctrl+L", "Choose the new location of a study's video."),
    Action("study_notes", "Study", "Notes on the file…", "",
           "Read what is unusual about the file of the open study, and how its frames are shown.", "study"),
    Action("edit_record", "Study", "Patient record…", "Ctrl+P",
           "Enter patient, date, capsule and indication, for one study or several."),
    Action("guess_records", "Study", "Fill records from file names…", "Ctrl+Shift+P",
           "Guess patient, date and capsule from the names of files by a pattern, with a preview."),
    Action("remove_study", "Study", "Remove this study…", "Ctrl+Shift+Del",
           "Delete the open study, or all studies of its patient, with everything derived from it.", "study"),
    Group("Exchange"),
    Action("export_labels", "Study", "Export…", "Ctrl+E",
           "Save labels and boxes as tables (CSV), or with pictures for COCO, CVAT, YOLO or Kvasir-Capsule."),
    Action("export_clinical", "Study", "Export report as DICOM / FHIR…", "",
           "Write the findings of this study for hospital systems: DICOM structured report, key frames, FHIR.",
           "study"),
    Action("import_labels", "Study", "Import labels…", "Ctrl+I",
           "Import labels, findings and boxes from a folder or file, also of COCO, CVAT, YOLO, VIA and LabelMe."),
    Group("Second reading", is_submenu=True),
    Action("second_reading", "Study", "Read as a second reader…", "Ctrl+Alt+2",
           "Read this study anew under another name, without seeing what was entered.", "study first"),
    Action("compare_readings", "Study", "Compare two readings…", "Ctrl+Alt+D",
           "Show how far two readers of this study agree, and settle their differences.", "study"),
    Action("export_reading", "Study", "Export this reading…", "Ctrl+Alt+S",
           "Save everything that was entered for this study as one file, for another library.", "study"),
    Action("import_reading", "Study", "Import a reading…", "Ctrl+Alt+I",
           "Take in a reading that another library exported."),
    Action("show_audit", "Study", "Audit log…", "Ctrl+Alt+U",
           "Show who changed what and when, filter it, and export it."),
    Group("Report", is_submenu=True),
    Action("show_report", "Study", "Report…", "F8", "Write, preview, print and sign the report.", "study"),
    Action("show_calculators", "Study", "Scores (Lewis, CECDAI, KODA, CC-CLEAR)…", "Shift+F8",
           "Compute scores of inflammation and cleanliness for the report.", "study"),
    Action("save_clips", "Study", "Save clip and stills of this finding…", "Ctrl+Alt+M",
           "Save a clip and the key frames of the finding on screen, masked outside the field of view.", "study"),
    Group("Library", is_submenu=True),
    Action("show_backups", "Study", "Backups…", "",
           "List backups, see what restoring one would change, and copy them to another folder."),
    Action("check_library", "Study", "Check the library…", "",
           "Read database, scores with embeddings, models and reports, and list what is damaged."),
    Action("move_library", "Study", "Move the library…", "", "Move the library to another folder or disk."),
    Action("open_library", "Study", "Open another library…", "", "Open the library in another folder."),
    Action("encrypt_library", "Study", "Encrypt the library…", "",
           "Encrypt database, signed reports and backups with a passphrase."),
    Action("lock_library", "Study", "Lock the library", "", "Close the library until its passphrase is entered."),
    Action("change_passphrase", "Study", "Change the passphrase…", "", "Give the library another passphrase."),
    Action("decrypt_library", "Study", "Remove the encryption…", "", "Make the library readable without a passphrase."),
    Group("Classes"),
    Action("edit_classes", "Study", "Classes…", "Ctrl+Alt+V",
           "Change the classes of labels, findings and boxes: names, keys, colours, terms, and their hierarchy."),
    Group("State"),
    Action("finish_reading", "Study", "Finish or resume reading", "Ctrl+Return",
           "Mark the reading as finished: frames seen and not labelled count as normal.", "study"),
    Group("Quit"),
    Action("quit", "Study", "Quit", "Ctrl+Q", "Close the application. Labels are already saved."),
    Group("Play"),
    Action("toggle_play", "Reading", "Play or pause", "Space", "Play the study, or pause.", "study"),
    Action("play_back", "Reading", "Play backwards", "Shift+Space", "Play backwards, or pause.", "study"),
    Action("play_flagged", "Reading", "Play flagged frames only", "F", "Skip frames below the threshold.",
           "events", is_checkable=True),
    Action("faster", "Reading", "Faster", "Up", "Play faster.", "study"),
    Action("slower", "Reading", "Slower", "Down", "Play slower.", "study"),
    Group("Go to", is_submenu=True),
    Action("step_forward", "Reading", "Next frame", "Right", "Go forward one frame.", "study"),
    Action("step_back", "Reading", "Previous frame", "Left", "Go back one frame.", "study"),
    Action("jump_forward", "Reading", "Forward ten frames", "Ctrl+Right", "Go forward ten frames.", "study"),
    Action("jump_back", "Reading", "Back ten frames", "Ctrl+Left", "Go back ten frames.", "study"),
    Action("go_first", "Reading", "First frame", "Home", "Go to the first frame.", "study"),
    Action("go_last", "Reading", "Last frame", "End", "Go to the last frame.", "study"),
    Action("go_to", "Reading", "Go to frame or time…", "Ctrl+G",
           "Type a frame number or a time.", "study"),
    Group("Events"),
    Action("next_unseen_event", "Reading", "Next event not seen", "N",
           "Go to the next event not seen yet; once all were seen, to the next one not answered.", "events"),
    Action("previous_unseen_event", "Reading", "Previous event not seen", "P",
           "Go to the previous event not seen yet; once all were seen, to the previous one not answered.", "events"),
    Action("next_event", "Reading", "Next event", "Shift+N", "Go to the next event, seen or not.", "events"),
    Action("previous_event", "Reading", "Previous event", "Shift+P",
           "Go to the previous event, seen or not.", "events"),
    Group("Answers"),
    Action("accept_event", "Reading", "Accept the suggestion", "Return; Enter",
           "Label the frames of the event on screen with the suggested class.", "events"),
    Action("reject_event", "Reading", "Reject the suggestion", "Backspace",
           "Say that the suggested class is not on the frames of the event on screen.", "events"),
    Group("Labels", is_submenu=True),
    Action("label_0", "Reading", "Normal", "0", "Label the frame or marked span as normal.", "study"),
    *(
        Action(f"label_{digit}", "Reading", f"Class {digit}", str(digit),
               "Label the frame or marked span. Press again to remove the label.", "study")
        for digit in range(1, 10)  # the window puts the names of the vocabulary into the titles
    ),
    Group("Span", is_submenu=True),
    Action("mark_start", "Reading", "Span starts here", "I", "Mark the start of the span to label.", "study"),
    Action("mark_stop", "Reading", "Span ends here", "O", "Mark the end of the span to label.", "study"),
    Action("clear_span", "Reading", "Clear the span", "Escape",
           "Clear the marked span, close a message, or stop computing an explanation."),
    Group("Landmarks", is_submenu=True),
    Action("landmark_stomach", "Reading", "Stomach starts here", "Ctrl+1",
           "Mark the first frame of the stomach.", "study"),
    Action("landmark_small_bowel", "Reading", "Small bowel starts here", "Ctrl+2",
           "Mark the first frame of the small bowel.", "study"),
    Action("landmark_colon", "Reading", "Colon starts here", "Ctrl+3",
           "Mark the first frame of the colon: the first caecal frame.", "study"),
    Action("landmark_oesophagus", "Reading", "Oesophagus starts here", "Ctrl+4",
           "Mark the first frame of the oesophagus; frames before it are left out.", "study"),
    Action("landmark_end", "Reading", "Examination ends here", "Ctrl+5",
           "Mark the last frame of the examination; frames after it are left out.", "study"),
    Action("accept_landmark", "Reading", "Accept the suggested landmark", "Alt+Return",
           "Set the landmark that suggestions are shown for to the frame that is highlighted among them.", "study"),
    Group("Suggested findings", is_submenu=True),
    Action("group_events", "Reading", "Group flags into findings", "Ctrl+Shift+R",
           "List events that seem to show the same finding as one suggested finding, or list every event.",
           "study", is_checkable=True),
    Action("group_by", "Reading", "Group flags by…", "Ctrl+Alt+R",
           "Choose what groups flags: how alike their frames look and how close in time they are, or a trained model.",
           "study"),
    Action("join_findings", "Reading", "Join two suggested findings", "J",
           "Choose this suggested finding, go to the other one, and press the key again.", "events"),
    Action("split_finding", "Reading", "Split this part off", "Shift+J",
           "Take the part on screen out of its suggested finding.", "events"),
    Action("show_parts", "Reading", "Parts of this finding…", "Alt+J",
           "Show the parts of the suggested finding side by side, and how much their frames look alike.", "events"),
    Action("link_earlier", "Reading", "Same as the earlier finding", "Alt+S",
           "Link this suggested finding with the finding of an earlier study that looks like it.", "events"),
    Action("reject_earlier", "Reading", "Not the earlier finding", "Alt+Shift+S",
           "Say that this suggested finding is not the finding of the earlier study.", "events"),
    Group("Threshold", is_submenu=True),
    Action("lower_threshold", "Reading", "Lower the threshold", "[", "Show more flags.", "study"),
    Action("raise_threshold", "Reading", "Raise the threshold", "]", "Show fewer flags.", "study"),
    Action("show_top_frames", "Reading", "Show the top frames", "T",
           "Flag the share of frames with the highest scores (the review budget).", "scores"),
    Action("choose_review_budget", "Reading", "Review budget…", "Shift+T", "Type which share of the frames to show.",
           "scores"),
    Group("Findings"),
    Action("new_finding", "Reading", "New finding here", "M",
           "Create a finding from the marked span or frame.", "study"),
    Action("comment_finding", "Reading", "Comment the finding", "",
           "Write a comment to the finding that is highlighted in the list.", "findings"),
    Action("remove_finding", "Reading", "Remove the finding…", "",
           "Remove the finding that is highlighted in the list; asks whether the labels that came with it go too.",
           "findings"),
    Action("draw_boxes", "Reading", "Draw boxes", "D",
           "Draw, move and resize boxes on the frame; press again to put a box into the middle.", "study",
           is_checkable=True),
    Action("toggle_key_frame", "Reading", "Key frame of the finding", "Shift+M",
           "Make the frame on screen a key frame of the highlighted finding, or no longer.", "findings"),
    Group("Edits"),
    Action("undo", "Reading", "Undo", "Ctrl+Z", "Undo the last edit.", "undo"),
    Action("redo", "Reading", "Redo", "Ctrl+Shift+Z", "Redo the edit undone last.", "redo"),
    Group("Explanations", is_submenu=True),
    Action("explain_frame", "Explore", "Explain this frame", "E",
           "Show where the evidence lies, with the chosen method.", "study model"),
    Action("explain_event", "Explore", "Explain the whole event", "Shift+E",
           "Show or hide explanations of frames along the event or the marked span.", "study model"),
    Action("next_method", "Explore", "Next explanation method", "Shift+V",
           "Switch between CAM, quick Score-CAM and exact Score-CAM.", "study"),
    Action("toggle_contour", "Explore", "Line around the strongest evidence", "Alt+C",
           "Draw a line around the area with the strongest evidence for the class.", "study", is_checkable=True),
    Action("side_by_side", "Explore", "Frame without overlay beside it", "B",
           "Show the frame without overlay beside the explained one.", "study", is_checkable=True),
    Action("suggest_boxes", "Explore", "Suggest boxes", "W",
           "Suggest boxes around the strongest evidence.", "study model"),
    Action("accept_boxes", "Explore", "Accept the suggested boxes", "Shift+W",
           "Keep the suggested boxes of this frame with your labels.", "study"),
    Action("reject_boxes", "Explore", "Reject the suggested boxes", "Ctrl+W",
           "Remove the suggested boxes of this frame.", "study"),
    Action("export_explanation", "Explore", "Export the explanation…", "Ctrl+Alt+E",
           "Save the frame with its overlay as an image, masked outside the field of view.", "study"),
    Action("export_coco", "Explore", "Export boxes (COCO)…", "Ctrl+Alt+C",
           "Save all boxes of the study, accepted and suggested, to train a detector.", "study"),
    Group("Similar frames"),
    Action("toggle_neighbours", "Explore", "Similar frames", "F5",
           "Show or hide the strip of similar frames, updated whenever playback stops.",
           is_checkable=True),
    Action("find_like_frame", "Explore", "Find frames like this one", "A",
           "Find frames similar to the one on screen.", "study"),
    Action("find_like_elsewhere", "Explore", "Find frames like this one in other patients", "Alt+A",
           "Find similar frames of other patients. Press again to search all studies.", "study"),
    Action("find_like_span", "Explore", "Find frames like this span", "Shift+A",
           "Find frames similar to the mean of the marked span or of the event on screen.", "study"),
    Action("find_like_region", "Explore", "Find frames like a region…", "Ctrl+Shift+A",
           "Draw a box on the frame and find frames similar to its content.", "study"),
    Action("find_like_image", "Explore", "Find frames like an image…", "Ctrl+Alt+A",
           "Choose an image file and find frames similar to it.", "model"),
    Action("accept_votes", "Explore", "Accept the neighbours' label", "Y",
           "Apply the label its neighbours suggest.", "study"),
    Action("show_selection", "Explore", "Selected frames as a grid", "G",
           "Show the frames found or selected last, to label or export them or add them to a finding."),
    Group("What to label"),
    Action("what_to_label", "Explore", "What to label next", "L",
           "Go through the frames whose labels would help the model most. Press again to skip a frame.", "model"),
    Action("end_labelling", "Explore", "End the labelling queue", "Shift+L",
           "Leave the queue of frames to label; labels are kept."),
    Group("Other studies"),
    Action("find_place", "Explore", "Find this place in another study…", "X",
           "Search other studies for the marked span, the finding or flag on screen, or the frames around this one.",
           "study"),
    Action("show_linked", "Explore", "Places linked with other studies…", "Shift+X",
           "List the places of this study that are linked with other studies, and go there.", "study"),
    Group("Map"),
    Action("show_map", "Explore", "Map…", "F6", "Show the embedding map.", "first"),
    Action("show_evolution", "Explore", "Evolution of a pretraining run…", "Ctrl+F6",
           "Show how the embeddings of the same frames changed during a pretraining run."),
    Group("Scores"),
    Action("score_study", "Train", "Score this study", "S", "Score every frame with the model in use.", "study model"),
    Action("score_all", "Train", "Score all new studies", "Ctrl+Shift+S",
           "Queue all studies without scores for scoring.", "model"),
    Group("Live scores"),
    Action("live_scores", "Train", "Live scores", "K",
           "Show scores learned from your labels, updated after each label.", "first study model", is_checkable=True),
    Action("flag_by_live", "Train", "Use live scores for flags", "Shift+K",
           "Flag frames and suggest what to label next by the live scores instead of the model's.", "first study model",
           is_checkable=True),
    Action("keep_live_model", "Train", "Keep live scores as a model…", "Ctrl+Alt+K",
           "Make a model of the live scores and compare it with the model in use.", "first study model"),
    Group("Training"),
    Action("finetune", "Train", "Fine-tune…", "Ctrl+T", "Fine-tune the current model on your labels.", "first"),
    Action("train", "Train", "Pretrain and fine-tune…", "Ctrl+Shift+T",
           "Choose studies, method and parameters; start, watch or resume a training run.", "first"),
    Action("cross_validate", "Train", "Cross-validate the model…", "Ctrl+Shift+V",
           "Cross-validate this model by patient.", "model"),
    Group("Models"),
    Action("choose_model", "Train", "Runs and models…", "Ctrl+M",
           "Show all models and runs, to use, compare, export or delete them."),
    Action("add_model", "Train", "Add a model folder…", "Ctrl+Shift+M", "Copy a model into the library."),
    Action("export_model", "Train", "Export the model…", "Ctrl+Shift+E",
           "Copy the folder of the model in use to another place.", "model"),
    Group("Jobs"),
    Action("stop_job", "Train", "Stop the running job", "Ctrl+.",
           "Stop it; the tip of its button Stop says what is kept."),
    Action("show_jobs", "Train", "Jobs and their logs", "Ctrl+J", "Show running, waiting and finished jobs."),
    Group("Overlay"),
    Action("toggle_overlay", "View", "Show why (CAM)", "C", "Show on the frame why it was flagged.", "study",
           is_checkable=True),
    Action("overlay_weaker", "View", "Weaker overlay", "Shift+C", "Make the overlay more transparent.", "study"),
    Action("overlay_stronger", "View", "Stronger overlay", "Ctrl+Shift+C", "Make the overlay more opaque.", "study"),
    Action("next_class", "View", "Overlay of the next class", "V", "Show the overlay of the next class.", "study"),
    Group("Number of frames", is_submenu=True),
    Action("one_view", "View", "One frame", "Alt+1", "Show one frame.", "study"),
    Action("two_views", "View", "Two frames", "Alt+2", "Show two successive frames.", "study"),
    Action("four_views", "View", "Four frames", "Alt+4", "Show four successive frames.", "study"),
    Group("Views and speed", is_submenu=True),
    Action("next_enhancement", "View", "Next view of the frame", "Q",
           "Show the frame with more contrast, as one channel, in spectral colours, or sharper; for the screen only.",
           "study"),
    Action("as_recorded", "View", "Frame as recorded", "Shift+Q", "Show the frame as it was recorded.", "study"),
    Action("collapse_similar", "View", "Similar frames as one", "H",
           "While playing, show runs of near-identical frames as one. What is left out stays “not seen”.",
           is_checkable=True),
    Action("adaptive_speed", "View", "Adaptive speed", "Shift+H",
           "Play faster where little changes, slower where much changes or scores are high.", is_checkable=True),
    Group("Zoom", is_submenu=True),
    Action("zoom_in", "View", "Zoom in", "+; =", "Make the frame larger.", "study"),
    Action("zoom_out", "View", "Zoom out", "-", "Make the frame smaller.", "study"),
    Action("zoom_fit", "View", "Fit", "Ctrl+0", "Fit the frame into the window.", "study"),
    Action("zoom_timeline_in", "View", "Zoom the timeline in", "Ctrl++; Ctrl+=", "Show less time.", "study"),
    Action("zoom_timeline_out", "View", "Zoom the timeline out", "Ctrl+-", "Show more time.", "study"),
    Group("Tabs"),
    Action("show_flags", "View", "Flags", "F2", "Show the flagged events."),
    Action("show_findings", "View", "Findings", "F3", "Show the findings and labels."),
    Action("show_explain", "View", "Explain", "F4", "Show why the frame was flagged."),
    Action("show_landmarks", "View", "Landmarks", "F7",
           "Show landmarks, transit times, and whether the caecum was reached."),
    Action("sort_events", "View", "Sort flags by time or score", "Ctrl+R", "Switch the order of the flags.",
           "study"),
    Group("Panels"),
    Action("toggle_left", "View", "Studies", "F9", "Show or hide the list of studies.", is_checkable=True),
    Action("toggle_right", "View", "Flags and findings", "F10",
           "Show or hide flags, findings and explanations.", is_checkable=True),
    Action("only_frame", "View", "Reading mode", "F11",
           "Show only frame, playing buttons, labels and timeline. F11 or Escape goes back.", is_checkable=True),
    Group("Keys"),
    Action("show_keys", "Help", "All keys", "F1", "List all keyboard shortcuts."),
    Action("find_action", "Help", "Find an action…", "Ctrl+K", "Find any action by its name."),
    Group("Settings"),
    Action("show_settings", "Help", "Settings…", "Ctrl+,", "Change the settings."),
    Action("show_messages", "Help", "Messages", "Ctrl+Shift+J",
           "List the messages shown since the application started."),
    Action("show_log", "Help", "Location of the log", "Ctrl+Shift+L", "Show the path of the log file."),
    Action("save_diagnostics", "Help", "Save diagnostics…", "",
           "Save versions, settings, the last jobs and the log in one file without patient data."),
    Group("About"),
    Action("show_updates", "Help", "Updates…", "", "Say which version this is and how to get a newer one."),
    Action("about", "Help", "About", "Shift+F1", "Show the version, the licences and the intended use."),
)  # fmt: skip


def _grouped(table: Iterable[Action | Group]) -> tuple[Action, ...]:
    """The rows, each with the heading above it."""
    rows, group = [], Group("")
    for row in table:
        if isinstance(row, Group):
            group = row
        else:
            rows.append(replace(row, group=group))
    return tuple(rows)


ACTIONS = _grouped(_TABLE)

MENUS = ("Study", "Reading", "Explore", "Train", "View", "Help")

_LABELS = tuple(f"label_{digit}" for digit in range(10))
_SPAN = ("mark_start", "mark_stop", "clear_span")
_LANDMARKS = (
    "landmark_oesophagus", "landmark_stomach", "landmark_small_bowel", "landmark_colon", "landmark_end",
)  # fmt: skip
_FLAG = (
    "accept_event", "reject_event", "new_finding", "join_findings", "split_finding", "show_parts", "link_earlier",
    "reject_earlier", "explain_event", "find_like_span", "find_place", "undo", "redo",
)  # fmt: skip
CONTEXTS: dict[str, tuple[str, ...]] = {
    "frame": (
        "accept_event", "reject_event", *_LABELS, *_SPAN, *_LANDMARKS, "new_finding", "undo", "redo", "toggle_overlay",
        "next_enhancement", "explain_frame", "draw_boxes", "suggest_boxes", "accept_boxes", "reject_boxes",
        "find_like_frame", "find_like_region", "find_place", "one_view", "two_views", "four_views", "zoom_in",
        "zoom_out", "zoom_fit", "only_frame",
    ),
    "flag": _FLAG,
    "event": (*_FLAG, "zoom_timeline_in", "zoom_timeline_out"),
    "timeline": (
        *_LABELS, *_SPAN, *_LANDMARKS, "new_finding", "undo", "redo", "next_unseen_event", "previous_unseen_event",
        "go_to", "lower_threshold", "raise_threshold", "find_place", "zoom_timeline_in", "zoom_timeline_out",
    ),
    "finding": (
        "comment_finding", "toggle_key_frame", "remove_finding", "save_clips", "undo", "redo", "find_place",
        "show_linked",
    ),
    "study": (
        "finish_reading", "rename_study", "edit_record", "show_report", "show_calculators", "score_study",
        "show_linked", "locate_study", "export_labels", "export_clinical", "compare_readings", "remove_study",
    ),
    "other study": ("open_highlighted", "rename_study"),
}  # fmt: skip
"""What the menu of each thing in the window offers, in this order: the frame, a row of the list of flags, an event on
the timeline and the timeline elsewhere, a finding, the open study and another one in the list of studies."""
