"""Embeddings and scores of all frames of a study, and a search on them."""

import shutil
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import NDArray

from training.api.arguments import PathLike, as_choice, as_number, as_path
from training.api.study import Study, open_study
from training.embeddings.file import EmbeddingFile
from training.embeddings.neighbour import Metric, NeighbourFilter, Neighbours, StudyEmbeddings
from training.embeddings.neighbour_index import NeighbourIndex
from training.errors import UserError
from training.files.closing import Closing
from training.files.kinds import EMBEDDING_FILE
from training.files.outputs import check_output
from training.runs.reporter import SilentReporter

if TYPE_CHECKING:
    import pandas as pd


def open_embeddings(path: PathLike) -> "EmbeddingTable":
    """Open an embedding file, as `Model.embed` and `python -m training score` write it.

    Raises:
        TypeError: not a path.
        UserError: no such file, not finished, or damaged.
    """
    file = as_path(path, "path")
    return EmbeddingTable(file, file.stem)


def import_embeddings(study: "Study | PathLike", table: PathLike, model: PathLike, out: PathLike) -> "EmbeddingTable":
    """Import embeddings or scores of a study that another program computed.

    Args:
        study: an open study, or its path.
        table: `.npy`, `.npz`, `.h5`, `.parquet` or `.csv`: a row for each frame, or rows with `frame_index` (counted
            from 0) or `seconds`. See the page about file formats.
        model: folder of the model that they are of, whose name is the model's; made by the first import.
        out: embedding file to write, such as "P01.h5".

    Raises:
        TypeError: an argument is not a path.
        UserError: the table fits neither study nor model, or a file cannot be used.
    """
    from training.embeddings.importing import import_table
    from training.embeddings.own_table import open_table

    with_frames = open_study(study)
    source, path = as_path(table, "table"), as_path(out, "out")
    check_output(path, EMBEDDING_FILE, inputs=[with_frames.path, source])
    import_table(open_table(source), with_frames.index, as_path(model, "model"), path, SilentReporter())
    if with_frames is not study:
        with_frames.close()
    return EmbeddingTable(path, with_frames.path.stem)


class EmbeddingTable(Closing):
    """One row for each frame of a study. The row of a frame that cannot be decoded is NaN.

    Attributes:
        path: the embedding file (HDF5).
        study: name of the study, which `neighbours` answers with.
    """

    def __init__(self, path: Path, study: str, temporary: Path | None = None) -> None:
        """Open the file; `temporary` is a folder that is deleted with the table."""
        self.path = path
        self.study = study
        self._file = EmbeddingFile.open(path)
        self._release = weakref.finalize(self, _release, self._file, temporary)

    def __repr__(self) -> str:
        return f"<EmbeddingTable {self.study}: {len(self):,} frames by {self.model_id}>"

    def __len__(self) -> int:
        return len(self._file)

    @property
    def model_id(self) -> str:
        """The model that made it."""
        return self._file.header.model_id

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the columns of `scores`, "normal" first; empty for a pretraining."""
        return tuple(self._file.header.classes)

    @property
    def frame_index(self) -> NDArray[np.int64]:
        """`(N,)` number of each row's frame."""
        return self._file.frame_index

    @property
    def seconds(self) -> NDArray[np.float64]:
        """`(N,)` time of each frame in seconds."""
        return self._file.video_seconds

    @property
    def scores(self) -> NDArray[np.float32] | None:
        """`(N, C)` in [0, 1]; None for a pretraining."""
        return self._file.scores

    def to_numpy(self) -> NDArray[np.float32]:
        """`(N, D)` float32 embeddings, a copy."""
        return np.array(self._file.embeddings, np.float32)

    def to_pandas(self) -> "pd.DataFrame":
        """A row for each frame: `frame`, `seconds`, `score_<class>` of each class, and `e0` to `e<D-1>`.

        Raises:
            UserError: pandas is not installed.
        """
        try:
            import pandas as pd
        except ModuleNotFoundError as error:
            raise UserError("to_pandas needs pandas, which is not installed.", "Run: pip install pandas") from error
        columns: dict[str, NDArray[Any]] = {"frame": self.frame_index, "seconds": self.seconds}
        for number, name in enumerate(self.classes if self.scores is not None else ()):
            columns[f"score_{name}"] = np.asarray(self.scores)[:, number]
        embeddings = self.to_numpy()
        columns |= {f"e{number}": embeddings[:, number] for number in range(embeddings.shape[1])}
        return pd.DataFrame(columns)

    def neighbours(
        self,
        frame: int,
        k: int = 10,
        *,
        among: "Sequence[EmbeddingTable] | None" = None,
        metric: Metric = "euclidean",
        min_seconds: float = 0.0,
    ) -> Neighbours:
        """The frames that look most like a frame of this study, nearest first; the window searches in the same way.

        Args:
            frame: number of a frame of this study.
            k: how many.
            among: tables to search, all by the same model; None: this one.
            metric: "euclidean" or "cosine".
            min_seconds: frames of this study are at least this far away from the frame, in seconds.

        Returns:
            `.items`, each with `study_id`, `frame_index`, `video_seconds` and `distance`, and a `.note`.

        Raises:
            TypeError: `among` holds something else than tables.
            UserError: no such frame, or tables of different models.
        """
        number, count = as_number(frame, "frame", 0), as_number(k, "k", 1)
        as_choice(metric, "metric", get_args(Metric))
        tables = [self] if among is None else list(among)
        if not all(isinstance(table, EmbeddingTable) for table in tables):
            raise TypeError("among must be a list of EmbeddingTable")
        every = [self, *tables]
        names = {}
        for table in every:  # by its path where another file has the same name
            is_shared = any(other.study == table.study and other.path != table.path for other in every)
            names[table.path] = str(table.path) if is_shared else table.study
        index = NeighbourIndex.open([StudyEmbeddings(name, "", path) for path, name in names.items()])
        searched = {names[table.path] for table in tables}
        masks = {name: np.full(len(index.frame_index(name)), name in searched) for name in names.values()}
        where = NeighbourFilter(names[self.path], "", number, min_seconds_to_query=min_seconds, frames=masks)
        try:
            return index.find(index.vector(names[self.path], number), count, metric=metric, where=where)
        finally:
            index.close()

    def close(self) -> None:
        """Let the file go; a temporary one is deleted."""
        self._release()


def _release(file: EmbeddingFile, temporary: Path | None) -> None:
    file.close()
    if temporary is not None:
        shutil.rmtree(temporary, ignore_errors=True)
