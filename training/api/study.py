"""A study as an exact, random-access sequence of frames, and as a dataset for PyTorch."""

import operator
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from training.api.arguments import CallingReporter, OnEvent, PathLike, as_number, as_path
from training.files.closing import Closing
from training.video import FieldOfView, FrameIndex, FrameMissing, open_source, prepare_frame, study_field_of_view

if TYPE_CHECKING:
    from torch.utils.data import Dataset

    PictureDataset = Dataset[tuple[Any, int]]
else:  # a map-style dataset needs no base class, and torch takes seconds to import
    PictureDataset = object

Picture = NDArray[np.uint8]


def open_study(path: "PathLike | Study", *, index: PathLike | None = None) -> "Study":
    """Open a video, a DICOM file, or a folder of images.

    The frames are indexed first, which reads the file once without decoding it: about a minute for 10 GB.

    Args:
        path: the study; an open `Study` is returned as it is.
        index: a saved index (`python -m training index`), which saves this time.

    Returns:
        The study. Frame `i` is always the same picture.

    Raises:
        TypeError: an argument is not a path.
        UserError: the path cannot be read as a study, or the index belongs to another one.
    """
    if isinstance(path, Study):
        return path
    source = as_path(path, "path")
    return Study(source, None if index is None else FrameIndex.load(as_path(index, "index")))


class Study(Closing):
    """An open study: `study[100]` is frame 100, counted from 0, and `len(study)` is the number of frames.

    Frames are `(height_px, width_px, 3)` uint8 RGB. A study may be used from several threads, in forked processes, and
    pickled; each process opens the file for itself. Make one with `open_study`.

    Attributes:
        path: of the file or folder.
        width_px: width of the frames in pixels.
        height_px: height of the frames in pixels.
    """

    def __init__(self, path: Path, index: FrameIndex | None = None) -> None:
        self._source = open_source(path, index=index)
        self.path = self._source.path
        self.width_px = self._source.width_px
        self.height_px = self._source.height_px

    def __repr__(self) -> str:
        return f"<Study {self.path.name}: {len(self):,} frames of {self.width_px} x {self.height_px} px>"

    def __len__(self) -> int:
        return len(self._source)

    def __getitem__(self, frame: SupportsIndex) -> Picture:
        """One frame, `(H, W, 3)` uint8 RGB; negative numbers count from the end.

        Raises:
            TypeError: not a whole number; use `frames` for a range.
            IndexError: there is no such frame.
            FrameMissing: the frame cannot be decoded.
        """
        try:
            number = operator.index(frame)
        except TypeError:
            raise TypeError(f"frame must be a whole number, not {type(frame).__name__}; see frames()") from None
        return self._source.read(number + len(self) if number < 0 else number)

    def __iter__(self) -> Iterator[Picture]:
        """Every frame in order; raises `FrameMissing` at one that cannot be decoded."""
        for number, picture in self.frames():
            if picture is None:
                raise FrameMissing(self.path.name, number)
            yield picture

    def frames(self, start: int = 0, stop: int | None = None, every: int = 1) -> Iterator[tuple[int, Picture | None]]:
        """Number and picture of each `every`-th frame of `[start, stop)`, at the speed of decoding.

        A frame that cannot be decoded keeps its number, and its picture is None.

        Raises:
            IndexError: the range is not inside the study.
        """
        first = as_number(start, "start", 0)
        last = None if stop is None else as_number(stop, "stop", 0)
        return self._source.iterate(first, last, as_number(every, "every", 1))

    @property
    def seconds(self) -> NDArray[np.float64]:
        """`(N,)` time of each frame in seconds; the first is at 0."""
        return self.index.video_seconds

    @property
    def missing(self) -> list[int]:
        """Frames known so far not to decode, ascending."""
        return self._source.missing

    @property
    def notes(self) -> tuple[str, ...]:
        """What is unusual about the file, in sentences."""
        return self.index.notes

    @property
    def index(self) -> FrameIndex:
        """The index of the frames; `study.index.save(path)` stores it."""
        return self._source.index

    @cached_property
    def field_of_view(self) -> FieldOfView:
        """Where in the frames the tissue is, found from some 48 frames when first asked for."""
        return study_field_of_view(self._source)

    def prepared(self, frame: int, size: int) -> Picture:
        """`(size, size, 3)` uint8 RGB: a frame as models see it, cut to the field of view, black outside of it."""
        return prepare_frame(self[frame], self.field_of_view, as_number(size, "size", 1))

    def torch_dataset(
        self,
        *,
        every: int = 1,
        size: int = 224,
        start: int = 0,
        stop: int | None = None,
        transform: Callable[[Picture], Any] | None = None,
    ) -> "FrameDataset":
        """The frames as a map-style dataset for `torch.utils.data.DataLoader`, also with workers.

        Args:
            every: take each `every`-th frame.
            size: side of the square pictures in pixels.
            start: the first frame.
            stop: the frame to stop before; None: the end of the study.
            transform: makes the item of a prepared picture `(size, size, 3)` uint8 RGB; None: a tensor
                `(3, size, size)` float32 in [0, 1]. Workers that are spawned need one that can be pickled.

        Returns:
            The dataset. Frames known to be missing are left out.
        """
        last = len(self) if stop is None else as_number(stop, "stop", 0)
        frames = np.arange(as_number(start, "start", 0), last, as_number(every, "every", 1))
        if last > len(self):
            raise IndexError(f"stop must be at most {len(self)}, not {last}")
        if transform is not None and not callable(transform):
            raise TypeError(f"transform must be a function of a picture, not {type(transform).__name__}")
        return FrameDataset(self, np.setdiff1d(frames, self.missing), as_number(size, "size", 1), transform)

    def close(self) -> None:
        """Close the file; frames cannot be read afterwards."""
        self._source.close()


