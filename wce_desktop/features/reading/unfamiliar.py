"""Which frames of the open study look unlike what the model in use was trained on; computed in a thread."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from training.embeddings.familiar import Familiar
from training.runs.reporter import Reporter
from wce_desktop.features.reading.flags_panel import FlagsPanel
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Connections, Part, Workspace


@dataclass(frozen=True)
class _Marked:
    reading: Reading
    marks: NDArray[np.float32]


class UnfamiliarFrames(Part):
    """Follows the open study and its scores."""

    def __init__(self, workspace: Workspace, owner: QObject, panel: FlagsPanel) -> None:
        super().__init__(workspace, owner)
        self._panel = panel
        self._thread = FunctionThread(self, workspace.guard(self._arrived))
        session: Session = workspace.session
        self._connections = Connections(
            (session.study_opened, self._ask),
            (session.scores_changed, self._ask),
            (session.study_closed, self._thread.cancel),
        )

    def _ask(self) -> None:
        self._thread.cancel()
        reading, model = self._session.reading, self._session.current_model
        if reading is None or model is None:
            return
        self._show(reading, None)
        if reading.flags.scores is None:
            return
        files = self._session.files(reading.study)
        path = files.scores_path(model.model_id)

        def marked(reporter: Reporter) -> _Marked | None:
            if (familiar := Familiar.read(model.folder)) is None:
                return None
            with files.open_embeddings(path) as file:
                return _Marked(reading, familiar.unfamiliar(file, reporter.check))

        self._thread.request(marked)

    def _arrived(self, result: _Marked | None) -> None:
        if (
            result is not None
            and result.reading is self._session.reading
            and len(result.marks) == result.reading.frame_count
        ):
            self._show(result.reading, result.marks)

    def _show(self, reading: Reading, marks: NDArray[np.float32] | None) -> None:
        reading.flags.unfamiliar = marks
        self._panel.show_model_notes()
        self._workspace.timeline.set_unfamiliar(marks)
