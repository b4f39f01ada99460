"""The window of the report: texts and signature at the left, the pages at the right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6 import QtCore, QtGui, QtWidgets

from training.errors import UserError
from training.runs.events import Outcome
from training.texts import join_texts
from wce_desktop.core import local_time, to_translate, tr
from wce_desktop.features.report.model.parts import CONFIRMED, REQUEST, TextBlock, Texts
from wce_desktop.features.report.report_panes import Acknowledgement, PagesView, SignBox
from wce_desktop.features.report.text_box import TextBox
from wce_desktop.library.evidence.signature import SignedReport
from wce_desktop.session.completeness.measured import Measured, Name
from wce_desktop.widgets import basic, inputs, plain_text, theme, window_size

SIDES = (400, 780)
MOST_LETTERS = 2000
"""Of a line about why the study was made."""
ADEQUACY = {
    "": to_translate("Bowel cleansing: not entered"),
    "adequate": to_translate("Bowel cleansing: adequate"),
    "inadequate": to_translate("Bowel cleansing: not adequate"),
}
OVERLAY_TIP = to_translate(
    "Colour the pictures where the model finds evidence of the finding's kind; for studies that were scored by a model "
    "which stores these maps"
)
FREE_TEXT_TIP = to_translate(
    "Comments, indication, question, history, medication, summary and recommendation are free text and may name "
    "somebody. Names of the patient record, the referrer, the reader and the file are removed from them; read the "
    "result before you pass it on."
)


class ReportWindow(QtWidgets.QDialog):
    """Shows texts, pages and versions; `ShownReport` does what its buttons say."""

    texts_changed = QtCore.Signal()
    blocks_requested = QtCore.Signal()

    def __init__(
        self,
        blocks: Callable[[], Sequence[TextBlock]],
        shared: Sequence[QtGui.QAction] = (),
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        """`shared` are actions of the main window whose keys work here too."""
        super().__init__(parent, QtCore.Qt.WindowType.Window)
        self.setWindowTitle(tr("Report"))
        self._problem, self._pages_problem = "", ""
        """Why something was not done, and what is wrong with the pages, which the next pages may mend."""
        window_size.fit_to_screen(self, 1220, 800)
        self.adequacy = inputs.ComboBox()
        self.adequacy.setAccessibleName(tr("Adequacy of the bowel cleansing"))
        basic.fill_box(self.adequacy, [(tr(words), value) for value, words in ADEQUACY.items()])
        tip = tr("Insert a text block into the summary")
        self.summary = TextBox(tr("SUMMARY"), tr("Summary"), tip, blocks)
        tip = tr("Insert a text block into the recommendation")
        self.recommendation = TextBox(tr("RECOMMENDATION"), tr("Recommendation"), tip, blocks)
        self.measured = {name: Acknowledgement(tr(title)) for name, title in CONFIRMED.items()}
        self._figures: dict[str, str] = {}
        self._stored: dict[str, str] = {}
        self.request = {name: QtWidgets.QLineEdit() for name in REQUEST}
        self.sign_box = SignBox()
        self.versions = basic.make_list(tr("Signed versions"))
        self.versions.setMaximumHeight(110)
        self.versions_title = basic.make_heading(tr("SIGNED VERSIONS"))
        self.open_version = basic.make_button(tr("Open"), tr("Check the chosen version and open its PDF"))
        self.show_version = basic.make_button(
            tr("Show"), tr("Show the pages of the chosen version here, as they were signed")
        )
        self.check_version = basic.make_button(
            tr("Check"), tr("Check files, database, audit log, signature and key of the chosen version")
        )
        self.version_pdf = basic.make_button(tr("PDF…"), tr("Save the PDF of the chosen version, as it was signed"))
        self.version_html = basic.make_button(
            tr("HTML…"), tr("Save the HTML page of the chosen version, as it was signed")
        )
        self.shown_version = basic.make_text(theme.COLORS.warning)
        self.back = basic.make_button(tr("Back to the report"), tr("Show the report as it is now"))
        self.pages = PagesView()
        self.problem, self.message = basic.make_text(theme.COLORS.warning), basic.make_text(theme.COLORS.muted)
        self.pdf = basic.make_button(tr("Save PDF…"), tr("Save the draft as PDF"))
        self.html = basic.make_button(tr("Save HTML…"), tr("Save the draft as one page with its pictures"))
        self.print = basic.make_button(tr("Print…"), tr("Print the pages shown (Ctrl+Alt+P)"))
        self.print.setShortcut(QtGui.QKeySequence("Ctrl+Alt+P"))
        self.record = basic.make_button(tr("Patient record…"), tr("Enter patient, date and reader ({edit_record})"))
        self.clips = basic.make_button(
            tr("Save clips and stills…"),
            tr("Save a clip and the key frames of each finding, masked outside the field of view"),
        )
        self.anonymous = basic.make_button(
            tr("Save without names…"), tr("Save the report without names, dates and comments, as PDF and as HTML")
        )
        self.boxes, self.overlay = QtWidgets.QCheckBox(tr("with boxes")), QtWidgets.QCheckBox(tr("with overlay"))
        self.boxes.setToolTip(plain_text.plain(tr("Draw the boxes of the frame into the pictures")))
        self.overlay.setToolTip(plain_text.plain(tr(OVERLAY_TIP)))
        self.with_free_text = QtWidgets.QCheckBox(tr("with comments and texts"))
        self.with_free_text.setToolTip(plain_text.plain(tr(FREE_TEXT_TIP)))
        self._arrange()
        self.addActions(list(shared))
        self.adequacy.currentIndexChanged.connect(lambda _: self.texts_changed.emit())
        for box in (self.summary, self.recommendation):
            box.changed.connect(self.texts_changed)
            box.edit_requested.connect(self.blocks_requested)
        self._rest = inputs.TypingPause(self)
        self._rest.reached.connect(self.texts_changed)
        for confirmation in self.measured.values():
            confirmation.toggled.connect(self.texts_changed)
        for line in self.request.values():
            line.textEdited.connect(self._rest.start)
            line.editingFinished.connect(self._end_request)
        self.show_problem("")
        self.show_message("")
        self.say_version("")

    def _arrange(self) -> None:
        request = basic.Form()
        for name, line in self.request.items():
            line.setAccessibleName(tr(REQUEST[name]))
            line.setMaxLength(MOST_LETTERS)
            request.addRow(tr(REQUEST[name]), line)
        parts: tuple[Any, ...] = (
            request,
            basic.in_row((self.adequacy, 1), self.record),
            *self.measured.values(),
            basic.in_row(plain_text.PlainLabel(tr("Pictures")), self.boxes, self.overlay, 1),
            (self.summary, 1),
            (self.recommendation, 1),
            self.sign_box,
            self.versions_title,
            self.versions,
            basic.in_row(1, *self.version_buttons),
        )
        self._inputs = basic.as_widget(basic.in_column(*parts, margins=(0, 0, 8, 0), spacing=10))
        self._left = left = window_size.make_scrolling(self._inputs)
        left.setHorizontalScrollBarPolicy(QtCore.Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        above = basic.in_row((self.shown_version, 1), self.back)
        sides = QtWidgets.QSplitter(QtCore.Qt.Orientation.Horizontal, childrenCollapsible=False)
        sides.addWidget(left)
        right = basic.in_column(self.problem, above, (self.pages, 1), self.message, margins=0)  # the left stays put
        sides.addWidget(basic.as_widget(right))
        sides.setStretchFactor(1, 1)
        sides.setSizes(SIDES)
        files = basic.in_row(self.pdf, self.html, self.print, self.clips, 1, margins=0)
        foot = basic.Halves(files, basic.in_row(1, self.with_free_text, self.anonymous, margins=0))
        basic.in_column((sides, 1), foot, of=self, margins=(12, 10, 12, 10))

    @property
    def version_buttons(self) -> tuple[QtWidgets.QPushButton, ...]:
        """What can be done with the chosen version."""
        return self.check_version, self.show_version, self.open_version, self.version_pdf, self.version_html

    @property
    def chosen_version(self) -> SignedReport | None:
        """The version that is chosen in the list."""
        row = self.versions.count() - 1 - self.versions.currentRow()
        return self.signed_versions[row] if self.versions.currentItem() is not None else None

    @property
    def signed_versions(self) -> tuple[SignedReport, ...]:
        """Those in the list, the oldest first."""
        rows = reversed(range(self.versions.count()))
        return tuple(self.versions.item(row).data(QtCore.Qt.ItemDataRole.UserRole) for row in rows)

    @property
    def texts(self) -> Texts:
        """The texts as they are written now."""
        request = {name: line.text().strip() for name, line in self.request.items()}
        confirmed = {name: self._confirmed(name) for name in self.measured}
        return Texts(self.summary.text, self.recommendation.text, self.adequacy.currentData(), **request, **confirmed)

    def _confirmed(self, name: str) -> str:
        """The figures that the reader has confirmed; others than those shown stay as they are."""
        figures, stored = self._figures.get(name, ""), self._stored.get(name, "")
        if self.measured[name].box.isChecked():
            return figures
        return "" if stored == figures else stored

    def show_measured(self, values: Mapping[Name, Measured]) -> None:
        """Ask the reader to confirm what was measured."""
        for name, value in values.items():
            self._figures[name] = value.figures
            words = f"{value.words[:1].upper()}{value.words[1:]}"
            self.measured[name].ask(tr("Confirm: {words}", words=words) if words else "", is_ticked=value.is_confirmed)

    def show_texts(self, texts: Texts, *, is_new: bool = False) -> None:
        """Show the texts of the library; `is_new`: of another study."""
        self.summary.set_text(texts.summary, is_new=is_new)
        self.recommendation.set_text(texts.recommendation, is_new=is_new)
        self._stored = {name: getattr(texts, name) for name in CONFIRMED}
        for name, line in self.request.items():
            text = getattr(texts, name)
            if line.text().strip() != text and (is_new or not self._rest.isActive()):
                line.setText(text)
                line.setCursorPosition(0)  # a long text is read from its beginning
        if is_new:
            self._rest.stop()
        self.adequacy.blockSignals(True)
        self.adequacy.setCurrentIndex(self.adequacy.findData(texts.adequacy))
        self.adequacy.blockSignals(False)

    def _end_request(self) -> None:
        """The reader left a line: keep what was written."""
        if self._rest.isActive():
            self._rest.stop()
            self.texts_changed.emit()

    def show_versions(self, versions: Sequence[SignedReport]) -> None:
        """List the signed versions, the newest first."""
        if self.signed_versions == tuple(versions) and versions:
            return
        self.versions.clear()
        for version in reversed(versions):
            words = version_words(version, versions)
            item = QtWidgets.QListWidgetItem(words, self.versions)
            item.setToolTip(
                plain_text.plain(
                    tr("{version}. Reason: {reason}", version=words, reason=version.reason) if version.reason else words
                )
            )
            item.setData(QtCore.Qt.ItemDataRole.UserRole, version)
        if versions:
            self.versions.setCurrentRow(0)
        for widget in (self.versions_title, self.versions, *self.version_buttons):
            widget.setVisible(bool(versions))
        self._fit_left()

    def _fit_left(self) -> None:
        """Nothing at the left is cut at its right end."""
        least = self._inputs.minimumSizeHint().width() + self._left.verticalScrollBar().sizeHint().width()
        self._left.setMinimumWidth(max(300, least))

    def say_version(self, sentence: str) -> None:
        """Say which signed version the pages show; empty: they show the report as it is now."""
        basic.show_text(self.shown_version, sentence)
        self.back.setVisible(bool(sentence))

    def show_problem(self, sentence: str) -> None:
        """Show why something was not done, until something is; what is wrong with the pages stands behind it."""
        self._problem = sentence
        basic.show_text(self.problem, " ".join(filter(None, (self._problem, self._pages_problem))))

    def show_pages_problem(self, sentence: str, *, is_new: bool = False) -> None:
        """Show what is wrong with the pages; why something was not done stays, unless `is_new`."""
        self._pages_problem = sentence
        self.show_problem("" if is_new else self._problem)

    def show_error(self, error: UserError | Outcome) -> None:
        """Show why something was not done, and what to do."""
        self.show_problem(tr(join_texts(" ", (error.message, error.hint))))

    def show_failure(self, outcome: Outcome) -> None:
        """The same of what a thread did."""
        self.show_message("")
        self.show_error(outcome)

    def show_message(self, sentence: str) -> None:
        """Show what was done."""
        basic.show_text(self.message, sentence)


def version_words(signed: SignedReport, versions: Sequence[SignedReport]) -> str:
    """ "Version 1, 2026-11-23 18:04, Dr Jones, replaced by version 2"."""
    values = {"version": signed.version, "when": local_time(signed.created_utc), "reader": signed.reader}
    words = [tr("Version {version}, {when}, {reader}", **values)]
    later = next((other.version for other in versions if other.version > signed.version), None)
    if later is not None:
        words.append(tr("replaced by version {version}", version=later))
    elif signed.replaces is not None:
        words.append(tr("replaces version {version}", version=signed.replaces))
    if signed.content is None:
        words.append(tr("signed before its content was kept"))
    return ", ".join(words)
