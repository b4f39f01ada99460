"""Curves that can be told apart without their colours."""

from pytestqt.qtbot import QtBot

from wce_desktop.widgets.curve_plot import CurvePlot


def test_neighbouring_curves_differ_in_their_lines_and_the_axis_has_a_title(qtbot: QtBot) -> None:
    plot = CurvePlot("Loss")
    qtbot.addWidget(plot)
    plot.show_curves({name: ([0.0, 1.0], [1.0, 0.5]) for name in ("loss", "triplet", "cross_entropy")})
    styles = [curve.opts["pen"].style() for curve in plot._curves.values()]
    assert len(set(styles)) == 3
    assert plot._plot.getAxis("bottom").labelText == "Training step"
