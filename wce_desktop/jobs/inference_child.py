"""The inference process as a job, and the lines of its protocol."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from training.runs.events import Outcome, Progress
from training.service.requests import EmbedRequest, ExplainRequest, as_line
from wce_desktop.core.language import to_translate, tr
from wce_desktop.jobs.spec import JobSpec

IDLE_SECONDS = 300.0
KEPT_SECONDS = 24 * 3600.0  # where the user wants the model ready at all times
ASK_AGAIN = to_translate(
    "Try again: a new process will be started. If that fails too, close other programs, or report it with the log."
)


def inference_job(folder: Path, device: str, idle_seconds: float = IDLE_SECONDS) -> JobSpec:
    """The job of the inference process; "light", since it runs in parallel to a GPU job."""
    return JobSpec(
        title=tr("frame analysis"),
        command="serve",
        config={"folder": str(folder), "device": device, "idle_seconds": idle_seconds},
        kind="light",
    )


def ask_line(number: int, request: ExplainRequest | EmbedRequest) -> str:
    """The line that sends a request."""
    return f"ask {as_line(number, request)}"


def drop_line(kind: str = "") -> str:
    """The line that cancels requests, of one kind or all."""
    return f"ask drop {kind}".strip()


def progress_of(payload: Mapping[str, Any]) -> Progress:
    """The progress in a partial result of a request."""
    return Progress(**payload["progress"])


def outcome_for_caller(outcome: Outcome) -> Outcome:
    """The outcome of the child for whoever sent a request; after a crash with a general hint."""
    return replace(outcome, hint=ASK_AGAIN) if "reason" in outcome.result else outcome
