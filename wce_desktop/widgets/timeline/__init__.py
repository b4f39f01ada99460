"""The timeline: an overview of the whole study and a zoomed detail."""

from wce_desktop.widgets.timeline.content import Track
from wce_desktop.widgets.timeline.view import TimelineView

__all__ = ["TimelineView", "Track"]
