"""From a report to HTML by a template, which a hospital may replace by its own.

A template is text from a file: it runs in jinja2's sandbox, sees nothing but the report, and its output may hold
neither scripts nor anything that would be loaded from elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.errors import UserError
from training.files.inputs import read_text
from wce_desktop.core.language import number_text, tr
from wce_desktop.features.report.model.content import Report
from wce_desktop.session.places import resource

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment
    from markupsafe import Markup

OWN_NAME = "report-template.html"
"""A template of this name in the library's folder is used without a setting."""
MAX_TEMPLATE_BYTES = 2 * 1024**2
"""Room for a logo as a data: address."""
MAX_OUTPUT_CHARACTERS = 20_000_000

_FORBIDDEN_TAGS = {"script", "iframe", "object", "embed", "link", "base", "form", "frame", "applet", "svg"}
_BODY = re.compile(r"<body\b[^>]*>", re.IGNORECASE)
_ADDRESSES = {"src", "href", "background", "action", "poster", "srcset", "data"}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page, and why the hospital's own template was not used; empty where it was, or where there is none."""

    html: str
    problem: str = ""


def own_template(library: Path, setting: str) -> Path | None:
    """The hospital's template: the one of the settings, else the one in the library's folder, else None."""
    if setting:
        return Path(setting).expanduser()
    path = library / OWN_NAME
    return path if path.is_file() else None


def render(report: Report, own: Path | None = None) -> Rendered:
    """The report as HTML by the hospital's template, or by the built-in one where there is none or it cannot be used.

    Pictures stand in it by their `Picture.src`.
    """
    if own is not None:
        try:
            return Rendered(_render_file(report, own))
        except UserError as error:
            problem = tr("{problem} The built-in template is used.", problem=error.message)
            return Rendered(_render_file(report, built_in_template()), problem)
    return Rendered(_render_file(report, built_in_template()))


def built_in_template() -> Path:
    """The template that the application ships."""
    return resource("report", "report.html")


def _render_file(report: Report, path: Path) -> str:
    """Render one template.

    Raises:
        UserError: it cannot be read, is no template, or its page may not be shown.
    """
    from jinja2 import TemplateError

    text = read_text(path, "report template", max_bytes=MAX_TEMPLATE_BYTES)
    try:
        head = _amendment(report)
        html = _bounded(_compiled(text).generate(report=report, amendment=head))
        if head and "amendment" not in text:  # a template from before there were amendments
            html = _with_head(html, str(head))
        _check(html)
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        raise _unusable(path, tr("{reason} (line {line})", reason=error, line=line) if line else str(error)) from error
    except (ValueError, TypeError, ArithmeticError, RecursionError, LookupError) as error:
        raise _unusable(path, str(error) or type(error).__name__) from error
    return html


def _amendment(report: Report) -> Markup | str:
    """Which version the report replaces, why, and what has changed, as part of a page; empty where it replaces none."""
    from markupsafe import Markup

    if report.amendment is None:
        return ""
    text = read_text(resource("report", "amendment.html"), "report template", max_bytes=MAX_TEMPLATE_BYTES)
    # The template escapes what it shows.
    return Markup(_bounded(_compiled(text).generate(report=report)))


def _with_head(html: str, head: str) -> str:
    """The page with something put at the beginning of its body."""
    body = _BODY.search(html)
    at = 0 if body is None else body.end()
    return f"{html[:at]}\n{head}{html[at:]}"


@lru_cache(maxsize=4)
def _compiled(text: str) -> Template:
    return _environment().from_string(text)


def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined, pass_context
    from jinja2.exceptions import SecurityError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Environment(ImmutableSandboxedEnvironment):
        """Without what could take all memory or run for hours: `range`, and multiplied texts and numbers."""

        intercepted_binops = frozenset(["*", "**", "%"])

        def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
            small = all(isinstance(value, int | float) and abs(value) < 1e6 for value in (left, right))
            if operator == "**" or not small:
                raise SecurityError(tr("“{operator}” is allowed for small numbers only", operator=operator))
            return super().call_binop(context, operator, left, right)

    @pass_context  # so that it is called for each page, not once when the template is compiled
    def shown(_: Any, text: str, **values: object) -> str:
        """A text in the language of the window; `format` would let a template reach into what it is given."""
        translated = tr(text)
        for name, value in values.items():
            translated = translated.replace(
                f"{{{name}}}", number_text(value) if isinstance(value, int | float) else str(value)
            )
        return translated

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.globals.clear()
    for name in ("center", "indent", "wordwrap", "format", "xmlattr", "safe"):
        environment.filters.pop(name, None)
    environment.filters["tr"] = shown
    return environment


def _bounded(pieces: Any) -> str:
    kept, size = [], 0
    for piece in pieces:
        size += len(piece)
        if size > MAX_OUTPUT_CHARACTERS:
            raise ValueError(tr("its page is too long"))
        kept.append(piece)
    return "".join(kept)


class _Checker(HTMLParser):
    """Looks for what a report may not hold."""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Refuse scripts, and addresses other than those of pictures in the page itself."""
        if tag in _FORBIDDEN_TAGS:
            raise ValueError(tr("it contains <{tag}>", tag=tag))
        for name, value in attributes:
            text = (value or "").strip().lower()
            if name.startswith("on"):
                raise ValueError(tr("it contains a script ({name})", name=name))
            if name in _ADDRESSES and not text.startswith(("picture:", "data:image/", "#")):
                address = (value or "")[:60]
                raise ValueError(
                    tr("it refers to “{address}”; only pictures in the template itself are shown", address=address)
                )
            if name == "style":
                _check_style(text)
            if tag == "meta" and name == "http-equiv":
                raise ValueError(tr("it contains <{tag}>", tag="meta http-equiv"))

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """As `handle_starttag`."""
        self.handle_starttag(tag, attributes)

    def handle_data(self, data: str) -> None:
        """Refuse addresses in style sheets."""
        if self.get_starttag_text() and (self.get_starttag_text() or "").lower().startswith("<style"):
            _check_style(data.lower())


def _check_style(text: str) -> None:
    if "url(" in text or "@import" in text or "expression(" in text:
        raise ValueError(tr("its style refers to another file"))


def _check(html: str) -> None:
    """Raise ValueError where a page would run something or load something."""
    checker = _Checker(convert_charrefs=True)
    checker.feed(html)
    checker.close()


def _unusable(path: Path, reason: str) -> UserError:
    first = reason.strip().splitlines()[0][:200]
    return UserError(
        tr("The report template {file} cannot be used: {reason}.", file=path.name, reason=first),
        tr("Correct the template."),
    )
