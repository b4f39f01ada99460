"""Explaining why a frame was flagged: CAMs, suggested boxes, the strip over an event."""
