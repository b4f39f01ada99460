"""Comparison of two models on the open study: flags that appear or disappear, and how many there are."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from training.metrics.figures import is_lost
from wce_desktop.core import counted, format_time, number_text, score_text, tr, tr_count
from wce_desktop.core.annotation.vocabulary import ClassName, shown_name, title_of
from wce_desktop.core.comparison import FlagCounts
from wce_desktop.core.event import Event
from wce_desktop.widgets import by_hand, glyphs, plain_text, theme
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_note

ICON_PX = 16


class FlagChange(NamedTuple):
    """One event that only the new model flags ("appears") or only the old one did ("disappears")."""

    kind: Literal["appears", "disappears"]
    event: Event
    seconds: float  # video time of its peak


class FlagChangesList(QtWidgets.QWidget):
    """Choosing a row, by click, arrow keys or the buttons, shows its frame."""

    event_chosen = QtCore.Signal(int)  # frame_index

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._changes: Sequence[FlagChange] = ()
        self._title = plain_text.PlainLabel()
        self._title.setWordWrap(True)
        self._list = by_hand.HandList(tr("Flags that appear and disappear"))
        self._list.setWordWrap(False)
        self._list.setIconSize(QtCore.QSize(ICON_PX, ICON_PX))
        self._list.moved.connect(lambda index: self._choose(index.row()))
        self._previous = make_button(tr("Previous"), tr("Show the change before this one"))
        self._next = make_button(tr("Next"), tr("Show the next change"))
        self._previous.clicked.connect(lambda: self.step(-1))
        self._next.clicked.connect(lambda: self.step(1))
        self._counts, header = make_note(), in_row((self._title, 1), self._previous, self._next)
        in_column(header, self._counts, (self._list, 1), 0, of=self, margins=0)  # 0: an empty list leaves room below
        self.set_changes("", (), {})

    @property
    def buttons(self) -> tuple[QtWidgets.QPushButton, QtWidgets.QPushButton]:
        """*Previous* and *Next*."""
        return self._previous, self._next

    def set_changes(
        self,
        study: str,
        changes: Sequence[FlagChange],
        classes: Mapping[str, ClassName],
        counts: Sequence[FlagCounts] = (),
    ) -> None:
        """List the changes in the study of this name, in order of time, below the number of flags of each class.

        An empty name means that no study is open.
        """
        self._changes = sorted(changes, key=lambda change: change.event.peak_frame)
        shown = {change.event.name for change in self._changes} & classes.keys()
        # Drawn once for all rows, of which there may be thousands.
        icons = {name: glyphs.class_icon(classes[name], ICON_PX) for name in shown}
        with QtCore.QSignalBlocker(self._list):
            self._list.clear()
            for change in self._changes:
                self._list.addItem(self._row(change, classes.get(change.event.name), icons.get(change.event.name)))
        self._title.setText(_summary(study, self._changes))
        self._counts.setText(
            describe_counts(study, counts, {name: known.title_in_sentence for name, known in classes.items()})
        )
        self._counts.setVisible(bool(self._counts.text()))
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
            self._choose(target)

    def _row(self, change: FlagChange, known: ClassName | None, icon: QtGui.QIcon | None) -> QtWidgets.QListWidgetItem:
        values = {
            "title": title_of(change.event.name, known),
            "frames": counted(len(change.event.span), "frame"),
            "time": format_time(change.seconds),
            "score": score_text(change.event.peak_score),
        }
        if change.kind == "appears":
            text = tr("+ appears   {title}, {frames}, at {time}   score {score}", **values)
        else:
            text = tr("− disappears   {title}, {frames}, at {time}   score {score}", **values)
        item = QtWidgets.QListWidgetItem(text)
        if icon is not None:
            item.setIcon(icon)
        if change.kind == "disappears":
            item.setForeground(QtGui.QColor(theme.COLORS.muted))
        return item

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._changes):
            self.event_chosen.emit(self._changes[row].event.peak_frame)


def _summary(study: str, changes: Sequence[FlagChange]) -> str:
    """ "In P03 3 flags appear and 1 disappears." """
    if not study:
        return tr("Open a scored study to see which of its flags would appear or disappear.")
    appears = sum(change.kind == "appears" for change in changes)
    disappears = len(changes) - appears
    if not changes:
        return tr("In {study} no flag appears or disappears at the current threshold.", study=study)
    if disappears == 1:
        return tr_count(
            "In {study} {count} flag appears and 1 disappears.",
            "In {study} {count} flags appear and 1 disappears.",
            appears,
            study=study,
        )
    return tr_count(
        "In {study} {count} flag appears and {disappears} disappear.",
        "In {study} {count} flags appear and {disappears} disappear.",
        appears,
        study=study,
        disappears=disappears,
    )


def describe_counts(study: str, counts: Sequence[FlagCounts], titles: Mapping[str, str]) -> str:
    """ "All frames of P03: polyp 222 → 0 frames flagged ▼, 9 → 0 events; blood 31 → 28 …".

    Classes that lost more than half of their flagged frames (▼) come first, classes without a flag are left out.
    """
    lost = [row for row in counts if is_lost(row.old_frames, row.new_frames)]
    others = [row for row in counts if row not in lost and (row.old_frames or row.new_frames)]
    parts = []
    for row in (*lost, *others):
        values = {
            "title": titles.get(row.name, shown_name(row.name)),
            "frames": f"{number_text(row.old_frames)} → {number_text(row.new_frames)}",
            "events": f"{number_text(row.old_events)} → {number_text(row.new_events)}",
        }
        if row in lost:
            parts.append(tr("{title} {frames} frames flagged ▼, {events} events", **values))
        else:
            parts.append(tr("{title} {frames} frames flagged, {events} events", **values))
    return tr("All frames of {study}: {classes}.", study=study, classes="; ".join(parts)) if parts else ""
