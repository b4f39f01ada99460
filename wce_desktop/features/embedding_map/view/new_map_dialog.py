"""Dialog for a new map: model, studies, method, number of frames."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QHBoxLayout, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from wce_desktop.core.clock import counted
from wce_desktop.features.embedding_map.model.map_sources import MapSource
from wce_desktop.features.embedding_map.model.maps import METHOD_WORDS, MapRequest, SavedMap
from wce_desktop.session.study_choice import StudyRow
from wce_desktop.widgets.basic import make_button, make_heading, make_text, pad
from wce_desktop.widgets.plain_text import PlainLabel, plain
from wce_desktop.widgets.study_table import StudyTable
from wce_desktop.widgets.theme import MUTED, WARNING
from wce_desktop.widgets.window_size import fit_to_screen

USED_COLUMN = 3
NO_SOURCE = "No study has embeddings yet: score a study with a model (S in the main window), then come back."
LOOKING = "Looking for scored studies…"
OWN = "A new map"
SAMPLE, MOST = 15_000, 10_000_000


class NewMapDialog(QDialog):
    """Non-modal; `map_requested` carries a `MapRequest`."""

    map_requested = Signal(object)
    embed_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("New map")
        fit_to_screen(self, 720, 560)
        self._sources: Sequence[MapSource] = ()
        self._rows: Mapping[str, StudyRow] = {}
        self._maps: Sequence[SavedMap] = ()
        self.source, self.method, self.onto = QComboBox(), QComboBox(), QComboBox()
        self.table = StudyTable()
        self.table.setAccessibleName("Studies of the map")
        self.table.setColumnHidden(USED_COLUMN, True)
        self.name = QLineEdit(placeholderText="taken from the names of the studies")
        self.sample, self.seed = self._make_number(0, MOST, SAMPLE), self._make_number(0, 2**31 - 1, 0)
        self.sample.setSpecialValueText("automatic: all for PCA, 15,000 for t-SNE")
        self.sample.setSingleStep(5000)
        self.perplexity, self.iterations = self._make_number(2, 1000, 30), self._make_number(50, 100_000, 750)
        for method, title in METHOD_WORDS.items():
            words = "groups similar frames" if method == "tsne" else "fast, shows the largest differences"
            self.method.addItem(f"{title}: {words}", method)
        self.cost, self.problem = make_text(MUTED), make_text(WARNING)
        self.start = make_button("Create the map", "Start now and show intermediate results (Ctrl+Enter)")
        self.start.setProperty("primary", True)
        self.start.setShortcut("Ctrl+Return")
        self.start.clicked.connect(self._ask)
        self._arrange()
        self.source.currentIndexChanged.connect(lambda _: self._show_studies())
        for box in (self.method, self.onto):
            box.currentIndexChanged.connect(lambda _: self._refresh())
        self.sample.valueChanged.connect(lambda _: self._refresh())
        self.table.choice_changed.connect(self._refresh)

    @staticmethod
    def _make_number(low: int, high: int, value: int) -> QSpinBox:
        box = QSpinBox()
        box.setRange(low, high)
        box.setValue(value)
        box.setGroupSeparatorShown(True)
        pad(box)
        return box

    def _arrange(self) -> None:
        foot = QHBoxLayout()
        foot.addWidget(self.problem, 1)
        foot.addWidget(self.start)
        column = QVBoxLayout(self)
        column.addLayout(self._make_form())
        column.addWidget(make_heading("STUDIES"))
        column.addWidget(self.table, 1)
        column.addLayout(self._make_ticks())
        column.addWidget(self.cost)
        column.addLayout(foot)

    def _make_form(self) -> QFormLayout:
        form = QFormLayout()
        title = PlainLabel("&Embeddings of")
        title.setBuddy(self.source)
        form.addRow(title, self._make_source_line())
        for name, widget, tip in (
            ("&Name", self.name, "Name in the list of maps"),
            ("&Method", self.method, "t-SNE starts from PCA, so the first map appears at once"),
            ("&Frames", self.sample, "Number of frames drawn at random; rare labels are kept"),
            ("&Seed", self.seed, "The same seed gives the same map"),
            ("&Perplexity", self.perplexity, "t-SNE: roughly the number of neighbours considered for each frame"),
            ("S&teps", self.iterations, "t-SNE: total number of steps; you can stop earlier"),
            ("P&lace into", self.onto, "Add the ticked studies to an existing map, whose points stay in place"),
        ):
            widget.setToolTip(plain(tip))
            widget.setAccessibleName(name.replace("&", ""))
            form.addRow(name, widget)
        return form

    def _make_source_line(self) -> QHBoxLayout:
        self.source.setToolTip("A map shows embeddings of one model, either before or after its projection head")
        self.source.setAccessibleName("Embeddings of")
        self.embed = make_button(
            "Pretrained model…", "Compute embeddings with a pretrained model, before or after its projection head"
        )
        self.embed.clicked.connect(self.embed_requested)
        line = QHBoxLayout()
        line.addWidget(self.source, 1)
        line.addWidget(self.embed)
        return line

    def _make_ticks(self) -> QHBoxLayout:
        ticks = QHBoxLayout()
        for words, tip, step in (
            ("All", "Every study of this model", self.choose_all),
            ("None", "No study", self.choose_none),
        ):
            button = make_button(words, tip)
            button.clicked.connect(step)
            ticks.addWidget(button)
        ticks.addStretch(1)
        return ticks

    # What there is to choose from

    def show_waiting(self) -> None:
        """Show that the studies are being read."""
        self.problem.setText(LOOKING)
        self.start.setEnabled(False)

    def show_choices(
        self, sources: Sequence[MapSource], rows: Sequence[StudyRow], maps: Sequence[SavedMap], open_study: str = ""
    ) -> None:
        """Offer these; the open study is ticked, or all studies if none is open."""
        self._sources, self._maps = sources, maps
        self._rows = {row.study.study_id: row for row in rows}
        self._first = frozenset({open_study}) if open_study else frozenset()
        self.source.blockSignals(True)
        self.source.clear()
        for source in sources:
            self.source.addItem(source.words)
        self.source.blockSignals(False)
        self._show_studies()

    @property
    def chosen_source(self) -> MapSource | None:
        """Whose embeddings."""
        at = self.source.currentIndex()
        return self._sources[at] if 0 <= at < len(self._sources) else None

    def choose_all(self) -> None:
        """Tick every study."""
        self.table.choose(set(self._rows))

    def choose_none(self) -> None:
        """Untick everything."""
        self.table.choose(())

    def _show_studies(self) -> None:
        source = self.chosen_source
        rows = [replace(self._rows[one], is_there=True) for one in source.paths if one in self._rows] if source else []
        chosen = self._first & {row.study.study_id for row in rows} or {row.study.study_id for row in rows}
        self.onto.blockSignals(True)
        self.onto.clear()
        self.onto.addItem(OWN, "")
        for kept in self._maps:
            same = source is not None and (kept.request.model_id, kept.request.space) == (source.model_id, source.space)
            if same and kept.has_points:
                self.onto.addItem(kept.request.title, kept.map_id)
        self.onto.blockSignals(False)
        self.table.set_rows(rows, chosen)

    # What is asked for

    def request(self) -> MapRequest | None:
        """The chosen request; None if it is incomplete."""
        source, chosen = self.chosen_source, self.table.chosen
        if source is None or not chosen:
            return None
        names = [row.study.name for row in self.table.rows if row.study.study_id in chosen]
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        method = str(self.method.currentData())
        details = {"perplexity": float(self.perplexity.value()), "iterations": self.iterations.value()}
        return MapRequest(
            title=self.name.text().strip() or ", ".join(names[:2]) + more,
            model_id=source.model_id,
            space=source.space,
            paths={study_id: path for study_id, path in source.paths.items() if study_id in chosen},
            method=method,
            sample=self.sample.value(),
            seed=self.seed.value(),
            onto=str(self.onto.currentData() or ""),
            details=details if method == "tsne" else {},
        )

    def _refresh(self) -> None:
        is_placed = bool(self.onto.currentData())
        is_tsne = self.method.currentData() == "tsne" and not is_placed
        for box in (self.perplexity, self.iterations):
            box.setEnabled(is_tsne)
        self.method.setEnabled(not is_placed)
        request = self.request()
        problem = "" if request else NO_SOURCE if not self._sources else "No study is ticked."
        self.problem.setText(problem)
        self.start.setEnabled(request is not None)
        self.cost.setText(self._cost_words() if request else "")

    def _cost_words(self) -> str:
        chosen = self.table.chosen
        frames = sum(row.study.frame_count for row in self.table.rows if row.study.study_id in chosen)
        asked = self.sample.value() or (SAMPLE if self.method.currentData() == "tsne" else frames)
        taken = f"{min(asked, frames):,} of {counted(frames, 'frame')}; rare labels are kept."
        if self.onto.currentData():
            return f"{taken} They are added to the points of the existing map."
        if self.method.currentData() == "pca":
            return f"{taken} Takes seconds."
        return f"{taken} PCA takes seconds, then t-SNE a minute or more; you can stop it at any time."

    def _ask(self) -> None:
        request = self.request()
        if request is not None:
            self.map_requested.emit(request)
            self.hide()
