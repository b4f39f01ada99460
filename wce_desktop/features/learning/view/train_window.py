"""The Train window: a tab with the settings and a tab with the progress, where runs can be resumed."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from wce_desktop.core.language import tr
from wce_desktop.features.learning.view import live_page, setup_page
from wce_desktop.library import runs, unfinished_runs
from wce_desktop.session.presets import PresetStore
from wce_desktop.session.session import Session
from wce_desktop.widgets import inputs, window_size
from wce_desktop.widgets.basic import as_widget, in_column, in_row, make_button, make_heading, make_note, make_text
from wce_desktop.widgets.theme import COLORS

SHOWN = 5
SETUP, PROGRESS = 0, 1


class UnfinishedBox(QWidget):
    """The list of runs that can be resumed; hidden while it is empty."""

    resume_requested = Signal(str)  # run_id

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = in_column(make_heading(tr("UNFINISHED")), of=self, margins=0)
        self._rows: list[QWidget] = []
        self.resume_buttons: list[QPushButton] = []
        self.items: Sequence[unfinished_runs.Unfinished] = ()
        self.hide()

    def set_items(self, items: Sequence[unfinished_runs.Unfinished]) -> None:
        """Show these runs, newest first."""
        if items == self.items:
            return
        self.items = tuple(items)
        for row in self._rows:
            row.deleteLater()
        self.resume_buttons = []
        self._rows = [self._make_row(item) for item in items[:SHOWN]]
        for row in self._rows:
            self._column.addWidget(row)
        self.setVisible(bool(items))

    def _make_row(self, item: unfinished_runs.Unfinished) -> QWidget:
        words = make_text(COLORS.warning if item.was_cut_off else "")
        words.setText(item.sentence)
        tip = tr("Continue this training from its last checkpoint")
        button = make_button(tr("Resume"), tip, lambda: self.resume_requested.emit(item.run.run_id))
        button.setAccessibleName(tr("Resume {run}", run=item.run.title))
        self.resume_buttons.append(button)
        return as_widget(in_row((words, 1), button, margins=0))


NOTHING = "No training has run since the program started. Choose studies and a method under “Set up”."


class TrainWindow(window_size.DialogBase):
    """The window with both tabs."""

    def __init__(self, session: Session, presets: PresetStore, parent: QWidget | None = None) -> None:
        super().__init__(tr("Train"), 1180, 760, parent, Qt.WindowType.Window)
        self._classes = {known.name: known for known in session.vocabulary}
        self.setup = setup_page.SetupPage(session, presets)
        self.unfinished = UnfinishedBox()
        self.tabs = inputs.TabWidget(documentMode=True)
        self.tabs.setAccessibleName(tr("Pages of the training"))
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.setup, tr("Set up"))
        self.tabs.addTab(self._make_progress(), tr("Progress"))
        in_column(self.tabs, of=self, margins=(0, 8, 0, 0))

    def _make_progress(self) -> QWidget:
        self._which = inputs.ComboBox(tr("Training"))
        self._which.hide()
        self._stack = QStackedWidget()
        self._stack.addWidget(make_note(tr(NOTHING), is_centered=True))
        self._which.activated.connect(lambda row: self._stack.setCurrentIndex(row + 1))
        return as_widget(in_column(self.unfinished, self._which, (self._stack, 1), margins=(12, 10, 12, 10)))

    @property
    def pages(self) -> list[live_page.LivePage]:
        """The trainings of this session, oldest first."""
        pages = [self._stack.widget(row) for row in range(1, self._stack.count())]
        return [page for page in pages if isinstance(page, live_page.LivePage)]

    def page(self, run_id: str) -> live_page.LivePage | None:
        """The page of a run, or None."""
        return next((page for page in self.pages if page.run_id == run_id), None)

    def add_page(self, run: runs.Run) -> live_page.LivePage:
        """Add the page of a run."""
        page = live_page.LivePage(run, self._classes)
        self._stack.addWidget(page)
        self._which.addItem(run.title)
        self._which.setVisible(self._which.count() > 1)
        return page

    def show_page(self, page: live_page.LivePage) -> None:
        """Show a page on the second tab."""
        self._which.setCurrentIndex(self.pages.index(page))
        self._stack.setCurrentWidget(page)

    def show_tab(self, tab: int) -> None:
        """Show `SETUP` or `PROGRESS`."""
        self.tabs.setCurrentIndex(tab)
        self.show()
        self.raise_()
