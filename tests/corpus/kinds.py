"""Kinds of videos that say more than frames: which way is up, the shape of pixels, which stream, what was dropped."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.stream import VideoStream
from numpy.typing import NDArray

from tests.corpus.codecs import CODECS, encoder_options
from tests.corpus.container_edits import count_from, insert_null_chunks, turn_track, with_edit_list
from tests.corpus.pictures import number_in, numbered_picture
from tests.corpus.sources import Source
from tests.videos import add_sound, remux

Picture = NDArray[np.uint8]

FRAMES = 24
HEIGHT, WIDTH = 96, 144
_FULL = 2  # of color_range
PREVIEW = 500
"""First number of the pictures of other streams than the recording."""


@dataclass(frozen=True)
class Expected:
    """What a study has to show."""

    pictures: list[Picture]
    note: str = ""
    """A pattern that one of the notes matches; empty: nothing has to be said."""
    tolerance: int = 0
    """Levels by which a value may be off."""


@dataclass(frozen=True)
class Kind:
    """How a kind is made, and what is expected of it.

    Attributes:
        of: codec, containers and numbers of B-frames that are tried.
        write: makes the file and returns the numbers of its frames, in order.
        note: see `Expected`.
        shown: a stored picture as it has to be shown.
        tolerance: see `Expected`.
        keeps_levels: whether brightness has to come back as it was encoded.
    """

    of: tuple[tuple[str, tuple[str, ...], tuple[int, ...]], ...]
    write: Callable[[Source, Path], list[int]]
    note: str = ""
    shown: Callable[[Picture], Picture] = field(default=lambda picture: picture)
    tolerance: int = 0
    keeps_levels: bool = True


def encode(
    source: Source,
    path: Path,
    *,
    numbers: list[int] | None = None,
    pixels: str = "",
    size: tuple[int, int] = (HEIGHT, WIDTH),
    options: dict[str, str] | None = None,
    alpha: bool = False,
    **context: Any,
) -> list[int]:
    """Write one video stream of numbered pictures; `context` are attributes of the encoder. Returns the numbers."""
    codec = CODECS[source.codec]
    numbers = list(range(FRAMES)) if numbers is None else numbers
    own = encoder_options(source.codec, source.gop, source.b_frames)
    for name, value in (options or {}).items():
        own[name] = f"{own[name]}:{value}" if name in ("x264-params", "x265-params") and name in own else value
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec.encoder, rate=25, options=own)
        assert isinstance(stream, VideoStream)
        (stream.height, stream.width), stream.pix_fmt = size, pixels or codec.pixels
        stream.codec_context.gop_size, stream.codec_context.max_b_frames = source.gop, source.b_frames
        stream.codec_context.thread_count = 1
        for name, value in context.items():
            setattr(stream.codec_context, name, value)
        for at, number in enumerate(numbers):
            frame = _frame(number, size, alpha=alpha)
            if context.get("color_range") == _FULL:
                frame = frame.reformat(format=stream.pix_fmt, dst_color_range=_FULL)
            frame.pts, frame.time_base = at, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return numbers


def _frame(number: int, size: tuple[int, int], *, alpha: bool = False) -> av.VideoFrame:
    picture = numbered_picture(number, 0, *size)
    if not alpha:
        return av.VideoFrame.from_ndarray(picture, format="rgb24")
    opacity = np.full((*size, 1), 255, np.uint8)
    opacity[:, : size[1] // 2] = 90
    return av.VideoFrame.from_ndarray(np.concatenate([picture, opacity], axis=2), format="rgba")


def _with_context(**context: Any) -> Callable[[Source, Path], list[int]]:
    return lambda source, path: encode(source, path, **context)


def _ten_bits(source: Source, path: Path) -> list[int]:
    return encode(source, path, pixels="" if source.codec == "prores" else "yuv420p10le")


def _interlaced(source: Source, path: Path) -> list[int]:
    if source.codec == "h264":
        return encode(source, path, options={"x264-params": "tff=1"})
    return encode(source, path, options={"flags": "+ilme+ildct"})


def _turned(matrix: tuple[int, int, int, int]) -> Callable[[Source, Path], list[int]]:
    def write(source: Source, path: Path) -> list[int]:
        inner = path.with_name("turned.mp4" if source.container == "mkv" else f"turned{path.suffix}")
        numbers = encode(source, inner)
        turn_track(inner, matrix)
        if source.container == "mkv":
            remux(inner, path)
            inner.unlink()
        else:
            inner.rename(path)
        return numbers

    return write


def _several(
    sizes: tuple[tuple[int, int], ...], counts: tuple[int, ...], default: int | None, *, is_cover: bool
) -> Any:
    """Streams of which the last one is the recording; the others have other numbers."""

    def write(source: Source, path: Path) -> list[int]:
        codec = CODECS[source.codec]
        with av.open(str(path), "w") as container:
            streams = []
            for at, (height, width) in enumerate(sizes):
                is_picture = is_cover and at == 0
                options = {} if is_picture else encoder_options(source.codec, source.gop, source.b_frames)
                stream = container.add_stream("mjpeg" if is_picture else codec.encoder, rate=25, options=options)
                assert isinstance(stream, VideoStream)
                stream.height, stream.width, stream.pix_fmt = height, width, "yuvj420p" if is_picture else codec.pixels
                if is_picture:
                    stream.disposition = av.stream.Disposition.attached_pic
                else:
                    stream.codec_context.gop_size, stream.codec_context.max_b_frames = source.gop, source.b_frames
                if default is not None:
                    stream.disposition = av.stream.Disposition(int(at == default))
                streams.append(stream)
            for at, stream in enumerate(streams):
                first = 0 if at == len(streams) - 1 else PREVIEW
                for number in range(counts[at]):
                    frame = _frame(first + number, sizes[at])
                    frame.pts, frame.time_base = number, Fraction(1, 25)
                    container.mux(stream.encode(frame))
                container.mux(stream.encode(None))
        return list(range(counts[-1]))

    return write


def _joined(sizes: tuple[tuple[int, int], ...], shifts: tuple[int, ...]) -> Callable[[Source, Path], list[int]]:
    def write(source: Source, path: Path) -> list[int]:
        numbers, parts = [], []
        for at, (size, shift) in enumerate(zip(sizes, shifts, strict=True)):
            part = path.with_name(f"part{path.suffix}")
            numbers += encode(source, part, numbers=list(range(at * FRAMES, (at + 1) * FRAMES)), size=size)
            if shift:
                late = path.with_name(f"late{path.suffix}")
                remux(part, late, shift_seconds=shift)
                late.rename(part)
            parts.append(part.read_bytes())
            part.unlink()
        path.write_bytes(b"".join(parts))
        return numbers

    return write


def _joined_in_the_middle(shift: int, count: int, sound_bits: int) -> Callable[[Source, Path], list[int]]:
    """Two parts, the second `shift` seconds later on its clock, and with its cells counted from `count`."""

    def write(source: Source, path: Path) -> list[int]:
        parts = []
        for at, late in enumerate((0, shift)):
            part, other = path.with_name(f"part{path.suffix}"), path.with_name(f"other{path.suffix}")
            encode(source, part, numbers=list(range(at * FRAMES, (at + 1) * FRAMES)))
            if sound_bits:
                add_sound(part, other, sound_bits)
                other.rename(part)
            remux(part, other, shift_seconds=late)
            parts.append(count_from(other.read_bytes(), count * at))
            part.unlink()
            other.unlink()
        path.write_bytes(b"".join(parts))
        return list(range(2 * FRAMES))

    return write


Stamps = list[tuple[int, int]]


def _stamped(stamps: Callable[[Stamps, int], Stamps]) -> Callable[[Source, Path], list[int]]:
    """`stamps` gives presentation and decoding times for those that the packets have, and a frame's step."""

    def write(source: Source, path: Path) -> list[int]:
        # Matroska does not say when pictures are decoded.
        whole = path.with_name("whole.mp4" if path.suffix == ".mkv" else f"whole{path.suffix}")
        numbers = encode(source, whole)
        with av.open(str(whole)) as read, av.open(str(path), "w", options={"avoid_negative_ts": "disabled"}) as out:
            video = read.streams.video[0]
            stream = out.add_stream_from_template(video)
            packets = [packet for packet in read.demux(video) if packet.dts is not None]
            base = video.time_base or Fraction(1, 25)
            late = round(1 / base)  # so that none is before 0
            known = [(packet.pts or 0, packet.dts or 0) for packet in packets]
            for packet, (pts, dts) in zip(packets, stamps(known, round(1 / base / 25)), strict=True):
                packet.pts, packet.dts, packet.stream = pts + late, dts + late, stream
                out.mux(packet)
        whole.unlink()
        return numbers

    return write


