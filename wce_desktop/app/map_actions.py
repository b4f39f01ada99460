"""The map of embeddings: its rows of the table of actions."""

from wce_desktop.app.action import Action

MAP_ACTIONS: tuple[Action, ...] = ()
