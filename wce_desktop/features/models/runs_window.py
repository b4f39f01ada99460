"""The window of runs and models: a list on the left; lineage, curves, figures, card and comparison on the right."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSplitter, QWidget

from wce_desktop.core.annotation.vocabulary import ClassName
from wce_desktop.core.language import to_translate, tr
from wce_desktop.features.models import calibration_page, item_tree, run_texts, table_pages
from wce_desktop.library import Model, lineage, runs
from wce_desktop.library.run_files import TITLES, Curve, Item, encodes_clips, has_held_out_scores, has_reid_model
from wce_desktop.session import keys, run_models
from wce_desktop.session.model_notes import why_not_cross_validated
from wce_desktop.widgets import basic, inputs, plain_text, window_size
from wce_desktop.widgets.page_area import PageArea
from wce_desktop.widgets.theme import COLORS

if TYPE_CHECKING:
    from wce_desktop.widgets.curve_plot import CurvePlot

RunCurves = Mapping[str, Mapping[str, Curve]]
CIRCUMSTANCES = TITLES["learning_rate"], TITLES["images_per_second"]
NO_CURVES = to_translate("No curves: the chosen model was not trained here, or its run was deleted.")
RUN_WITHOUT_CURVES = to_translate(
    "The chosen run has no curves. They show the training of one network; evaluations have none, and a linear "
    "classifier is fitted at once."
)


class CurvesPage(QWidget):
    """One figure at a time, a curve for each run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._curves: RunCurves = {}
        self.plot: CurvePlot | None = None
        self.figure = inputs.ComboBox(tr("Curve to show"))
        self.figure.currentIndexChanged.connect(self._draw)
        self.note = basic.make_note(tr("Reading the curves…"))
        self._choice = basic.as_widget(basic.in_row(plain_text.PlainLabel(tr("Curve")), (self.figure, 1), margins=0))
        self._layout = basic.in_column(self._choice, self.note, 0, of=self)

    def show_curves(self, curves: RunCurves) -> None:
        """Show the curves of these runs, by title; the figure that was chosen stays chosen if there is one."""
        self._curves = curves
        drawn_in = Counter(name for drawn in curves.values() for name in drawn)
        # First what can be compared, and learning before its circumstances.
        names = sorted(drawn_in, key=lambda name: (name in CIRCUMSTANCES, -drawn_in[name]))
        basic.fill_box(self.figure, ((tr(name), name) for name in names))
        self._choice.setVisible(bool(names))
        self._draw()

    def _draw(self) -> None:
        name = self.figure.currentData()
        drawn = {title: curves[name] for title, curves in self._curves.items() if name in curves}
        basic.show_text(self.note, "" if drawn else tr(RUN_WITHOUT_CURVES if self._curves else NO_CURVES))
        if drawn or self.plot is not None:
            plot = self._need_plot()
            plot.setVisible(bool(drawn))
            plot.show_curves({title: (curve.steps.tolist(), curve.values.tolist()) for title, curve in drawn.items()})

    def _need_plot(self) -> "CurvePlot":
        """The plot, made when there is something to draw: importing pyqtgraph takes a while."""
        if self.plot is None:
            from wce_desktop.widgets.curve_plot import CurvePlot

            self.plot = CurvePlot(tr("Over the steps of each run"))
            self._layout.insertWidget(2, self.plot, 1)
        return self.plot


def _scrolled(page: QWidget) -> PageArea:
    """A page that scrolls where the window is too low for it, so that the buttons below stay in the window."""
    area = PageArea(widgetResizable=True)
    area.setFrameShape(PageArea.Shape.NoFrame)
    area.setWidget(page)
    return area


EMPTY = "No models and no runs yet. Add a model folder, or train one: {finetune}."
LEFT_WIDTH = 520


