"""A reporter that asks a training to stop."""

from training.runs.reporter import SilentReporter


class StopsAfter(SilentReporter):
    """Asks for a stop once a number of optimizer steps is done."""

    def __init__(self, steps: int) -> None:
        self._steps, self._done = steps, 0

    @property
    def stop_requested(self) -> bool:  # type: ignore[override]
        """Whether the steps are done."""
        return self._done >= self._steps

    def progress(self, done: int, total: int, unit: str, what: str) -> None:
        """Count steps."""
        self._done = done if unit == "steps" else 0
