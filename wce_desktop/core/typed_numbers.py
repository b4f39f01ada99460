"""Numbers as they are typed in the chosen language; one that could be read as another one is refused.

"1.204" is 1204 in German and has decimals in English. So a whole number may have the language's marks of thousands,
each before three digits, and a number with decimals has none.
"""

import re

from wce_desktop.core.language import written_number

_SPACES = " '\u00a0\u202f"
"""Stand between thousands in any language, and between nothing else."""


def parse_whole(typed: str) -> int:
    """A whole number: "31204", "31 204", in English "31,204", in German "31.204".

    Raises:
        ValueError: it is anything else.
    """
    marks = re.escape(written_number(",") + _SPACES)
    text = typed.strip()
    if not re.fullmatch(rf"[+-]?(\d+|\d{{1,3}}([{marks}]\d{{3}})+)", text):
        raise ValueError(f"{text!r} is not a whole number")
    return int(re.sub(rf"[{marks}]", "", text))


def parse_decimal(typed: str) -> float:
    """A number that may have decimals: "0.5", "5e-4"; in German "0,5".

    Raises:
        ValueError: it is anything else.
    """
    mark, text = written_number("."), typed.strip()
    if not re.fullmatch(rf"[+-]?(\d+([{mark}]\d*)?|[{mark}]\d+)([eE][+-]?\d+)?", text):
        raise ValueError(f"{text!r} is not a number with a decimal {mark!r}")
    return float(text.replace(mark, "."))
