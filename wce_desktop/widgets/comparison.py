"""Comparison of two models: figures by class, and flags that appear or disappear."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from wce_desktop.core.clock import format_time
from wce_desktop.core.event import Event
from wce_desktop.core.vocabulary import ClassName
from wce_desktop.widgets.basic import make_button
from wce_desktop.widgets.glyphs import class_icon, class_pixmap
from wce_desktop.widgets.plain_text import PlainLabel, RichLabel, plain
from wce_desktop.widgets.theme import ACCENT, MUTED, TEXT, WARNING

ICON_PX = 16


@dataclass(frozen=True)
class FlagChange:
    """One event that only the new model flags ("appears") or only the old one did ("disappears")."""

    kind: Literal["appears", "disappears"]
    name: str  # the class
    frame: int  # frame_index of its peak: where to look
    seconds: float  # video time of that frame
    frame_count: int  # its length
    peak_score: float  # of the model that flags it, in [0, 1]

    @classmethod
    def of(cls, kind: Literal["appears", "disappears"], event: Event, seconds: NDArray[np.float64]) -> "FlagChange":
        """The change of one event; `seconds`: (N,) video time of each frame."""
        at = event.peak_frame
        return cls(kind, event.name, at, float(seconds[at]), len(event.span), event.peak_score)


class FlagChangesList(QWidget):
    """Choosing a row, by click, arrow keys or the buttons, shows its frame."""

    event_chosen = Signal(int)  # frame_index

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._changes: Sequence[FlagChange] = ()
        self._title = PlainLabel()
        self._title.setWordWrap(True)
        self._list = QListWidget()
        self._list.setAccessibleName("Flags that appear and disappear")
        self._list.setIconSize(QSize(ICON_PX, ICON_PX))
        self._list.currentRowChanged.connect(self._choose)
        self._previous = make_button("Previous", "Show the change before this one")
        self._next = make_button("Next", "Show the next change")
        self._previous.clicked.connect(lambda: self.step(-1))
        self._next.clicked.connect(lambda: self.step(1))
        header = QHBoxLayout()
        header.addWidget(self._title, 1)
        header.addWidget(self._previous)
        header.addWidget(self._next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(header)
        layout.addWidget(self._list, 1)
        layout.addStretch(0)  # without changes the sentence stays at the top
        self.set_changes("", (), {})

    def set_changes(self, study: str, changes: Sequence[FlagChange], classes: Mapping[str, ClassName]) -> None:
        """List the changes in the study of this name, in order of time; an empty name means that none is open."""
        self._changes = sorted(changes, key=lambda change: change.frame)
        shown = {change.name for change in self._changes} & classes.keys()
        # Drawn once for all rows, of which there may be thousands.
        icons = {name: class_icon(classes[name], ICON_PX) for name in shown}
        with QSignalBlocker(self._list):
            self._list.clear()
            for change in self._changes:
                self._list.addItem(self._row(change, classes.get(change.name), icons.get(change.name)))
        self._title.setText(_summary(study, self._changes))
        for widget in (self._previous, self._next, self._list):
            widget.setVisible(bool(self._changes))

    def set_message(self, sentence: str) -> None:
        """Say why there is no list yet: "P03 is being scored with the new model." """
        self.set_changes("", (), {})
        self._title.setText(sentence)

    def step(self, steps: int) -> None:
        """Go to the next (1) or the previous (-1) change; stays at the ends."""
        row = self._list.currentRow()
        target = row + steps if row >= 0 else (0 if steps > 0 else len(self._changes) - 1)
        if 0 <= target < len(self._changes):
            self._list.setCurrentRow(target)

    def _row(self, change: FlagChange, known: ClassName | None, icon: QIcon | None) -> QListWidgetItem:
        title = known.title if known else change.name.capitalize()
        frames = "1 frame" if change.frame_count == 1 else f"{change.frame_count:,} frames"
        sign, word = ("+", "appears") if change.kind == "appears" else ("−", "disappears")
        text = f"{sign} {word}   {title}, {frames}, at {format_time(change.seconds)}   score {change.peak_score:.2f}"
        item = QListWidgetItem(text)
        if icon is not None:
            item.setIcon(icon)
        if change.kind == "disappears":
            item.setForeground(QColor(MUTED))
        return item

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._changes):
            self.event_chosen.emit(self._changes[row].frame)


def _summary(study: str, changes: Sequence[FlagChange]) -> str:
    """ "In P03 3 flags appear and 1 disappears." """
    if not study:
        return "Open a scored study to see which of its flags would appear or disappear."
    appears = sum(change.kind == "appears" for change in changes)
    disappears = len(changes) - appears
    if not changes:
        return f"In {study} no flag appears or disappears at the current threshold."
    first = f"{appears:,} flag{' appears' if appears == 1 else 's appear'}"
    return f"In {study} {first} and {disappears:,} disappear{'s' if disappears == 1 else ''}."


SPECIFICITIES = ("0.95", "0.90", "0.80")
NOTABLE = 0.005  # smaller differences show as equal: they would round away
UNKNOWN = "–"
ANY = "any finding"


@dataclass(frozen=True)
class Pair:
    """One figure of the old and of the new model in [0, 1]; None where there was no held-out frames."""

    old: float | None
    new: float | None

    @property
    def mark(self) -> str:
        """▲ better, ▼ worse, = equal, "" if unknown."""
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
                ("AUC", "How well it ranks frames with the finding above the others: 1 is perfect, 0.5 is chance"),
            )
        ):
            self._grid.addWidget(self._label(title, MUTED, tip), 1, column)
        tip = "Share of the frames with the finding that are flagged at this specificity"
        self._grid.addWidget(self._label("Sensitivity at a specificity of", MUTED, tip), 0, 4, 1, 3)
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
            return self._label(UNKNOWN, MUTED, "No held-out frames to evaluate on")
        before, after = pair.words(is_percent)
        color = {"▲": ACCENT, "▼": WARNING}.get(pair.mark, MUTED)
        mark = f'<span style="color:{color}">{pair.mark}</span>'
        label = RichLabel(f'<span style="color:{MUTED}">{before} →</span> <b>{after}</b> {mark}')
        words = {"▲": "better", "▼": "worse", "=": "equal", "": "no held-out frames"}[pair.mark]
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
