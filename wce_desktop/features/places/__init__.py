"""Find this place in another study: ranked clips, two studies side by side, and links between their places."""
