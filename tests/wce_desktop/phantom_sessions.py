"""A session on little phantom studies, some of them labelled by what the phantom knows: material to train on."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from tests.wce_desktop.sessions import make_session
from training.phantom.dataset import write_studies
from training.runs.reporter import SilentReporter
from wce_desktop.library.exchange import apply_import, plan_import
from wce_desktop.session.session import Session

FRAMES = 60


def write_phantom(folder: Path, studies: int = 4) -> Path:
    """Studies P01, P02, … of 60 frames at 64 x 64, each of a patient of its own; returns the folder."""
    manifest = write_studies(
        folder, studies=studies, frames=FRAMES, size_px=64, positive_share=0.4, reporter=SilentReporter()
    )
    return manifest.parent


def phantom_session(folder: Path, phantom: Path, labelled: Collection[int] = (0, 1)) -> Session:
    """A session without a model on these studies, of which those at `labelled` carry their labels."""
    session = make_session(folder, has_model=False)
    names = {known.name for known in session.vocabulary}
    plan = plan_import(session.library, phantom, names)
    wanted = [plan.new_studies[number].study_id for number in labelled]
    apply_import(session.library, replace(plan, changes={name: plan.changes[name] for name in wanted}))
    session.studies_changed.emit()
    return session
