"""The demo study. It is synthetic, so its labels take part in a fine-tuning only when asked for."""

from dataclasses import dataclass
from pathlib import Path

from wce_desktop.core.study import Study
from wce_desktop.session.places import resources_folder
from wce_desktop.session.session import Session

VIDEO_NAME = "demo-study.mp4"
SETTING = "use_demo_labels"


def demo_video() -> Path:
    """The video of the demo study."""
    return resources_folder() / "demo" / VIDEO_NAME


def is_demo(study: Study) -> bool:
    """Whether this is the demo study, also where another version of the program added it."""
    return study.path.name == VIDEO_NAME


@dataclass(frozen=True)
class DemoLabels:
    """The labels of the demo study.

    Attributes:
        study_ids: the demo study, if it has labels.
        are_only: no other study has labels.
        are_used: a fine-tuning uses them: asked for, or there are no others.
    """

    study_ids: frozenset[str] = frozenset()
    are_only: bool = False
    are_used: bool = False

    @property
    def left_out(self) -> frozenset[str]:
        """The studies whose labels a fine-tuning does not use."""
        return frozenset() if self.are_used else self.study_ids


def demo_labels(session: Session) -> DemoLabels:
    """Look for labels of the demo study; a library without the demo study costs no look at its labels."""
    demo = {study.study_id for study in session.library.studies.all() if is_demo(study)}
    if not demo:
        return DemoLabels()
    labelled = {row.study_id for row in session.library.annotations.label_counts_by_study()}
    are_only = bool(labelled) and labelled <= demo
    held = frozenset(study_id for study_id in demo if session.library.annotations.answers(study_id))
    return DemoLabels(held, are_only, are_only or bool(session.settings[SETTING]))


def studies_to_learn_from(session: Session) -> frozenset[str] | None:
    """The studies that a fine-tuning on all labels uses; None: all of the library."""
    left_out = demo_labels(session).left_out
    if not left_out:
        return None
    return frozenset(study.study_id for study in session.library.studies.all()) - left_out
