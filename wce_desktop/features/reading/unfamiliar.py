"""How much of the open study looks unlike what the model in use was trained on; computed in a thread."""

from dataclasses import dataclass

from PySide6.QtCore import QObject

from training.embeddings.familiar import Familiar
from training.runs.reporter import Reporter
from wce_desktop.features.reading.flags_panel import FlagsPanel
from wce_desktop.session.reading import Reading
from wce_desktop.session.session import Session
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.workspace import Connections, Part, Workspace


@dataclass(frozen=True)
class _Share:
    reading: Reading
    share: float | None


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
        reading.flags.unfamiliar = None
        familiar = Familiar.read(model.folder) if reading.flags.scores is not None else None
        if familiar is None:
            return
        files = self._session.files(reading.study)
        path = files.scores_path(model.model_id)

        def share(reporter: Reporter) -> _Share:
            with files.open_embeddings(path) as file:
                return _Share(reading, familiar.share_unfamiliar(file, reporter.check))

        self._thread.request(share)

    def _arrived(self, result: _Share) -> None:
        if result.reading is self._session.reading:
            result.reading.flags.unfamiliar = result.share
            self._panel.show_unfamiliar()