def _some_later(known: Stamps, step: int) -> Stamps:
    rng = np.random.default_rng(1)
    return [(max(dts, pts + int(rng.integers(3)) * step), dts) for pts, dts in known]


def _null_frames(places: tuple[int, ...]) -> Callable[[Source, Path], list[int]]:
    """`places`: the frames before which one was dropped."""

    def write(source: Source, path: Path) -> list[int]:
        numbers = encode(source, path)
        insert_null_chunks(path, places)
        return [number for at in numbers for number in [at - 1] * places.count(at) + [at]]

    return write


def _edited(entries: tuple[tuple[float, float | None], ...], numbers: list[int]) -> Callable[[Source, Path], list[int]]:
    def write(source: Source, path: Path) -> list[int]:
        encode(source, path)
        with_edit_list(path, entries)
        return numbers

    return write


def _early(hidden: tuple[str, ...]) -> Callable[[Source, Path], list[int]]:
    """Time stamps that begin 0.2 s before 0; containers with edit lists hide what lies before."""

    def write(source: Source, path: Path) -> list[int]:
        inner = path.with_name(f"inner{path.suffix}")
        numbers = encode(source, inner)
        remux(inner, path, shift_seconds=-0.2)
        inner.unlink()
        return numbers[5:] if source.container in hidden else numbers

    return write


