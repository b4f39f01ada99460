"""Hostile values for every kind of option, as hypothesis strategies of what a person types or a program sends."""

import json
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.options import Option

LONG = "x" * 5000
DEEP = "[" * 3000 + "]" * 3000
DEEP_OBJECT = '{"a":' * 3000 + "1" + "}" * 3000

INTEGERS: tuple[str, ...] = (
    "0",
    "-1",
    "1",
    "2",
    "3",
    "5",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775808",
)
INTEGERS += ("1000000000000", "1" + "0" * 400, "-9223372036854775809", "1e3", "1.5", "0x10", "1_000", " 1", "", "nan")
INTEGERS += ("١٢", "NaN", "inf", "null", "true", "[]", "+7", "--1", "1;2", "１")
NUMBERS: tuple[str, ...] = (
    "nan",
    "inf",
    "-inf",
    "1e308",
    "1e-308",
    "5e-324",
    "0",
    "-0.0",
    "-1",
    "1e400",
    "0.5",
    "1",
    "0.999999",
    "1e6",
)
NUMBERS += ("Infinity", "1,5", "", "0x1p3", "null", "[]", "١٫٥", "1e-9", "100000", "-1e308")
TEXTS: tuple[str, ...] = (
    "",
    " ",
    ".",
    "..",
    "../../x",
    "../../../x",
    "a/b",
    "{odd}/evil",
    "%s%s%n",
    "{}",
    "{0}",
    "=1+1",
    "@x",
    "-x",
)
TEXTS += (
    "<img src=x><b>",
    "a\nb",
    "a\tb",
    "a\rb",
    "\x1b[31mred",
    "\u202egnp",
    "名前🩺",
    "\udc80\udcff",
    "con",
    "nul.txt",
)
TEXTS += (
    LONG,
    "normal",
    "polyp",
    "x",
    "P01",
    "P02",
    "P99",
    "null",
    "true",
    "0",
    "-1",
    "nan",
    "a,b,,c",
    ",",
    "1,2",
    "5,3",
)
TEXTS += ("'; DROP TABLE studies; --", "$(touch x)", "`touch x`", "~", "~root/x", "*", "[", "a=b", "\\", '"', "layer9")
ODD_PATHS: tuple[str, ...] = (
    "",
    ".",
    "..",
    "{odd}/empty",
    "{odd}/folder",
    "{odd}/text",
    "{odd}/bytes",
    "{odd}/pipe",
    "{odd}/loop",
)
ODD_PATHS += (
    "{odd}/dangling",
    "{odd}/closed",
    "{odd}/closed/x",
    "{odd}/socket",
    "{odd}/null",
    "{odd}/zero",
    "{odd}/full",
)
ODD_PATHS += (
    "{odd}/missing",
    "{odd}/text/below",
    "{odd}/" + "x" * 300,
    LONG,
    "{odd}/\udcff\udc80",
    "a\nb",
    "{odd}/link-to-input",
)
INPUTS: tuple[str, ...] = (
    "studies/videos/P01.mp4",
    "studies/manifest.json",
    "studies/labels.csv",
    "studies/boxes.csv",
    "studies",
)
INPUTS += ("studies/findings.csv", "images", "images/00.png", "images.csv", "image_boxes.csv", "model", "finetuned")
INPUTS += (
    "pretrained",
    "P01.h5",
    "P02.h5",
    "index.npz",
    "map.npz",
    "pca.npz",
    "evolution.npz",
    "embeddings.json",
    "kvasir",
)
INPUTS += (
    "model/model.safetensors",
    "model/config.json",
    "published.csv",
    "library",
    "library/library.sqlite",
    "foreign",
)
INPUTS += ("foreign/labels.csv", "foreign/notes.txt", "videos/study.avi", "videos/study.mkv", "videos/study.mpg")
INPUTS += ("studies/videos/P01.truth.json", "foreign/manifest.json", "foreign/config.json", "videos/packed.avi")
OUTPUT_NAMES = (
    "new",
    "new.h5",
    "new.npz",
    "new.png",
    "new.json",
    "deep/er/new.npz",
    "名前🩺.png",
    "a b",
    "-x",
    "x" * 250,
)
JSON_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    1.5,
    2**31,
    2**63,
    10**30,
    -(10**30),
    1e308,
    "",
    "x",
    [],
    {},
)
JSON_VALUES += (
    [[]],
    [None],
    {"": None},
    [1, "a", None],
    "nan",
    "\x00",
    "a\nb",
    "../../x",
    LONG,
    float("nan"),
    float("inf"),
)
JSON_VALUES += ("\ud800", [[[[[[]]]]]], {"a": {"b": {"c": []}}}, "1", [0] * 2000, -0.0, "true")


