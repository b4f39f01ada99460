"""The keys of actions as the reader has chosen them: which are in use, which cannot be, and how texts name them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from wce_desktop.core.language import tr
from wce_desktop.session.actions import ACTIONS, Action

JOINT = "; "
"""Between the keys of one action, in Qt's portable spelling: "Return; Enter"."""
_FIXED = {
    "clear_span": "Escape always clears the span, closes a message or leaves a text field.",
}
_ALONE = "This key cannot be used alone. Press it together with another one."
_SEVERAL = "Several keys one after another cannot be used. Press one key, with Ctrl, Shift or Alt if you like."
_SYSTEM = "Keys with the Windows or Command key belong to the system."
_MODIFIERS = {"Ctrl", "Shift", "Alt", "Meta", "Num"}
_REFUSED = {
    "Escape": "Escape leaves text fields and closes dialogs.",
    "Tab": "Tab moves to the next control.",
    "Backtab": "Shift+Tab moves to the previous control.",
    "Menu": "This key opens the menu of what is highlighted.",
    "Print": "This key belongs to the system.",
    "CapsLock": "This key cannot be a shortcut alone.",
    "NumLock": "This key cannot be a shortcut alone.",
    "ScrollLock": "This key cannot be a shortcut alone.",
}
_REFUSED_WHOLE = {
    "Ctrl+A": "Ctrl+A selects everything in a text field, a list or the map.",
    "Ctrl+C": "Ctrl+C copies in text fields.",
    "Ctrl+V": "Ctrl+V pastes in text fields.",
    "Ctrl+X": "Ctrl+X cuts in text fields.",
    "Alt+F4": "Alt+F4 closes the window.",
    "Ctrl+Alt+Del": "Ctrl+Alt+Del belongs to the system.",
    "Ctrl+Alt+Backspace": "Ctrl+Alt+Backspace belongs to the system.",
}


def parts(keys: str) -> tuple[str, ...]:
    """The single keys of an action: ("Return", "Enter")."""
    return tuple(key for key in keys.split(JOINT) if key)


def with_chosen(rows: Iterable[Action], chosen: Mapping[str, str]) -> tuple[Action, ...]:
    """The rows, with the chosen keys by action id in place of those of the table; "" is no key."""
    return tuple(replace(row, shortcut=chosen.get(row.action_id, row.shortcut)) for row in rows)


def why_fixed(action_id: str) -> str:
    """Why the key of an action cannot be changed; "" where it can."""
    return _FIXED.get(action_id, "")


def why_refused(key: str) -> str:
    """Why a key (in Qt's portable spelling) cannot be a shortcut; "" where it can."""
    if not key:
        return _ALONE
    if ", " in key and key != ",":
        return _SEVERAL
    if key in _REFUSED_WHOLE:
        return _REFUSED_WHOLE[key]
    *modifiers, last = re.split(r"\+(?=.)", key)
    if "Meta" in modifiers:
        return _SYSTEM
    if last in _MODIFIERS:
        return _ALONE
    return _REFUSED.get(last, "")


def reasons() -> tuple[str, ...]:
    """All sentences that say why a key cannot be used or changed, for translators."""
    return (*_FIXED.values(), *_REFUSED.values(), *_REFUSED_WHOLE.values(), _ALONE, _SEVERAL, _SYSTEM)


def holder(rows: Sequence[Action], key: str, but: str = "") -> Action | None:
    """The action that has a key, other than the one named `but`; None where the key is free."""
    return next((row for row in rows if row.action_id != but and key in parts(row.shortcut)), None)


def without(keys: str, key: str) -> str:
    """The keys of an action but one of them."""
    return JOINT.join(part for part in parts(keys) if part != key)


def checked(stored: Mapping[str, str], table: Sequence[Action] = ACTIONS) -> dict[str, str]:
    """What a settings file says of keys, without unknown actions and keys that cannot be used.

    A chosen key that another action has, too, is left out: a key that is pressed must have one meaning.
    """
    known = {row.action_id: row for row in table}
    chosen = {
        action_id: JOINT.join(key for key in parts(keys) if not why_refused(key))
        for action_id, keys in stored.items()
        if action_id in known and not why_fixed(action_id)
    }
    rows = with_chosen(table, chosen)
    for row in rows:
        if row.action_id in chosen:
            free = [key for key in parts(row.shortcut) if holder(rows, key, row.action_id) is None]
            if free != list(parts(row.shortcut)):
                chosen[row.action_id] = JOINT.join(free)
                rows = with_chosen(table, chosen)
    return {action_id: keys for action_id, keys in chosen.items() if keys != known[action_id].shortcut}


# How texts name keys

_in_use: dict[str, str] = {row.action_id: row.shortcut for row in ACTIONS}
_as_written: list[Callable[[str], str]] = [str]
_NAMED = re.compile(r"\{([a-z_0-9]+)\}")


def use(rows: Iterable[Action], as_written: Callable[[str], str]) -> None:
    """Let texts name the keys of these rows from now on; `as_written` writes a key as this computer does."""
    _in_use.update({row.action_id: row.shortcut for row in rows})
    _as_written[0] = as_written


def shortcut_of(action_id: str) -> str:
    """All keys of an action in Qt's portable spelling, separated by "; "."""
    return _in_use[action_id]


def key_of(action_id: str) -> str:
    """The first key of an action as this computer writes it, or "no key".

    Raises:
        KeyError: there is no such action.
    """
    keys = parts(_in_use[action_id])
    return _as_written[0](keys[0]) if keys else tr("no key")


def with_keys(text: str) -> str:
    """A text in which `{undo}` stands for the key of the action `undo`; other braces stay."""
    return _NAMED.sub(lambda found: key_of(found[1]) if found[1] in _in_use else found[0], text)
