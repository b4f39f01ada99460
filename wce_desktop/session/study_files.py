"""The files that the library keeps beside a study's rows: its index and its scores."""

import contextlib
import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from training.datasets.synthetic import is_synthetic
from training.embeddings.file import EmbeddingFile, field_of_view_of
from training.embeddings.header import OtherRecordingError, check_recording
from training.embeddings.writer import partial_header, partial_path
from training.errors import UserError, writing
from training.files.json_text import read_json_object
from training.files.outputs import written_beside
from training.texts import Text
from training.video import FrameIndex
from wce_desktop.core.blood import TRACK as BLOOD
from wce_desktop.core.event import Scores
from wce_desktop.core.rates import Stated, Thresholds
from wce_desktop.core.span import Span, SpanSet
from wce_desktop.core.study import Study
from wce_desktop.library.run_files import operating_points
from wce_desktop.library.studies import INDEX_NAME

CHECKED = "index.checked"
SUGGESTIONS = ("scores", "cams", BLOOD)
"""Of an embedding file: the tables and tracks that point at findings."""


def stated_thresholds(card: Mapping[str, Any], study: Study) -> Thresholds:
    """The thresholds by class and rate that a model's card states for the source of a study; empty if it has none.

    A model that was trained on synthetic pictures states none for others.
    """
    if card.get("trained_on") == "synthetic" and not is_synthetic(study.path):
        return {}
    points = operating_points(card)
    source = study.source if any(points) else ""
    return points.get(source, {}) if source or not any(points) else {}


