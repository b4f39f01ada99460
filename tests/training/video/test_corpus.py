"""A sample of the corpus; all of it is run by `python -m tests.corpus`."""

from pathlib import Path

import pytest

from tests.corpus.checking import check_source
from tests.corpus.dicom_kinds import dicom_sources
from tests.corpus.kinds import kind_sources
from tests.corpus.sources import Source, all_sources, some_sources


@pytest.mark.parametrize("source", some_sources(40, seed=1), ids=lambda source: f"{source.container}-{source.name}")
def test_no_frame_is_shown_under_the_number_of_another(source: Source, tmp_path: Path) -> None:
    outcome = check_source(source, tmp_path)
    assert not outcome.refused
    assert outcome.reads > outcome.frames > 0
    assert outcome.wrong == []
    assert outcome.unexplained == set()
    if source.damage == "none":
        assert (outcome.right, outcome.missing, outcome.contradictions) == (outcome.reads, set(), [])


@pytest.mark.parametrize("b_frames", [1, 2])
@pytest.mark.parametrize("container", ["avi", "mkv"])
@pytest.mark.parametrize("gop", [12, 250])
def test_packed_b_frames_are_in_order(container: str, gop: int, b_frames: int, tmp_path: Path) -> None:
    outcome = check_source(Source("mpeg4 packed", container, gop, b_frames), tmp_path)
    assert outcome.contradictions == []  # ffmpeg itself gives them in order
    assert outcome.right == outcome.reads > 48


@pytest.mark.parametrize("container", ["mkv", "ts", "avi", "mp4"])
@pytest.mark.parametrize("b_frames", [0, 3])
def test_frames_after_lost_ones_keep_their_numbers(container: str, b_frames: int, tmp_path: Path) -> None:
    outcome = check_source(Source("h264", container, 12, b_frames, damage="noise"), tmp_path)
    assert (outcome.frames, outcome.is_renumbered, outcome.wrong) == (48, False, [])
    assert 0 < len(outcome.missing) < 25


@pytest.mark.parametrize(
    "source",
    [
        Source("mpeg2video", "mpg", 12, 2, "25", "cut", 1),
        Source("mpeg2video", "mpg", 12, 2, "25", "cut", 2),
        Source("mpeg1video", "mpg", 12, 2, "25", "lost", 104),
        Source("mpeg2video", "mpg", 12, 0, "25", "lost", 1),
        Source("mpeg2video", "ts", 12, 0, "25", "bits", 2),
    ],
    ids=str,
)
def test_the_numbers_of_pictures_in_their_groups_tell_of_a_loss(source: Source, tmp_path: Path) -> None:
    outcome = check_source(source, tmp_path)
    assert (outcome.wrong, outcome.unexplained) == ([], set())
    assert 0 < len(outcome.missing) < 24


def test_the_corpus_is_large_and_every_source_has_a_name_of_its_own() -> None:
    sources = all_sources()
    assert len(sources) >= 500
    assert len({(source.container, source.name) for source in sources}) == len(sources)


@pytest.mark.parametrize(
    "source", [*kind_sources(), *dicom_sources()], ids=lambda s: f"{s.kind}-{s.codec}-{s.container}-{s.b_frames}"
)
def test_what_a_file_says_beside_its_frames_is_done_or_said(source: Source, tmp_path: Path) -> None:
    outcome = check_source(source, tmp_path)
    assert not outcome.refused
    assert (outcome.wrong, outcome.unexplained, outcome.contradictions) == ([], set(), [])
    assert outcome.right == outcome.reads > outcome.frames >= 10
