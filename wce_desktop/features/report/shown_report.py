"""The window of the report with what makes its pages, saves it and signs it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6 import QtCore, QtGui, QtPrintSupport, QtWidgets

from training.errors import UserError, writing
from training.files.outputs import written_beside
from training.files.scratch import make_scratch_folder
from training.runs.events import Outcome
from training.runs.reporter import Reporter
from training.texts import Text, join_texts
from wce_desktop.core import counted, local_time, to_translate, tr
from wce_desktop.core.annotation import Record, Remove, Replace, ReportPart, part_of
from wce_desktop.features.report import amend_dialog, building, key_desk, letterhead, report_window, text_box
from wce_desktop.features.report.model import amendment as amendments
from wce_desktop.features.report.model import clips, gathering, parts, pictures, teaching, template
from wce_desktop.features.report.model.content import Amendment, Report, Signature
from wce_desktop.features.report.model.frozen import frozen_content, is_same
from wce_desktop.features.report.model.marks import Marks, marks_in_words, marks_of
from wce_desktop.library.errors import OnDiskError
from wce_desktop.library.evidence.signature import SUFFIX, Printed, SignedReport, fingerprint
from wce_desktop.session.edits import part_change
from wce_desktop.session.frame_facts import place_of
from wce_desktop.session.keys import key_of
from wce_desktop.session.places import account_name
from wce_desktop.session.still_open import Open, still_open
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets import dialogs, plain_text
from wce_desktop.workspace import Connections, Part, Workspace, guard

REFRESHED_AFTER_MILLISECONDS = 150
"""Several changes in a row make one preview."""
TEXTS_TITLE = to_translate("Edit the texts of the report")
AMEND_TITLE = to_translate("Amend the signed report")
DISCARD_TITLE = to_translate("Discard the amendment")
MOST_OF_A_NAME = 60


class ShownReport(Part):
    """Follows the session while the window is open; pages, files and signatures are made in threads."""

    def __init__(self, workspace: Workspace, owner: QtCore.QObject) -> None:
        super().__init__(workspace, owner)
        shared = workspace.share_undo(self, lambda message: self.window.show_message(message), (ReportPart,))
        self.window = report_window.ReportWindow(self._read_blocks, shared, workspace.window)
        self._builder: building.Builder | None = None
        self._opened: list[Path] = []
        """Temporary folders with reports that were opened; those of a killed process go at the next start."""
        self._keys = key_desk.KeyDesk(self.window)
        self._study_id = ""
        self._shown_version: SignedReport | None = None  # whose pages are shown instead of the report's
        self._said_by_preview = ""  # what is wrong with the pages, which the next pages may mend
        self._drawing = FunctionThread(self, returned=self._show_preview, failed=self._fail_preview)
        self._drawing.partial_arrived.connect(lambda _, payload: self._show_preview(payload["preview"]))
        self._saving = FunctionThread(self, returned=self._guard(self._saved), failed=self._fail)
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
        window, guard, sign_box = self.window, self._guard, self.window.sign_box
        for signal, step in (
            (window.texts_changed, self.save_texts),
            (window.finished, self._leave),
            (self._workspace.leaving, self._leave),
            (window.blocks_requested, self._edit_blocks),
            (window.back.clicked, partial(self._show_version, None)),
            (window.pages.width_changed, self._changed),
            (window.pdf.clicked, partial(self._save_draft, ".pdf")),
            (window.html.clicked, partial(self._save_draft, ".html")),
            (window.print.clicked, self.print_pages),
            (window.teaching.clicked, self.save_teaching),
            (window.clips.clicked, self.save_clips),
            (sign_box.key.clicked, lambda: self._keys.show(sign_box.reader.text())),
            (sign_box.button.clicked, self.sign),
            (sign_box.amend.clicked, self.amend),
            (sign_box.drop.clicked, self.discard_amendment),
        ):
            signal.connect(guard(partial(self._do, step)))
        for signal, of_version in (
            (window.versions.itemActivated, self._open_version),
            (window.open_version.clicked, self._open_version),
            (window.show_version.clicked, self._show_version),
            (window.check_version.clicked, self._check_version),
            (window.version_pdf.clicked, partial(self._save_version, ".pdf")),
            (window.version_html.clicked, partial(self._save_version, ".html")),
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
        for folder in self._opened:
            shutil.rmtree(folder, ignore_errors=True)

    # What the window shows

    def refresh(self) -> None:
        """Gather the report and make its pages."""
        reading = self._session.reading
        if reading is None or not self.window.isVisible():
            return
        report, marks = self._gather()
        self.window.show_texts(parts.texts_of(reading.entries.report_parts))
        self.window.sign_box.ask(still_open(reading))
        self._show_versions()
        self.window.overlay.setEnabled(
            reading.flags.embeddings is not None and reading.flags.embeddings.cams is not None
        )
        builder, own, width = self._ready_builder(), self._own_template(), self.window.pages.page_width_px
        signed = self._shown_version  # or the newest one until an amendment begins or something changes
        if signed is None and report.amendment is None:
            signed = self._signed_as_it_is()
        if not self.window.pages.pages:
            self.window.pages.show_words(tr("Making the report…"))
        if signed is None:
            self._drawing.request(lambda reporter: builder.preview(report, marks, own, width, reporter))
        else:
            self._drawing.request(lambda reporter: builder.version(signed, width, reporter))

    def _gather(self) -> tuple[Report, dict[int, Marks]]:
        """The report as it stands now, and what is drawn into its pictures."""
        window = self.window
        with_overlay = window.overlay.isEnabled() and window.overlay.isChecked()
        marks = marks_of(
            self._session, self._workspace.reading, with_boxes=window.boxes.isChecked(), with_overlay=with_overlay
        )
        report, versions = gathering.gather(self._session, marks_in_words(marks)), self._versions()
        report = replace(report, logo=self._logo().address)
        amending = amendments.open_amendment(self._workspace.reading.entries.report_parts, versions)
        if amending is not None:
            report = replace(report, amendment=self._amendment(versions, amendments.reason_of(amending)))
        return report, marks

    def _content(self) -> str:
        return frozen_content(self._session, self._workspace.reading)

    def _show_version(self, signed: SignedReport | None) -> None:
        """Show the pages of a signed version, or those of the report again."""
        self._shown_version = None
        if signed is not None:
            signed.check()
            self._shown_version = signed
        self.window.say_version("" if signed is None else report_window.version_words(signed, self._versions()))
        self.window.pages.show_pages(())
        self.refresh()

    def _save_version(self, suffix: Printed, signed: SignedReport) -> None:
        """Save the file of a signed version, byte by byte as it was signed."""
        name = file_name(self._session.library.studies.record(signed.study_id), f"-version-{signed.version}{suffix}")
        title = tr("Save version {version} as {format}", version=signed.version, format=suffix[1:].upper())
        path = self._ask_path(title, name, suffix)
        if path is not None:
            write_signed(path, signed, suffix)
            self.window.show_problem(self._said_by_preview)
            self.window.show_message(_saved_words(signed, path))

    def _show_preview(self, preview: building.Preview) -> None:
        reading = self._session.reading
        left_out = "" if reading is None else parts.unfinished(reading)
        message = " ".join(filter(None, (*preview.problems, left_out, self._logo().problem)))
        if message != self._said_by_preview or self.window.problem.text() == self._said_by_preview:
            self.window.show_problem(message)  # else what stands there is why something was not saved
        self._said_by_preview = message
        self.window.pages.show_pages(preview.pages)

    def _show_versions(self) -> None:
        entered = self._workspace.reading.entries.report_parts
        versions, content, sign_box = self._versions(), self._content(), self.window.sign_box
        self.window.show_versions(versions)
        if not versions:
            sign_box.offer(tr("Sign"))
            return
        newest = versions[-1]
        values = {"version": newest.version, "when": local_time(newest.created_utc)}
        amending = amendments.open_amendment(entered, versions)
        if amending is not None:
            values |= {"next": newest.version + 1, "reason": amendments.reason_of(amending)}
            words = [tr("Version {next} will replace version {version} of {when}. Reason: {reason}", **values)]
            words += [tr("Nothing has changed yet.")] if is_same(newest.content, content) else []
            tip = tr("Change why the report is amended")
            sign_box.offer(tr("Sign amendment"), " ".join(words), tr("Change reason…"), tip, may_drop=True)
            return
        note = tr(
            "The report has changed since version {version} was signed on {when}, which stays as it was signed. "
            "Amend it to sign what has changed.",
            **values,
        )
        if newest.content is None:
            note = tr(
                "Version {version} was signed on {when}, when nothing was kept to compare with: whether the report has "
                "changed since cannot be seen here. It stays as it was signed.",
                **values,
            )
        elif is_same(newest.content, content):
            note = tr("Nothing has changed since version {version} was signed on {when}.", **values)
        if self._is_overtaken(part_of(entered, "amendment"), versions):
            overtaken = tr(
                "Version {version} was signed by {reader} while an amendment of the version before was prepared; the "
                "reason of that amendment is kept.",
                version=newest.version,
                reader=newest.reader,
            )
            note = f"{note} {overtaken}"
        tip = tr("Say why, then sign a version that replaces this one; this one stays readable")
        sign_box.offer("", note, tr("Amend…"), tip)

    @staticmethod
    def _is_overtaken(part: ReportPart | None, versions: Sequence[SignedReport]) -> bool:
        """Whether an amendment was prepared that was never signed, since another reader signed one meanwhile."""
        reason = amendments.reason_of(part)
        if part is None or not reason:
            return False
        replaced = part.content.get("replaces")
        return all((version.replaces, version.reason) != (replaced, reason) for version in versions)

    def _versions(self) -> tuple[SignedReport, ...]:
        return self._session.library.reports.signed(self._workspace.reading.study.study_id)

    def _amendment(self, versions: Sequence[SignedReport], reason: str) -> Amendment:
        """What an amendment of the newest version would say now."""
        reading = self._workspace.reading
        names = gathering.Names(self._session, reading)
        acknowledged = _as_acknowledged(still_open(reading))
        reader = self.window.sign_box.reader.text().strip()
        return amendments.amendment_of(versions, self._content(), acknowledged, names, reader=reader, reason=reason)

    def amend(self) -> None:
        """Ask why the newest signed version is amended, and keep the answer until it is signed."""
        self.save_texts()
        reading, versions = self._workspace.reading, self._versions()
        if not versions:
            return
        entered, newest = reading.entries.report_parts, versions[-1]
        part = part_of(entered, "amendment")
        is_kept = amendments.open_amendment(entered, versions) is not None or self._is_overtaken(part, versions)
        amendment = self._amendment(versions, amendments.reason_of(part) if is_kept else "")
        about = tr(
            "Version {version} of {when}, signed by {reader}, stays as it was signed and stays readable. The amended "
            "report says at its head which version it replaces, who amended it, why, and what has changed.",
            version=newest.version,
            when=amendment.when,
            reader=newest.reader,
        )
        dialog = amend_dialog.AmendDialog(about, amendment.reason, amendment.changes, amendment.problem, self.window)
        try:
            if dialog.exec() != QtWidgets.QDialog.DialogCode.Accepted:
                return
            reason = dialog.reason
        finally:
            dialog.deleteLater()
        self._check_newest(versions)
        self.window.show_message("")  # that a version was signed is no longer news
        content = {"replaces": newest.version, "reason": reason}
        there = part_of(self._session.library.annotations.report_parts(reading.study.study_id), "amendment")
        if there != part:
            raise UserError(
                "Another reader is amending this report: {reason}",
                "Open the study again to go on with that amendment.",
                amendments.reason_of(there),
            )
        if part is None or part.content != content:
            change = part_change(reading, "amendment", content, self._session.library.reader)
            self._session.edits.apply(AMEND_TITLE, [change])

    def discard_amendment(self) -> None:
        """Take the reason back; what was changed in the study stays."""
        part = part_of(self._workspace.reading.entries.report_parts, "amendment")
        if part is not None:
            self._session.edits.apply(DISCARD_TITLE, [Remove(part)])

    def _check_newest(self, versions: Sequence[SignedReport]) -> None:
        """Raise if another version was signed since these were read."""
        now = self._versions()
        if now != tuple(versions):
            self._changed()
            raise UserError(
                "Version {version:,} was signed by {reader} meanwhile.",
                "Read it first, then amend it. Your reason is kept.",
                now[-1].version,
                now[-1].reader,
            )

    def _signed_as_it_is(self) -> SignedReport | None:
        """The newest signed version, if nothing has changed since."""
        versions = self._versions()
        return versions[-1] if versions and is_same(versions[-1].content, self._content()) else None

    def _ready_builder(self) -> building.Builder:
        """What makes pages of the open study; it keeps the pictures that were read."""
        reading = self._workspace.reading
        if self._builder is None or self._study_id != reading.study.study_id:
            self._study_id = reading.study.study_id
            self._builder = building.Builder(pictures.PictureStore(place_of(reading)))
        return self._builder

    def _own_template(self) -> Path | None:
        return template.chosen_template(str(self._session.settings["report_template"]))

    def _logo(self) -> letterhead.Logo:
        return letterhead.read_logo(str(self._session.settings["report_logo"]))

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

    # Texts

    def _switch_marks(self, key: str, is_on: bool) -> None:
        """Draw boxes or the overlay into the pictures, or not; also the next time."""
        self._changed()
        self._session.settings.set(key, is_on)

    def save_texts(self) -> None:
        """Keep the texts as they are written; while they are being written it stays one undo step."""
        reading, texts, edits = self._workspace.reading, self.window.texts, self._session.edits
        if texts == parts.texts_of(reading.entries.report_parts):
            return
        change = part_change(reading, "texts", texts.content, self._session.library.reader)
        if not (isinstance(change, Replace) and edits.undo_title == TEXTS_TITLE and edits.extend(change)):
            edits.apply(TEXTS_TITLE, [change])

    def _leave(self) -> None:
        """Keep what is being written before the study or the window is closed."""
        if self._session.open_id and self._study_id == self._session.open_id and not self._session.library.read_only:
            self.save_texts()

    def _read_blocks(self) -> tuple[parts.TextBlock, ...]:
        try:
            return parts.read_blocks(self._session.library.folder)
        except UserError as error:
            self._show_error(error.message, error.hint)
            return ()

    def _edit_blocks(self) -> None:
        library = self._session.library
        library.check_writable(Text("the list of text blocks"))
        dialog = text_box.BlocksDialog(parts.read_blocks(library.folder), self.window)
        if dialog.exec():
            parts.write_blocks(library.folder, dialog.blocks)

    # Saving and signing

    def sign(self) -> None:
        """Sign the report as it is shown."""
        self.save_texts()
        reading, acknowledged = self._workspace.reading, self.window.sign_box.known
        reader = key_desk.check_reader(self.window.sign_box.reader.text())
        now = still_open(reading)
        if acknowledged != now:
            self.window.sign_box.ask(now)
            raise UserError("The study was read further meanwhile.", "Acknowledge the new counts, then sign.")
        versions = self.window.signed_versions
        self._check_newest(versions)
        builder, library = self._ready_builder(), self._session.library
        report, marks = self._gather()
        if versions and report.amendment is None:
            raise UserError("This report was signed already.", "Choose Amend to sign a new version.")
        own, content = self._own_template(), self._content()
        if versions and is_same(versions[-1].content, content) and not self._may_sign_unchanged(versions[-1].version):
            return
        version = versions[-1].version + 1 if versions else library.reports.next_version(reading.study.study_id)
        passphrase = self._keys.ask_passphrase(reader)
        if passphrase is None:
            return
        keys, study_id = self._keys.keys, reading.study.study_id

        def sign(reporter: Reporter) -> SignedReport:
            library.check_writable(Text("the signed report"))
            signer, when = keys.signer(reader, passphrase), f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
            sentences = tuple(filter(None, (now.flag_words, now.frame_words)))
            signature = Signature(reader, when, version, sentences, signer.fingerprint)
            amended = None if report.amendment is None else replace(report.amendment, reader=reader)
            signed = replace(report, reader=reader, signature=signature, amendment=amended)
            printed = builder.printed(signed, marks, own, reporter)
            return library.reports.keep(
                study_id,
                version,
                html=printed.html,
                pdf=printed.pdf,
                reader=reader,
                acknowledged=_as_acknowledged(now),
                content=content,
                replaces=None if amended is None else amended.version,
                reason="" if amended is None else amended.reason,
                signer=signer,
            )

        self.window.show_message(tr("Signing…"))
        self._saving.request(sign)

    def _may_sign_unchanged(self, version: int) -> bool:
        box = plain_text.MessageBox(
            self.window,
            tr("Sign amendment"),
            tr("Nothing has changed since version {version} was signed.", version=version),
            tr("Sign an amendment that changes nothing but its reason?"),
        )
        anyway = box.addButton(tr("Sign without changes"), QtWidgets.QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QtWidgets.QMessageBox.StandardButton.Cancel))
        box.exec()
        box.deleteLater()
        return box.clickedButton() is anyway

    def save_teaching(self) -> None:
        """Save the version without names, as PDF and as HTML."""
        name = f"teaching-{self._workspace.reading.study.study_id}.pdf"
        path = self._ask_path(tr("Save the teaching version"), name, ".pdf", tr("PDF and HTML (*.pdf)"))
        if path is None:
            return
        study, library, settings = self._workspace.reading.study, self._session.library, self._session.settings
        record, signing = library.studies.record(study.study_id), self.window.sign_box.reader.text()
        readers = library.reader, str(settings["reader"]), account_name(), signing, self.window.texts.referrer
        names = teaching.names_of(study, record, readers)
        with_free_text = self.window.with_free_text.isChecked()
        gathered, marks = self._gather()
        report = teaching.for_teaching(gathered, record, names, with_free_text=with_free_text)
        builder = self._ready_builder()

        def save(reporter: Reporter) -> str:
            printed = builder.printed(report, marks, None, reporter)  # a hospital's template may name the hospital
            write_file(path, printed.pdf)
            write_file(path.with_suffix(".html"), printed.html)
            html = path.with_suffix(".html").name
            words = [tr("The teaching version was saved as {pdf} and {html}.", pdf=path.name, html=html)]
            words += [] if printed.is_masked or not report.frames else [tr(pictures.NOT_MASKED)]
            words += [tr("Read its texts before you pass it on.")] if with_free_text else []
            return " ".join(words)

        self._saving.request(save)

    def save_clips(self) -> None:
        """Save clips and stills of all findings."""
        findings = list(gathering.numbered(self._workspace.reading))
        if not findings:
            raise UserError(
                "There are no findings yet.", "Press {key} on a frame that shows one.", key_of("new_finding")
            )
        title = tr("Save clips and stills into this folder")
        chosen = self._workspace.files.ask_folder(self.window, "reports", title)
        if chosen is not None:
            place = place_of(self._workspace.reading)
            self.window.show_message(tr("Saving clips of {findings}…", findings=counted(len(findings), "finding")))
            self._saving.request(lambda reporter: clips.export_findings(chosen, place, findings, reporter))

    def _save_draft(self, suffix: Printed) -> None:
        self.save_texts()
        name = file_name(self._session.library.studies.record(self._workspace.reading.study.study_id), suffix)
        path = self._ask_path(tr("Save the report as {format}", format=suffix[1:].upper()), name, suffix)
        if path is None:
            return
        builder, own, (report, marks) = self._ready_builder(), self._own_template(), self._gather()
        signed = self._signed_as_it_is()

        def save(reporter: Reporter) -> str:
            if signed is not None:
                write_signed(path, signed, suffix)
                return _saved_words(signed, path)
            printed = builder.printed(report, marks, own, reporter)
            write_file(path, printed.pdf if suffix == ".pdf" else printed.html)
            message = tr("The draft was saved as {file}. It is not signed.", file=path.name)
            return " ".join([message, *printed.problems])

        self._saving.request(save)

    def print_pages(self) -> None:
        """Ask for a printer, and print the pages that are shown."""
        self.save_texts()
        printer = QtPrintSupport.QPrinter(QtPrintSupport.QPrinter.PrinterMode.HighResolution)
        printer.setDocName(tr(building.TITLE))  # without names: printers keep them
        printer.setFullPage(True)
        if QtPrintSupport.QPrintDialog(printer, self.window).exec() != QtWidgets.QDialog.DialogCode.Accepted:
            return
        builder, own, (report, marks) = self._ready_builder(), self._own_template(), self._gather()
        signed = self._shown_version or self._signed_as_it_is()

        def send(reporter: Reporter) -> str:
            if signed is not None:
                building.version_pages(signed, reporter).print_on(printer)
                return tr("Version {version} was sent to the printer.", version=signed.version)
            problems = builder.print_on(printer, report, marks, own, reporter)
            return " ".join([tr("The draft was sent to the printer. It is not signed."), *problems])

        self.window.show_message(tr("Printing…"))
        self._saving.request(send)

    def _ask_path(self, title: str, name: str, suffix: Printed, kinds: str = "") -> Path | None:
        kinds = kinds or f"{suffix[1:].upper()} (*{suffix})"
        path = self._workspace.files.ask_new_file(self.window, "reports", title, name, kinds)
        if path is None:
            return None
        return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)

    def _saved(self, result: object) -> None:
        self.window.show_problem(self._said_by_preview)
        match result:
            case SignedReport(version=version):
                sentences = [tr("Version {version} was signed and kept in the library.", version=version)]
                self.window.show_message(" ".join([*sentences, *self._said_of_key(result)]))
                self._show_version(None)
            case clips.Exported():
                self.window.show_message(result.sentence)
            case _:
                self.window.show_message(str(result))

    def _said_of_key(self, signed: SignedReport) -> list[str]:
        """With which key a report was signed, and what protects it."""
        if signed.public_key is None:
            return []
        earlier = [key for key in self._session.library.reports.reader_keys(signed.reader) if key != signed.public_key]
        words = [self._keys.in_words(signed.reader)]
        if earlier:
            words.append(tr("The signature key differs from the one used before."))
        return words

    def _check_version(self, signed: SignedReport) -> None:
        """Check a signed version and say what fails, or that all fits."""
        result = self._session.library.reports.check(signed)
        self.window.show_problem(" ".join(result.problems) or self._said_by_preview)
        sentences = []
        if not result.problems and signed.signed is not None:
            sentences.append(tr("Version {version} is as it was signed.", version=signed.version))
        own = self._keys.fingerprint(signed.reader)
        if signed.signed is not None and own and own != fingerprint(signed.signed.public_key):
            sentences.append(
                tr(
                    "The signature key of {reader} on this computer is a different one: {key}.",
                    reader=signed.reader,
                    key=own,
                )
            )
        self.window.show_message(" ".join([*sentences, *result.notes]))

    def _open_version(self, signed: SignedReport) -> None:
        """Open the PDF of a signed version if it is the one that was signed."""
        signed.check()
        self.window.show_problem("")
        path = self._unsealed(signed) if signed.is_sealed else signed.path
        if not QtGui.QDesktopServices.openUrl(QtCore.QUrl.fromLocalFile(str(path))):
            hint = (
                Text("The report is {path}.", path)
                if path == signed.path
                else Text("Until the library is locked or closed, the report is {path}.", path)
            )
            raise UserError("No program for PDF files was found.", hint)

    def _unsealed(self, signed: SignedReport) -> Path:
        """The PDF of a sealed version for another program, in a temporary folder that only this user can read."""
        content = signed.read(".pdf")
        message = "The report cannot be opened: no temporary file can be written ({why})."
        with OnDiskError(message, "Free some disk space."):
            folder = make_scratch_folder("report")
            self._opened.append(folder)
            path = folder / signed.path.name
            path.write_bytes(content)
        return path

    # Slots of the session

    def _changed(self, *_: object) -> None:
        if self.window.isVisible():
            self._refresh.start()

    def _study_opened(self) -> None:
        if not self.window.isVisible() or self._session.reading is None:
            return
        reading = self._session.reading
        record = self._session.library.studies.record(reading.study.study_id)
        self._study_id, self._builder, self._said_by_preview = reading.study.study_id, None, ""
        self._shown_version = None
        self.window.say_version("")
        self.window.show_problem("")
        self.window.setWindowTitle(tr("Report – {study}", study=reading.study.name))
        self.window.sign_box.reader.setText(record.read_by or str(self._session.settings["reader"]))
        self.window.show_message("")
        self._mention_old_template()
        self.window.show_texts(parts.texts_of(reading.entries.report_parts), is_new=True)
        self._guard(self.refresh)()

    def _study_closed(self) -> None:
        self._refresh.stop()
        self._drawing.cancel()
        self.window.close()

    # Errors

    def _guard(self, step: Callable[..., object]) -> Callable[..., None]:
        """`step` as a slot: an error that is meant for the reader is shown in this window."""
        return guard(step, lambda error: self._show_error(error.message, error.hint))

    def _fail_preview(self, outcome: Outcome) -> None:
        self._fail(outcome)
        self._said_by_preview = self.window.problem.text()

    def _fail(self, outcome: Outcome) -> None:
        self.window.show_message("")
        self._show_error(outcome.message, outcome.hint)

    def _show_error(self, message: str, hint: str) -> None:
        self.window.show_problem(tr(join_texts(" ", (message, hint))))


def file_name(record: Record, suffix: str) -> str:
    """What a report is called by default: "report-K123-2026-03-14.pdf", by what was entered of the patient.

    Never by the name of the study's file, which may be somebody's.
    """
    patient = re.sub(r"[^\w]+", "-", record.pseudonym).strip("-_")[:MOST_OF_A_NAME]
    date = f"{'' if patient else 'study-of-'}{record.exam_date}" if record.exam_date else ""
    return "-".join(filter(None, ("report", patient, date))) + suffix


def write_signed(path: Path, signed: SignedReport, suffix: Printed) -> None:
    """Write a file of a signed version as it was signed, with its signature beside it.

    Raises:
        UserError: it was changed, or cannot be written.
    """
    write_file(path, signed.read(suffix))
    if signed.signed is not None:
        write_file(path.with_name(path.name + SUFFIX), signed.signed.file)


def _saved_words(signed: SignedReport, path: Path) -> str:
    return tr("Version {version}, which was signed, was saved as {file}.", version=signed.version, file=path.name)


def write_file(path: Path, content: bytes) -> None:
    """Write a file.

    Raises:
        UserError: it cannot be written.
    """
    with writing(path), written_beside(path, clean=True) as beside:
        beside.write_bytes(content)


def _as_acknowledged(acknowledged: Open) -> dict[str, int | None]:
    """What a reader confirmed, as it is kept with a signed report."""
    names = ("flags", "unseen_flags", "frames", "unseen_frames", "fast_frames")
    return {name: getattr(acknowledged, name) for name in names}
