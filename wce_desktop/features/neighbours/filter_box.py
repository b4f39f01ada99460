"""Restrict the search to some frames: the small form behind the button “Filters” of the strip."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFormLayout, QFrame, QWidget

from training.embeddings.neighbour import SCOPES
from wce_desktop.core.annotation.vocabulary import Vocabulary, shown_name
from wce_desktop.core.language import number_text, to_translate, tr
from wce_desktop.features.neighbours.neighbour_query import SearchSettings
from wce_desktop.widgets import basic, inputs

SCOPE_TITLES = {
    "all": to_translate("all studies"),
    "this study": to_translate("this study"),
    "other studies": to_translate("other studies"),
    "other patients": to_translate("other patients"),
}
METRIC_TITLES = {"euclidean": to_translate("Euclidean distance"), "cosine": to_translate("cosine distance")}
MOST_SECONDS, MOST_FRAMES = 36_000.0, 300


class FilterBox(QFrame):
    """A popup form; Escape closes it."""

    changed = Signal(object)
    """SearchSettings"""

    def __init__(self, vocabulary: Vocabulary, parent: QWidget | None = None) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(tr("Restrict the search to some frames"))
        self.settings = SearchSettings()
        self.scope = _combo(tr("Studies to search in"), {name: SCOPE_TITLES[name] for name in SCOPES})
        self.distance = _combo(tr("Distance"), METRIC_TITLES)
        self._vocabulary = vocabulary
        self.class_name = _combo(tr("Label of the frames"), {})
        self.show_classes()
        self.labelled = QCheckBox(tr("only frames with a label"))
        self.live = QCheckBox(tr("only frames that the live scores flag"))
        self.to_query = _seconds(tr("Minimum time from the query frame"))
        self.among = _seconds(tr("Minimum time between the frames found"))
        self.count = inputs.WholeBox(minimum=1, maximum=MOST_FRAMES)
        self.count.setAccessibleName(tr("Frames to show"))
        basic.pad(self.count)
        self.reset = basic.make_button(tr("Reset"), tr("Reset all filters"))
        form = QFormLayout(self)
        form.setContentsMargins(14, 12, 14, 12)
        for title, widget in (
            (tr("Search in"), self.scope),
            (tr("Labelled"), self.class_name),
            ("", self.labelled),
            ("", self.live),
            (tr("Minimum time from the query"), self.to_query),
            (tr("Minimum time between results"), self.among),
            (tr("Nearest by"), self.distance),
            (tr("Show at most"), self.count),
            ("", self.reset),
        ):
            form.addRow(title, widget)
        for combo in (self.scope, self.distance, self.class_name):
            combo.currentIndexChanged.connect(self._emit_settings)
        for box in (self.to_query, self.among, self.count):
            box.editingFinished.connect(self._emit_settings)
        for check in (self.labelled, self.live):
            check.toggled.connect(self._emit_settings)
        self.reset.clicked.connect(lambda: self.change(SearchSettings()))
        self.show_settings(self.settings)

    def show_classes(self) -> None:
        """Offer the classes of the vocabulary; the chosen one stays chosen where it is still there."""
        classes = ((entry.shown_title, entry.name) for entry in self._vocabulary)
        basic.fill_box(self.class_name, ((tr("any label"), ""), *classes))

    def change(self, settings: SearchSettings) -> None:
        """Set it and emit `changed`."""
        self.show_settings(settings)
        self._emit_settings()

    def show_settings(self, settings: SearchSettings) -> None:
        """Show this without emitting signals."""
        blocked = [QSignalBlocker(child) for child in self.findChildren(QWidget)]
        self.scope.setCurrentIndex(self.scope.findData(settings.scope))
        self.distance.setCurrentIndex(self.distance.findData(settings.metric))
        self.class_name.setCurrentIndex(max(0, self.class_name.findData(settings.class_name)))
        self.labelled.setChecked(settings.is_labelled_only)
        self.live.setChecked(settings.is_live_only)
        self.to_query.setValue(settings.min_seconds_to_query)
        self.among.setValue(settings.min_seconds_among)
        self.count.setValue(settings.count)
        del blocked

    def _emit_settings(self) -> None:
        settings = SearchSettings(
            count=self.count.value(),
            metric=self.distance.currentData(),
            scope=self.scope.currentData(),
            is_labelled_only=self.labelled.isChecked(),
            class_name=self.class_name.currentData(),
            is_live_only=self.live.isChecked(),
            min_seconds_to_query=self.to_query.value(),
            min_seconds_among=self.among.value(),
        )
        if settings != self.settings:
            self.settings = settings
            self.changed.emit(settings)


def settings_in_words(settings: SearchSettings) -> str:
    """What is filtered: “other patients, labelled, 10 s apart”; "" without filters."""
    usual = SearchSettings()
    words = [tr(SCOPE_TITLES[settings.scope])] if settings.scope != usual.scope else []
    if settings.class_name:
        words.append(tr("labelled {label}", label=shown_name(settings.class_name)))
    elif settings.is_labelled_only:
        words.append(tr("labelled"))
    if settings.is_live_only:
        words.append(tr("flagged by live scores"))
    if settings.min_seconds_to_query:
        words.append(tr("{seconds} s away", seconds=number_text(settings.min_seconds_to_query, "g")))
    if settings.min_seconds_among != usual.min_seconds_among:
        words.append(tr("{seconds} s apart", seconds=number_text(settings.min_seconds_among, "g")))
    if settings.metric != usual.metric:
        words.append(tr("cosine"))
    return ", ".join(words)


def _combo(name: str, titles: dict[str, str]) -> QComboBox:
    box = inputs.ComboBox(name)
    basic.fill_box(box, ((tr(title), key) for key, title in titles.items()))
    return box


def _seconds(name: str) -> inputs.DecimalBox:
    box = inputs.DecimalBox(minimum=0.0, maximum=MOST_SECONDS, decimals=1, suffix=" s")
    box.setAccessibleName(name)
    basic.pad(box)
    return box
