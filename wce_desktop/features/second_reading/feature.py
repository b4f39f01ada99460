"""Begins second readings, compares them with the first one, and takes whole readings in and out of the library."""

from collections.abc import Callable
from functools import lru_cache, partial

from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from training.errors import UserError
from training.files.outputs import ForeignFileError
from wce_desktop.core.annotation import agreement, change
from wce_desktop.core.annotation.agreement import Difference
from wce_desktop.core.annotation.finding import Finding
from wce_desktop.core.language import to_translate, tr
from wce_desktop.core.study import Study
from wce_desktop.features.second_reading import comparing
from wce_desktop.features.second_reading.compare_panel import ComparePanel, Row, frame_of, side_of
from wce_desktop.features.second_reading.comparing import ReadingComparison
from wce_desktop.library.exchange import reading_file
from wce_desktop.session.keys import key_of
from wce_desktop.widgets.dialogs import agrees, ask_text
from wce_desktop.widgets.glyphs import draw_glyph
from wce_desktop.widgets.plain_text import free_text_question, wants_free_text
from wce_desktop.widgets.player.annotation_painter import draw_answer
from wce_desktop.widgets.player.pictures import side_by_side
from wce_desktop.widgets.theme import COLORS
from wce_desktop.widgets.waiting import wait_for
from wce_desktop.workspace import Connections, Feature, Panel, Workspace

# The frame of a difference as each of two readers left it, side by side.


PLATE, SHADE, BADGE_PX = QColor(12, 12, 12, 205), QColor(12, 12, 12, 150), 34


