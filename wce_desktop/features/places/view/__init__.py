"""The window: lists of studies, places and links, and two studies side by side."""
