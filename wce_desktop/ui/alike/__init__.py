"""Frames that look alike: the strip of neighbours, the grid of frames, and the queue of what to label next."""
