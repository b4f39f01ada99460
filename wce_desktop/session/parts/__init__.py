"""What `Session` is made of: edits, and scores."""
