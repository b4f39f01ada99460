"""The WIN view is zero exactly on the prior square before its transform, and nowhere else changed."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from training.transforms.view_batch import without_boxes


@settings(deadline=None, max_examples=30)
@given(data=st.data(), size=st.integers(24, 70), seed=st.integers(0, 2**31))
def test_zero_exactly_on_the_box(data: st.DataObject, size: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    frames = torch.randint(1, 256, (2, size, size, 3), generator=generator, dtype=torch.uint8)
    before = frames.clone()
    sides = data.draw(st.lists(st.integers(1, size), min_size=2, max_size=2))
    boxes = [[x := data.draw(st.integers(0, size - s)), y := data.draw(st.integers(0, size - s)), x + s, y + s]
             for s in sides]  # fmt: skip
    hidden = without_boxes(frames, torch.tensor(boxes))
    expected = before.clone()
    for number, (left, top, right, bottom) in enumerate(boxes):
        expected[number, top:bottom, left:right] = 0
    assert torch.equal(hidden, expected)
    assert torch.equal(frames, before)
