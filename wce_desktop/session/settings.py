"""The table of settings: type, default, range and help in one place; the dialog and the validation come from it."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from training.errors import UserError, writing
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from training.metrics.events import MAX_GAP_FRAMES, THRESHOLD
from training.texts import Text
from wce_desktop.core.dwell import SEEN_UP_TO_FPS
from wce_desktop.core.language import number_text, tr
from wce_desktop.session.presets import built_in


@dataclass(frozen=True)
class Setting:
    """One setting; `minimum` and `maximum` hold for numbers and include their ends."""

    key: str
    title: str
    default: bool | int | float | str
    help: str
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)  # of a choice: its values, and what the screen calls them
    is_in_dialog: bool = True

    def check(self, value: Any) -> bool | int | float | str:
        """Return `value` in this setting's type; `UserError` says what is allowed."""
        wanted = type(self.default)
        if wanted is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53:
            value = float(value)
        is_kind = type(value) is wanted
        in_range = not self.titles or value in self.titles
        if is_kind and self.minimum is not None:
            in_range = self.minimum <= value <= (self.maximum if self.maximum is not None else value)
        if not (is_kind and in_range):
            raise UserError(
                "“{value}” is not valid for the setting “{title}”.",
                "Allowed: {allowed}.",
                value,
                Text(self.title),
                self.allowed,
            )
        return value  # type: ignore[no-any-return]

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        if self.titles:
            return ", ".join(self.titles)  # as they are written in the file
        if self.minimum is not None and self.maximum is not None:
            return tr(
                "{least} to {most} {unit}",
                least=number_text(self.minimum, "g"),
                most=number_text(self.maximum, "g"),
                unit=tr(self.unit),
            ).strip()
        return {bool: tr("yes or no"), str: tr("any text")}.get(type(self.default), tr("any number"))


def _elsewhere(key: str, title: str, default: bool | str) -> Setting:
    """A setting that is chosen elsewhere than in the dialog."""
    return Setting(key, title, default, "", is_in_dialog=False)


