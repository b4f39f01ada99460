"""Little videos in which every frame carries its own number, and the ways in which real files are odd."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from av.packet import Packet

GRID = 4
"""The number stands in GRID x GRID black and white blocks: 12 bits of number, 4 bits of checksum."""

_NUMBER_BITS = 12
MOST_KEPT_BYTES = 1 << 20
Settings = ParamSpec("Settings")
DEFAULT_CODEC = {".webm": "libvpx-vp9", ".avi": "mpeg4", ".mpg": "mpeg2video", ".mpeg": "mpeg2video"}


def numbered_frame(number: int, height: int = 64, width: int = 64) -> NDArray[np.uint8]:
    """(height, width, 3) uint8 RGB that carries `number` in [0, 4096) through any usual compression."""
    bits = number << (GRID**2 - _NUMBER_BITS) | _checksum(number)
    blocks = np.array([bits >> place & 1 for place in range(GRID**2)], np.uint8).reshape(GRID, GRID) * 190 + 30
    rows = np.arange(height) * GRID // height
    columns = np.arange(width) * GRID // width
    return np.repeat(blocks[rows][:, columns, None], 3, axis=2)


def number_of(frame: NDArray[np.uint8]) -> int:
    """The number that a frame carries, or -1 where none can be read."""
    height, width, _ = frame.shape
    bits = 0
    for place in range(GRID**2):
        row, column = divmod(place, GRID)
        block = frame[
            round((row + 0.3) * height / GRID) : round((row + 0.7) * height / GRID),
            round((column + 0.3) * width / GRID) : round((column + 0.7) * width / GRID),
        ]
        bits |= int(block.mean() > 125) << place
    number = bits >> (GRID**2 - _NUMBER_BITS)
    return number if _checksum(number) == bits & 15 else -1


def _checksum(number: int) -> int:
    return (number * 7 + (number >> 4) * 5 + (number >> 8) * 11 + 9) & 15


def _kept(write: Callable[Concatenate[Path, Settings], Path]) -> Callable[Concatenate[Path, Settings], Path]:
    """Most tests ask for the same few videos: they are made once. Not those that come out differently each time."""
    written: dict[str, bytes] = {}

    @wraps(write)
    def kept(path: Path, /, *arguments: Settings.args, **options: Settings.kwargs) -> Path:
        if path.suffix != ".mp4":
            return write(path, *arguments, **options)
        asked = f"{arguments} {sorted(options.items())}"
        if asked in written:
            path.write_bytes(written[asked])
        elif write(path, *arguments, **options).stat().st_size < MOST_KEPT_BYTES:
            written[asked] = path.read_bytes()
        return path

    return kept


@_kept
def write_video(
    path: Path,
    frames: int = 60,
    *,
    codec: str | None = None,
    height: int = 64,
    width: int = 64,
    gop: int = 12,
    b_frames: int = 0,
    open_gop: bool = False,
    times_ms: Sequence[int] | None = None,
    noise: int = 0,
    options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
) -> Path:
    """Write frames numbered from 0, at 25 frames a second or at `times_ms`.

    The container follows the suffix; `noise` makes the file larger.
    """
    import av
    from av.video.stream import VideoStream

    codec = codec or DEFAULT_CODEC.get(path.suffix, "libx264")
    options = dict(options or {})
    rng = np.random.default_rng(0)
    if codec == "libx264":
        # One thread and no scene cuts: the groups of pictures are as long as asked for, the file always the same.
        options.setdefault(
            "x264-params", f"keyint={gop}:min-keyint={gop}:scenecut=0:threads=1:b-adapt=0:open-gop={int(open_gop)}"
        )
        options.setdefault("preset", "veryfast")
    else:
        options |= {"sc_threshold": "1000000000", "qmax": "4"} if codec in ("mpeg4", "mpeg2video") else {}
    base = Fraction(1, 1000) if times_ms is not None else Fraction(1, 25)
    with av.open(str(path), "w", options=container_options or {}) as container:
        stream = container.add_stream(codec, rate=25, options=options)
        assert isinstance(stream, VideoStream)
        stream.width, stream.height = width, height
        stream.pix_fmt = "yuvj420p" if codec == "mjpeg" else "yuv420p"
        stream.codec_context.time_base = base
        stream.codec_context.gop_size = gop
        stream.codec_context.max_b_frames = b_frames
        stream.codec_context.thread_count = 1
        for number in range(frames):
            picture = numbered_frame(number, height, width)
            if noise:
                picture = (picture + rng.integers(-noise, noise + 1, picture.shape)).clip(0, 255).astype(np.uint8)
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number if times_ms is None else times_ms[number]
            frame.time_base = base
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def remux(
    path: Path, target: Path, *, shift_seconds: float = 0.0, skip_packets: int = 0, repeat_stamps: bool = False
) -> Path:
    """Copy the packets into another container, later on its clock, without the first frames, or two with each stamp."""
    import av

    with av.open(str(path)) as source, av.open(str(target), "w", options={"avoid_negative_ts": "disabled"}) as out:
        video = source.streams.video[0]
        streams = {stream.index: out.add_stream_from_template(stream) for stream in source.streams}
        last = number = 0
        for packet in source.demux():
            is_video = packet.stream.index == video.index
            number += is_video
            if packet.dts is None or (is_video and number <= skip_packets):
                continue
            shift = round(shift_seconds / float(packet.time_base or 1))
            packet.pts = (packet.pts or 0) + shift
            packet.dts += shift
            if is_video and repeat_stamps and number % 2 == 0:
                packet.pts = packet.dts = last
            last = packet.pts if is_video else last
            packet.stream = streams[packet.stream.index]
            out.mux(packet)
    return target


def add_sound(path: Path, target: Path, bits_per_second: int = 192_000) -> Path:
    """Copy the packets into another container, with noise to hear between them."""
    import av
    from av.audio.stream import AudioStream

    rng = np.random.default_rng(0)
    with av.open(str(path)) as source, av.open(str(target), "w") as out:
        video = source.streams.video[0]
        stream = out.add_stream_from_template(video)
        sound = out.add_stream("mp2" if target.suffix in (".mpg", ".ts") else "aac", rate=48_000, layout="stereo")
        assert isinstance(sound, AudioStream)
        sound.bit_rate = bits_per_second
        base = video.time_base or Fraction(1, 25)
        packets: list[tuple[float, Packet[Any]]] = []
        for packet in source.demux(video):
            if packet.dts is not None:
                packets.append((float(packet.dts * base), packet))
                packet.stream = stream
        for start in range(0, int((packets[-1][0] + 0.2) * 48_000), 1152):
            noise = (rng.standard_normal((1, 2 * 1152)) * 8000).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(noise, format="s16", layout="stereo")
            frame.rate, frame.pts, frame.time_base = 48_000, start, Fraction(1, 48_000)
            packets += [(start / 48_000, packet) for packet in sound.encode(frame)]
        for _, packet in sorted(packets, key=lambda timed: timed[0]):
            out.mux(packet)
        out.mux(sound.encode(None))
    return target


def cut_start_by_edit_list(path: Path, target: Path, seconds: float) -> Path:
    """Copy an mp4 whose edit list then hides its first `seconds`: the packets stay, their frames are not shown."""
    data = bytearray(path.read_bytes())
    at = data.index(b"elst")
    timescale_at = data.index(b"mdhd") + 4 + 12
    media_scale = int.from_bytes(data[timescale_at : timescale_at + 4], "big")
    movie_scale_at = data.index(b"mvhd") + 4 + 12
    movie_scale = int.from_bytes(data[movie_scale_at : movie_scale_at + 4], "big")
    duration = slice(at + 12, at + 16)  # version and flags, number of entries, then of the first entry: duration
    media_time = slice(at + 16, at + 20)
    new_duration = int.from_bytes(data[duration], "big") - round(seconds * movie_scale)
    new_time = int.from_bytes(data[media_time], "big") + round(seconds * media_scale)
    data[duration] = new_duration.to_bytes(4, "big")
    data[media_time] = new_time.to_bytes(4, "big")
    target.write_bytes(data)
    return target


def cut_tail(path: Path, target: Path, share: float) -> Path:
    """Copy the first `share` of the file's bytes."""
    data = path.read_bytes()
    target.write_bytes(data[: int(len(data) * share)])
    return target


def corrupt_middle(path: Path, target: Path, start: float = 0.45, stop: float = 0.55) -> Path:
    """Copy a file with noise from `start` to `stop`, shares of its length."""
    data = bytearray(path.read_bytes())
    low, high = int(len(data) * start), int(len(data) * stop)
    data[low:high] = np.random.default_rng(0).integers(0, 256, high - low, dtype=np.uint8).tobytes()
    target.write_bytes(data)
    return target
