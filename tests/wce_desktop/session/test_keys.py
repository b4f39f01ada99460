"""Keys that the reader has changed: what can be used, who has a key, and how texts name it."""

import pytest

from wce_desktop.session import keys
from wce_desktop.session.actions import ACTIONS


@pytest.mark.parametrize(
    "key", ["Tab", "Backtab", "Escape", "Ctrl+C", "Ctrl+Shift", "Meta+D", "", "Ctrl+K, B", "Print"]
)
def test_a_key_that_cannot_be_used_has_a_reason(key: str) -> None:
    assert keys.why_refused(key).endswith(".")


@pytest.mark.parametrize(
    "key", ["B", "+", "Ctrl++", "Ctrl+,", ",", "Shift+Space", "F12", "Return", "Alt+Shift+S", "Del"]
)
def test_other_keys_can_be_used(key: str) -> None:
    assert keys.why_refused(key) == ""


def test_no_key_of_the_table_would_be_refused() -> None:
    fixed = {row.action_id for row in ACTIONS if keys.why_fixed(row.action_id)}
    assert fixed == {"clear_span"}
    for row in ACTIONS:
        if row.action_id not in fixed:
            assert [key for key in keys.parts(row.shortcut) if keys.why_refused(key)] == []


def test_a_settings_file_cannot_make_two_actions_share_a_key() -> None:
    stored = {
        "undo": "Ctrl+Y",
        "redo": "Ctrl+Y; Ctrl+R",
        "go_to": "Tab",
        "clear_span": "Q",
        "no_such": "Q",
        "quit": "F",
    }
    chosen = keys.checked(stored)
    rows = keys.with_chosen(ACTIONS, chosen)
    every = [key for row in rows for key in keys.parts(row.shortcut)]
    assert len(every) == len(set(every))
    assert set(chosen) <= {"undo", "redo", "go_to", "quit"}
    assert "Tab" not in every
    assert keys.checked({"undo": "Ctrl+Z"}) == {}, "the key that it came with"


def test_two_actions_can_swap_their_keys() -> None:
    swapped = {"mark_start": "O", "mark_stop": "I"}
    assert keys.checked(swapped) == swapped


def test_texts_name_the_key_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_in_use", dict(keys._in_use))
    monkeypatch.setattr(keys, "_as_written", [str])
    assert keys.with_keys("Undo ({undo}), {nothing}, {0}") == "Undo (Ctrl+Z), {nothing}, {0}"
    keys.use(keys.with_chosen(ACTIONS, {"undo": "Ctrl+B", "redo": ""}), str)
    assert keys.with_keys("Undo ({undo}) or {redo}") == "Undo (Ctrl+B) or no key"
