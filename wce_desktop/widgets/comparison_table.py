"""Old model beside new on held-out frames: a row for each class, in numbers and marks."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from wce_desktop.core.vocabulary import ClassName
from wce_desktop.widgets.glyphs import class_pixmap
from wce_desktop.widgets.plain_text import PlainLabel, RichLabel, plain
from wce_desktop.widgets.theme import ACCENT, MUTED, TEXT, WARNING

SPECIFICITIES = ("0.95", "0.90", "0.80")
NOTABLE = 0.005  # smaller differences show as equal: they would round away
UNKNOWN = "–"
ANY = "any finding"


@dataclass(frozen=True)
class Pair:
    """One figure of the old and of the new model in [0, 1]; None where there was nothing to measure it on."""

    old: float | None
    new: float | None

    @property
    def mark(self) -> str:
        """▲ better, ▼ worse, = equal, "" where it cannot be said."""
        if self.old is None or self.new is None:
            return ""
        if abs(self.new - self.old) < NOTABLE:
            return "="
        return "▲" if self.new > self.old else "▼"

    def words(self, is_percent: bool) -> tuple[str, str]:
        """Old and new as text: "62 %" or "0.81"."""
        return tuple(_figure(value, is_percent) for value in (self.old, self.new))  # type: ignore[return-value]


class ComparisonTable(QFrame):
    """AUC, and the sensitivity where 95, 90 and 80 of 100 frames without the finding stay unflagged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(7)
        self.cells: dict[tuple[str, str], str] = {}  # (class, figure) -> what stands there, for tests and for copying

    def show_comparison(self, comparison: Mapping[str, Any], classes: Mapping[str, ClassName]) -> None:
        """Show what a run's comparison.json holds; classes without a row in it are left out."""
        while (item := self._grid.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.setParent(None)
                widget.deleteLater()
        self.cells.clear()
        self._add_header()
        figures = comparison.get("new") or {}
        names = [name for name in comparison.get("classes", ()) if name in figures]
        for row, name in enumerate(names, start=2):
            old = (comparison.get("old") or {}).get(name) or {}
            self._add_row(row, name, classes.get(name), old, figures[name])
        if together := comparison.get("any"):
            self._add_row(len(names) + 2, ANY, None, together.get("old") or {}, together["new"])

    def _add_header(self) -> None:
        for column, (title, tip) in enumerate(
            (
                ("", ""),
                ("Patients", "Patients with this finding, of all patients whose frames were held out"),
                ("Frames", "Frames with this finding, of all held-out frames"),
                ("AUC", "How well it ranks frames with the finding before those without: 1 perfect, 0.5 guessing"),
            )
        ):
            self._grid.addWidget(self._label(title, MUTED, tip), 1, column)
        tip = "Share of the frames with the finding that are flagged when so many of the others stay unflagged"
        self._grid.addWidget(
            self._label("Frames with the finding that are flagged, at a specificity of", MUTED, tip), 0, 4, 1, 3
        )
        for column, specificity in enumerate(SPECIFICITIES, start=4):
            self._grid.addWidget(self._label(f"{float(specificity):.0%}".replace("%", " %"), MUTED, tip), 1, column)
        self._grid.setColumnStretch(7, 1)

    def _add_row(
        self, row: int, name: str, known: ClassName | None, old: Mapping[str, Any], new: Mapping[str, Any]
    ) -> None:
        """One class's figures: `old` is empty where the old model does not know the class."""
        words = known.title if known else name.capitalize()
        self._grid.addWidget(self._named(self._label(words, TEXT), known), row, 0)
        patients, frames = f"{new['patients']:,}", f"{new['positives']:,} of {new['frames']:,}"
        if "patients_with_positives" in new:
            patients = f"{new['patients_with_positives']:,} of {patients}"
        self._grid.addWidget(self._label(patients, TEXT), row, 1)
        self._grid.addWidget(self._label(frames, TEXT), row, 2)
        pairs = [("auc", Pair(old.get("auc"), new.get("auc")), False)]
        for specificity in SPECIFICITIES:
            sensitivities = [side.get("sensitivity_at", {}).get(specificity) for side in (old, new)]
            pairs.append((specificity, Pair(*sensitivities), True))
        for column, (figure, pair, is_percent) in enumerate(pairs, start=3):
            self._grid.addWidget(self._pair_label(pair, is_percent), row, column)
            before, after = pair.words(is_percent)
            self.cells[name, figure] = f"{before} → {after} {pair.mark}".strip()

    def _named(self, title: PlainLabel, known: ClassName | None) -> QWidget:
        """The class's name behind its shape and colour."""
        holder = QWidget()
        row = QGridLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.setHorizontalSpacing(6)
        if known is not None:
            mark = PlainLabel()
            mark.setPixmap(class_pixmap(known, 14, self.devicePixelRatioF()))
            row.addWidget(mark, 0, 0)
        row.addWidget(title, 0, 1)
        row.setColumnStretch(1, 1)
        return holder

    def _pair_label(self, pair: Pair, is_percent: bool) -> QWidget:
        """Old, arrow, new, mark; the old in grey, the mark in colour and shape."""
        if pair.old is None and pair.new is None:
            return self._label(UNKNOWN, MUTED, "No held-out frame to measure it on")
        before, after = pair.words(is_percent)
        color = {"▲": ACCENT, "▼": WARNING}.get(pair.mark, MUTED)
        mark = f'<span style="color:{color}">{pair.mark}</span>'
        label = RichLabel(f'<span style="color:{MUTED}">{before} →</span> <b>{after}</b> {mark}')
        words = {"▲": "better", "▼": "worse", "=": "equal", "": "nothing to measure it on"}[pair.mark]
        label.setToolTip(plain(f"Old {before}, new {after}: {words}"))
        label.setAccessibleName(f"old {before}, new {after}, {words}")
        return label

    def _label(self, text: str, color: str, tip: str = "") -> PlainLabel:
        label = PlainLabel(text)
        label.setStyleSheet(f"color: {color};")
        label.setToolTip(plain(tip))
        return label


def _figure(value: float | None, is_percent: bool) -> str:
    if value is None:
        return UNKNOWN
    return f"{value * 100:.0f} %" if is_percent else f"{value:.2f}"
