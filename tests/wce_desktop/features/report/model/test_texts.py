"""Texts of the report and text blocks."""

from dataclasses import asdict
from pathlib import Path

import pytest

from training.errors import UserError
from wce_desktop.core.annotation.report_part import ReportPart
from wce_desktop.features.report.model.parts import (
    BLOCKS_NAME,
    TextBlock,
    Texts,
    read_blocks,
    texts_of,
    write_blocks,
)


def test_texts_survive_storing() -> None:
    texts = Texts("a", "b", "inadequate")
    part = ReportPart.new(study_id="s", kind="texts", content=asdict(texts))
    assert texts_of([part]) == texts
    assert texts_of([]) == Texts()


def test_content_that_breaks_the_rules_is_left_out() -> None:
    part = ReportPart.new(study_id="s", kind="texts", content={"summary": 3, "adequacy": "perhaps"})
    assert texts_of([part]) == Texts()


def test_blocks_are_those_of_the_application_until_they_are_changed(tmp_path: Path) -> None:
    assert len(read_blocks(tmp_path)) > 3
    blocks = (TextBlock("Ä", "Text\nof two lines"),)
    write_blocks(tmp_path, blocks)
    assert read_blocks(tmp_path) == blocks
    write_blocks(tmp_path, ())
    assert read_blocks(tmp_path) == ()


@pytest.mark.parametrize("text", ["[]", "{}", '{"blocks": [1]}', '{"blocks": [{"title": 1, "text": ""}]}', "x"])
def test_a_damaged_list_is_said(tmp_path: Path, text: str) -> None:
    (tmp_path / BLOCKS_NAME).write_text(text)
    with pytest.raises(UserError, match="text blocks"):
        read_blocks(tmp_path)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        write_blocks(tmp_path / "missing", ())
