"""Joined transport streams, broken time stamps, keys in name only: by the newest rules, and by older ones."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.corpus.kinds import KINDS
from tests.corpus.pictures import number_in
from tests.corpus.sources import Source
from tests.videos import write_video
from training.version import ORDER_NUMBERING
from training.video import build_index, open_source
from training.video.frame_index import FrameIndex
from training.video.packets.notes import is_sizes_note
from training.video.packets.presentation import exceeds_decoder, groups_are_whole, keeps_cadence, keeps_rate
from training.video.packets.scan import key_frame_by_header
from training.video.packets.table import NO_VALUE

LATER = "joined in the middle, 100 s later, sound 0"


def written(kind: str, source: Source, folder: Path) -> Path:
    path = folder / source.name
    KINDS[kind].write(source, path)
    return path


def numbers(path: Path, index: FrameIndex) -> list[int | None]:
    with open_source(path, index=index) as source:
        return [None if picture is None else number_in(picture) for _, picture in source.iterate()]


def test_no_frame_is_made_up_between_parts_and_older_studies_keep_theirs(tmp_path: Path) -> None:
    path = written(LATER, Source("h264", "ts", 12, 2), tmp_path)
    assert numbers(path, build_index(path)) == list(range(48))
    old = build_index(path, numbering=ORDER_NUMBERING - 1)
    assert old.numbering == ORDER_NUMBERING - 1
    assert len(old) > 2400
    assert any("opened by an earlier version" in note for note in old.notes)


def test_a_loss_inside_a_part_is_still_counted(tmp_path: Path) -> None:
    path = written(LATER, Source("h264", "ts", 12, 0), tmp_path)
    data = path.read_bytes()
    cells = [data[at : at + 188] for at in range(0, len(data), 188)]
    begins = [at for at, cell in enumerate(cells) if cell[1] & 64 and (cell[1] & 31) << 8 | cell[2] == 256]
    path.write_bytes(b"".join(cells[: begins[17]] + cells[begins[20] :]))  # three whole pictures
    index = build_index(path)
    assert len(index) == 48
    shown = numbers(path, index)
    assert all(number in (None, frame_index) for frame_index, number in enumerate(shown))
    assert 3 <= shown.count(None) <= 8


def test_older_studies_keep_the_order_of_broken_stamps(tmp_path: Path) -> None:
    path = written("stamps: five alike", Source("h264", "mkv", 12, 3), tmp_path)
    assert numbers(path, build_index(path)) == list(range(24))
    old = build_index(path, numbering=ORDER_NUMBERING - 1)
    assert numbers(path, old) != list(range(24))


@pytest.mark.parametrize("codec", ["h263", "h263p", "h261"])
def test_frames_that_ffmpeg_calls_keys_are_looked_at(codec: str, tmp_path: Path) -> None:
    size = {"height": 144, "width": 176}
    path = write_video(tmp_path / "a.avi", 40, codec=codec, options={"qmax": "4"}, **size)  # type: ignore[arg-type]
    index = build_index(path)
    assert np.flatnonzero(index.is_key).tolist() == ([0] if codec == "h261" else [0, 12, 24, 36])
    with open_source(path, index=index) as source:
        streamed = [picture for _, picture in source.iterate()]
        for frame_index in np.random.default_rng(0).permutation(40).tolist():
            assert np.array_equal(source.read(frame_index), streamed[frame_index])


def test_damage_hides_a_key() -> None:
    assert not key_frame_by_header("h263", b"\x12" * 12, 0)
    assert not key_frame_by_header("h263", b"", 0)


@pytest.mark.parametrize("b_frames", [0, 2])
def test_a_size_that_changes_is_noted_when_the_study_is_indexed(b_frames: int, tmp_path: Path) -> None:
    path = written("size changes", Source("h264", "ts", 12, b_frames), tmp_path)
    notes = [note for note in build_index(path).notes if is_sizes_note(note)]
    assert [note.split(".")[0] for note in notes] == [
        "The size of the picture changes within the video (64 x 64, 144 x 96)"
    ]


def test_a_size_that_stays_is_not_noted(tmp_path: Path) -> None:
    for codec, name in (("mjpeg", "a.avi"), ("mpeg2video", "a.ts"), ("libx264", "a.mkv"), ("libvpx-vp9", "a.webm")):
        path = write_video(tmp_path / name, 30, codec=codec, gop=6)
        assert not any(map(is_sizes_note, build_index(path).notes))


@pytest.mark.parametrize(("codec", "suffix"), [("mpeg2video", "ts"), ("mpeg4", "ts"), ("libx265", "ts")])
def test_sizes_of_other_codecs_are_compared_too(codec: str, suffix: str, tmp_path: Path) -> None:
    parts = [
        write_video(tmp_path / f"{side}.{suffix}", 24, codec=codec, height=side, width=side).read_bytes()
        for side in (64, 96)
    ]
    path = tmp_path / f"joined.{suffix}"
    path.write_bytes(b"".join(parts))
    assert any("(64 x 64, 96 x 96)" in note for note in build_index(path).notes)


def test_stamps_that_no_decoder_can_follow() -> None:
    rows, none = np.arange(6), np.full(6, NO_VALUE)
    one = np.zeros(6, np.int64)
    swapped = np.array([0, 2, 1, 3, 5, 4])
    assert not exceeds_decoder(rows, one, rows, none, reorders=False)
    assert exceeds_decoder(swapped, one, swapped, none, reorders=False)
    assert not exceeds_decoder(swapped, one, swapped, none, reorders=True)
    assert exceeds_decoder(rows, one, np.array([0, 1, 1, 2, 3, 4]), none, reorders=True)
    assert exceeds_decoder(swapped, one, swapped, swapped + 1, reorders=True)
    assert keeps_cadence(swapped, swapped * 40 + 80, rows * 40)
    assert not keeps_cadence(swapped, swapped**2 * 40 + 80, rows * 40)


def test_a_rate_and_groups_without_holes() -> None:
    dts = np.arange(20) * 3600
    second = np.where(np.arange(20) >= 10, dts + 7200, dts)
    rate, clock = Fraction(25), Fraction(1, 90_000)
    assert keeps_rate(dts, rate, clock)
    assert keeps_rate(second, rate, clock)
    assert not keeps_rate(dts * 2, rate, clock)
    assert not keeps_rate(dts, None, clock)
    opens = np.array([True, False, False, True, False])
    assert groups_are_whole(np.array([0, 2, 1, 0, 1]), opens)
    assert not groups_are_whole(np.array([0, 3, 1, 0, 1]), opens)
    assert not groups_are_whole(np.array([0, NO_VALUE, 1, 0, 1]), opens)
