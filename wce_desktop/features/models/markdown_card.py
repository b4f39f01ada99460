"""The card of a model as Markdown, for who gets the model's folder: figures, thresholds and calibration, in English."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.files.outputs import write_text
from wce_desktop.core.language import in_english
from wce_desktop.features.models import calibration_page, run_texts
from wce_desktop.library import Model
from wce_desktop.library.run_files import read_card

NAME = "README.md"


def write_markdown_card(model: Model, folder: Path) -> None:
    """Write it into a copy of a model's folder."""
    with in_english():
        write_text(folder / NAME, markdown_card(model.title, read_card(model)))


def markdown_card(title: str, card: Mapping[str, Any]) -> str:
    """What the window shows of a card on its pages of figures and of calibration."""
    measured = card.get("calibration") or {}
    rows = measured.get("classes") or {}
    points = (card.get("operating_points") or {}).get("sentence", "")
    curve = [(name, *_bin(each)) for name, row in rows.items() for each in row["bins"]]
    parts = (
        f"# {title}",
        str(card.get("notice", "")),
        str(card.get("about", "")),
        str(card.get("warning", "")),
        "## Figures on held-out frames",
        _table(run_texts.FIGURE_HEADER, run_texts.figure_rows(card)),
        "## Thresholds",
        str(points),
        _table(run_texts.POINTS_HEADER, run_texts.point_rows(card)),
        "## Calibration",
        " ".join((str(measured["sentence"]), calibration_page.SHARES)) if rows else calibration_page.NONE,
        _table(calibration_page.HEADER, [calibration_page.calibration_row(*item) for item in rows.items()]),
        _table(("Reliability", "Calibrated score", "Share of the frames with the class", "Frames"), curve),
    )
    return "\n\n".join(filter(None, parts)) + "\n"


def _bin(content: Sequence[float]) -> tuple[str, str, str]:
    score, share, frames = content
    return f"{score:.2f}", f"{share:.2f}", f"{frames:,.0f}"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) if rows else ""
