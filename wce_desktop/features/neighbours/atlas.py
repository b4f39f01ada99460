"""The atlas: findings of all studies of the library by class, and one of them beside the frame on screen."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from training.errors import NothingToDoError
from wce_desktop.core import number_text, tr
from wce_desktop.core.annotation import Finding
from wce_desktop.core.annotation.label import picture_frames
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces
from wce_desktop.session.keys import key_of
from wce_desktop.widgets import basic, inputs, theme
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.widgets.frame_tile import FrameTile, tile_size
from wce_desktop.widgets.player.pictures import draw_fitting
from wce_desktop.widgets.tile_list import PictureProvider, TileList
from wce_desktop.workspace import Connections, Part, Workspace

TILE_PX, LARGE_PX, KEPT_LARGE, SCROLL_BAR_PX = 72, 720, 4, 12


class AtlasStrip(QWidget):
    """The classes that have findings, and the findings of the chosen one as a row of tiles."""

    def __init__(self, picture: PictureProvider) -> None:
        super().__init__()
        self.setAccessibleName(tr("Atlas of findings"))
        self.classes = inputs.ChoiceBox(tr("Class of the findings"))
        self.classes.setMinimumContentsLength(14)
        self.tiles = TileList(tr("Findings of all studies"), picture, is_one_row=True, takes_keys_always=False)
        self.tiles.set_picture_px(TILE_PX)
        self.tiles.setFixedHeight(tile_size(TILE_PX).height() + SCROLL_BAR_PX)
        self.close_button = basic.bar_button("✕", tr("Close the atlas ({show_atlas})"))
        side = basic.in_column(basic.make_heading(tr("Atlas")), self.classes, 1, spacing=3)
        basic.in_row(side, (self.tiles, 1), self.close_button, of=self, margins=(8, 2, 4, 2))
        self.hide()


class AtlasPicture(QWidget):
    """A finding of another study, as large as the frame beside it, with its class and the date below."""

    def __init__(self) -> None:
        super().__init__()
        self._picture: QImage | None = None
        self.words = ""
        self.close_button = basic.bar_button("✕", tr("Close this picture (Escape)"))
        self.close_button.clicked.connect(self.hide)
        top = basic.in_row(1, self.close_button)
        basic.in_column(top, 1, of=self, margins=4)
        self.hide()

    def show_finding(self, picture: QImage | None, words: str) -> None:
        """Show a picture, or only its words until it has arrived."""
        self._picture, self.words = picture, words
        self.setAccessibleName(words)
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """The picture on the ground of the frame, and its words."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.fillRect(self.rect(), QColor(theme.ON_PICTURE.background))
            line = painter.fontMetrics().height() + 8
            if self._picture is not None and not self._picture.isNull():
                draw_fitting(painter, self.rect().adjusted(0, 0, 0, -line), self._picture)
            below = QRect(0, self.height() - line, self.width(), line)
            painter.setPen(QColor(theme.ON_PICTURE.text))
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, self.words)


