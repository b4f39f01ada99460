"""Dialogs for a new map (model, studies, method, number of frames), and for embeddings by a pretrained model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from wce_desktop.core.language import to_translate, tr, tr_count
from wce_desktop.features.embedding_map.map_sources import SPACES, MapSource
from wce_desktop.features.embedding_map.maps import MapRequest, SavedMap
from wce_desktop.library.runs import Run
from wce_desktop.session.keys import with_keys
from wce_desktop.session.study_choice import StudyRow
from wce_desktop.widgets import inputs, plain_text, study_table, window_size
from wce_desktop.widgets.basic import (
    Form,
    button_row,
    fill_box,
    in_column,
    in_row,
    make_button,
    make_heading,
    make_text,
    pad,
)
from wce_desktop.widgets.dialogs import accept_buttons
from wce_desktop.widgets.theme import COLORS

NO_RUN = to_translate("There is no pretrained model yet. Train one: Train, Pretrain and fine-tune ({train}).")
NOTE = to_translate("Takes as long as scoring. When it is done, choose the pretrained model under “Embeddings of”.")


class EmbedDialog(window_size.DialogBase):
    """Non-modal; `embed_requested` carries the run, the space, and the ids of the ticked studies."""

    embed_requested = Signal(object, str, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Compute embeddings with a pretrained model"), 720, 480, parent)
        self._runs: Mapping[str, Run] = {}
        self.run, self.space = inputs.ComboBox(), inputs.ComboBox()
        fill_box(self.space, ((tr(title), space) for space, title in SPACES.items()))
        self.studies = study_table.StudyTable()
        self.studies.setAccessibleName(tr("Studies to compute embeddings for"))
        self.problem, note = make_text(COLORS.warning), make_text(COLORS.muted)
        note.setText(tr(NOTE))
        tip = tr("Queue one job for each study (Ctrl+Enter)")
        self.start = make_button(tr("Compute"), tip, self._ask, is_primary=True)
        self.start.setShortcut("Ctrl+Return")
        form = Form()
        for title, box in ((tr("&Pretrained model"), self.run), (tr("&Embeddings"), self.space)):
            box.setAccessibleName(title.replace("&", ""))
            form.addRow(title, box)
        foot = in_row((self.problem, 1), accept_buttons(self, self.start))
        in_column(form, make_heading(tr("STUDIES")), (self.studies, 1), note, foot, of=self)

    def show_choices(self, runs: Sequence[Run], rows: Sequence[StudyRow]) -> None:
        """Offer these, every study ticked."""
        self._runs = {run.run_id: run for run in runs}
        fill_box(self.run, ((run.title, run.run_id) for run in runs))
        self.studies.set_rows(rows, {row.study.study_id for row in rows})
        self.problem.setText("" if runs else with_keys(tr(NO_RUN)))
        self.start.setEnabled(bool(runs))

    def _ask(self) -> None:
        run = self._runs.get(self.run.currentData())
        if run is not None:
            self.embed_requested.emit(run, str(self.space.currentData()), self.studies.chosen)


USED_COLUMN = 3
NO_SOURCE = to_translate(
    "No study has embeddings yet: score a study with a model ({score_study} in the main window), then come back."
)
LOOKING = to_translate("Looking for scored studies…")
OWN = to_translate("A new map")
METHOD_TITLES = {
    "tsne": to_translate("t-SNE: groups similar frames"),
    "umap": to_translate("UMAP: groups similar frames, needs an extra package"),
    "pca": to_translate("PCA: fast, shows the largest differences"),
}
SAMPLE, MOST = 15_000, 10_000_000


class NewMapDialog(window_size.DialogBase):
    """Non-modal; `map_requested` carries a `MapRequest`."""

    map_requested = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("New map"), 720, 620, parent)
        self._sources: Sequence[MapSource] = ()
        self._rows: Mapping[str, StudyRow] = {}
        self._maps: Sequence[SavedMap] = ()
        self.source, self.method, self.onto = inputs.ComboBox(), inputs.ComboBox(), inputs.ComboBox()
        self.table = study_table.StudyTable()
        self.table.setAccessibleName(tr("Studies of the map"))
        self.table.setColumnHidden(USED_COLUMN, True)
        self.name = QLineEdit(placeholderText=tr("automatic: method and number of studies"))
        self.sample, self.seed = self._make_number(0, MOST, SAMPLE), self._make_number(0, 2**31 - 1, 0)
        self.shown = self._make_number(0, MOST, 0)
        self.shown.setSpecialValueText(tr("no further ones"))
        for number in (self.sample, self.shown):
            number.setSingleStep(5000)
        self.perplexity, self.iterations = self._make_number(2, 1000, 30), self._make_number(0, 100_000, 0)
        for number in (self.sample, self.iterations):
            number.setSpecialValueText(tr("automatic"))
        fill_box(self.method, ((tr(title), method) for method, title in METHOD_TITLES.items()))
        self.cost, self.problem = make_text(COLORS.muted), make_text(COLORS.warning)
        tip = tr("Start now and show intermediate results (Ctrl+Enter)")
        self.start = make_button(tr("Create the map"), tip, self._ask, is_primary=True)
        self.start.setShortcut("Ctrl+Return")
        self._arrange()
        self.source.currentIndexChanged.connect(lambda _: self._show_studies())
        for box in (self.method, self.onto):
            box.currentIndexChanged.connect(lambda _: self._refresh())
        self.sample.valueChanged.connect(lambda _: self._refresh())
        self.table.choice_changed.connect(self._refresh)

    @staticmethod
    def _make_number(low: int, high: int, value: int) -> inputs.WholeBox:
        box = inputs.WholeBox(minimum=low, maximum=high, value=value, showGroupSeparator=True)
        pad(box)
        return box

    def _arrange(self) -> None:
        foot = in_row((self.problem, 1), accept_buttons(self, self.start))
        choose = button_row(
            (tr("Choose all"), tr("Every study of this model"), self.table.choose_all),
            (tr("Choose none"), tr("No study"), lambda: self.table.choose(())),
        )
        head = in_row((make_heading(tr("STUDIES")), 1), choose)
        in_column(self._make_form(), head, (self.table, 1), self.cost, foot, of=self)

    def _make_form(self) -> QGridLayout:
        """The fields; numbers stand two in a row, which leaves room for the studies."""
        form = QGridLayout()
        self.embed = make_button(
            tr("Choose a model…"),
            tr("Compute embeddings with a pretrained model, before or after its projection head"),
        )
        of_model = tr("A map shows embeddings of one model, either before or after its projection head")
        frames = tr("Number of frames drawn at random; rare labels are kept. Automatic: all for PCA, otherwise 15,000.")
        steps = tr(
            "t-SNE: total number of steps; you can stop earlier. Automatic: 300 for 4,000 frames and more, else 750."
        )
        perplexity = tr("t-SNE: roughly the number of neighbours considered for each frame")
        further = tr("t-SNE, UMAP: further frames are placed among their nearest of the map; a million take minutes")
        onto = tr("Add the ticked studies to an existing map, whose points stay in place")
        for row, column, name, widget, tip in (
            (0, 0, tr("&Embeddings of"), self.source, of_model),
            (1, 0, tr("&Name"), self.name, tr("Name in the list of maps")),
            (2, 0, tr("&Method"), self.method, tr("t-SNE starts from PCA, so the first map appears at once")),
            (3, 0, tr("&Frames"), self.sample, frames),
            (3, 2, tr("Sho&wn in all"), self.shown, further),
            (4, 0, tr("&Perplexity"), self.perplexity, perplexity),
            (4, 2, tr("S&teps"), self.iterations, steps),
            (5, 0, tr("See&d"), self.seed, tr("The same seed gives the same map")),
            (6, 0, tr("P&lace into"), self.onto, onto),
        ):
            label = plain_text.PlainLabel(name)
            label.setBuddy(widget)
            widget.setToolTip(plain_text.plain(tip))
            widget.setAccessibleName(name.replace("&", ""))
            form.addWidget(label, row, column)
            field = in_row((widget, 1), self.embed) if row == 0 else in_row((widget, 1))
            form.addLayout(field, row, column + 1, 1, 1 if row in (3, 4, 5) else 3)
        form.setColumnStretch(1, 1)
        form.setColumnStretch(3, 1)
        return form

    # What there is to choose from

    def show_waiting(self) -> None:
        """Show that the studies are being read."""
        self.problem.setText(tr(LOOKING))
        self.start.setEnabled(False)

    def show_choices(
        self, sources: Sequence[MapSource], rows: Sequence[StudyRow], maps: Sequence[SavedMap], open_study: str = ""
    ) -> None:
        """Offer these; the open study is ticked, or all studies if none is open."""
        self._sources, self._maps = sources, maps
        self._rows = {row.study.study_id: row for row in rows}
        self._first = frozenset({open_study}) if open_study else frozenset()
        fill_box(self.source, ((source.words, None) for source in sources))
        self._show_studies()

    @property
    def chosen_source(self) -> MapSource | None:
        """Whose embeddings."""
        at = self.source.currentIndex()
        return self._sources[at] if 0 <= at < len(self._sources) else None

    def _show_studies(self) -> None:
        source = self.chosen_source
        rows = (
            [replace(self._rows[study_id], is_there=True) for study_id in source.paths if study_id in self._rows]
            if source
            else []
        )
        chosen = self._first & {row.study.study_id for row in rows} or {row.study.study_id for row in rows}
        alike = [
            kept
            for kept in self._maps
            if source is not None
            and (kept.request.model_id, kept.request.space) == (source.model_id, source.space)
            and kept.has_points
        ]
        fill_box(self.onto, ((tr(OWN), ""), *((kept.title, kept.map_id) for kept in alike)), "")
        self.table.set_rows(rows, chosen)

    # What is asked for

    def request(self) -> MapRequest | None:
        """The chosen request; None if it is incomplete."""
        source, chosen = self.chosen_source, self.table.chosen
        if source is None or not chosen:
            return None
        method = str(self.method.currentData())
        details: dict[str, Any] = {"perplexity": float(self.perplexity.value())}
        if self.iterations.value():
            details["iterations"] = self.iterations.value()
        if method != "tsne":
            details = {}
        if method != "pca" and self.shown.value():
            details["shown"] = self.shown.value()
        return MapRequest(
            title=self.name.text().strip(),
            model_id=source.model_id,
            space=source.space,
            paths={study_id: path for study_id, path in source.paths.items() if study_id in chosen},
            method=method,
            sample=self.sample.value(),
            seed=self.seed.value(),
            onto=str(self.onto.currentData() or ""),
            details=details,
        )

    def _refresh(self) -> None:
        is_placed = bool(self.onto.currentData())
        is_tsne = self.method.currentData() == "tsne" and not is_placed
        for box in (self.perplexity, self.iterations):
            box.setEnabled(is_tsne)
        self.method.setEnabled(not is_placed)
        self.shown.setEnabled(not is_placed and self.method.currentData() != "pca")
        request = self.request()
        problem = "" if request else tr("No study is ticked.") if self._sources else with_keys(tr(NO_SOURCE))
        self.problem.setText(problem)
        self.start.setEnabled(request is not None)
        self.cost.setText(self._cost_words() if request else "")

    def _cost_words(self) -> str:
        chosen = self.table.chosen
        frames = sum(row.study.frame_count for row in self.table.rows if row.study.study_id in chosen)
        asked = self.sample.value() or (frames if self.method.currentData() == "pca" else SAMPLE)
        taken = tr_count(
            "{taken} of {count} frame; rare labels are kept.",
            "{taken} of {count} frames; rare labels are kept.",
            frames,
            taken=min(asked, frames),
        )
        if self.onto.currentData():
            effect = tr("They are added to the points of the existing map.")
        elif self.method.currentData() == "pca":
            effect = tr("Takes seconds.")
        elif self.method.currentData() == "umap":
            effect = tr("PCA takes seconds, then UMAP a minute or more; nothing is shown in between.")
        else:
            effect = tr("PCA takes seconds, then t-SNE a minute or more; you can stop it at any time.")
        return f"{taken} {effect}"

    def _ask(self) -> None:
        request = self.request()
        if request is not None:
            self.map_requested.emit(request)
            self.name.clear()  # the next one is another map
            self.hide()