class FrameDataset(PictureDataset):
    """Prepared frames of a study: item `i` is `(picture, frame number)`. Made by `Study.torch_dataset`.

    Attributes:
        study: whose frames these are.
        frame_index: `(M,)` int64, the number of each item's frame.
        seconds: `(M,)` float64, when each frame is shown.
    """

    def __init__(
        self, study: Study, frame_index: NDArray[np.int64], size: int, transform: Callable[[Picture], Any] | None
    ) -> None:
        self.study = study
        self.frame_index = frame_index
        self.seconds = study.seconds[frame_index]
        self._size = size
        self._transform = transform
        _ = study.field_of_view  # found once, not in each worker

    def __len__(self) -> int:
        return len(self.frame_index)

    def __getitem__(self, item: SupportsIndex) -> tuple[Any, int]:
        """Picture and frame number; raises `FrameMissing` for a frame that turns out not to decode."""
        frame = int(self.frame_index[operator.index(item)])
        picture = self.study.prepared(frame, self._size)
        return (to_tensor if self._transform is None else self._transform)(picture), frame


def to_tensor(picture: Picture) -> Any:
    """`(S, S, 3)` uint8 -> tensor `(3, S, S)` float32 in [0, 1]."""
    import torch

    return torch.from_numpy(picture).permute(2, 0, 1).to(torch.float32).div_(255)


def make_phantom(
    folder: PathLike,
    *,
    studies: int = 4,
    frames: int = 300,
    seed: int = 0,
    size_px: int = 256,
    positive_share: float = 0.05,
    on_event: OnEvent | None = None,
) -> Path:
    """Render synthetic studies with lesions; the command `python -m training phantom` does the same.

    Args:
        folder: where to write `manifest.json`, `labels.csv`, `videos/P01.mp4` and so on; finished studies are kept.
        studies: how many, each of a patient of its own.
        frames: of each study.
        seed: of all random numbers.
        size_px: side of the frames in pixels, even.
        positive_share: wanted share of frames that show a lesion, 0 to 0.5.
        on_event: receives progress.

    Returns:
        The manifest, which `finetune` takes as `studies`.

    Raises:
        UserError: a value is out of its range, or the folder cannot be written.
    """
    from training.phantom.dataset import write_studies

    return write_studies(
        as_path(folder, "folder"),
        studies=as_number(studies, "studies", 1),
        frames=as_number(frames, "frames", 2),
        seed=as_number(seed, "seed", 0),
        size_px=as_number(size_px, "size_px", 48),
        positive_share=positive_share,
        reporter=CallingReporter(on_event),
    )
