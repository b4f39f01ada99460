"""The map of embeddings: its rows of the table of actions."""

from wce_desktop.session.action import Action

MAP_ACTIONS: tuple[Action, ...] = (
    Action("show_map", "Explore", "Map…", "F6", "Walk around in a map of all frames: alike ones lie together."),
    Action("show_evolution", "Explore", "Evolution of a pretraining…", "Ctrl+F6",
           "How a pretraining moved the same frames, one kept step after the other."),
)  # fmt: skip
