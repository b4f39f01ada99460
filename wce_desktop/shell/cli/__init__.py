"""Commands of `wce-desktop` that need no window."""
