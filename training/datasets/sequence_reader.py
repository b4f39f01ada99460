"""Prepared frames of sequences straight from their files: one exact seek a sequence, then frame by frame. No torch.

Frames that need not be decoded again lie in one mapped file a study, shared by all processes that read.
"""

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from training import video
from training.errors import UserError
from training.files.outputs import write_text

UNREAD, READ, MISSING = 0, 1, 2
_PAGE = 4096


class KeptFrames:
    """The frames of a study, each filled in when it is first read.

    Two processes may fill in the same frame: they write the same bytes, and a frame counts only after its pixels.
    """

    def __init__(self, path: Path, frames: int, size: int) -> None:
        self._states = np.memmap(path, np.uint8, "r+", 0, (frames,))
        self._pixels = np.memmap(path, np.uint8, "r+", _head(frames), (frames, size, size, 3))

    def fill(self, frames: slice, pixels: NDArray[np.uint8]) -> list[int] | None:
        """Copy the frames of a slice that decode to the front of `pixels`; their numbers, None: not all known."""
        states = self._states[frames]
        if (states == UNREAD).any():
            return None
        there = frames.start + np.flatnonzero(states == READ) * frames.step
        pixels[: len(there)] = self._pixels[there]
        return [int(index) for index in there]

    def put(self, index: int, frame: NDArray[np.uint8] | None) -> None:
        """Keep a prepared frame (S, S, 3), or that it does not decode."""
        if frame is not None:
            self._pixels[index] = frame
        self._states[index] = MISSING if frame is None else READ


def kept_frames(folder: Path, number: int, frames: int, size: int, budget_bytes: int) -> KeptFrames | None:
    """The kept frames of a study, made where all of them fit into what is left of the budget; else None.

    The first studies that are read get the room. Room on the disk is taken at once: a mapped file that finds the disk
    full later would end the process.
    """
    path, nbytes = folder / f"kept-{number}.frames", _head(frames) + frames * size * size * 3
    if not path.exists():
        taken = sum(other.stat().st_size for other in folder.glob("kept-*.frames"))
        if taken + nbytes > budget_bytes or not _made(path, nbytes):
            return None
    # Another process may be making it just now.
    return KeptFrames(path, frames, size) if path.stat().st_size == nbytes else None


