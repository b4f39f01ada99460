"""The user story on two passes of a phantom patient: find a place of pass a in pass b, step both, link them, undo."""

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.wce_desktop.features.places.passes import write_scores
from tests.wce_desktop.features.places.person import reader_at
from tests.wce_desktop.sessions import make_session
from training.phantom.dataset import write_studies
from training.runs.reporter import SilentReporter
from training.video import FieldOfView, build_index
from wce_desktop.library.exchange import apply_import, plan_import
from wce_desktop.session.session import Session

FRAMES, PIXELS = 60, 64


def depths_of(session: Session, study_id: str) -> NDArray[np.float64]:
    """(60,) mm: how deep in the gut the capsule of a pass is at each frame."""
    video = session.library.studies.get(study_id).path
    truth = json.loads(video.with_suffix(".truth.json").read_text())
    return np.array([frame["depth_mm"] for frame in truth["frames"]])


def lesions_at(session: Session, study_id: str, start: int, stop: int) -> set[str]:
    """The numbers of the lesions that frames of a pass show."""
    labels = session.library.annotations.labels(study_id)
    inside = [one for one in labels if one.finding_id and one.span.start < stop and start < one.span.stop]
    return {str(one.finding_id).split("-")[-1] for one in inside}


def phantom_session(folder: Path) -> Session:
    """Two passes of one patient whose embeddings say how deep in the gut a frame lies."""
    manifest = write_studies(
        folder / "phantom", studies=2, passes=2, frames=FRAMES, size_px=PIXELS, positive_share=0.4,
        reporter=SilentReporter(),
    )  # fmt: skip
    session = make_session(folder)
    names = {known.name for known in session.vocabulary}
    apply_import(session.library, plan_import(session.library, manifest.parent, names))
    view = FieldOfView("circle", PIXELS, PIXELS, centre=(PIXELS / 2, PIXELS / 2), radius=PIXELS / 2 - 2)
    scores = np.tile(np.array([0.9, 0.05, 0.05], np.float32), (FRAMES, 1))
    for study in session.library.studies.all():
        index = build_index(study.path)
        session.files(study).save_index(index)
        session.library.studies.update(study.study_id, frame_count=len(index))
        waves = np.outer(depths_of(session, study.study_id), np.array([0.005, 0.02, 0.05, 0.1]))
        embeddings = np.concatenate((np.cos(waves), np.sin(waves)), axis=1).astype(np.float32)
        write_scores(session, study.study_id, embeddings, scores, view, index.video_seconds)
    return session


def test_find_a_place_of_pass_a_in_pass_b_step_link_undo(qtbot: QtBot, tmp_path: Path) -> None:
    session = phantom_session(tmp_path)
    first, second = (study.study_id for study in session.library.studies.all())
    lesion = next(
        one
        for one in session.library.annotations.findings(first)
        if lesions_at(session, second, 0, FRAMES) >= {one.finding_id.split("-")[-1]}
    )
    with reader_at(qtbot, session, first) as reader:
        reader.finds(lesion.span.start)
        assert "the finding here" in reader.window.lists._query.text()
        study_id, start, stop = reader.places[0]
        assert study_id == second
        depth = depths_of(session, first)[lesion.span.start : lesion.span.stop].mean()
        offsets = np.abs(depths_of(session, second) - depth)
        assert start - 2 <= int(offsets.argmin()) <= stop + 1, "where pass b comes by the same depth"
        assert lesion.finding_id.split("-")[-1] in lesions_at(session, second, start - 2, stop + 2)

        left, right = reader.shown
        assert left is not None
        assert right is not None
        step = 1 if max(left, right) < FRAMES - 1 else -1
        reader.presses(Qt.Key.Key_Right if step > 0 else Qt.Key.Key_Left)
        assert reader.shown == (left + step, right + step)

        reader.presses(Qt.Key.Key_Y)
        (link,) = reader.links
        assert (link.frame_index, link.other_frame_index, link.is_same) == (left + step, right + step, True)
        (mark,) = reader.main.workspace.timeline.content.links
        assert (mark.frame_index, mark.is_same) == (left + step, True)

        reader.presses(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert not reader.links
        assert not reader.main.workspace.timeline.content.links
