"""The table of actions: complete, without clashes, and every key of the reading room is in it."""

from collections import Counter
from itertools import groupby

from wce_desktop.session.actions import ACTIONS, CONTEXTS, MENUS

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


def test_a_menu_is_cut_into_short_blocks() -> None:
    for menu in MENUS:
        rows = [row for row in ACTIONS if row.menu == menu]
        blocks = Counter(row.group for row in rows)
        assert all(group.title for group in blocks), "every row stands below a heading"
        assert max(blocks.values()) <= 10
        shown = sum(1 if group.is_submenu else count for group, count in blocks.items())
        assert shown <= 24, f"{menu} has {shown} rows"
        assert [group for group, _ in groupby(row.group for row in rows)] == list(blocks), "a heading stands once"


def test_what_menus_of_things_offer_is_in_the_table() -> None:
    ids = {row.action_id for row in ACTIONS}
    assert {context: set(offered) - ids for context, offered in CONTEXTS.items()} == {key: set() for key in CONTEXTS}
    assert [context for context, offered in CONTEXTS.items() if len(set(offered)) < len(offered)] == []
    answers = {"accept_event", "reject_event", "undo"}
    assert all(answers <= set(CONTEXTS[context]) for context in ("frame", "flag", "event"))
    assert {"mark_start", "landmark_colon", "label_4"} <= set(CONTEXTS["frame"]) & set(CONTEXTS["timeline"])


def test_the_promised_keys_do_what_was_promised() -> None:
    table = {row.action_id: row.shortcut.split("; ") for row in ACTIONS}
    assert {name: key for name, key in PROMISED_KEYS.items() if key not in table.get(name, [])} == {}
