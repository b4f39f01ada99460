"""What readers enter: labels, findings, landmarks, links, records; and the changes that an edit makes."""

from wce_desktop.core.annotation.change import Add, Change, Edit, Item, Plan, Remove, Replace, item_id, items_of
from wce_desktop.core.annotation.finding import ENTRIES, Box, Finding
from wce_desktop.core.annotation.label import NORMAL, Answer, Label, LabelSource, LabelTrack, picture_frames
from wce_desktop.core.annotation.landmark import Landmark, Region, first_frames, regions
from wce_desktop.core.annotation.link import Link
from wce_desktop.core.annotation.record import Record
from wce_desktop.core.annotation.report_part import PartKind, ReportPart, part_of
from wce_desktop.core.annotation.vocabulary import ClassName, Vocabulary, name_text, shown_name, title_of

__all__ = [
    "ENTRIES", "NORMAL", "Add", "Answer", "Box", "Change", "ClassName", "Edit", "Finding", "Item", "Label",
    "LabelSource", "LabelTrack", "Landmark", "Link", "PartKind", "Plan", "Record", "Region", "Remove", "Replace",
    "ReportPart", "Vocabulary", "first_frames", "item_id", "items_of", "name_text", "part_of", "picture_frames",
    "regions", "shown_name", "title_of",
]  # fmt: skip
