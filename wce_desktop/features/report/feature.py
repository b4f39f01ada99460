"""The report of the open study; its window is made when it is opened first."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

from PySide6 import QtCore

from training.errors import NothingToDoError, UserError
from training.runs.events import Outcome
from training.texts import Text, join_texts
from wce_desktop.core import tr
from wce_desktop.core.annotation import ReportPart
from wce_desktop.features.report import building, report_window, text_box
from wce_desktop.features.report.model import parts, template
from wce_desktop.features.report.model.clips import export_findings
from wce_desktop.features.report.model.gathering import numbered
from wce_desktop.features.report.report_source import MOST_SHOWN, ReportSource
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.features.report.saving import Saving
from wce_desktop.features.report.signing import Signing
from wce_desktop.library.evidence.signature import SignedReport
from wce_desktop.session.completeness.measured import measured
from wce_desktop.session.completeness.still_open import still_open
from wce_desktop.session.frame_facts import place_of
from wce_desktop.session.keys import key_of
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs
from wce_desktop.workspace import Connections, Feature, Part, Workspace, guard

# The window of the report with what makes its pages, saves it and signs it.


REFRESHED_AFTER_MILLISECONDS = 150
"""Several changes in a row make one preview."""


class ShownReport(Part):
    """Follows the session while the window is open; pages, files and signatures are made in threads."""

    def __init__(self, workspace: Workspace, owner: QtCore.QObject) -> None:
        super().__init__(workspace, owner)
        shared = workspace.share_undo(self, lambda message: self.window.show_message(message), (ReportPart,))
        shared += workspace.menus.of_ids(["edit_record"])
        self.window = report_window.ReportWindow(self._read_blocks, shared, workspace.window)
        self._source = ReportSource(workspace, self.window)
        self._saving = Saving(workspace, self, self.window, self._source)
        self.signing = Signing(workspace, self, self.window, self._source, partial(self._show_version, None))
        self._unfinished = ""  # what the report lacks whose pages are made
        self._drawing = FunctionThread(self, returned=self._show_preview, failed=self._fail_preview)
        self._drawing.partial_arrived.connect(lambda _, payload: self._show_preview(payload["preview"]))
        self._refresh = QtCore.QTimer(self, singleShot=True, interval=REFRESHED_AFTER_MILLISECONDS)
        self._refresh.timeout.connect(self._guard(self.refresh))
        self._connect_window()
        session, changed = self._session, self._changed
        signals = session.annotations_changed, session.events_changed, session.suggested_changed, session.seen_saved
        self._connections = Connections(
            (session.study_opened, self._study_opened),
            (session.study_closed, self._study_closed),
            *((signal, changed) for signal in signals),
        )

    def _connect_window(self) -> None:
        workspace, window, guard, sign_box = self._workspace, self.window, self._guard, self.window.sign_box
        for signal, step in (
            (window.texts_changed, self._source.save_texts),
            (window.finished, self._leave),
            (self._workspace.leaving, self._leave),
            (window.blocks_requested, self._edit_blocks),
            (window.back.clicked, partial(self._show_version, None)),
            (window.pages.width_changed, self._changed),
            (window.pdf.clicked, partial(self._saving.save_draft, ".pdf")),
            (window.html.clicked, partial(self._saving.save_draft, ".html")),
            (window.print.clicked, self._saving.print_pages),
            (window.anonymous.clicked, self._saving.save_anonymous),
            (window.clips.clicked, self._saving.save_clips),
            (window.record.clicked, lambda: workspace.menus.run("edit_record")),
            (sign_box.key.clicked, lambda: self.signing.keys.show(sign_box.reader.text())),
            (sign_box.button.clicked, self.signing.sign),
            (sign_box.amend.clicked, self.signing.amend),
            (sign_box.drop.clicked, self.signing.discard_amendment),
        ):
            signal.connect(guard(partial(self._do, step)))
        for signal, of_version in (
            (window.versions.itemActivated, self._saving.open_version),
            (window.open_version.clicked, self._saving.open_version),
            (window.show_version.clicked, self._show_version),
            (window.check_version.clicked, self.signing.check_version),
            (window.version_pdf.clicked, partial(self._saving.save_version, ".pdf")),
            (window.version_html.clicked, partial(self._saving.save_version, ".html")),
        ):
            signal.connect(guard(partial(self._with_version, of_version)))
        for box, key in ((window.boxes, "report_boxes"), (window.overlay, "report_overlay")):
            box.setChecked(bool(self._session.settings[key]))
            box.toggled.connect(guard(partial(self._switch_marks, key)))

    def _do(self, step: Callable[[], object], *_: object) -> None:
        step()

    def _with_version(self, step: Callable[[SignedReport], object], *_: object) -> None:
        if (chosen := self.window.chosen_version) is not None:
            step(chosen)

    @property
    def is_busy(self) -> bool:
        """True while pages are made or something is saved."""
        return super().is_busy or self._refresh.isActive()

    def open(self) -> None:
        """Show the window with the report of the open study."""
        dialogs.bring_to_front(self.window)
        self._study_opened()

    def close(self) -> None:
        """End the threads and disconnect."""
        self._guard(self._leave)()
        super().close()
        self.window.close()

    def refresh(self) -> None:
        """Gather the report and make its pages."""
        reading = self._session.reading
        if reading is None or not self.window.isVisible():
            return
        report, marks = self._source.gather(MOST_SHOWN)
        self.window.show_texts(parts.texts_of(reading.entries.report_parts))
        self.window.show_measured(measured(reading))
        self.window.sign_box.ask(still_open(reading))
        self.signing.show_versions()
        self.window.overlay.setEnabled(
            reading.flags.embeddings is not None and reading.flags.embeddings.cams is not None
        )
        builder, own, width = self._source.ready_builder(), self._source.own_template(), self.window.pages.page_width_px
        signed = self._source.shown_version  # or the newest one until an amendment begins or something changes
        if signed is None and report.amendment is None:
            signed = self._source.signed_as_it_is()
        if not self.window.pages.pages:
            self.window.pages.show_words(tr("Making the report…"))
        self._unfinished = self._source.unfinished() if signed is None else ""
        if signed is None:
            self._drawing.request(lambda reporter: builder.preview(report, marks, own, width, reporter))
        else:
            self._drawing.request(lambda reporter: builder.version(signed, width, reporter))

    def _show_version(self, signed: SignedReport | None) -> None:
        """Show the pages of a signed version, or those of the report again."""
        self._source.shown_version = None
        if signed is not None:
            signed.check()
            self._source.shown_version = signed
        self.window.say_version("" if signed is None else report_window.version_words(signed, self._source.versions()))
        self.window.pages.show_pages(())
        self.refresh()

    def _show_preview(self, preview: building.Preview) -> None:
        message = " ".join(filter(None, (*preview.problems, self._unfinished)))
        self.window.show_pages_problem(message)
        self.window.pages.show_pages(preview.pages)

    def _mention_old_template(self) -> None:
        """Say once that a template in the library's folder is no longer used by itself."""
        settings, path = self._session.settings, self._session.library.folder / template.OLD_NAME
        if settings["report_template"] or settings["old_template_mentioned"] or not path.is_file():
            return
        self.window.show_message(
            tr(
                "The template {file} in the library's folder is not used. If it is yours, choose it in the settings "
                "({key}) under Report template: {path}",
                file=template.OLD_NAME,
                key=key_of("show_settings"),
                path=path,
            )
        )
        with suppress(UserError):  # it is said again the next time
            settings.set("old_template_mentioned", True)

    def _switch_marks(self, key: str, is_on: bool) -> None:
        """Draw boxes or the overlay into the pictures, or not; also the next time."""
        self._changed()
        self._session.settings.set(key, is_on)

    def _leave(self) -> None:
        """Keep what is being written before the study or the window is closed."""
        if (
            self._session.open_id
            and self._source.study_id == self._session.open_id
            and not self._session.library.read_only
        ):
            self._source.save_texts()

    def _read_blocks(self) -> tuple[parts.TextBlock, ...]:
        try:
            return parts.read_blocks(self._session.library.folder)
        except UserError as error:
            self.window.show_error(error)
            return ()

    def _edit_blocks(self) -> None:
        library = self._session.library
        library.check_writable(Text("the list of text blocks"))
        dialog = text_box.BlocksDialog(parts.read_blocks(library.folder), self.window)
        if dialog.exec():
            parts.write_blocks(library.folder, dialog.blocks)

    def _changed(self, *_: object) -> None:
        if self.window.isVisible():
            self._refresh.start()

    def _study_opened(self) -> None:
        if not self.window.isVisible() or self._session.reading is None:
            return
        reading = self._session.reading
        record = self._session.library.studies.record(reading.study.study_id)
        self._source.begin(reading.study.study_id)
        self.window.say_version("")
        self.window.show_pages_problem("", is_new=True)
        self.window.setWindowTitle(tr("Report – {study}", study=reading.study.shown_name))
        self.window.sign_box.reader.setText(record.read_by or str(self._session.settings["reader"]))
        self.window.show_message("")
        self._mention_old_template()
        self.window.show_texts(parts.texts_of(reading.entries.report_parts), is_new=True)
        self.window.show_measured(measured(reading))
        self._guard(self.refresh)()

    def _study_closed(self) -> None:
        self._refresh.stop()
        self._drawing.cancel()
        self.window.close()

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot: an error that is meant for the reader is shown in this window."""
        return guard(step, self.window.show_error)

    def _fail_preview(self, outcome: Outcome) -> None:
        self.window.show_message("")
        self.window.show_pages_problem(tr(join_texts(" ", (outcome.message, outcome.hint))), is_new=True)


class ReportFeature(Feature):
    """Opens the report, and saves clips of the finding on screen."""

    own_actions = ("show_report", "save_clips")

    def __init__(self, workspace: Workspace) -> None:
        super().__init__(workspace)
        self._shown: ShownReport | None = None
        self._saving = FunctionThread(
            self,
            returned=lambda exported: workspace.show_message(exported.sentence),
            failed=workspace.show_failure,
        )

    @property
    def window(self) -> ReportWindow | None:
        """The window, once it was opened."""
        return self._shown.window if self._shown is not None else None

    def show_report(self) -> None:
        """Open the report of the open study."""
        self._session.save_seen()
        if self._shown is None:
            self._shown = ShownReport(self._workspace, self)
        self._shown.open()

    def save_clips(self) -> None:
        """Save a clip and the key frames of the findings on screen."""
        reading = self._workspace.reading
        here = [pair for pair in numbered(reading) if reading.place.frame_index in pair[1].span]
        if not here:
            raise NothingToDoError("There is no finding on this frame.", "Go to a finding, then save its clip.")
        title = tr("Save clip and stills into this folder")
        chosen = self._workspace.files.ask_folder(self._workspace.window, "reports", title)
        if chosen is not None:
            place = place_of(reading)
            self._saving.request(lambda reporter: export_findings(chosen, place, here, reporter))
