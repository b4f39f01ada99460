"""The report folder of an evaluation of explanations: its files, and how it is started."""

import re
from pathlib import Path

from training.experiments.explanations.config import COMMAND, EvaluateExplanationsConfig, check_folder
from training.runs.folder import begin_report


class ExplanationsFolder:
    """Paths of one evaluation."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.report = path / "report.json"
        self.page = path / "report.html"
        self.pictures = path / "pictures"

    @property
    def has_results(self) -> bool:
        """True once a model of a fold is finished, or maps are kept."""
        return any(self.path.glob("models/*/fold.json")) or any(self.path.glob("maps/*"))

    def begin(self, config: EvaluateExplanationsConfig) -> None:
        """Make the folder, or resume it where `resume` says so.

        Nothing that is kept in it is trusted for that: maps and models say themselves what they were made with.

        Raises:
            UserError: it holds something else, or cannot be written.
        """
        check_folder(self.path, config)
        begin_report(self.path, {"command": COMMAND, "config": config.model_dump(mode="json")})

    def kept(self, fold: int) -> Path:
        """Where a fold's maps and curves are kept."""
        return self.path / "maps" / f"fold-{fold:02}.jsonl"

    def picture(self, filename: str) -> Path:
        """Picture of an image."""
        return self.pictures / picture_name(filename)


def picture_name(filename: str) -> str:
    """File of an image's picture; slashes and the like are not part of a file's name."""
    return f"{re.sub(r'[^A-Za-z0-9._-]', '_', filename)}.png"
