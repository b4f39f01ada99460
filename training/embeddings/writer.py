"""Writing an embedding file so that being killed at any moment loses at most the chunk that was being written.

All datasets are laid out contiguously when the file is made, and their space is reserved. From then on a chunk only
overwrites raw numbers and, once these are on disk, the eight bytes of `frames_done`: no structure of the HDF5 file
changes any more, so there is no moment at which it could not be opened again. The file carries `.partial` behind its
name until it is finished; a finished file of the same name stays readable until then.
"""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from training.embeddings.chunk import NO_SHARE, EmbeddingChunk, EmbeddingLayout, as_stored, row_codes
from training.embeddings.header import (
    EmbeddingContents,
    EmbeddingHeader,
    check_recording,
    open_unbuffered,
    read_contents,
    write_attributes,
)
from training.embeddings.mapped_rows import MappedRows
from training.embeddings.reduced import Components
from training.errors import UserError
from training.files.closing import Closing
from training.files.outputs import written_beside
from training.texts import Text

if TYPE_CHECKING:
    import h5py

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG} if hasattr(errno, "EDQUOT") else {errno.ENOSPC, errno.EFBIG})
# File systems that cannot reserve space say one of these; scoring then finds out when it writes.
REDUCED_ROWS = 4096
CANNOT_RESERVE = frozenset({errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS, errno.ENODEV})


class EmbeddingWriter(Closing):
    """Appends chunks to `<path>.partial`; `finish` makes it `path`. Not thread-safe."""

    def __init__(self, path: Path, file: "h5py.File", header: EmbeddingHeader, frames_done: int = 0) -> None:
        self.path = path
        self.header = header
        self._file = file
        # Of our own: what HDF5 hands out as its descriptor cannot be flushed to disk everywhere.
        self._disk = partial_path(path).open("r+b")
        self.frames_done = frames_done
        """Rows that are on disk; always a whole number of chunks."""
        self.frame_count = int(file["frame_index"].shape[0])

    @classmethod
    def create(
        cls, path: Path, header: EmbeddingHeader, layout: EmbeddingLayout, video_seconds: NDArray[np.float64]
    ) -> Self:
        """Begin a file for `layout.frames` frames at (N,) `video_seconds`; an unfinished one is replaced.

        Raises:
            UserError: the folder cannot be written, the disk has no room for the whole file, or another program is
                writing it.
        """
        import h5py

        if video_seconds.shape != (layout.frames,):
            raise ValueError(f"video_seconds must be ({layout.frames},), not {video_seconds.shape}")
        partial = partial_path(path)
        _check_free(path)
        with _sentences(path, 0, layout.frames, fresh=True):
            path.parent.mkdir(parents=True, exist_ok=True)
            with written_beside(partial) as beside:
                # The oldest layout: newer ones mark a file as being written, and a killed writer leaves the mark.
                with h5py.File(beside, "w", libver=("earliest", "v108")) as file:
                    _lay_out(file, layout.datasets(header.storage))
                    file["frame_index"][...] = np.arange(layout.frames)
                    file["video_seconds"][...] = video_seconds
                    if layout.tracks:  # an older version that goes on with the file writes none
                        file["tracks"][...] = NO_SHARE
                    write_attributes(file, header.model_copy(update={"components": ""}))
                _reserve(beside)
        return cls(path, _open_partial(path), header)

    @classmethod
    def resume(cls, path: Path, header: EmbeddingHeader | None = None) -> Self:
        """Continue an unfinished file where it was.

        Args:
            path: the name of the finished file.
            header: what would be written now; must agree with the file in all that decides its numbers.

        Raises:
            UserError: there is nothing to resume, or the file is of another video, model or preprocessing.
        """
        if not partial_path(path).is_file():
            raise UserError("There is no unfinished {path} to continue.", "Start it without --resume.", path)
        contents = _partial_contents(path)
        difference = header.difference(contents.header) if header else ""
        if difference:
            raise UserError("{path} was started with {difference}.", "Start again without --resume.", path, difference)
        return cls(path, _open_partial(path), contents.header, contents.frames_done)

    @property
    def is_done(self) -> bool:
        """True once every row is on disk."""
        return self.frames_done == self.frame_count

    def scores_done(self) -> NDArray[np.float32] | None:
        """(K, C) the scores of the K rows that are on disk; None without any, and where the model has no classes."""
        if not self.frames_done or "scores" not in self._file:
            return None
        return np.asarray(self._file["scores"][: self.frames_done], np.float32)

    def append(self, chunk: EmbeddingChunk) -> None:
        """Write the next rows: first the numbers to disk, then that they count.

        Raises:
            UserError: the disk is full; what was appended before is kept and can be resumed.
        """
        start, stop = self.frames_done, self.frames_done + len(chunk)
        if stop > self.frame_count:
            raise ValueError(f"{stop} rows do not fit into a file of {self.frame_count}")
        if lacking := sorted(set(chunk.arrays()) - set(self._file)):
            raise UserError(
                "The unfinished {partial_path} is damaged: it has no table {lacking}.",
                "Start again without --resume.",
                partial_path(self.path),
                lacking[0],
            )
        with _sentences(self.path, start, self.frame_count):
            arrays = chunk.arrays()
            if self._file["embeddings"].dtype == np.int8:
                arrays |= row_codes(chunk.embeddings)
            for name, array in arrays.items():
                self._write_rows(name, start, array)
            self._sync()
            self._check_own()
            self._set("frames_done", np.int64(stop))
            self._sync()
        self.frames_done = stop

    def finish(self, components: Components | Path | None = None) -> Path:
        """Mark the file complete and give it its name.

        Args:
            components: of the codes, where the storage has any, or the folder that keeps those of each model
                (`Components.kept`); None: they are fitted to the rows.

        Raises:
            UserError: the components cannot be read, the disk is full, or the file cannot be renamed.
        """
        if not self.is_done:
            raise ValueError(f"only {self.frames_done} of {self.frame_count} rows are written")
        with _sentences(self.path, self.frames_done, self.frame_count):
            self._check_own()
            self._set("complete", np.bool_(True))
            self._sync()
            self.close()
            partial = partial_path(self.path)
            if self.header.storage == "int8-pca":
                with written_beside(self.path) as beside:
                    _reduce(partial, beside, self.header, components)
                partial.unlink()
            else:
                partial.replace(self.path)
        return self.path

    def close(self) -> None:
        """Leave the file as it is; `resume` continues it."""
        self._file.close()
        self._disk.close()

    def _write_rows(self, name: str, start: int, array: NDArray[np.generic]) -> None:
        dataset = self._file[name]
        rows = as_stored(array, dataset.dtype.str)
        if rows.shape[1:] != dataset.shape[1:]:
            raise ValueError(f"{name} must be (K, {', '.join(map(str, dataset.shape[1:]))}), not {rows.shape}")
        dataset[start : start + len(rows)] = rows

    def _set(self, name: str, value: np.generic) -> None:
        # In place: `attrs[name] = value` would delete and recreate the attribute, that is, change the structure.
        self._file.attrs.get_id(name).write(np.asarray(value))

    def _check_own(self) -> None:
        """Raise if another program began the file anew at the same moment: this one has no name any more."""
        try:
            is_own = os.path.samestat(partial_path(self.path).stat(), os.fstat(self._disk.fileno()))
        except FileNotFoundError:
            is_own = False
        if not is_own:
            raise _in_use(self.path)

    def _sync(self) -> None:
        self._file.flush()
        os.fsync(self._disk.fileno())


