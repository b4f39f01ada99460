"""Frames that look alike: the rows of the table of actions about neighbours, selections, and what to label next."""

from wce_desktop.app.action import Action

ALIKE_ACTIONS: tuple[Action, ...] = ()