class RunsWindow(window_size.DialogBase):
    """Shows models and runs; each button has the name of its item as the property `item`."""

    chosen_changed = Signal()

    def __init__(self, classes: Mapping[str, ClassName], columns: str, parent: QWidget | None = None) -> None:
        """`columns`: of the table, see `ItemTree`."""
        super().__init__(tr("Runs and models"), 1200, 720, parent, Qt.WindowType.Window)
        self.family = lineage.Family((), ())
        self._live: frozenset[str] = frozenset()
        self._resumable: frozenset[str] = frozenset()
        self.filter = QLineEdit(clearButtonEnabled=True)
        self.filter.setPlaceholderText(tr("Filter by any column"))
        self.filter.setAccessibleName(tr("Filter models and runs"))
        self.tree = item_tree.ItemTree(columns)
        self.filter.textChanged.connect(self.tree.filter)
        self._title = plain_text.PlainLabel()
        self.lineage = item_tree.LineageLine()
        self._problem = basic.make_text(COLORS.warning)
        self.curves, self.figures, self.card = CurvesPage(), table_pages.FiguresPage(), table_pages.CardPage()
        self.calibration = calibration_page.CalibrationPage(classes)
        self.compare = table_pages.ComparePage(classes)
        self._make_buttons()
        self._arrange()
        self.tree.chosen_changed.connect(self._show_chosen)
        self.lineage.item_requested.connect(lambda name: self.tree.choose([name]))
        self._show_chosen()

    def _make_buttons(self) -> None:
        self.add = basic.make_button(tr("Add a model folder…"), tr("Copy a model into the library ({add_model})"))
        tip = tr("Copy a run that was made outside of this window into the library, with its model")
        self.add_run = basic.make_button(tr("Add a run folder…"), tip)
        tip = tr("Compute a table of a paper, or compare pretrainings, models or explanations, in the background")
        self.experiment = basic.make_button(tr("New experiment…"), tip)
        self._columns = basic.make_button(
            tr("Columns"), tr("Choose the columns of the table, and what it is sorted by")
        )
        self._columns.setMenu(self.tree.menu)
        self.resume = basic.make_button(tr("Resume"), tr("Continue from the last checkpoint"))
        tip = tr("Fine-tune a classifier starting from this pretrained model")
        self.finetune = basic.make_button(tr("Fine-tune from it…"), tip)
        self.group = basic.make_button(
            tr("Group flags"), tr("Let this re-identification model group flags into findings")
        )
        tip = tr("Let this clip model compare places of studies ({find_place})")
        self.places = basic.make_button(tr("Compare places"), tip)
        self.cross_validate = basic.make_button(tr("Cross-validate…"), "")
        tip = tr("Show the held-out frames that this run got wrong, to relabel or open them ({show_errors})")
        self.errors = basic.make_button(tr("Errors…"), tip)
        self.export = basic.make_button(tr("Export…"), tr("Copy the model folder to another place"))
        self.delete = basic.make_button(tr("Delete…"), tr("Delete it, after confirmation"))
        tip = tr("Show the scores of this model; scores of other models are kept")
        self.use = basic.make_button(tr("Use this model"), tip, is_primary=True)

    def _arrange(self) -> None:
        self.pages = inputs.TabWidget(documentMode=True)
        self.pages.setAccessibleName(tr("Details of what is highlighted"))
        self.pages.tabBar().setDrawBase(False)
        for title, page in (
            (tr("Curves"), self.curves),
            (tr("Figures"), _scrolled(self.figures)),
            (tr("Calibration"), self.calibration),
            (tr("Card and settings"), self.card),
            (tr("Compare two"), self.compare),
        ):
            self.pages.addTab(page, title)
        above, below = basic.in_row((self.filter, 1), self._columns), basic.in_row(self.add, self.add_run, 1)
        left = basic.in_column(above, (self.tree, 1), below, basic.in_row(self.experiment, 1), margins=(8, 8, 0, 8))
        offers = self.export, self.cross_validate, self.resume, self.finetune, self.group, self.places, self.errors
        for button in offers:
            button.hide()  # before the layout counts their widths
        acts = basic.in_row(self.delete, *offers, 1, self.use)
        head = self._title, self.lineage, self._problem
        right = basic.in_column(*head, (self.pages, 1), acts, margins=(4, 10, 10, 8))
        halves = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        halves.addWidget(basic.as_widget(left))
        halves.addWidget(basic.as_widget(right))
        halves.setStretchFactor(1, 1)
        halves.setSizes([LEFT_WIDTH, self.width() - LEFT_WIDTH])
        basic.in_column(halves, of=self, margins=0)

    @property
    def chosen(self) -> Sequence[Item]:
        """The chosen models and runs, the oldest first."""
        result = (self.family.find(name) for name in self.tree.chosen)
        return sorted((item for item in result if item is not None), key=lambda item: item.created_utc)

    def show_family(self, family: lineage.Family, live: Collection[str] = (), resumable: Collection[str] = ()) -> None:
        """Show these models and runs; `live` runs have a job now, `resumable` ones can go on."""
        self.family, self._live, self._resumable = family, frozenset(live), frozenset(resumable)
        self.tree.show_family(family, live)
        if not self.tree.chosen:
            current = [name for name, model in family.models.items() if model.is_current]
            self.tree.choose(current or list(family.runs)[-1:])

    def _show_chosen(self) -> None:
        """Show one item in full, or the curves of several and the comparison of two."""
        chosen = self.chosen
        one = chosen[0] if len(chosen) == 1 else None
        titles = " · ".join(item.title for item in chosen)
        self._title.setText(titles or ("" if self.family.models or self.family.runs else keys.with_keys(tr(EMPTY))))
        self._title.setStyleSheet("font-weight: bold; font-size: 13pt" if chosen else "")
        self.lineage.show_item(one, self.family)
        self.lineage.setVisible(bool(self.lineage.text()))
        basic.show_text(self._problem, self._how_it_ended(one))
        is_stopped = isinstance(one, runs.Run) and one.is_stopped
        basic.set_color(self._problem, COLORS.muted if is_stopped else COLORS.warning)
        self.figures.show_item(one)
        self.calibration.show_item(one)
        self.card.show_item(one)
        self.compare.show_pair((chosen[0], chosen[1]) if len(chosen) == 2 else None)
        self._enable(one)
        self.chosen_changed.emit()

    def _how_it_ended(self, item: Item | None) -> str:
        """A sentence on a run that did not reach its end."""
        state = run_texts.state_of(item, self._live) if isinstance(item, runs.Run) else ""
        if not isinstance(item, runs.Run) or state not in ("failed", "interrupted", "stopped"):
            return ""
        if state == "stopped":
            return tr("Stopped before its last step. It can be resumed.") if item.run_id in self._resumable else ""
        if state == "failed":
            unknown = tr("Failed for an unknown reason. See log.txt in its folder.")
            return tr("Failed: {reason}", reason=item.message) if item.message else unknown
        if item.run_id in self._resumable:
            return tr("The application was closed while it was running. It can be resumed.")
        return tr("The application was closed while it was running.")

    def _enable(self, item: Item | None) -> None:
        """Enable the buttons for the chosen item, or the model of the chosen run."""
        model = self.family.model_of(item) if isinstance(item, runs.Run) else item
        is_model = isinstance(model, Model)
        for button in (self.use, self.export, self.cross_validate):
            button.setProperty("item", model.model_id if isinstance(model, Model) else "")
            button.setVisible(is_model)
        self.use.setEnabled(isinstance(model, Model) and not model.is_current)
        why_not = why_not_cross_validated(model) if isinstance(model, Model) else ""
        self.cross_validate.setEnabled(is_model and not why_not)
        tip = why_not or tr("Cross-validate this model by patient")
        self.cross_validate.setToolTip(plain_text.plain(tip))
        name = self.tree.chosen[0] if item is not None else ""
        is_busy = name in self._live or (isinstance(item, Model) and item.is_current)
        self.delete.setProperty("item", name)
        self.delete.setEnabled(bool(name) and not is_busy)
        tip = tr("Cannot be deleted while in use") if is_busy else tr("Delete it, after confirmation")
        self.delete.setToolTip(plain_text.plain(tip))
        trained_by = self.family.run_of(item) if item is not None else None
        self.errors.setProperty("item", trained_by.run_id if trained_by is not None else "")
        self.errors.setVisible(trained_by is not None and has_held_out_scores(trained_by))
        run = item if isinstance(item, runs.Run) else None
        is_pretrained = run is not None and run.kind == "pretrain" and run.state == "done" and not encodes_clips(run)
        for button, is_offered in (
            (self.resume, name in self._resumable),
            (self.group, run is not None and has_reid_model(run)),
            (self.places, run is not None and run_models.is_clip_run(run)),
            (self.finetune, is_pretrained),
        ):
            button.setProperty("item", name)
            button.setVisible(is_offered)
