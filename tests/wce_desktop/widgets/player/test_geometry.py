"""Several frames stand edge to edge in the middle of the view."""

import pytest
from PySide6.QtCore import QRectF, QSizeF

from wce_desktop.widgets.player.geometry import GAP_PX, cells


@pytest.mark.parametrize(("width", "height"), [(1000, 400), (700, 640), (300, 900)])
@pytest.mark.parametrize("count", [2, 4])
def test_nothing_but_a_line_lies_between_frames(width: int, height: int, count: int) -> None:
    area = QRectF(10, 20, width, height)
    result = cells(area, QSizeF(4, 3), count)
    whole = QRectF(result[0])
    for cell in result:
        assert cell.width() / cell.height() == pytest.approx(4 / 3)
        assert area.adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell)
        whole = whole.united(cell)
    assert whole.center().x() == pytest.approx(area.center().x())
    assert whole.center().y() == pytest.approx(area.center().y())
    gaps = {
        round(b.left() - a.right(), 3) for a in result for b in result if b.left() > a.right() and b.top() == a.top()
    }
    assert {min(gaps)} == {GAP_PX} if gaps and count == 2 else True