def _made(path: Path, nbytes: int) -> bool:
    """False where the disk has no room; True also where another process was first."""
    try:
        with path.open("xb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, nbytes)
            else:
                file.truncate(nbytes)
    except FileExistsError:
        return True
    except OSError:
        path.unlink(missing_ok=True)
        return False
    return True


def _head(frames: int) -> int:
    """Bytes before the pixels: a state for each frame, in whole pages."""
    return -(-frames // _PAGE) * _PAGE


StudyFile: TypeAlias = tuple[str, Path, int]
"""Id, file, and the rules by which the frames are numbered (see `training.video.build_index`)."""

OPEN_STUDIES = 16
"""Files that are held open at once."""
PROBES = 32
"""Frames that are tried before a study counts as unreadable."""
CACHE_BYTES = 8 * 1024**2
"""Decoded frames that a source may keep: sequences are read once, and only the search for the field of view jumps."""


class SequenceFrames(NamedTuple):
    """The frames of one batch that decoded; M is their number."""

    found: NDArray[np.int64]
    """(M, 5): number of the sequence, frame of the study, whether its view is round, its two `study_sides`."""
    pixels: NDArray[np.uint8]
    """(M, S, S, 3) RGB."""


class SequenceReader:
    """Reads sequences; indexes and fields of view are found once for all readers of one folder."""

    def __init__(self, studies: Mapping[int, StudyFile], size: int, folder: Path, kept_bytes: int = 0) -> None:
        """See `SequenceFeed`.

        Args:
            studies: number of the study -> its id, its file, and the rules by which its frames are numbered.
            size: side in px.
            folder: shared by readers.
            kept_bytes: studies that fit into so much are decoded once; see `kept_frames`.
        """
        self._studies, self._size, self._folder, self._kept_bytes = studies, size, folder, kept_bytes
        self._open: dict[int, tuple[video.FrameSource, video.FieldOfView]] = {}
        self._readable: set[int] = set()
        self._keeping: dict[int, KeptFrames | None] = {}

    def read(self, sequences: Sequence[tuple[int, int, int, int]]) -> SequenceFrames:
        """The frames of sequences, each a study, start, stop and step.

        Raises:
            UserError: a study cannot be opened, or none of its frames decodes.
        """
        most = sum(len(range(*frames)) for _, *frames in sequences)
        result, pixels = np.empty((most, 5), np.int64), np.empty((most, self._size, self._size, 3), np.uint8)
        count = 0
        for number, (study, *frames) in enumerate(sequences):
            there = self._read_sequence(study, slice(*frames), pixels[count:])
            view = self._study(study)[1]
            for place, index in enumerate(there, count):
                result[place] = number, index, view.kind == "circle", *study_sides(view)
            count += len(there)
        return SequenceFrames(result[:count], pixels[:count])

    def _read_sequence(self, study: int, frames: slice, pixels: NDArray[np.uint8]) -> list[int]:
        """Fill `pixels` from the front; returns the frames that decoded."""
        source, view = self._study(study)
        kept = self._kept(study, len(source))
        there = None if kept is None else kept.fill(frames, pixels)
        if there is None:
            there = []
            for index, frame in source.iterate(frames.start, frames.stop, frames.step):
                prepared = None if frame is None else video.prepare_frame(frame, view, self._size)
                if prepared is not None:
                    pixels[len(there)] = prepared
                    there.append(index)
                if kept is not None:
                    kept.put(index, prepared)
        if there:
            self._readable.add(study)
        else:
            self._check_readable(study, source)
        return there

    def _kept(self, study: int, frames: int) -> KeptFrames | None:
        if study not in self._keeping:
            kept = kept_frames(self._folder, study, frames, self._size, self._kept_bytes) if self._kept_bytes else None
            self._keeping[study] = kept
        return self._keeping[study]

    def close(self) -> None:
        """Close the files."""
        for source, _ in self._open.values():
            source.close()
        self._open.clear()
        self._keeping.clear()

    def _study(self, number: int) -> tuple[video.FrameSource, video.FieldOfView]:
        if number not in self._open:
            if len(self._open) >= OPEN_STUDIES:
                oldest, _ = self._open.pop(next(iter(self._open)))
                oldest.close()
            source = self._source(number)
            self._open[number] = source, self._view(number, source)
        return self._open[number]

    def _source(self, number: int) -> video.FrameSource:
        (_, path, numbering), saved = self._studies[number], self._folder / f"index-{number}.npz"
        if saved.exists():
            return video.open_source(path, index=video.FrameIndex.load(saved), cache_bytes=CACHE_BYTES)
        source = video.open_source(path, numbering=numbering, cache_bytes=CACHE_BYTES)
        source.index.save(saved)
        return source

    def _view(self, number: int, source: video.FrameSource) -> video.FieldOfView:
        saved = self._folder / f"view-{number}.json"
        if saved.exists():
            return video.FieldOfView.from_json(json.loads(saved.read_text()))
        view = video.study_field_of_view(source)
        write_text(saved, json.dumps(view.to_json()))
        return view

    def _check_readable(self, number: int, source: video.FrameSource) -> None:
        """A sequence of which nothing decodes may lie in a damaged stretch, or nothing of the study may decode."""
        if number in self._readable:
            return
        for place in np.unique(np.linspace(0, len(source) - 1, PROBES).round().astype(np.int64)).tolist():
            with contextlib.suppress(video.FrameMissing):
                source.read(place)
                self._readable.add(number)
                return
        name, path, _ = self._studies[number]
        raise UserError(
            "No frame of study {name} can be read from {path}.",
            "Check the file, or remove the study from the manifest.",
            name,
            path,
        )


def study_sides(view: video.FieldOfView) -> tuple[int, int]:
    """(side of the study's frame, side of the square around its field of view), in px.

    Vats et al. 2022 give the sizes of views for the former. Frames of capsules are square. In a recording that is wider
    than high the capsule's picture is as high as the recording, so that the smaller side counts; but never less than
    the square, which may reach beyond the frame and is all that is read of it (ours).
    """
    square = view.box[2]
    return max(min(view.width_px, view.height_px), square), square
