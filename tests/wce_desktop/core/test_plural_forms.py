"""Languages with other forms of a number than one and many."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from training.texts import Text, count_text
from wce_desktop.core.language import in_english, read_translations, tr, tr_count, use_translations

POLISH = """<TS version="2.1" language="pl" sourcelanguage="en"><context><name>wce_desktop</name>
<message numerus="yes"><source>{count} frames of {name}</source><comment>{count} frame of {name}</comment>
<translation><numerusform>{count} klatka z {name}</numerusform><numerusform>{count} klatki z {name}</numerusform>
<numerusform>{count} klatek z {name}</numerusform></translation></message>
<message><source>Undo: {sentence}</source><translation>Cofnij: {sentence}</translation></message>
<message><source>blood</source><translation>krew</translation></message>
</context></TS>"""
FORMS = [
    (1, "klatka"),
    (2, "klatki"),
    (4, "klatki"),
    (5, "klatek"),
    (0, "klatek"),
    (12, "klatek"),
    (21, "klatek"),
    (22, "klatki"),
    (112, "klatek"),
]


@pytest.fixture(autouse=True)
def polish(tmp_path: Path) -> Iterator[None]:
    path = tmp_path / "wce_desktop_pl.ts"
    path.write_text(POLISH, encoding="utf-8")
    use_translations(read_translations(path))
    yield
    use_translations({})


@pytest.mark.parametrize(("count", "noun"), FORMS)
def test_three_forms(count: int, noun: str) -> None:
    assert tr_count("{count} frame of {name}", "{count} frames of {name}", count, name="a") == f"{count} {noun} z a"
    text = count_text("{count:,} frame of {name}", "{count:,} frames of {name}", count, "a")
    assert tr(text) == f"{count} {noun} z a"
    assert tr(Text("Undo: {sentence}", text)) == f"Cofnij: {count} {noun} z a"
    with in_english():
        assert tr(text) == text


def test_names_are_data_and_texts_are_translated() -> None:
    """A file that is called like a text keeps its name."""
    forms = ("{count} frame of {name}", "{count} frames of {name}", 1)
    assert tr(count_text(*forms, "blood")) == "1 klatka z blood"
    assert tr(count_text(*forms, Text("blood"))) == "1 klatka z krew"