def square(aspect: Fraction) -> Callable[[Picture], Picture]:
    """Enlarge the shorter side, by linear interpolation between the middles of pixels."""

    def shown(picture: Picture) -> Picture:
        height, width = picture.shape[:2]
        if aspect >= 1:
            return _stretched(picture, height, round(width * aspect))
        return _stretched(picture, round(height / aspect), width)

    return shown


def _stretched(picture: Picture, height: int, width: int) -> Picture:
    values = picture.astype(np.float64)
    for axis, length in ((0, height), (1, width)):
        old = values.shape[axis]
        places = ((np.arange(length) + 0.5) * old / length - 0.5).clip(0, old - 1)
        low = np.floor(places).astype(int)
        high = np.minimum(low + 1, old - 1)
        share = (places - low).reshape([-1 if at == axis else 1 for at in range(3)])
        values = values.take(low, axis) * (1 - share) + values.take(high, axis) * share
    return np.asarray(np.rint(values), np.uint8)


def _fitted(picture: Picture) -> Picture:
    """A picture of 64 x 64 in the middle of one of the usual size."""
    if picture.shape[:2] == (HEIGHT, WIDTH):
        return picture
    out = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    side = (WIDTH - HEIGHT) // 2
    out[:, side : side + HEIGHT] = _stretched(picture, HEIGHT, HEIGHT)
    return out


_MP4 = ("mp4", "mov")
_TRACKS = (("h264", ("mp4", "mov", "mkv"), (0, 2)), ("mjpeg", ("mov",), (0,)), ("hevc", ("mp4",), (0,)))
_SHAPED = (
    ("h264", ("mp4", "mov", "mkv", "ts", "avi"), (0,)),
    ("mpeg4", ("avi", "mp4"), (2,)),
    ("mjpeg", ("mov",), (0,)),
)
_HDR = (("hevc", ("mp4",), (0,)), ("h264", ("mkv", "ts"), (2,)))
_EDITS = (("h264", _MP4, (0, 2)),)
_JOINED = (
    ("h264", ("ts",), (0, 2)),
    ("hevc", ("ts",), (3,)),
    ("mpeg2video", ("ts",), (0, 2)),
    ("mpeg4", ("ts",), (2,)),
)
_ALL = list(range(FRAMES))
_BT2020 = {"colorspace": 9, "color_primaries": 9, "color_range": 1, "pixels": "yuv420p10le"}
_ASPECTS = (Fraction(8, 5), Fraction(1, 2))
_DROPPED = r"^Frames that the recorder dropped: {}\."
_HIDDEN = r"not shown \(removed by an edit list"

