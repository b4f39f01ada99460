"""The findings of earlier studies of the patient: a line below the frame, and their pictures where they are wanted."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QSize, Qt
from PySide6.QtWidgets import QToolButton, QWidget

from training.errors import NothingToDoError
from wce_desktop.core import counted, format_time, tr
from wce_desktop.core.annotation import Finding
from wce_desktop.core.annotation.label import picture_frames
from wce_desktop.core.study import Study
from wce_desktop.session.frame_facts import FrameFacts, FramePlaces
from wce_desktop.session.keys import key_of
from wce_desktop.session.run_models import earlier_studies
from wce_desktop.widgets import basic
from wce_desktop.widgets.frame_pictures import FramePictures
from wce_desktop.widgets.plain_text import ElidedLabel, plain
from wce_desktop.widgets.player.pictures import picture_icon, shrunk
from wce_desktop.workspace import Connections, Part, Workspace

PICTURE_PX = 52
MOST = 60


class EarlierFinding(NamedTuple):
    """A finding of an earlier study; `frame_index` is the frame that stands for it."""

    study: Study
    finding: Finding
    frame_index: int


class EarlierStrip(QWidget):
    """One line; opened, a button with a picture for each finding."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Findings of earlier studies"))
        self.words = ElidedLabel()
        self.show_button = basic.bar_button(tr("Show"), tr("Show or hide their pictures ({show_earlier})"))
        self.close_button = basic.bar_button("✕", tr("Leave this line out until the study is opened again"))
        self.close_button.clicked.connect(self.hide)
        self.buttons: list[QToolButton] = []
        self._row = basic.in_row(1, margins=0, spacing=4)
        self.area = basic.SidewaysArea(basic.as_widget(self._row))
        line = basic.in_row((self.words, 1), self.show_button, self.close_button, margins=(8, 0, 4, 0))
        basic.in_column(line, self.area, of=self, margins=0, spacing=2)
        self.hide()

    def show_words(self, words: str) -> None:
        """Show the line alone; "" hides it."""
        self.fill(())
        self.words.setText(words)
        self.show_pictures(False)
        self.setVisible(bool(words))

    def fill(self, buttons: Sequence[QToolButton]) -> None:
        """Put these buttons in the place of others."""
        for button in self.buttons:
            button.deleteLater()
        self.buttons = list(buttons)
        for at, button in enumerate(buttons):
            self._row.insertWidget(at, button)

    def show_pictures(self, is_shown: bool) -> None:
        """Show the buttons, or the line alone."""
        self.area.setVisible(is_shown)
        self.show_button.setText(tr("Hide") if is_shown else tr("Show"))


class EarlierFindings(Part):
    """Fills the line when a study is opened."""

    def __init__(
        self, workspace: Workspace, owner: QObject, facts: FrameFacts, find: Callable[[EarlierFinding], object]
    ) -> None:
        """`find` searches the open study for a finding of an earlier one."""
        super().__init__(workspace, owner)
        self._facts, self._find = facts, find
        self.strip = EarlierStrip()
        self.strip.show_button.clicked.connect(workspace.guard(self.toggle))
        self._findings: list[tuple[Study, Finding]] = []
        self._shown: list[EarlierFinding] = []
        """Those of the buttons."""
        self._pictures = FramePictures(self)
        self._pictures.arrived.connect(lambda *_: self._show_pictures())
        session = self._session
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.study_closed, self.refresh),
            (session.studies_changed, self.refresh),
        )

    def _study_opened(self) -> None:
        self._findings = []
        self.refresh()

    def refresh(self) -> None:
        """Name the findings of the earlier studies of the patient, the newest study first."""
        reading, annotations = self._session.reading, self._session.library.annotations
        earlier = reversed(earlier_studies(self._session, reading.study)) if reading is not None else ()
        findings = [(study, each) for study in earlier for each in annotations.findings(study.study_id)]
        if findings and findings == self._findings:
            return
        self._findings, words = findings, ""
        if self._findings:
            newest = self._findings[0][0]
            when, counts = newest.exam_date or newest.name, counted(len(self._findings), "finding")
            words = tr("Earlier study ({when}): {findings}", when=when, findings=counts)
            if len(self._findings) > MOST:
                words = f"{words}; {tr('the first {count} can be shown', count=MOST)}"
        self.strip.show_words(words)

    def toggle(self) -> None:
        """Show the pictures and put the focus on the first, or hide them."""
        if not self._findings:
            raise NothingToDoError(
                "No earlier study of this patient has findings.",
                "Say whose the studies are in the patient record ({key}).",
                key_of("edit_record"),
            )
        is_shown = self.strip.isHidden() or self.strip.area.isHidden()
        if is_shown and not self.strip.buttons:
            self._shown = [self._earlier(*each) for each in self._findings[:MOST]]
            self.strip.fill([self._button(each) for each in self._shown])
        self.strip.show()
        self.strip.show_pictures(is_shown)
        if is_shown:
            if not self._pictures.is_open:
                self._pictures.open(FramePlaces(self._session))
            self._show_pictures()
            self.strip.buttons[0].setFocus(Qt.FocusReason.TabFocusReason)

    def _earlier(self, study: Study, finding: Finding) -> EarlierFinding:
        frames = picture_frames(finding, self._facts.labels(study.study_id), max(study.frame_count, 1))
        return EarlierFinding(study, finding, frames[0])

    def _button(self, earlier: EarlierFinding) -> QToolButton:
        title = self._session.vocabulary.of(earlier.finding.kind).shown_title
        fact = self._facts.of(earlier.study.study_id, earlier.frame_index)
        button = QToolButton()
        button.setIconSize(QSize(PICTURE_PX, PICTURE_PX))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        words = ". ".join(filter(None, (title, fact.caption, earlier.finding.comment)))
        time = format_time(fact.video_seconds)
        button.setText("\n".join(f" {line}" for line in (title, time, tr("Find here"))))
        button.setAccessibleName(tr("Find here: {finding}", finding=words))
        button.setToolTip(plain(tr("Search this study for the place of {finding}", finding=words)))
        button.clicked.connect(self._workspace.guard(partial(self._find, earlier)))
        return button

    def _show_pictures(self) -> None:
        for earlier, button in zip(self._shown, self.strip.buttons, strict=False):
            picture = (
                self._pictures.get(earlier.study.study_id, earlier.frame_index) if button.icon().isNull() else None
            )
            if picture is not None and not picture.isNull():
                button.setIcon(picture_icon(shrunk(picture, round(PICTURE_PX * button.devicePixelRatioF()))))

    @property
    def is_busy(self) -> bool:
        """True while pictures are on their way."""
        return self._pictures.is_busy

    def close(self) -> None:
        """End the thread."""
        super().close()
        self._pictures.close()
