"""Texts with template and values: their English, their copies, and what is written to JSON."""

import ast
import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from training.errors import UserError
from training.files.json_text import read_json_object
from training.runs.events import Busy, LogLine, Outcome, Partial, Progress, decode, encode
from training.runs.folder import write_json
from training.texts import Text, as_json, count_text, formats_in, join_texts, listed, text_from_json

ROOT = Path(__file__).parents[2]
NESTED = Text(
    "{path}: {problem}.", Path("a.csv"), count_text("{count:,} {what} row", "{count:,} {what} rows", 1204, Text("bad"))
)


def test_it_is_the_finished_sentence() -> None:
    text = Text("{count:,} images of {name} cannot be read.", 1204, "P01.mp4")
    assert text == str(text) == "1,204 images of P01.mp4 cannot be read."
    assert text == Text("{count:,} images of {name} cannot be read.", name="P01.mp4", count=1204)
    assert (text.template, dict(text.values)) == (
        "{count:,} images of {name} cannot be read.",
        {"count": 1204, "name": "P01.mp4"},
    )
    assert NESTED == "a.csv: 1,204 bad rows."
    assert Text("set {braces}") == "set {braces}", "without values nothing is filled in"
    assert Text("{names}", ["a", "b"]) == "a, b"


def test_it_never_changes() -> None:
    text = Text("{name}", "a")
    with pytest.raises(AttributeError):
        text.template = "other"
    with pytest.raises(TypeError):
        text.values["name"] = "b"  # type: ignore[index]


@pytest.mark.parametrize("given", [(), (1, 2)])
def test_values_that_do_not_fit_are_refused(given: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="names the values count"):
        count_text("{count} of {count2}", "{count} of {count2}", 3, *given) if not given else Text("{count}", *given)


def test_forms_of_one_and_of_several() -> None:
    forms = ("{count} file of {name} is missing", "{count} files of {name} are missing")
    assert count_text(*forms, 1, "a") == "1 file of a is missing"
    assert count_text(*forms, 0, "a") == "0 files of a are missing"


@pytest.mark.parametrize(
    "text", [NESTED, Text("plain"), join_texts(" ", ["One.", NESTED]), listed(["a", Text("b"), "c"])]
)
def test_it_survives_json_and_copies(text: Text) -> None:
    read = text_from_json(json.loads(json.dumps(as_json(text))))
    for other in (read, copy.deepcopy(text), pickle.loads(pickle.dumps(text))):  # noqa: S301 - our own
        assert isinstance(other, Text)
        assert (other, other.template, other.one, dict(other.values)) == (
            text,
            text.template,
            text.one,
            dict(text.values),
        )


@pytest.mark.parametrize("data", [3, {}, {"text": 1, "values": {}}, {"text": "{a}", "values": {"b": 1}}, {"text": "a"}])
def test_json_that_is_no_text_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match=r"not a text|cannot be filled"):
        text_from_json(data)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400])
def test_a_text_with_a_value_that_json_lacks_is_written_as_its_sentence(value: float, tmp_path: Path) -> None:
    text = Text("{title}: the loss is {loss}", Text("The loss of {name}", "a"), value)
    outer = Text("{problem}.", text)
    assert decode(encode(LogLine(text))) == LogLine(text)
    assert decode(encode(Partial("step", {"notes": [outer]}))) == Partial("step", {"notes": [outer]})
    write_json(tmp_path / "a.json", {"note": text})
    assert read_json_object(tmp_path / "a.json") == {"note": text}
    assert pickle.loads(pickle.dumps(outer)) == outer  # noqa: S301 - our own


def nested(levels: int, template: str = "{a}") -> dict[str, object]:
    """The JSON of texts within one another."""
    data: dict[str, object] = {"text": "x", "values": {}}
    for _ in range(levels):
        data = {"text": template, "values": {"a": data}}
    return data


@pytest.mark.parametrize(
    "data",
    [
        {"text": "x", "one": "y", "values": {}},
        {"text": "{count} x", "one": "{count} y", "values": {"count": "z"}},
        {"text": "{count} x", "one": "{count} y", "values": {"count": float("inf")}},
        {"text": "{a.__class__}", "values": {"a": "x"}},
        {"text": "{a.with_values.__globals__}", "values": {"a": {"text": "{b}", "values": {"b": "x"}}}},
        {"text": "{a[0]}", "values": {"a": "x"}},
        {"text": "{a!r}", "values": {"a": "x"}},
        {"text": "{a:>2000000000000}", "values": {"a": "x"}},
        {"text": "{a", "values": {"a": "x"}},
        nested(400),
        nested(20, "{a}" * 10),
    ],
    ids=lambda data: str(data)[:60],
)
def test_hostile_json_is_refused_and_the_sentence_beside_it_counts(data: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"text|template|'}'"):
        text_from_json(data)
    line = {"event": "log", "line": "a sentence", "translatable": {"line": data}}
    assert decode(json.dumps(line)) == LogLine("a sentence")


