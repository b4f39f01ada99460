"""The report folder of a benchmark: its files, and how it is started and finished."""

from pathlib import Path
from typing import Any

from training.experiments.benchmark.config import BenchmarkConfig, check_folder
from training.experiments.benchmark.tables import write_tables
from training.runs.folder import begin_report, write_json
from training.runs.reporter import Reporter


class BenchmarkFolder:
    """Paths of one benchmark."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.config = path / "config.json"
        self.report = path / "report.json"
        self.page = path / "report.html"

    @property
    def has_results(self) -> bool:
        """True once a pretraining has a checkpoint, or a cell is finished."""
        kept = ("*/cell.json", "*/run/checkpoints/step-*")
        return any(any((self.path / "cells").glob(pattern)) for pattern in kept)

    def begin(self, config: BenchmarkConfig) -> None:
        """Make the folder, or take it up: cells say themselves what they were made with.

        Raises:
            UserError: it holds something else, or cannot be written.
        """
        check_folder(self.path, config)
        begin_report(self.path, {"command": "benchmark", "config": config.model_dump(mode="json")})

    def write(self, report: dict[str, Any], reporter: Reporter) -> None:
        """Tables and page first, report.json last: where it is, the report is whole."""
        from training.experiments.benchmark.page import write_page

        write_tables(self.path, report)
        try:
            write_page(self.page, report)
        except ImportError as error:
            reporter.log(f"{error.name} is not installed, so the report page is not written; the figures are.")
        write_json(self.report, report)
        for warning in report["warnings"]:
            reporter.log(warning)
