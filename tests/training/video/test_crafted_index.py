"""Index files that were changed by hand: a sentence, and the window makes the index again."""

import os
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.crafted_npz import change_npz
from training.errors import UserError
from training.video import FrameIndex
from training.video.packets.table import PacketTable


def saved(path: Path) -> Path:
    numbers, yes = np.arange(4), np.ones(4, bool)
    packets = PacketTable(
        pts=numbers, dts=numbers.copy(), pos=numbers.copy(), size=numbers.copy(),
        is_key=yes, is_shown=yes.copy(), is_damaged=~yes, rank=numbers.copy(),
    )  # fmt: skip
    FrameIndex(
        video_seconds=np.arange(4) / 2, pts=numbers.copy(), is_key=yes.copy(), time_base=Fraction(1, 25),
        missing=np.array([2]), fingerprint="f", packets=packets,
    ).save(path)  # fmt: skip
    return path


CRAFTED: dict[str, Callable[[dict[str, Any], dict[str, Any]], object]] = {
    "seconds": lambda _, arrays: arrays["video_seconds"].fill(np.nan),
    "type": lambda _, arrays: arrays.update(pts=arrays["pts"].astype(np.float32)),
    "objects": lambda _, arrays: arrays.update(pts=np.array([{}] * 4, object)),
    "rank of an array": lambda _, arrays: arrays.update(pts=arrays["pts"][:, None]),
    "short": lambda _, arrays: arrays.update(is_key=arrays["is_key"][:3]),
    "missing beyond": lambda _, arrays: arrays["missing"].fill(4),
    "missing twice": lambda _, arrays: arrays.update(missing=np.array([2, 2])),
    "rank twice": lambda _, arrays: arrays["packet_rank"].fill(0),
    "rank beyond": lambda _, arrays: arrays["packet_rank"].__setitem__(0, 99),
    "sizes": lambda _, arrays: arrays["packet_size"].fill(-1),
    "shown": lambda _, arrays: arrays["packet_is_shown"].fill(False),
    "half of the packets": lambda _, arrays: arrays.pop("packet_pos"),
    "time base": lambda header, _: header.update(time_base=[1, 0]),
    "time base of texts": lambda header, _: header.update(time_base=["1", "25"]),
    "time base of three": lambda header, _: header.update(time_base=[1, 2, 3]),
    "kind": lambda header, _: header.update(kind="sound"),
    "files": lambda header, _: header.update(files=[1, 2]),
    "files elsewhere": lambda header, _: header.update(files=["../../etc/passwd"] * 4, kind="images"),
    "files by root": lambda header, _: header.update(files=["/etc/passwd"] * 4, kind="images"),
    "notes": lambda header, _: header.update(notes="odd"),
    "version": lambda header, _: header.update(schema_version="2"),
    "nothing": lambda header, _: header.clear(),
}


@pytest.mark.parametrize("name", CRAFTED)
def test_a_crafted_index_is_told(tmp_path: Path, name: str) -> None:
    path = saved(tmp_path / "a.npz")
    assert len(FrameIndex.load(path)) == 4
    change_npz(path, "header", CRAFTED[name])
    with pytest.raises(UserError, match=r"The index a\.npz is damaged"):
        FrameIndex.load(path)


def test_a_pipe_is_no_index(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.npz")
    assert not FrameIndex.is_readable(tmp_path / "a.npz")
    with pytest.raises(UserError, match="pipe"):
        FrameIndex.load(tmp_path / "a.npz")
