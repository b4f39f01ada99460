"""Scores as partial results: what is said is what is read, and anything else is refused."""

import json
from typing import Any

import numpy as np
import pytest

from training.inference.scores_so_far import ROWS, payloads, read_rows


def test_what_is_said_is_read_again_in_blocks() -> None:
    scores = np.random.default_rng(0).random((ROWS + 3, 2)).astype(np.float32)
    scores[5] = np.nan
    said = [json.loads(json.dumps(payload)) for payload in payloads(7, ("normal", "polyp"), scores)]
    rows = [read_rows(payload) for payload in said]
    assert [one.first for one in rows] == [7, 7 + ROWS]
    assert rows[0].classes == ("normal", "polyp")
    np.testing.assert_array_equal(np.concatenate([one.scores for one in rows]), scores)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"first": -1},
        {"first": "0"},
        {"classes": []},
        {"classes": [3]},
        {"classes": 3},
        {"scores": "?"},
        {"scores": "AAAA"},
        {"scores": 4},
        {"scores": "AAAgQAAAIEAAACBAAAAgQA=="},
    ],
)
def test_anything_else_is_refused(wrong: dict[str, Any]) -> None:
    (payload,) = payloads(0, ("normal", "polyp"), np.zeros((2, 2), np.float32))
    with pytest.raises(ValueError, match="scores"):
        read_rows({**payload, **wrong} if wrong else {})
