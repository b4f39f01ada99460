"""The table of actions: complete, without clashes, and every key of the reading room is in it."""

from collections import Counter

from wce_desktop.session.actions import ACTIONS, MENUS

PROMISED_KEYS = {
    "toggle_play": "Space", "step_back": "Left", "step_forward": "Right", "jump_back": "Ctrl+Left",
    "jump_forward": "Ctrl+Right", "go_first": "Home", "go_last": "End", "faster": "Up", "slower": "Down",
    "go_to": "Ctrl+G", "toggle_overlay": "C", "zoom_in": "+", "zoom_out": "-", "zoom_fit": "Ctrl+0", "label_1": "1",
    "label_9": "9", "label_0": "0", "mark_start": "I", "mark_stop": "O", "accept_event": "Return",
    "reject_event": "Backspace", "next_unseen_event": "N", "previous_unseen_event": "P", "next_event": "Shift+N",
    "previous_event": "Shift+P", "play_flagged": "F", "undo": "Ctrl+Z", "redo": "Ctrl+Shift+Z", "new_finding": "M",
    "show_keys": "F1", "find_action": "Ctrl+K", "toggle_left": "F9", "toggle_right": "F10", "only_frame": "F11",
}  # fmt: skip


def test_no_two_actions_share_a_name_or_a_key() -> None:
    names = Counter(row.action_id for row in ACTIONS)
    keys = Counter(key for row in ACTIONS for key in row.shortcut.split("; ") if key)
    assert [name for name, count in names.items() if count > 1] == []
    assert [key for key, count in keys.items() if count > 1] == []


def test_every_row_can_stand_in_a_menu() -> None:
    for row in ACTIONS:
        assert row.menu in MENUS
        assert row.title
        assert row.tip.endswith(".")
        assert row.shortcut


def test_the_promised_keys_do_what_was_promised() -> None:
    table = {row.action_id: row.shortcut.split("; ") for row in ACTIONS}
    assert {name: key for name, key in PROMISED_KEYS.items() if key not in table.get(name, [])} == {}
