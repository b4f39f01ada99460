"""The specification of a job."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias
from uuid import uuid4

import training

JobKind: TypeAlias = Literal["gpu", "light"]


@dataclass(frozen=True)
class JobSpec:
    """One job: what it is called, and the command of `training` with its settings."""

    title: str  # "scoring P11": how it is called on screen
    command: str  # a name in training.commands.COMMANDS
    config: Mapping[str, Any]  # that command's settings, JSON values
    kind: JobKind = "gpu"  # one gpu job runs at a time, light ones run at once
    study_id: str | None = None  # the study it belongs to, if it is one
    cluster: str = ""  # address of the cluster that it runs on; empty: this computer
    job_id: str = field(default_factory=lambda: uuid4().hex)

    def write_config(self, path: Path) -> None:
        """Write the JSON file that the child process reads."""
        job: dict[str, Any] = {"command": self.command, "config": dict(self.config)}
        if self.cluster:
            job["cluster"] = self.cluster
        path.write_text(json.dumps(job), encoding="utf-8")


def uses_study(spec: JobSpec, study_id: str) -> bool:
    """Whether a job reads a study: its own one, or one of the manifest that its settings name."""
    if spec.study_id == study_id or study_id in json.dumps(dict(spec.config), default=str):
        return True
    named = [spec.config.get(name) for name in ("studies", "manifest", "label_studies", "pretrain_studies")]
    return any(study_id in _text(Path(str(path))) for path in named if path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def child_command(config_path: Path) -> list[str]:
    """The command line of the child process; in a frozen application that is the application itself."""
    if getattr(sys, "frozen", False):
        return [sys.executable, "job", str(config_path)]
    # -P: a file called numpy.py in the folder where the window was started must not become numpy.
    return [sys.executable, "-P", "-m", "training.commands.child", str(config_path)]


def child_environment() -> dict[str, str]:
    """The child's environment: it finds the same `training` as this process, and speaks UTF-8."""
    root = str(Path(training.__file__).parents[1])
    known = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [root, known])), "PYTHONUTF8": "1"}
