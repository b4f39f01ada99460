"""What a row of the table of actions is, and when an action makes sense."""

from collections.abc import Callable
from dataclasses import dataclass

from wce_desktop.session.session import Session

Condition = Callable[[Session], bool]


def always(_: Session) -> bool:
    """True: the action is never greyed out."""
    return True


def has_study(session: Session) -> bool:
    """True while a study is open."""
    return session.reading is not None


def has_events(session: Session) -> bool:
    """True while the open study has flagged events."""
    return session.reading is not None and bool(session.reading.events)


def has_model(session: Session) -> bool:
    """True when a model is in use."""
    return session.current_model is not None


def can_score(session: Session) -> bool:
    """True when a study is open and a model can score it."""
    return has_study(session) and has_model(session)


def has_scores(session: Session) -> bool:
    """True while the open study has scores."""
    return session.reading is not None and session.reading.scores is not None


def can_undo(session: Session) -> bool:
    """True when there is an edit to take back."""
    return session.undo_title is not None


def can_redo(session: Session) -> bool:
    """True when there is an edit to do again."""
    return session.redo_title is not None


@dataclass(frozen=True)
class Action:
    """One thing a reader can do.

    Attributes:
        action_id: what code calls it; the window has a method of this name.
        menu: the menu it stands in.
        title: what the menu says.
        shortcut: key sequences in Qt's portable spelling, separated by "; ".
        tip: one sentence, for the tooltip and the keys page.
        is_enabled: whether it makes sense now.
        is_checkable: whether the menu shows a tick.
    """

    action_id: str
    menu: str
    title: str
    shortcut: str
    tip: str
    is_enabled: Condition = always
    is_checkable: bool = False
