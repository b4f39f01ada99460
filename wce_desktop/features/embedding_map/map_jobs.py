"""Creating a map: the dialog and missing embeddings; and what a running job says about its picture."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtWidgets import QWidget

from training.errors import UserError
from training.files.npz import Column, read_npy
from wce_desktop.core.language import number_text, tr, tr_count
from wce_desktop.features.embedding_map.evolution import runs_to_show
from wce_desktop.features.embedding_map.map_sources import MapSource, embedding_jobs, map_sources
from wce_desktop.features.embedding_map.maps import MapRequest, MapStore, SavedMap
from wce_desktop.features.embedding_map.new_map_dialog import EmbedDialog, NewMapDialog
from wce_desktop.library.runs import Run
from wce_desktop.session.study_choice import StudyRow, study_rows
from wce_desktop.threads.function_thread import FunctionThread
from wce_desktop.widgets.dialogs import bring_to_front
from wce_desktop.workspace import Part, Workspace


class MapSetup(Part):
    """The dialog for a new map, and the one that computes embeddings for it."""

    def __init__(
        self, workspace: Workspace, owner: Part, store: MapStore, make: Callable[[MapRequest], object]
    ) -> None:
        """`make` creates the map that the reader has asked for."""
        super().__init__(workspace, owner)
        self._store, self._make = store, workspace.guard(make)
        self.dialog: NewMapDialog | None = None
        self.embedding: EmbedDialog | None = None
        self._left = 0  # jobs that compute embeddings and have not ended
        self._looking = FunctionThread(self, workspace.guard(self._show_choices), workspace.show_failure)

    def ask(self, parent: QWidget) -> None:
        """Show the dialog."""
        if self.dialog is None:
            self.dialog = NewMapDialog(parent)
            self.dialog.map_requested.connect(self._make)
            self.dialog.embed.clicked.connect(self._workspace.guard(lambda: self._ask_for_embeddings(parent)))
        bring_to_front(self.dialog)
        self._look(self.dialog)

    def close(self) -> None:
        """End the thread and close the dialogs."""
        super().close()
        for dialog in (self.embedding, self.dialog):
            if dialog is not None:
                dialog.close()

    def _look(self, dialog: NewMapDialog) -> None:
        dialog.show_waiting()
        session = self._session
        self._looking.request(lambda _: (map_sources(session), study_rows(session), self._store.maps()))

    def _show_choices(self, choices: tuple[tuple[MapSource, ...], tuple[StudyRow, ...], tuple[SavedMap, ...]]) -> None:
        if self.dialog is not None:
            reading = self._session.reading
            self.dialog.show_choices(*choices, open_study=reading.study.study_id if reading else "")

    # Missing embeddings

    def _ask_for_embeddings(self, parent: QWidget) -> None:
        if self.embedding is None:
            self.embedding = EmbedDialog(parent)
            self.embedding.embed_requested.connect(self._workspace.guard(self._embed))
        self.embedding.show_choices(runs_to_show(self._session), study_rows(self._session))
        bring_to_front(self.embedding)

    def _embed(self, run: Run, space: str, study_ids: Collection[str]) -> None:
        """Queue a job for each study that needs one; errors are shown in the dialog."""
        studies = [study for study in self._session.library.studies.all() if study.study_id in study_ids]
        assert self.embedding is not None
        try:
            specs = embedding_jobs(self._session, run, space, studies)
        except UserError as error:
            self.embedding.problem.setText(tr(error))
            return
        for spec in specs:
            self._workspace.jobs.submit(spec).ended.connect(self._job_ended)
            self._left += 1
        message = tr_count(
            "{count} study queued for embedding with {model}.",
            "{count} studies queued for embedding with {model}.",
            len(specs),
            model=run.title,
        )
        self._workspace.show_message(message)
        self.embedding.hide()

    def _job_ended(self) -> None:
        """Offer new embeddings while the dialog is open."""
        self._left -= 1
        if not self._left and self.dialog is not None and self.dialog.isVisible():
            self._look(self.dialog)


def picture_words(payload: Mapping[str, Any]) -> str:
    """ "t-SNE, step 250 of 750, divergence 1.24"."""
    words = [str(payload.get("what", ""))]
    if payload.get("iterations"):
        step, count = int(payload.get("iteration", 0)), int(payload["iterations"])
        words.append(tr("step {step} of {count}", step=step, count=count))
    if payload.get("kl_divergence") is not None:
        words.append(tr("divergence {value}", value=number_text(float(payload["kl_divergence"]), ".2f")))
    return ", ".join(filter(None, words))


def read_picture(payload: Mapping[str, Any]) -> NDArray[np.float32] | None:
    """(N, 2) where the points lie now; None for an outdated result; a newer one follows."""
    try:
        return np.asarray(read_npy(Path(str(payload["path"])), Column("<f4 <f8", ("N", 2))), np.float32)
    except (UserError, OSError, ValueError):
        return None