def test_an_error_keeps_template_and_values() -> None:
    error = UserError("{count} images of {name} cannot be read.", "Leave {name} out.", 3, "x")
    assert (error.message, error.hint) == ("3 images of x cannot be read.", "Leave x out.")
    assert str(error) == "3 images of x cannot be read. Leave x out."
    assert isinstance(error.hint, Text)
    assert dict(error.hint.values) == {"name": "x"}
    assert UserError("The {braces} stay.").message == "The {braces} stay."
    said = str(ValueError(NESTED))
    assert isinstance(said, Text), "an error of a validator, too"


@pytest.mark.parametrize(
    "event",
    [
        Progress(1, 2, "frames", NESTED),
        LogLine(Text("a: ") + NESTED),
        Busy(True, NESTED),
        Outcome("failed", NESTED, "Try {it}.", {"notes": [NESTED, "x"]}),
        Partial("warning", {"sentence": NESTED}),
    ],
)
def test_events_carry_texts(event: Progress | LogLine | Busy | Outcome | Partial) -> None:
    read = decode(encode(event))
    assert read == event
    templates = [text.template for text in _texts(vars(read))]
    assert templates == [text.template for text in _texts(vars(event))] != []


def _texts(value: object) -> Iterator[Text]:
    if isinstance(value, Text):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)


def test_a_json_file_holds_sentences_and_beside_them_their_templates(tmp_path: Path) -> None:
    path = tmp_path / "comparison.json"
    write_json(path, {"verdict": {"sentence": NESTED}, "notes": ["a", NESTED]})
    assert json.loads(path.read_text())["verdict"]["sentence"] == "a.csv: 1,204 bad rows."
    read = read_json_object(path)
    assert read == {"verdict": {"sentence": NESTED}, "notes": ["a", NESTED]}
    assert [text.template for text in _texts(read)] == [NESTED.template] * 2
    changed = json.loads(path.read_text())
    changed["verdict"]["sentence"] = "Mine."
    path.write_text(json.dumps(changed))
    assert [type(read_json_object(path)["verdict"]["sentence"])] == [str], "a sentence that was changed counts"


def test_every_call_gives_the_values_that_its_template_names() -> None:
    wrong: list[str] = []
    for root in ("training", "wce_desktop"):
        for path in sorted((ROOT / root).rglob("*.py")):
            calls = (each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.Call))
            wrong += [f"{path.relative_to(ROOT)}:{call.lineno}" for call in calls if not _fits(call)]
    assert wrong == []


def test_no_error_is_translated_where_it_is_raised() -> None:
    """The window shows it by `tr`; logs and the library keep English."""
    too_early: list[str] = []
    for path in sorted((ROOT / "wce_desktop").rglob("*.py")):
        calls = [each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.Call)]
        errors = [each for each in calls if _name(each).endswith("Error")]
        inner = [each for error in errors for part in error.args for each in ast.walk(part)]
        named = {_name(each) for each in inner if isinstance(each, ast.Call)}
        too_early += [str(path.relative_to(ROOT))] if named & {"tr", "tr_count", "counted", "with_keys"} else []
    assert too_early == []


def _name(node: ast.Call) -> str:
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def test_ids_among_the_values_get_names() -> None:
    inner = Text("{study} has {count} frames", "one", 3)
    text = Text("No frame of {study} fits one of {other}: {why}.", "one", "two", inner).with_values(
        {"one": "“Mrs one”"}
    )
    assert text == "No frame of “Mrs one” fits one of two: “Mrs one” has 3 frames."
    assert text.template == "No frame of {study} fits one of {other}: {why}."


def _alternatives(node: ast.expr) -> list[ast.expr]:
    return [*_alternatives(node.body), *_alternatives(node.orelse)] if isinstance(node, ast.IfExp) else [node]


def _fits(node: ast.Call) -> bool:
    name = getattr(node.func, "id", "")
    templates = {"Text": 1, "count_text": 2}.get(name, 2 if name.endswith("Error") else 0)
    given = node.args[templates + (name == "count_text") :]
    if (
        not templates
        or (name != "count_text" and not given)
        or any(isinstance(each, ast.Starred) for each in node.args)
    ):
        return True
    chosen = [each for part in node.args[:templates] for each in _alternatives(part)]
    literals = [each.value for each in chosen if isinstance(each, ast.Constant)]
    if len(literals) < templates and name != "UserError":
        return True
    named = {part for text in literals if isinstance(text, str) for part in formats_in(text)}
    filled_in = {"count_text": {"count"}, "OnDiskError": {"why"}}.get(name, set())
    return len(named - filled_in) == len(given)
