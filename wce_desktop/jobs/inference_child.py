"""The inference child as a job, and the words that go back and forth."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from training.runs.events import Outcome, Progress
from training.service.requests import EmbedRequest, ExplainRequest, as_line
from wce_desktop.jobs.spec import JobSpec

IDLE_SECONDS = 300.0
ASK_AGAIN = (
    "Try again: a new process will be started. If that fails too, close other programs, or report it with the log."
)


def inference_job(folder: Path, device: str, idle_seconds: float = IDLE_SECONDS) -> JobSpec:
    """The job that answers questions; "light", since it runs beside a job on the GPU."""
    return JobSpec(
        title="frame analysis",
        command="serve",
        config={"folder": str(folder), "device": device, "idle_seconds": idle_seconds},
        kind="light",
    )


def ask_line(number: int, request: ExplainRequest | EmbedRequest) -> str:
    """The line that asks."""
    return f"ask {as_line(number, request)}"


def drop_line(kind: str = "") -> str:
    """The line that says that what was asked is wanted no more: of one kind, or all of it."""
    return f"ask drop {kind}".strip()


def progress_of(payload: Mapping[str, Any]) -> Progress:
    """The progress that a partial result of a request tells."""
    return Progress(**payload["progress"])


def outcome_for_caller(outcome: Outcome) -> Outcome:
    """How the child ended, for a reader who wanted an answer: of a crash the last words are for the log."""
    return replace(outcome, hint=ASK_AGAIN) if "reason" in outcome.result else outcome
