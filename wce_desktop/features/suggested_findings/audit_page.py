"""The audit: pages of frames that were neither flagged nor seen, to look at one after the other."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QWidget

from training.errors import NothingToDoError
from wce_desktop.core import format_time, tr, tr_count
from wce_desktop.core.audit_sample import SAMPLE_FRAMES
from wce_desktop.session.completeness import frame_audit
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, key_texts, tile_list
from wce_desktop.widgets.frame_tile import FrameTile

# A grid of tiles in place of the frame: what the overview and the audit share.


Act = tuple[str, str, Callable[[], object]]
"""Title, tooltip and what it does with the tile that is highlighted."""


class TilePage(QWidget):
    """Keys, buttons and the context menu mean the tile that is highlighted."""

    left = Signal()

    def __init__(
        self,
        name: str,
        thumbnail: Callable[[int], QImage | None],
        keys: Mapping[str, Callable[[], object]],
        acts: Sequence[Act],
        lines: int = 1,
    ) -> None:
        """`thumbnail`: frame of the open study -> its picture, None until it has arrived; `lines` of a caption."""
        super().__init__()
        self.setMinimumSize(1, 1)  # the frame needs less room than what stands around the tiles
        self.acts = acts
        self._title, self._note = basic.make_heading(""), basic.make_note()
        self._title.setWordWrap(True)
        self.tiles = tile_list.TileList(name, lambda _, frame: thumbnail(frame), keys=keys, lines=lines)
        self.tiles.setSelectionMode(tile_list.TileList.SelectionMode.SingleSelection)
        key_texts.give_keys(self.tiles)
        self.tiles.opened.connect(lambda *_: keys["toggle_play"]())
        self.tiles.give_menu(lambda menu: [menu.addAction(title, act) for title, _, act in self.acts])
        self.setFocusProxy(self.tiles)
        self.back = basic.make_button(tr("Back"), tr("Go back ({clear_span})"), keys["clear_span"])


PICTURE_PX = 144


class AuditPage(TilePage):
    """As many frames of the sample as fit, in place of the frame; the page is noted as a whole."""

    opened, finding_requested = Signal(int), Signal(int)

    def __init__(
        self, session: Session, thumbnail: Callable[[int], QImage | None], guard: Callable[..., Callable[..., None]]
    ) -> None:
        """`thumbnail`: frame of the open study -> its picture, None until it has arrived."""
        self.mark, self.draw_further = guard(self._mark), guard(self._draw_further)
        show, enter = partial(self._ask, "opened"), partial(self._ask, "finding_requested")
        acts = (
            (tr("Nothing else here"), tr("Every finding on this page is entered: go on ({reject_event})"), self.mark),
            (tr("New finding"), tr("Show the frame and enter a finding on it ({new_finding})"), enter),
            (tr("Show the frame"), tr("Show the frame; Escape comes back ({toggle_play})"), show),
        )
        keys: dict[str, Callable[[], object]] = {
            "reject_event": self.mark, "new_finding": enter, "toggle_play": show,
            "clear_span": lambda: self.left.emit(),
        }  # fmt: skip
        super().__init__(tr("Frames of the audit"), thumbnail, keys, acts)
        self._session, self._thumbnail = session, thumbnail
        self._drawn: tuple[str, frame_audit.FrameAudit] | None = None  # the study of a sample that is not written yet
        self._frames: tuple[int, ...] = ()
        self.further = basic.make_button(
            tr("Draw {count} more", count=SAMPLE_FRAMES),
            tr("Draw a further sample; both count together, at a higher level"),
            self.draw_further,
        )
        head = basic.in_row((self._title, 1), self.back, margins=0)
        self._buttons = [basic.make_button(*act) for act in acts]
        mark, others = (
            basic.in_row(self._buttons[0], margins=0),
            basic.in_row(*self._buttons[1:], self.further, 1, margins=0),
        )
        buttons = basic.Halves(mark, others, (0, 1))
        basic.in_column(head, (self.tiles, 1), self._note, buttons, of=self)
        self._fit = QTimer(self, singleShot=True, interval=0)
        self._fit.timeout.connect(self.refresh)

    @property
    def audit(self) -> frame_audit.FrameAudit:
        """The audit of the open study, drawn where none was looked at; it stays while the study is open.

        Raises:
            NothingToDoError: every frame was flagged or seen.
        """
        reading = self._session.opened()
        kept = frame_audit.audit_of(reading)
        if kept is None and (self._drawn is None or self._drawn[0] != self._session.open_id):
            self._drawn = self._session.open_id, frame_audit.draw(reading)
        return kept or self._drawn[1]  # type: ignore[index]

    def forget(self) -> None:
        """The study was closed: a sample of which no page was looked at is drawn anew the next time."""
        self._drawn, self._frames = None, ()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many frames as fit."""
        super().resizeEvent(event)
        self._fit.start()

    def refresh(self) -> None:
        """Show the next frames of the sample; once all were looked at, what follows from them."""
        reading = self._session.reading
        if reading is None or not self.isVisible():
            return
        self.tiles.fill_rows(PICTURE_PX)
        audit = self.audit
        frames = audit.frames[audit.looked : audit.looked + self.tiles.capacity]
        if frames != self._frames:
            self._frames = frames
            self.tiles.show_tiles(len(frames), self._tile)
            if frames:
                self.tiles.setCurrentIndex(self.tiles.tiles.index(0))
        self.tiles.make_again()
        looked, count = audit.looked, len(audit.frames)
        self._title.setText(tr("Audit of unseen frames: {looked} of {count} looked at", looked=looked, count=count))
        hint = tr("Look at each frame for a finding.")
        self._note.setText(frame_audit.result_words(reading, audit) if audit.is_finished else hint)
        self.further.setVisible(audit.is_finished)
        for button in self._buttons:
            button.setEnabled(bool(frames))

    def _tile(self, row: int) -> FrameTile:
        reading, frame = self._session.opened(), self._frames[row]
        time = format_time(float(reading.index.video_seconds[frame]))
        words = tr("{time}, finding", time=time) if frame_audit.shows_finding(reading, frame) else time
        return FrameTile("", frame, words, words)

    def _mark(self, *_: object) -> None:
        """Note the page as looked at, once all of its pictures are shown; frames without one were not looked at."""
        pictures = {frame: self._thumbnail(frame) for frame in self._frames}
        if None in pictures.values():
            raise NothingToDoError("Some pictures of this page are not shown yet.", "Wait a moment.")
        unreadable = [frame for frame, picture in pictures.items() if picture is not None and picture.isNull()]
        if self._frames:
            frame_audit.mark_looked(self._session, self.audit, self._frames, unreadable)
        if unreadable:
            self._session.remarked.emit(
                tr_count(
                    "{count} frame cannot be read and does not count; another one is drawn in its place.",
                    "{count} frames cannot be read and do not count; others are drawn in their place.",
                    len(unreadable),
                )
            )

    def _draw_further(self, *_: object) -> None:
        frame_audit.draw_further(self._session, self.audit)
        self.tiles.setFocus()

    def _ask(self, signal: str, *_: object) -> None:
        row = self.tiles.currentIndex().row()
        if 0 <= row < len(self._frames):
            getattr(self, signal).emit(self._frames[row])
