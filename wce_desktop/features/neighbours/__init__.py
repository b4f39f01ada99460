"""Similar frames: the neighbour strip, the grid of frames, and what to label next."""
