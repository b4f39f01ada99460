"""XML without document types and entities."""

from pathlib import Path

import pytest

from training.errors import UserError
from training.files import markup_text
from training.files.markup_text import read_xml

BOMB = """<?xml version="1.0"?>
<!DOCTYPE lolz [
 <!ENTITY a "aaaaaaaaaaaaaaaaaaaa">
 <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
 <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
]>
<annotation>&c;</annotation>
"""
OTHER_FILE = """<!DOCTYPE annotation [<!ENTITY other SYSTEM "file:///etc/passwd">]><annotation>&other;</annotation>"""
OTHER_TYPE = """<!DOCTYPE annotation SYSTEM "annotation.dtd"><annotation/>"""


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_the_elements_and_their_text(tmp_path: Path) -> None:
    path = written(tmp_path / "a.xml", "\ufeff<?xml version='1.0'?><a><b key='1'>p &amp; ä</b><b/></a>")
    root = read_xml(path)
    assert [(element.tag, element.text) for element in root] == [("b", "p & ä"), ("b", None)]
    assert root[0].get("key") == "1"


@pytest.mark.parametrize("text", [BOMB, OTHER_FILE, OTHER_TYPE])
def test_a_document_type_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a\.xml is not a usable XML file: it declares a document type or entities"):
        read_xml(written(tmp_path / "a.xml", text))


@pytest.mark.parametrize(
    "text", ["", "no xml", "<a><b></a>", "<a>&unknown;</a>", "<a/><b/>", "<a>\0</a>", "<a b='1' b='2'/>"]
)
def test_what_is_not_well_formed_is_one_sentence(text: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"a\.xml is not a usable XML file"):
        read_xml(written(tmp_path / "a.xml", text))


def test_deep_and_large_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = "<a>" * 65 + "</a>" * 65
    with pytest.raises(UserError, match="nested deeper than 64"):
        read_xml(written(tmp_path / "a.xml", deep))
    monkeypatch.setattr(markup_text, "MAX_XML_BYTES", 10)
    with pytest.raises(UserError, match="too large for a markup file"):
        read_xml(written(tmp_path / "b.xml", "<a>1234567</a>"))


def test_other_encodings_and_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes("<a>ä</a>".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        read_xml(tmp_path / "a.xml")
    with pytest.raises(UserError, match="There is no markup file"):
        read_xml(tmp_path / "b.xml")
