"""Times, frame numbers, counts and scores as the reader sees and types them."""

import math
import re
from collections.abc import Sequence
from datetime import datetime

from training.texts import Text, count_text
from wce_desktop.core.language import number_text, tr, tr_count

LEAST_SHARE, MOST_SHARE = 0.0001, 0.9995
"""Below and above these a share would be shown as 0 % or 100 %."""
_FRAME = re.compile(r"\d{1,3}([,.'\u00a0\u202f ])\d{3}(\1\d{3})*|\d+")
_TIME = re.compile(r"(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:[.,]\d*)?)")


def format_time(seconds: float) -> str:
    """`seconds` as h:mm:ss, rounded down; negative ones with a minus sign, NaN as an en dash."""
    if math.isnan(seconds):
        return "–"
    whole = int(abs(seconds))
    sign = "-" if seconds <= -1 else ""
    return f"{sign}{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def local_time(utc: str, *, has_seconds: bool = False) -> str:
    """A time of the library (ISO 8601, UTC) by the reader's clock: "2026-11-23 18:04"; a text that is none as it is."""
    try:
        return f"{datetime.fromisoformat(utc).astimezone():{'%Y-%m-%d %H:%M:%S' if has_seconds else '%Y-%m-%d %H:%M'}}"
    except ValueError:
        return utc


def format_frame(number: int) -> str:
    """A frame's number with thousands separators ("31,204"), in the chosen language; give `frame_index + 1`."""
    return number_text(number)


def frame_range(start: int, stop: int) -> str:
    """The frames of a half-open span as the window counts them: "6 to 10", or "6"."""
    first, last = format_frame(start + 1), format_frame(stop)
    return first if first == last else tr("{first} to {last}", first=first, last=last)


def format_frame_stored(number: int) -> str:
    """As `format_frame`, in English: for what is stored in the library or exported."""
    return f"{number:,}"


def counted(count: int, noun: str) -> str:
    """ "1 study", "3 studies", "1,204 boxes", in the chosen language; for sentences see `tr_count`."""
    return tr_count(*counted_forms(noun), count)


def counted_text(count: int, noun: str) -> Text:
    """As `counted`, for what is stored in the library."""
    one, many = (form.replace("{count}", "{count:,}") for form in counted_forms(noun))
    return count_text(one, many, count)


def counted_forms(noun: str) -> tuple[str, str]:
    """The texts of one and of many, as they are translated: "{count} study", "{count} studies"."""
    is_changed = noun.endswith("y") and noun[-2] not in "aeiou"
    many = f"{noun[:-1]}ies" if is_changed else f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{{count}} {noun}", f"{{count}} {many}"


def missing_frames_text(missing: Sequence[int], named: int = 8) -> str:
    """ "3 frames cannot be read: 51, 52, 60." for frame indices, at least one; of many the first `named` are named."""
    frames = ", ".join(format_frame(frame + 1) for frame in missing[:named])
    if len(missing) > named:
        return tr("{count} frames cannot be read: {frames} …", count=len(missing), frames=frames)
    return tr_count(
        "{count} frame cannot be read: {frames}.",
        "{count} frames cannot be read: {frames}.",
        len(missing),
        frames=frames,
    )


def percent(share: float) -> str:
    """0.005 as "0.5 %", 0.84 as "84 %"; only all is "100 %" and only nothing "0 %"."""
    if 0 < share < LEAST_SHARE:
        return tr("less than 0.01 %")
    if MOST_SHARE <= share < 1:
        return tr("more than 99.9 %")
    return f"{number_text(share * 100, '.2g' if share < 0.01 else '.3g')} %"


def whole_percent(part: int, whole: int) -> str:
    """The share `part` of `whole` >= 1, rounded down: "12 %", "<1 %"; only nothing is "0 %" and only all "100 %"."""
    share = 100 * part // whole
    return "<1 %" if share == 0 and part else f"{share} %"


def whole_minutes(seconds: float) -> int:
    """Full minutes, as a clock shows them: 5:59 are 5. Seconds are those of frames, so 59.9999999 is a minute."""
    return int((seconds + 1e-6) // 60)


def parse_position(text: str) -> int | float:
    """The frame index (int) or the time in seconds (float) of a typed position.

    "31,204" or "31204" is a frame counted from 1, "1:44:01" or "44:01.5" a time.

    A frame number has no decimals, so "31.204" can only be the same; a mark that does not stand before three digits
    is refused.

    Raises:
        ValueError: with a sentence that names the text, when it is neither.
    """
    typed = text.strip()
    if matched := _TIME.fullmatch(typed):
        hours, minutes, seconds = int(matched[1] or 0), int(matched[2]), float(matched[3].replace(",", "."))
        if minutes < 60 and seconds < 60:
            return hours * 3600.0 + minutes * 60.0 + seconds
    elif _FRAME.fullmatch(typed):
        number = int(re.sub(r"\D", "", typed))
        if number > 0:
            return number - 1
    raise ValueError(Text("“{typed}” is neither a frame number (such as 204) nor a time (such as 0:01:30).", typed))


def score_text(score: float) -> str:
    """A score or threshold in [0, 1] with two decimals; a third where it would read 0.00 or 1.00 and is neither.

    0.9972 is "0.997", 0.00947 is "0.01", 0.003 is "0.003", 0.99996 is ">0.999", 0.0002 is "<0.001", NaN is "–".
    Other numbers have two decimals. In German 0.97 is "0,97".
    """
    if math.isnan(score):
        return "–"
    if not 0 < score < 1 or f"{score:.2f}" not in ("0.00", "1.00"):
        return number_text(score, ".2f")
    edge = {"0.000": f"<{number_text(0.001)}", "1.000": f">{number_text(0.999)}"}
    return edge.get(f"{score:.3f}", number_text(score, ".3f"))


def rate_text(rate: float) -> str:
    """A sensitivity or specificity in [0, 1] as whole per cent: "84 %"; "99.7 %" where it would read 0 or 100 %."""
    whole = f"{rate * 100:.0f}"
    return percent(rate) if 0 < rate < 1 and whole in ("0", "100") else f"{whole} %"
