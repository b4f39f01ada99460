"""The classes of labels, findings and boxes: shown and changed."""
