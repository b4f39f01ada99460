"""Boxes that a reader accepts, draws, moves, resizes or names: pure functions to the changes to make."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from training.texts import Text, count_text
from wce_desktop.core.annotation.change import Add, Plan, Remove, Replace
from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.annotation.vocabulary import name_text
from wce_desktop.core.identity import new_id
from wce_desktop.core.language import to_translate

WEAK_PREFIX = "weak-"
"""Prefix of the id of an accepted suggested box, followed by the method's name and a random number
("weak-score-cam-9f…"): a box has no other field for its origin."""


SMALLEST_PX = 2.0
"""Of a box's sides, in pixels of the frame."""
SAME_BOX = 0.5
"""Intersection over union from which two boxes of a class on a frame count as one."""
Edges = tuple[float, float, float, float]
"""x_min, y_min, x_max, y_max in pixels of the frame."""


@dataclass(frozen=True, slots=True)
class SuggestedBox:
    """A box that an explanation suggests, in pixels of the study's frames; the maxima are excluded.

    Attributes:
        name: the class that was explained.
        strength: mean of the map inside, in [0, 1]: how strong the evidence is, not how likely the class.
        method: name of the method that computed the CAM ("cam", "quick", "score-cam").
        model_id: whose explanation it was.
    """

    frame_index: int
    x_min: float
    y_min: float
    x_max: float
    y_max: float
    name: str
    strength: float
    method: str
    model_id: str


def accept_boxes(suggested: Sequence[SuggestedBox], findings: Sequence[Finding], study_id: str, reader: str) -> Plan:
    """Accept suggested boxes; each is assigned to the finding of its class on that frame, if there is one."""
    if not suggested:
        return Plan(to_translate("No box is suggested on this frame"), ())
    changes = []
    for one in suggested:
        edges, owner = (one.x_min, one.y_min, one.x_max, one.y_max), owner_of(findings, one.name, one.frame_index)
        box_id = new_id(f"{WEAK_PREFIX}{one.method}-")
        changes.append(Add(Box(box_id, study_id, one.frame_index, *edges, one.name, owner, reader)))
    names = [name_text(name) for name in sorted({one.name for one in suggested})]
    title = count_text(
        "Accept {count:,} box around {names}", "Accept {count:,} boxes around {names}", len(suggested), names
    )
    return Plan(title, tuple(changes))


def keep_followed(origin: Box, followed: Mapping[int, Edges], boxes: Sequence[Box], reader: str) -> Plan:
    """Keep the boxes that follow one which was drawn, with its class and finding.

    Args:
        origin: the box that was drawn.
        followed: edges by frame; that of `origin` and frames with a like box of its class in `boxes` are left out.
        reader: whose boxes they become.
    """
    there = {box.frame_index: box for box in boxes if box.name == origin.name and _overlap(box, followed) >= SAME_BOX}
    changes = tuple(
        Add(replace(_with_edges(origin, edges), box_id=new_id("b-"), frame_index=frame, reader=reader))
        for frame, edges in sorted(followed.items())
        if frame != origin.frame_index and frame not in there
    )
    if not changes:
        return Plan(to_translate("The box follows on no further frame"), ())
    title = count_text(
        "Keep {count:,} box that follows {name}",
        "Keep {count:,} boxes that follow {name}",
        len(changes),
        name_text(origin.name),
    )
    return Plan(title, changes)


def _overlap(box: Box, edges_by_frame: Mapping[int, Edges]) -> float:
    """Intersection over union of a box with the edges on its frame; 0 without any there."""
    if box.frame_index not in edges_by_frame:
        return 0.0
    x_min, y_min, x_max, y_max = edges_by_frame[box.frame_index]
    width, height = min(box.x_max, x_max) - max(box.x_min, x_min), min(box.y_max, y_max) - max(box.y_min, y_min)
    shared = max(0.0, width) * max(0.0, height)
    areas = (box.x_max - box.x_min) * (box.y_max - box.y_min) + (x_max - x_min) * (y_max - y_min)
    return shared / (areas - shared)


def suggested_by(box: Box) -> str:
    """The method that suggested a box; "" if a reader drew it."""
    return box.box_id.removeprefix(WEAK_PREFIX).rpartition("-")[0] if box.box_id.startswith(WEAK_PREFIX) else ""


