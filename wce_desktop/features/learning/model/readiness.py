"""The labels that a fine-tuning would use, or why it cannot start."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from wce_desktop.core.label import NORMAL
from wce_desktop.session.demo import DemoLabels, demo_labels
from wce_desktop.session.session import Session


@dataclass(frozen=True)
class Readiness:
    """The labels that a fine-tuning would use.

    Attributes:
        counts: frames of each class labelled since the current model was trained.
        study_count: number of studies with these frames.
        problem, hint: why fine-tuning cannot start, and what to do; empty when it can.
        demo: the labels of the demo study.
    """

    counts: Mapping[str, int]
    study_count: int
    problem: str = ""
    hint: str = ""
    demo: DemoLabels = field(default_factory=DemoLabels)


def finetune_readiness(session: Session) -> Readiness:
    """Check for what fine-tuning needs: new labels, normal frames and other frames."""
    library, demo = session.library, demo_labels(session)
    totals = library.label_totals(demo.left_out)
    ever, new = totals.ever, totals.new_frames
    studies = [study for study in library.studies() if study.study_id not in demo.left_out]
    has_normal = NORMAL in ever or any(study.state == "finished" for study in studies)
    has_others = any(name != NORMAL for name in ever)
    problem, hint = "", ""
    if not ever:
        problem, hint = "No labels yet.", "Label what you see with 1 to 9, and normal frames with 0."
    elif not has_others:
        problem, hint = "Only normal frames are labelled.", "Label what you find with 1 to 9."
    elif not has_normal:
        problem, hint = "No normal frames are labelled.", "Label some with 0, or finish reading a study."
    elif not new:
        problem, hint = "No new labels since this model was trained.", "Label some more frames first."
    return Readiness(new, totals.new_studies, problem, hint, demo)
