"""Stepping back is served from what was decoded already."""

from pathlib import Path

import pytest

from tests.videos import number_of, write_video
from training.video import open_source
from training.video.packets.reader import PacketReader


@pytest.fixture
def starts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The rows at which decoding was started."""
    started: list[int] = []
    original = PacketReader.read_from

    def counted(self: PacketReader, row: int, **options: bool):  # type: ignore[no-untyped-def]
        started.append(row)
        return original(self, row, **options)

    monkeypatch.setattr(PacketReader, "read_from", counted)
    return started


def test_stepping_back_decodes_each_group_of_pictures_once(tmp_path: Path, starts: list[int]) -> None:
    with open_source(write_video(tmp_path / "a.mp4", 60, gop=12)) as source:
        for frame_index in range(59, -1, -1):
            assert number_of(source.read(frame_index)) == frame_index
    assert starts == [48, 36, 24, 12, 0]


def test_stepping_on_seeks_once(tmp_path: Path, starts: list[int]) -> None:
    with open_source(write_video(tmp_path / "a.mp4", 60, gop=12, b_frames=2)) as source:
        for frame_index in range(60):
            assert number_of(source.read(frame_index)) == frame_index
    assert starts == [0, 0]  # the first read is a jump, the second goes on from there


def test_a_small_cache_is_kept_small(tmp_path: Path) -> None:
    with open_source(write_video(tmp_path / "a.mp4", 60, gop=60), cache_bytes=40_000) as source:
        for frame_index in range(59, 40, -1):
            assert number_of(source.read(frame_index)) == frame_index
        assert source._cache.used_bytes <= 40_000  # type: ignore[attr-defined]
