"""What the window knows without Qt: texts, times, spans and ids, which everything uses, are exported here."""

from wce_desktop.core.clock import (
    counted,
    counted_text,
    format_frame,
    format_frame_stored,
    format_time,
    frame_range,
    local_time,
    percent,
    rate_text,
    score_text,
    whole_percent,
)
from wce_desktop.core.identity import is_safe_id, new_id
from wce_desktop.core.language import capital, in_english, names_to_translate, number_text, to_translate, tr, tr_count
from wce_desktop.core.span import Span, SpanSet, spread_frames

__all__ = [
    "Span", "SpanSet", "capital", "counted", "counted_text", "format_frame", "format_frame_stored", "format_time",
    "frame_range", "in_english", "is_safe_id", "local_time", "names_to_translate", "new_id", "number_text", "percent",
    "rate_text", "score_text", "spread_frames", "to_translate", "tr", "tr_count", "whole_percent",
]  # fmt: skip
