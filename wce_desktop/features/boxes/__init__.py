"""Boxes: drawn, moved, resized, named and assigned to findings on the frame."""
