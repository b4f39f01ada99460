"""Fills a template with a report, in jinja2's sandbox."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from training.texts import Text
from wce_desktop.core.language import number_text, tr
from wce_desktop.features.report.model.content import Report

if TYPE_CHECKING:
    from jinja2 import Template
    from jinja2.sandbox import SandboxedEnvironment

MAX_OUTPUT_CHARACTERS = 20_000_000


def fill(template: str, report: Report, amendment: str = "") -> str:
    """The page that a template makes of a report.

    Args:
        template: its text.
        report: all that it sees.
        amendment: what must stand at the head of an amended report, as HTML.

    Raises:
        ValueError: it is no template, it fails, or its page is longer than `MAX_OUTPUT_CHARACTERS`.
    """
    from jinja2 import TemplateError
    from markupsafe import Markup

    try:
        return _bounded(_compiled(template).generate(report=report, amendment=Markup(amendment)))  # our own template's
    except TemplateError as error:
        line = getattr(error, "lineno", None)
        raise ValueError(Text("{reason} (line {line:,})", error, line) if line else str(error)) from error
    except (TypeError, ArithmeticError, RecursionError, LookupError) as error:
        raise ValueError(str(error) or type(error).__name__) from error


def _bounded(pieces: Any) -> str:
    kept, size = [], 0
    for piece in pieces:
        size += len(piece)
        if size > MAX_OUTPUT_CHARACTERS:
            raise ValueError(Text("its page is too long"))
        kept.append(piece)
    return "".join(kept)


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
                raise SecurityError(Text("“{operator}” is allowed for small numbers only", operator))
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
