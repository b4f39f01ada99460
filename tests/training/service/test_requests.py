"""A request is the same after it went through the pipe; what does not fit is named."""

from pathlib import Path

import pytest

from training.errors import UserError
from training.service.requests import EmbedRequest, ExplainRequest, as_line, from_line, kept_path
from training.video import FieldOfView

VIEW = FieldOfView("circle", 320, 320, (160.5, 159.25), 150.125).to_json()


@pytest.mark.parametrize(
    "request_",
    [
        ExplainRequest(model=Path("m"), path=Path("v\u00fc.mp4"), frame_index=7, method="quick", class_name="blood"),
        ExplainRequest(model=Path("m"), path=Path("v"), frame_index=7, refine=True, keep_in=Path("k"), layer="layer3"),
        EmbedRequest(model=Path("m"), image=Path("a.png"), region=(1.5, 2, 30, 40.25), space="projection", step=20),
        EmbedRequest(model=Path("m"), path=Path("v"), frame_index=3, field_of_view=VIEW, precision="bfloat16"),
    ],
)
def test_a_request_survives_the_pipe(request_: ExplainRequest | EmbedRequest) -> None:
    line = as_line(5, request_)
    assert "\n" not in line
    assert from_line(line) == (5, request_)


@pytest.mark.parametrize("line", ["", "{", "[]", '{"number": "5"}', '{"request": {"kind": "explain"}}'])
def test_what_is_no_request_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"not a request|Expecting"):
        from_line(line)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ("{}", "Unable to extract tag"),
        ('{"kind": "explain", "model": "m", "path": "v", "frame_index": -1}', "frame_index"),
        ('{"kind": "explain", "model": "m", "path": "v", "frame_index": 1, "method": "guess"}', "method"),
        ('{"kind": "embed", "model": "m", "region": [1, 2, 3]}', "region"),
    ],
)
def test_a_value_that_does_not_fit_is_named(request_: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        from_line(f'{{"number": 1, "request": {request_}}}')


PLAIN = ExplainRequest(model=Path("m"), path=Path("v.mp4"), frame_index=7, method="score-cam")
SHA = "0123456789abcdef" * 4


def test_each_thing_that_counts_gives_another_file() -> None:
    changes: list[dict[str, object]] = [
        {},
        {"frame_index": 8},
        {"method": "quick"},
        {"class_name": "blood"},
        {"layer": "layer3"},
        {"precision": "float32"},
        {"field_of_view": {"kind": "full"}},
    ]
    paths = {kept_path(Path("k"), SHA, PLAIN.model_copy(update=change)) for change in changes}
    assert len(paths) == len(changes)
    assert kept_path(Path("k"), "f" * 64, PLAIN) not in paths


def test_another_calculation_gives_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kept_path(Path("k"), SHA, PLAIN)
    monkeypatch.setattr("training.service.requests.CALCULATION", 2)
    assert kept_path(Path("k"), SHA, PLAIN) != before


def test_what_does_not_count_gives_the_same_file() -> None:
    other = PLAIN.model_copy(update={"path": Path("moved.mp4"), "index": Path("i"), "refine": True})
    assert kept_path(Path("k"), SHA, other) == kept_path(Path("k"), SHA, PLAIN)
    assert kept_path(Path("k"), SHA, PLAIN, "quick") == kept_path(
        Path("k"), SHA, PLAIN.model_copy(update={"method": "quick"})
    )


def test_any_class_name_makes_a_file_name() -> None:
    path = kept_path(Path("k"), SHA, PLAIN.model_copy(update={"class_name": "../../\u00fc:*?/x"}))
    assert path.parent == Path("k") / SHA[:16]
    assert path.name.startswith("00000007-score-cam-")
