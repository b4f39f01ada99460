"""The packets of a video file: what a pass over them says, where some are lost, and in which order pictures come."""
