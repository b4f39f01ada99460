"""What the report of the open study is made from: its content, signed versions, pictures and texts."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QSize, Qt
from PySide6.QtGui import QImageReader

from training.errors import UserError
from training.files.inputs import read_bytes
from wce_desktop.core import counted, number_text, to_translate, tr
from wce_desktop.core.annotation import Replace, ReportPart
from wce_desktop.features.report import building
from wce_desktop.features.report.model import amendment as amendments
from wce_desktop.features.report.model import gathering, parts, pictures, template
from wce_desktop.features.report.model.cleaning import picture_format
from wce_desktop.features.report.model.content import Amendment, Report
from wce_desktop.features.report.model.frozen import frozen_content, is_same
from wce_desktop.features.report.model.marks import Marks, marks_in_words, marks_of
from wce_desktop.features.report.report_window import ReportWindow
from wce_desktop.library.evidence.signature import SignedReport
from wce_desktop.session.completeness.still_open import Open, still_open
from wce_desktop.session.edits import part_change
from wce_desktop.session.frame_facts import place_of
from wce_desktop.widgets.player.shape_painter import drawn_on
from wce_desktop.workspace import Workspace

# The hospital's logo at the head of a report: read once, made small, and written anew without what else it holds.


MAX_BYTES = 2 * 1024**2
MAX_SIDE_PX = 6000
"""Of the file; a small file may unpack to gigabytes."""
KEPT_PX = QSize(900, 300)
"""It is scaled down into this: 300 dpi for the size in which it is printed."""


@dataclass(frozen=True, slots=True)
class Logo:
    """A `data:` address, empty for none; and a sentence where the file cannot be used."""

    address: str = ""
    problem: str = ""


def read_logo(setting: str) -> Logo:
    """The logo that the settings name; a report is made without it where it cannot be used."""
    if not setting:
        return Logo()
    path = Path(setting).expanduser()
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0
    return _read(path, changed)


@lru_cache(maxsize=2)
def _read(path: Path, changed: int) -> Logo:  # another time is another picture
    try:
        return Logo(_address(path))
    except UserError as error:
        return Logo(problem=tr("{problem} The report has no logo.", problem=tr(error.message)))


def _address(path: Path) -> str:
    content = read_bytes(path, to_translate("logo"), max_bytes=MAX_BYTES)
    buffer, kind = QBuffer(), picture_format(content)
    buffer.setData(content)
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, kind.lower().encode())  # Qt is not left to guess: SVG would load files
    size = reader.size()
    if not kind or not size.isValid():
        raise UserError("The logo {path} is no PNG or JPEG picture.", "Choose another file.", path)
    if max(size.width(), size.height()) > MAX_SIDE_PX:
        raise UserError(
            "The logo {path} is {width:,} × {height:,} pixels large; {most:,} a side are allowed.",
            "Choose a smaller picture.", path, size.width(), size.height(), MAX_SIDE_PX,
        )  # fmt: skip
    if size.width() > KEPT_PX.width() or size.height() > KEPT_PX.height():
        reader.setScaledSize(size.scaled(KEPT_PX, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    if image.isNull():
        raise UserError("The logo {path} cannot be decoded.", "Choose another file.", path)
    written = QBuffer()
    written.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(written, "PNG")  # type: ignore[call-overload]  # its stub knows no buffer
    return f"data:image/png;base64,{base64.b64encode(written.data().data()).decode()}"


TEXTS_TITLE = to_translate("Edit the texts of the report")

MOST_SHOWN = 100
"""Findings on the pages in the window: pages of thousands take gigabytes."""


class ReportSource:
    """Reads session and window; writes nothing but the texts of the report."""

    def __init__(self, workspace: Workspace, window: ReportWindow) -> None:
        self._workspace, self._session, self._window = workspace, workspace.session, window
        self._builder: building.Builder | None = None
        self.study_id = ""
        """Whose texts the window shows."""
        self.shown_version: SignedReport | None = None
        """Whose pages are shown instead of the report's."""

    def begin(self, study_id: str) -> None:
        """Another study was opened, or this one anew."""
        self.study_id, self._builder, self.shown_version = study_id, None, None

    def gather(self, most: int | None = None) -> tuple[Report, dict[int, Marks]]:
        """The report as it stands now, with so many findings or all, and what is drawn into its pictures."""
        window = self._window
        with_overlay = window.overlay.isEnabled() and window.overlay.isChecked()
        marks = marks_of(
            self._session, self._workspace.reading, with_boxes=window.boxes.isChecked(), with_overlay=with_overlay
        )
        report, versions = gathering.gather(self._session, marks_in_words(marks), most), self.versions()
        report = replace(report, logo=self.logo().address)
        amending = amendments.open_amendment(self._workspace.reading.entries.report_parts, versions)
        if amending is not None:
            report = replace(report, amendment=self.amendment(versions, amendments.reason_of(amending)))
        return report, marks

    def content(self) -> str:
        """What a report that is signed now would be made from."""
        return frozen_content(self._session, self._workspace.reading)

    @staticmethod
    def is_overtaken(part: ReportPart | None, versions: Sequence[SignedReport]) -> bool:
        """Whether an amendment was prepared that was never signed, since another reader signed one meanwhile."""
        reason = amendments.reason_of(part)
        if part is None or not reason:
            return False
        replaced = part.content.get("replaces")
        return all((version.replaces, version.reason) != (replaced, reason) for version in versions)

    def versions(self) -> tuple[SignedReport, ...]:
        """The signed versions, the oldest first."""
        return self._session.library.reports.signed(self._workspace.reading.study.study_id)

    def amendment(self, versions: Sequence[SignedReport], reason: str) -> Amendment:
        """What an amendment of the newest version would say now."""
        reading = self._workspace.reading
        names = gathering.Names(self._session, reading)
        acknowledged = as_acknowledged(still_open(reading))
        reader = self._window.sign_box.reader.text().strip()
        return amendments.amendment_of(versions, self.content(), acknowledged, names, reader=reader, reason=reason)

    def signed_as_it_is(self) -> SignedReport | None:
        """The newest signed version, if nothing has changed since."""
        versions = self.versions()
        return versions[-1] if versions and is_same(versions[-1].content, self.content()) else None

    def ready_builder(self) -> building.Builder:
        """What makes pages of the open study; it keeps the pictures that were read."""
        reading = self._workspace.reading
        if self._builder is None or self.study_id != reading.study.study_id:
            self.study_id = reading.study.study_id
            self._builder = building.Builder(pictures.PictureStore(place_of(reading), drawn_on))
        return self._builder

    def unfinished(self) -> str:
        """What a reader may want to enter first (patient, scores, logo), and what the window does not show of it."""
        reading = self._workspace.reading
        patient = shortened = ""
        if len(reading.entries.findings) > MOST_SHOWN:
            shortened = tr(
                "The first {shown} of {findings} are shown here; files and prints have all of them.",
                shown=number_text(MOST_SHOWN),
                findings=counted(len(reading.entries.findings), "finding"),
            )
        if not self._session.library.studies.record(reading.study.study_id).pseudonym:
            patient = tr("The report names no patient: enter one in Study > Patient record.")
        return " ".join(
            filter(None, (patient, parts.unfinished(reading), *self.to_confirm(), self.logo().problem, shortened))
        )

    def to_confirm(self) -> tuple[str, ...]:
        """See `parts.to_confirm`."""
        try:
            blocks = parts.read_blocks(self._session.library.folder)
        except UserError:  # the menu of text blocks says so
            blocks = ()
        return parts.to_confirm(self._workspace.reading, blocks)

    def own_template(self) -> Path | None:
        """The hospital's template."""
        return template.chosen_template(str(self._session.settings["report_template"]))

    def logo(self) -> Logo:
        """The hospital's logo."""
        return read_logo(str(self._session.settings["report_logo"]))

    def save_texts(self) -> None:
        """Keep the texts as they are written; while they are being written it stays one undo step."""
        reading, texts, edits = self._workspace.reading, self._window.texts, self._session.edits
        if texts == parts.texts_of(reading.entries.report_parts):
            return
        change = part_change(reading, "texts", texts.content, self._session.library.reader)
        if not (isinstance(change, Replace) and edits.undo_title == TEXTS_TITLE and edits.extend(change)):
            edits.apply(TEXTS_TITLE, [change])


def as_acknowledged(acknowledged: Open) -> dict[str, int | None]:
    """What a reader confirmed, as it is kept with a signed report."""
    names = ("flags", "unseen_flags", "frames", "unseen_frames", "fast_frames")
    return {name: getattr(acknowledged, name) for name in names}
