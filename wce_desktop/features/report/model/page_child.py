"""Renders a hospital's template in a process of its own, with limits of time, memory and size."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from tempfile import TemporaryFile
from time import monotonic
from typing import IO

from training.texts import Text
from wce_desktop.core.language import tr, translations, use_translations
from wce_desktop.features.report.model.cleaning import Cleaned, clean
from wce_desktop.features.report.model.content import Report
from wce_desktop.features.report.model.filling import MAX_OUTPUT_CHARACTERS, fill
from wce_desktop.jobs.spec import child_environment

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
    given = {
        "template": template,
        "report": asdict(report),
        "amendment": amendment,
        "translations": dict(translations()),
    }
    with TemporaryFile() as question, TemporaryFile() as answer:
        question.write(json.dumps(given).encode())
        question.seek(0)
        with subprocess.Popen(
            _command(), stdin=question, stdout=answer, stderr=subprocess.DEVNULL, env=child_environment()
        ) as child:
            try:
                _wait(child, check)
            finally:
                child.kill()
        answer.seek(0)
        return _answered(answer.read(_MAX_ANSWER_BYTES))


def _wait(child: subprocess.Popen[bytes], check: Callable[[], None]) -> None:
    end = monotonic() + MAX_SECONDS
    while child.poll() is None:
        check()
        if monotonic() > end:
            raise ValueError(Text("it takes more than {seconds:,} seconds", round(MAX_SECONDS)))
        with suppress(subprocess.TimeoutExpired):
            child.wait(_CHECKED_EVERY_SECONDS)


def _answered(answer: bytes) -> Cleaned:
    try:
        content = json.loads(answer)
    except ValueError as error:
        raise ValueError(Text("it needs too much memory, or ends the process that renders it")) from error
    if "problem" in content:
        raise ValueError(content["problem"])
    return Cleaned(**{**content, "left_out": tuple(content["left_out"])})


def _command() -> list[str]:
    if getattr(sys, "frozen", False):
        return [sys.executable, COMMAND]
    return [sys.executable, "-P", "-m", "wce_desktop", COMMAND]


def run(given: IO[bytes], out: IO[bytes]) -> int:
    """The child: write the cleaned page, or what is wrong with it, as JSON."""
    from pydantic import TypeAdapter

    question = json.loads(given.read())
    use_translations(question["translations"])
    report = TypeAdapter(Report).validate_python(question["report"])
    _limit()
    try:
        html = fill(question["template"], report, question["amendment"])
        pictures = {picture.src for finding in report.findings for picture in finding.pictures}
        content: dict[str, object] = asdict(clean(html, pictures))
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
