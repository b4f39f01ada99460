"""Events survive the pipe, and nothing else passes for one."""

import json
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from training.runs.events import Busy, Event, LogLine, Outcome, Partial, Progress, decode, encode

COUNTS = st.integers(0, 10**9)
RATES = st.none() | st.floats(0, 1e9, allow_nan=False)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
PAYLOADS = st.dictionaries(st.text(), JSON, max_size=4)
EVENTS = st.one_of(
    st.builds(Progress, COUNTS, COUNTS, st.text(), st.text(), RATES, RATES),
    st.builds(Partial, st.text(), PAYLOADS),
    st.builds(LogLine, st.text()),
    st.builds(Busy, st.booleans(), st.text()),
    st.builds(Outcome, st.sampled_from(["done", "failed", "cancelled"]), st.text(), st.text(), PAYLOADS),
)


@given(EVENTS)
def test_an_event_is_one_line_that_reads_back(event: Event) -> None:
    line = encode(event)
    assert "\n" not in line
    assert decode(line) == event


@example('{"event": ["log"]}')
@given(st.text() | JSON.map(json.dumps))
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not an event|not a whole|with"):
        decode(text)


@pytest.mark.parametrize(
    "line",
    [
        '{"event":"progress","done":1}',
        '{"event":"progress","done":true,"total":2,"unit":"a","what":"b"}',
        '{"event":"progress","done":-1,"total":2,"unit":"a","what":"b"}',
        '{"event":"outcome","kind":"splendid"}',
        '{"event":"log","line":3}',
        '{"event":"log","line":"a","more":"b"}',
        '{"event":"partial","name":"curve","payload":[1]}',
        "[" * 100_000,
    ],
)
def test_half_an_event_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(line)


def test_numbers_that_json_cannot_say_become_null() -> None:
    payload = {"loss": math.nan, "auc": np.float32(0.5), "scores": np.array([1.0, np.inf]), "step": np.int64(3)}
    event = decode(encode(Partial("curve", payload)))
    assert event == Partial("curve", {"loss": None, "auc": 0.5, "scores": [1.0, None], "step": 3})


def test_a_payload_that_is_no_json_is_a_bug() -> None:
    with pytest.raises(TypeError, match="object cannot be encoded"):
        encode(Partial("curve", {"odd": object()}))


def test_an_outcome_prints_itself_as_a_sentence() -> None:
    assert (
        str(Outcome("failed", "The disk is full.", "Free some disk space."))
        == "The disk is full. Free some disk space."
    )
    assert str(Outcome("done")) == "Done."


def test_the_share_done_is_unknown_without_a_total() -> None:
    assert Progress(3, 0, "frames", "counting").fraction is None
    assert Progress(5, 4, "frames", "counting").fraction == 1.0
