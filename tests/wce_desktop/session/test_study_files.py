"""What is kept of a study: an index counts as checked until another one takes its place; and its thresholds."""

from pathlib import Path

from tests.videos import write_video
from training.datasets.synthetic import TRUTH_SUFFIX
from training.video import build_index
from wce_desktop.core.study import Study
from wce_desktop.session.session import Session
from wce_desktop.session.study_files import stated_thresholds


def test_another_index_has_yet_to_be_checked(session: Session, tmp_path: Path) -> None:
    index = build_index(write_video(tmp_path / "study.mp4", 10))
    files = session.files(session.add_study(tmp_path / "study.mp4", index))
    files.save_index(index, is_checked=True)
    assert files.is_index_checked
    files.save_index(index)
    assert not files.is_index_checked
    assert files.load_index(index.fingerprint) is not None


def test_a_model_of_synthetic_pictures_states_no_threshold_for_a_real_study(tmp_path: Path) -> None:
    points = {"sources": [{"source": None, "thresholds": {"polyp": {"0.005": 0.3}}}]}
    real, rendered = (Study(name, "P", name, tmp_path / f"{name}.mp4") for name in ("real", "rendered"))
    (tmp_path / f"rendered{TRUTH_SUFFIX}").write_text("{}", encoding="utf-8")
    synthetic = {"trained_on": "synthetic", "operating_points": points}
    assert stated_thresholds(synthetic, real) == {}
    assert stated_thresholds(synthetic, rendered) == {"polyp": {0.005: 0.3}}
    assert stated_thresholds({"operating_points": points}, real) == {"polyp": {0.005: 0.3}}
    assert stated_thresholds({}, rendered) == {}
