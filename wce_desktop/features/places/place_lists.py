"""The left column of the window: which studies are searched, the places found, and the linked places."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QComboBox, QListWidgetItem

from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.features.places import linked_places, place_search
from wce_desktop.widgets import basic, inputs, key_texts, theme
from wce_desktop.widgets.player.pictures import fitted, picture_icon

THUMBNAIL_PX = 72
TAB_MARGINS = (6, 8, 6, 6)
STUDIES_PX, FOUND_PX = (58, 118), 84
"""At least and at most for the list of studies, and at least for that of places."""
ADDRESS_ROLE = Qt.ItemDataRole.UserRole
NO_LINKS = to_translate("No place of this study is linked with another study.")


class FoundRow(NamedTuple):
    """A place in the list: its text, and the frame whose picture is shown."""

    place: place_search.FoundPlace
    text: str
    frame_index: int


LinkRow = tuple[linked_places.LinkedPlace, str]
"""A linked place in the list, and its text."""


class PlaceLists(inputs.TabWidget):
    """Emits what the reader chooses; independent of the library."""

    choice_changed = Signal(object)
    """StudyChoice."""
    source_chosen = Signal(str)
    """Id of the run whose clip model compares places; "" for stored embeddings."""
    missing_requested = Signal()
    """Make the clips that are missing."""
    place_chosen = Signal(object)
    """FoundPlace."""
    link_chosen = Signal(object)
    """LinkedPlace."""
    remove_requested = Signal(object)
    """LinkedPlace."""

    def __init__(self, picture: Callable[[str, int], QImage | None]) -> None:
        super().__init__()
        self.setAccessibleName(tr("Places"))
        self._picture = picture
        self._choices: list[place_search.StudyChoice] = []
        self._found: list[FoundRow] = []
        self._links: list[LinkRow] = []
        self._make_found()
        self._link_note = basic.make_note(tr(NO_LINKS))
        self.links = basic.make_list(tr("Linked places"))
        key_texts.give_keys(self.links)
        # Not the current row: a list without one makes the first row current when it gets the focus.
        self.links.itemSelectionChanged.connect(lambda: self._choose_link(self.links.currentRow()))
        self.links.setSpacing(3)
        self.links.itemClicked.connect(lambda item: self._choose_link(self.links.row(item)))
        self.remove_button = basic.make_button(tr("Remove this link"), tr("Remove the chosen link (Delete)"))
        self.remove_button.clicked.connect(self.remove)
        tab = basic.in_column(self._link_note, (self.links, 1), self.remove_button, margins=TAB_MARGINS)
        self.addTab(basic.as_widget(tab), tr("Linked places"))
        self.setMinimumWidth(self.tabBar().sizeHint().width())

    def _make_found(self) -> None:
        self._query = basic.make_note()
        self.sources = inputs.ComboBox(tr("Compare by"))
        tip = tr("What compares places: the model in use by single frames, or a model trained on clips")
        basic.name_in_tip(self.sources, tip)
        self.sources.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.sources.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # after a click keys keep their meaning
        self.sources.activated.connect(lambda at: self.source_chosen.emit(self.sources.itemData(at)))
        self.studies = basic.make_list(tr("Studies to search"))
        self.studies.setMinimumHeight(STUDIES_PX[0])
        self.studies.setMaximumHeight(STUDIES_PX[1])
        self.studies.setSpacing(1)
        self.studies.currentRowChanged.connect(self._choose_studies)
        self._missing = basic.make_note()
        self.missing_button = basic.make_button("", tr("Compute what the studies named above need to be compared"))
        self.missing_button.clicked.connect(self.missing_requested)
        self.found = basic.make_list(tr("Places found"))
        key_texts.give_keys(self.found)
        self.found.setMinimumHeight(FOUND_PX)
        self.found.setIconSize(QSize(THUMBNAIL_PX, THUMBNAIL_PX))
        self.found.itemSelectionChanged.connect(lambda: self._choose_place(self.found.currentRow()))
        self.found.itemClicked.connect(lambda item: self._choose_place(self.found.row(item)))
        self._state = basic.make_note()
        self._made_by = basic.make_note()
        tab = basic.in_column(
            self._query,
            basic.make_heading(tr("Compare by")),
            self.sources,
            basic.make_heading(tr("Search in")),
            (self.studies, 1),
            self._missing,
            self.missing_button,
            self._state,
            (self.found, 4),
            self._made_by,
            margins=TAB_MARGINS,
        )
        self.addTab(basic.as_widget(tab), tr("Found"))
        self.show_missing("")

    # Which studies

    def show_query(self, words: str, made_by: str) -> None:
        """Say which place is searched for, and what is compared."""
        self._query.setText(words)
        self._made_by.setText(made_by)

    def show_choices(
        self, choices: Sequence[place_search.StudyChoice], study_id: str = ""
    ) -> place_search.StudyChoice | None:
        """List these; returns the one that is chosen: this study, else the same as before, else the first."""
        before = f"study {study_id}" if study_id else self.choice.key if self.choice is not None else ""
        self._choices = list(choices)
        with QSignalBlocker(self.studies):
            self.studies.clear()
            for choice in choices:
                item = QListWidgetItem(choice.title, self.studies)
                if not choice.ready:
                    item.setForeground(QColor(theme.COLORS.muted))
            row = next((row for row, choice in enumerate(choices) if choice.key == before), 0)
            self.studies.setCurrentRow(row if choices else -1)
        return self.choice

    @property
    def choice(self) -> place_search.StudyChoice | None:
        """The studies that are searched."""
        row = self.studies.currentRow()
        return self._choices[row] if 0 <= row < len(self._choices) else None

    def show_sources(self, sources: Sequence[tuple[str, str]], chosen: str) -> None:
        """List what can compare places: the id of a run, or "", and a title."""
        rows = range(self.sources.count())
        if [(self.sources.itemData(row), self.sources.itemText(row)) for row in rows] != list(sources):
            self.sources.clear()
            for run_id, title in sources:
                self.sources.addItem(title, run_id)
        self.sources.setCurrentIndex(max(0, self.sources.findData(chosen)))

    def show_missing(self, sentence: str, button: str = "") -> None:
        """Say which studies cannot be searched yet, and what the button offers to do with them; "" for no button."""
        basic.show_text(self._missing, sentence)
        basic.show_text(self.missing_button, button)

    def _choose_studies(self, row: int) -> None:
        if 0 <= row < len(self._choices):
            self.choice_changed.emit(self._choices[row])

    # Places found

    def show_state(self, sentence: str) -> None:
        """Say what is being done, or why nothing is listed."""
        basic.show_text(self._state, sentence)

    def show_found(self, rows: Sequence[FoundRow]) -> None:
        """List these places and choose the first."""
        self._found = list(rows)
        with QSignalBlocker(self.found):
            self.found.clear()
            for row in rows:
                item = QListWidgetItem(row.text, self.found)
                item.setData(ADDRESS_ROLE, (row.place.study_id, row.frame_index))
                self._set_icon(item)
        if rows:
            self.found.setCurrentRow(0)

    @property
    def places(self) -> list[place_search.FoundPlace]:
        """The places that are listed."""
        return [row.place for row in self._found]

    def show_picture(self, study_id: str, frame_index: int) -> None:
        """A picture has arrived."""
        for row in range(self.found.count()):
            item = self.found.item(row)
            if tuple(item.data(ADDRESS_ROLE)) == (study_id, frame_index):
                self._set_icon(item)

    def _set_icon(self, item: QListWidgetItem) -> None:
        ratio = self.devicePixelRatioF()
        picture = fitted(self._picture(*item.data(ADDRESS_ROLE)), round(THUMBNAIL_PX * ratio), theme.COLORS.background)
        picture.setDevicePixelRatio(ratio)
        item.setIcon(picture_icon(picture))

    def _choose_place(self, row: int) -> None:
        if 0 <= row < len(self._found):
            self.place_chosen.emit(self._found[row].place)

    # Linked places

    def show_links(self, rows: Sequence[LinkRow]) -> None:
        """List the linked places; the chosen one stays chosen."""
        before = self.chosen_link
        self._links = list(rows)
        with QSignalBlocker(self.links):
            self.links.clear()
            for at, (place, text) in enumerate(rows):
                QListWidgetItem(text, self.links)
                if before is not None and place.link == before.link:
                    self.links.setCurrentRow(at)
        self.links.setVisible(bool(rows))
        self.remove_button.setVisible(bool(rows))
        self.remove_button.setEnabled(self.chosen_link is not None)
        linked = tr_count("{count} link with other studies.", "{count} links with other studies.", len(rows))
        self._link_note.setText(linked if rows else tr(NO_LINKS))
        self.setTabText(1, tr("Linked places ({count})", count=len(rows)) if rows else tr("Linked places"))

    @property
    def chosen_link(self) -> linked_places.LinkedPlace | None:
        """The linked place that is highlighted."""
        row = self.links.currentRow()
        is_chosen = bool(self.links.selectedItems()) and 0 <= row < len(self._links)
        return self._links[row][0] if is_chosen else None

    def remove(self) -> None:
        """Ask for the highlighted link to be removed, if the list is on screen."""
        chosen = self.chosen_link
        if self.currentIndex() == 1 and chosen is not None:
            self.remove_requested.emit(chosen)

    def _choose_link(self, row: int) -> None:
        self.remove_button.setEnabled(self.chosen_link is not None)
        if 0 <= row < len(self._links):
            self.link_chosen.emit(self._links[row][0])