def partial_path(path: Path) -> Path:
    """Where the unfinished file lies."""
    return path.with_name(f"{path.name}.partial")


def not_there(path: Path, hint: str) -> UserError:
    """The error for a file that is not there, or not finished yet; `hint` says how to make it."""
    if partial_path(path).is_file():
        return UserError("{path} is not finished.", "Continue with --resume.", path)
    return UserError(Text("There is no file {path}.", path), hint)


def partial_header(path: Path) -> EmbeddingHeader:
    """The header of the unfinished file of `path`.

    Raises:
        UserError: it cannot be read.
    """
    return _partial_contents(path).header


def partial_scores(path: Path, recording: str = "") -> tuple[tuple[str, ...], NDArray[np.float32]] | None:
    """The classes (C) of the unfinished file of `path` and the scores (K, C) of its first K frames; None without any.

    Args:
        path: of the finished file.
        recording: fingerprint of the recording whose scores are wanted; empty: unknown, not compared.

    Raises:
        UserError: it cannot be read, or is of another recording.
    """
    if not partial_path(path).is_file():
        return None
    with EmbeddingWriter.resume(path) as writer:
        check_recording(path, writer.header.video_fingerprint, recording)
        scores = writer.scores_done()
        return None if scores is None else (tuple(writer.header.classes), scores)


def _partial_contents(path: Path) -> EmbeddingContents:
    """Checked before the HDF5 library sees the file, which is not safe with a damaged one."""
    partial = partial_path(path)
    try:
        with open_unbuffered(partial) as file:
            return read_contents(file, partial)
    except UserError as error:
        raise UserError(
            "The unfinished file cannot be read: {message}", "Start again without --resume.", error.message
        ) from error


