"""The wordings of the lines of the audit log, without their values."""

from wce_desktop.core.annotation.finding import ENTRIES
from wce_desktop.core.annotation.record import TITLES
from wce_desktop.core.language import to_translate

DONE = {
    ("finding", "add"): to_translate("Added the finding {name} on {frames}"),
    ("record", "add"): to_translate("Added the patient record"),
    ("model", "add"): to_translate("Added the model {model}"),
    ("finding", "remove"): to_translate("Removed the finding {name} on {frames}"),
    ("record", "remove"): to_translate("Removed the patient record"),
    ("model", "remove"): to_translate("Removed the model {model}"),
    ("finding", "replace"): to_translate("Changed the finding {name} on {frames}"),
    ("record", "replace"): to_translate("Changed the patient record"),
    ("model", "replace"): to_translate("Changed the model {model}"),
    ("vocabulary", "replace"): to_translate("Changed the classes"),
    ("label", "add"): to_translate("Labelled {frames} as {name}"),
    ("label", "remove"): to_translate("Removed the label {name} on {frames}"),
    ("label", "replace"): to_translate("Changed the label {name} on {frames}"),
    ("negative", "add"): to_translate("Noted that {frames} do not show {name}"),
    ("negative", "remove"): to_translate("Took back that {frames} do not show {name}"),
    ("negative", "replace"): to_translate("Changed the note that {frames} do not show {name}"),
    ("landmark", "add"): to_translate("Set the {landmark} to {frame}"),
    ("landmark", "remove"): to_translate("Removed the {landmark} from {frame}"),
    ("landmark", "replace"): to_translate("Moved the {landmark} from {before} to {frame}"),
    ("box", "add"): to_translate("Drew a box around {name} on {frame}"),
    ("box", "remove"): to_translate("Removed a box around {name} on {frame}"),
    ("box", "replace"): to_translate("Changed a box around {name} on {frame}"),
    ("link True", "add"): to_translate("Noted that {frame} and {other} show the same"),
    ("far link True", "add"): to_translate("Noted that {frame} and {other} of study {study} show the same"),
    ("link True", "remove"): to_translate("Took back that {frame} and {other} show the same"),
    ("far link True", "remove"): to_translate("Took back that {frame} and {other} of study {study} show the same"),
    ("link True", "replace"): to_translate("Changed the note that {frame} and {other} show the same"),
    ("far link True", "replace"): to_translate(
        "Changed the note that {frame} and {other} of study {study} show the same"
    ),
    ("link False", "add"): to_translate("Noted that {frame} and {other} do not show the same"),
    ("far link False", "add"): to_translate("Noted that {frame} and {other} of study {study} do not show the same"),
    ("link False", "remove"): to_translate("Took back that {frame} and {other} do not show the same"),
    ("far link False", "remove"): to_translate(
        "Took back that {frame} and {other} of study {study} do not show the same"
    ),
    ("link False", "replace"): to_translate("Changed the note that {frame} and {other} do not show the same"),
    ("far link False", "replace"): to_translate(
        "Changed the note that {frame} and {other} of study {study} do not show the same"
    ),
    ("report part", "add"): to_translate("Entered {part}"),
    ("report part", "remove"): to_translate("Removed {part}"),
    ("report part", "replace"): to_translate("Changed {part}"),
    ("study", "add"): to_translate("Added the study"),
    ("study", "remove"): to_translate("Erased the study and everything derived from it"),
    ("removed study", "replace"): to_translate("Removed the study, which can be brought back"),
    ("returned study", "replace"): to_translate("Brought the removed study back"),
    ("study", "replace"): to_translate("Changed the study"),
    ("second study", "add"): to_translate("Began a second reading of study {first}"),
    ("current model", "replace"): to_translate("Took the model {model} into use"),
    ("changed model", "replace"): to_translate("Took the model {model} into use instead of {before}"),
    ("report", "sign"): to_translate("Signed version {version} of the report"),
    ("report", "add"): to_translate("Added version {version} of the report"),
    ("library", "restore"): to_translate("Restored the backup of {time}"),
    ("empty library", "restore"): to_translate("Started with an empty library"),
    ("signature key", "add"): to_translate("First signature with the key {key}"),
    ("other signature key", "add"): to_translate(
        "First signature with the key {key}, which differs from the earlier one"
    ),
    ("protocol", "set"): to_translate("Read by the protocol: {protocol}"),
    ("report", "remove"): to_translate("Removed version {version} of the report"),
}
"""By kind, or a case of it, and action."""
OTHER = {
    "add": to_translate("Added {kind} {item}"),
    "remove": to_translate("Removed {kind} {item}"),
    "replace": to_translate("Changed {kind} {item}"),
    "sign": to_translate("Signed {kind} {item}"),
}
KINDS = (
    "label", "finding", "landmark", "box", "link", "record", "report part", "study",
    "model", "current model", "report", "library", "signature key", "run",
    "protocol",
)  # fmt: skip
"""What lines are about; shown by `tr`, as `OWN_WORDS` are."""
PARTS = {
    "lewis": to_translate("the Lewis score"),
    "cecdai": to_translate("the CECDAI score"),
    "koda": to_translate("the KODA score"),
    "cc-clear": to_translate("the CC-CLEAR score"),
    "texts": to_translate("the texts of the report"),
    "settled": to_translate("which differences with a second reader are settled"),
    "amendment": to_translate("the amendment of the report"),
    "drawings": to_translate("drawings on frames and pictures of the report"),
    "audit": to_translate("the audit of unseen frames"),
    "checked": to_translate("which labels were checked as right"),
}
WORDS = {
    **{name: entry.in_log for name, entry in ENTRIES.items()},
    **{name: in_log for name, (_, in_log) in TITLES.items()},
    "name": to_translate("class"),
    "kind": to_translate("class"),
    "when_utc": to_translate("time"),
    "model_id": to_translate("model"),
    "finding_id": to_translate("finding"),
    "was_seen_before": to_translate("seen before the model's flag"),
    "x_min": to_translate("left edge"),
    "y_min": to_translate("upper edge"),
    "x_max": to_translate("right edge"),
    "y_max": to_translate("lower edge"),
    "patient_id": to_translate("patient"),
    "path": to_translate("place of its file"),
    "fingerprint": to_translate("content of its file"),
    "runs": to_translate("which frames follow each other"),
    "is_same": to_translate("the same or not"),
    "other_name": to_translate("class at the other place"),
}
"""What columns are called, where not by their own names."""
OWN_WORDS = (
    "key frames", "sex", "capsule", "indication", "preparation", "state", "threshold", "source",
    "region", "frames", "summary", "recommendation", "settled", "drawings", "pictures of the report",
    "looked at", "checked",
)  # fmt: skip
