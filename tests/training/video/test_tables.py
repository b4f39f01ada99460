"""The plain parts under the index: packet table, presentation order, cache, lost packets."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.video import FrameIndex
from training.video.packets.lost_packets import lost_before
from training.video.packets.presentation import presentation_rank, seconds_from, segments
from training.video.packets.scan import PacketScan
from training.video.packets.table import NO_VALUE, PacketTable
from training.video.source import FrameCache


def table(pts: list[int], keys: list[int], hidden: list[int] | None = None) -> PacketTable:
    stamps = np.array(pts, np.int64)
    is_key, is_shown = np.zeros(len(pts), bool), np.ones(len(pts), bool)
    is_key[keys] = True
    is_shown[hidden or []] = False
    rank = presentation_rank(np.zeros(len(pts), np.int64), stamps)
    places = np.arange(len(pts), dtype=np.int64)
    return PacketTable(stamps, places, places * 100, np.full(len(pts), 90), is_key, is_shown, ~is_shown & False, rank)


def test_leading_frames_of_an_open_group_start_one_group_earlier() -> None:
    #        I  P  B  I  B  B  P
    packets = table([0, 3, 1, 6, 4, 5, 7], keys=[0, 3])
    assert packets.start_row.tolist() == [0, 0, 0, 3, 0, 0, 3]
    assert packets.packet_of_frame.tolist() == [0, 2, 1, 4, 5, 3, 6]
    assert packets.highest_rank.tolist() == [0, 2, 2, 5, 5, 5, 6]


def test_hidden_packets_are_no_frames() -> None:
    packets = table([0, 1, 2, 3], keys=[0], hidden=[0, 1])
    assert packets.packet_of_frame.tolist() == [2, 3]
    assert packets.frame_of_packet.tolist() == [-1, -1, 0, 1]


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)))
def test_every_frame_starts_at_a_key_packet_before_it(order: list[int], keys: set[int]) -> None:
    packets = table(list(order), keys=sorted(keys))
    for row, start in enumerate(packets.start_row.tolist()):
        assert start <= row
        assert start == 0 or (packets.is_key[start] and packets.rank[start] <= packets.rank[row])
        # Slow reference: no later key packet would do.
        later = [k for k in keys if start < k <= row and packets.rank[k] <= packets.rank[row]]
        assert not later


def test_a_packet_is_known_by_its_signature() -> None:
    packets = table([0, 10, 10, 20], keys=[0])
    assert packets.find(0, 0, 90) == 0
    assert packets.find(10, 200, 90) == 2
    assert packets.find(10, None, 90) is None  # two carry it
    assert packets.find(20, 300, 91) is None
    assert packets.find(None, 300, 90) == 3
    assert packets.find(None, None, 90) is None


def test_columns_of_different_length_are_refused() -> None:
    one, two = np.zeros(1, np.int64), np.zeros(2, np.int64)
    flags = np.zeros(1, bool)
    with pytest.raises(ValueError, match=r"\(2,\)"):
        PacketTable(one, two, one, one, flags, flags, flags, one)


def test_a_restarted_clock_begins_a_segment() -> None:
    dts = np.array([0, 1, 2, 3, 0, 1, 2, 0], np.int64)
    keys = np.array([1, 0, 1, 0, 1, 0, 0, 1], bool)
    assert segments(dts, keys).tolist() == [0, 0, 0, 0, 1, 1, 1, 2]
    assert segments(np.full(3, NO_VALUE), np.ones(3, bool)).tolist() == [0, 0, 0]


def test_time_runs_on_over_a_restart() -> None:
    seconds = seconds_from(np.array([50, 60, 70, 5, 15]), np.array([0, 0, 0, 1, 1]), Fraction(1, 100))
    np.testing.assert_allclose(seconds, [0, 0.1, 0.2, 0.3, 0.4])


def scan(
    pos: list[int], dts: list[int], others: list[tuple[int, int]] | None = None, damaged_others: bool = False
) -> PacketScan:
    count = len(pos)
    flags = np.zeros(count, bool)
    stamps = np.array(dts, np.int64)
    places, sizes = np.array(pos, np.int64), np.full(count, 1000)
    other = np.array([(*each, 1, damaged_others) for each in others or []], np.int64).reshape(-1, 4)
    unknown = np.full(count, NO_VALUE)
    return PacketScan(
        stamps, stamps, places, sizes, flags, ~flags, flags, flags, flags, unknown, flags, flags, flags, other
    )


EVEN = list(range(0, 40 * 1010, 1010))
HOLED = [p + (9000 if row >= 20 else 0) for row, p in enumerate(EVEN)]
STEADY, JUMPING = list(range(40)), [t + (9 if t >= 20 else 0) for t in range(40)]


def test_bytes_without_owner_and_a_gap_in_time_mean_loss() -> None:
    assert np.flatnonzero(lost_before(scan(HOLED, JUMPING), 0, "matroska,webm")).tolist() == [20]
    assert not lost_before(scan(HOLED, STEADY), 0, "matroska,webm").any()  # nothing is missing in time
    assert not lost_before(scan(EVEN, JUMPING), 0, "matroska,webm").any()  # the recording paused
    assert np.flatnonzero(lost_before(scan(HOLED, STEADY), 49, "avi")).tolist() == [20]
    assert not lost_before(scan(HOLED, STEADY), 40, "avi").any()
    assert not lost_before(scan(HOLED, JUMPING), 0, "mov,mp4,m4a,3gp,3g2,mj2").any()  # its tables know every packet


def test_bytes_of_sound_have_an_owner_unless_its_length_is_damaged() -> None:
    sound = [(20300 + 1000 * number, 1000) for number in range(8)]
    elsewhere = [(90000, 100)] * 20
    assert not lost_before(scan(HOLED, JUMPING, sound), 0, "matroska,webm").any()
    assert lost_before(scan(HOLED, JUMPING, elsewhere), 0, "matroska,webm").any()
    assert lost_before(scan(HOLED, JUMPING, [(20300, 8000), *elsewhere]), 0, "matroska,webm").any()


CELLS = [row * 6 * 188 for row in range(40)]  # 1,000 bytes take six cells
PAUSED = [p + (24 * 188 if row >= 20 else 0) for row, p in enumerate(CELLS)]
CLOCK = [3600 * time for time in JUMPING]


def test_a_filled_up_cell_of_a_transport_stream_is_no_loss() -> None:
    sound = [(20 * 6 * 188 + cell * 188, 10) for cell in range(12)]
    assert not lost_before(scan(PAUSED, CLOCK, sound), 0, "mpegts").any()
    assert lost_before(scan(PAUSED, CLOCK), 0, "mpegts").any()
    constant = [2 * p for p in PAUSED]  # every second cell is empty
    assert not lost_before(scan(constant, CLOCK), 0, "mpegts").any()


def test_a_gap_in_a_transport_stream_is_loss_where_any_packet_is_damaged() -> None:
    steady = [3600 * time for time in STEADY]
    assert not lost_before(scan(CELLS, CLOCK, [(20300, 100)]), 0, "mpegts").any()
    found = lost_before(scan(CELLS, CLOCK, [(20300, 100)], damaged_others=True), 0, "mpegts")
    assert np.flatnonzero(found).tolist() == [20]  # where the decoder's time jumps
    assert not lost_before(scan(CELLS, steady, [(20300, 100)], damaged_others=True), 0, "mpegts").any()
    assert not lost_before(scan(CELLS, CLOCK, [(1000, 100)], damaged_others=True), 0, "mpegts").any()  # far from it


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 40)), max_size=60))
def test_the_cache_keeps_what_was_used_last(puts: list[tuple[int, int]]) -> None:
    cache: FrameCache[bytes] = FrameCache(100, len)
    recent: list[int] = []
    for number, size in puts:
        cache.put(number, bytes(size))
        recent = [*(n for n in recent if n != number), number]
        assert cache.used_bytes <= 100
        assert cache.get(number) == bytes(size)
    kept = [number for number in recent if number in cache]
    assert kept == recent[len(recent) - len(kept) :]
    cache.clear()
    assert (len(cache), cache.used_bytes) == (0, 0)


def test_one_frame_stays_however_large() -> None:
    cache: FrameCache[bytes] = FrameCache(10, len)
    cache.put(1, bytes(50))
    assert 1 in cache
    cache.put(2, bytes(60))
    assert (1 in cache, 2 in cache) == (False, True)
    with pytest.raises(ValueError, match="0 bytes"):
        FrameCache(0, len)


def test_an_index_checks_itself() -> None:
    seconds, pts, keys = np.arange(3.0), np.arange(3), np.ones(3, bool)
    with pytest.raises(ValueError, match=r"pts must be \(3,\)"):
        FrameIndex(seconds, pts[:2], keys, Fraction(1), np.zeros(0, np.int64))
    with pytest.raises(ValueError, match="missing"):
        FrameIndex(seconds, pts, keys, Fraction(1), np.array([3]))
    with pytest.raises(ValueError, match="0 files"):
        FrameIndex(seconds, pts, keys, Fraction(1), np.zeros(0, np.int64), kind="images")
    index = FrameIndex(seconds, pts, keys, Fraction(1), np.zeros(0, np.int64))
    assert index.duration_seconds == 3
    with pytest.raises(ValueError, match="read-only"):
        index.video_seconds[0] = 5