_BROKEN_STAMPS: dict[str, Callable[[Stamps, int], Stamps]] = {
    "shown when decoded": lambda known, step: [(dts, dts) for _, dts in known],
    "five alike": lambda known, step: [(max(dts, pts // (5 * step) * 5 * step), dts) for pts, dts in known],
    "some later": _some_later,
}

KINDS: dict[str, Kind] = {
    "turned 90": Kind(_TRACKS, _turned((0, 1, -1, 0)), shown=lambda picture: np.rot90(picture, -1)),
    "turned 180": Kind(_TRACKS, _turned((-1, 0, 0, -1)), shown=lambda picture: np.rot90(picture, 2)),
    "turned 270": Kind(_TRACKS, _turned((0, -1, 1, 0)), shown=lambda picture: np.rot90(picture, 1)),
    "mirrored": Kind(_TRACKS[1:], _turned((-1, 0, 0, 1)), shown=lambda picture: picture[:, ::-1]),
    **{
        f"pixels {aspect.numerator} to {aspect.denominator}": Kind(
            _SHAPED, _with_context(sample_aspect_ratio=aspect), shown=square(aspect), tolerance=2
        )
        for aspect in _ASPECTS
    },
    "preview first, default second": Kind(
        (("h264", ("mkv", "mp4", "mov"), (0, 2)), ("mpeg4", ("mkv",), (0,))),
        _several(((48, 64), (HEIGHT, WIDTH)), (5, FRAMES), 1, is_cover=False),
        r"^The file holds 2 videos\. The one of 144 x 96 pixels is shown; not shown: 64 x 48\.",
    ),
    "preview first, no default": Kind(
        (("h264", ("ts", "mkv"), (0,)), ("mjpeg", ("avi",), (0,))),
        _several(((48, 64), (HEIGHT, WIDTH)), (FRAMES, FRAMES), None, is_cover=False),
        r"^The file holds 2 videos\. The one of 144 x 96",
    ),
    "cover first": Kind(
        (("h264", ("mp4", "mov", "mkv"), (0, 2)),),
        _several(((240, 320), (HEIGHT, WIDTH)), (1, FRAMES), None, is_cover=True),
    ),
    "joined": Kind(
        (("h264", ("ts", "m2ts"), (0, 2)), ("mpeg2video", ("ts",), (0, 2))),
        _joined(((HEIGHT, WIDTH),) * 3, (0, 0, 0)),
        "start again",
    ),
    "joined, later on their clocks": Kind(
        (("h264", ("ts",), (2,)), ("mpeg2video", ("ts",), (2,))), _joined(((HEIGHT, WIDTH),) * 3, (0, 10, 30))
    ),
    **{
        f"joined in the middle, {shift} s later, sound {sound}": Kind(
            _JOINED,
            _joined_in_the_middle(shift, 5, sound),
        )
        for shift in (0, 3, 100)
        for sound in (0, 192_000)
    },
    **{
        f"stamps: {name}": Kind(
            (
                ("h264", ("mkv", "mp4", "ts"), (0, 2, 3)),
                ("hevc", ("mkv", "ts"), (3,)),
                ("mpeg4", ("mkv", "ts"), (2,)),
                ("mpeg2video", ("ts",), (0, 2)),
                ("mjpeg", ("mkv",), (0,)),
            ),
            _stamped(stamps),
        )
        for name, stamps in _BROKEN_STAMPS.items()
    },
    "size changes": Kind(
        (("h264", ("ts",), (0, 2)),),
        _joined(((HEIGHT, WIDTH), (64, 64), (HEIGHT, WIDTH)), (0, 0, 0)),
        r"^The size of the picture changes within the video \(64 x 64, 144 x 96\)",
        shown=_fitted,
        tolerance=2,
    ),
    **{
        f"null frames {places}": Kind(
            (("mjpeg", ("avi",), (0,)), ("mpeg4", ("avi",), (0,)), ("h264", ("avi",), (0,)), ("ffv1", ("avi",), (0,))),
            _null_frames(places),
            _DROPPED.format(len(places)),
        )
        for places in ((5,), (7, 7, 7), (1, 12, 23))
    },
    "interlaced": Kind(
        (("h264", ("mp4", "mkv", "ts"), (0, 2)), ("mpeg2video", ("mpg", "ts"), (0,))), _interlaced, "interlaced"
    ),
    "ten bits": Kind(
        (
            ("h264", ("mp4", "mkv"), (0, 2)),
            ("hevc", ("mp4",), (0,)),
            ("prores", ("mov",), (0,)),
            ("ffv1", ("mkv",), (0,)),
        ),
        _ten_bits,
    ),
    "HDR, PQ": Kind(_HDR, _with_context(color_trc=16, **_BT2020), r"high dynamic range \(PQ\)"),
    "HDR, HLG": Kind(_HDR, _with_context(color_trc=18, **_BT2020), r"high dynamic range \(HLG\)"),
    "full range": Kind(
        (("h264", ("mp4", "mkv", "ts"), (0,)), ("vp9", ("webm",), (0,)), ("ffv1", ("mkv",), (0,))),
        _with_context(color_range=2),
    ),
    "limited range": Kind(
        (("h264", ("mp4", "mkv", "ts"), (0,)), ("vp9", ("webm",), (0,))), _with_context(color_range=1)
    ),
    "alpha": Kind(
        (("vp9", ("webm",), (0,)),),
        _with_context(pixels="yuva420p", alpha=True, options={"auto-alt-ref": "0"}),
        "transparent in parts",
    ),
    "alpha, RGB": Kind((("png", ("mov",), (0,)),), _with_context(pixels="rgba", alpha=True), "transparent in parts"),
    "alpha, ARGB": Kind((("qtrle", ("mov",), (0,)),), _with_context(pixels="argb", alpha=True), "transparent in parts"),
    "alpha, planes": Kind((("utvideo", ("avi",), (0,)),), _with_context(pixels="gbrap", alpha=True), "transparent"),
    "alpha, 4444": Kind(
        (("prores", ("mov",), (0,)),), _with_context(pixels="yuva444p10le", alpha=True), "transparent in parts"
    ),
    "late by an edit list": Kind(_EDITS, _edited(((0.4, None), (0.96, 0)), _ALL), "first frame is 0.4"),
    "two parts of an edit list": Kind(_EDITS, _edited(((0.2, 0), (0.4, 0.48)), [*range(5), *range(12, 22)]), _HIDDEN),
    "a part twice": Kind(_EDITS, _edited(((0.2, 0), (0.2, 0)), [*range(5)] * 2), "start again"),
    "middle of an edit list": Kind(_EDITS, _edited(((0.4, 0.36),), [*range(9, 19)]), _HIDDEN),
    "times before 0": Kind((("h264", ("ts", "mp4", "mov"), (0, 2)),), _early(_MP4)),
}
"""Not made, because the encoders and muxers of ffmpeg cannot: field pictures (PAFF) of H.264 and MPEG-2, a size that
changes within mp4 or Matroska, B-frames with null chunks in AVI, pixel aspects in MPEG-1 and 2 other than their few,
and in codecs that do not store them (PyAV does not hand them to the muxer of Matroska). Where the size changes, MPEG-2
is left out: ffmpeg's decoder drops the frame before."""


def kind_sources() -> Iterator[Source]:
    """Each kind in each of its codecs and containers."""
    for name, kind in KINDS.items():
        for codec, containers, b_frames in kind.of:
            for container in containers:
                for number in b_frames:
                    yield Source(codec, container, 12 if CODECS[codec].groups else 1, number, kind=name)


def write_kind(source: Source, path: Path) -> Expected:
    """Make the file of a kind, and decode it at once from start to end: that is what has to be shown."""
    kind = KINDS[source.kind]
    numbers = kind.write(replace(source, kind="plain"), path)
    decoded = _decoded(path)
    missing = sorted(set(numbers) - set(decoded))
    assert not missing, f"the reference does not have {missing}"
    if kind.keeps_levels:
        for number in set(numbers):
            levels = numbered_picture(number, 0, *decoded[number].shape[:2]).mean()
            assert abs(float(decoded[number].mean()) - levels) < 3, f"{number} has other levels"
    return Expected([kind.shown(decoded[number]) for number in numbers], kind.note, kind.tolerance)


def _decoded(path: Path) -> dict[int, Picture]:
    """The picture of each number, of all streams."""
    with av.open(str(path)) as container:
        count = len(container.streams.video)
    pictures = {}
    for at in range(count):
        with av.open(str(path)) as container:
            for frame in container.decode(container.streams.video[at]):
                picture = np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
                pictures[number_in(picture)] = picture
    return pictures
