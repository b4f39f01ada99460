"""Findings and boxes check themselves."""

import pytest

from wce_desktop.core.annotation.finding import Box, Finding
from wce_desktop.core.span import Span


def test_a_size_is_greater_than_zero_or_unknown() -> None:
    with pytest.raises(ValueError, match="0 mm"):
        Finding("f", "s", "polyp", Span(0, 1), size_mm=0.0)
    assert Finding("f", "s", "polyp", Span(0, 1)).size_mm is None


@pytest.mark.parametrize("edges", [(5, 0, 5, 9), (0, 9, 5, 9), (-1, 0, 5, 9)])
def test_a_box_has_an_inside(edges: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="minimum < maximum"):
        Box("b", "s", 0, *edges, name="polyp")
