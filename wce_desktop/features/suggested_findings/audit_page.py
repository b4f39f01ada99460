"""The audit: pages of frames that were neither flagged nor seen, to look at one after the other."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QWidget

from wce_desktop.core import format_time, tr
from wce_desktop.session.completeness.frame_audit import FrameAudit, audit_of, mark_looked, result_words, shows_finding
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, key_texts, tile_list
from wce_desktop.widgets.frame_tile import FrameTile

PICTURE_PX = 144


class AuditPage(QWidget):
    """As many frames of the sample as fit, in place of the frame; the page is noted as a whole."""

    opened, finding_requested = Signal(int), Signal(int)
    left = Signal()

    def __init__(
        self, session: Session, thumbnail: Callable[[int], QImage | None], guard: Callable[..., Callable[..., None]]
    ) -> None:
        """`thumbnail`: frame of the open study -> its picture, None until it has arrived."""
        super().__init__()
        self.setMinimumSize(1, 1)
        self._session, self._thumbnail = session, thumbnail
        self._frames: tuple[int, ...] = ()
        self.mark = guard(self._mark)
        self._title, self.result = basic.make_heading(""), basic.make_note()
        self._title.setWordWrap(True)
        keys: dict[str, Callable[[], object]] = {
            "reject_event": self.mark, "new_finding": partial(self._ask, self.finding_requested),
            "toggle_play": partial(self._ask, self.opened), "clear_span": self.left.emit,
        }  # fmt: skip
        self.tiles = tile_list.TileList(tr("Frames of the audit"), lambda _, frame: thumbnail(frame), keys=keys)
        self.tiles.setSelectionMode(tile_list.TileList.SelectionMode.SingleSelection)
        key_texts.give_keys(self.tiles)
        self.tiles.opened.connect(lambda *_: self._ask(self.opened))
        self.setFocusProxy(self.tiles)
        back = basic.make_button(tr("Back"), tr("Show the frame; the audit can go on later ({clear_span})"))
        back.clicked.connect(self.left)
        mark = basic.button_row(
            (tr("Nothing else here"), tr("Every finding on this page is entered: go on ({reject_event})"), self.mark)
        )
        others = basic.button_row(
            (tr("New finding"), tr("Show the frame and enter a finding on it ({new_finding})"), keys["new_finding"]),
            (tr("Show the frame"), tr("Show the frame; Escape comes back ({toggle_play})"), keys["toggle_play"]),
        )
        acts = basic.Halves(mark, others, (0, 1))
        head = basic.in_row((self._title, 1), back, margins=0)
        basic.in_column(head, (self.tiles, 1), self.result, acts, of=self)
        self._fit = QTimer(self, singleShot=True, interval=0)
        self._fit.timeout.connect(self.refresh)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many frames as fit."""
        super().resizeEvent(event)
        self._fit.start()

    def refresh(self) -> None:
        """Show the next frames of the sample, and what follows from those before."""
        reading = self._session.reading
        audit = audit_of(reading) if reading is not None and self.isVisible() else None
        if reading is None or audit is None:
            return
        self.tiles.fill_rows(PICTURE_PX)
        frames = audit.frames[audit.looked : audit.looked + self.tiles.capacity]
        if frames != self._frames:
            self._frames = frames
            self.tiles.show_tiles(len(frames), self._tile)
            if frames:
                self.tiles.setCurrentIndex(self.tiles.tiles.index(0))
        self.tiles.make_again()
        self._title.setText(_progress(audit))
        self.result.setText(result_words(reading, audit) or tr("Look at each frame for a finding."))

    def _tile(self, row: int) -> FrameTile:
        reading, frame = self._session.opened(), self._frames[row]
        time = format_time(float(reading.index.video_seconds[frame]))
        words = tr("{time}, finding", time=time) if shows_finding(reading, frame) else time
        return FrameTile("", frame, words, words)

    def _mark(self, *_: object) -> None:
        """Note the page as looked at, once all of its pictures are shown."""
        if not self._frames:
            return
        if any(self._thumbnail(frame) is None for frame in self._frames):
            self._session.remarked.emit(tr("Some pictures of this page are not shown yet."))
            return
        mark_looked(self._session, len(self._frames))

    def _ask(self, signal: object) -> None:
        row = self.tiles.currentIndex().row()
        if 0 <= row < len(self._frames):
            signal.emit(self._frames[row])  # type: ignore[attr-defined]


def _progress(audit: FrameAudit) -> str:
    return tr("Audit of unseen frames: {looked} of {count} looked at", looked=audit.looked, count=len(audit.frames))
