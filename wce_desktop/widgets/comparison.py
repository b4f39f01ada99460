"""Comparison of two models on the open study: flags that appear or disappear, and how many there are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from PySide6 import QtCore, QtGui, QtWidgets

from training.metrics.figures import is_lost
from wce_desktop.core import counted, format_time, number_text, score_text, tr, tr_count
from wce_desktop.core.annotation.vocabulary import ClassName, shown_name, title_of
from wce_desktop.core.comparison import FlagCounts
from wce_desktop.core.event import Event
from wce_desktop.widgets import plain_text
from wce_desktop.widgets.basic import in_column, in_row, make_button, make_note, show_text
from wce_desktop.widgets.frame_tile import FrameTile, tile_size
from wce_desktop.widgets.tile_list import TileList

PICTURE_PX = 132


class FlagChange(NamedTuple):
    """One event that only the new model flags ("appears") or only the old one did ("disappears")."""

    kind: Literal["appears", "disappears"]
    event: Event
    seconds: float  # video time of its peak


class FlagChangesList(QtWidgets.QWidget):
    """Each change as a tile with two pictures; choosing one, by click, arrow keys or the buttons, shows its frame."""

    event_chosen = QtCore.Signal(int)  # frame_index

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        self._changes: Sequence[FlagChange] = ()
        self._classes: Mapping[str, ClassName] = {}
        self._chosen: FlagChange | None = None
        self.picture: Callable[[str, int], QtGui.QImage | None] = lambda *_: None
        """Class and frame -> the frame with the evidence of the old and of the new model; None until it is there."""
        self._title = plain_text.PlainLabel()
        self._title.setWordWrap(True)
        self._tiles = TileList(tr("Flags that appear and disappear"), self._picture, lines=2, pictures=2)
        self._tiles.setSelectionMode(TileList.SelectionMode.SingleSelection)
        self._tiles.fill_rows(PICTURE_PX)
        self._tiles.setMinimumHeight(tile_size(PICTURE_PX, lines=2).height() + 8)
        self._tiles.chosen_changed.connect(self._choose)
        self._legend = make_note(tr("Left: evidence of the old model. Right: evidence of the new model."))
        self._previous = make_button(tr("Previous"), tr("Show the change before this one"))
        self._next = make_button(tr("Next"), tr("Show the next change"))
        self._previous.clicked.connect(lambda: self.step(-1))
        self._next.clicked.connect(lambda: self.step(1))
        self._counts, header = make_note(), in_row((self._title, 1), self._previous, self._next)
        in_column(header, self._counts, self._legend, (self._tiles, 1), 0, of=self, margins=0)
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
        self._changes, self._classes = sorted(changes, key=lambda change: change.event.peak_frame), classes
        self._chosen = None
        with QtCore.QSignalBlocker(self._tiles):
            self._tiles.show_tiles(len(self._changes), self._tile)
        self._title.setText(_summary(study, self._changes))
        titles = {name: known.title_in_sentence for name, known in classes.items()}
        show_text(self._counts, describe_counts(study, counts, titles))
        for widget in (self._previous, self._next, self._legend, self._tiles):
            widget.setVisible(bool(self._changes))

    @property
    def has_changes(self) -> bool:
        """Whether there is a change to look at."""
        return bool(self._changes)

    def show_pictures(self) -> None:
        """Paint the pictures that have arrived."""
        self._tiles.viewport().update()

    def set_message(self, sentence: str) -> None:
        """Say why there is no list yet: "P03 is being scored with the new model." """
        self.set_changes("", (), {})
        self._title.setText(sentence)

    def step(self, steps: int) -> None:
        """Go to the next (1) or the previous (-1) change; stays at the ends."""
        rows = self._tiles.chosen_rows
        target = rows[0] + steps if rows else (0 if steps > 0 else len(self._changes) - 1)
        if 0 <= target < len(self._changes):
            self._tiles.setCurrentIndex(self._tiles.tiles.index(target))

    def _tile(self, row: int) -> FrameTile:
        change = self._changes[row]
        known = self._classes.get(change.event.name)
        values = {
            "title": title_of(change.event.name, known),
            "frames": counted(len(change.event.span), "frame"),
            "time": format_time(change.seconds),
            "score": score_text(change.event.peak_score),
        }
        if change.kind == "appears":
            sentence = tr("+ appears   {title}, {frames}, at {time}   score {score}", **values)
            caption = tr("+ appears · {title} {score}\n{time} · {frames}", **values)
        else:
            sentence = tr("− disappears   {title}, {frames}, at {time}   score {score}", **values)
            caption = tr("− disappears · {title} {score}\n{time} · {frames}", **values)
        labels = (known,) if known is not None else ()
        # a picture is asked for by class and frame
        return FrameTile(change.event.name, change.event.peak_frame, caption, sentence, labels=labels)

    def _picture(self, name: str, frame_index: int) -> QtGui.QImage | None:
        return self.picture(name, frame_index)

    def _choose(self) -> None:
        rows = self._tiles.chosen_rows
        chosen = self._changes[rows[0]] if rows else None
        if chosen is not None and chosen != self._chosen:
            self._chosen = chosen
            self.event_chosen.emit(chosen.event.peak_frame)


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
