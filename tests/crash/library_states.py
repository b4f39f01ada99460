"""What a library says of a study, in a form that two processes can compare."""

import json
from pathlib import Path
from typing import Any

from wce_desktop.core.annotation.label import Label
from wce_desktop.library import Library
from wce_desktop.library.storage import integrity

State = dict[str, Any]
KINDS = ("labels", "findings", "landmarks", "boxes", "links")


def state_of(
    labels: list[Label],
    findings: list[Any],
    landmarks: list[Any],
    boxes: list[Any],
    links: list[Any],
    undo: str | None,
    redo: str | None,
) -> State:
    """Everything that was said of a study, and what undo and redo would do, as JSON values."""
    said = {
        "labels": sorted([one.label_id, one.span.start, one.span.stop, one.name, one.source] for one in labels),
        "findings": sorted([one.finding_id, one.span.start, one.span.stop, one.kind, one.comment] for one in findings),
        "landmarks": sorted([one.landmark_id, one.frame_index, str(one.region)] for one in landmarks),
        "boxes": sorted([one.box_id, one.frame_index] for one in boxes),
        "links": sorted([one.link_id, one.frame_index, one.other_frame_index, one.is_same] for one in links),
        "undo": undo,
        "redo": redo,
    }
    return json.loads(json.dumps(said))  # type: ignore[no-any-return]


def on_disk(library: Library, study_id: str) -> State:
    """What the library's database holds of a study."""
    return state_of(
        list(library.annotations.labels(study_id)),
        list(library.annotations.findings(study_id)),
        list(library.annotations.landmarks(study_id)),
        list(library.annotations.boxes(study_id)),
        list(library.annotations.links(study_id)),
        library.annotations.undo_title(study_id),
        library.annotations.redo_title(study_id),
    )


def damage(folder: Path) -> str | None:
    """What SQLite finds wrong with a library's database, or None."""
    return integrity.damage(folder / "library.sqlite")


def what_was_lost(library: Library, study_id: str, confirmed: State) -> str:
    """Compare the disk with the last state that was confirmed; "" where all of it is there.

    The edit in whose middle the process died may be on disk as a whole, though nobody was told so: one undo (or one
    redo, where it was an undo) then leads back to the confirmed state.
    """
    found = on_disk(library, study_id)
    if found == confirmed:
        return ""
    for back, forth in (
        (library.annotations.undo, library.annotations.redo),
        (library.annotations.redo, library.annotations.undo),
    ):
        if back(study_id) is None:
            continue
        before = on_disk(library, study_id)
        forth(study_id)
        if _same_items(before, confirmed):
            return ""
    return f"{_differences(found, confirmed)}"


def undo_works(library: Library, study_id: str) -> bool:
    """Whether the last edit can be taken back and made again, and all is as before then."""
    before = on_disk(library, study_id)
    if library.annotations.undo(study_id) is None:
        return before["undo"] is None
    library.annotations.redo(study_id)
    return on_disk(library, study_id) == before


def _same_items(ours: State, theirs: State) -> bool:
    return all(ours[kind] == theirs[kind] for kind in KINDS)


def _differences(found: State, confirmed: State) -> str:
    parts = []
    for kind in KINDS:
        missing = [item for item in confirmed[kind] if item not in found[kind]]
        more = [item for item in found[kind] if item not in confirmed[kind]]
        parts += [f"{len(missing)} {kind} missing, {len(more)} too many"] if missing or more else []
    return "; ".join(parts) or f"undo and redo: {found['undo']}, {found['redo']}"