def clipped(edges: Edges, width: float, height: float) -> Edges | None:
    """The part of a box that lies on a frame of this size in px, its corners in any order; None where too little does.

    Args:
        edges: two opposite corners (x, y, x, y).
        width, height: of the frame.
    """
    x_min, x_max = sorted((min(max(edges[0], 0.0), width), min(max(edges[2], 0.0), width)))
    y_min, y_max = sorted((min(max(edges[1], 0.0), height), min(max(edges[3], 0.0), height)))
    if x_max - x_min < SMALLEST_PX or y_max - y_min < SMALLEST_PX:
        return None
    return x_min, y_min, x_max, y_max


def moved(edges: Edges, right: float, down: float, width: float, height: float) -> Edges:
    """A box moved by so many px, no further than the edges of the frame, so that it keeps its size."""
    right = min(max(right, -edges[0]), width - edges[2])
    down = min(max(down, -edges[1]), height - edges[3])
    return edges[0] + right, edges[1] + down, edges[2] + right, edges[3] + down


def draw_box(
    edges: Edges,
    size: tuple[float, float],
    frame_index: int,
    name: str,
    findings: Sequence[Finding],
    *,
    study_id: str,
    reader: str,
) -> Plan:
    """Draw a box of a class; it belongs to the finding of its class on that frame, if there is one.

    Args:
        edges: two opposite corners in px of the frame; what lies beyond the frame is cut off.
        size: width and height of the frame.
    """
    inside = clipped(edges, *size)
    if inside is None:
        return Plan(to_translate("A box needs at least 2 pixels of the frame in each direction: nothing was drawn"), ())
    owner = owner_of(findings, name, frame_index)
    result = Box(new_id("b-"), study_id, frame_index, *inside, name, owner, reader)
    return Plan(Text("Draw a box around {name}", name_text(name)), (Add(result),))


def reshape_box(box: Box, edges: Edges, size: tuple[float, float]) -> Plan:
    """Move or resize a box; what lies beyond the frame, of `size` width and height, is cut off."""
    inside = clipped(edges, *size)
    if inside is None:
        return Plan(
            to_translate("A box needs at least 2 pixels of the frame in each direction: it stays as it was"), ()
        )
    return _replaced(box, _with_edges(box, inside), Text("Change a box around {name}", name_text(box.name)))


def name_box(box: Box, name: str, findings: Sequence[Finding]) -> Plan:
    """Give a box another class; it leaves a finding of the old class for one of the new class on that frame."""
    owner = box.finding_id
    kinds = {finding.finding_id: finding.kind for finding in findings}
    if owner is None or kinds.get(owner) != name:
        owner = owner_of(findings, name, box.frame_index)
    return _replaced(box, replace(box, name=name, finding_id=owner), Text("Name a box {name}", name_text(name)))


def assign_box(box: Box, finding: Finding | None) -> Plan:
    """Let a box belong to a finding, whose kind it takes, or to none."""
    if finding is None:
        return _replaced(box, replace(box, finding_id=None), Text("Take a box off its finding"))
    new = replace(box, finding_id=finding.finding_id, name=finding.kind)
    return _replaced(box, new, Text("Assign a box to a finding of {name}", name_text(finding.kind)))


def remove_box(box: Box) -> Plan:
    """Remove a box."""
    return Plan(Text("Remove a box around {name}", name_text(box.name)), (Remove(box),))


def owner_of(findings: Sequence[Finding], name: str, frame_index: int) -> str | None:
    """The id of the finding of a class that a box on a frame belongs to: by its span, else by its key frames."""
    of_class = [finding for finding in findings if finding.kind == name]
    around = [finding for finding in of_class if frame_index in finding.span]
    around += [finding for finding in of_class if frame_index in finding.key_frames]
    return around[0].finding_id if around else None


def _with_edges(box: Box, edges: Edges) -> Box:
    x_min, y_min, x_max, y_max = edges
    return replace(box, x_min=x_min, y_min=y_min, x_max=x_max, y_max=y_max)


def _replaced(old: Box, new: Box, title: str) -> Plan:
    return Plan(to_translate("The box is like this already"), ()) if old == new else Plan(title, (Replace(old, new),))
