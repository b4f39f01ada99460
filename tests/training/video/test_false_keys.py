"""Key frames in name only are found by the check, and are used no more."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from tests.videos import number_of, write_video
from training.video import build_index, open_source, verify_index


def test_false_key_frames_are_taken_out(tmp_path: Path) -> None:
    # MPEG-4 decoders start anywhere without complaint, and draw differences onto grey.
    path = write_video(tmp_path / "a.avi", 48, codec="mpeg4", gop=12, height=128, width=128)
    true = build_index(path)
    assert true.packets is not None
    lies = true.packets.is_key.copy()
    lies[[5, 6, 30]] = True
    lying = replace(true, packets=replace(true.packets, is_key=lies), is_key=lies.copy())
    checked = verify_index(path, lying, samples=48)
    assert checked.packets is not None
    assert not checked.packets.is_key[[5, 6, 30]].any()
    assert any("but are not" in note for note in checked.notes)
    with open_source(path, index=checked) as source:
        order = np.random.default_rng(0).permutation(48).tolist()
        assert [number_of(source.read(i)) for i in order] == order
