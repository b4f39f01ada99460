"""Clips embedded by a real job that is started from the window of places."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.training.pretraining.kept_run import write_kept_run
from tests.wce_desktop.features.places.passes import FRAMES, passes_session
from tests.wce_desktop.features.places.person import reader_at
from training.retrieval.clip_file import ClipFile
from wce_desktop.session.run_models import ClipModel, clip_runs

JOB_MILLISECONDS = 60_000
"""The first job of a test run waits for torch to be imported."""


def test_a_job_embeds_what_is_missing_and_the_place_is_found(qtbot: QtBot, tmp_path: Path) -> None:
    session = passes_session(tmp_path, "ab", scored="")
    run = session.library.runs.add("Clips", kind="pretrain")
    run.folder.rmdir()
    write_kept_run(run.folder, method="videomae", sequence_length=8, frame_step=2)
    session.library.runs.finish(run.run_id, "done", {"finished": True})
    (run,) = clip_runs(session.library)
    with reader_at(qtbot, session) as reader:
        reader.finds(12)
        session.scores.compare_by(run.run_id)
        reader.waits()
        lists = reader.window.lists
        assert lists._missing.text() == "Not embedded by the clip model: Pass a, Pass b."
        lists.missing_button.click()
        qtbot.waitUntil(lambda: reader.main.is_idle, timeout=JOB_MILLISECONDS)
        model = ClipModel.of(run)
        files = [ClipFile.open(model.path(session.files(session.library.studies.get(name)))) for name in "ab"]
        assert files[0].header.space == files[1].header.space
        assert [file.header.frames for file in files] == [FRAMES, FRAMES]
        assert [file.header.model_id for file in files] == [model.model_id] * 2
        assert not lists._missing.text()
        assert {study_id for study_id, *_ in reader.places} == {"b"}
        assert reader.shown == (12, reader.shown[1])
        assert reader.window.pair.right.shows("b")
    assert [
        path.name for path in model.path(session.files(session.library.studies.get("a"))).parent.glob("*.partial")
    ] == []
