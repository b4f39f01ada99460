"""From a report to HTML by a template, which a hospital may replace by its own.

The built-in template is trusted. One of a hospital is text from a file: it is rendered in a process of its own, sees
nothing but the report, and its page is cleaned (see `cleaning`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from training.errors import UserError
from training.files.inputs import read_bytes, read_text
from training.texts import Text
from wce_desktop.core.language import tr
from wce_desktop.features.report.model.cleaning import POLICY_TAG
from wce_desktop.features.report.model.content import Report
from wce_desktop.features.report.model.page_child import fill, page_in_child
from wce_desktop.session.places import resource

OLD_NAME = "report-template.html"
"""A template of this name in a library's folder was once used by itself; it no longer is."""
MAX_TEMPLATE_BYTES = 2 * 1024**2
"""Room for a logo as a data: address."""
MOST_NAMED = 5
"""Of the parts of a page that were left out."""
_CHECKSUM_LETTERS = 12


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page, and a sentence about the hospital's own template: why it was not used, or what of it was left out."""

    html: str
    problem: str = ""


def chosen_template(setting: str) -> Path | None:
    """The hospital's template that the settings name, or None."""
    return Path(setting).expanduser() if setting else None


def render(report: Report, own: Path | None = None, check: Callable[[], None] = lambda: None) -> Rendered:
    """The report as HTML by the hospital's template, or by the built-in one where there is none or it cannot be used.

    Pictures stand in it by their `Picture.src`. `check` raises where nobody waits for the page any more.
    """
    if own is None:
        return Rendered(_render_built_in(report))
    try:
        return _render_own(report, own, check)
    except UserError as error:
        problem = tr("{problem} The built-in template is used.", problem=error.message)
        return Rendered(_render_built_in(report), problem)


def _render_built_in(report: Report) -> str:
    text = read_text(resource("report", "report.html"), "report template", max_bytes=MAX_TEMPLATE_BYTES)
    return fill(text, report, _amendment(report)).replace("<head>", f"<head>\n{POLICY_TAG}", 1)


def _render_own(report: Report, path: Path, check: Callable[[], None]) -> Rendered:
    """Render a hospital's template.

    Raises:
        UserError: it cannot be read, is no template, or needs too much time or memory.
    """
    content = read_bytes(path, "report template", max_bytes=MAX_TEMPLATE_BYTES)
    amendment = _amendment(report)
    try:
        text = content.decode("utf-8-sig")
        page = page_in_child(text, report, amendment, check)
    except ValueError as error:
        not_text = isinstance(error, UnicodeDecodeError)
        reason = Text("it is not UTF-8 text") if not_text else Text(str(error)).strip().splitlines()[0][:200]
        raise UserError(
            "The report template {file} cannot be used: {reason}.", "Correct the template.", _name(path), reason
        ) from error
    head = amendment if "amendment" not in text else ""  # a template from before there were amendments
    page = replace(page, title=page.title or tr("Capsule endoscopy report"))
    checksum = hashlib.sha256(content).hexdigest()[:_CHECKSUM_LETTERS]
    source = tr("Template: {file}, SHA-256 {checksum}…", file=_name(path), checksum=checksum)
    left_out = ""
    if page.left_out:
        left_out = tr(
            "The report template {file} has parts that are not allowed in a report and are left out: {parts}.",
            file=_name(path),
            parts=", ".join(page.left_out[:MOST_NAMED]) + ("…" if len(page.left_out) > MOST_NAMED else ""),
        )
    return Rendered(page.page(head, f'\n<p class="small">{escape(source)}</p>'), left_out)


def _name(path: Path) -> str:
    """The name of a file for a page, also where its bytes are no text."""
    return path.name.encode("utf-8", "replace").decode()[:100]


def _amendment(report: Report) -> str:
    """Which version the report replaces, why, and what has changed, as part of a page; empty where it replaces none."""
    if report.amendment is None:
        return ""
    text = read_text(resource("report", "amendment.html"), "report template", max_bytes=MAX_TEMPLATE_BYTES)
    return fill(text, report)  # it escapes what it shows
