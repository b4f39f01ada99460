"""Writing the sources of the corpus."""

from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
from av.video.stream import VideoStream

from tests.corpus.codecs import CODECS, encoder_options
from tests.corpus.packing import pack_b_frames
from tests.corpus.pictures import numbered_picture
from tests.corpus.sources import FRAMES, Source
from tests.videos import cut_start_by_edit_list

_NOISE = 10  # levels: the files get large enough for damage to hit some frames and miss others
_FORMAT = {"vob": "vob", "ts": "mpegts", "m2ts": "mpegts", "mkv": "matroska", "mpg": "mpeg", "wmv": "asf"}
_CONTAINER_OPTIONS = {
    "mp4": {"movflags": "faststart"},
    "mov": {"movflags": "faststart"},
    "mkv": {"cluster_time_limit": "400"},
}
HIDDEN_BY_EDIT_LIST = 15
_LATE_SECONDS = 3


def frame_times(source: Source) -> tuple[Fraction, list[int]]:
    """The time base and the time stamps of the frames, in presentation order."""
    if source.rate == "variable":
        steps = np.random.default_rng(0).integers(20, 400, FRAMES)
        return Fraction(1, 1000), np.cumsum(steps).tolist()
    rate = frame_rate(source)
    late = round(_LATE_SECONDS * rate) if source.rate == "late start" else 0
    return 1 / rate, list(range(late, late + FRAMES))


def frame_rate(source: Source) -> Fraction:
    """Frames per second that the header announces."""
    return {"2": Fraction(2), "5": Fraction(5), "29.97": Fraction(30000, 1001)}.get(source.rate, Fraction(25))


def write_whole(source: Source, path: Path) -> Path:
    """Write the source without its damage."""
    if source.container == "folder":
        return _write_folder(source, path)
    is_packed = source.codec.endswith("packed")
    encoded = path.with_name(f"encoded{'.avi' if is_packed else path.suffix}")  # AVI repeats headers at key frames
    _encode(source, encoded)
    if source.rate == "edit list":
        cut_start_by_edit_list(encoded, path, HIDDEN_BY_EDIT_LIST / 25)
    elif is_packed:
        pack_b_frames(encoded, path)
    else:
        return encoded.rename(path)
    encoded.unlink()
    return path


def _encode(source: Source, path: Path) -> None:
    kind = CODECS[source.codec]
    base, times = frame_times(source)
    options = _CONTAINER_OPTIONS.get(source.container, {})
    form = None if path.suffix == ".avi" else _FORMAT.get(source.container)
    with av.open(str(path), "w", format=form, options=options) as container:
        stream = container.add_stream(
            kind.encoder, rate=frame_rate(source), options=encoder_options(source.codec, source.gop, source.b_frames)
        )
        assert isinstance(stream, VideoStream)
        stream.height, stream.width = kind.size
        stream.pix_fmt = kind.pixels
        context = stream.codec_context
        context.time_base = base
        context.gop_size, context.max_b_frames = source.gop, source.b_frames
        context.thread_count = 1
        for number, time in enumerate(times):
            frame = av.VideoFrame.from_ndarray(numbered_picture(number, _NOISE, *kind.size), format="rgb24")
            frame.pts, frame.time_base = time, base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def _write_folder(source: Source, folder: Path) -> Path:
    folder.mkdir()
    for number in range(FRAMES):
        cv2.imwrite(str(folder / f"frame {number}.{source.codec}"), numbered_picture(number, _NOISE))
    return folder
