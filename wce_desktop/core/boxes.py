"""Suggested boxes that a reader accepts: pure functions from what was suggested to the changes to make."""

from collections.abc import Sequence
from dataclasses import dataclass

from wce_desktop.core.change import Add, Plan
from wce_desktop.core.clock import counted
from wce_desktop.core.finding import Box, Finding
from wce_desktop.core.identity import new_id

WEAK_PREFIX = "weak-"
"""Prefix of the id of an accepted suggested box, followed by the method's name and a random number
("weak-score-cam-9f…"): a box has no other field for its origin."""


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
        return Plan("No box is suggested on this frame", ())
    changes = tuple(Add(_box(one, findings, study_id, reader)) for one in suggested)
    names = " and ".join(sorted({one.name for one in suggested}))
    return Plan(f"Accept {counted(len(suggested), 'box')} around {names}", changes)


def suggested_by(box: Box) -> str:
    """The method that suggested a box; "" if a reader drew it."""
    return box.box_id.removeprefix(WEAK_PREFIX).rpartition("-")[0] if box.box_id.startswith(WEAK_PREFIX) else ""


def _box(one: SuggestedBox, findings: Sequence[Finding], study_id: str, reader: str) -> Box:
    around = (each for each in findings if each.kind == one.name and one.frame_index in each.span)
    finding = next(around, None)
    edges = (one.x_min, one.y_min, one.x_max, one.y_max)
    owner = None if finding is None else finding.finding_id
    return Box(new_id(f"{WEAK_PREFIX}{one.method}-"), study_id, one.frame_index, *edges, one.name, owner, reader)
