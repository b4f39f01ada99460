"""What the preview of a restoring calls the rows of the library, in the language of the window."""

from collections.abc import Iterator

import pytest

from wce_desktop.core.language import read_translations, use_translations
from wce_desktop.library.backup.comparison import Row, _words
from wce_desktop.session.places import resource


@pytest.fixture(autouse=True)
def german() -> Iterator[None]:
    use_translations(read_translations(resource("translations", "wce_desktop_de.ts")))
    yield
    use_translations({})


@pytest.mark.parametrize(
    ("table", "row", "words"),
    [
        ("landmarks", {"region": "small bowel", "frame_index": 4}, "Dünndarm, Bild 5"),
        ("boxes", {"name": "foreign body", "frame_index": 1203}, "Fremdkörper, Bild 1.204"),
        ("report_parts", {"kind": "lewis"}, "Lewis-Score"),
        ("report_parts", {"kind": "texts"}, "Texte"),
        ("reports", {"version": 2}, "Version 2"),
        ("runs", {"title": "Model 3", "kind": "finetune"}, "Model 3"),
    ],
)
def test_rows_are_named_in_german(table: str, row: Row, words: str) -> None:
    assert _words(table, row) == words