def _lay_out(file: "h5py.File", datasets: dict[str, tuple[tuple[int, ...], str]]) -> None:
    import h5py

    for name, (shape, dtype) in datasets.items():
        settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        settings.set_layout(h5py.h5d.CONTIGUOUS)
        settings.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY)
        settings.set_fill_time(h5py.h5d.FILL_TIME_NEVER)
        settings.set_obj_track_times(False)  # a time stamp would make two files of the same numbers differ
        space = h5py.h5s.create_simple(shape)
        h5py.h5d.create(file.id, name.encode(), h5py.h5t.py_create(np.dtype(dtype)), space, settings)


def _reduce(partial: Path, out: Path, header: EmbeddingHeader, components: Components | Path | None) -> None:
    """Write a complete file again, with coordinates in the place of its embeddings."""
    import h5py

    with open_unbuffered(partial) as opened:
        tables = read_contents(opened, partial).tables
        rows = MappedRows(partial, opened, tables["embeddings"])
        if not isinstance(components, Components):
            components = Components.kept(rows, components, f"{header.model_sha256[:12]}-{header.space}")
        datasets = {name: (table.shape, table.dtype.str) for name, table in tables.items()}
        datasets["embeddings"] = ((len(rows), len(components.directions)), "|i1")
        datasets |= {"scales": ((len(rows), 2), "<f4"), "components": (components.table.shape, "<f2")}
        with h5py.File(out, "w", libver=("earliest", "v108")) as file:
            _lay_out(file, datasets)
            write_attributes(file, header.model_copy(update={"components": components.digest}), len(rows))
            file["components"][...] = components.table
            for start in range(0, len(rows), REDUCED_ROWS):
                part = slice(start, start + REDUCED_ROWS)
                arrays = {name: table.mapped(opened)[part] for name, table in tables.items()}
                for name, array in (arrays | row_codes(components.coordinates(rows[part]))).items():
                    file[name][part] = array


def _reserve(partial: Path) -> None:
    """Ask the disk for all the space now, so that it is not found full at the end of a night."""
    if not hasattr(os, "posix_fallocate"):
        return
    with partial.open("r+b") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, max(1, partial.stat().st_size))
        except OSError as error:
            if error.errno not in CANNOT_RESERVE:
                raise


def _open_partial(path: Path) -> "h5py.File":
    import h5py

    try:
        file = h5py.File(partial_path(path), "r+", libver=("earliest", "v108"))
        try:  # whatever will be written to, so that damage shows now and not in the middle of a scoring
            for name in ("frames_done", "complete"):
                file.attrs.get_id(name)
            for name in file:
                file[name].id.get_offset()
        except BaseException:
            file.close()
            raise
        return file
    except BlockingIOError as error:
        raise _in_use(path) from error
    except (OSError, KeyError, RuntimeError, ValueError, TypeError) as error:
        if _is_without_locks(error):
            raise _no_locks(path) from error
        raise UserError(
            "The unfinished {partial_path} cannot be read.", "Start again without --resume.", partial_path(path)
        ) from error


def _check_free(path: Path) -> None:
    """Raise if another program is writing the file; nobody writes one that cannot be read."""
    import h5py

    if not partial_path(path).is_file():
        return
    try:
        _partial_contents(path)
        h5py.File(partial_path(path), "r+").close()
    except BlockingIOError as error:
        raise _in_use(path) from error
    except (UserError, OSError):
        return


def _in_use(path: Path) -> UserError:
    return UserError("{path} is being written by another program.", "Wait until it has finished.", path)


def _is_without_locks(error: Exception) -> bool:
    """Whether the HDF5 library could not lock a file, as on some network drives; it gives the reason as text only."""
    return isinstance(error, OSError) and "unable to lock file" in str(error)


def _no_locks(path: Path) -> UserError:
    return UserError(
        "{path} cannot be written: the drive does not let programs lock files, as some network drives do not.",
        "Choose a folder on a disk of this computer; the finished file can be copied to the drive.",
        path,
    )


@contextlib.contextmanager
def _sentences(path: Path, done: int, count: int, *, fresh: bool = False) -> Iterator[None]:
    """Turn a system error into a sentence; h5py sometimes gives the reason as text only."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL or "No space left" in str(error) or "File too large" in str(error):
            kept = (
                "Free some disk space and start again."
                if fresh
                else Text("Free some disk space and start again, in the shell with --resume: {done:,} are kept.", done)
            )
            raise UserError(
                Text("The disk is full: {path} ({done:,} of {count:,} frames).", path, done, count), kept
            ) from error
        if _is_without_locks(error):
            raise _no_locks(path) from error
        reason = error.strerror or str(error)
        raise UserError("{path} cannot be written ({reason}).", "Choose another folder.", path, reason) from error
