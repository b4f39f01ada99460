"""Signing a report, and amending a signed one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from PySide6 import QtCore, QtWidgets

from training.errors import UserError
from training.runs.reporter import Reporter
from training.texts import Text
from wce_desktop.core import counted, local_time, to_translate, tr
from wce_desktop.core.annotation import Record, Remove, part_of
from wce_desktop.core.annotation.change import Item
from wce_desktop.features.report import amend_dialog, key_desk
from wce_desktop.features.report.model import amendment as amendments
from wce_desktop.features.report.model.content import Signature
from wce_desktop.features.report.model.frozen import is_same
from wce_desktop.features.report.report_source import ReportSource, as_acknowledged
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.library.evidence.signature import SignedReport, fingerprint
from wce_desktop.session.completeness.frame_audit import audit_of
from wce_desktop.session.completeness.protocol import protocol_of
from wce_desktop.session.completeness.still_open import Open, still_open
from wce_desktop.session.edits import part_change
from wce_desktop.session.keys import with_keys
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.dialogs import agrees
from wce_desktop.workspace import Part, Workspace, guard

AMEND_TITLE = to_translate("Amend the signed report")
DISCARD_TITLE = to_translate("Discard the amendment")


class Signing(Part):
    """What the box with which a report is signed does."""

    def __init__(
        self,
        workspace: Workspace,
        owner: QtCore.QObject,
        window: ReportWindow,
        source: ReportSource,
        changed: Callable[[], object],
    ) -> None:
        """`changed` shows the report anew, once it was signed or another reader signed it."""
        super().__init__(workspace, owner)
        self._window, self._source, self._changed = window, source, changed
        self.keys = key_desk.KeyDesk(window)
        self._thread = FunctionThread(self, returned=guard(self._signed, window.show_error), failed=window.show_failure)

    def show_versions(self) -> None:
        """List the signed versions, and offer to sign or to amend."""
        entered = self._workspace.reading.entries.report_parts
        versions, sign_box = self._source.versions(), self._window.sign_box
        self._window.show_versions(versions)
        if not versions:
            sign_box.offer(tr("Sign"))
            return
        newest, content = versions[-1], self._source.content()
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
        if self._source.is_overtaken(part_of(entered, "amendment"), versions):
            overtaken = tr(
                "Version {version} was signed by {reader} while an amendment of the version before was prepared; the "
                "reason of that amendment is kept.",
                version=newest.version,
                reader=newest.reader,
            )
            note = f"{note} {overtaken}"
        tip = tr("Say why, then sign a version that replaces this one; this one stays readable")
        sign_box.offer("", note, tr("Amend…"), tip)

    def sign(self) -> None:
        """Sign the report as it is shown."""
        self._source.save_texts()
        reading, acknowledged = self._workspace.reading, self._window.sign_box.known
        reader = key_desk.check_reader(self._window.sign_box.reader.text())
        now = still_open(reading)
        if acknowledged != now:
            self._window.sign_box.ask(now)
            raise UserError("The study was read further meanwhile.", "Acknowledge the new counts, then sign.")
        versions = self._window.signed_versions
        self._check_newest(versions)
        builder, library = self._source.ready_builder(), self._session.library
        record = library.studies.record(reading.study.study_id)
        held = reading.entries
        entries: list[Item] = [*held.findings, *held.landmarks, *held.report_parts, record]
        report, marks = self._source.gather()
        if versions and report.amendment is None:
            raise UserError("This report was signed already.", "Choose Amend to sign a new version.")
        own, content = self._source.own_template(), self._source.content()
        is_unchanged = bool(versions) and is_same(versions[-1].content, content)
        if not self._may_sign(record, now, is_unchanged=is_unchanged):
            return
        version = versions[-1].version + 1 if versions else 1  # after those shown; `keep` refuses it if more are there
        passphrase = self.keys.ask_passphrase(reader)
        if passphrase is None:
            return
        keys, study_id, account = self.keys.keys, reading.study.study_id, library.account or reader
        named = reader if reader == account else tr("{reader} (account {account})", reader=reader, account=account)

        def sign(reporter: Reporter) -> SignedReport:
            library.check_writable(Text("the signed report"))
            signer, when = keys.signer(reader, passphrase), f"{datetime.now().astimezone():%Y-%m-%d %H:%M}"
            sentences = tuple(filter(None, (now.flag_words, now.frame_words)))
            signature = Signature(named, when, version, sentences, signer.fingerprint)
            amended = None if report.amendment is None else replace(report.amendment, reader=named)
            signed = replace(report, reader=named, signature=signature, amendment=amended)
            printed = builder.printed(signed, marks, own, reporter)
            return library.reports.keep(
                study_id,
                version,
                html=printed.html,
                pdf=printed.pdf,
                reader=account,
                acknowledged=as_acknowledged(now),
                content=content,
                replaces=None if amended is None else amended.version,
                reason="" if amended is None else amended.reason,
                signer=signer,
                entries=entries,
            )

        self._session.keep_reader(reader, reading.study)
        self._window.show_message(tr("Signing…"))
        self._thread.request(sign)

    def _unaudited(self) -> str:
        """A sentence for a report by the protocol *AI first* without a finished audit; else empty."""
        reading = self._workspace.reading
        audit = audit_of(reading)
        if protocol_of(self._session, reading.study) != "ai_first" or (audit is not None and audit.is_finished):
            return ""
        text = tr("No audit of unseen frames was finished.")
        if audit is not None:
            looked, count = audit.looked, len(audit.frames)
            text = tr("The audit is not finished: {looked} of {count} frames.", looked=looked, count=count)
        more = tr("Without it nothing is known of what was missed, and the report says so. Audit: {audit_frames}.")
        return f"{text} {with_keys(more)}"

    def _may_sign(self, record: Record, now: Open, *, is_unchanged: bool) -> bool:
        """Show once more what is signed: whose report of which day, the findings, and what is open."""
        entries, verb = self._workspace.reading.entries, tr("Sign")
        open_points = [*now.answer_words, *self._source.to_confirm()]
        if is_unchanged:
            open_points.insert(0, tr("Nothing has changed since the last version was signed."))
            verb = tr("Sign without changes")
        if unaudited := self._unaudited():
            open_points.insert(0, unaudited)
            verb = tr("Sign without audit")
        if not record.exam_date:
            open_points.insert(0, tr("The date of the examination is not entered."))
            verb = tr("Sign without date")
        if not record.pseudonym:
            open_points.insert(0, tr("The patient is not entered."))
            verb = tr("Sign without patient")
        text = tr(
            "Patient {patient}, examination of {date}: {findings}. A signed report cannot be changed.",
            patient=record.pseudonym or "–",
            date=record.exam_date or "–",
            findings=counted(len(entries.findings), "finding"),
        )
        window, more = self._window, "\n".join(open_points)
        return agrees(window, tr("Sign"), text, verb, tr("Go back"), more=more, by_default=not open_points)

    def amend(self) -> None:
        """Ask why the newest signed version is amended, and keep the answer until it is signed."""
        self._source.save_texts()
        reading, versions = self._workspace.reading, self._source.versions()
        if not versions:
            return
        entered, newest = reading.entries.report_parts, versions[-1]
        part = part_of(entered, "amendment")
        is_kept = amendments.open_amendment(entered, versions) is not None or self._source.is_overtaken(part, versions)
        amendment = self._source.amendment(versions, amendments.reason_of(part) if is_kept else "")
        about = tr(
            "Version {version} of {when}, signed by {reader}, stays as it was signed and stays readable. The amended "
            "report says at its head which version it replaces, who amended it, why, and what has changed.",
            version=newest.version,
            when=amendment.when,
            reader=newest.reader,
        )
        dialog = amend_dialog.AmendDialog(about, amendment.reason, amendment.changes, amendment.problem, self._window)
        try:
            if dialog.exec() != QtWidgets.QDialog.DialogCode.Accepted:
                return
            reason = dialog.reason
        finally:
            dialog.deleteLater()
        self._check_newest(versions)
        self._window.show_message("")  # that a version was signed is no longer news
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
        now = self._source.versions()
        if now != tuple(versions):
            self._changed()
            raise UserError(
                "Version {version:,} was signed by {reader} meanwhile.",
                "Read it first, then amend it. Your reason is kept.",
                now[-1].version,
                now[-1].reader,
            )

    def _signed(self, signed: SignedReport) -> None:
        self._window.show_problem("")
        sentences = [tr("Version {version} was signed and kept in the library.", version=signed.version)]
        self._window.show_message(" ".join([*sentences, *self._said_of_key(signed)]))
        self._changed()

    def _said_of_key(self, signed: SignedReport) -> list[str]:
        """With which key a report was signed, and what protects it."""
        if signed.public_key is None:
            return []
        earlier = [key for key in self._session.library.reports.reader_keys(signed.reader) if key != signed.public_key]
        words = [self.keys.in_words(signed.reader)]
        if earlier:
            words.append(tr("The signature key differs from the one used before."))
        return words

    def check_version(self, signed: SignedReport) -> None:
        """Check a signed version and say what fails, or that all fits."""
        result = self._session.library.reports.check(signed)
        self._window.show_problem("")
        if result.problems:
            self._window.show_problem(" ".join(result.problems))
        sentences = []
        if not result.problems and signed.signed is not None:
            sentences.append(tr("Version {version} is as it was signed.", version=signed.version))
        own = self.keys.fingerprint(signed.reader)
        if signed.signed is not None and own and own != fingerprint(signed.signed.public_key):
            sentences.append(
                tr(
                    "The signature key of {reader} on this computer is a different one: {key}.",
                    reader=signed.reader,
                    key=own,
                )
            )
        self._window.show_message(" ".join([*sentences, *result.notes]))