class ReaderPictures:
    """Drawn when they are first painted, as soon as their frame is there."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._session = workspace, workspace.session
        self.forget()

    def forget(self) -> None:
        """Draw all anew: what a reader entered has changed."""
        self._drawn = lru_cache(maxsize=64)(self._draw)

    def picture(self, row: Row, comparison: ReadingComparison) -> QImage | None:
        """Twice as wide as high, the first reader at the left; dark where the reader did not enter it.

        A sign in a corner says that the class is there (its shape) or not (a cross); boxes are those of the reader.
        """
        frame = self._workspace.thumbnails.get(frame_of(row))
        return frame if frame is None or frame.isNull() else self._drawn(row, comparison.first, comparison.second,
                                                                          side_of(row, comparison))  # fmt: skip

    def _draw(self, row: Row, first: Study, second: Study, side: str) -> QImage:
        frame = self._workspace.thumbnails.get(frame_of(row))
        assert frame is not None, "asked for by `picture`"
        entry = self._session.vocabulary.of(row.kind if isinstance(row, Finding) else row.name)

        def draw_entry(painter: QPainter, place: QRectF, at: int) -> None:
            badge = QRectF(place.right() - BADGE_PX, place.bottom() - BADGE_PX, BADGE_PX, BADGE_PX)
            if (side == "first") == (at == 0):
                self._draw_boxes(painter, place, (first, second)[at], frame_of(row), entry.name)
                painter.fillRect(badge, PLATE)
                draw_glyph(painter, badge.center(), 10, entry.shape, QColor(entry.color or COLORS.text))
            else:
                painter.fillRect(place, SHADE)
                if isinstance(row, Difference) and row.is_denied:
                    painter.fillRect(badge, PLATE)
                    draw_answer(painter, badge, is_accept=False)

        return side_by_side(frame, draw_entry)

    def _draw_boxes(self, painter: QPainter, place: QRectF, study: Study, frame_index: int, name: str) -> None:
        shown = self._workspace.player.frame_view.frames
        if not shown or shown[0].picture is None:
            return  # the size of a frame is not known yet
        size = QSizeF(shown[0].picture.size())
        scale_x, scale_y = place.width() / size.width(), place.height() / size.height()
        painter.setPen(QPen(QColor(COLORS.accent), 2))
        for box in self._session.library.annotations.boxes(study.study_id):
            if (box.frame_index, box.name) == (frame_index, name):
                corner = place.left() + box.x_min * scale_x, place.top() + box.y_min * scale_y
                painter.drawRect(QRectF(*corner, (box.x_max - box.x_min) * scale_x, (box.y_max - box.y_min) * scale_y))


FILTER = to_translate("Reading (*.json);;All files (*)")


class SecondReadingFeature(Feature):
    """A second reading is a study of its own with the same recording; see `Studies.second_readings`."""

    own_actions = ("second_reading", "compare_readings", "export_reading", "import_reading")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self.panel = panel = ComparePanel(lambda: self._session.vocabulary)
        self.panels = (Panel(panel, "below frame", order=1),)
        guard = workspace.guard
        panel.second_chosen.connect(guard(self._choose))
        panel.frame_requested.connect(guard(self._go))
        panel.take_requested.connect(guard(self._take))
        panel.keep_requested.connect(guard(self._keep))
        panel.left.connect(panel.hide)
        self._pictures = ReaderPictures(workspace)
        panel.picture = self._pictures.picture
        workspace.thumbnails.arrived.connect(lambda _: panel.show_pictures())
        self._pair: tuple[Study, Study] | None = None
        self._shown: comparing.ReadingComparison | None = None
        self._connections = Connections(
            (self._session.annotations_changed, self._refresh),
            (self._session.study_opened, self._refresh),
        )

    # Actions

    def second_reading(self) -> None:
        """Ask for the second reader's name, and open a reading without anything of the first one."""
        first = self._workspace.reading.study
        message = tr("Name of the second reader. Nothing that was entered before is shown to this reader.")
        name = ask_text(self._workspace.window, tr("Read as a second reader"), message, tr("Open"))
        if name is None:
            return
        library = self._session.library
        library.studies.check_account(name.strip())
        second = library.studies.add_second(first.study_id, name)
        self._session.studies_changed.emit()
        if library.account in ("", second.read_by):
            self._workspace.open_study(second)
        else:
            self._workspace.show_message(tr("{reader} can read this study as a second reader.", reader=second.read_by))

    def compare_readings(self) -> None:
        """Open the comparison with the newest second reading; it ends that reader's blindness, so it asks before."""
        open_study = self._workspace.reading.study
        first = self._session.library.studies.get(open_study.recording_id)
        readings = self._session.library.studies.second_readings(first.study_id)
        if not readings:
            raise UserError(
                "This study has no second reading.", "Begin one: Study, Read as a second reader; or import a reading."
            )
        second = open_study if open_study.second_of else readings[-1]
        if self._session.library.studies.shown_to_reader(first) != first:
            raise UserError(
                "The first reading is hidden until yours is finished.", "Finish your reading, then compare."
            )
        question = tr(
            "{reader} has not finished reading ({state}). Comparing shows the first reading, "
            "so the second one is no longer independent.\n\nCompare now?",
            reader=second.read_by,
            state=second.state_text,
        )
        title = tr("Compare two readings")
        if second.state != "finished" and not agrees(self._workspace.window, title, question, tr("Compare")):
            return
        self._pair = first, second
        self.panel.show_choices(readings, second)
        self.panel.show()
        self.panel.tiles.setFocus()
        if open_study.study_id != first.study_id:
            self._workspace.open_study(first)  # differences are settled in the first reading
        self._refresh()

    def export_reading(self) -> None:
        """Ask for a file and write everything that was entered for the open study."""
        self._session.save_place()
        study, library, window = self._workspace.reading.study, self._session.library, self._workspace.window
        title, name = tr("Export this reading"), f"{study.study_id}.reading.json"
        chosen = self._workspace.files.ask_new_file(window, "labels", title, name, tr(FILTER))
        if chosen is None:
            return
        reading, has_free_text = library.studies.whole_reading(study.study_id), False
        if reading_file.without_free_text(reading) != reading:
            question = tr(
                "This reading has comments, texts of the report or other words of a reader. Such text may name a "
                "patient. Export it, too?"
            )
            answer = wants_free_text(free_text_question(window, title, question))
            if answer is None:
                return
            has_free_text = answer
        write = partial(reading_file.export_reading, library, study.study_id, chosen, has_free_text=has_free_text)
        words = title, tr("Writing the file…")
        try:
            message = wait_for(window, *words, lambda _: write())
        except ForeignFileError as error:  # the file dialog has asked whether to replace it, but not whose it is
            question = tr("{what}\n\nReplace it?", what=tr(error.message))
            if not agrees(window, title, question, tr("Replace"), by_default=True):
                return
            message = wait_for(window, *words, lambda _: write(overwrite=True))
        if message is None:
            return
        held = (
            tr("{said} The file holds free text and readers' names; check that they name no patient.", said=message)
            if has_free_text
            else tr("{said} The file holds readers' names, but no free text and no patient's name.", said=message)
        )
        self._workspace.show_message(held)

    def import_reading(self) -> None:
        """Ask for a file, say what it holds and where it goes, and take it in after confirmation."""
        chosen = self._workspace.files.ask_file(self._workspace.window, "labels", tr("Import a reading"), tr(FILTER))
        if chosen is None:
            return
        window, library, title = self._workspace.window, self._session.library, tr("Import a reading")
        read = partial(reading_file.plan_reading, library, chosen)
        plan = wait_for(window, title, tr("Reading the file…"), read)
        if plan is None:
            self._workspace.show_message(tr("Nothing was imported."))
            return
        question = "\n\n".join([*plan.sentences, tr("Import this?")])
        if not agrees(window, title, question, tr("Import"), by_default=True):
            return
        if wait_for(window, title, tr("Importing…"), partial(reading_file.import_reading, library, plan)) is None:
            self._workspace.show_message(tr("Nothing was imported."))
            return
        self._session.edits.reload()
        self._session.studies_changed.emit()
        self._workspace.show_message(
            tr("The reading was imported. It can be undone with {key} in its study.", key=key_of("undo"))
        )

    # The comparison

    def _choose(self, second: Study) -> None:
        if self._pair is not None:
            self._pair = self._pair[0], second
            self._refresh()

    def _refresh(self, *_: object) -> None:
        """Compare again while the panel is shown; it goes with the recording."""
        reading = self._session.reading
        if self.panel.isHidden() or self._pair is None or reading is None:
            return
        if self._is_first_open():
            self._session.save_seen()
            self._shown = comparing.compare_readings(self._session.library, *self._pair)
            self._pictures.forget()
            self.panel.show_comparison(self._shown)
        elif reading.study.recording_id != self._pair[0].study_id:
            self.panel.hide()

    def _go(self, frame_index: int) -> None:
        if self._is_first_open():
            self._workspace.go_to_frame(frame_index)

    def _take(self, chosen: agreement.Difference | Finding) -> None:
        labels, library = self._workspace.reading.entries.labels, self._session.library
        if isinstance(chosen, Finding):
            self._settle(lambda shown: comparing.take_finding(chosen, shown))
        else:
            self._settle(lambda shown: comparing.take_second(labels, chosen, shown, library))

    def _keep(self, chosen: agreement.Difference) -> None:
        self._settle(lambda shown: comparing.keep_first(self._session.library, chosen, shown))

    def _settle(self, plan: Callable[[comparing.ReadingComparison], change.Plan]) -> None:
        if not self._is_first_open():
            raise UserError("Another study is open.", "Open the first reading of this study to settle differences.")
        if self._shown is not None:
            self._session.edits.apply(*plan(self._shown))

    def _is_first_open(self) -> bool:
        return self._pair is not None and self._session.open_id == self._pair[0].study_id
