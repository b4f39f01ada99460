"""Pictures of the frame on screen, and what a reader draws on it."""
