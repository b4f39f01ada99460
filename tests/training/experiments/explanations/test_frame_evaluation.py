"""Maps that are kept survive a crash and never pass for another model's."""

from pathlib import Path

from training.experiments.explanations.frame_evaluation import StoredOverlays


def write(path: Path, identity: dict[str, int]) -> None:
    """Two frames."""
    with StoredOverlays(path, identity, resume=False) as kept:
        kept.add("cam", "a.jpg", {"map": [[0.5]]})
        kept.add("quick", "a.jpg", {"map": [[0.25]]})


def test_what_was_kept_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "maps" / "fold.jsonl"
    write(path, {"model": 1})
    for _ in range(2):
        with StoredOverlays(path, {"model": 1}, resume=True) as kept:
            assert kept.get("cam", "a.jpg") == {"map": [[0.5]]}
            assert kept.get("quick", "a.jpg") == {"map": [[0.25]]}
            assert kept.get("cam", "b.jpg") is None


def test_another_model_or_no_resume_begins_anew(tmp_path: Path) -> None:
    path = tmp_path / "fold.jsonl"
    for identity, resume in (({"model": 2}, True), ({"model": 1}, False)):
        write(path, {"model": 1})
        with StoredOverlays(path, identity, resume=resume) as kept:
            assert kept.get("cam", "a.jpg") is None


def test_a_line_that_a_crash_cut_short_costs_that_frame_only(tmp_path: Path) -> None:
    path = tmp_path / "fold.jsonl"
    write(path, {"model": 1})
    path.write_text(path.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    with StoredOverlays(path, {"model": 1}, resume=True) as kept:
        assert kept.get("cam", "a.jpg") == {"map": [[0.5]]}
        assert kept.get("quick", "a.jpg") is None
        kept.add("quick", "a.jpg", {"map": [[1.0]]})
    with StoredOverlays(path, {"model": 1}, resume=True) as kept:
        assert kept.get("quick", "a.jpg") == {"map": [[1.0]]}