def typed_values(option: Option) -> SearchStrategy[str]:
    """What a person could type for an option: the right kind too large, too odd or not finite; and other kinds."""
    own = _of_kind(option)
    return st.one_of(own, own, own, own, own, st.sampled_from(TEXTS))


def _of_kind(option: Option) -> SearchStrategy[str]:
    if option.kind == "path":
        return output_paths(option.name) if option.is_output else input_paths()
    if option.kind == "list":
        return _lists(Option(option.name, option.item, choices=option.choices))
    return _plain(option.kind, option.choices)


def _plain(kind: str, choices: tuple[str, ...]) -> SearchStrategy[str]:
    if kind == "int":
        return st.one_of(st.sampled_from(INTEGERS), st.integers(1, 6).map(str), st.integers(-3, 2**40).map(str))
    if kind == "float":
        return st.one_of(st.sampled_from(NUMBERS), st.floats(0, 1).map(str), st.floats().map(str))
    if kind in ("bool", "flag"):
        return st.sampled_from(("true", "false", "1", "0", "2", "maybe", "", "nan", "[]", "yes"))
    if kind == "choice":
        return st.sampled_from((*choices, *choices, *(choice.upper() for choice in choices), "", "x", "null", "[]"))
    if kind == "mapping":
        return st.sampled_from(
            ("{}", '{"x": 1}', '{"steps": 1}', '{"": null}', '{"margin": NaN}', "[]", "null", DEEP_OBJECT)
        )
    return st.sampled_from(TEXTS)


def _lists(item: Option) -> SearchStrategy[str]:
    """Lists as they are typed, with commas or as JSON."""
    odd = st.sampled_from(
        ("[]", "[null]", "[-1]", "[0]", "[[]]", "[1e400]", "[NaN]", '["a", 1]', "[1, 2", "[" + "1," * 999 + "1]", DEEP)
    )
    some = st.lists(_of_kind(item), min_size=1, max_size=4)
    return st.one_of(odd, some.map(",".join), some.map(json.dumps))


def input_paths() -> SearchStrategy[str]:
    """Things that are no files, and files of another kind than is asked for."""
    return st.one_of(st.sampled_from(ODD_PATHS), st.sampled_from([f"{{inputs}}/{name}" for name in INPUTS]))


def output_paths(option: str) -> SearchStrategy[str]:
    """Places that must not be written over, and new ones; a library may be used where it is one's own only."""
    own = "{out}" if option == "library" else "{inputs}"
    taken = st.sampled_from([f"{own if name.startswith('library') else '{inputs}'}/{name}" for name in INPUTS])
    return st.one_of(taken, st.sampled_from(ODD_PATHS), st.sampled_from([f"{{out}}/{name}" for name in OUTPUT_NAMES]))


def json_values() -> SearchStrategy[Any]:
    """What a JSON file could hold where something else was expected; NaN and Infinity too, which Python writes."""
    leaves = st.one_of(st.sampled_from(JSON_VALUES), st.integers(), st.floats(), st.text(max_size=8))
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=6,
    )
