"""Fills a template in jinja2's sandbox; one of a hospital in a child process, with limits of time, memory and size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from tempfile import TemporaryFile
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

from training.texts import Text
from wce_desktop.core.language import number_text, tr, translations, use_translations
from wce_desktop.features.report.model.cleaning import Cleaned, clean
from wce_desktop.features.report.model.content import Report
from wce_desktop.jobs.spec import child_environment

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


COMMAND = "report-page"
"""How the window starts the program again, as `wce_desktop.__main__` knows it."""
MAX_SECONDS = 10.0
MAX_MEMORY_BYTES = 2 * 1024**3
_MAX_ANSWER_BYTES = 8 * MAX_OUTPUT_CHARACTERS
_CHECKED_EVERY_SECONDS = 0.1


def page_in_child(template: str, report: Report, amendment: str, check: Callable[[], None]) -> Cleaned:
    """What a template makes of a report, cleaned.

    Args:
        template, report, amendment: see `fill`.
        check: raises where nobody waits for it any more; the process ends then.

    Raises:
        ValueError: it cannot be used, with the reason; or it takes more than `MAX_SECONDS` or `MAX_MEMORY_BYTES`.
    """
    words = dict(translations())
    given = {"template": template, "report": asdict(report), "amendment": amendment, "translations": words}
    with TemporaryFile() as question, TemporaryFile() as answer:
        question.write(json.dumps(given).encode())
        question.seek(0)
        command = [sys.executable, *([] if getattr(sys, "frozen", False) else ["-P", "-m", "wce_desktop"]), COMMAND]
        with subprocess.Popen(
            command, stdin=question, stdout=answer, stderr=subprocess.DEVNULL, env=child_environment()
        ) as child:
            try:
                _wait(child, check)
            finally:
                child.kill()
        answer.seek(0)
        try:
            content = json.loads(answer.read(_MAX_ANSWER_BYTES))
        except ValueError as error:
            raise ValueError(Text("it needs too much memory, or ends the process that renders it")) from error
    if "problem" in content:
        raise ValueError(content["problem"])
    return Cleaned(**{**content, "left_out": tuple(content["left_out"])})


def _wait(child: subprocess.Popen[bytes], check: Callable[[], None]) -> None:
    end = monotonic() + MAX_SECONDS
    while child.poll() is None:
        check()
        if monotonic() > end:
            raise ValueError(Text("it takes more than {seconds:,} seconds", round(MAX_SECONDS)))
        with suppress(subprocess.TimeoutExpired):
            child.wait(_CHECKED_EVERY_SECONDS)


def run(given: IO[bytes], out: IO[bytes]) -> int:
    """The child: write the cleaned page, or what is wrong with it, as JSON."""
    from pydantic import TypeAdapter

    question = json.loads(given.read())
    use_translations(question["translations"])
    report = TypeAdapter(Report).validate_python(question["report"])
    _limit()
    try:
        html = fill(question["template"], report, question["amendment"])
        content: dict[str, object] = asdict(clean(html, {f"picture:{frame}" for frame in report.frames}))
    except (ValueError, RecursionError) as error:
        content = {"problem": tr(str(error))}
    except MemoryError:
        content = {"problem": tr("it needs too much memory")}
    out.write(json.dumps(content).encode())
    out.flush()
    return 0


def _limit() -> None:
    """Let the system end this process where it needs too much, also when the window is gone."""
    if os.name != "posix":
        return  # the window ends it
    import resource

    limits = {resource.RLIMIT_CPU: round(MAX_SECONDS), resource.RLIMIT_FSIZE: _MAX_ANSWER_BYTES}
    if sys.platform == "linux":  # macOS does not know how much a process may map
        limits[resource.RLIMIT_AS] = MAX_MEMORY_BYTES
    for limit, value in limits.items():
        with suppress(OSError, ValueError):  # the system allows less already
            resource.setrlimit(limit, (value, value))
