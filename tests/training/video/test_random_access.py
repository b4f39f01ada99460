"""Any sequence of seeks and steps gives the frames that were asked for."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.videos import number_of, write_video
from training.video import FrameIndex, build_index, open_source

FRAMES = 60
MOVES = st.lists(st.one_of(st.integers(0, FRAMES - 1).map(lambda to: ("seek", to)), st.tuples(st.just("step"), st.integers(-12, 12))), min_size=1, max_size=25)  # fmt: skip  # noqa: E501


@pytest.fixture(scope="module", params=["open.ts", "uneven.mp4", "order unstored.avi"])
def study(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, FrameIndex]:
    path = tmp_path_factory.mktemp("study") / request.param
    if path.suffix == ".ts":
        write_video(path, FRAMES, b_frames=3, open_gop=True)
    elif path.suffix == ".mp4":
        write_video(path, FRAMES, b_frames=2, times_ms=[i * i * 7 + i * 20 for i in range(FRAMES)])
    else:
        write_video(path, FRAMES, codec="libx264", b_frames=2)
    return path, build_index(path)


@given(moves=MOVES, cache_frames=st.sampled_from([1, 5, 1000]))
@settings(max_examples=25, deadline=None)
def test_any_walk_shows_what_it_asks_for(
    moves: list[tuple[str, int]], cache_frames: int, study: tuple[Path, FrameIndex]
) -> None:
    path, index = study
    cursor = 0
    with open_source(path, index=index, cache_bytes=cache_frames * 64 * 64 * 2) as source:
        for kind, value in moves:
            cursor = value if kind == "seek" else min(max(cursor + value, 0), FRAMES - 1)
            assert number_of(source.read(cursor)) == cursor


@pytest.mark.parametrize("bad", [-1, FRAMES])
def test_a_number_outside_is_an_error(bad: int, study: tuple[Path, FrameIndex]) -> None:
    with open_source(study[0], index=study[1]) as source:
        with pytest.raises(IndexError, match=str(bad)):
            source.read(bad)
        with pytest.raises(IndexError):
            source.iterate(0, FRAMES + 1)
        with pytest.raises(IndexError):
            source.iterate(-1, 4)
        with pytest.raises(ValueError, match="step"):
            source.iterate(0, 4, 0)


def test_the_caller_owns_what_it_reads(study: tuple[Path, FrameIndex]) -> None:
    with open_source(study[0], index=study[1]) as source:
        frame = source.read(7)
        frame[:] = 0
        assert number_of(source.read(7)) == 7


def test_reading_goes_on_beside_an_iteration(study: tuple[Path, FrameIndex]) -> None:
    with open_source(study[0], index=study[1]) as source:
        for frame_index, frame in source.iterate(10, 20):
            assert frame is not None
            assert number_of(frame) == frame_index
            assert number_of(source.read(FRAMES - 1 - frame_index)) == FRAMES - 1 - frame_index


def test_an_iteration_may_be_left(study: tuple[Path, FrameIndex]) -> None:
    with open_source(study[0], index=study[1]) as source:
        frames = source.iterate()
        assert next(frames)[0] == 0
        frames.close()  # type: ignore[attr-defined]
        assert number_of(source.read(3)) == 3
