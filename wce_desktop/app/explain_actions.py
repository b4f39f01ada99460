"""Explaining a frame: the rows of the table of actions that ask why it was flagged."""

from wce_desktop.app.action import Action

EXPLAIN_ACTIONS: tuple[Action, ...] = ()
