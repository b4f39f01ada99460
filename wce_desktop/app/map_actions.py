"""The map of embeddings: its rows of the table of actions."""

from wce_desktop.app.action import Action

MAP_ACTIONS: tuple[Action, ...] = (
    Action("show_map", "Explore", "Map…", "F6", "Walk around in a map of all frames: alike ones lie together."),
)
