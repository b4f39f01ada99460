"""The LANDMARKS panel: where each landmark is, transit times, and frames that may be a landmark."""

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QImage, QResizeEvent
from PySide6.QtWidgets import QListWidgetItem, QPushButton, QWidget

from wce_desktop.core import capital, format_frame, format_time, number_text, to_translate, tr, tr_count, whole_percent
from wce_desktop.core.annotation.landmark import Region, first_frames
from wce_desktop.core.annotation.transit import transit
from wce_desktop.features.landmarks.suggesting import Found, Proposal
from wce_desktop.session.session import Session
from wce_desktop.widgets import basic, by_hand, theme, window_size
from wce_desktop.widgets.plain_text import PlainLabel, plain

FRAME_ROLE = Qt.ItemDataRole.UserRole
PICTURE_PX = 56
LIST_PX = 128
TIMES = {
    "gastric": to_translate("Gastric"),
    "small bowel": to_translate("Small bowel"),
    "whole": to_translate("Whole"),
}
"""Titles of the transit times."""


class LandmarkRow(QWidget):
    """One landmark: its name and place, and buttons that set, suggest and remove it."""

    def __init__(self, region: Region) -> None:
        super().__init__()
        name = tr(region.landmark)
        self.title = PlainLabel(capital(name))
        self.place = basic.make_button(tr("not set"), "")
        self.place.setFlat(True)
        self.place.setStyleSheet("QPushButton { text-align: left; padding: 2px 0; border: none; background: none; }")
        key = f"{{landmark_{region.name.lower()}}}"
        self.set_here = basic.make_button(
            tr("Set here"), tr("Set the {landmark} to the frame on screen ({key})", landmark=name, key=key)
        )
        self.suggest = basic.make_button(
            tr("Suggest"), tr("List frames that look like the {landmark} of other studies", landmark=name)
        )
        self.remove = basic.make_button("✕", tr("Remove the {landmark}", landmark=name))
        for button in (self.set_here, self.suggest, self.remove):
            button.setAccessibleName(f"{button.text().replace('✕', tr('Remove'))}: {name}")
            button.setStyleSheet("QPushButton { padding: 3px 5px; }")
        row = basic.in_row((self.place, 1), self.set_here, self.suggest, self.remove, spacing=4)
        basic.in_column(self.title, row, of=self, margins=(0, 0, 0, 4), spacing=0)

    def show_place(self, text: str, time: str, *, is_open: bool) -> None:
        """Show where the landmark is: its `time`, and all in the tooltip; an empty text: it is not set."""
        self.place.setText(time or tr("not set"))
        self.place.setToolTip(plain(tr("Go to {place}", place=text) if text else ""))
        self.place.setEnabled(bool(text))
        self.remove.setEnabled(bool(text))
        self.set_here.setEnabled(is_open)
        self.suggest.setEnabled(is_open)


