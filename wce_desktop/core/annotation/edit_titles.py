"""The titles of edits as they are shown: the library keeps them in English, and the chosen language can change."""

from __future__ import annotations

from wce_desktop.core.annotation.vocabulary import shown_name
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.sentence_patterns import SentencePatterns

_COUNTED = {"count", "parts", "kept"}
_TEXTS = (
    to_translate("Remove {name} from {count} frame"),
    to_translate("Remove {name} from {count} frames"),
    to_translate("Label {count} frame {name}"),
    to_translate("Label {count} frames {name}"),
    to_translate("Label {count} frame {name}, no longer normal"),
    to_translate("Label {count} frames {name}, no longer normal"),
    to_translate("Keep {name}, no longer normal"),
    to_translate("Mark {count} frame normal"),
    to_translate("Mark {count} frames normal"),
    to_translate("Mark {count} frame normal, no longer {names}"),
    to_translate("Mark {count} frames normal, no longer {names}"),
    to_translate("Mark {count} frame normal ({kept} keep {names})"),
    to_translate("Mark {count} frames normal ({kept} keep {names})"),
    to_translate("New finding: {name}, {count} frame"),
    to_translate("New finding: {name}, {count} frames"),
    to_translate("Remove finding {name}"),
    to_translate("Remove finding {name} with its labels on {count} frame"),
    to_translate("Remove finding {name} with its labels on {count} frames"),
    to_translate("Change finding {name}"),
    to_translate("Change finding {old} to {new}"),
    to_translate("Add key frame {count}"),
    to_translate("Remove key frame {count}"),
    to_translate("Accept {count} frame {name}"),
    to_translate("Accept {count} frames {name}"),
    to_translate("Accept {count} frame {name}, no longer normal"),
    to_translate("Accept {count} frames {name}, no longer normal"),
    to_translate("Accept {name} on {count} frame"),
    to_translate("Accept {name} on {count} frames"),
    to_translate("Accept {name} on {count} frames in {parts} parts"),
    to_translate("Accept {name} on {count} frame, new finding"),
    to_translate("Accept {name} on {count} frames, new finding"),
    to_translate("Not {name}: {count} frame"),
    to_translate("Not {name}: {count} frames"),
    to_translate("Not {name}: {count} frame, remove {parts} finding"),
    to_translate("Not {name}: {count} frames, remove {parts} finding"),
    to_translate("Not {name}: {count} frames, remove {parts} findings"),
    to_translate("Take back: not {name}, {count} frame"),
    to_translate("Take back: not {name}, {count} frames"),
    to_translate("Reject {name} on {count} frame"),
    to_translate("Reject {name} on {count} frames"),
    to_translate("Reject {name} on {count} frame, remove {parts} finding"),
    to_translate("Reject {name} on {count} frames, remove {parts} finding"),
    to_translate("Reject {name} on {count} frames, remove {parts} findings"),
    to_translate("Join {count} parts of a finding"),
    to_translate("Split a part from {count} other"),
    to_translate("Split a part from {count} others"),
    to_translate("Link with a {name} of an earlier study"),
    to_translate("Not the {name} seen earlier"),
    to_translate("Link frame {count} with another study: the same place"),
    to_translate("Link frame {count} with another study: not the same place"),
    to_translate("Remove a link with another study"),
    to_translate("Set the {landmark} to frame {count}"),
    to_translate("Move the {landmark} to frame {count}"),
    to_translate("Remove the {landmark}"),
    to_translate("Accept {count} box around {names}"),
    to_translate("Accept {count} boxes around {names}"),
    to_translate("Draw a box around {name}"),
    to_translate("Change a box around {name}"),
    to_translate("Name a box {name}"),
    to_translate("Take a box off its finding"),
    to_translate("Assign a box to a finding of {name}"),
    to_translate("Remove a box around {name}"),
    to_translate("Label {count} frame {name} in {parts} studies"),
    to_translate("Label {count} frames {name} in {parts} studies"),
    to_translate("Add {count} frame to finding {name}"),
    to_translate("Add {count} frames to finding {name}"),
    to_translate("Edit the texts of the report"),
    to_translate("Set the patient record of {count} study"),
    to_translate("Set the patient record of {count} studies"),
    to_translate("Join patients of {count} study"),
    to_translate("Join patients of {count} studies"),
    to_translate("Separate {count} study from the patient"),
    to_translate("Separate {count} studies from the patient"),
    to_translate("Take {reader}'s view: not {name}"),
    to_translate("Take {reader}'s {name} on {count} frame"),
    to_translate("Take {reader}'s {name} on {count} frames"),
    to_translate("Take {reader}'s finding {name}"),
    to_translate("Keep the first reading: {name}"),
    to_translate("Import a reading"),
    to_translate("Import the reading of {reader}"),
    to_translate("Import: {contents}"),  # of a reading from a file, which does not name where it was imported from
    to_translate("{count} landmark"),
    to_translate("{count} landmarks"),
    to_translate("{count} finding"),
    to_translate("{count} findings"),
    to_translate("{count} label on {parts} frame"),
    to_translate("{count} label on {parts} frames"),
    to_translate("{count} labels on {parts} frames"),
    to_translate("{count} box"),
    to_translate("{count} boxes"),
    to_translate("{count} link"),
    to_translate("{count} links"),
    to_translate("labels replaced on {count} frame"),
    to_translate("labels replaced on {count} frames"),
    to_translate("nothing"),
    to_translate("Sign version {count} of the report"),
    to_translate("Remove a study and everything derived from it"),
    to_translate("Undo: {sentence}"),
    to_translate("Redo: {sentence}"),
)
_OTHER_TEXTS = (
    to_translate("Enter the {name}"),
    to_translate("Change the {name}"),
    to_translate("Import {name}: {contents}"),
    to_translate("Add study {name}"),
    to_translate("Begin a second reading of {name}"),
    to_translate("Register model {name}"),
    to_translate("Use model {name}"),
)
"""Those in which a name is not that of a class."""
_CLASSES = ("name", "names", "old", "new")
_PATTERNS = SentencePatterns((*_TEXTS, *_OTHER_TEXTS))


def shown_title(title: str) -> str:
    """The title of an edit in the chosen language; one that is not in the table stays as it is."""
    for text, found, _ in _PATTERNS.find(title):
        if all(_is_count(found[name]) for name in _COUNTED & found.keys()):
            values: dict[str, object] = {
                name: int(value.replace(",", "")) if name in _COUNTED else value for name, value in found.items()
            }
            for key in _CLASSES if text not in _OTHER_TEXTS else ():
                if key in found:
                    values[key] = ", ".join(map(shown_name, found[key].split(", ")))
            if "landmark" in values:
                values["landmark"] = tr(found["landmark"])
            if "contents" in values:  # of an import: "2 labels on 9 frames, 1 finding"
                values["contents"] = ", ".join(map(shown_title, found["contents"].split(", ")))
            if "sentence" in values:
                values["sentence"] = shown_title(found["sentence"])
            return tr(text, **values)
    return title


def _is_count(text: str) -> bool:
    """Whether a value is a number, with or without thousands separators."""
    return text.replace(",", "").isdecimal()
