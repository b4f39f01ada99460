"""Keys that mean something in one place only, and do not change: F1 and the documentation list them."""

from collections.abc import Mapping

from wce_desktop.core.language import to_translate

LOCAL_KEYS: Mapping[str, Mapping[str, str]] = {
    to_translate("Everywhere"): {
        "Tab; Shift+Tab": to_translate("Go to the next or previous control."),
        "Menu; Shift+F10": to_translate("Open the menu of what is highlighted."),
        "Esc": to_translate("Leave a field, a list or the menus, and close a message, a panel or a window."),
    },
    to_translate("Card of a finding"): {
        "Return; Tab": to_translate("Go to the next field; Enter in the last one closes the card."),
        "0; 1; 2; 3": to_translate("Choose the value of that digit; again: take it back."),
        "Alt+Down": to_translate("Open the list of classes."),
        "Esc": to_translate("Close the card and take back what was entered in it."),
    },
    to_translate("Lists of flags, findings and key frames"): {
        "Up; Down": to_translate("Go from row to row."),
        "Del": to_translate("Remove the highlighted finding, after a question, or the highlighted key frame."),
    },
    to_translate("Suggested findings"): {
        "Left; Right; Up; Down; Home; End": to_translate("Go from tile to tile."),
        "Space": to_translate("Show the frame."),
        "+; -": to_translate("Make the pictures larger or smaller."),
    },
    to_translate("Boxes and drawings"): {
        "Tab; Shift+Tab": to_translate("Choose the next or previous box or shape."),
        "Left; Right; Up; Down": to_translate("Move it; with Shift resize it, with Ctrl ten pixels."),
        "Ins": to_translate("Put one into the middle of the frame."),
        "Del": to_translate("Remove it."),
        "A; C; T": to_translate("Draw arrows, circles or text."),
        "Return": to_translate("Turn an arrow, or change a text."),
    },
    to_translate("Detail of the timeline"): {
        "PgUp; PgDown": to_translate("Show the time before or after."),
        "+; -": to_translate("Show less or more time."),
        "Shift+Up; Shift+Down": to_translate("Raise or lower the threshold."),
    },
    to_translate("Worklist"): {
        "Return": to_translate("Go from the search to the list; in the list, open the study."),
        "/; Ctrl+F": to_translate("Search."),
        "Del": to_translate("Remove the chosen studies; undo brings them back."),
    },
    to_translate("Two studies side by side"): {
        "Y": to_translate("Link the two frames as the same place."),
        "N": to_translate("Link the two frames as different places."),
        "U": to_translate("Step together or alone."),
        "Del": to_translate("Remove the highlighted link."),
        "Ctrl+Up; Ctrl+Down": to_translate("Play faster or slower."),
    },
    to_translate("Comparison of two readings"): {
        "Left; Right": to_translate("Go from difference to difference."),
        "T": to_translate("Take the view of the second reader."),
        "K": to_translate("Keep the first reading."),
    },
    to_translate("Scores, patient record, report and map"): {
        "0; 1; 2; 3": to_translate("Grade the frame for the KODA score."),
        "Ctrl+Return": to_translate("Save the patient record."),
        "Ctrl+Alt+P": to_translate("Print the report."),
        "Ctrl+N": to_translate("Make a new map; what else has a key there stands below the map."),
    },
}
"""By place: keys in Qt's portable spelling, separated by "; ", and what they do there."""
