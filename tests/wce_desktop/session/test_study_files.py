"""What is kept of a study: an index counts as checked until another one takes its place."""

from pathlib import Path

from tests.videos import write_video
from training.video import build_index
from wce_desktop.session.session import Session


def test_another_index_has_yet_to_be_checked(session: Session, tmp_path: Path) -> None:
    index = build_index(write_video(tmp_path / "study.mp4", 10))
    files = session.files(session.add_study(tmp_path / "study.mp4", index))
    files.save_index(index, is_checked=True)
    assert files.is_index_checked
    files.save_index(index)
    assert not files.is_index_checked
    assert files.load_index(index.fingerprint) is not None