class LandmarksPanel(QWidget):
    """Landmarks and transit times of the open study; emits what the reader wants."""

    set_requested = Signal(object)  # Region
    remove_requested = Signal(object)  # Region
    suggest_requested = Signal(object)  # Region
    frame_requested = Signal(int)
    accept_requested = Signal()
    not_reached_requested = Signal()

    def __init__(self, session: Session, thumbnail: Callable[[int], QImage | None]) -> None:
        super().__init__()
        self._session, self._thumbnail = session, thumbnail
        self.found: Found | None = None
        """What is suggested now."""
        self.rows = {region: LandmarkRow(region) for region in Region}
        for region, row in self.rows.items():
            row.place.clicked.connect(lambda _=False, region=region: self._go(region))
            row.set_here.clicked.connect(lambda _=False, region=region: self.set_requested.emit(region))
            row.suggest.clicked.connect(lambda _=False, region=region: self.suggest_requested.emit(region))
            row.remove.clicked.connect(lambda _=False, region=region: self.remove_requested.emit(region))
        self.not_reached = basic.make_button(
            tr("The caecum was not reached"), tr("Mark the last frame of the recording as the end of the examination")
        )
        self.not_reached.clicked.connect(self.not_reached_requested)
        self.times = basic.make_text()
        self.problem = basic.make_text(theme.COLORS.warning)
        self.consequences = basic.make_text()
        self.suggestions_note = basic.make_note()
        self.list = by_hand.HandList(tr("Suggested landmarks"))
        self.list.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        self.list.moved.connect(self._go_to_suggestion)
        self.list.clicked.connect(self._go_to_suggestion)
        self.list.itemActivated.connect(lambda _: self.accept_requested.emit())
        self.accept = basic.make_button(
            tr("Set to this frame"), tr("Set the landmark to the highlighted frame ({accept_landmark})")
        )
        self.accept.clicked.connect(self.accept_requested)
        self._arrange()
        self.refresh()
        self.show_found(None)

    def _arrange(self) -> None:
        close = QPushButton(tr("Close"))
        close.clicked.connect(lambda: self.show_found(None))
        buttons, heading = basic.in_row((self.accept, 1), close), basic.make_heading(tr("Suggestions"))
        below = basic.in_column(heading, self.suggestions_note, self.list, buttons, margins=(0, 8, 0, 0))
        self._suggestions = basic.as_widget(below)
        column = basic.in_column(
            self.problem,
            *self.rows.values(),
            self.not_reached,
            basic.make_heading(tr("Transit times")),
            self.times,
            self.consequences,
            self._suggestions,
            1,
            margins=8,
        )
        self._inside = basic.as_widget(column)
        self._area = window_size.make_scrolling(self._inside)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        basic.in_column(self._area, of=self, margins=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The suggestions have the height that is left."""
        super().resizeEvent(event)
        self._fit_list()

    def _fit_list(self) -> None:
        for layout in (self._suggestions.layout(), self._inside.layout()):
            if layout is not None:
                layout.activate()
        needed = self._inside.heightForWidth(self._area.viewport().width()) - self.list.height()
        self.list.setFixedHeight(max(LIST_PX, self.height() - needed))

    # Landmarks and times

    def refresh(self) -> None:
        """Show the open study's landmarks and transit times."""
        reading = self._session.reading
        landmarks = reading.entries.landmarks if reading is not None else []
        frames = first_frames(landmarks)
        for region, row in self.rows.items():
            text = self._place(frames[region]) if region in frames else ""
            row.show_place(text, text.partition(",")[0], is_open=reading is not None)
        self.not_reached.setVisible(reading is not None and not {Region.COLON, Region.END} & frames.keys())
        if reading is None:
            self.times.setText(tr("No study is open."))
            self.problem.hide()
            self.consequences.hide()
            return
        transits = transit(landmarks, reading.index.video_seconds, has_time=reading.study.runs != ())
        lines = []
        for interval in transits.times:
            note = f" ({interval.note})" if interval.note else ""
            lines.append(f"{tr(TIMES[interval.name])}: {interval.text}{note}")
        if transits.caecum != "not entered":
            lines.append(tr("Caecum: reached") if transits.caecum == "reached" else tr("Caecum: not reached"))
        self.times.setText("\n".join(lines))
        for label, text in ((self.problem, transits.problem), (self.consequences, "\n\n".join(transits.consequences))):
            basic.show_text(label, text)

    def _place(self, frame_index: int) -> str:
        reading = self._session.opened()
        at = float(reading.index.video_seconds[min(frame_index, reading.frame_count - 1)])
        return tr("{time}, frame {frame}", time=format_time(at), frame=format_frame(frame_index + 1))

    def _go(self, region: Region) -> None:
        reading = self._session.reading
        frame = first_frames(reading.entries.landmarks).get(region) if reading is not None else None
        if frame is not None:
            self.frame_requested.emit(frame)

    # Suggestions

    @property
    def highlighted(self) -> int | None:
        """The frame that is highlighted."""
        item = self.list.currentItem()
        return int(item.data(FRAME_ROLE)) if item is not None else None

    def show_waiting(self, region: Region) -> None:
        """Say that frames are compared."""
        self._say(tr("Looking for frames like the {landmark} of other studies…", landmark=tr(region.landmark)))

    def show_sentence(self, sentence: str) -> None:
        """Say why nothing is suggested."""
        self._say(sentence)
        self._scroll_down()

    def _say(self, sentence: str) -> None:
        self.show_found(None)
        self._suggestions.show()
        self.list.hide()
        self.suggestions_note.setText(sentence)

    def show_found(self, result: Found | None) -> None:
        """List these suggestions, the most similar first; None: nothing is suggested.

        They arrive while the reader may be elsewhere, so none is highlighted before a key or a click chooses it.
        """
        self.found = result
        with QSignalBlocker(self.list):
            self.list.clear()
            if result is not None and result.proposal is not None:
                self._list_proposal(result.proposal)
            for number, suggestion in enumerate(result.suggestions if result is not None else (), start=1):
                likeness = tr("likeness {likeness}", likeness=number_text(suggestion.likeness, ".2f"))
                landmark = tr(result.region.landmark) if result is not None else ""
                like = tr("Like the {landmark} of {study}", landmark=landmark, study=suggestion.like)
                self._list_frame(f"{number}. ", suggestion.frame_index, likeness, like)
        self._suggestions.setVisible(result is not None)
        self.list.show()
        self.accept.setEnabled(False)
        if result is None:
            return
        self.suggestions_note.setText(self._found_words(result))
        self.show_pictures()
        self._scroll_down()

    def _list_proposal(self, proposal: Proposal) -> None:
        for frame_index, title in (
            (proposal.frame_index, tr("proposed")),
            (proposal.earliest, tr("earliest")),
            (proposal.latest, tr("latest")),
        ):
            self._list_frame("", frame_index, title, tr("A proposal; it is set only once you accept it"))

    def _list_frame(self, before: str, frame_index: int, below: str, tip: str) -> None:
        item = QListWidgetItem(f"{before}{self._place(frame_index)}\n{below}", self.list)
        item.setToolTip(plain(tip))
        item.setData(FRAME_ROLE, frame_index)

    def _scroll_down(self) -> None:
        self._fit_list()
        self._inside.adjustSize()
        self._area.verticalScrollBar().setValue(self._area.verticalScrollBar().maximum())

    def show_pictures(self) -> None:
        """Show the pictures that have arrived."""
        self.list.show_pictures(lambda item: self._thumbnail(item.data(FRAME_ROLE)))

    def _go_to_suggestion(self, index: QModelIndex) -> None:
        self.accept.setEnabled(True)
        self.frame_requested.emit(index.data(FRAME_ROLE))

    def _found_words(self, result: Found) -> str:
        """Where the landmark is proposed, what the suggestions are like, and that they are a guess."""
        landmark, words, proposal = tr(result.region.landmark), [], result.proposal
        if proposal is not None:
            seconds = self._session.opened().index.video_seconds
            first, last = (format_time(float(seconds[frame])) for frame in (proposal.earliest, proposal.latest))
            minutes = float(seconds[proposal.latest] - seconds[proposal.earliest]) / 60
            values = {
                "first": first,
                "last": last,
                "percent": whole_percent(9, 10),
                "minutes": number_text(minutes, ".1f"),
            }
            sentence = to_translate(
                "The {landmark} is proposed between {first} and {last} ({percent}), within {minutes} minutes."
            )
            words.append(tr(sentence, landmark=landmark, **values))
            words.append(
                tr_count(
                    "Learned from {count} study of this library.",
                    "Learned from {count} studies of this library.",
                    proposal.studies,
                )
                if proposal.studies
                else tr("Learned from synthetic studies only.")
            )
        if result.suggestions:
            words.append(
                tr_count(
                    "Frames that look most like the {landmark} of {count} other study.",
                    "Frames that look most like the {landmark} of {count} other studies.",
                    result.studies,
                    landmark=landmark,
                )
            )
        elif proposal is None:
            words.append(tr("No frame here looks like the {landmark}.", landmark=landmark))
        return " ".join((*words, tr("A guess: look at the frames before and after.")))
