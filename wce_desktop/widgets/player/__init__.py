"""The player: a study's frames, as large as they can be, and how one moves through them."""
