"""Explanations: CAMs, suggested boxes, the strip along an event."""
