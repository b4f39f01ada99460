"""How scores, thresholds and figures of models are written, everywhere in the window."""

import math

from wce_desktop.core.clock import percent
from wce_desktop.core.language import number_text


def score_text(score: float) -> str:
    """A score or threshold in [0, 1] with two decimals; a third where it would read 0.00 or 1.00 and is neither.

    0.9972 is "0.997", 0.00947 is "0.01", 0.003 is "0.003", 0.99996 is ">0.999", 0.0002 is "<0.001", NaN is "–".
    Other numbers have two decimals. In German 0.97 is "0,97".
    """
    if math.isnan(score):
        return "–"
    if not 0 < score < 1 or f"{score:.2f}" not in ("0.00", "1.00"):
        return number_text(score, ".2f")
    edge = {"0.000": f"<{number_text(0.001)}", "1.000": f">{number_text(0.999)}"}
    return edge.get(f"{score:.3f}", number_text(score, ".3f"))


def rate_text(rate: float) -> str:
    """A sensitivity or specificity in [0, 1] as whole per cent: "84 %"; "99.7 %" where it would read 0 or 100 %."""
    whole = f"{rate * 100:.0f}"
    return percent(rate) if 0 < rate < 1 and whole in ("0", "100") else f"{whole} %"
