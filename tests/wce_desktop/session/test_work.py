"""What a job is told of a study's index."""

from pathlib import Path

import pytest

from tests.wce_desktop.sessions import add_study
from training.video import frame_index
from wce_desktop.library import Model
from wce_desktop.session.session import Session
from wce_desktop.session.work import score_job


def current(session: Session) -> Model:
    assert session.current_model is not None
    return session.current_model


def test_a_job_takes_the_kept_index(session: Session, tmp_path: Path) -> None:
    study = add_study(session, tmp_path)
    config = score_job(session, study, current(session)).config
    assert config["index"] == str(session.files(study).index_path)


def test_a_job_makes_its_own_index_where_the_kept_one_is_an_older_versions(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = add_study(session, tmp_path)
    monkeypatch.setattr(frame_index, "SCHEMA_VERSION", frame_index.SCHEMA_VERSION + 1)
    assert score_job(session, study, current(session)).config["index"] is None
    session.files(study).index_path.unlink()
    assert score_job(session, study, current(session)).config["index"] is None
