"""Boxes on the frame, and boxes that follow a lesion."""