class StudyFiles:
    """Reads and writes one study's folder; what is missing or damaged there can be made again.

    Args:
        folder: of the study.
        recording: fingerprint of the study's recording; empty where it is unknown.
        stated: the thresholds of a model for this study, by the model's id.
        off: classes whose scores are not read.
        hides: whether the reading protocol hides what models and indicators suggest in this study.
    """

    def __init__(
        self,
        folder: Path,
        recording: str = "",
        stated: Callable[[str], Stated] | None = None,
        off: Collection[str] = (),
        hides: Callable[[], bool] = lambda: False,
    ) -> None:
        self.folder = folder
        self.recording = recording
        self.off = off
        self.stated: Callable[[str], Stated] = stated or (lambda _: Stated({}))
        self._hides = hides

    @property
    def is_hidden(self) -> bool:
        """Whether the reading protocol hides what models and indicators suggest; files are then read without it."""
        return self._hides()

    @property
    def index_path(self) -> Path:
        """Path of the index."""
        return self.folder / INDEX_NAME

    def scores_path(self, model_id: str) -> Path:
        """Path of the scores of a model."""
        return self.folder / f"embeddings-{model_id}.h5"

    def reid_path(self, run_id: str, model_id: str) -> Path:
        """Path of the embeddings of the frames that a model flags, by the re-identification model of a run."""
        return self.folder / f"reid-{run_id}-{model_id}.safetensors"

    def clips_path(self, run_id: str, step: int) -> Path:
        """Path of the clips by the encoder that a run has trained, with its weights of a step."""
        return self.folder / f"clips-{run_id}-{step}.h5"

    def save_index(self, index: FrameIndex, *, is_checked: bool = False) -> None:
        """Keep the index, so that the next opening needs no demux pass; `is_checked` once seeks were tried on it.

        Raises:
            UserError: the folder cannot be written.
        """
        with writing(self.folder, hint=Text("Check the disk and the folder's permissions.")):
            self.folder.mkdir(parents=True, exist_ok=True)
            index.save(self.index_path)
            (self.folder / CHECKED).unlink(missing_ok=True)
            if is_checked:
                (self.folder / CHECKED).touch()

    @property
    def is_index_checked(self) -> bool:
        """Whether seeks were tried on the kept index."""
        return (self.folder / CHECKED).is_file()

    @property
    def usable_index(self) -> Path | None:
        """Path of the index, None if this version cannot read it; a job then makes its own."""
        return self.index_path if FrameIndex.is_readable(self.index_path) else None

    def load_index(self, fingerprint: str) -> FrameIndex | None:
        """The kept index, or None when there is none for the file as it is now."""
        if not self.index_path.is_file():
            return None
        try:
            index = FrameIndex.load(self.index_path)
        except UserError:
            return None
        return index if index.fingerprint == fingerprint else None

    def made_with(self, digests: Collection[str]) -> Path | None:
        """A finished embedding file made with one of these weights (SHA-256); None if there is none."""
        for path in sorted(self.folder.glob("embeddings-*.h5")):
            try:
                with self.open_embeddings(path) as file:
                    if file.header.model_sha256 in digests:
                        return path
            except UserError:
                continue
        return None

    def with_colors(self, but: Path) -> Path | None:
        """Another finished embedding file of the study that has the colours of its frames; None if there is none."""
        for path in sorted(set(self.folder.glob("embeddings-*.h5")) - {but}):
            with contextlib.suppress(UserError), self.open_embeddings(path) as file:
                if file.mean_color is not None:
                    return path
        return None

    def open_embeddings(self, path: Path) -> EmbeddingFile:
        """Open an embedding file as one of this study, without `SUGGESTIONS` while they are hidden.

        Raises:
            OtherRecordingError: it is of another recording.
            UserError: there is none, or it cannot be read.
        """
        file = EmbeddingFile.open(path, self.recording)
        if self.is_hidden:
            file.leave_out(SUGGESTIONS)
        return file

    def has_embeddings(self, path: Path) -> bool:
        """Whether a file holds finished embeddings of this study."""
        try:
            self.open_embeddings(path).close()
        except UserError:
            return False
        return True

    def has_scores(self, model_id: str) -> bool:
        """Whether the finished scores of a model are there."""
        return self.has_embeddings(self.scores_path(model_id))

    def refusal_of_scores(self, model_id: str) -> UserError | None:
        """Why the scores of a model, or the unfinished ones, are not used: they belong to another recording."""
        path = self.scores_path(model_id)
        try:
            if partial_path(path).is_file():
                check_recording(path, partial_header(path).video_fingerprint, self.recording)
            self.open_embeddings(path).close()
        except OtherRecordingError:
            return UserError(
                "The scores of this study belong to another recording and are not used.", "Score the study again."
            )
        except (UserError, OSError):
            return None
        return None

    def new_notes(self, notes: Collection[str]) -> list[str]:
        """Those that `keep_shown_notes` does not know; all of them where its file cannot be read."""
        try:
            shown = json.loads((self.folder / "notes-shown.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            shown = []
        return [note for note in notes if note not in shown]

    def keep_shown_notes(self, notes: Collection[str]) -> None:
        """Remember what was shown; without a folder that can be written it is shown again."""
        self._keep("notes-shown.json", list(notes))

    def load_seen_before(self, model_id: str) -> SpanSet | None:
        """The frames that had been seen when a model's flags were shown for the first time; None if that is unknown."""
        try:
            result = json.loads((self.folder / f"seen-before-{model_id}.json").read_text(encoding="utf-8"))
            return SpanSet(Span(start, stop) for start, stop in result)
        except (OSError, ValueError, TypeError):
            return None

    def save_seen_before(self, model_id: str, spans: SpanSet) -> None:
        """Remember them; without a folder that can be written they are taken anew next time."""
        self._keep(f"seen-before-{model_id}.json", [[span.start, span.stop] for span in spans])

    @property
    def shown_view(self) -> str:
        """The view in which the reader looked at the study last; "" for none, or where it cannot be read."""
        try:
            return str(read_json_object(self.folder / "view.json", "view of a study").get("enhancement", ""))
        except UserError:
            return ""

    def keep_shown_view(self, enhancement: str) -> None:
        """Remember the view of the study; without a folder that can be written it is forgotten."""
        self._keep("view.json", {"enhancement": enhancement})

    def _keep(self, name: str, value: object) -> None:
        """Write a small file as JSON, where the folder can be written."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            with written_beside(self.folder / name) as beside:
                beside.write_text(json.dumps(value), encoding="utf-8")

    def load_scores(self, model_id: str, frame_count: int) -> tuple[EmbeddingFile, Scores | None] | None:
        """The finished scores of a model, or None; a file for another number of frames does not count.

        While suggestions are hidden, and of a model without classes, the file comes without scores.
        """
        try:
            file = self.open_embeddings(self.scores_path(model_id))
        except UserError:
            return None
        try:
            scores = self.scores_in(file, model_id)
            field_of_view_of(file)
            has_none = self.is_hidden or not file.header.classes
            is_usable = (scores is not None or has_none) and len(file.frame_index) == frame_count
        except UserError:
            is_usable = False
        if not is_usable:
            file.close()
            return None
        return file, scores

    def scores_in(self, file: EmbeddingFile, model_id: str) -> Scores | None:
        """The scores in an embedding file of a model, with their scale; None where it has none."""
        if file.scores is None:
            return None
        scores = Scores(file.header.classes, file.scores, file.frame_index)
        return scores.without(self.off).standardised(self.stated(model_id))

    def read_scores(self, model_id: str, frame_count: int) -> Scores | None:
        """The same without their file."""
        loaded = self.load_scores(model_id, frame_count)
        if loaded is not None:
            loaded[0].close()
        return loaded[1] if loaded is not None else None
