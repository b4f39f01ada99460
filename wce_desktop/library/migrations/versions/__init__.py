"""One file a revision; never changed once published."""
