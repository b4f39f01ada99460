"""The timeline: the whole study at a glance, and a stretch of it from close by."""

from wce_desktop.widgets.timeline.content import Track
from wce_desktop.widgets.timeline.view import TimelineView

__all__ = ["TimelineView", "Track"]
