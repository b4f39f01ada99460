"""Words and marks can be told from what they stand on."""

from pathlib import Path

import pytest

import wce_desktop
from wce_desktop.widgets import theme


def luminance(color: str) -> float:
    """Relative luminance of "#rrggbb" (WCAG 2.2)."""
    values = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(color: str, behind: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    lighter, darker = sorted((luminance(color), luminance(behind)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#979797", "#33424c") == pytest.approx(3.55, abs=0.01)


@pytest.mark.parametrize(("color", "behind"), theme.TEXT_PAIRS)
def test_words_have_contrast(color: str, behind: str) -> None:
    assert contrast(color, behind) >= 4.5


@pytest.mark.parametrize(("color", "behind"), theme.MARK_PAIRS)
def test_marks_have_contrast(color: str, behind: str) -> None:
    assert contrast(color, behind) >= 3


def test_rows_take_their_colours_from_the_theme() -> None:
    """A colour of the theme that is written out elsewhere would not follow it."""
    named = (theme.SELECTED, theme.MUTED, theme.PRIMARY, theme.PANEL)
    folder = Path(wce_desktop.__file__).parent
    for path in folder.rglob("*.py"):
        if path.name != "theme.py":
            text = path.read_text(encoding="utf-8")
            assert not [color for color in named if color in text], path
