"""One published method a file: its losses on its network, visible in one read."""