DESKS = {"reading": "Reading desk", "research": "Research desk"}
PROTOCOLS = {"full": "AI with full reading", "unaided": "Unaided first", "ai_first": "AI first"}
_DEVICES = {"auto": "Automatic", "cpu": "Processor", "cuda": "NVIDIA graphics card", "mps": "Apple graphics"}
_PLACES = {"here": "This computer", "cluster": "Cluster"}
_STORAGES = {
    "float16": "Full (144 MB for 50,000 frames)",
    "int8": "Half (80 MB)",
    "int8-pca": "A quarter (36 MB)",
}
_PRESETS = {preset.name: preset.title for preset in built_in("finetune")}
_LANGUAGES = {"system": "As the system", "en": "English", "de": "Deutsch"}
_THEMES = {"system": "As the system", "dark": "Dark", "light": "Light"}
FOLDER_KINDS = ("studies", "labels", "models", "pictures", "reports")
"""What dialogs for files ask for; where each ended is kept."""
# fmt: off
SETTINGS: tuple[Setting, ...] = (
    Setting("language", "Language", "system", "Language of the window. Applies when the program starts again.",
        titles=_LANGUAGES),
    Setting("theme", "Theme", "system", "Colours of the window. Frames and maps keep their dark surroundings.",
        titles=_THEMES),
    Setting("text_percent", "Text size", 100,
        "Size of text and controls, on top of the system's own text size. Applies when the program starts again.",
        100, 150, "%"),
    Setting("reader", "Reader", "", "Your name, stored with your labels. Empty: your account name."),
    Setting("rate_fps", "Play rate", 8, "Frames per second when a study opens.", 1, 60, "frames/s"),
    Setting("report_letterhead", "Letterhead of reports", "",
        "Name and address of your hospital at the head of each report. A vertical bar (|) begins a new line."),
    Setting("report_logo", "Logo of reports", "", "PNG or JPEG file at the head of each report, up to 2 MB."),
    Setting("report_template", "Report template", "", "HTML file of your own template. Empty: the built-in one."),
    Setting("seen_up_to_fps", "Seen up to", SEEN_UP_TO_FPS,
        "Frames played faster do not count as seen; with two or four frames at once, up to twice as many a second do. "
        "Readers find fewer lesions above 10 to 15 frames/s (Nakamura 2015, ESGE 2018).", 1, 60, "frames/s"),
    Setting("threshold", "Threshold", THRESHOLD,
        "Frames of new studies with at least this score are flagged; 0.5 is 5 of 1,000 normal frames of each class.",
        0.0, 1.0),
    Setting("protocol", "Reading protocol", "full",
        "Holds for all studies at once, the open one too. AI with full reading: flags are shown from the start; the "
        "report says how much was seen. "
        "Unaided first: suggestions are hidden until the small bowel was seen once, without landmarks the whole study. "
        "AI first: a study opens with its suggested findings, and the report says whether unseen frames were audited.",
        titles=PROTOCOLS),
    Setting("review_percent", "Review budget", 1.0, "Share flagged by “Show the top frames”.", 0.1, 100.0, "%"),
    Setting("max_gap_frames", "Gap in an event", MAX_GAP_FRAMES, "Largest gap within one event.", 0, 1000, "frames"),
    Setting("group_events", "Group flags", True,
        "List flags as suggested findings: events that seem to show the same finding."),
    _elsewhere("group_by", "Group flags by", ""),  # run of the model that does; empty: stored embeddings and time
    _elsewhere("compare_by", "Compare places by", ""),  # run of the clip model that does; empty: stored embeddings
    _elsewhere("run_columns", "Columns of runs and models", "state result created"),
    _elsewhere("old_template_mentioned", "Old report template mentioned", False),
    _elsewhere("report_boxes", "Boxes in reports", True),
    _elsewhere("report_overlay", "Overlay in reports", False),
    _elsewhere("name_pattern", "Pattern of file names", ""),
    _elsewhere("last_study", "Study read last", ""),  # its id
    *(_elsewhere(f"folder_{kind}", f"Folder of {kind}", "") for kind in FOLDER_KINDS),
    Setting("desk", "Desk", "reading", "", titles=DESKS, is_in_dialog=False),
    _elsewhere("show_left", "Studies", True),
    _elsewhere("show_left_reading", "Studies", False),
    _elsewhere("show_right", "Flags and findings", True),
    Setting("overlay_opacity", "Overlay", 0.6, "Opacity of the overlay where the evidence is strongest.", 0.05, 1.0),
    _elsewhere("is_overlay_on", "Overlay", False),
    Setting("collapse_similar", "Similar frames as one", False, "While playing, show near-identical frames as one."),
    Setting("adaptive_speed", "Adaptive speed", False, "Play faster where little changes, slower where much does."),
    Setting("score_when_opened", "Score new studies", True, "Queue a new study for scoring when it is opened."),
    Setting("keep_model_ready", "Keep the model ready", True,
        "Start the model's process when a study is opened, so that the first explanation comes sooner. Takes 0.4 GB."),
    Setting("device", "Device", "auto", "Processor or graphics card for models.", titles=_DEVICES),
    Setting("score_on", "Score on", "here", "Where studies are scored.", titles=_PLACES),
    Setting("storage", "Space for scores", "float16",
        "Disk space of a study's scores. With half of it 97 of 100 similar frames are still found, with a quarter 95; "
        "an updated model then flags 1 or 5 of 100 frames differently.", titles=_STORAGES),
    Setting("train_on", "Train on", "here", "Where models are trained and cross-validated.", titles=_PLACES),
    Setting("cluster_address", "Cluster", "auto",
        "Address of the Ray cluster, such as ray://host:10001; auto: the one that runs on this computer."),
    Setting("finetune_preset", "Fine-tuning", "default", "Preset used to fine-tune a model.", titles=_PRESETS),
    Setting("use_demo_labels", "Labels of the demo study", False, "Use labels of the demo study to fine-tune."),
    _elsewhere("copies_folder", "Folder for copies of backups", ""),
    _elsewhere("copies_earlier", "Earlier folders for copies", ""),
    _elsewhere("copies_last", "Last copy of a backup", ""),  # what happened last
    Setting("copies_days", "Days between copies of backups", 1,
        "How often backups are copied to the folder chosen in Study, Library, Backups.", 1, 90),
    Setting("lock_minutes", "Lock after", 0,
        "Lock an encrypted library after so many minutes without use; 0: never. Jobs, playing and open questions are "
        "waited for.", 0, 1440, "min"),
    Setting("cache_mebibytes", "Frame memory", 256, "Memory for decoded frames, for fast stepping.", 32, 8192, "MiB"),
)
# fmt: on


class Settings:
    """The chosen values, stored as JSON in the library's folder; a damaged file falls back to the defaults."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._table = {setting.key: setting for setting in SETTINGS}
        self._values: dict[str, Any] = {}
        self._keys: dict[str, str] = {}
        self.problem: str | None = None
        if os.access(path, os.F_OK):  # not where this account may not look
            self._load()

    def _load(self) -> None:
        try:
            stored = read_json_object(self._path, "settings file")
            chosen = stored.get("keys")
            pairs = chosen.items() if isinstance(chosen, Mapping) else ()
            self._keys = {action_id: key for action_id, key in pairs if isinstance(key, str)}
            self._values = {key: self._table[key].check(value) for key, value in stored.items() if key in self._table}
        except UserError as error:
            self.problem = tr("The settings could not be read and were reset to their defaults ({error}).", error=error)

    def __getitem__(self, key: str) -> Any:
        return self._values.get(key, self._table[key].default)

    def set(self, key: str, value: Any) -> None:
        """Check, keep and write one value; `UserError` when it does not fit or cannot be kept for the next time."""
        self._values[key] = self._table[key].check(value)
        self._write()

    @property
    def keys(self) -> Mapping[str, str]:
        """The keys that the reader has changed, by action id; `session.keys.checked` leaves out what cannot be used."""
        return self._keys

    def set_keys(self, chosen: Mapping[str, str]) -> None:
        """Keep and write them; `UserError` when they cannot be kept for the next time."""
        self._keys = dict(chosen)
        self._write()

    def _write(self) -> None:
        values = {**self._values, "keys": self._keys} if self._keys else self._values
        hint = Text("They apply until the window is closed; check the disk and the folder's permissions.")
        with writing(self._path, hint=hint), written_beside(self._path) as beside:
            beside.write_text(json.dumps(values, indent=1), encoding="utf-8")
