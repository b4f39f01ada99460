"""How each codec of the corpus is encoded."""

from dataclasses import dataclass, field

_X26 = "keyint={gop}:min-keyint={gop}:scenecut=0:bframes={b}:b-adapt=0:{pyramid}:open-gop={open}"


@dataclass(frozen=True)
class Codec:
    """An encoder and what it can vary."""

    encoder: str
    pixels: str = "yuv420p"
    options: dict[str, str] = field(default_factory=dict)
    b_frames: tuple[int, ...] = (0,)
    """The numbers of successive B-frames that are tried."""
    groups: bool = True
    """Frames lean on others; False where each stands alone."""
    size: tuple[int, int] = (96, 144)
    """Height and width in pixels."""


_MPEG = {"sc_threshold": "1000000000", "qmax": "6", "strict": "unofficial", "mpv_flags": "+strict_gop"}

CODECS: dict[str, Codec] = {
    "h264": Codec("libx264", b_frames=(0, 2, 3)),
    "h264 open GOP": Codec("libx264", b_frames=(2, 3)),
    "hevc": Codec("libx265", b_frames=(0, 3)),
    "mpeg4": Codec("mpeg4", options=_MPEG, b_frames=(0, 2)),
    "mpeg4 packed": Codec("mpeg4", options=_MPEG, b_frames=(1, 2)),
    "mpeg1video": Codec("mpeg1video", options=_MPEG, b_frames=(0, 2)),
    "mpeg2video": Codec("mpeg2video", options=_MPEG, b_frames=(0, 2, 3)),
    "vp8": Codec("libvpx", options={"auto-alt-ref": "1", "lag-in-frames": "16", "deadline": "realtime"}),
    "vp9": Codec("libvpx-vp9", options={"lag-in-frames": "16", "deadline": "realtime", "cpu-used": "8"}),
    "av1": Codec("libsvtav1", options={"preset": "10", "crf": "12", "svtav1-params": "lp=1"}),
    "wmv1": Codec("wmv1", options={"qmax": "6"}),
    "wmv2": Codec("wmv2", options={"qmax": "6"}),
    "msmpeg4": Codec("msmpeg4", options={"qmax": "6"}),
    "flv1": Codec("flv", options={"qmax": "6"}),
    "h263": Codec("h263", options={"qmax": "6"}, size=(144, 176)),
    "h263+": Codec("h263p", options={"qmax": "6"}),
    "h261": Codec("h261", options={"qmax": "6"}, size=(144, 176)),
    "mjpeg": Codec("mjpeg", "yuvj420p", groups=False),
    "ffv1": Codec("ffv1", options={"level": "3", "slicecrc": "1"}, groups=False),
    "prores": Codec("prores_ks", "yuv422p10le", groups=False),
    "dnxhd": Codec("dnxhd", "yuv422p", {"profile": "dnxhr_lb"}, groups=False, size=(128, 256)),
    "rawvideo": Codec("rawvideo", groups=False),
    "huffyuv": Codec("huffyuv", "yuv422p", groups=False),
    "utvideo": Codec("utvideo", groups=False),
    "qtrle": Codec("qtrle", "rgb24", groups=False),
    "png": Codec("png", "rgb24", groups=False),
    "jpg": Codec("", groups=False),
    "bmp": Codec("", groups=False),
    "tif": Codec("", groups=False),
}


def encoder_options(codec: str, gop: int, b_frames: int) -> dict[str, str]:
    """Options that make groups exactly as long as asked for, with as many B-frames."""
    kind = CODECS[codec]
    options = dict(kind.options)
    is_open = int(codec.endswith("open GOP"))
    if kind.encoder == "libx264":
        pyramid = "b-pyramid=normal" if b_frames > 2 else "b-pyramid=none"
        text = _X26.format(gop=gop, b=b_frames, pyramid=pyramid, open=is_open)
        options |= {"preset": "ultrafast", "x264-params": f"{text}:threads=1"}
    elif kind.encoder == "libx265":
        pyramid = f"b-pyramid={int(b_frames > 2)}"
        text = _X26.format(gop=gop, b=b_frames, pyramid=pyramid, open=is_open)
        options |= {
            "preset": "ultrafast",
            "crf": "14",
            "x265-params": f"{text}:pools=none:frame-threads=1:log-level=none",
        }
    return options