class Atlas(Part):
    """Shows the strip and the picture; names and comments of other studies' patients are left out."""

    def __init__(self, workspace: Workspace, owner: Part, facts: FrameFacts, pictures: FramePictures) -> None:
        """`facts` and `pictures`: those of the feature, so that frames are read once."""
        super().__init__(workspace, owner)
        self._facts = facts
        self.strip = AtlasStrip(pictures.get)
        self.picture = AtlasPicture()
        workspace.player.put_second(self.picture)
        self._findings: tuple[Finding, ...] = ()
        self._chosen: Finding | None = None
        self._large = FramePictures(self, LARGE_PX, KEPT_LARGE)
        self._large.arrived.connect(lambda *_: self._show_picture())
        self.strip.classes.chosen.connect(workspace.guard(self._show_class))
        self.strip.tiles.opened.connect(workspace.guard(self._choose))
        self.strip.close_button.clicked.connect(workspace.guard(self.toggle))
        workspace.escaped.connect(self.picture.hide)
        session = self._session
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.study_closed, self._close_atlas),
            (session.vocabulary_changed, self.refresh),
            (session.studies_changed, self.refresh),
        )

    @property
    def is_busy(self) -> bool:
        """True while the large picture is on its way."""
        return self._large.is_busy

    def toggle(self) -> None:
        """Open the atlas at the class of what is on screen, or close it."""
        if not self.strip.isHidden():
            self._close_atlas()
            return
        counts = self._session.library.annotations.finding_counts()
        if not counts:
            self._workspace.menus.check({"show_atlas": False})
            key = key_of("new_finding")
            raise NothingToDoError("The library has no findings yet.", "Make one with {key}.", key)
        self._large.open(FramePlaces(self._session))
        here = self._class_here()
        self._fill_classes(counts, here if here in counts else max(counts, key=lambda name: counts[name]))
        self.strip.show()
        self._workspace.menus.check({"show_atlas": True})
        self.strip.tiles.setFocus(Qt.FocusReason.TabFocusReason)

    def refresh(self) -> None:
        """Findings, labels or classes have changed; nothing is done while the atlas is closed."""
        if not self.strip.isHidden():
            self._fill_classes(self._session.library.annotations.finding_counts(), self.strip.classes.value)

    def close(self) -> None:
        """End the thread."""
        super().close()
        self._large.close()

    def _close_atlas(self) -> None:
        self.strip.hide()
        self.picture.hide()
        self._large.close()
        self._workspace.menus.check({"show_atlas": False})

    def _study_opened(self) -> None:
        """A second reader sees nothing of it: it may show what the first reader found."""
        if self._workspace.reading.study.second_of is not None:
            self._close_atlas()

    def _class_here(self) -> str:
        reading = self._session.reading
        if reading is None:
            return ""
        event, labels = reading.event_here(), reading.labels_here()
        return labels[0].name if labels else event.name if event is not None else ""

    def _fill_classes(self, counts: dict[str, int], chosen: str) -> None:
        of = self._session.vocabulary.of
        titles = sorted((of(name).shown_title, name, count) for name, count in counts.items())
        self.strip.classes.set_choices(
            inputs.Choice(name, f"{title} ({number_text(count)})") for title, name, count in titles
        )
        self.strip.classes.show_value(chosen)
        self._show_class(chosen)

    def _show_class(self, name: str) -> None:
        findings = self._session.library.annotations.findings_of_kind(name)
        if findings != self._findings:
            self._findings = findings
            self.strip.tiles.show_tiles(len(findings), self._tile)

    def _tile(self, row: int) -> FrameTile:
        finding = self._findings[row]
        words = self._words(finding)
        return FrameTile(finding.study_id, self._frame_of(finding), words.partition(" · ")[2], words)

    def _frame_of(self, finding: Finding) -> int:
        study = self._facts.study(finding.study_id)
        count = study.frame_count if study is not None else 1
        return picture_frames(finding, self._facts.labels(finding.study_id), max(count, 1))[0]

    def _words(self, finding: Finding) -> str:
        """ "Polyp · 2026-01-02": class and date of the examination."""
        study = self._facts.study(finding.study_id)
        date = study.exam_date if study is not None else ""
        title = self._session.vocabulary.of(finding.kind).shown_title
        return f"{title} · {date or tr('no date')}"

    def _choose(self, study_id: str, frame_index: int) -> None:
        rows = self.strip.tiles.chosen_rows or [self.strip.tiles.currentIndex().row()]
        self._chosen = self._findings[rows[0]]
        self._show_picture()

    def _show_picture(self) -> None:
        if self._chosen is not None:
            frame = self._frame_of(self._chosen)
            picture = self._large.get(self._chosen.study_id, frame)
            self.picture.show_finding(picture, self._words(self._chosen))
